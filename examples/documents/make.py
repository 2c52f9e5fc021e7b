#!/usr/bin/env python3
"""Makes the example documents, with a test PKI of their own.

Needs python3 and the openssl command (3.0 or newer). Run it in this folder: it
writes the documents and `root.der`, the certificate that vouches for them. The
private keys live in a temporary folder and are gone afterwards, so every run
makes new documents; the committed ones were made once.
"""
import hashlib, os, pathlib, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).parent


def openssl(*arguments, stdin=None):
    done = subprocess.run(["openssl", *map(str, arguments)], input=stdin, capture_output=True)
    if done.returncode:
        sys.exit(f"openssl {arguments[0]}: {done.stderr.decode()}")
    return done.stdout


# --- DER, as much as a CMS signature takes ---

def der(tag, *parts):
    body = b"".join(parts)
    n = len(body)
    size = bytes([n]) if n < 128 else bytes([128 + (n.bit_length() + 7) // 8]) + n.to_bytes((n.bit_length() + 7) // 8, "big")
    return bytes([tag]) + size + body


def read(data, at=0):
    """(tag, start of content, end) of the value at `at`."""
    size, start = data[at + 1], at + 2
    if size >= 128:
        count = size - 128
        size, start = int.from_bytes(data[start:start + count], "big"), start + count
    return data[at], start, start + size


def children(data):
    """The values inside the constructed value `data`, whole."""
    _, at, end = read(data)
    found = []
    while at < end:
        stop = read(data, at)[2]
        found.append(data[at:stop])
        at = stop
    return found


def oid(text):
    first, second, *rest = map(int, text.split("."))
    body = bytearray()
    for number in [40 * first + second, *rest]:
        groups = [number & 127]
        while number := number >> 7:
            groups.append(128 | number & 127)
        body += bytes(reversed(groups))
    return der(0x06, bytes(body))


DATA, SIGNED_DATA = oid("1.2.840.113549.1.7.1"), oid("1.2.840.113549.1.7.2")
CONTENT_TYPE, MESSAGE_DIGEST, SIGNING_TIME = (oid(f"1.2.840.113549.1.9.{n}") for n in (3, 4, 5))
SIGNING_CERTIFICATE_V2, SIGNATURE_TIMESTAMP = oid("1.2.840.113549.1.9.16.2.47"), oid("1.2.840.113549.1.9.16.2.14")
SHA256, ECDSA_WITH_SHA256 = oid("2.16.840.1.101.3.4.2.1"), oid("1.2.840.10045.4.3.2")


def attribute(kind, value):
    return der(0x30, kind, der(0x31, value))


def issuer_and_serial(certificate):
    """Issuer and serial number of a version 3 certificate: tbsCertificate's fields after the version."""
    _, serial, _, issuer, *_ = children(children(certificate)[0])
    return issuer, serial


# --- the PKI: one root, a signer and a time-stamping authority below it ---

CONFIG = """
[ca]
default_ca = root
[root]
dir = {dir}
database = {dir}/index
serial = {dir}/serial
crlnumber = {dir}/crlnumber
certificate = {dir}/root.pem
private_key = {dir}/root.key
new_certs_dir = {dir}
default_md = sha256
default_crl_days = 3650
unique_subject = no
policy = any
crl_extensions = crl
[any]
countryName = optional
organizationName = optional
commonName = supplied
surname = optional
givenName = optional
serialNumber = optional
[crl]
authorityKeyIdentifier = keyid
[root_ext]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[signer_ext]
basicConstraints = CA:false
keyUsage = critical,nonRepudiation
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
crlDistributionPoints = URI:http://crl.example.invalid/root.crl
authorityInfoAccess = caIssuers;URI:http://ca.example.invalid/root.der
[tsa_ext]
basicConstraints = CA:false
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
crlDistributionPoints = URI:http://crl.example.invalid/root.crl
[req]
distinguished_name = name
[name]
[tsa]
default_tsa = clock
[clock]
dir = {dir}
serial = {dir}/tsaserial
signer_cert = {dir}/tsa.pem
signer_key = {dir}/tsa.key
certs = {dir}/tsa.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
ess_cert_id_alg = sha256
ess_cert_id_chain = no
ordering = no
tsa_name = no
"""


class Pki:
    def __init__(self, folder, root_name):
        self.dir = pathlib.Path(folder)
        self.config = self.dir / "config"
        self.config.write_text(CONFIG.format(dir=folder))
        (self.dir / "index").write_text("")
        for name in ("serial", "crlnumber", "tsaserial"):
            (self.dir / name).write_text("1000\n")
        self.key("root")
        self.request("root", root_name)
        self.issue("root", "root_ext", "-selfsign")

    def path(self, name):
        return self.dir / name

    def key(self, name):
        openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", self.path(name + ".key"))

    def request(self, name, subject):
        openssl("req", "-new", "-config", self.config, "-key", self.path(name + ".key"), "-subj", subject, "-utf8", "-out", self.path(name + ".csr"))

    def issue(self, name, extensions, *more):
        openssl("ca", "-batch", "-notext", "-config", self.config, "-in", self.path(name + ".csr"), "-out", self.path(name + ".pem"), "-extensions", extensions, "-startdate", "20260101000000Z", "-enddate", "20360101000000Z", "-utf8", "-keyfile", self.path("root.key"), *more)

    def entity(self, name, subject, extensions):
        self.key(name)
        self.request(name, subject)
        self.issue(name, extensions)

    def certificate(self, name):
        return openssl("x509", "-in", self.path(name + ".pem"), "-outform", "DER")

    def crl(self):
        pem = openssl("ca", "-gencrl", "-config", self.config)
        return openssl("crl", "-outform", "DER", stdin=pem)

    def revoke(self, name):
        openssl("ca", "-config", self.config, "-revoke", self.path(name + ".pem"), "-crl_reason", "keyCompromise")

    def timestamp(self, data):
        """A signature time-stamp token over `data`."""
        query = openssl("ts", "-query", "-digest", hashlib.sha256(data).hexdigest(), "-sha256", "-cert")
        (self.path("query")).write_bytes(query)
        return openssl("ts", "-reply", "-config", self.config, "-section", "clock", "-queryfile", self.path("query"), "-token_out")

    def cades(self, data, signer="signer", signing_time=None):
        """A detached CAdES signature over `data` (EN 319 122-1), with a signature time-stamp.

        PAdES (EN 319 142-1) wants the time in the PDF and not in the CMS, so `signing_time` is optional.
        """
        certificate = self.certificate(signer)
        name, serial = issuer_and_serial(certificate)
        attributes = [
            attribute(CONTENT_TYPE, DATA),
            attribute(MESSAGE_DIGEST, der(0x04, hashlib.sha256(data).digest())),
            # SigningCertificateV2 ::= SEQUENCE { certs SEQUENCE OF ESSCertIDv2 }, SHA-256 being the default
            attribute(SIGNING_CERTIFICATE_V2, der(0x30, der(0x30, der(0x30, der(0x04, hashlib.sha256(certificate).digest()))))),
        ]
        if signing_time:
            attributes.append(attribute(SIGNING_TIME, der(0x17, signing_time.encode())))
        signed = b"".join(sorted(attributes))
        self.path("signed").write_bytes(der(0x31, signed))
        value = openssl("dgst", "-sha256", "-sign", self.path(signer + ".key"), self.path("signed"))
        stamp = der(0xA1, der(0x30, SIGNATURE_TIMESTAMP, der(0x31, self.timestamp(value))))
        info = der(0x30, der(0x02, b"\x01"), der(0x30, name, serial), der(0x30, SHA256), der(0xA0, signed), der(0x30, ECDSA_WITH_SHA256), der(0x04, value), stamp)
        signed_data = der(0x30, der(0x02, b"\x01"), der(0x31, der(0x30, SHA256)), der(0x30, DATA), der(0xA0, certificate), der(0x31, info))
        return der(0x30, SIGNED_DATA, der(0xA0, signed_data))


# --- PDF ---

class Pdf:
    """A PDF that grows by incremental updates."""

    def __init__(self, text):
        self.data, self.offsets, self.previous, self.size = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", {}, None, 1
        stream = b"BT /F 14 Tf 72 760 Td (" + text.encode("latin-1") + b") Tj ET"
        self.catalog = "/Type /Catalog /Pages 2 0 R"
        self.update({
            1: f"<< {self.catalog} >>",
            2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
            4: (f"<< /Length {len(stream)} >>", stream),
            5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        })

    def update(self, objects):
        """Appends a revision with these objects; returns where each begins."""
        at, offsets = bytearray(self.data), {}
        for number, value in sorted(objects.items()):
            dictionary, stream = value if isinstance(value, tuple) else (value, None)
            offsets[number] = len(at)
            at += f"{number} 0 obj\n{dictionary}\n".encode("latin-1")
            if stream is not None:
                at += b"stream\n" + stream + b"\nendstream\n"
            at += b"endobj\n"
        self.size = max(self.size, max(objects) + 1)
        start = len(at)
        at += b"xref\n"
        if self.previous is None:
            at += b"0 1\n0000000000 65535 f \n"
        for number, offset in sorted(offsets.items()):
            at += f"{number} 1\n{offset:010} 00000 n \n".encode()
        previous = f" /Prev {self.previous}" if self.previous is not None else ""
        at += f"trailer\n<< /Size {self.size} /Root 1 0 R{previous} >>\nstartxref\n{start}\n%%EOF\n".encode()
        self.data, self.previous = bytes(at), start

    def sign(self, make_cms, room=8192):
        """Appends a signature field and signs everything but /Contents."""
        hole = "0" * (2 * room)
        form = "/AcroForm << /Fields [6 0 R] /SigFlags 3 >>"
        self.catalog += " " + form
        self.update({
            1: f"<< {self.catalog} >>",
            3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [6 0 R] >>",
            6: "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature) /V 7 0 R /P 3 0 R /Rect [0 0 0 0] /F 132 >>",
            7: "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange [0 0000000000 0000000000 0000000000] "
               f"/M (D:20261121120000Z) /Reason (Agreed) /Contents <{hole}> >>",
        })
        start = self.data.index(b"<" + hole.encode()[:64], self.data.rindex(b"7 0 obj"))
        end = start + 2 * room + 2
        ranges = f"/ByteRange [0 {start:010} {end:010} {len(self.data) - end:010}]".encode()
        mark = b"/ByteRange [0 0000000000 0000000000 0000000000]"
        self.data = self.data.replace(mark, ranges)
        cms = make_cms(self.data[:start] + self.data[end:]).hex().encode()
        self.data = self.data[:start + 1] + cms + b"0" * (2 * room - len(cms)) + self.data[end - 1:]

    def add_dss(self, certificates, crls):
        """Appends a document security store (ISO 32000-2 §12.8.4.3)."""
        objects, refs, number = {}, {}, self.size
        for key, values in (("Certs", certificates), ("CRLs", crls)):
            for value in values:
                objects[number] = (f"<< /Length {len(value)} >>", value)
                refs.setdefault(key, []).append(f"{number} 0 R")
                number += 1
        entries = " ".join(f"/{key} [{' '.join(values)}]" for key, values in refs.items())
        self.catalog += f" /DSS {number} 0 R"
        objects[number] = f"<< {entries} >>"
        objects[1] = f"<< {self.catalog} >>"
        self.update(objects)


def main():
    with tempfile.TemporaryDirectory() as folder:
        pki = Pki(folder, "/C=PT/O=Lacre Examples/CN=Lacre Example Root")
        pki.entity("signer", "/C=PT/SN=Silva/GN=Inês/serialNumber=PNOPT-00000000/CN=Inês Silva", "signer_ext")
        pki.entity("lost", "/C=PT/SN=Costa/GN=Rui/serialNumber=PNOPT-00000001/CN=Rui Costa", "signer_ext")
        pki.entity("tsa", "/C=PT/O=Lacre Examples/CN=Lacre Example Time-Stamping", "tsa_ext")
        write = lambda name, data: (HERE / name).write_bytes(data)
        write("root.der", pki.certificate("root"))

        contract = Pdf("The parties agree.")
        write("not-signed.pdf", contract.data)
        contract.sign(pki.cades)
        contract.add_dss([pki.certificate(name) for name in ("root", "signer", "tsa")], [pki.crl()])
        write("contract.pdf", contract.data)
        write("contract-tampered.pdf", contract.data.replace(b"The parties agree.", b"The parties argue.", 1))

        letter = "Dear reader,\nthis letter is signed beside its text.\n".encode()
        write("letter.txt", letter)
        write("letter.txt.p7s", pki.cades(letter, signing_time="261121120000Z"))

        revoked = Pdf("Signed after the key was reported lost.")
        pki.revoke("lost")
        revoked.sign(lambda data: pki.cades(data, signer="lost"))
        revoked.add_dss([pki.certificate(name) for name in ("root", "lost", "tsa")], [pki.crl()])
        write("revoked.pdf", revoked.data)


main()
