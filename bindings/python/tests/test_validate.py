"""Validating: what comes in, what goes out."""

from __future__ import annotations

import io
import json
import mmap
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import lacre
from conftest import AT


def test_five_lines(documents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(documents)
    report = lacre.validate("contract.pdf", trust_anchors="root.der", at="2027-01-01")
    assert report.indication is lacre.Indication.TOTAL_PASSED
    assert report.passed
    assert str(report.indication) == f"{report.indication}" == "TOTAL-PASSED"


def test_every_way_in_gives_the_same(documents: Path, validator: lacre.Validator, tmp_path: Path) -> None:
    path = documents / "contract.pdf"
    content = path.read_bytes()
    expected = validator.validate(path, at=AT).to_json()
    assert validator.validate(str(path), at=AT).to_json() == expected
    for given in (content, bytearray(content), memoryview(content), io.BytesIO(content)):
        assert validator.validate(given, at=AT, name="contract.pdf").to_json() == expected, type(given)
    with path.open("rb") as file:
        assert validator.validate(file, at=AT).to_json() == expected, "the name is that of the file"
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert validator.validate(memoryview(mapped), at=AT, name="contract.pdf").to_json() == expected
    assert json.loads(validator.validate(content, at=AT).to_json())["document"]["name"] is None
    large = tmp_path / "large.pdf"
    # From a megabyte on files are mapped.
    large.write_bytes(content + b"\n%" + b"x" * (2 << 20))
    assert validator.validate(large, at=AT).to_json() == validator.validate(large.read_bytes(), at=AT, name="large.pdf").to_json()


class BytesPath:
    """A path that is bytes."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> bytes:
        return bytes(self.path)


def test_paths_that_are_bytes(documents: Path, validator: lacre.Validator) -> None:
    path = documents / "contract.pdf"
    given: Any = BytesPath(path)
    assert validator.validate(given, at=AT).to_json() == validator.validate(path, at=AT).to_json()
    assert lacre.Validator(trust_anchors=[BytesPath(documents / "root.der")]).validate(path, at=AT).passed  # type: ignore[list-item]


def test_names_that_are_no_utf8(documents: Path, validator: lacre.Validator, tmp_path: Path) -> None:
    path = tmp_path / "caf\udce9.pdf"
    path.write_bytes((documents / "contract.pdf").read_bytes())
    report = validator.validate(path, at=AT)
    assert report.document.name == "caf\ufffd.pdf"
    assert report.passed


def test_moments(documents: Path, validator: lacre.Validator) -> None:
    path = documents / "contract.pdf"
    same: list[lacre.Moment] = [
        "2027-01-01",
        "2027-01-01T00:00:00Z",
        "2027-01-01T01:00:00+01:00",
        datetime(2027, 1, 1, tzinfo=timezone.utc),
        datetime(2027, 1, 1, 2, tzinfo=timezone(timedelta(hours=2))),
    ]
    reports = {validator.validate(path, at=at).to_json() for at in same}
    assert len(reports) == 1
    assert validator.validate(path, at=same[0]).validation_time == datetime(2027, 1, 1, tzinfo=timezone.utc)
    now = validator.validate(path).validation_time
    assert abs(now - datetime.now(timezone.utc)) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("at", "error"),
    [
        (datetime(2027, 1, 1), ValueError),
        ("yesterday", ValueError),
        ("", ValueError),
        ("2027-13-01", ValueError),
        (1_800_000_000, TypeError),
        (10**40, TypeError),
        (1.5, TypeError),
        (b"2027-01-01", TypeError),
    ],
)
def test_wrong_moments(validator: lacre.Validator, documents: Path, at: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="found"):
        validator.validate(documents / "contract.pdf", at=at)  # type: ignore[arg-type]


def test_first_and_last_moment(validator: lacre.Validator, documents: Path) -> None:
    for moment in (datetime.min, datetime.max):
        at = moment.replace(tzinfo=timezone.utc)
        found = validator.validate(documents / "contract.pdf", at=at)
        assert found.validation_time.year == at.year
        assert found.indication is not None
        assert all(signature.best_signature_time.tzinfo is timezone.utc for signature in found.signatures)


@pytest.mark.parametrize("document", [None, 1, 10**40, 1.5, object(), ["contract.pdf"], {"a": 1}, True])
def test_wrong_types(validator: lacre.Validator, document: object) -> None:
    with pytest.raises(TypeError, match="expected a path, bytes, or a file that is open"):
        validator.validate(document)  # type: ignore[arg-type]


def test_wrong_types_beside_the_document(documents: Path) -> None:
    path = documents / "contract.pdf"
    for arguments in (
        {"trust_anchors": 7},
        {"trust_anchors": [7]},
        {"trusted_lists": 7},
        {"evidence": None},
        {"contents": 7},
        {"contents": [b"without a name"]},
        {"contents": {1: b"x"}},
        {"password": 7},
        {"name": 7},
        {"policy": 7},
        {"unknown": 7},
    ):
        with pytest.raises(TypeError):
            lacre.validate(path, at=AT, **arguments)


def test_files_that_are_not_there(validator: lacre.Validator, tmp_path: Path, documents: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        validator.validate(tmp_path / "missing.pdf")
    assert raised.value.filename == str(tmp_path / "missing.pdf")
    assert raised.value.errno == 2
    with pytest.raises(IsADirectoryError):
        validator.validate(tmp_path)
    with pytest.raises(ValueError, match="NUL"):
        validator.validate("a\0b")
    with pytest.raises(FileNotFoundError):
        lacre.Validator(trust_anchors=tmp_path / "missing.der")
    with pytest.raises(FileNotFoundError):
        validator.validate(documents / "letter.txt.p7s", contents=[tmp_path / "missing.txt"])
    with pytest.raises(FileNotFoundError):
        lacre.Validator(trusted_lists=tmp_path / "missing")


class Broken(io.RawIOBase):
    """A file that fails when it is read."""

    def readable(self) -> bool:
        return True

    def readinto(self, _buffer: object) -> int:
        raise ConnectionResetError("the other side went away")


def test_files_that_fail(validator: lacre.Validator, documents: Path) -> None:
    with pytest.raises(ConnectionResetError):
        validator.validate(Broken())
    file = (documents / "contract.pdf").open("rb")
    file.close()
    with pytest.raises(ValueError, match="closed"):
        validator.validate(file)
    with pytest.raises(TypeError, match="opened for bytes"):
        validator.validate(io.StringIO("text"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "UNKNOWN_FORMAT"),
        (b"no signature at all", "UNKNOWN_FORMAT"),
        (b"%PDF-1.7\n", "UNREADABLE"),
        (b"PK\x03\x04", "UNREADABLE"),
        (b"<a>", "UNREADABLE"),
        (b"\x30\x80", "UNREADABLE"),
    ],
)
def test_broken_documents(content: bytes, code: str) -> None:
    with pytest.raises(lacre.Error) as raised:
        lacre.validate(content)
    assert raised.value.code == code, raised.value
    assert isinstance(raised.value.code, lacre.ErrorCode)
    assert raised.value.hint
    assert str(raised.value)
    assert raised.value.wanted == ()


def test_truncated_and_changed_documents(documents: Path, validator: lacre.Validator) -> None:
    content = (documents / "contract.pdf").read_bytes()
    verdicts = set()
    for at in range(0, len(content), 997):
        for changed in (content[:at], content[:at] + bytes([content[at] ^ 0x41]) + content[at + 1 :]):
            try:
                verdicts.add(str(validator.validate(changed, at=AT).indication))
            except lacre.Error as error:
                assert error.code in ("UNKNOWN_FORMAT", "UNREADABLE"), error
    assert "TOTAL-FAILED" in verdicts


def test_passwords(documents: Path) -> None:
    path = documents / "encrypted.pdf"
    for wrong in (None, "wrong", "\N{SNOWMAN}"):
        with pytest.raises(lacre.Error) as raised:
            lacre.validate(path, password=wrong)
        assert raised.value.code is lacre.ErrorCode.PASSWORD
    opened = [lacre.validate(path, password=password, at=AT).to_json() for password in ("päss", "päss".encode())]
    assert opened[0] == opened[1]
    assert lacre.validate(path, password="päss").indication is lacre.Indication.NO_SIGNATURE_FOUND


def test_detached_contents(documents: Path) -> None:
    path, letter = documents / "letter.txt.p7s", documents / "letter.txt"
    trust = {"trust_anchors": documents / "root.der", "at": AT}
    alone = lacre.validate(path, **trust)  # type: ignore[arg-type]
    assert alone.indication is lacre.Indication.INDETERMINATE
    assert alone.signatures[0].sub_indication is lacre.SubIndication.SIGNED_DATA_NOT_FOUND
    for contents in (
        [letter],
        [("letter.txt", letter.read_bytes())],
        {"letter.txt": letter},
        {"letter.txt": io.BytesIO(letter.read_bytes())},
    ):
        found = lacre.validate(path, contents=contents, **trust)  # type: ignore[arg-type]
        # What it lacks is revocation data: that is wanted, the content no longer.
        assert found.signatures[0].sub_indication is not lacre.SubIndication.SIGNED_DATA_NOT_FOUND
        assert {want.kind for want in found.wanted} == {lacre.WantedKind.CRL}
    wrong = lacre.validate(path, contents={"letter.txt": b"another"}, **trust)  # type: ignore[arg-type]
    assert wrong.signatures[0].sub_indication is lacre.SubIndication.HASH_FAILURE


def test_verdicts(documents: Path, validator: lacre.Validator) -> None:
    assert validator.validate(documents / "contract-tampered.pdf", at=AT).indication is lacre.Indication.TOTAL_FAILED
    assert validator.validate(documents / "revoked.pdf", at=AT).indication is not lacre.Indication.TOTAL_PASSED
    unsigned = validator.validate(documents / "not-signed.pdf", at=AT)
    assert unsigned.indication is lacre.Indication.NO_SIGNATURE_FOUND
    assert not unsigned.passed
    nobody = lacre.validate(documents / "contract.pdf", at=AT)
    assert nobody.indication is lacre.Indication.INDETERMINATE
    assert nobody.trust is not None
    assert nobody.trust.state is lacre.TrustState.NOBODY


def test_policies_and_languages(documents: Path) -> None:
    path, root = documents / "contract.pdf", documents / "root.der"
    dss = lacre.validate(path, at=AT, trust_anchors=root, policy="dss")
    eidas = lacre.validate(path, at=AT, trust_anchors=root, policy="eidas")
    assert dss.policy.sha256 != eidas.policy.sha256
    with pytest.raises(lacre.Error) as raised:
        lacre.validate(path, policy=b"<nothing/>")
    assert raised.value.code is lacre.ErrorCode.INVALID_POLICY
    with pytest.raises(lacre.Error) as raised:
        lacre.validate(path, suite=b"nothing")
    assert raised.value.code is lacre.ErrorCode.INVALID_SUITE
    with pytest.raises(lacre.Error) as raised:
        lacre.validate(path, language="tlh")
    assert raised.value.code is lacre.ErrorCode.INVALID_ARGUMENT
    assert "expected one of en, de" in str(raised.value)
    german = lacre.validate(path, at=AT, trust_anchors=root, language=lacre.Language.DE)
    assert german.language is lacre.Language.DE
    assert german.to_json() == eidas.in_language("de").to_json()
    assert german.to_text() != eidas.to_text()
    assert eidas.in_language("de").in_language("en").to_json() == eidas.to_json()


def test_wrong_trust(documents: Path) -> None:
    with pytest.raises(lacre.Error) as raised:
        lacre.Validator(trust_anchors=documents / "letter.txt")
    assert raised.value.code is lacre.ErrorCode.INVALID_EVIDENCE
    with pytest.raises(lacre.Error) as raised:
        lacre.Validator(evidence=b"nothing")
    assert raised.value.code is lacre.ErrorCode.INVALID_EVIDENCE
    assert raised.value.hint is not None
    with pytest.raises(lacre.Error) as raised:
        lacre.Validator(trusted_lists=b"nothing")
    assert raised.value.code is lacre.ErrorCode.INVALID_TRUSTED_LISTS


def test_inspecting_and_judging_again(documents: Path, validator: lacre.Validator) -> None:
    facts = validator.inspect(documents / "contract.pdf", at=AT)
    assert json.loads(facts.to_json())["schema"] == "lacre-facts/1"
    assert facts.to_text()
    again = lacre.judge(facts)
    assert again.to_json() == validator.validate(documents / "contract.pdf", at=AT).to_json()
    assert lacre.judge(again.facts().encode()).to_json() == again.to_json()
    assert lacre.judge(facts, at="2060-01-01").validation_time.year == 2060
    with pytest.raises(lacre.Error) as raised:
        lacre.judge(b"{}")
    assert raised.value.code is lacre.ErrorCode.INVALID_FACTS


def test_certificates(documents: Path, validator: lacre.Validator) -> None:
    found = validator.certificate(documents / "root.der", at=AT)
    assert found.indication is lacre.Indication.PASSED
    assert found.sub_indication is None
    assert found.certificate is not None
    assert found.certificate.not_before < found.validation_time < found.certificate.not_after
    assert found.qualification_at_time is lacre.CertificateQualification.NA
    assert found.to_dict()["schema"] == "lacre-certificate/2"
    assert found.to_dict()["file"] == "root.der"
    stranger = lacre.Validator().certificate((documents / "root.der").read_bytes(), at=AT)
    assert stranger.indication is lacre.Indication.INDETERMINATE
    site = validator.certificate(documents / "root.der", at=AT, website="https://example.org/")
    assert site.website is not None
    assert site.website.profile is lacre.QwacProfile.NOT_QWAC
    assert site.website.qwac_1
    assert site.website.qwac_2 is None
    with pytest.raises(lacre.Error) as raised:
        validator.certificate(b"nothing")
    assert raised.value.code is lacre.ErrorCode.INVALID_EVIDENCE
