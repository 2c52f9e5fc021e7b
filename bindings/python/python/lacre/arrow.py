"""Columns of documents in, tables of verdicts out: Arrow, pandas, polars. Needs `pip install lacre[arrow]`.

>>> import lacre, lacre.arrow
>>> validator = lacre.Validator(trust_anchors="root.der")
>>> table = lacre.arrow.validate(["contract.pdf", "not-signed.pdf", None], validator, at="2027-01-01")
>>> table["indication"].to_pylist(), table["error_code"].to_pylist()
(['TOTAL-PASSED', 'NO_SIGNATURE_FOUND', None], [None, None, 'NO_DOCUMENT'])

A table has a row a document, in their order: `to_pandas()`, `polars.from_arrow(table)` and DuckDB (`from table`) read it. What
cannot be read is a row with an `error_code`, and never ends the call.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any

import pyarrow as pa  # type: ignore[import-not-found,import-untyped,unused-ignore]

from ._rows import Row, Task, Work
from ._time import Moment, from_millis, millis
from ._validator import Validator

__all__ = ["schema", "validate"]

BATCH = 256
"""How many rows a batch of a table has at most."""
BATCH_BYTES = 8 << 20
"""From how many bytes of JSON reports on a batch is full."""
AHEAD = 64
"""How many documents a thread may be ahead of the first that is not done."""

_MOMENT = pa.timestamp("us", tz="UTC")
_FINDING = pa.struct([pa.field(name, pa.string()) for name in ("severity", "check", "subject", "message", "compared")])
_SIGNATURE = pa.struct(
    [
        *(pa.field(name, pa.string()) for name in ("id", "parent", "file", "field", "format", "level", "indication")),
        *(pa.field(name, pa.string()) for name in ("sub_indication", "qualification", "signer", "certificate_sha256")),
        pa.field("signing_time", _MOMENT),
        pa.field("best_signature_time", _MOMENT),
        pa.field("findings", pa.list_(_FINDING)),
    ]
)


def schema(*, report: bool = False) -> pa.Schema:
    """Columns of the table of verdicts; with `report` the last one is the JSON report (`lacre-report/2`).

    - `path`: what the document is called, of the column that `path` names, or the path itself.
    - `indication`: the worst over all signatures, as `lacre.Report.indication`; nothing where there is an error.
    - `sub_indication`: that of the first signature with this indication.
    - `format`, `container`, `size` (bytes), `sha256`: of the document, as `lacre.DocumentInfo`.
    - `validation_time`: the moment as of which it was judged.
    - `signatures`: a list, in it for each signature `id`, `parent` (the signature that it counter-signs), `file`, `field`,
      `format`, `level`, `indication`, `sub_indication`, `qualification`, `signer` (the name), `certificate_sha256`,
      `signing_time` (claimed), `best_signature_time` (proven), `findings` (`severity`, `check`, `subject`, `message`,
      `compared`), all as `lacre.Signature` has them. Nothing where there is an error.
    - `error_code`, `error_message`, `error_hint`: why there is no verdict. A code is one of `lacre.ErrorCode`, or `NO_DOCUMENT`
      (there was no value), `FILE` (it cannot be opened), `PROCESS_ENDED` (it ended the process that read it; Spark only).
    - `milliseconds`: how long it took.

    A moment before 1900 or after 2261 is nothing here, since engines do not agree on those; the JSON report has it.

    >>> import lacre.arrow
    >>> lacre.arrow.schema(report=True).names[:3], lacre.arrow.schema(report=True).names[-1]
    (['path', 'indication', 'sub_indication'], 'report')
    """
    text, moment = pa.string(), _MOMENT
    columns = [
        ("path", text),
        ("indication", text),
        ("sub_indication", text),
        ("format", text),
        ("container", text),
        ("size", pa.int64()),
        ("sha256", text),
        ("validation_time", moment),
        ("signatures", pa.list_(_SIGNATURE)),
        ("error_code", text),
        ("error_message", text),
        ("error_hint", text),
        ("milliseconds", pa.float64()),
    ]
    return pa.schema([*columns, ("report", text)] if report else columns)


def validate(
    documents: Any,
    validator: Validator,
    *,
    at: Moment | None = None,
    column: str = "content",
    path: str | None = None,
    contents: str | None = None,
    keep: Sequence[str] = (),
    password: str | bytes | None = None,
    report: bool = False,
    threads: int | None = None,
) -> pa.Table:
    """Validates a column of documents: bytes, or paths of files, which are opened where they are (large ones are mapped).

    `documents` is a column or a table of Arrow, pandas or polars, or a list; of a table `column` is the one with the documents,
    `path` the one with their names (without it, paths are their own names, and bytes have none), `contents` one with detached
    contents: maps or lists of pairs, from names to bytes or paths. Columns in `keep` are in the result, too, after its own.

    All are judged as of `at` (default: the moment of the call), by `threads` threads (default: one a core), without the GIL.
    An error of one document is its row; wrong arguments are a `TypeError` or `ValueError`. Columns: `schema`.
    """
    table = _table(documents, column)
    for name in (column, path, contents, *keep):
        if name is not None and name not in table.column_names:
            raise ValueError(f"found no column {name!r}, expected one of {', '.join(map(repr, table.column_names))}")
    if not is_text(table.schema.field(column).type) and not is_bytes(table.schema.field(column).type):
        raise TypeError(f"found {table.schema.field(column).type} as column {column!r}, expected bytes, or paths")
    own = result(table.schema, keep, report=report)
    work = Work(validator, from_millis(millis(at)), password, report)
    count = threads or os.cpu_count() or 1
    made: list[pa.RecordBatch] = []
    with ThreadPoolExecutor(count) as pool:
        for batch in table.to_batches():
            rows = _ahead(pool, work, Documents(batch, column, path, contents), AHEAD * count)
            made += batches(rows, batch, keep, own)
    return pa.Table.from_batches(made, schema=own)


def result(given: pa.Schema, keep: Sequence[str], *, report: bool) -> pa.Schema:
    """Columns of a result: its own, and those that are kept."""
    own = schema(report=report)
    taken = [name for name in keep if name in own.names]
    if taken:
        raise ValueError(f"found {taken[0]!r} in `keep`, expected other names than those of the result: {', '.join(own.names)}")
    return pa.schema([*own, *(given.field(name) for name in keep)])


class Documents:
    """Documents of a batch. Bytes are copied when a document is asked for, so that few copies are there at a time."""

    def __init__(self, batch: pa.RecordBatch, column: str, path: str | None, contents: str | None) -> None:
        self._documents = batch.column(column)
        self._names = None if path is None else batch.column(path)
        self._contents = None if contents is None else batch.column(contents)

    def __len__(self) -> int:
        return len(self._documents)

    def __getitem__(self, at: int) -> Task:
        document = _value(self._documents[at])
        name = _value(self._names[at]) if self._names is not None else document if isinstance(document, str) else None
        return Task(name, document, () if self._contents is None else _pairs(self._contents[at]))


def batches(rows: Iterable[Row], source: pa.RecordBatch, keep: Sequence[str], own: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Batches of the rows of a batch of documents, small ones, so that reports do not pile up."""
    columns = pa.schema([field for field in own if field.name not in keep])
    start, rest = 0, iter(rows)
    while True:
        pending: list[Row] = []
        size = 0
        for row in islice(rest, BATCH):
            pending.append(row)
            size += len(row.get("report") or "")
            if size >= BATCH_BYTES:
                break
        if not pending:
            return
        made = pa.RecordBatch.from_pylist(pending, schema=columns)
        kept = [source.column(name).slice(start, len(pending)) for name in keep]
        yield pa.RecordBatch.from_arrays([*made.columns, *kept], schema=own)
        start += len(pending)


def is_text(type: pa.DataType) -> bool:
    """Whether values are texts: paths."""
    return bool(pa.types.is_string(type) or pa.types.is_large_string(type) or pa.types.is_string_view(type))


def is_bytes(type: pa.DataType) -> bool:
    """Whether values are bytes: documents."""
    kinds = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view, pa.types.is_fixed_size_binary)
    return any(kind(type) for kind in kinds)


def _value(scalar: Any) -> Any:
    """A value; a text that is no UTF-8, which Spark does not exclude, with U+FFFD in it."""
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return scalar.as_buffer().to_pybytes().decode("utf-8", "replace")


def _pairs(scalar: Any) -> list[tuple[Any, Any]]:
    """Contents of a value: a map comes as pairs, a list of structs as dictionaries of two. What is none of it has no name."""
    try:
        value = scalar.as_py() or ()
    except UnicodeDecodeError:
        return [(None, None)]
    pairs = [tuple(one.values()) if isinstance(one, dict) else one for one in value]
    return [one if isinstance(one, tuple) and len(one) == 2 else (None, None) for one in pairs]


def _table(documents: Any, column: str) -> pa.Table:
    """A table of what is given."""
    if isinstance(documents, pa.RecordBatch):
        return pa.Table.from_batches([documents])
    if isinstance(documents, pa.Table):
        return documents
    if hasattr(documents, "columns") and hasattr(documents, "__arrow_c_stream__"):
        return pa.table(documents)
    if isinstance(documents, (str, bytes, os.PathLike)):
        raise TypeError(f"found {type(documents).__name__}, expected a column or table of documents: lacre.validate is for one")
    if not isinstance(documents, (pa.Array, pa.ChunkedArray)):
        documents = _column(documents)
    return pa.table({column: documents})


def _column(documents: Any) -> Any:
    """A column of a Series of pandas or polars, or of a list."""
    if hasattr(documents, "__arrow_c_stream__"):
        return pa.chunked_array(documents)
    if isinstance(documents, Iterable) and not hasattr(documents, "dtype"):
        documents = [os.fspath(one) if isinstance(one, os.PathLike) else one for one in documents]
    made = pa.array(documents, from_pandas=True)
    # Nothing but missing values has no type of its own.
    return made.cast(pa.binary()) if pa.types.is_null(made.type) else made


def _ahead(pool: ThreadPoolExecutor, work: Work, documents: Documents, ahead: int) -> Iterator[Row]:
    """Rows in the order of the documents, while threads are ahead of the first that is not done."""
    running: deque[Future[Row]] = deque()
    for at in range(len(documents)):
        running.append(pool.submit(lambda at: work(documents[at]), at))
        if len(running) >= ahead:
            yield running.popleft().result()
    while running:
        yield running.popleft().result()
