"""What a program writes: `mypy --strict` and `pyright` in strict mode find nothing, and know every type."""

from __future__ import annotations

import io
from datetime import datetime, timezone
from pathlib import Path

from typing_extensions import assert_type

import lacre
import lacre.online
from lacre.issuance import Issuer, Revoked
from lacre.signing import Extended, Identity, Key, Pkcs11, Prepared, extend, finish, prepare, sign


def rows(folder: Path, root: bytes) -> list[tuple[str, lacre.Indication, datetime | None]]:
    """A row for each signature."""
    validator = lacre.Validator(trust_anchors=[root], policy="dss", language="de")
    found: list[tuple[str, lacre.Indication, datetime | None]] = []
    for path in folder.glob("*.pdf"):
        report = validator.validate(path, at=datetime.now(timezone.utc), password="secret")
        assert_type(report.indication, lacre.Indication)
        assert_type(report.to_pdf(), bytes)
        assert_type(report.wanted, tuple[lacre.Wanted, ...])
        for signature in report.signatures:
            assert_type(signature.level, lacre.SignatureLevel | None)
            assert_type(signature.best_signature_time, datetime)
            assert_type(signature.blocks.xcv, lacre.Outcome | None)
            found.append(
                (signature.signer.name if signature.signer else "?", signature.indication, signature.claimed_signing_time)
            )
    return found


def qualified(document: io.BufferedReader, contents: dict[str, bytes]) -> bool:
    """Whether the first signature is a qualified one."""
    lists = lacre.TrustedLists.load("lists", at="2027-01-01")
    report = lacre.validate(document, trusted_lists=lists, contents=contents)
    return report.signatures[0].qualification in (lacre.SignatureQualification.QESIG, lacre.SignatureQualification.QESEAL)


def kept(document: str) -> bytes:
    """A bundle."""
    report, bundle = lacre.Validator(evidence="a.crl").record(document)
    assert_type(report, lacre.Report)
    assert_type(bundle.replay(document).differences, tuple[lacre.Difference, ...])
    return bundle.to_zip()


def fetched(wanted: lacre.Wanted) -> bytes | None:
    """Gets what is wanted."""
    return wanted.request if wanted.kind is lacre.WantedKind.TIMESTAMP else None


def signed(document: bytes, certificate: bytes, key: Key) -> bytes:
    """A document that is signed and extended."""
    prepared = prepare(document, certificate, level="T", parameters={"claimed_roles": ["Clerk"]})
    assert_type(prepared, Prepared)
    made = finish(document, prepared, lambda one: one.digest, level="T", fetch=fetched)
    finish(document, prepared.state, key)
    extended = extend(made, level="LTA", fetch=lacre.online.Fetcher.make(authorities=["https://tsa.example.org/"]))
    assert_type(extended, Extended)
    return extended.bytes


def kept_elsewhere(document: Path, pin: str) -> bytes:
    """Keys of a file and of a token."""
    identity = Identity.from_pkcs12("ana.p12", "secret")
    assert_type(identity.chain, tuple[bytes, ...])
    finish(document, prepare(document, identity), identity)
    key = Pkcs11.open("/usr/lib/softhsm/libsofthsm2.so", "lacre", pin).find("seal")
    assert_type(key, Key)
    sign(document, key, "seal.der", level="T", fetch=fetched)
    return sign(document, identity)


def answered(issuer: Issuer, request: bytes, revoked: dict[int, datetime]) -> bytes:
    """What a responder says."""

    def status(serial: int) -> lacre.CertificateStatus | Revoked:
        since = revoked.get(serial)
        return Revoked(since, lacre.RevocationReason.SUPERSEDED) if since else lacre.CertificateStatus.GOOD

    return issuer.ocsp_response(request, status, this_update="2027-01-01", next_update="2027-01-02")


def failing() -> str | None:
    """What could be done about it."""
    try:
        lacre.validate(b"nothing")
    except lacre.Error as error:
        assert_type(error.code, lacre.ErrorCode)
        return error.hint
    return None
