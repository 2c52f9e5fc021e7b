"""pyHanko as judge: reads requests (JSON lines) from the file named first, writes answers to the second. Runs in a virtual
environment that has pyhanko; nothing by the network."""
import asyncio, datetime, io, json, logging, os, sys

from asn1crypto import crl, ocsp, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.diff_analysis import ModificationLevel
from pyhanko.sign.validation import (
    RevocationInfoValidationType, async_validate_pdf_ltv_signature, async_validate_pdf_signature,
    async_validate_pdf_timestamp)
from pyhanko_certvalidator import ValidationContext

logging.disable(logging.CRITICAL)


def context(request, **more):
    def load(path, kind):
        with open(path, "rb") as f:
            return kind.load(f.read())

    time = datetime.datetime.fromisoformat(request["time"].replace("Z", "+00:00"))
    crls, ocsps = [], []
    if request.get("revocation"):
        for name in sorted(os.listdir(request["revocation"])):
            path = os.path.join(request["revocation"], name)
            if name.endswith(".crl"):
                crls.append(load(path, crl.CertificateList))
            else:
                ocsps.append(load(path, ocsp.OCSPResponse))
    return dict(trust_roots=[load(path, x509.Certificate) for path in request["anchors"]],
                other_certs=[load(path, x509.Certificate) for path in request["certificates"]],
                moment=time, allow_fetching=False, crls=crls, ocsps=ocsps, **more)


async def judge(request):
    with open(request["file"], "rb") as f:
        reader = PdfFileReader(io.BytesIO(f.read()), strict=not request.get("lenient"))
    if reader.encrypted:
        reader.decrypt(request.get("password") or "")
    found = []
    for signature in reader.embedded_signatures:
        answer = {"field": signature.field_name, "kind": signature.sig_object_type}
        found.append(answer)
        try:
            if signature.sig_object_type == "/DocTimeStamp":
                # What a later revision has about an earlier time-stamp is not looked for here; the last has nothing.
                status = await async_validate_pdf_timestamp(signature, ValidationContext(**context(request, revocation_mode="soft-fail")))
                answer["ok"] = bool(status.intact and status.valid and status.trusted)
            elif request["level"] in ("LT", "LTA"):
                kind = RevocationInfoValidationType.PADES_LT if request["level"] == "LT" else RevocationInfoValidationType.PADES_LTA
                bare = context(request)
                bare["crls"], bare["ocsps"] = [], []
                status = await async_validate_pdf_ltv_signature(signature, kind, bare)
                answer["ok"] = bool(status.bottom_line)
            else:
                status = await async_validate_pdf_signature(signature, ValidationContext(**context(request, revocation_mode="hard-fail")))
                answer["ok"] = bool(status.bottom_line)
            answer["coverage"] = status.coverage.name
            level = getattr(status, "modification_level", None)
            answer["modified"] = level.name if isinstance(level, ModificationLevel) else str(level)
            answer["says"] = status.summary()
        except Exception as e:
            answer["ok"], answer["says"] = False, f"{type(e).__name__}: {e}"
    return found


def main():
    with open(sys.argv[1]) as requests, open(sys.argv[2], "w") as answers:
        for line in requests:
            request = json.loads(line)
            try:
                answer = {"id": request["id"], "signatures": asyncio.run(judge(request))}
            except Exception as e:
                answer = {"id": request["id"], "exception": f"{type(e).__name__}: {e}"}
            answers.write(json.dumps(answer) + "\n")


main()
