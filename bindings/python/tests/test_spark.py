"""DataFrames of documents in, DataFrames of verdicts out. One session for all, of two cores, which tries a task four times."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lacre
from conftest import AT
from test_trust import CACHE, lists, signers  # noqa: F401

pa = pytest.importorskip("pyarrow", reason="needs pyarrow: pip install lacre[spark]")
pytest.importorskip("pyspark", reason="needs pyspark: pip install lacre[spark]")

import pyspark.sql.functions as F  # noqa: E402, N812
from pyarrow import dataset  # noqa: E402
from pyspark.sql import DataFrame, SparkSession  # noqa: E402

import lacre.arrow  # noqa: E402
import lacre.spark  # noqa: E402
from lacre import _apart, _rows  # noqa: E402
from lacre._time import from_millis, millis  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support:FutureWarning")

NAMES = ["contract.pdf", "contract-tampered.pdf", "revoked.pdf", "not-signed.pdf", "encrypted.pdf", "README.md"]
INDICATIONS = ["TOTAL-PASSED", "TOTAL-FAILED", "INDETERMINATE", "NO_SIGNATURE_FOUND", None, None]
ENDS = b"ends the process that reads it"

# What workers run before anything else: one document ends them, and they note which validators they make.
HOOK = f"""
import os, signal, lacre
judged, made = lacre.Validator.validate, lacre.Validator.__init__
def validate(self, document, **rest):
    if document == {ENDS!r}:
        os.kill(os.getpid(), signal.SIGKILL)
    return judged(self, document, **rest)
def init(self, **rest):
    made(self, **rest)
    with open(os.path.join(os.path.dirname(__file__), "made"), "a") as file:
        file.write(f"{{os.getpid()}}\\n")
lacre.Validator.validate, lacre.Validator.__init__ = validate, init
"""


@pytest.fixture(scope="module")
def hook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hook")
    (folder / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def session(hook: Path) -> Iterator[SparkSession]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", str(hook))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        builder = (
            SparkSession.builder.master("local[2,4]").config("spark.driver.memory", "1g").config("spark.ui.enabled", "false")
        )
        for name, value in lacre.spark.SETTINGS.items():
            builder = builder.config(name, value)
        # Its Snappy takes a machine where musl is installed, too, for one of musl, and cannot be loaded.
        builder = builder.config("spark.sql.parquet.compression.codec", "gzip")
        made = builder.config("spark.sql.session.timeZone", "UTC").config("spark.sql.shuffle.partitions", "4").getOrCreate()
        made.sparkContext.setLogLevel("OFF")
        yield made
        made.stop()


@pytest.fixture(scope="module")
def trust(documents: Path) -> dict[str, Any]:
    return {"trust_anchors": documents / "root.der", "at": AT}


@pytest.fixture
def frame(session: SparkSession, documents: Path) -> DataFrame:
    rows = [(name, bytearray((documents / name).read_bytes()), at) for at, name in enumerate(NAMES)]
    return session.createDataFrame(rows, "path string, content binary, day int")


def by_path(df: DataFrame) -> dict[str | None, Any]:
    return {row.path: row for row in df.collect()}


def test_the_schema_is_that_of_arrow() -> None:
    from pyspark.sql.pandas.types import from_arrow_schema

    for report in (False, True):
        assert from_arrow_schema(lacre.arrow.schema(report=report)) == lacre.spark.schema(report=report)


def test_the_table_is_that_of_arrow(frame: DataFrame, trust: dict[str, Any], validator: lacre.Validator, tmp_path: Path) -> None:
    verdicts = lacre.spark.validate(frame, **trust, keep=["day"], report=True)
    assert verdicts.schema.names == [*lacre.spark.schema(report=True).names, "day"]
    verdicts.write.option("compression", "zstd").parquet(str(tmp_path / "verdicts"))
    read = dataset.dataset(tmp_path / "verdicts").to_table().sort_by("day")
    given = pa.table({"path": NAMES, "content": [bytes(row.content) for row in frame.sort("day").collect()]})
    expected = lacre.arrow.validate(given, validator, at=AT, path="path", report=True)
    assert read["indication"].to_pylist() == INDICATIONS
    for found, wanted in zip(read.to_pylist(), expected.to_pylist(), strict=True):
        del found["milliseconds"], found["day"], wanted["milliseconds"]
        assert found == wanted


def test_binary_files_and_their_paths(session: SparkSession, documents: Path, trust: dict[str, Any]) -> None:
    files = session.read.format("binaryFile").load(str(documents / "*.pdf"))
    by_content = lacre.spark.validate(files, **trust)
    by_name = lacre.spark.validate(files.select("path"), "path", **trust)
    columns = ["path", "indication", "sub_indication", "sha256", "error_code"]
    found = sorted(by_content.select(columns).collect())
    assert found == sorted(by_name.select(columns).collect())
    assert sorted(str(row.indication) for row in found) == sorted(map(str, INDICATIONS[:5]))


def test_a_row_a_signature(frame: DataFrame, trust: dict[str, Any]) -> None:
    signatures = (
        lacre.spark.validate(frame, **trust).select("path", F.explode_outer("signatures").alias("s")).select("path", "s.*")
    )
    found = by_path(signatures)
    assert len(found) == len(NAMES)
    assert found["contract.pdf"].signer == "Inês Silva"
    assert found["contract.pdf"].level == "PAdES-BASELINE-LT"
    assert found["README.md"].indication is None


def test_what_is_wrong_with_a_document_is_its_row(session: SparkSession, documents: Path, trust: dict[str, Any]) -> None:
    contract = bytearray((documents / "contract.pdf").read_bytes())
    contents = [None, b"", b"%PDF-1.7", b"[" * 200_000, b"<a>" * 100_000, b"\x30\x80" * 100_000, contract[:9000], b"PK\x05\x06"]
    rows = [(str(at), None if one is None else bytearray(one)) for at, one in enumerate(contents)]
    frame = session.createDataFrame([*rows, (None, contract)], "path string, content binary")
    # A name that is no UTF-8: Spark has them.
    frame = frame.union(session.sql("select cast(X'ff41' as string), X'00'"))
    found = by_path(lacre.spark.validate(frame, **trust))
    assert len(found) == 10
    assert found["0"].error_code == "NO_DOCUMENT"
    assert found[None].indication == "TOTAL-PASSED"
    assert found["\N{REPLACEMENT CHARACTER}A"].error_code == "UNKNOWN_FORMAT"
    for name, row in found.items():
        assert (row.indication is None) == (row.error_code is not None), name
        assert row.indication != "TOTAL-PASSED" or name is None


def test_a_document_that_ends_its_worker_is_a_row(session: SparkSession, frame: DataFrame, trust: dict[str, Any]) -> None:
    poison = session.createDataFrame([("poison", bytearray(ENDS), 0)], frame.schema)
    found = by_path(lacre.spark.validate(frame.union(poison).coalesce(2), **trust, report=True))
    assert [found[name].indication for name in NAMES] == INDICATIONS
    assert found["poison"].error_code == "PROCESS_ENDED"
    assert "SIGKILL" in found["poison"].error_message
    assert found["poison"].validation_time.year == 2027


def test_a_worker_makes_one_validator(session: SparkSession, frame: DataFrame, trust: dict[str, Any], hook: Path) -> None:
    many = frame.select(F.explode(F.sequence(F.lit(1), F.lit(20))).alias("n"), "content").withColumn(
        "path", F.col("n").cast("string")
    )
    # In a language of no other test: workers that are there already have no validator for it.
    verdicts = lacre.spark.validate(many.repartition(8), language="fi", **trust)
    (hook / "made").unlink(missing_ok=True)
    for _ in range(2):
        assert verdicts.select("indication").where("indication = 'TOTAL-PASSED'").count() == 20
    made = Counter((hook / "made").read_text().split())
    assert set(made.values()) == {1}
    assert len(made) <= 4


def test_goes_on_with_what_is_missing(session: SparkSession, frame: DataFrame, trust: dict[str, Any], tmp_path: Path) -> None:
    there = str(tmp_path / "verdicts")
    lacre.spark.validate(frame.where("day < 2"), **trust).write.parquet(there)
    missing = frame.join(session.read.parquet(there).select("path"), "path", "left_anti")
    assert missing.count() == len(NAMES) - 2
    lacre.spark.validate(missing, **trust).write.mode("append").parquet(there)
    found = by_path(session.read.parquet(there))
    assert [found[name].indication for name in NAMES] == INDICATIONS


def test_each_day_with_its_moment(frame: DataFrame, documents: Path) -> None:
    days = {"2026-11-20": "day < 3", "2027-01-01": "day >= 3"}
    parts = [lacre.spark.validate(frame.where(part), trust_anchors=documents / "root.der", at=day) for day, part in days.items()]
    found = by_path(parts[0].unionByName(parts[1]))
    assert found["contract.pdf"].validation_time.day == 20
    assert found["contract.pdf"].indication == "INDETERMINATE"
    assert found["not-signed.pdf"].validation_time.year == 2027


def test_all_are_judged_as_of_one_moment(frame: DataFrame, documents: Path) -> None:
    verdicts = lacre.spark.validate(frame.repartition(4), trust_anchors=documents / "root.der")
    first, second = ({row.validation_time for row in verdicts.collect()} for _ in range(2))
    assert len(first) == 1
    assert first == second


def test_arguments_are_looked_at_before_anything_runs(frame: DataFrame, trust: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="found no column 'bytes', expected one of 'path', 'content', 'day'"):
        lacre.spark.validate(frame, "bytes", **trust)
    with pytest.raises(TypeError, match="found int as column 'day', expected binary"):
        lacre.spark.validate(frame, "day", **trust)
    with pytest.raises(TypeError, match="found int as column 'day', expected string"):
        lacre.spark.validate(frame, path="day", **trust)
    with pytest.raises(ValueError, match="found 'path' in `keep`"):
        lacre.spark.validate(frame, keep=["path"], **trust)
    with pytest.raises(lacre.Error) as raised:
        lacre.spark.validate(frame, trust_anchors=b"none")
    assert raised.value.code is lacre.ErrorCode.INVALID_EVIDENCE
    with pytest.raises(lacre.Error) as raised:
        lacre.spark.validate(frame, trusted_lists=b"none")
    assert raised.value.code is lacre.ErrorCode.INVALID_TRUSTED_LISTS
    with pytest.raises(FileNotFoundError):
        lacre.spark.validate(frame, policy=tmp_path / "missing.xml")
    with pytest.raises(TypeError, match="as the password"):
        lacre.spark.validate(frame, password=7, **trust)  # type: ignore[arg-type]


def test_policy_contents_and_password(session: SparkSession, documents: Path, trust: dict[str, Any]) -> None:
    letter, signature = (bytearray((documents / name).read_bytes()) for name in ("letter.txt", "letter.txt.p7s"))
    beside = session.createDataFrame(
        [("p", signature, {"letter.txt": letter})], "path string, content binary, beside map<string,binary>"
    )
    expected = lacre.validate(bytes(signature), contents={"letter.txt": bytes(letter)}, policy="dss", name="p", **trust)
    (row,) = lacre.spark.validate(beside, contents="beside", policy="dss", report=True, **trust).collect()
    assert row.report == expected.to_json()


@pytest.mark.slow
def test_files_of_3_gb_are_mapped(session: SparkSession, documents: Path, trust: dict[str, Any], tmp_path: Path) -> None:
    large = tmp_path / "letter.txt"
    with large.open("wb") as file:
        file.truncate(3 << 30)
    given = session.createDataFrame(
        [
            (str(documents / "letter.txt.p7s"), {"letter.txt": str(large)}),
            (str(large), None),
            (str(documents / "contract.pdf"), None),
        ],
        "path string, beside map<string,string>",
    )
    found = lacre.spark.validate(given.coalesce(1), "path", contents="beside", **trust).collect()
    assert [row.sub_indication for row in found] == ["HASH_FAILURE", None, None]
    assert [row.error_code for row in found] == [None, "UNKNOWN_FORMAT", None]
    assert found[2].indication == "TOTAL-PASSED"


@pytest.mark.corpus
def test_trusted_lists_are_broadcast(session: SparkSession, corpus: Path, lists: lacre.TrustedLists, tmp_path: Path) -> None:  # noqa: F811
    path = next(corpus.rglob("pades-same-border-annotations.pdf"))
    snapshot = tmp_path / "2023.snapshot"
    snapshot.write_bytes(lists.to_snapshot())
    frame = session.createDataFrame([(str(path),)], "path string")
    expected = lacre.validate(path, trusted_lists=lists, at="2023-10-28")
    for given in (lists, snapshot, snapshot.read_bytes()):
        (row,) = lacre.spark.validate(frame, "path", trusted_lists=given, at="2023-10-28", report=True).collect()
        assert row.signatures[0].qualification == "QESIG"
        assert row.report == expected.to_json()
    assert (corpus / CACHE).is_dir()


def test_a_process_apart(validator: lacre.Validator, documents: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    judged, once = lacre.Validator.validate, tmp_path / "once"

    def ends(self: lacre.Validator, document: Any, **rest: Any) -> lacre.Report:
        if document == ENDS or (document == b"once" and not once.exists()):
            once.touch()
            os.kill(os.getpid(), signal.SIGSEGV)
        return judged(self, document, **rest)

    monkeypatch.setattr(lacre.Validator, "validate", ends)
    work = _rows.Work(validator, from_millis(millis(AT)), None, report=False)
    apart = _apart.Apart(work)
    contract = str(documents / "contract.pdf")
    given: list[bytes | str | None] = [contract, ENDS, contract, b"once", None]
    rows = [apart(_rows.Task("a", one)) for one in given]
    assert [row["indication"] for row in rows] == ["TOTAL-PASSED", None, "TOTAL-PASSED", None, None]
    assert [row["error_code"] for row in rows] == [None, "PROCESS_ENDED", None, "UNKNOWN_FORMAT", "NO_DOCUMENT"]
    assert "SIGSEGV" in rows[1]["error_message"]
    apart.close()
    apart.close()
