"""Judges an archive by Spark, portion by portion. Started again, whatever ended it, it goes on with the missing portions.

python validate_archive.py ARCHIVE VERDICTS [--kind files|paths|parquet] [--master local[2,4]] [--at MOMENT]
    [--trust-anchor FILE]… [--trusted-lists FILE] [--entries 5] [--report] [--conf NAME=VALUE]…

Each entry of the folder ARCHIVE, a folder of files or a Parquet file, belongs to one portion, and each portion is one job that
writes one folder, VERDICTS/portion=000/. Spark puts `_SUCCESS` there when all of it is written, so a folder without it is
written anew.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

import lacre.spark


def portions(archive: Path, entries: int) -> Iterator[tuple[str, list[str]]]:
    """Names of portions, and the entries of each."""
    found = sorted(str(path) for path in archive.iterdir())
    for first in range(0, len(found), entries):
        yield f"portion={first // entries:03}", found[first : first + entries]


def documents(session: SparkSession, kind: str, entries: list[str]) -> DataFrame:
    """Documents of some entries: bytes in `content`; or, of the kind `paths`, names alone, which workers open."""
    if kind == "parquet":
        return session.read.parquet(*entries)
    files = [path for entry in entries for path in sorted(Path(entry).iterdir())]
    if kind == "paths":
        return session.createDataFrame([(str(path),) for path in files], "path string").repartition(len(files) // 64 + 1)
    found = session.read.format("binaryFile").load(entries).select("path", "content")
    # Spark says nothing of them: it reads no empty files, and none whose names begin like this.
    unseen = [path for path in files if path.stat().st_size == 0 or path.name.startswith((".", "_"))]
    rows = [(f"file:{path}", path.read_bytes()) for path in unseen]
    return found.unionByName(session.createDataFrame(rows, found.schema)) if rows else found


def session(given: argparse.Namespace) -> SparkSession:
    """A session with what this needs."""
    builder = SparkSession.builder.master(given.master).appName("lacre")
    settings = {
        **lacre.spark.SETTINGS,
        # Tasks of seconds: 16 MB of Parquet, or 64 files, each counted as its bytes and a quarter of a megabyte.
        "spark.sql.files.maxPartitionBytes": "16m",
        "spark.sql.files.openCostInBytes": "256k",
        "spark.ui.enabled": "false",
        **dict(one.split("=", 1) for one in given.conf),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def main() -> None:
    """Reads the arguments, and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("verdicts", type=Path)
    parser.add_argument("--kind", choices=("files", "paths", "parquet"), default="files")
    parser.add_argument("--master", default="local[2,4]")
    parser.add_argument("--at")
    parser.add_argument("--trust-anchor", action="append", default=[])
    parser.add_argument("--trusted-lists")
    parser.add_argument("--entries", type=int, default=5)
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--conf", action="append", default=[])
    given = parser.parse_args()

    spark = session(given)
    started = time.monotonic()
    for name, entries in portions(given.archive, given.entries):
        folder = given.verdicts / name
        if (folder / "_SUCCESS").exists():
            print(f"{name}: there already", flush=True)
            continue
        verdicts = lacre.spark.validate(
            documents(spark, given.kind, entries),
            "path" if given.kind == "paths" else "content",
            at=given.at,
            trust_anchors=given.trust_anchor,
            trusted_lists=given.trusted_lists,
            report=given.report,
        )
        verdicts.write.mode("overwrite").parquet(str(folder))
        print(f"{name}: written after {time.monotonic() - started:.1f} s", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
