"""Compares verdicts of Spark with those of the command, `lacre validate … --format json`, by pandas and by DuckDB.

python compare.py VERDICTS RESULTS.jsonl

Documents are matched by their file names. Where the table has the column `report`, it has to be the command's, byte for byte.
"""

from __future__ import annotations

import collections
import json
import sys
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

MEMBERS = ("id", "parent", "file", "field", "format", "level", "indication", "sub_indication", "qualification")
FINDING = ("severity", "check", "subject", "message", "compared")


def command(results: Path) -> dict[str, tuple[Any, str]]:
    """What the command says of each file: its object, and the line, by the file's name."""
    found = {}
    with results.open(encoding="utf-8") as lines:
        for line in lines:
            one = json.loads(line)
            found[one["path"].rsplit("/", 1)[-1]] = (one, line)
    return found


def moment(value: Any) -> str | None:
    """A moment as reports have it."""
    if value is None or pd.isna(value):
        return None
    at = pd.Timestamp(value)
    return f"{at.year:04}-{at:%m-%dT%H:%M:%S}Z"


def held(text: str | None) -> str | None:
    """A moment of a report, if tables have it."""
    return text[:19] + "Z" if text and "1900" <= text[:4] < "2262" and text[4] == "-" else None


def signature(one: dict[str, Any]) -> dict[str, Any]:
    """A signature of the command's report, as the table has to have it."""
    return {
        **{name: one[name] for name in MEMBERS},
        "signer": one["signer"] and one["signer"]["name"],
        "certificate_sha256": one["signing_certificate"] and one["signing_certificate"]["sha256"],
        "signing_time": held(one["claimed_signing_time"]),
        "best_signature_time": held(one["best_signature_time"]),
        "findings": [{name: finding.get(name) for name in FINDING} for finding in one["findings"]],
    }


def plain(one: dict[str, Any]) -> dict[str, Any]:
    """A signature of the table, in the same words."""
    moments = {name: moment(one[name]) for name in ("signing_time", "best_signature_time")}
    return {**one, **moments, "findings": [dict(finding) for finding in one["findings"]]}


def difference(row: dict[str, Any], said: dict[str, Any], line: str) -> str | None:
    """What differs between a row and what the command said of the file."""
    if "error" in said:
        if row["indication"] is not None or not said["error"]["message"].endswith(row["error_message"]):
            return f"found {row['indication']} {row['error_message']}, the command has {said['error']['message']}"
        return None
    report = said["report"]
    if row["indication"] != report["conclusion"]["indication"]:
        return f"found {row['indication']} {row['error_message']}, the command has {report['conclusion']['indication']}"
    if row["sha256"] != report["document"]["sha256"]:
        return "another document"
    mine, commands = [plain(one) for one in row["signatures"]], [signature(one) for one in report["signatures"]]
    if mine != commands:
        return f"found {mine}, the command has {commands}"
    if row.get("report") and not line.endswith(f'"report":{row["report"]}}}\n'):
        return "the report is another"
    return None


def counted(query: str) -> dict[str, int]:
    """What a query of DuckDB counts."""
    return dict(duckdb.execute(query).fetchall())


def main(verdicts: str, results: str) -> int:
    """Compares, and says how much was the same."""
    table = pd.read_parquet(verdicts)
    said = command(Path(results))
    names = table["path"].str.rsplit("/", n=1).str[-1]
    missing, extra, twice = set(said) - set(names), set(names) - set(said), int(names.duplicated().sum())
    count: collections.Counter[str] = collections.Counter()
    for name, row in zip(names, table.to_dict("records"), strict=True):
        row = {key: None if isinstance(value, float) and pd.isna(value) else value for key, value in row.items()}
        if name in said:
            differs = difference(row, *said[name])
            count["same" if differs is None else "different"] += 1
            if differs and count["different"] <= 10:
                print(f"{name}: {differs[:600]}")
    print(f"{dict(count)}, missing {len(missing)}, not asked for {len(extra)}, twice {twice}")

    files = f"read_parquet('{verdicts}/*/*.parquet')"
    by_duckdb = counted(f"select coalesce(indication, 'ERROR'), count(*) from {files} group by 1")
    by_pandas = table["indication"].fillna("ERROR").value_counts().to_dict()
    by_command = collections.Counter(
        one["report"]["conclusion"]["indication"] if "report" in one else "ERROR" for one, _ in said.values()
    )
    for whose, counts in (("command", by_command), ("pandas", by_pandas), ("DuckDB", by_duckdb)):
        print(f"{whose:7} {dict(sorted(counts.items()))}")
    signatures = counted(f"select s.indication, count(*) from (select unnest(signatures) s from {files}) group by 1")
    print(f"signatures, by DuckDB: {dict(sorted(signatures.items()))}")
    same = by_duckdb == by_pandas == dict(by_command) and not (missing or extra or twice or count["different"])
    print("the same" if same else "NOT the same")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
