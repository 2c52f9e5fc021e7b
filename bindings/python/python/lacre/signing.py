"""Signing and extending: PAdES (EN 319 142-1) and CAdES (EN 319 122-1), in steps that keep the key where it is.

>>> import lacre
>>> from lacre.issuance import Issuer
>>> from lacre.signing import Key, finish, prepare
>>> name = {"country": "PT", "organisation": "Example", "organisation_identifier": "VATPT-123456789", "common_name": "Example"}
>>> period = {"not_before": "2026-01-01", "not_after": "2036-01-01"}
>>> root_key, key = Key.generate("ecdsa-p256"), Key.generate("ecdsa-p256")
>>> root = Issuer.root(root_key, name, **period)
>>> certificate = root.issue("legal-person", name, key.public_key, **period)
>>> prepared = prepare("not-signed.pdf", certificate, at="2027-01-01")
>>> prepared.algorithm, len(prepared.digest)
('SHA256withECDSA', 32)
>>> signed = finish("not-signed.pdf", prepared, key)
>>> str(lacre.validate(signed).signatures[0].level)
'PAdES-BASELINE-B'
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Literal

from . import _lacre
from ._errors import Error
from ._input import Contents, Document, Source, document, name_of, source
from ._keys import Identity, Key, Pkcs11
from ._model import Wanted
from ._time import Moment, from_millis, millis, seconds
from ._validator import Lists, Validator
from ._wanted import Asked, Fetch, missing, one, read
from ._words import ErrorCode, Freshness, Obstacle, Packaging, SignatureLevel, WantedKind

__all__ = [
    "Extended",
    "ExtendedSignature",
    "Fetch",
    "Identity",
    "Key",
    "Pkcs11",
    "Prepared",
    "Value",
    "extend",
    "finish",
    "prepare",
    "renew",
    "sign",
    "timestamp",
]

Format = Literal["PAdES", "CAdES"]
Level = Literal["B", "T", "LT", "LTA"]
Digest = Literal["SHA-256", "SHA-384", "SHA-512"]

_ROUNDS = 24
_document = document


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A signature that lacks only its value. It may be stored and sent: `finish` takes its `state` alone as well."""

    state: str
    """What `finish` needs: JSON. It holds no secret, and states which document it is of."""
    digest: bytes
    """What a key signs that signs digests."""
    digest_algorithm: str | None
    """The digest function; nothing where the algorithm has none."""
    algorithm: str
    """`SHA256withECDSA` and the like."""
    to_be_signed: bytes
    """What a key signs that digests by itself."""
    needs_message: bool
    """Whether the key has to sign `to_be_signed` itself: EdDSA, ML-DSA."""
    packaging: Packaging

    @classmethod
    def of(cls, text: str) -> Prepared:
        """Reads what the library tells."""
        told = json.loads(text)
        return cls(
            state=json.dumps(told["state"]),
            digest=base64.b64decode(told["digest"]),
            digest_algorithm=told.get("digestAlgorithm"),
            algorithm=told["algorithm"],
            to_be_signed=base64.b64decode(told["toBeSigned"]),
            needs_message=told["needsMessage"],
            packaging=Packaging(told["packaging"]),
        )


Value = bytes | Key | Identity | Callable[[Prepared], bytes]
"""A signature value, or what makes one: a key, with or without its certificate, or a function. Values of ECDSA may have either
form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedSignature:
    """What became of a signature."""

    id: str
    """Its id in the document as it was given."""
    new_id: str
    """Its id in the document that was written."""
    before: SignatureLevel | None
    after: SignatureLevel | None
    error: Error | None
    """Why it was not extended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extended:
    """An extended document."""

    bytes: bytes
    level: SignatureLevel
    """That of the lowest of the signatures that were chosen."""
    signatures: tuple[ExtendedSignature, ...]


def prepare(
    document: Source,
    certificate: Source | Identity,
    *,
    chain: Iterable[Source] = (),
    format: Format | None = None,
    level: Level = "B",
    digest_algorithm: Digest | None = None,
    signature_algorithm: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    contents: Contents = (),
    password: str | bytes | None = None,
    at: Moment | None = None,
) -> Prepared:
    """Prepares a signature: says what is to be signed. The same arguments give the same.

    `certificate` is the signer's, `chain` those above it, DER or PEM; an `Identity` has both. `format` is PAdES for a PDF, else
    CAdES; `level` the one that will be reached, for which a PDF has to have room. `parameters` are what the signer states,
    `options` what the format has besides: the members of the server's request and of the npm package, as `signing_time`,
    `claimed_roles` or `new_field`; bytes and moments may be given as such. A member of another name is an error.
    """
    above = [_bytes(one) for one in chain]
    if isinstance(certificate, Identity):
        above = [*certificate.chain, *above]
        certificate = certificate.certificate
    request = {
        "certificate": _bytes(certificate),
        "chain": above,
        "format": format,
        "level": level,
        "digest_algorithm": digest_algorithm,
        "signature_algorithm": signature_algorithm,
        "parameters": parameters or {},
        "options": options or {},
    }
    told = _lacre.prepare(_document(document, None, contents, password), json.dumps(_plain(request)), seconds(at))
    return Prepared.of(told)


def finish(
    document: Source,
    prepared: Prepared | str,
    value: Value,
    *,
    level: Literal["B", "T"] = "B",
    fetch: Fetch | None = None,
    digest_algorithm: Digest = "SHA-256",
    contents: Contents = (),
    password: str | bytes | None = None,
) -> bytes:
    """Finishes a signature: the signed document, or of a detached signature the signature alone.

    The value is verified with the certificate's key, and the document is the one that was prepared, before anything is
    written. For level T a time-stamp is asked of `fetch`, once value and document are known to be good.
    """
    state = prepared.state if isinstance(prepared, Prepared) else prepared
    if level not in ("B", "T"):
        raise ValueError(f"found the level {level!r}, expected B or T; extend reaches those above")
    file = _document(document, None, contents, password)
    made = _made(value, state, prepared)
    # First without a time-stamp: whether value and document are good is known before one is asked for.
    signed = _lacre.finish(file, state, made, None)
    if level == "B":
        return signed
    wanted = one(json.loads(_lacre.wanted_timestamp(state, made, digest_algorithm)))
    return _lacre.finish(file, state, made, _timestamp(fetch, wanted))


def sign(
    document: Source,
    value: Value,
    certificate: Source | Identity | None = None,
    *,
    chain: Iterable[Source] = (),
    format: Format | None = None,
    level: Literal["B", "T"] = "B",
    fetch: Fetch | None = None,
    digest_algorithm: Digest | None = None,
    signature_algorithm: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    contents: Contents = (),
    password: str | bytes | None = None,
    at: Moment | None = None,
) -> bytes:
    """Prepares a signature and finishes it: what `prepare` and `finish` do, at once. An `Identity` has its own certificate."""
    if certificate is None:
        if not isinstance(value, Identity):
            raise TypeError("found no certificate, expected one, or an Identity, which has its own")
        certificate = value
    # Read once: a file that is open is at its end afterwards.
    read_document = source(document)
    prepared = prepare(
        read_document,
        certificate,
        chain=chain,
        format=format,
        level=level,
        digest_algorithm=digest_algorithm,
        signature_algorithm=signature_algorithm,
        parameters=parameters,
        options=options,
        contents=contents,
        password=password,
        at=at,
    )
    return finish(read_document, prepared, value, level=level, fetch=fetch, contents=contents, password=password)


def extend(
    document: Source,
    *,
    level: Literal["T", "LT", "LTA"] = "LTA",
    signatures: Iterable[str] = (),
    freshness: Freshness | str = Freshness.STRICT,
    overlook: Iterable[Obstacle | str] = (),
    digest_algorithm: Digest = "SHA-256",
    renewal: bool = True,
    trust_anchors: Source | Iterable[Source] = (),
    trusted_lists: Lists | None = None,
    evidence: Source | Iterable[Source] = (),
    policy: Source | None = None,
    fetch: Fetch | None = None,
    contents: Contents = (),
    password: str | bytes | None = None,
    at: Moment | None = None,
) -> Extended:
    """Extends the signatures of a document to a level. What is written was judged before it is returned.

    `signatures` are some only, by their ids in a report; `freshness` says how recent revocation data has to be,
    `overlook` what is overlooked; without `renewal` signatures of level LTA stay as they are. Whom to trust is said as in
    `Validator`. `fetch` gets what is missing; without it the error (`evidence-missing`) has what is wanted.
    """
    request = {
        "level": level,
        "signatures": list(signatures),
        "freshness": str(freshness),
        "overlook": [str(one) for one in overlook],
        "digestAlgorithm": digest_algorithm,
        "noRenewal": not renewal,
    }
    validator = Validator(trust_anchors=trust_anchors, trusted_lists=trusted_lists, evidence=evidence, policy=policy)
    result, extended = _step("extend", _document(document, None, contents, password), validator, request, fetch, at)
    return _extended(result, extended)


def timestamp(
    document: Source,
    *,
    freshness: Freshness | str = Freshness.STRICT,
    digest_algorithm: Digest = "SHA-256",
    trust_anchors: Source | Iterable[Source] = (),
    trusted_lists: Lists | None = None,
    evidence: Source | Iterable[Source] = (),
    policy: Source | None = None,
    fetch: Fetch | None = None,
    password: str | bytes | None = None,
    at: Moment | None = None,
) -> bytes:
    """Adds a time-stamp: within a PDF, signed or not; of any other file the token itself, which stands beside it (`.tst`).

    What signatures and older time-stamps in a PDF need is added before, as far as it can be had.
    """
    validator = Validator(trust_anchors=trust_anchors, trusted_lists=trusted_lists, evidence=evidence, policy=policy)
    request = {"freshness": str(freshness), "digestAlgorithm": digest_algorithm}
    return _step("timestamp", _document(document, None, (), password), validator, request, fetch, at)[1]


def renew(
    record: Source,
    content: Source,
    *,
    freshness: Freshness | str = Freshness.STRICT,
    overlook: Iterable[Obstacle | str] = (),
    digest_algorithm: Digest = "SHA-256",
    trust_anchors: Source | Iterable[Source] = (),
    trusted_lists: Lists | None = None,
    evidence: Source | Iterable[Source] = (),
    policy: Source | None = None,
    fetch: Fetch | None = None,
    at: Moment | None = None,
) -> bytes:
    """Renews a time-stamp beside a file: a token becomes an evidence record (RFC 4998), such a record gets another time-stamp."""
    validator = Validator(trust_anchors=trust_anchors, trusted_lists=trusted_lists, evidence=evidence, policy=policy)
    request = {
        "freshness": str(freshness),
        "overlook": [str(one) for one in overlook],
        "digestAlgorithm": digest_algorithm,
    }
    beside = _document(record, None, {name_of(content) or "content": content}, None)
    return _step("renew", beside, validator, request, fetch, at)[1]


def _step(
    how: str, file: Document, trusting: Validator, request: Mapping[str, Any], fetch: Fetch | None, at: Moment | None
) -> tuple[str, bytes]:
    """Asks the library, gets what it wants, and asks again with that."""
    validator = trusting._inner
    timestamps: list[bytes] = []
    asked = Asked()
    for _ in range(_ROUNDS):
        attempts = json.dumps(asked.attempts)
        wants, result, made = _lacre.extend(validator, file, how, json.dumps(request), timestamps, attempts, seconds(at))
        if wants is None:
            return result or "{}", made or b""
        wanted = read(wants)
        if fetch is None:
            raise missing(wanted)
        timestamps += [_timestamp(fetch, want) for want in wanted if want.kind is WantedKind.TIMESTAMP]
        found: list[bytes] = []
        for want in asked.next(wanted):
            answer = fetch(want)
            if answer is None:
                asked.vain(want, "it gave nothing")
            else:
                found.append(bytes(answer))
        if found:
            validator = validator.with_evidence(found)
    raise Error(ErrorCode.INTERNAL, f"found more wanted after {_ROUNDS} rounds, expected an end")


def _extended(result: str, extended: bytes) -> Extended:
    told = json.loads(result)
    signatures = []
    for signature in told["signatures"]:
        error = signature.get("error")
        before, after = signature.get("before"), signature.get("after")
        signatures.append(
            ExtendedSignature(
                id=signature["id"],
                new_id=signature["newId"],
                before=before and SignatureLevel(before),
                after=after and SignatureLevel(after),
                error=error and Error(error["code"], error["message"], error.get("hint")),
            )
        )
    return Extended(bytes=extended, level=SignatureLevel(told["level"]), signatures=tuple(signatures))


def _made(value: Value, state: str, prepared: Prepared | str) -> bytes:
    if isinstance(value, Identity):
        value = value.key
    if isinstance(value, Key):
        return _lacre.value_by(state, value._inner)
    if callable(value):
        told = prepared if isinstance(prepared, Prepared) else Prepared.of(_lacre.describe(state))
        value = value(told)
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise TypeError(f"found {type(value).__name__} as the signature value, expected bytes")
    return bytes(value)


def _timestamp(fetch: Fetch | None, wanted: Wanted) -> bytes:
    if fetch is None:
        raise missing((wanted,))
    answer = fetch(wanted)
    if answer is None:
        found = "found no time-stamp, expected one of `fetch`"
        raise Error(ErrorCode.TSA_UNREACHABLE, found, "ask another authority, or finish at level B")
    return bytes(answer)


def _bytes(given: Source) -> bytes:
    found = source(given)
    if isinstance(found, bytes):
        return found
    with open(found, "rb") as file:
        return file.read()


def _plain(value: Any) -> Any:
    """A request as its JSON: names as the other doors spell them, bytes in Base64, moments as text."""
    if isinstance(value, Mapping):
        return {_camel(name): _plain(member) for name, member in value.items() if member is not None}
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime):
        moment = from_millis(millis(value)).astimezone(timezone.utc)
        return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value


def _camel(name: Any) -> str:
    first, *rest = str(name).split("_")
    return first + "".join(word.capitalize() for word in rest)
