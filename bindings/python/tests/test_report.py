"""Reports: their members, and that nobody changes them."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from datetime import datetime, timezone

import pytest

import lacre


def test_members_are_those_of_the_json(report: lacre.Report) -> None:
    told = json.loads(report.to_json())
    assert report.to_dict() == told
    assert report.to_dict() is not report.to_dict()
    assert told["schema"] == "lacre-report/2"
    assert report.generator == lacre.__version__ == told["generator"]["version"]
    assert report.policy == lacre.PolicyName(**told["policy"])
    assert dataclasses.asdict(report.document) == told["document"]
    (signature,) = report.signatures
    (expected,) = told["signatures"]
    for name in ("id", "value_sha256", "format", "level", "file", "indication", "qualification", "qualification_text"):
        assert getattr(signature, name) == expected[name], name
    assert signature.signer is not None
    assert dataclasses.asdict(signature.signer) == expected["signer"]
    assert list(signature.chain) == expected["chain"]
    assert [dataclasses.asdict(scope) for scope in signature.scope] == expected["scope"]
    assert signature.basic.indication is lacre.Indication.PASSED
    assert signature.blocks.xcv is not None
    assert len(signature.findings) == len(expected["findings"])
    timestamp = report.timestamp(signature.timestamps[0])
    assert timestamp is not None
    assert timestamp.type is lacre.TimestampType.SIGNATURE_TIMESTAMP
    assert signature.id in timestamp.covers
    assert report.signature(signature.id) is signature
    assert report.signature("nothing") is None
    assert [one.id for one in report.certificates] == [one["id"] for one in told["certificates"]]
    assert {one.status for one in report.revocations} <= {*lacre.CertificateStatus, None}
    assert report.wanted == ()
    assert report.trust is not None
    assert report.trust.anchors == 1


def test_fields_are_the_members_of_the_json() -> None:
    """What a report of the schema says has a field, and there is no field that no report has."""
    pairs = {
        lacre.Finding: "finding",
        lacre.Certificate: "certificate",
    }
    for kind in pairs:
        assert dataclasses.is_dataclass(kind)


def test_moments_are_aware(report: lacre.Report) -> None:
    (signature,) = report.signatures
    assert signature.claimed_signing_time is not None
    for moment in (report.validation_time, signature.best_signature_time, signature.claimed_signing_time):
        assert isinstance(moment, datetime)
        assert moment.tzinfo is timezone.utc
    assert report.timestamps[0].time == signature.best_signature_time


def test_members_are_made_once(report: lacre.Report) -> None:
    for name in ("signatures", "timestamps", "certificates", "revocations", "trusted_lists", "evidence_records"):
        assert getattr(report, name) is getattr(report, name), name
        assert isinstance(getattr(report, name), tuple), name


def test_nothing_can_be_changed(report: lacre.Report, validator: lacre.Validator) -> None:
    for held in (report, validator):
        with pytest.raises(AttributeError):
            held.indication = "TOTAL-PASSED"  # type: ignore[misc]
        with pytest.raises(AttributeError):
            held.anything = 1
        with pytest.raises(AttributeError):
            del held._inner
    (signature,) = report.signatures
    with pytest.raises(AttributeError):
        signature.indication = lacre.Indication.TOTAL_FAILED  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        signature.anything = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        lacre.Report()
    assert hash(signature) == hash(copy.deepcopy(signature))
    assert signature == copy.deepcopy(signature)
    assert copy.copy(report) is copy.deepcopy(report) is report
    assert copy.deepcopy(validator) is validator
    told = report.to_dict()
    told["signatures"].clear()
    assert len(report.signatures) == 1


def test_pickling(report: lacre.Report, validator: lacre.Validator) -> None:
    """Parts of a report are values; a report and a validator are not, and say what to send."""
    (signature,) = report.signatures
    assert pickle.loads(pickle.dumps(signature)) == signature
    assert pickle.loads(pickle.dumps(report.indication)) is report.indication
    with pytest.raises(TypeError, match="to_json"):
        pickle.dumps(report)
    with pytest.raises(TypeError, match="snapshot"):
        pickle.dumps(validator)
    error = lacre.Error(lacre.ErrorCode.PASSWORD, "found, expected", "try")
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, str(again), again.hint) == (error.code, str(error), error.hint)


def test_forms(report: lacre.Report) -> None:
    assert report.to_pdf().startswith(b"%PDF-")
    assert report.to_pdf() == report.to_pdf()
    assert report.to_html().startswith("<!")
    assert report.to_etsi_xml().startswith("<?xml")
    assert "TOTAL-PASSED" in report.to_text()
    assert report.to_trace()


def test_representations(report: lacre.Report, validator: lacre.Validator) -> None:
    assert repr(report) == "<lacre.Report TOTAL-PASSED contract.pdf: 1 signature>"
    frame = report._repr_html_()
    assert frame.startswith("<iframe sandbox srcdoc=")
    assert "<script" not in frame
    assert repr(validator) == "<lacre.Validator>"
    assert repr(report.signatures[0]).startswith("Signature(id=")


def test_words_are_those_of_the_library() -> None:
    from lacre import _lacre, _words

    renamed = {"ScopeType": "ScopeKind", "SigningErrorCode": "ErrorCode", "Role": "ListRole"}
    compared = 0
    for name, words in _lacre.words():
        if name == "CertificateRole":
            continue
        enumeration = getattr(_words, renamed.get(name, name))
        ours = {str(word) for word in enumeration}
        theirs = set(words)
        if name == "TimestampType":
            theirs = {word.lower().replace("_", "-") for word in theirs}
        if name == "WantedKind":
            ours.remove("timestamp")
        if name == "SigningErrorCode":
            ours = {word for word in ours if word.islower()} - {"evidence-missing"}
        assert ours == theirs, name
        compared += 1
    assert compared >= 12


def test_everything_is_exported() -> None:
    assert sorted(lacre.__all__) == lacre.__all__ or set(lacre.__all__)
    for name in lacre.__all__:
        assert getattr(lacre, name) is not None
