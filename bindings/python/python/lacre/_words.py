"""The closed lists of words: those of the standards, as every door of lacre spells them."""

import sys
from enum import Enum

if sys.version_info >= (3, 11):
    from enum import StrEnum
else:

    class StrEnum(str, Enum):
        """A text of a closed list, as the class of this name in Python 3.11."""

        def __str__(self) -> str:
            return str(self.value)


class Indication(StrEnum):
    """What was concluded: EN 319 102-1 §5.1.3."""

    TOTAL_PASSED = "TOTAL-PASSED"
    TOTAL_FAILED = "TOTAL-FAILED"
    INDETERMINATE = "INDETERMINATE"
    PASSED = "PASSED"
    FAILED = "FAILED"
    NO_SIGNATURE_FOUND = "NO_SIGNATURE_FOUND"


class SubIndication(StrEnum):
    """Why a verdict is what it is: EN 319 102-1, tables 5 and 6."""

    FORMAT_FAILURE = "FORMAT_FAILURE"
    HASH_FAILURE = "HASH_FAILURE"
    SIG_CRYPTO_FAILURE = "SIG_CRYPTO_FAILURE"
    REVOKED = "REVOKED"
    EXPIRED = "EXPIRED"
    NOT_YET_VALID = "NOT_YET_VALID"
    SIG_CONSTRAINTS_FAILURE = "SIG_CONSTRAINTS_FAILURE"
    CHAIN_CONSTRAINTS_FAILURE = "CHAIN_CONSTRAINTS_FAILURE"
    CERTIFICATE_CHAIN_GENERAL_FAILURE = "CERTIFICATE_CHAIN_GENERAL_FAILURE"
    CRYPTO_CONSTRAINTS_FAILURE = "CRYPTO_CONSTRAINTS_FAILURE"
    CRYPTO_CONSTRAINTS_FAILURE_NO_POE = "CRYPTO_CONSTRAINTS_FAILURE_NO_POE"
    POLICY_PROCESSING_ERROR = "POLICY_PROCESSING_ERROR"
    SIGNATURE_POLICY_NOT_AVAILABLE = "SIGNATURE_POLICY_NOT_AVAILABLE"
    TIMESTAMP_ORDER_FAILURE = "TIMESTAMP_ORDER_FAILURE"
    NO_SIGNING_CERTIFICATE_FOUND = "NO_SIGNING_CERTIFICATE_FOUND"
    NO_CERTIFICATE_CHAIN_FOUND = "NO_CERTIFICATE_CHAIN_FOUND"
    NO_CERTIFICATE_CHAIN_FOUND_NO_POE = "NO_CERTIFICATE_CHAIN_FOUND_NO_POE"
    REVOKED_NO_POE = "REVOKED_NO_POE"
    REVOKED_CA_NO_POE = "REVOKED_CA_NO_POE"
    OUT_OF_BOUNDS_NOT_REVOKED = "OUT_OF_BOUNDS_NOT_REVOKED"
    OUT_OF_BOUNDS_NO_POE = "OUT_OF_BOUNDS_NO_POE"
    REVOCATION_OUT_OF_BOUNDS_NO_POE = "REVOCATION_OUT_OF_BOUNDS_NO_POE"
    NO_POE = "NO_POE"
    TRY_LATER = "TRY_LATER"
    SIGNED_DATA_NOT_FOUND = "SIGNED_DATA_NOT_FOUND"


class Severity(StrEnum):
    """How much a finding weighs."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Language(StrEnum):
    """A language in which reports are written."""

    EN = "en"
    DE = "de"
    FR = "fr"
    ES = "es"
    IT = "it"
    PT = "pt"
    ET = "et"
    FI = "fi"


class SignatureLevel(StrEnum):
    """The profile that a signature fulfils, as EU DSS prints it."""

    XML_NOT_ETSI = "XML-NOT-ETSI"
    XADES_BES = "XAdES-BES"
    XADES_EPES = "XAdES-EPES"
    XADES_T = "XAdES-T"
    XADES_LT = "XAdES-LT"
    XADES_C = "XAdES-C"
    XADES_X = "XAdES-X"
    XADES_XL = "XAdES-XL"
    XADES_A = "XAdES-A"
    XADES_ERS = "XAdES-ERS"
    XADES_BASELINE_LTA = "XAdES-BASELINE-LTA"
    XADES_BASELINE_LT = "XAdES-BASELINE-LT"
    XADES_BASELINE_T = "XAdES-BASELINE-T"
    XADES_BASELINE_B = "XAdES-BASELINE-B"
    CMS_NOT_ETSI = "CMS-NOT-ETSI"
    CADES_BES = "CAdES-BES"
    CADES_EPES = "CAdES-EPES"
    CADES_T = "CAdES-T"
    CADES_LT = "CAdES-LT"
    CADES_C = "CAdES-C"
    CADES_X = "CAdES-X"
    CADES_XL = "CAdES-XL"
    CADES_A = "CAdES-A"
    CADES_ERS = "CAdES-ERS"
    CADES_BASELINE_LTA = "CAdES-BASELINE-LTA"
    CADES_BASELINE_LT = "CAdES-BASELINE-LT"
    CADES_BASELINE_T = "CAdES-BASELINE-T"
    CADES_BASELINE_B = "CAdES-BASELINE-B"
    PDF_NOT_ETSI = "PDF-NOT-ETSI"
    PADES_BES = "PAdES-BES"
    PADES_EPES = "PAdES-EPES"
    PADES_LTV = "PAdES-LTV"
    PADES_BASELINE_LTA = "PAdES-BASELINE-LTA"
    PADES_BASELINE_LT = "PAdES-BASELINE-LT"
    PADES_BASELINE_T = "PAdES-BASELINE-T"
    PADES_BASELINE_B = "PAdES-BASELINE-B"
    PKCS7_B = "PKCS7-B"
    PKCS7_T = "PKCS7-T"
    PKCS7_LT = "PKCS7-LT"
    PKCS7_LTA = "PKCS7-LTA"
    JSON_NOT_ETSI = "JSON-NOT-ETSI"
    JAD_ES = "JAdES"
    JADES_BASELINE_B = "JAdES-BASELINE-B"
    JADES_BASELINE_T = "JAdES-BASELINE-T"
    JADES_BASELINE_LT = "JAdES-BASELINE-LT"
    JADES_BASELINE_LTA = "JAdES-BASELINE-LTA"
    CBOR_NOT_ETSI = "CBOR-NOT-ETSI"
    CB_ADES = "CB-AdES"
    CB_ADES_BASELINE_B = "CB-AdES-BASELINE-B"
    CB_ADES_BASELINE_T = "CB-AdES-BASELINE-T"
    CB_ADES_BASELINE_LT = "CB-AdES-BASELINE-LT"
    CB_ADES_BASELINE_LTA = "CB-AdES-BASELINE-LTA"
    DIGIDOC_XML_1_0 = "DIGIDOC-XML-1.0"
    DIGIDOC_XML_1_1 = "DIGIDOC-XML-1.1"
    DIGIDOC_XML_1_2 = "DIGIDOC-XML-1.2"
    DIGIDOC_XML_1_3 = "DIGIDOC-XML-1.3"
    UNKNOWN = "UNKNOWN"


class SignatureQualification(StrEnum):
    """What a signature is before the law: TS 119 615, eIDAS."""

    QESIG = "QESIG"
    QESEAL = "QESEAL"
    UNKNOWN_QC_QSCD = "UNKNOWN-QC-QSCD"
    ADESIG_QC = "ADESIG-QC"
    ADESEAL_QC = "ADESEAL-QC"
    UNKNOWN_QC = "UNKNOWN-QC"
    ADESIG = "ADESIG"
    ADESEAL = "ADESEAL"
    UNKNOWN = "UNKNOWN"
    INDETERMINATE_QESIG = "INDETERMINATE-QESIG"
    INDETERMINATE_QESEAL = "INDETERMINATE-QESEAL"
    INDETERMINATE_UNKNOWN_QC_QSCD = "INDETERMINATE-UNKNOWN-QC-QSCD"
    INDETERMINATE_ADESIG_QC = "INDETERMINATE-ADESIG-QC"
    INDETERMINATE_ADESEAL_QC = "INDETERMINATE-ADESEAL-QC"
    INDETERMINATE_UNKNOWN_QC = "INDETERMINATE-UNKNOWN-QC"
    INDETERMINATE_ADESIG = "INDETERMINATE-ADESIG"
    INDETERMINATE_ADESEAL = "INDETERMINATE-ADESEAL"
    INDETERMINATE_UNKNOWN = "INDETERMINATE-UNKNOWN"
    NOT_ADES_QC_QSCD = "NOT-ADES-QC-QSCD"
    NOT_ADES_QC = "NOT-ADES-QC"
    NOT_ADES = "NOT-ADES"
    NA = "NA"


class CertificateQualification(StrEnum):
    """What a certificate is before the law: TS 119 615, eIDAS."""

    QCERT_FOR_ESIG_QSCD = "QCERT-FOR-ESIG-QSCD"
    QCERT_FOR_ESEAL_QSCD = "QCERT-FOR-ESEAL-QSCD"
    QCERT_FOR_ESIG = "QCERT-FOR-ESIG"
    QCERT_FOR_ESEAL = "QCERT-FOR-ESEAL"
    QCERT_FOR_WSA = "QCERT-FOR-WSA"
    QCERT_FOR_UNKNOWN_QSCD = "QCERT-FOR-UNKNOWN-QSCD"
    QCERT_FOR_UNKNOWN = "QCERT-FOR-UNKNOWN"
    CERT_FOR_ESIG = "CERT-FOR-ESIG"
    CERT_FOR_ESEAL = "CERT-FOR-ESEAL"
    CERT_FOR_WSA = "CERT-FOR-WSA"
    CERT_FOR_UNKNOWN = "CERT-FOR-UNKNOWN"
    NA = "NA"


class TimestampQualification(StrEnum):
    """What a time-stamp is before the law."""

    QTSA = "QTSA"
    TSA = "TSA"
    NA = "NA"


class TimestampType(StrEnum):
    """What a time-stamp is there for."""

    CONTENT_TIMESTAMP = "content-timestamp"
    ALL_DATA_OBJECTS_TIMESTAMP = "all-data-objects-timestamp"
    INDIVIDUAL_DATA_OBJECTS_TIMESTAMP = "individual-data-objects-timestamp"
    SIGNATURE_TIMESTAMP = "signature-timestamp"
    VALIDATION_DATA_REFSONLY_TIMESTAMP = "validation-data-refsonly-timestamp"
    VALIDATION_DATA_TIMESTAMP = "validation-data-timestamp"
    ARCHIVE_TIMESTAMP = "archive-timestamp"
    CONTAINER_TIMESTAMP = "container-timestamp"
    DOCUMENT_TIMESTAMP = "document-timestamp"
    VRI_TIMESTAMP = "vri-timestamp"
    EVIDENCE_RECORD_TIMESTAMP = "evidence-record-timestamp"


class EvidenceRecordType(StrEnum):
    """How an evidence record is written."""

    XML_EVIDENCE_RECORD = "XML Evidence Record"
    ASN_1_EVIDENCE_RECORD = "ASN.1 Evidence Record"


class RevocationType(StrEnum):
    """A kind of revocation data."""

    CRL = "crl"
    OCSP = "ocsp"


class CertificateStatus(StrEnum):
    """What revocation data says of a certificate."""

    GOOD = "GOOD"
    REVOKED = "REVOKED"
    UNKNOWN = "UNKNOWN"


class RevocationReason(StrEnum):
    """Why a certificate was revoked: `CRLReason` of RFC 5280."""

    UNSPECIFIED = "unspecified"
    KEY_COMPROMISE = "keyCompromise"
    CA_COMPROMISE = "cACompromise"
    AFFILIATION_CHANGED = "affiliationChanged"
    SUPERSEDED = "superseded"
    CESSATION_OF_OPERATION = "cessationOfOperation"
    CERTIFICATE_HOLD = "certificateHold"
    REMOVE_FROM_CRL = "removeFromCRL"
    PRIVILEGE_WITHDRAWN = "privilegeWithdrawn"
    AA_COMPROMISE = "aACompromise"


class ScopeKind(StrEnum):
    """How much of a file is signed."""

    FULL = "FULL"
    PARTIAL = "PARTIAL"
    DIGEST = "DIGEST"
    ARCHIVED = "ARCHIVED"
    COUNTER_SIGNATURE = "COUNTER_SIGNATURE"
    ATTESTATION_SIGNATURE = "ATTESTATION_SIGNATURE"
    KEY_BINDING_SIGNATURE = "KEY_BINDING_SIGNATURE"
    SIGNATURE = "SIGNATURE"


class WantedKind(StrEnum):
    """A kind of evidence that could change a verdict."""

    OCSP = "ocsp"
    CRL = "crl"
    ISSUER = "issuer"
    TRUSTED_LIST = "trusted-list"
    CONTENT = "content"
    TIMESTAMP = "timestamp"
    """Of an extension only, which asks an authority for one."""


class TrustState(StrEnum):
    """Who could be trusted: nobody, certificates handed in, trusted lists and in what state those are."""

    NOBODY = "nobody"
    ANCHORS = "anchors"
    NO_USABLE_LIST = "no-usable-list"
    STALE_LISTS = "stale-lists"
    LISTS = "lists"


class QwacProfile(StrEnum):
    """What a connection to a website is: TS 119 411-5."""

    QWAC_1 = "1-QWAC"
    QWAC_2 = "2-QWAC"
    TLS_CERTIFICATE_SUPPORTED_BY_2_QWAC = "TLS-CERTIFICATE-SUPPORTED-BY-2-QWAC"
    NOT_QWAC = "NOT-QWAC"


class ListRole(StrEnum):
    """What a file is among trusted lists."""

    LIST_OF_LISTS = "list-of-lists"
    PIVOT = "pivot"
    TRUSTED_LIST = "trusted-list"
    UNUSED = "unused"


class Packaging(StrEnum):
    """Where a signature goes."""

    PDF = "pdf"
    ENVELOPING = "enveloping"
    DETACHED = "detached"
    PARALLEL = "parallel"
    COUNTER = "counter"


class Freshness(StrEnum):
    """How recent revocation data has to be for an extension."""

    STRICT = "strict"
    ACCEPT_OLDER = "accept-older"


class Obstacle(StrEnum):
    """What may be overlooked when a signature is extended."""

    BROKEN_TIMESTAMP = "broken-timestamp"
    EXPIRED_CERTIFICATE = "expired-certificate"
    UNTRUSTED_CHAIN = "untrusted-chain"
    MISSING_REVOCATION = "missing-revocation"


class ErrorCode(StrEnum):
    """Why a call failed. Codes in small letters are those of signing and extending, which all doors have."""

    UNKNOWN_FORMAT = "UNKNOWN_FORMAT"
    """The document is of no format that can hold a signature."""
    UNSUPPORTED_FORMAT = "UNSUPPORTED_FORMAT"
    """The document is of a format, or a part of one, that lacre does not read."""
    UNSUPPORTED_ALGORITHM = "UNSUPPORTED_ALGORITHM"
    """The document rests on an algorithm that this build does not compute."""
    UNREADABLE = "UNREADABLE"
    """The document is damaged, or asks for more work than those of honest makers do."""
    PASSWORD = "PASSWORD"
    """The PDF is encrypted, and the password, or that there is none, does not open it."""
    INVALID_EVIDENCE = "INVALID_EVIDENCE"
    """A trust anchor, certificate, CRL or OCSP response is not what it should be."""
    INVALID_TRUSTED_LISTS = "INVALID_TRUSTED_LISTS"
    """Trusted lists, or a snapshot of them, cannot be read or are not of whom they should be."""
    INVALID_POLICY = "INVALID_POLICY"
    """The validation policy cannot be read."""
    INVALID_SUITE = "INVALID_SUITE"
    """The cryptographic suites cannot be read."""
    INVALID_FACTS = "INVALID_FACTS"
    """Stored facts cannot be read, or state no time where one is needed."""
    INVALID_BUNDLE = "INVALID_BUNDLE"
    """An evidence bundle was changed or cannot be read, or is about another document."""
    INVALID_KEY = "INVALID_KEY"
    """A private or public key, or a PKCS#12 file, cannot be read or made."""
    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    """A word is none of those that are allowed, or a request cannot be read."""
    TOKEN = "TOKEN"
    """A PKCS#11 token failed, has no such key, or does not give it away."""
    ISSUANCE = "ISSUANCE"
    """A certificate, revocation list, OCSP response or time-stamp could not be issued."""
    REPORT = "REPORT"
    """The report could not be written in that form."""
    FETCH = "FETCH"
    """An address gave nothing, or may not be asked."""
    INTERNAL = "INTERNAL"
    """A defect of lacre."""
    EVIDENCE_MISSING = "evidence-missing"
    """Something is wanted and `fetch` was not given or did not get it; `Error.wanted` lists it."""
    PARAMETER_NOT_IN_FORMAT = "parameter-not-in-format"
    PARAMETER_INVALID = "parameter-invalid"
    PARAMETERS_CONFLICT = "parameters-conflict"
    ALGORITHM_NOT_ALLOWED = "algorithm-not-allowed"
    ALGORITHM_KEY_MISMATCH = "algorithm-key-mismatch"
    CERTIFICATE_KEY_MISMATCH = "certificate-key-mismatch"
    CERTIFICATE_NOT_FOR_SIGNING = "certificate-not-for-signing"
    CERTIFICATE_OUTSIDE_VALIDITY = "certificate-outside-validity"
    DIGEST_LENGTH = "digest-length"
    CONTENT_NEEDED = "content-needed"
    CONTENT_DIFFERS = "content-differs"
    VALUE_FORM = "value-form"
    VALUE_DOES_NOT_VERIFY = "value-does-not-verify"
    KEY_REFUSED = "key-refused"
    STATE_UNREADABLE = "state-unreadable"
    STATE_OF_OTHER_VERSION = "state-of-other-version"
    STATE_TAMPERED = "state-tampered"
    DOCUMENT_UNREADABLE = "document-unreadable"
    PDF_NEEDS_REPAIR = "pdf-needs-repair"
    PDF_TRAILING_DATA = "pdf-trailing-data"
    PDF_LEADING_BYTES = "pdf-leading-bytes"
    PDF_ENCRYPTION = "pdf-encryption"
    PASSWORD_NEEDED = "password-needed"
    PASSWORD_WRONG = "password-wrong"
    PERMISSION_DENIED = "permission-denied"
    XFA_DYNAMIC = "xfa-dynamic"
    FIELD_NOT_FOUND = "field-not-found"
    FIELD_SIGNED = "field-signed"
    FIELD_NOT_SIGNATURE = "field-not-signature"
    FIELD_NAME_INVALID = "field-name-invalid"
    FIELD_OUTSIDE_PAGE = "field-outside-page"
    FIELD_OVERLAPS = "field-overlaps"
    CERTIFIED_NO_CHANGES = "certified-no-changes"
    LOCKED_BY_FIELD = "locked-by-field"
    CERTIFICATION_NOT_FIRST = "certification-not-first"
    SEED_VALUE_UNMET = "seed-value-unmet"
    CONTENTS_TOO_SMALL = "contents-too-small"
    FONT_MISSING_GLYPH = "font-missing-glyph"
    PICTURE_UNREADABLE = "picture-unreadable"
    ALREADY_SIGNED = "already-signed"
    PACKAGING_DIFFERS = "packaging-differs"
    COVERED_BY_ARCHIVE_TIMESTAMP = "covered-by-archive-timestamp"
    EVIDENCE_RECORD_INSIDE = "evidence-record-inside"
    NO_SIGNATURE = "no-signature"
    SIGNATURE_NOT_FOUND = "signature-not-found"
    NOT_EXTENDABLE = "not-extendable"
    ALREADY_AT_LEVEL = "already-at-level"
    SIGNATURE_INVALID = "signature-invalid"
    TIMESTAMP_INVALID = "timestamp-invalid"
    CERTIFICATE_EXPIRED = "certificate-expired"
    CERTIFICATE_REVOKED = "certificate-revoked"
    TOO_LATE = "too-late"
    CHAIN_NOT_TRUSTED = "chain-not-trusted"
    REVOCATION_MISSING = "revocation-missing"
    TSA_UNREACHABLE = "tsa-unreachable"
    TSA_QUOTA = "tsa-quota"
    REVOCATION_TOO_OLD = "revocation-too-old"
    EVIDENCE_UNREADABLE = "evidence-unreadable"
    TSA_REPLY_UNREADABLE = "tsa-reply-unreadable"
    TSA_REJECTED = "tsa-rejected"
    TSA_IMPRINT = "tsa-imprint"
    TSA_NONCE = "tsa-nonce"
    TSA_POLICY = "tsa-policy"
    TSA_CERTIFICATE = "tsa-certificate"
    TSA_TIME = "tsa-time"
    EXTENSION_MADE_IT_WORSE = "extension-made-it-worse"
