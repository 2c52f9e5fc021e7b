"""Signing and extending: keys here, keys elsewhere, and what is wanted meanwhile."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

import lacre
from authority import NOW, Authority
from lacre import signing


@pytest.mark.parametrize("kind", ["ecdsa-p256", "ecdsa-p384", "ed25519", "ml-dsa-44"])
def test_a_pdf_is_signed(documents: Path, kind: str) -> None:
    authority = Authority(kind)
    # TS 119 312 does not list them all.
    weak = kind in ("ed25519", "ml-dsa-44")
    parameters = {"claimed_roles": ["Clerk"], "country": "PT", "locality": "Lisboa", "allow_weak_algorithms": weak}
    signed = signing.sign(
        documents / "not-signed.pdf", authority.key, authority.certificate, parameters=parameters, options={"reason": "Read"}
    )
    report = lacre.validate(signed, trust_anchors=authority.root.certificate)
    (signature,) = report.signatures
    assert signature.level is lacre.SignatureLevel.PADES_BASELINE_B
    assert signature.reason == "Read"
    assert signature.roles == (lacre.Role(role="Clerk", certified=False),)
    assert signature.location == "Lisboa, PT"
    assert signature.signer is not None
    assert signature.signer.name == "Seal"
    assert signature.blocks.cv is not None
    assert signature.blocks.cv.indication is lacre.Indication.PASSED
    assert {want.kind for want in report.wanted} == {lacre.WantedKind.CRL}


def test_a_key_elsewhere_signs(documents: Path, authority: Authority) -> None:
    """In two steps: what is to be signed goes to whoever has the key, its state to the store."""
    letter = documents / "letter.txt"
    prepared = signing.prepare(letter, authority.certificate, options={"packaging": "detached"}, at=NOW)
    again = signing.prepare(letter, authority.certificate, options={"packaging": "detached"}, at=NOW)
    assert again == prepared
    assert prepared.packaging is lacre.Packaging.DETACHED
    assert prepared.algorithm == "SHA256withECDSA"
    assert len(prepared.digest) == 32
    assert not prepared.needs_message
    asked: list[signing.Prepared] = []

    def elsewhere(one: signing.Prepared) -> bytes:
        from lacre import _lacre

        asked.append(one)
        return _lacre.value_by(one.state, authority.key._inner)

    signature = signing.finish(letter, prepared.state, elsewhere)
    assert asked == [prepared]
    report = lacre.validate(signature, contents=[letter], trust_anchors=authority.root.certificate)
    assert report.signatures[0].level is lacre.SignatureLevel.CADES_BASELINE_B
    assert report.signatures[0].basic.indication is not lacre.Indication.FAILED


def test_what_is_refused(documents: Path, authority: Authority) -> None:
    pdf = documents / "not-signed.pdf"
    prepared = signing.prepare(pdf, authority.certificate)
    for value, code in ((b"nothing", "value-form"), (b"\x00" * 64, None)):
        with pytest.raises(lacre.Error) as raised:
            signing.finish(pdf, prepared, value)
        assert raised.value.code.islower()
        assert code is None or raised.value.code == code
    with pytest.raises(lacre.Error) as raised:
        signing.finish(documents / "contract.pdf", prepared, authority.key)
    assert raised.value.code is lacre.ErrorCode.CONTENT_DIFFERS
    with pytest.raises(lacre.Error) as raised:
        signing.finish(pdf, "{}", authority.key)
    assert raised.value.code is lacre.ErrorCode.STATE_UNREADABLE
    wrongs: list[dict[str, object]] = [{"claimed_rolls": []}, {"signing_time": 5}]
    for wrong in wrongs:
        with pytest.raises(lacre.Error) as raised:
            signing.prepare(pdf, authority.certificate, parameters=wrong)
        assert raised.value.code is lacre.ErrorCode.INVALID_ARGUMENT
    with pytest.raises(lacre.Error) as raised:
        signing.prepare(pdf, authority.certificate, options={"packaging": "detached"}, format="PAdES")
    assert raised.value.code is lacre.ErrorCode.PARAMETER_NOT_IN_FORMAT
    with pytest.raises(TypeError):
        signing.finish(pdf, prepared, "text")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="extend"):
        signing.finish(pdf, prepared, authority.key, level="LT")  # type: ignore[arg-type]

    def broken(_prepared: signing.Prepared) -> bytes:
        raise ConnectionError("the token was pulled")

    with pytest.raises(ConnectionError, match="pulled"):
        signing.finish(pdf, prepared, broken)


def test_with_a_time_stamp(documents: Path, authority: Authority) -> None:
    pdf = documents / "not-signed.pdf"
    signed = signing.sign(pdf, authority.key, authority.certificate, level="T", fetch=authority.fetch)
    report = lacre.validate(signed, trust_anchors=authority.root.certificate)
    assert report.signatures[0].level is lacre.SignatureLevel.PADES_BASELINE_T
    with pytest.raises(lacre.Error) as raised:
        signing.sign(pdf, authority.key, authority.certificate, level="T")
    assert raised.value.code is lacre.ErrorCode.EVIDENCE_MISSING
    (wanted,) = raised.value.wanted
    assert wanted.kind is lacre.WantedKind.TIMESTAMP
    assert wanted.content_type == "application/timestamp-query"
    assert wanted.imprint is not None
    with pytest.raises(lacre.Error) as raised:
        signing.sign(pdf, authority.key, authority.certificate, level="T", fetch=lambda _: None)
    assert raised.value.code is lacre.ErrorCode.TSA_UNREACHABLE


def test_extending(documents: Path, authority: Authority) -> None:
    signed = signing.sign(documents / "not-signed.pdf", authority.key, authority.certificate)
    trust = {"trust_anchors": authority.root.certificate}
    with pytest.raises(lacre.Error) as raised:
        signing.extend(signed, **trust)  # type: ignore[arg-type]
    assert raised.value.code is lacre.ErrorCode.EVIDENCE_MISSING
    assert raised.value.wanted
    authority.asked.clear()
    extended = signing.extend(signed, fetch=authority.fetch, **trust)  # type: ignore[arg-type]
    assert extended.level is lacre.SignatureLevel.PADES_BASELINE_LTA
    assert [str(one.kind) for one in authority.asked].count("timestamp") >= 2
    (signature,) = extended.signatures
    assert signature.before is lacre.SignatureLevel.PADES_BASELINE_B
    assert signature.after is lacre.SignatureLevel.PADES_BASELINE_LTA
    assert signature.error is None
    report = lacre.validate(extended.bytes, at=datetime.now(timezone.utc) + timedelta(seconds=5), **trust)  # type: ignore[arg-type]
    assert report.passed, report.to_text()
    with pytest.raises(lacre.Error) as raised:
        signing.extend(documents / "not-signed.pdf")
    assert raised.value.code is lacre.ErrorCode.NO_SIGNATURE

    def raising(_wanted: lacre.Wanted) -> bytes:
        raise TimeoutError("no answer")

    with pytest.raises(TimeoutError):
        signing.extend(signed, fetch=raising, **trust)  # type: ignore[arg-type]


def test_time_stamping_and_renewing(documents: Path, authority: Authority) -> None:
    pdf, letter = documents / "not-signed.pdf", documents / "letter.txt"
    trust = {"trust_anchors": authority.root.certificate}
    stamped = signing.timestamp(pdf, fetch=authority.fetch, **trust)  # type: ignore[arg-type]
    report = lacre.validate(stamped)
    assert [one.type for one in report.timestamps] == [lacre.TimestampType.DOCUMENT_TIMESTAMP]
    token = signing.timestamp(letter, fetch=authority.fetch, **trust)  # type: ignore[arg-type]
    beside = lacre.validate(token, contents=[letter])
    assert beside.document.format == "timestamp"
    record = signing.renew(token, letter, fetch=authority.fetch, **trust)  # type: ignore[arg-type]
    again = signing.renew(record, letter, fetch=authority.fetch, **trust)  # type: ignore[arg-type]
    for renewed, count in ((record, 2), (again, 3)):
        told = lacre.validate(renewed, contents=[letter])
        assert told.document.format == "evidence-record"
        assert len(told.timestamps) == count
    with pytest.raises(lacre.Error) as raised:
        signing.timestamp(letter)
    assert raised.value.code is lacre.ErrorCode.EVIDENCE_MISSING
