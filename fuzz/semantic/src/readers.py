"""What simple readers see: readers.py zip|stream|folded|xml|cms|around|last|first|alike|properties FILE. Python 3, standard library only."""
import base64, json, re, struct, sys, unicodedata, zipfile, zlib
import xml.etree.ElementTree as ET

kind, data = sys.argv[1], open(sys.argv[2], 'rb').read()
out = sys.stdout.buffer


def files(pairs):
    """members outside META-INF by name, the last of a name counts; pages and texts in META-INF are members, too"""
    found = {}
    for name, content in pairs:
        if name == 'mimetype' or name.endswith('/') and not content:
            continue
        if name.startswith('META-INF/') and not re.search(r'\.(pdf|txt|html)$', name):
            continue
        found[name] = content
    for name, content in sorted(found.items()):
        out.write(name.encode('utf8', 'surrogateescape') + b': ' + content + b'\n')


def listed():
    z = zipfile.ZipFile(sys.argv[2])
    for i in z.infolist():
        try:
            yield octets(i), z.read(i)
        except Exception as e:
            yield octets(i), type(e).__name__.encode()


def octets(i):
    """the name by its octets, which the reader takes for CP437 where nothing says that they are UTF-8"""
    if i.flag_bits & 0x800:
        return i.filename
    try:
        return i.filename.encode('cp437').decode('utf8')
    except UnicodeError:
        return i.filename


def stream():
    """local headers one after the other, as a reader of a stream has them; the first of a name counts"""
    at, seen = data.find(b'PK\3\4'), {}
    while at >= 0 and at + 30 <= len(data):
        flags, method = struct.unpack('<HH', data[at + 6:at + 10])
        size, = struct.unpack('<I', data[at + 18:at + 22])
        n, x = struct.unpack('<HH', data[at + 26:at + 30])
        name = data[at + 30:at + 30 + n].decode('utf8', 'surrogateescape')
        start = at + 30 + n + x
        raw = data[start:start + size]
        try:
            if flags & 8 and not size:
                # the sizes stand behind the data
                if method == 8:
                    inflate = zlib.decompressobj(-15)
                    content = inflate.decompress(data[start:])
                    size = len(data) - start - len(inflate.unused_data)
                else:
                    size = max(data.find(b'PK\7\x08', start) - start, 0)
                    content = data[start:start + size]
                size += 16
            else:
                content = zlib.decompress(raw, -15) if method == 8 else raw
        except zlib.error:
            content = b'?'
        seen.setdefault(name, content)
        at = start + size
        if data[at:at + 4] != b'PK\3\4':
            break
    return seen.items()


def folded():
    """names as they are files elsewhere: case, Unicode form, blanks and dots at the end, streams, ways"""
    for name, content in listed():
        n = unicodedata.normalize('NFKC', name).replace('\\', '/').split('\0')[0]
        n = re.sub(r'^[A-Za-z]:', '', n)
        parts = []
        for p in n.split('/'):
            p = ''.join(c for c in p if unicodedata.category(c) != 'Cf').split(':')[0].rstrip(' .').lower()
            if p:
                parts.append(p)
        n = '/'.join(parts)
        yield (n.replace('meta-inf', 'META-INF') + ('/' if name.endswith('/') and not content else '')), content


DS = '{http://www.w3.org/2000/09/xmldsig#}'
XSI = '{http://www.w3.org/2001/XMLSchema-instance}'
XADES = '{http://uri.etsi.org/01903/v1.3.2#}'


def xml():
    parser = ET.XMLParser(target=ET.TreeBuilder(insert_pis=True))
    in_front = re.findall(rb'^\s*<\?xml-stylesheet.*?\?>', data)
    root = ET.fromstring(data, parser)

    def shown(e):
        """the tree without signatures; of a signature its objects, and what does not belong there"""
        if not isinstance(e.tag, str):
            return [b'<?' + (e.text or '').encode() + b'?>']
        if e.tag == DS + 'Signature':
            lines = []
            for c in e:
                if c.tag == DS + 'Object':
                    # the properties of the signature are not what is read; anything else in an object is
                    rest = [i for i in c if not (isinstance(i.tag, str) and i.tag.startswith(XADES))]
                    if rest or (c.text or '').strip() or any((i.tail or '').strip() for i in c):
                        lines.append(b'object ' + (c.text or '').encode())
                        for i in rest:
                            lines += shown(i)
                elif not (isinstance(c.tag, str) and c.tag.startswith(DS)):
                    lines += shown(c)
                else:
                    # of what is said of the key and the value, what no standard puts there
                    inner = [i for i in c.iter() if i is not c and isinstance(i.tag, str)]
                    for i in inner:
                        if not i.tag.startswith((DS, XADES, '{http://www.w3.org/2009/xmldsig11#}')):
                            lines += shown(i)
                if (c.tail or '').strip():
                    lines.append(c.tail.encode())
            if (e.text or '').strip():
                lines.append(e.text.encode())
            return lines
        own = {k: v for k, v in e.attrib.items() if k not in (XSI + 'schemaLocation', XSI + 'noNamespaceSchemaLocation')}
        head = e.tag + ''.join(f' {k}={v!r}' for k, v in sorted(own.items()))
        lines, text = [b'<' + head.encode()], e.text or ''
        for c in e:
            below = shown(c)
            if below:
                if text.strip():
                    lines.append(text.encode())
                text = ''
                lines += below
            text += c.tail or ''
        if text.strip():
            lines.append(text.encode())
        # what is only around signatures shows nothing itself
        if len(e) and not own and all(next(c.iter(DS + 'Signature'), None) is not None for c in e):
            return lines[1:]
        return lines + [b'>']
    out.write(b'\n'.join(in_front + shown(root)))


def tlv(b, at):
    """tag, start, end of contents, end; lengths may be indefinite"""
    tag, size, start = b[at], b[at + 1], at + 2
    if size == 0x80:
        p = start
        while b[p:p + 2] != b'\0\0':
            p = tlv(b, p)[3]
        return tag, start, p, p + 2
    if size > 0x80:
        n = size & 0x7f
        size, start = int.from_bytes(b[start:start + n], 'big'), start + n
    if start + size > len(b):
        raise ValueError
    return tag, start, start + size, start + size


def strings(b, start, end):
    """all octet strings, in order"""
    while start < end:
        tag, s, e, nxt = tlv(b, start)
        if tag == 4:
            yield b[s:e]
        elif tag & 0x20:
            yield from strings(b, s, e)
        start = nxt


def cms(where):
    body, around = data, b''
    pem = re.search(rb'-----BEGIN [^-]+-----(.*?)-----END [^-]+-----', data, re.S)
    if pem:
        around = data[:pem.start()] + data[pem.end():]
        body = base64.b64decode(pem[1])
    elif data[:1] == b'M':
        body = base64.b64decode(data)
    at = body.find(b'\x30')
    _, s, e, end = tlv(body, at)
    around += body[:at] + body[end:]
    p = tlv(body, s)[3]                      # behind the type
    _, s, _, _ = tlv(body, p)                # [0]
    _, s, e, _ = tlv(body, s)                # SignedData
    for _ in range(2):
        s = tlv(body, s)[3]                  # version, digestAlgorithms
    _, s, e, _ = tlv(body, s)                # encapContentInfo
    s = tlv(body, s)[3]
    if where:
        out.write(around.strip())
        return
    found = list(strings(body, s, e))
    if not found:
        sys.exit(1)
    out.write(b''.join(found))



def jws(last, fold, properties=False):
    """the payload as a program has it that reads JSON: the first or last of a name, names alike or in any case"""
    def pairs(found):
        names = {}
        for name, member in found:
            key = name.casefold() if fold else name
            if last or key not in names:
                names[key] = member
        return names
    text = data.decode('utf8', 'replace').lstrip('\ufeff')
    start = len(text) - len(text.lstrip())
    whole, end = json.JSONDecoder(object_pairs_hook=pairs).raw_decode(text, start)
    plain = lambda digits: base64.urlsafe_b64decode(re.sub(r'[^A-Za-z0-9_-]', '', digits.translate({43: '-', 47: '_'})) + '===')
    first = (whole.get('signatures') or [whole])[0]
    header = json.loads(plain(first.get('protected', '')) or '{}')
    payload = whole.get('payload')
    if isinstance(payload, str) and header.get('b64', True):
        payload = plain(payload)
    elif isinstance(payload, str):
        payload = payload.encode()
    elif payload is not None:
        payload = json.dumps(payload).encode()
    known = ('sigTst', 'rVals', 'xVals', 'arcTst', 'tstVD', 'anyValData', 'cSig', 'sigPSt', 'xRefs', 'rRefs')
    if properties:
        out.write(json.dumps([e for e in (first.get('header') or {}).get('etsiU', []) if isinstance(e, dict) and not set(e) <= set(known)]).encode())
        return
    beside = {k: whole[k] for k in whole if k.casefold() not in ('payload', 'protected', 'header', 'signature', 'signatures')}
    out.write((payload or b'') + b'\nbeside: ' + json.dumps(beside, sort_keys=True).encode() + b'\nbehind: ' + text[end:].strip().encode())


{'last': lambda: jws(True, False), 'first': lambda: jws(False, False), 'alike': lambda: jws(True, True), 'properties': lambda: jws(True, False, True),
 'zip': lambda: files(listed()), 'stream': lambda: files(stream()), 'folded': lambda: files(folded()), 'xml': xml, 'cms': lambda: cms(False), 'around': lambda: cms(True)}[kind]()
