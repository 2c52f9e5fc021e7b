"""Issuing: certificates, revocation lists, OCSP responses."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TypedDict

import pytest

import lacre
from authority import NOW, ORGANISATION, Authority
from lacre import issuance, signing
from lacre.issuance import Revoked


class Period(TypedDict):
    this_update: datetime
    next_update: datetime


PERIOD = Period(this_update=NOW, next_update=NOW + timedelta(days=7))


def test_issuing(authority: Authority) -> None:
    validator = lacre.Validator(trust_anchors=authority.root.certificate)
    found = validator.certificate(authority.certificate)
    assert found.certificate is not None
    assert found.certificate.name == "Seal"
    serial = int(found.certificate.serial)
    revoked = authority.root.revocation_list(
        8, this_update=NOW, next_update=NOW + timedelta(days=7), revoked=[(serial, NOW - timedelta(days=1), "keyCompromise")]
    )
    knowing = lacre.Validator(trust_anchors=authority.root.certificate, evidence=[revoked])
    assert knowing.certificate(authority.certificate).sub_indication is lacre.SubIndication.REVOKED_NO_POE
    other = signing.Key.generate("ecdsa-p256")
    with pytest.raises(lacre.Error) as raised:
        issuance.Issuer.of(authority.root.certificate, other)
    assert raised.value.code is lacre.ErrorCode.ISSUANCE
    period = {"not_before": NOW, "not_after": NOW + timedelta(days=1)}
    for profile, subject, key, code in (
        ("nobody", ORGANISATION, other.public_key, "INVALID_ARGUMENT"),
        ("natural-person", ORGANISATION, other.public_key, "ISSUANCE"),
        ("legal-person", {**ORGANISATION, "common_name": "x"}, b"nothing", "INVALID_KEY"),
    ):
        with pytest.raises(lacre.Error) as raised:
            authority.root.issue(profile, subject, key, **period)
        assert raised.value.code == code
    with pytest.raises(lacre.Error) as raised:
        authority.root.issue("legal-person", ORGANISATION, other.public_key, not_before=NOW, not_after=NOW)
    assert raised.value.code is lacre.ErrorCode.ISSUANCE


def judged(authority: Authority, response: bytes) -> lacre.CertificateReport:
    """What is said of the seal's certificate by an OCSP response."""
    validator = lacre.Validator(trust_anchors=authority.root.certificate, evidence=[response])
    return validator.certificate(authority.certificate, at=NOW + timedelta(seconds=1))


def test_ocsp_responses(authority: Authority) -> None:
    request = issuance.ocsp_request(authority.certificate, authority.root.certificate)
    before = NOW - timedelta(days=1)
    asked: list[int] = []

    def good(serial: int) -> lacre.CertificateStatus:
        asked.append(serial)
        return lacre.CertificateStatus.GOOD

    found = judged(authority, authority.root.ocsp_response(request, good, **PERIOD))
    assert found.certificate is not None
    assert asked == [int(found.certificate.serial)]
    assert found.indication is lacre.Indication.PASSED
    assert found.sub_indication is None
    for status, expected in (
        (Revoked(before, lacre.RevocationReason.KEY_COMPROMISE), lacre.SubIndication.REVOKED_NO_POE),
        (Revoked(before, "superseded"), lacre.SubIndication.REVOKED_NO_POE),
        (Revoked(before), lacre.SubIndication.REVOKED_NO_POE),
        (lacre.CertificateStatus.UNKNOWN, lacre.SubIndication.CERTIFICATE_CHAIN_GENERAL_FAILURE),
    ):
        response = authority.root.ocsp_response(request, lambda _, status=status: status, **PERIOD)  # type: ignore[misc]
        assert judged(authority, response).sub_indication is expected, status


def test_a_delegated_responder(authority: Authority) -> None:
    key = signing.Key.generate("ecdsa-p384")
    responder = issuance.Issuer.of(authority.issue("ocsp-responder", "Responder", key), key)
    request = issuance.ocsp_request(authority.certificate, authority.root.certificate)
    asked: list[int] = []

    def good(serial: int) -> lacre.CertificateStatus:
        asked.append(serial)
        return lacre.CertificateStatus.GOOD

    response = responder.ocsp_response(request, good, authority=authority.root.certificate, **PERIOD)
    assert judged(authority, response).indication is lacre.Indication.PASSED
    assert len(asked) == 1
    # For itself it answers nothing: the request names the root.
    alone = responder.ocsp_response(request, good, **PERIOD)
    assert len(asked) == 1
    assert judged(authority, alone).indication is not lacre.Indication.PASSED


def test_what_a_responder_refuses(authority: Authority) -> None:
    request = issuance.ocsp_request(authority.certificate, authority.root.certificate)

    def good(_serial: int) -> lacre.CertificateStatus:
        return lacre.CertificateStatus.GOOD

    # RFC 6960 §4.2.1: malformedRequest.
    assert authority.root.ocsp_response(b"nothing", good, **PERIOD) == bytes([0x30, 3, 0x0A, 1, 1])
    with pytest.raises(ValueError, match="Revoked"):
        authority.root.ocsp_response(request, lambda _: lacre.CertificateStatus.REVOKED, **PERIOD)
    with pytest.raises(ValueError, match="GOODISH"):
        authority.root.ocsp_response(request, lambda _: "GOODISH", **PERIOD)  # type: ignore[arg-type,return-value]

    def broken(_serial: int) -> lacre.CertificateStatus:
        raise ConnectionError("no database")

    with pytest.raises(ConnectionError, match="database"):
        authority.root.ocsp_response(request, broken, **PERIOD)
    with pytest.raises(lacre.Error) as raised:
        authority.root.ocsp_response(request, good, this_update=NOW, next_update=NOW)
    assert raised.value.code is lacre.ErrorCode.ISSUANCE
    with pytest.raises(lacre.Error) as raised:
        authority.root.ocsp_response(request, lambda _: Revoked(NOW, "boredom"), **PERIOD)
    assert raised.value.code is lacre.ErrorCode.INVALID_ARGUMENT
    with pytest.raises(lacre.Error) as raised:
        authority.root.ocsp_response(request, good, authority=b"nothing", **PERIOD)
    assert raised.value.code is lacre.ErrorCode.INVALID_EVIDENCE
    with pytest.raises(lacre.Error) as raised:
        issuance.ocsp_request(b"nothing", authority.root.certificate)
    assert raised.value.code is lacre.ErrorCode.INVALID_EVIDENCE


def test_a_responder_is_asked_while_extending(documents: Path) -> None:
    """The request that is wanted is the one that is answered."""
    authority = Authority(locations={"ocsp": "http://ocsp.example.invalid/"})
    signed = signing.sign(documents / "not-signed.pdf", authority.key, authority.certificate)

    def fetch(wanted: lacre.Wanted) -> bytes | None:
        if wanted.kind is not lacre.WantedKind.OCSP:
            return authority.fetch(wanted)
        assert wanted.request is not None
        assert wanted.content_type == "application/ocsp-request"
        now = datetime.now(timezone.utc)
        status = lacre.CertificateStatus.GOOD
        return authority.root.ocsp_response(
            wanted.request, lambda _: status, this_update=now, next_update=now + timedelta(days=1)
        )

    extended = signing.extend(signed, level="LT", fetch=fetch, trust_anchors=authority.root.certificate)
    assert extended.level is lacre.SignatureLevel.PADES_BASELINE_LT
    report = lacre.validate(
        extended.bytes, at=datetime.now(timezone.utc) + timedelta(seconds=5), trust_anchors=authority.root.certificate
    )
    assert report.passed, report.to_text()
