"""What reports say, as objects: frozen, comparable, with the names and the meaning of the JSON report (`lacre-report/2`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from ._time import from_text
from ._words import (
    CertificateStatus,
    EvidenceRecordType,
    Indication,
    ListRole,
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

Json = Mapping[str, Any]
T = TypeVar("T")


def maybe(read: Callable[[Any], T], value: Any) -> T | None:
    """What is read of a value, if there is one."""
    return None if value is None else read(value)


def each(read: Callable[[Any], T], values: Any) -> tuple[T, ...]:
    """What is read of each value."""
    return tuple(read(value) for value in values or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyName:
    """The policy by which something was judged."""

    name: str
    sha256: str
    """Of the file that it was read from."""

    @classmethod
    def of(cls, json: Json) -> PolicyName:
        """Reads it from a report."""
        return cls(name=json["name"], sha256=json["sha256"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Irregularity:
    """An irregularity of a document that holds nothing to judge."""

    check: str
    """The stable key of the check that would have failed, such as `BBB_FC_UNREADABLE_SIGNATURE_ANS`."""
    message: str
    """What was found: a sentence in the language of the report."""
    subject: str | None
    """The file, field or object concerned, with the values found."""

    @classmethod
    def of(cls, json: Json) -> Irregularity:
        """Reads it from a report."""
        return cls(check=json["check"], message=json["message"], subject=json.get("subject"))


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo:
    """The document that was judged."""

    name: str | None
    size: int | None
    """In bytes."""
    sha256: str | None
    format: str | None
    """`PAdES`, `XAdES`, `CAdES`, `JAdES`, `timestamp`, `evidence-record`, or `unknown`."""
    container: str | None
    """`ASiC-S`, `ASiC-E`, or `ODF`."""
    irregularities: tuple[Irregularity, ...] = ()
    """What is irregular, where nothing in the document was judged and no finding says so."""

    @classmethod
    def of(cls, json: Json) -> DocumentInfo:
        """Reads it from a report."""
        return cls(
            name=json["name"],
            size=json["size"],
            sha256=json["sha256"],
            format=json["format"],
            container=json["container"],
            irregularities=tuple(map(Irregularity.of, json.get("irregularities", ()))),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a process or a building block concluded."""

    indication: Indication
    sub_indication: SubIndication | None

    @classmethod
    def of(cls, json: Json) -> Outcome:
        """Reads it from a report."""
        return cls(indication=Indication(json["indication"]), sub_indication=maybe(SubIndication, json["sub_indication"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """The building blocks of EN 319 102-1 that ran, each with what it concluded."""

    fc: Outcome | None
    isc: Outcome | None
    vci: Outcome | None
    xcv: Outcome | None
    cv: Outcome | None
    sav: Outcome | None
    psv: Outcome | None
    pcv: Outcome | None
    vts: Outcome | None

    @classmethod
    def of(cls, json: Json) -> Blocks:
        """Reads them from a report."""
        return cls(**{name: maybe(Outcome.of, json.get(name.upper())) for name in cls.__dataclass_fields__})


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that a check noticed."""

    severity: Severity
    check: str
    """A stable key; EU DSS's where it has the check."""
    subject: str
    """What it is about, in the report's language: a token by its number or name, a reference by what it refers to."""
    message: str
    """The same in a sentence, in the report's language."""
    compared: str | None
    """The values that the check compared."""
    token: str
    """The id of the token that the check looked at."""

    @classmethod
    def of(cls, json: Json) -> Finding:
        """Reads it from a report."""
        return cls(
            severity=Severity(json["severity"]),
            check=json["check"],
            subject=json["subject"],
            message=json["message"],
            compared=json.get("compared"),
            token=json["token"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Identifier:
    """An identifier of a person or organisation: EN 319 412-1."""

    value: str
    type: str | None
    """`PAS`, `IDC`, `PNO`, `TAX`, `TIN`, `VAT`, `NTR`, `PSD` or `LEI`; nothing where it does not follow the standard."""
    country: str | None

    @classmethod
    def of(cls, json: Json) -> Identifier:
        """Reads it from a report."""
        return cls(value=json["value"], type=json["type"], country=json["country"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The subject of a certificate."""

    name: str
    """The name by which people call the subject."""
    given_name: str | None
    surname: str | None
    pseudonym: str | None
    organisation: str | None
    organisation_identifier: Identifier | None
    serial_number: Identifier | None
    country: str | None

    @classmethod
    def of(cls, json: Json) -> Person:
        """Reads it from a report."""
        return cls(
            name=json["name"],
            given_name=json["given_name"],
            surname=json["surname"],
            pseudonym=json["pseudonym"],
            organisation=json["organisation"],
            organisation_identifier=maybe(Identifier.of, json["organisation_identifier"]),
            serial_number=maybe(Identifier.of, json["serial_number"]),
            country=json["country"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """A certificate; distinguished names as RFC 2253 writes them, with attribute types by name and strings as text."""

    sha256: str | None
    """Of its DER, lower-case hexadecimal."""
    name: str
    """The name by which people call the subject."""
    subject: str
    issuer: str
    serial: str
    """Decimal."""
    not_before: datetime
    not_after: datetime

    @classmethod
    def of(cls, json: Json) -> Certificate:
        """Reads it from a report."""
        return cls(
            sha256=json["sha256"],
            name=json["name"],
            subject=json["subject"],
            issuer=json["issuer"],
            serial=json["serial"],
            not_before=from_text(json["not_before"]),
            not_after=from_text(json["not_after"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateToken:
    """A certificate on which something in the report rests."""

    id: str
    sha256: str | None
    name: str
    subject: str
    trusted: bool

    @classmethod
    def of(cls, json: Json) -> CertificateToken:
        """Reads it from a report."""
        id, sha256, name = json["id"], json["sha256"], json["name"]
        return cls(id=id, sha256=sha256, name=name, subject=json["subject"], trusted=json["trusted"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """A role of a signer, and whether it stands in an attribute certificate, whose signature and holder are not verified."""

    role: str
    certified: bool

    @classmethod
    def of(cls, json: Json) -> Role:
        """Reads it from a report."""
        return cls(role=json["role"], certified=json["certified"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What later revisions of a PDF changed: the number of objects of each class, and whether pages look different."""

    extension: int
    form_fill: int
    annotation: int
    undefined: int
    pages_added_or_removed: bool
    pages_look_different: bool

    @classmethod
    def of(cls, json: Json) -> Changes:
        """Reads them from a report."""
        return cls(**{name: json[name] for name in cls.__dataclass_fields__})


@dataclass(frozen=True, slots=True, kw_only=True)
class Algorithm:
    """By what something was signed."""

    signature: str | None
    digest: str | None
    key: int | None
    """In bits."""

    @classmethod
    def of(cls, json: Json) -> Algorithm:
        """Reads it from a report."""
        return cls(signature=json["signature"], digest=json["digest"], key=json["key"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Something that a signature signs."""

    name: str | None
    kind: ScopeKind
    data: str
    """The id of the data."""

    @classmethod
    def of(cls, json: Json) -> Scope:
        """Reads it from a report."""
        return cls(name=json["name"], kind=ScopeKind(json["kind"]), data=json["data"])


@dataclass(frozen=True, slots=True, kw_only=True)
class MutualRecognition:
    """The agreement by which a service of a country outside the Union counts as one of the Union's."""

    agreement: str
    enacted: bool
    since: datetime | None
    until: datetime | None
    status: str | None

    @classmethod
    def of(cls, json: Json) -> MutualRecognition:
        """Reads it from a report."""
        return cls(
            agreement=json["agreement"],
            enacted=json["enacted"],
            since=maybe(from_text, json["since"]),
            until=maybe(from_text, json["until"]),
            status=json["status"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustService:
    """The entry of a trusted list under which a certificate was issued."""

    country: str | None
    list: str
    """Where the list is published."""
    list_number: int | None
    list_issued: datetime | None
    service: str | None
    status: str | None
    """The last word of the status URI: `granted`, `withdrawn`, …"""
    since: datetime | None
    mutual_recognition: MutualRecognition | None

    @classmethod
    def of(cls, json: Json) -> TrustService:
        """Reads it from a report."""
        return cls(
            country=json["country"],
            list=json["list"],
            list_number=json["list_number"],
            list_issued=maybe(from_text, json["list_issued"]),
            service=json["service"],
            status=json["status"],
            since=maybe(from_text, json["since"]),
            mutual_recognition=maybe(MutualRecognition.of, json.get("mutual_recognition")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """A signature and the verdict on it."""

    id: str
    value_sha256: str | None
    """Of the signature value's bytes: names a signature across validators."""
    parent: str | None
    """The signature that this one counter-signs."""
    format: str
    """`PAdES`, `XAdES`, `CAdES`, `JAdES`, or `unknown`."""
    level: SignatureLevel | None
    file: str
    """The file, or entry of a container, in which it stands."""
    field: str | None
    """The PDF signature field."""
    signer: Person | None
    """The subject of the signing certificate; nothing where that was not found."""
    indication: Indication
    sub_indication: SubIndication | None
    basic: Outcome
    long_term: Outcome
    archival: Outcome
    claimed_signing_time: datetime | None
    best_signature_time: datetime
    """The earliest moment at which the signature is proven to have existed."""
    reason: str | None
    """Claimed by the signer."""
    location: str | None
    """Claimed by the signer."""
    roles: tuple[Role, ...]
    commitments: tuple[str, ...]
    """The commitment types that the signer claims."""
    changes_since_signing: Changes | None
    """What later revisions of a PDF changed; nothing where nothing was compared."""
    signing_certificate: Certificate | None
    chain: tuple[str | None, ...]
    """From the signing certificate upwards, by SHA-256."""
    algorithm: Algorithm
    scope: tuple[Scope, ...]
    qualification: SignatureQualification
    qualification_text: str
    trust_service: TrustService | None
    timestamps: tuple[str, ...]
    """The ids of its time-stamps: `Report.timestamp`."""
    blocks: Blocks
    findings: tuple[Finding, ...]
    qualification_findings: tuple[Finding, ...]
    """An error keeps it from being qualified, and says nothing against its validity."""

    @classmethod
    def of(cls, json: Json) -> Signature:
        """Reads it from a report."""
        return cls(
            id=json["id"],
            value_sha256=json["value_sha256"],
            parent=json["parent"],
            format=json["format"],
            level=maybe(SignatureLevel, json["level"]),
            file=json["file"],
            field=json["field"],
            signer=maybe(Person.of, json["signer"]),
            indication=Indication(json["indication"]),
            sub_indication=maybe(SubIndication, json["sub_indication"]),
            basic=Outcome.of(json["basic"]),
            long_term=Outcome.of(json["long_term"]),
            archival=Outcome.of(json["archival"]),
            claimed_signing_time=maybe(from_text, json["claimed_signing_time"]),
            best_signature_time=from_text(json["best_signature_time"]),
            reason=json["reason"],
            location=json["location"],
            roles=each(Role.of, json["roles"]),
            commitments=tuple(json["commitments"]),
            changes_since_signing=maybe(Changes.of, json.get("changes_since_signing")),
            signing_certificate=maybe(Certificate.of, json["signing_certificate"]),
            chain=tuple(json["chain"]),
            algorithm=Algorithm.of(json["algorithm"]),
            scope=each(Scope.of, json["scope"]),
            qualification=SignatureQualification(json["qualification"]),
            qualification_text=json["qualification_text"],
            trust_service=maybe(TrustService.of, json.get("trust_service")),
            timestamps=tuple(json["timestamps"]),
            blocks=Blocks.of(json["blocks"]),
            findings=each(Finding.of, json["findings"]),
            qualification_findings=each(Finding.of, json["qualification_findings"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Timestamp:
    """A time-stamp and the verdict on it."""

    id: str
    type: TimestampType
    time: datetime
    indication: Indication
    sub_indication: SubIndication | None
    qualification: TimestampQualification
    qualification_text: str
    signing_certificate: Certificate | None
    """That of the authority."""
    blocks: Blocks
    findings: tuple[Finding, ...]
    qualification_findings: tuple[Finding, ...]
    covers: tuple[str, ...]
    """The ids of what it covers."""

    @classmethod
    def of(cls, json: Json) -> Timestamp:
        """Reads it from a report."""
        return cls(
            id=json["id"],
            type=TimestampType(json["type"]),
            time=from_text(json["time"]),
            indication=Indication(json["indication"]),
            sub_indication=maybe(SubIndication, json["sub_indication"]),
            qualification=TimestampQualification(json["qualification"]),
            qualification_text=json["qualification_text"],
            signing_certificate=maybe(Certificate.of, json["signing_certificate"]),
            blocks=Blocks.of(json["blocks"]),
            findings=each(Finding.of, json["findings"]),
            qualification_findings=each(Finding.of, json["qualification_findings"]),
            covers=tuple(json["covers"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRecord:
    """An evidence record (RFC 4998, RFC 6283) and the verdict on it."""

    id: str
    type: EvidenceRecordType
    indication: Indication
    sub_indication: SubIndication | None
    time: datetime
    """Since when it proves existence."""
    findings: tuple[Finding, ...]
    covers: tuple[str, ...]

    @classmethod
    def of(cls, json: Json) -> EvidenceRecord:
        """Reads it from a report."""
        return cls(
            id=json["id"],
            type=EvidenceRecordType(json["type"]),
            indication=Indication(json["indication"]),
            sub_indication=maybe(SubIndication, json["sub_indication"]),
            time=from_text(json["time"]),
            findings=each(Finding.of, json["findings"]),
            covers=tuple(json["covers"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Revocation:
    """What a CRL or OCSP response says of one certificate of the report; of none, where it speaks of none of them."""

    id: str
    type: RevocationType
    sha256: str | None
    producer: str | None
    """The name of who signed it."""
    this_update: datetime | None
    next_update: datetime | None
    certificate: str | None
    """The id of the certificate."""
    status: CertificateStatus | None
    revocation_time: datetime | None
    invalidity_time: datetime | None
    """Where it is stated: since when the certificate is not to be relied on."""
    reason: RevocationReason | None

    @classmethod
    def of(cls, json: Json) -> Revocation:
        """Reads it from a report."""
        return cls(
            id=json["id"],
            type=RevocationType(json["type"]),
            sha256=json["sha256"],
            producer=json["producer"],
            this_update=maybe(from_text, json["this_update"]),
            next_update=maybe(from_text, json["next_update"]),
            certificate=json["certificate"],
            status=maybe(CertificateStatus, json["status"]),
            revocation_time=maybe(from_text, json["revocation_time"]),
            invalidity_time=maybe(from_text, json.get("invalidity_time")),
            reason=maybe(RevocationReason, json["reason"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustedList:
    """A trusted list on which a report rests."""

    id: str
    url: str
    country: str | None
    sequence_number: int | None
    issue_date: datetime | None
    next_update: datetime | None
    list_of_lists: bool

    @classmethod
    def of(cls, json: Json) -> TrustedList:
        """Reads it from a report."""
        return cls(
            id=json["id"],
            url=json["url"],
            country=json["country"],
            sequence_number=json["sequence_number"],
            issue_date=maybe(from_text, json["issue_date"]),
            next_update=maybe(from_text, json["next_update"]),
            list_of_lists=json["list_of_lists"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """Who could be trusted at all. How the lists stood is in `Report.to_dict()["trust"]["lists"]`."""

    state: TrustState
    anchors: int
    """How many certificates were handed in."""
    lists: int
    """How many trusted lists could be relied on."""

    @classmethod
    def of(cls, json: Json) -> Trust:
        """Reads it from a report."""
        lists = json["lists"]
        return cls(state=TrustState(json["state"]), anchors=json["anchors"], lists=lists["trusted"] if lists else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """Where something was looked for in vain, and why it was of no use."""

    url: str
    reason: str

    @classmethod
    def of(cls, json: Json) -> Tried:
        """Reads it from a report."""
        return cls(url=json["url"], reason=json["reason"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Evidence that could change a verdict, or without which a signature cannot be extended: what, where it may be had."""

    kind: WantedKind
    urls: tuple[str, ...]
    """Where it may be had; of a time-stamp nothing, which any authority makes."""
    about: str | None
    """The id of the token that it is for: `for` in the JSON report."""
    territory: str | None = None
    """Whose trusted list it is."""
    name: str | None = None
    """The name of the certificate that it is about."""
    request: bytes | None = None
    """What is posted to ask for it: a time-stamp request (RFC 3161), an OCSP request (RFC 6960)."""
    content_type: str | None = None
    """The media type of that request."""
    digest_algorithm: str | None = None
    """Of a time-stamp: the digest function of the imprint."""
    imprint: bytes | None = None
    """Of a time-stamp: the imprint."""
    not_before: datetime | None = None
    """Revocation data issued before does not help."""
    retry_at: datetime | None = None
    """When its issuer will have issued the next."""
    tried: tuple[Tried, ...] = ()
    """Where it was looked for in vain."""

    @classmethod
    def of(cls, json: Json) -> Wanted:
        """Reads it from a report."""
        return cls(
            kind=WantedKind(json["kind"]),
            urls=tuple(json["urls"]),
            about=json["for"],
            territory=json.get("territory"),
            tried=each(Tried.of, json.get("tried")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Website:
    """The connection for which a website certificate was presented: TS 119 411-5."""

    url: str
    profile: QwacProfile
    qwac_1: tuple[Finding, ...]
    """Why it is no 1-QWAC."""
    qwac_2: tuple[Finding, ...] | None
    """Why it is not bound by a 2-QWAC; nothing where the site offers no binding."""

    @classmethod
    def of(cls, json: Json) -> Website:
        """Reads it from a report."""
        second = json.get("qwac_2")
        return cls(
            url=json["url"],
            profile=QwacProfile(json["profile"]),
            qwac_1=each(Finding.of, json["qwac_1"]),
            qwac_2=None if second is None else each(Finding.of, second),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is wrong with a file among trusted lists."""

    key: str
    message: str

    @classmethod
    def of(cls, json: Json) -> Problem:
        """Reads it from the state of a list."""
        return cls(key=json["key"], message=json["message"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ListState:
    """A file among trusted lists: what it is, and whether it can be relied on."""

    name: str
    sha256: str
    role: ListRole
    url: str | None
    territory: str | None
    sequence_number: int | None
    issue_date: datetime | None
    next_update: datetime | None
    signer: str | None
    """The subject of the signing certificate; nothing where the signature is not valid."""
    services: int
    trusted: bool
    """Whether it can be relied on: an authorised certificate signed it, and no newer issue is there."""
    problems: tuple[Problem, ...]

    @classmethod
    def of(cls, json: Json) -> ListState:
        """Reads it from the state of a list."""
        return cls(
            name=json["name"],
            sha256=json["sha256"],
            role=ListRole(json["role"]),
            url=json["url"],
            territory=json["territory"],
            sequence_number=json["sequence_number"],
            issue_date=maybe(from_text, json["issue_date"]),
            next_update=maybe(from_text, json["next_update"]),
            signer=json["signer"],
            services=json["services"],
            trusted=json["trusted"],
            problems=each(Problem.of, json["problems"]),
        )
