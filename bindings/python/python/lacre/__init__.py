"""lacre validates European electronic signatures: bytes in, a verdict that anyone can check out.

PAdES, XAdES, CAdES, JAdES, ASiC.

>>> import lacre
>>> report = lacre.validate("contract.pdf", at="2027-01-01", trust_anchors="root.der")
>>> print(report.indication)
TOTAL-PASSED

Nothing is fetched, and no clock is read where `at` says the moment: what is missing stands in `Report.wanted`. `lacre.online`
fetches it, and the trusted lists of the European Union.
"""

from ._bundle import Bundle, Difference, Replay
from ._errors import Error
from ._input import Contents, Source
from ._lacre import VERSION as __version__  # noqa: N811
from ._model import (
    Algorithm,
    Blocks,
    Certificate,
    CertificateToken,
    Changes,
    DocumentInfo,
    EvidenceRecord,
    Finding,
    Identifier,
    Irregularity,
    ListState,
    MutualRecognition,
    Outcome,
    Person,
    PolicyName,
    Problem,
    Revocation,
    Role,
    Scope,
    Signature,
    Timestamp,
    Tried,
    Trust,
    TrustedList,
    TrustService,
    Wanted,
    Website,
)
from ._report import CertificateReport, Report
from ._time import Moment
from ._trust import TrustedLists
from ._validator import Facts, Lists, Validator, inspect, judge, validate
from ._words import (
    CertificateQualification,
    CertificateStatus,
    ErrorCode,
    EvidenceRecordType,
    Freshness,
    Indication,
    Language,
    ListRole,
    Obstacle,
    Packaging,
    QwacProfile,
    RevocationReason,
    RevocationType,
    ScopeKind,
    Severity,
    SignatureLevel,
    SignatureQualification,
    SubIndication,
    TimestampQualification,
    TimestampType,
    TrustState,
    WantedKind,
)

__all__ = [
    "Algorithm",
    "Blocks",
    "Bundle",
    "Certificate",
    "CertificateQualification",
    "CertificateReport",
    "CertificateStatus",
    "CertificateToken",
    "Changes",
    "Contents",
    "Difference",
    "DocumentInfo",
    "Error",
    "ErrorCode",
    "EvidenceRecord",
    "EvidenceRecordType",
    "Facts",
    "Finding",
    "Freshness",
    "Identifier",
    "Indication",
    "Irregularity",
    "Language",
    "ListRole",
    "ListState",
    "Lists",
    "Moment",
    "MutualRecognition",
    "Obstacle",
    "Outcome",
    "Packaging",
    "Person",
    "PolicyName",
    "Problem",
    "QwacProfile",
    "Replay",
    "Report",
    "Revocation",
    "RevocationReason",
    "RevocationType",
    "Role",
    "Scope",
    "ScopeKind",
    "Severity",
    "Signature",
    "SignatureLevel",
    "SignatureQualification",
    "Source",
    "SubIndication",
    "Timestamp",
    "TimestampQualification",
    "TimestampType",
    "Tried",
    "Trust",
    "TrustService",
    "TrustState",
    "TrustedList",
    "TrustedLists",
    "Validator",
    "Wanted",
    "WantedKind",
    "Website",
    "__version__",
    "inspect",
    "judge",
    "validate",
]
