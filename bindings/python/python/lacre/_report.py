"""Reports: what was found in a document, and what was concluded."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from ._model import (
    Certificate,
    CertificateToken,
    DocumentInfo,
    EvidenceRecord,
    Finding,
    PolicyName,
    Revocation,
    Signature,
    Timestamp,
    Trust,
    TrustedList,
    TrustService,
    Wanted,
    Website,
    each,
    maybe,
)
from ._time import from_millis, from_text
from ._words import CertificateQualification, Indication, Language, SubIndication

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")


class Frozen:
    """What cannot be changed, holds an object of the library, and reads it when it is asked."""

    __slots__ = ("_cache", "_inner")

    _inner: Any
    _cache: dict[str, Any]

    def __init__(self) -> None:
        raise TypeError(f"{type(self).__name__} is made by lacre: see `Validator`")

    @classmethod
    def _around(cls, inner: Any) -> Self:
        made = object.__new__(cls)
        object.__setattr__(made, "_inner", inner)
        object.__setattr__(made, "_cache", {})
        return made

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{type(self).__name__} cannot be pickled: send `to_json()`, or record a bundle (`Validator.record`)")

    def _once(self, name: str, make: Callable[[], T]) -> T:
        # Two threads may both make it: what they make is alike.
        if name not in self._cache:
            self._cache[name] = make()
        made: T = self._cache[name]
        return made

    def _json(self) -> dict[str, Any]:
        read: dict[str, Any] = self._once("json", lambda: json.loads(self._inner.to_json()))
        return read


def notebook(page: str) -> str:
    """A page as a frame of a notebook: nothing in it acts on the notebook."""
    style = "width:100%;height:42em;border:1px solid #ccc"
    return f'<iframe sandbox srcdoc="{html.escape(page)}" style="{style}"></iframe>'


class Report(Frozen):
    """What was found in a document, and what was concluded.

    Members have the names and the meaning of the JSON report, and are read when they are first asked for: a caller who only
    asks for the `indication` pays for nothing else. A report cannot be changed, and any number of threads may use it.

    >>> import lacre
    >>> report = lacre.validate("contract.pdf", at="2027-01-01", trust_anchors="root.der")
    >>> report
    <lacre.Report TOTAL-PASSED contract.pdf: 1 signature>
    >>> signature, = report.signatures
    >>> signature.signer.name, str(signature.level)
    ('Inês Silva', 'PAdES-BASELINE-LT')
    """

    __slots__ = ()

    @property
    def indication(self) -> Indication:
        """The worst indication over all signatures: TOTAL-FAILED, then INDETERMINATE, then TOTAL-PASSED.

        A document without signatures has the worst one of its time-stamps and evidence records, in the same words; without
        these, NO_SIGNATURE_FOUND.
        """
        return Indication(self._inner.indication())

    @property
    def passed(self) -> bool:
        """Whether every signature is TOTAL-PASSED, and there is one."""
        return bool(self._inner.indication() == "TOTAL-PASSED")

    @property
    def language(self) -> Language:
        """The language of the sentences."""
        return Language(self._inner.language())

    @property
    def validation_time(self) -> datetime:
        """The moment as of which the document was judged."""
        return from_millis(self._inner.validation_time())

    @property
    def generator(self) -> str:
        """The version of lacre that judged."""
        return str(self._json()["generator"]["version"])

    @property
    def policy(self) -> PolicyName:
        """The policy by which the document was judged."""
        return PolicyName.of(self._json()["policy"])

    @property
    def document(self) -> DocumentInfo:
        """The document that was judged."""
        return DocumentInfo.of(self._json()["document"])

    @property
    def signatures(self) -> tuple[Signature, ...]:
        """The signatures and counter-signatures."""
        return self._once("signatures", lambda: each(Signature.of, self._json()["signatures"]))

    @property
    def timestamps(self) -> tuple[Timestamp, ...]:
        """The time-stamps, those of evidence records included."""
        return self._once("timestamps", lambda: each(Timestamp.of, self._json()["timestamps"]))

    @property
    def evidence_records(self) -> tuple[EvidenceRecord, ...]:
        """The evidence records."""
        return self._once("evidence_records", lambda: each(EvidenceRecord.of, self._json()["evidence_records"]))

    @property
    def certificates(self) -> tuple[CertificateToken, ...]:
        """The certificates on which signatures, time-stamps and revocation data rest."""
        return self._once("certificates", lambda: each(CertificateToken.of, self._json()["certificates"]))

    @property
    def revocations(self) -> tuple[Revocation, ...]:
        """What CRLs and OCSP responses say of those certificates."""
        return self._once("revocations", lambda: each(Revocation.of, self._json()["revocations"]))

    @property
    def trusted_lists(self) -> tuple[TrustedList, ...]:
        """The trusted lists on which the report rests."""
        return self._once("trusted_lists", lambda: each(TrustedList.of, self._json()["trusted_lists"]))

    @property
    def trust(self) -> Trust | None:
        """Who could be trusted at all; nothing where that is not known (stored facts of others)."""
        return maybe(Trust.of, self._json()["trust"])

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        """Evidence that could change the verdict, and where it may be had: hand it in as `evidence`, and validate again."""
        return self._once("wanted", lambda: each(Wanted.of, self._json()["wanted"]))

    def signature(self, id: str) -> Signature | None:
        """The signature with that id."""
        return next((one for one in self.signatures if one.id == id), None)

    def timestamp(self, id: str) -> Timestamp | None:
        """The time-stamp with that id."""
        return next((one for one in self.timestamps if one.id == id), None)

    def certificate(self, id: str) -> CertificateToken | None:
        """The certificate with that id."""
        return next((one for one in self.certificates if one.id == id), None)

    def in_language(self, language: Language | str) -> Report:
        """The same report with its sentences in another language. Keys, codes and field names stay."""
        return Report._around(self._inner.in_language(str(language)))

    def to_dict(self) -> dict[str, Any]:
        """The JSON report, `lacre-report/2`, as a dictionary of its own."""
        report: dict[str, Any] = json.loads(self._inner.to_json())
        return report

    def to_json(self) -> str:
        """The JSON report, `lacre-report/2`: one object on one line, without the line's end that the command adds."""
        return str(self._inner.to_json())

    def to_text(self) -> str:
        """The report for a terminal."""
        return str(self._inner.to_text())

    def to_trace(self) -> str:
        """Every check of every building block, what it compared, and its clause: what `--explain` adds."""
        return str(self._inner.to_trace())

    def to_html(self) -> str:
        """The report as one page that loads nothing and runs nothing."""
        return str(self._inner.to_html())

    def to_pdf(self) -> bytes:
        """The report as PDF (PDF/A-3a and PDF/UA-1) with the JSON and the XML report attached."""
        return bytes(self._inner.to_pdf())

    def to_etsi_xml(self) -> str:
        """The report as XML after ETSI TS 119 102-2; in UTF-8 it is what the command writes."""
        return str(self._inner.to_etsi_xml())

    def facts(self) -> str:
        """What it rests on, `lacre-facts/1` as JSON: `lacre.judge` judges it again, under another policy or for another time."""
        return str(self._inner.facts())

    def __repr__(self) -> str:
        count = len(self._json()["signatures"])
        name = self._json()["document"]["name"]
        about = f" {name}" if name else ""
        return f"<lacre.Report {self.indication}{about}: {count} signature{'' if count == 1 else 's'}>"

    def _repr_html_(self) -> str:
        return notebook(self.to_html())


class CertificateReport(Frozen):
    """What was found about a certificate by itself, and what was concluded.

    >>> import lacre
    >>> lacre.Validator(trust_anchors="root.der").certificate("root.der", at="2027-01-01")
    <lacre.CertificateReport PASSED root.der>
    """

    __slots__ = ()

    @property
    def indication(self) -> Indication:
        """PASSED, FAILED or INDETERMINATE."""
        return Indication(self._inner.indication())

    @property
    def sub_indication(self) -> SubIndication | None:
        """Why the indication is not PASSED."""
        return maybe(SubIndication, self._json()["sub_indication"])

    @property
    def validation_time(self) -> datetime:
        """The moment as of which the certificate was judged."""
        return from_text(self._json()["validation_time"])

    @property
    def certificate(self) -> Certificate | None:
        """The certificate."""
        return maybe(Certificate.of, self._json()["certificate"])

    @property
    def qualification_at_issuance(self) -> CertificateQualification:
        """What it was under eIDAS when it was issued: TS 119 615 §4.4."""
        return CertificateQualification(self._json()["qualification_at_issuance"])

    @property
    def qualification_at_time(self) -> CertificateQualification:
        """What it is under eIDAS at the time of the judgement."""
        return CertificateQualification(self._json()["qualification_at_time"])

    @property
    def trust_service(self) -> TrustService | None:
        """The entry of the trusted list under which it was issued."""
        return maybe(TrustService.of, self._json().get("trust_service"))

    @property
    def website(self) -> Website | None:
        """The connection that was asked about."""
        return maybe(Website.of, self._json().get("website"))

    @property
    def chain(self) -> tuple[str | None, ...]:
        """From the certificate upwards, by SHA-256."""
        return tuple(self._json()["chain"])

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the checks noticed, the heaviest first."""
        return self._once("findings", lambda: each(Finding.of, self._json()["findings"]))

    @property
    def qualification_findings(self) -> tuple[Finding, ...]:
        """What the checks of the qualification noticed."""
        return self._once("qualification_findings", lambda: each(Finding.of, self._json()["qualification_findings"]))

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        """Evidence that could change the verdict, and where it may be had."""
        return self._once("wanted", lambda: each(Wanted.of, self._json()["wanted"]))

    def in_language(self, language: Language | str) -> CertificateReport:
        """The same report with its sentences in another language."""
        return CertificateReport._around(self._inner.in_language(str(language)))

    def to_dict(self) -> dict[str, Any]:
        """The JSON report, `lacre-certificate/2`, as a dictionary of its own."""
        report: dict[str, Any] = json.loads(self._inner.to_json())
        return report

    def to_json(self) -> str:
        """The JSON report, `lacre-certificate/2`."""
        return str(self._inner.to_json())

    def to_text(self) -> str:
        """The report for a terminal."""
        return str(self._inner.to_text())

    def __repr__(self) -> str:
        name = self._json()["file"]
        return f"<lacre.CertificateReport {self.indication}{f' {name}' if name else ''}>"
