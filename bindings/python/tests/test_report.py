"""Reports: their members, and that nobody changes them."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

import pytest

import lacre
from conftest import AT, ROOT


def test_members_are_those_of_the_json(report: lacre.Report) -> None:
    told = json.loads(report.to_json())
    assert report.to_dict() == told
    assert report.to_dict() is not report.to_dict()
    assert told["schema"] == "lacre-report/2"
    assert report.generator == lacre.__version__ == told["generator"]["version"]
    assert report.policy == lacre.PolicyName(**told["policy"])
    assert dataclasses.asdict(report.document) == told["document"] | {"irregularities": ()}
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


def test_what_cannot_be_read_is_named(validator: lacre.Validator, documents: Path) -> None:
    """A signature that cannot be read is not judged, and the report says so."""
    contract = (documents / "contract.pdf").read_bytes()
    start = contract.index(b"<30", contract.index(b"/Contents")) + 1
    report = validator.validate(contract[:start] + b"00" + contract[start + 2 :], at=AT)
    assert report.signatures == ()
    (irregularity,) = report.document.irregularities
    assert irregularity.check == "BBB_FC_UNREADABLE_SIGNATURE_ANS"
    assert irregularity.message
    assert dataclasses.asdict(irregularity) == report.to_dict()["document"]["irregularities"][0]


def test_fields_are_the_members_of_the_schema() -> None:
    """Every member that the schema of the JSON report names has a field, and no other has one."""
    schema = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
    objects = {name: value["properties"] for name, value in schema["$defs"].items() if "properties" in value}
    items = {name: schema["properties"][name]["items"]["properties"] for name in ("certificates", "revocations", "trusted_lists")}
    signature = objects["signature"]
    pairs = {
        lacre.Outcome: objects["outcome"],
        lacre.Blocks: {name.lower() for name in objects["blocks"]},
        lacre.Finding: objects["finding"],
        lacre.Certificate: objects["certificate"],
        lacre.Signature: signature,
        lacre.Timestamp: objects["timestamp"],
        lacre.EvidenceRecord: objects["evidence_record"],
        lacre.Identifier: objects["identifier"],
        lacre.Person: objects["person"],
        lacre.CertificateToken: items["certificates"],
        lacre.Revocation: items["revocations"],
        lacre.TrustedList: items["trusted_lists"],
        lacre.DocumentInfo: schema["properties"]["document"]["properties"],
        lacre.PolicyName: schema["properties"]["policy"]["properties"],
        lacre.Algorithm: signature["algorithm"]["properties"],
        lacre.Scope: signature["scope"]["items"]["properties"],
        lacre.Role: signature["roles"]["items"]["properties"],
    }
    for kind, members in pairs.items():
        assert {field.name for field in dataclasses.fields(kind)} == set(members), kind
    members = {name for name, value in vars(lacre.Report).items() if isinstance(value, property)}
    # What stands in `schema` and `conclusion` has members of its own.
    assert members - {"indication", "passed", "language"} == set(schema["properties"]) - {"schema", "conclusion"}


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


def test_it_needs_nothing_else() -> None:
    program = """
import sys
before = set(sys.modules)
import lacre, lacre.online, lacre.signing, lacre.issuance
more = {name.partition(".")[0] for name in set(sys.modules) - before}
print(sorted(more - sys.stdlib_module_names - {"lacre"}))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_everything_is_exported() -> None:
    assert sorted(lacre.__all__) == lacre.__all__ or set(lacre.__all__)
    for name in lacre.__all__:
        assert getattr(lacre, name) is not None
