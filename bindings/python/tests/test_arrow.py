"""Columns of documents in, tables of verdicts out."""

from __future__ import annotations

import os
import threading
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

import lacre
from conftest import AT

pa = pytest.importorskip("pyarrow", reason="needs pyarrow: pip install lacre[arrow]")

import lacre.arrow  # noqa: E402
from lacre import _rows  # noqa: E402

NAMES = ["contract.pdf", "contract-tampered.pdf", "revoked.pdf", "not-signed.pdf", "encrypted.pdf", "README.md"]
INDICATIONS = ["TOTAL-PASSED", "TOTAL-FAILED", "INDETERMINATE", "NO_SIGNATURE_FOUND", None, None]
CODES = [None, None, None, None, "PASSWORD", "UNKNOWN_FORMAT"]


@pytest.fixture(scope="module")
def table(documents: Path) -> Any:
    return pa.table({"path": NAMES, "content": [(documents / name).read_bytes() for name in NAMES], "day": range(len(NAMES))})


def test_a_row_a_document_with_what_the_report_says(table: Any, validator: lacre.Validator) -> None:
    judged = lacre.arrow.validate(table, validator, at=AT, path="path", keep=["day"], report=True)
    assert judged.schema.names == [*lacre.arrow.schema(report=True).names, "day"]
    assert judged.schema == pa.schema([*lacre.arrow.schema(report=True), pa.field("day", pa.int64())])
    assert judged["path"].to_pylist() == NAMES
    assert judged["indication"].to_pylist() == INDICATIONS
    assert judged["error_code"].to_pylist() == CODES
    assert judged["day"].to_pylist() == list(range(len(NAMES)))
    for row, name, content in zip(judged.to_pylist(), NAMES, table["content"].to_pylist(), strict=True):
        assert row["validation_time"] == datetime(2027, 1, 1, tzinfo=timezone.utc)
        assert row["milliseconds"] > 0
        if row["error_code"]:
            assert row["error_message"]
            assert row["signatures"] is row["report"] is row["size"] is None
            continue
        report = validator.validate(content, name=name, at=AT)
        assert row["report"] == report.to_json()
        assert (row["size"], row["sha256"], row["format"]) == (len(content), report.document.sha256, report.document.format)
        for found, signature in zip(row["signatures"], report.signatures, strict=True):
            assert found["id"] == signature.id
            assert found["level"] == signature.level
            assert (found["indication"], found["sub_indication"]) == (signature.indication, signature.sub_indication)
            assert row["sub_indication"] == signature.sub_indication
            assert found["qualification"] == signature.qualification
            assert signature.signer
            assert found["signer"] == signature.signer.name
            assert found["signing_time"] == signature.claimed_signing_time
            assert found["best_signature_time"] == signature.best_signature_time
            assert [one["check"] for one in found["findings"]] == [one.check for one in signature.findings]


def test_paths_are_opened_and_what_is_no_file_is_a_row(documents: Path, validator: lacre.Validator, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    contract = str(documents / "contract.pdf")
    paths = [
        contract,
        f"file:{contract}",
        f"file://{contract}",
        f"file://host{contract}",
        "s3://bucket/contract.pdf",
        str(tmp_path / "missing.pdf"),
        str(tmp_path / "pipe"),
        str(tmp_path),
        "/dev/zero",
        "a\0b",
        None,
    ]
    judged = lacre.arrow.validate(pa.array(paths), validator, at=AT)
    assert judged["indication"].to_pylist() == ["TOTAL-PASSED"] * 3 + [None] * 8
    assert judged["error_code"].to_pylist() == [None] * 3 + ["FILE"] * 7 + ["NO_DOCUMENT"]
    assert judged["path"].to_pylist() == paths
    by_path = lacre.arrow.validate([documents / "contract.pdf"], validator, at=AT, report=True)
    assert by_path["report"].to_pylist() == [validator.validate(contract, at=AT).to_json()]


def test_detached_contents_are_a_column(documents: Path, validator: lacre.Validator) -> None:
    letter, signature = (documents / "letter.txt").read_bytes(), (documents / "letter.txt.p7s").read_bytes()
    contents = [[("letter.txt", letter)], [("letter.txt", b"other")], [], None]
    given = {"content": [signature] * 4, "contents": pa.array(contents, pa.map_(pa.string(), pa.binary()))}
    expected = validator.validate(signature, contents={"letter.txt": letter}, at=AT).indication
    judged = lacre.arrow.validate(pa.table(given), validator, at=AT, contents="contents")
    assert judged["indication"].to_pylist()[0] == expected
    assert judged["sub_indication"].to_pylist()[1:] == ["HASH_FAILURE", "SIGNED_DATA_NOT_FOUND", "SIGNED_DATA_NOT_FOUND"]
    pairs = [[{"name": "letter.txt", "path": str(documents / "letter.txt")}], [{"name": None, "path": "x"}]]
    judged = lacre.arrow.validate(
        pa.table({"content": [signature] * 2, "contents": pairs}), validator, at=AT, contents="contents"
    )
    assert judged["indication"].to_pylist() == [expected, None]
    assert judged["error_code"].to_pylist() == [None, "INVALID_ARGUMENT"]


@pytest.mark.parametrize("kind", ["array", "chunked", "batch", "list", "view", "large"])
def test_every_kind_of_column(kind: str, table: Any, validator: lacre.Validator) -> None:
    column = table["content"]
    given: Any = {
        "array": lambda: column.combine_chunks(),
        "chunked": lambda: pa.chunked_array([column.combine_chunks()[:2], column.combine_chunks()[2:]]),
        "batch": lambda: table.combine_chunks().to_batches()[0],
        "list": lambda: column.to_pylist(),
        "view": lambda: column.cast(pa.binary_view()),
        "large": lambda: column.cast(pa.large_binary()),
    }[kind]()
    assert lacre.arrow.validate(given, validator, at=AT)["indication"].to_pylist() == INDICATIONS


def test_pandas(table: Any, validator: lacre.Validator) -> None:
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    frame = pandas.DataFrame({"path": NAMES, "content": table["content"].to_pylist()})
    for given in (frame["content"], frame):
        judged = lacre.arrow.validate(given, validator, at=AT).to_pandas()
        assert [None if pandas.isna(one) else one for one in judged["indication"]] == INDICATIONS
    missing = lacre.arrow.validate(pandas.Series([b"x", None, float("nan")]), validator)
    assert missing["error_code"].to_pylist() == ["UNKNOWN_FORMAT", "NO_DOCUMENT", "NO_DOCUMENT"]


def test_polars(table: Any, validator: lacre.Validator) -> None:
    polars = pytest.importorskip("polars", reason="needs polars")
    frame = polars.DataFrame({"path": NAMES, "content": table["content"].to_pylist()})
    for given in (frame["content"], frame):
        judged = polars.from_arrow(lacre.arrow.validate(given, validator, at=AT))
        assert judged["indication"].to_list() == INDICATIONS


def test_nothing_gives_an_empty_table(validator: lacre.Validator) -> None:
    empty: list[Any] = [[], pa.table({"content": pa.array([], pa.binary())})]
    for given in empty:
        judged = lacre.arrow.validate(given, validator)
        assert judged.num_rows == 0
        assert judged.schema == lacre.arrow.schema()


def test_more_rows_than_a_batch_stay_in_their_order(documents: Path, validator: lacre.Validator) -> None:
    count = 3 * lacre.arrow.BATCH + 1
    contents = [(documents / "not-signed.pdf").read_bytes(), b"", None]
    given = pa.table({"content": [contents[at % 3] for at in range(count)], "path": [str(at) for at in range(count)]})
    judged = lacre.arrow.validate(given, validator, path="path", keep=[], threads=3)
    assert judged["path"].to_pylist() == given["path"].to_pylist()
    assert judged["indication"].to_pylist() == [("NO_SIGNATURE_FOUND", None, None)[at % 3] for at in range(count)]
    assert max(batch.num_rows for batch in judged.to_batches()) <= lacre.arrow.BATCH


def test_several_threads_work(table: Any, validator: lacre.Validator, monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[int] = set()
    together = threading.Barrier(2, timeout=60)

    class Seen(_rows.Work):
        def __call__(self, task: _rows.Task) -> _rows.Row:
            used.add(threading.get_ident())
            together.wait()
            return super().__call__(task)

    monkeypatch.setattr(lacre.arrow, "Work", Seen)
    assert lacre.arrow.validate(table, validator, at=AT, threads=2)["indication"].to_pylist() == INDICATIONS
    assert len(used) == 2


def test_wrong_arguments_are_errors_of_the_call(table: Any, validator: lacre.Validator) -> None:
    with pytest.raises(ValueError, match="found no column 'bytes', expected one of 'path', 'content'"):
        lacre.arrow.validate(table, validator, column="bytes")
    with pytest.raises(ValueError, match="found 'path' in `keep`"):
        lacre.arrow.validate(table, validator, keep=["path"])
    with pytest.raises(TypeError, match="found int64 as column 'day', expected bytes"):
        lacre.arrow.validate(table, validator, column="day")
    with pytest.raises(TypeError, match=r"lacre\.validate is for one"):
        lacre.arrow.validate("contract.pdf", validator)
    with pytest.raises(TypeError, match="as the password"):
        lacre.arrow.validate(table, validator, password=7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="as a moment"):
        lacre.arrow.validate(table, validator, at="tomorrow")


def test_a_text_that_is_no_utf8_is_a_row(validator: lacre.Validator) -> None:
    broken = pa.array([b"a\xff.pdf"]).view(pa.string())
    judged = lacre.arrow.validate(pa.table({"content": [b"x"], "path": broken}), validator, path="path")
    assert judged["path"].to_pylist() == ["a\N{REPLACEMENT CHARACTER}.pdf"]
    assert lacre.arrow.validate(broken, validator)["error_code"].to_pylist() == ["FILE"]


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("0001-01-01T00:00:00Z", None),
        ("1899-12-31T23:59:59Z", None),
        ("2262-01-01T00:00:00Z", None),
        ("1900-01-01T00:00:00Z", 1900),
    ],
)
def test_moments_that_engines_do_not_agree_on_are_nothing(text: str, year: int | None) -> None:
    moment = _rows._moment(text)
    assert (moment and moment.year) == year


def test_what_is_unforeseen_is_a_row(validator: lacre.Validator, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(lacre.Validator, "validate", fails)
    row = lacre.arrow.validate([b"x"], validator).to_pylist()[0]
    assert (row["error_code"], row["error_message"]) == ("INTERNAL", "RecursionError: too deep")
