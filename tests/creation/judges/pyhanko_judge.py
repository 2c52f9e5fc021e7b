"""pyHanko as judge: reads requests (JSON lines) from the file named first, writes answers to the second. Runs in a virtual
environment that has pyhanko; nothing by the network."""
import asyncio, datetime, io, json, logging, os, sys

from asn1crypto import crl, ocsp, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import DocumentSecurityStore, async_validate_pdf_signature, async_validate_pdf_timestamp
from pyhanko.sign.validation.errors import NoDSSFoundError
from pyhanko_certvalidator import ValidationContext

logging.disable(logging.CRITICAL)


def load(path, kind):
    with open(path, "rb") as f:
        return kind.load(f.read())


class Known:
    """What a judge has beside the file."""

    def __init__(self, request, which="revocation"):
        self.time = datetime.datetime.fromisoformat(request["time"].replace("Z", "+00:00"))
        self.roots = [load(path, x509.Certificate) for path in request["anchors"]]
        self.certificates = [load(path, x509.Certificate) for path in request["certificates"]]
        self.crls, self.ocsps = [], []
        for name in sorted(os.listdir(request[which])) if request.get(which) else []:
            path = os.path.join(request[which], name)
            if name.endswith(".crl"):
                self.crls.append(load(path, crl.CertificateList))
            else:
                self.ocsps.append(load(path, ocsp.OCSPResponse))

    def context(self, reader, mode, moment):
        """What is at hand and what the file holds, as of a moment; revocation data may be younger."""
        certificates, crls, ocsps = list(self.certificates), list(self.crls), list(self.ocsps)
        try:
            store = DocumentSecurityStore.read_dss(reader)
            certificates += list(store.load_certs())
            crls += [crl.CertificateList.load(one.get_object().data) for one in store.crls]
            ocsps += [ocsp.OCSPResponse.load(one.get_object().data) for one in store.ocsps]
        except NoDSSFoundError:
            pass
        return ValidationContext(trust_roots=self.roots, other_certs=certificates, moment=moment, allow_fetching=False, crls=crls,
                                 ocsps=ocsps, revocation_mode=mode, retroactive_revinfo=moment != self.time)


def stamped(signature):
    """The time of a document time-stamp."""
    return signature.signed_data["encap_content_info"]["content"].parsed["gen_time"].native


def opened(request, path):
    with open(path, "rb") as f:
        reader = PdfFileReader(io.BytesIO(f.read()), strict=not request.get("lenient"))
    if reader.encrypted:
        result = reader.decrypt(request.get("password") or "")
        if result.status.name == "FAILED":
            raise ValueError("the password opens nothing")
    return reader


def reads_before(request):
    """Whether it could read the file that was signed."""
    try:
        if request.get("before"):
            reader = opened(request, request["before"])
            _ = reader.root["/Pages"], reader.embedded_signatures
        return True
    except Exception:
        return False


async def judge(request):
    known = Known(request)
    reader = opened(request, request["file"])
    stamps = reader.embedded_timestamp_signatures
    found = []
    for signature in reader.embedded_signatures:
        answer = {"field": signature.field_name, "kind": signature.sig_object_type}
        found.append(answer)
        try:
            if signature.sig_object_type == "/DocTimeStamp":
                # A file cannot hold revocation data that is younger than its last time-stamp: what is known today.
                last = signature.field_name == stamps[-1].field_name
                context = (Known(request, "fresh") if last else known).context(reader, "hard-fail", stamped(signature))
                status = await async_validate_pdf_timestamp(signature, context)
                answer["ok"] = bool(status.intact and status.valid and status.trusted)
            else:
                later = [one for one in stamps if one.signed_revision > signature.signed_revision]
                # As of the first document time-stamp after it, where there is one.
                moment = stamped(later[0]) if later else known.time
                status = await async_validate_pdf_signature(signature, known.context(reader, "hard-fail", moment))
                answer["ok"] = bool(status.bottom_line)
                answer["seed"] = str(status.seed_value_constraint_error or "")
                if status.docmdp_ok is False:
                    answer["ok"] = False
            answer["coverage"] = getattr(getattr(status, "coverage", None), "name", None)
            answer["modified"] = getattr(getattr(status, "modification_level", None), "name", None)
            if answer["modified"] == "OTHER":
                answer["ok"] = False
            compared = signature.diff_result if isinstance(signature.diff_result, Exception) else ""
            answer["says"] = f"{answer.get('seed', '')} {answer['modified']} {compared} {status.summary()}"
            # Its comparison of revisions takes no file whose pages or annotations are not objects of their own.
            answer["unread"] = str(compared) == "Array contains direct objects"
        except Exception as e:
            answer["ok"], answer["says"], answer["unread"] = False, f"{type(e).__name__}: {e}", True
    return found


def main():
    with open(sys.argv[1]) as requests, open(sys.argv[2], "w") as answers:
        for line in requests:
            request = json.loads(line)
            try:
                answer = {"id": request["id"], "signatures": asyncio.run(judge(request))}
            except Exception as e:
                answer = {"id": request["id"], "exception": f"{type(e).__name__}: {e}", "readsBefore": reads_before(request)}
            answers.write(json.dumps(answer) + "\n")


main()
