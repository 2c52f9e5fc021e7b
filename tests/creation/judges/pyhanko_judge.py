"""pyHanko as judge: reads requests (JSON lines) from the file named first, writes answers to the second. Runs in a virtual
environment that has pyhanko; nothing by the network."""
import asyncio, datetime, io, json, logging, os, sys

from asn1crypto import crl, ocsp, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.ades.report import AdESPassed
from pyhanko.sign.validation import (
    DocumentSecurityStore, ades, async_validate_pdf_signature, async_validate_pdf_timestamp)
from pyhanko.sign.validation.errors import NoDSSFoundError
from pyhanko.sign.validation.generic_cms import extract_tst_data_iter
from pyhanko.sign.validation.policy_decl import (
    CertificateFetchingRule, LocalKnowledge, PdfSignatureValidationSpec, RevinfoOnlineFetchingRule,
    RevocationInfoGatheringSpec, SignatureValidationSpec)
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.authority import CertTrustAnchor
from pyhanko_certvalidator.context import CertValidationPolicySpec
from pyhanko_certvalidator.ltv.types import ValidationTimingInfo
from pyhanko_certvalidator.policy_decl import CertRevTrustPolicy, RevocationCheckingPolicy, RevocationCheckingRule
from pyhanko_certvalidator.registry import SimpleTrustManager
from pyhanko_certvalidator.revinfo.archival import CRLContainer, OCSPContainer

logging.disable(logging.CRITICAL)


def load(path, kind):
    with open(path, "rb") as f:
        return kind.load(f.read())


class Known:
    """What a judge has beside the file."""

    def __init__(self, request):
        self.time = datetime.datetime.fromisoformat(request["time"].replace("Z", "+00:00"))
        self.roots = [load(path, x509.Certificate) for path in request["anchors"]]
        self.certificates = [load(path, x509.Certificate) for path in request["certificates"]]
        self.crls, self.ocsps = [], []
        for name in sorted(os.listdir(request["revocation"])) if request.get("revocation") else []:
            path = os.path.join(request["revocation"], name)
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

    def specification(self):
        must = RevocationCheckingRule.CRL_OR_OCSP_REQUIRED
        policy = CertValidationPolicySpec(
            trust_manager=SimpleTrustManager.build(trust_roots=self.roots),
            revinfo_policy=CertRevTrustPolicy(RevocationCheckingPolicy(ee_certificate_rule=must, intermediate_ca_cert_rule=must)))
        ocsps = [container for one in self.ocsps for container in OCSPContainer.load_multi(one)]
        return PdfSignatureValidationSpec(SignatureValidationSpec(
            cert_validation_policy=policy,
            revinfo_gathering_policy=RevocationInfoGatheringSpec(
                online_fetching_rule=RevinfoOnlineFetchingRule.LOCAL_ONLY,
                certificate_fetching_rule=CertificateFetchingRule.FOLLOW_ONLINE_RULE),
            local_knowledge=LocalKnowledge(known_certs=self.certificates, known_crls=[CRLContainer(one) for one in self.crls], known_ocsps=ocsps)))


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
            opened(request, request["before"]).root["/Pages"]
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
                # Nothing in the file is about the last but what is at hand.
                last = signature.field_name == stamps[-1].field_name
                context = known.context(reader, "soft-fail" if last and not request.get("revocation") else "hard-fail", stamped(signature))
                status = await async_validate_pdf_timestamp(signature, context)
                answer["ok"] = bool(status.intact and status.valid and status.trusted)
            else:
                later = [one for one in stamps if one.signed_revision > signature.signed_revision]
                if later and any(True for _ in extract_tst_data_iter(signature.signer_info, signed=False)):
                    # By the processes of EN 319 102-1: as of that time, from what the file holds and what is at hand.
                    timing = ValidationTimingInfo(validation_time=known.time, best_signature_time=known.time, point_in_time_validation=True)
                    verdict = await ades.ades_lta_validation(signature, known.specification(), timing)
                    status = verdict.api_status
                    answer["ades"], answer["reason"] = str(verdict.ades_subindic), verdict.failure_msg
                    answer["ok"] = verdict.ades_subindic == AdESPassed.OK and status is not None and bool(status.intact and status.valid)
                else:
                    # Those processes ask for a signature-time-stamp and a later document time-stamp: as of the latter, where there
                    # is one.
                    moment = stamped(later[0]) if later else known.time
                    status = await async_validate_pdf_signature(signature, known.context(reader, "hard-fail", moment))
                    answer["ok"] = bool(status.bottom_line)
                    answer["seed"] = str(status.seed_value_constraint_error or "")
                if status is not None and status.docmdp_ok is False:
                    answer["ok"] = False
            answer["coverage"] = getattr(getattr(status, "coverage", None), "name", None)
            answer["modified"] = getattr(getattr(status, "modification_level", None), "name", None)
            if answer["modified"] == "OTHER":
                answer["ok"] = False
            answer["says"] = f"{answer.get('ades', '')} {answer.get('reason') or ''} {answer.get('seed', '')} {status.summary() if status is not None else ''}"
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
                answer = {"id": request["id"], "exception": f"{type(e).__name__}: {e}", "readsBefore": reads_before(request)}
            answers.write(json.dumps(answer) + "\n")


main()
