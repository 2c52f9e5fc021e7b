"""Bundles: recorded, replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

import lacre
from conftest import AT


def test_a_bundle_gives_the_same_report_again(documents: Path, validator: lacre.Validator) -> None:
    path = documents / "contract.pdf"
    report, bundle = validator.record(path, at=AT)
    assert report.to_json() == validator.validate(path, at=AT).to_json() == bundle.report_json()
    zip = bundle.to_zip()
    read = lacre.Bundle.from_zip(zip)
    assert read.to_zip() == zip
    assert read.document_name == "contract.pdf"
    assert read.document_sha256 == report.document.sha256
    assert read.validation_time == report.validation_time
    assert read.policy == (report.policy.name, report.policy.sha256)
    assert read.policy_is_strict
    alone = read.replay()
    assert (alone.differences, alone.verified) == ((), False)
    # The file may have another name by then.
    whole = read.replay(path.read_bytes())
    assert (whole.differences, whole.verified) == ((), True)
    assert whole.report.to_pdf() == report.to_pdf()
    assert "contract.pdf" in repr(read)


def test_whose_trust_is_expected(documents: Path, validator: lacre.Validator) -> None:
    path = documents / "contract.pdf"
    _, bundle = validator.record(path, at=AT)
    assert bundle.replay(path, expected=validator).differences == ()
    other = bundle.replay(path, expected=lacre.Validator())
    assert other.report.indication is lacre.Indication.INDETERMINATE
    assert any(".trust" in difference.place for difference in other.differences)
    with pytest.raises(ValueError, match="document"):
        bundle.replay(expected=validator)


def test_what_is_no_bundle(documents: Path, validator: lacre.Validator) -> None:
    _, bundle = validator.record(documents / "contract.pdf", at=AT)
    zip = bytearray(bundle.to_zip())
    with pytest.raises(lacre.Error) as raised:
        bundle.replay(documents / "contract-tampered.pdf")
    assert raised.value.code is lacre.ErrorCode.INVALID_BUNDLE
    zip[len(zip) // 2] ^= 1
    for wrong in (b"", b"nothing", bytes(zip)):
        with pytest.raises(lacre.Error) as raised:
            lacre.Bundle.from_zip(wrong)
        assert raised.value.code is lacre.ErrorCode.INVALID_BUNDLE
    with pytest.raises(FileNotFoundError):
        lacre.Bundle.from_zip(documents / "missing.zip")
