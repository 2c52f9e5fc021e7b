"""Makes an archive to try things on: the example documents, and those of a corpus, again and again under names of their own.

python make_documents.py OUT [--count 20000] [--corpus FOLDER]

OUT/files/000/00017-contract.pdf …    a thousand files a folder: what `binaryFile` reads
OUT/parquet/000.parquet …             the same, columns `path` (000/00017-contract.pdf) and `content`: a thousand rows a file
…/files/poison/…, …/parquet/poison.parquet    ten that are meant to break whatever reads them

The same arguments give the same archive. Files of one source are hard links to one copy.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import shutil
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

EXAMPLES = Path(__file__).resolve().parents[1] / "documents"
ENDINGS = {".pdf", ".xml", ".p7m", ".p7s", ".asice", ".asics", ".sce", ".scs", ".bdoc", ".ddoc", ".json", ".tst"}
LARGEST = 200_000
FOLDER = 1000
ROW_GROUP = 128


def sources(corpus: Path | None) -> list[Path]:
    """Documents to repeat, in the order of their paths; signed ones of the examples first."""
    own = [
        EXAMPLES / name for name in ("contract.pdf", "contract-tampered.pdf", "revoked.pdf", "not-signed.pdf", "letter.txt.p7s")
    ]
    found = (path for path in corpus.rglob("*") if path.suffix.lower() in ENDINGS) if corpus else ()
    return own + sorted(path for path in found if path.is_file() and path.stat().st_size <= LARGEST)


def poison() -> dict[str, bytes]:
    """Ten documents that are meant to break whatever reads them."""
    contract = (EXAMPLES / "contract.pdf").read_bytes()
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.etsi.asic-e+zip")
        archive.writestr("META-INF/signatures.xml", b"<" * (400 << 20))
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    return {
        "bomb.asice": bomb.getvalue(),
        "deep.json": b"[" * 1_000_000,
        "deep.p7m": b"\x30\x80" * 500_000,
        "deep.xml": b"<a>" * 300_000,
        "empty.pdf": b"",
        "encrypted.pdf": (EXAMPLES / "encrypted.pdf").read_bytes(),
        "entities.xml": f'<!DOCTYPE a [<!ENTITY e0 "e">{entities}]><a>&e11;</a>'.encode(),
        "noise.pdf": b"%PDF-1.7\n" + random.Random(14).randbytes(200_000),
        "objects.pdf": b"%PDF-1.7\n" + b"1 0 obj<</Length 9 0 R/Parent 1 0 R>>stream\n" * 50_000,
        "truncated.pdf": contract[: len(contract) * 2 // 3],
    }


def write(path: Path, rows: dict[str, bytes]) -> None:
    """A Parquet file of documents."""
    schema = pa.schema([("path", pa.string()), ("content", pa.binary())])
    pq.write_table(pa.table([list(rows), list(rows.values())], schema=schema), path, row_group_size=ROW_GROUP)


def make(out: Path, count: int, corpus: Path | None) -> None:
    """The archive."""
    shutil.rmtree(out, ignore_errors=True)
    kept = out / "sources"
    kept.mkdir(parents=True)
    own = []
    for at, source in enumerate(sources(corpus)):
        own.append((kept / f"{at:05}", source.name))
        shutil.copyfile(source, own[-1][0])
    (out / "parquet").mkdir()
    (out / "files" / "poison").mkdir(parents=True)
    for name, content in poison().items():
        (out / "files" / "poison" / name).write_bytes(content)
    write(out / "parquet" / "poison.parquet", {f"poison/{name}": content for name, content in poison().items()})
    for first in range(0, count, FOLDER):
        folder = out / "files" / f"{first // FOLDER:03}"
        folder.mkdir(parents=True)
        rows = {}
        for number in range(first, min(first + FOLDER, count)):
            source, name = own[number % len(own)]
            path = folder / f"{number:05}-{name}"
            os.link(source, path)
            rows[f"{folder.name}/{path.name}"] = source.read_bytes()
        write(out / "parquet" / f"{folder.name}.parquet", rows)
    print(f"{out}: {count} documents of {len(own)} sources, and 10 poisonous ones")


def main() -> None:
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--corpus", type=Path)
    given = parser.parse_args()
    make(given.out, given.count, given.corpus)


if __name__ == "__main__":
    main()
