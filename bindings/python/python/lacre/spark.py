"""Archives larger than one machine: Spark judges a DataFrame of documents. Needs `pip install lacre[spark]` on every node.

```py
import lacre.spark

for name, value in lacre.spark.SETTINGS.items():
    session.conf.set(name, value)
documents = session.read.format("binaryFile").load("archive/")
verdicts = lacre.spark.validate(documents, trusted_lists="2027-01-01.snapshot", at="2027-01-01", keep=["length"])
verdicts.write.mode("append").parquet("verdicts/")
```

On one machine `lacre validate` does the same with less (docs/scale.md). Spark divides, schedules, repeats what was lost and
writes; this module has nothing of it.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

import pyarrow as pa  # type: ignore[import-not-found,import-untyped,unused-ignore]
from pyspark import TaskContext
from pyspark.sql import DataFrame
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DataType,
    DoubleType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from . import arrow
from ._apart import Apart
from ._input import Source, source, sources
from ._rows import Row, Work
from ._time import Moment, from_millis, millis
from ._validator import Lists, Validator, as_lists
from ._words import Language

__all__ = ["SETTINGS", "schema", "validate"]

SETTINGS = MappingProxyType(
    {
        "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
        "spark.sql.execution.arrow.maxBytesPerBatch": "67108864",
        "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    }
)
"""Settings of a session, for `session.conf.set`.

The first two say how many documents, and how many bytes of them, go to a worker at a time. By default it is 10,000 and 2 GiB,
which is what a worker then needs in memory, and its executor again. Versions of Spark that do not know the second heed the first
alone.
The third is how moments are in Parquet: not in the form of old, which other readers round, or wrap around.
"""

VALIDATORS = 2
"""How many validators a worker keeps: one a call of `validate`, and workers go from one job to the next."""


@dataclass(frozen=True)
class Trust:
    """What makes a validator, in bytes: workers need none of the driver's files."""

    trust_anchors: tuple[bytes, ...]
    snapshot: bytes | None
    evidence: tuple[bytes, ...]
    policy: bytes | str | None
    suite: bytes | None
    language: str
    compare_pages: bool

    def validator(self) -> Validator:
        """A validator."""
        return Validator(
            trust_anchors=self.trust_anchors,
            trusted_lists=self.snapshot,
            evidence=self.evidence,
            policy=self.policy,
            suite=self.suite,
            language=self.language,
            compare_pages=self.compare_pages,
        )

    def name(self) -> str:
        """The same for the same trust."""
        return hashlib.sha256(pickle.dumps(self, protocol=4)).hexdigest()


def schema(*, report: bool = False) -> StructType:
    """Columns of the DataFrame of verdicts: those of `lacre.arrow.schema`, where they are described, as Spark has them."""
    return StructType([StructField(field.name, _type(field.type)) for field in arrow.schema(report=report)])


def validate(
    df: DataFrame,
    column: str = "content",
    *,
    path: str = "path",
    at: Moment | None = None,
    trust_anchors: Source | Iterable[Source] = (),
    trusted_lists: Lists | None = None,
    evidence: Source | Iterable[Source] = (),
    contents: str | None = None,
    keep: Sequence[str] = (),
    password: str | bytes | None = None,
    policy: Source | None = None,
    suite: Source | None = None,
    language: Language | str = Language.EN,
    compare_pages: bool = False,
    report: bool = False,
) -> DataFrame:
    """Validates a column of documents: a row a document, whatever is wrong with it. Columns: `schema`.

    `column` has bytes, or texts: paths of files that every worker can open, also `file:/…` as Spark writes them. Bytes are copied
    to the worker, and end at 2 GB, Spark's own limit; files are opened where they are, and large ones mapped. `path` is the
    column with the documents' names, `contents` one with detached contents: a map from names to bytes or paths. Columns in
    `keep` are in the result, too, after its own.

    The arguments from `trust_anchors` to `compare_pages` are those of `lacre.Validator`. They are read here, once, and become a
    broadcast variable, trusted lists as a snapshot; each worker process makes one validator of it. All documents are judged as of
    `at` (default: the moment of this call, which a job that runs for hours does not change).

    Where a task is tried again, since its worker died, each document is read in a process apart, so that one which ends it
    (`PROCESS_ENDED`) is a row, too. Spark has to be willing to try again: `spark.task.maxFailures`, by default 4, and on
    one machine `local[2,4]` in place of `local[2]`.

    Raises `lacre.Error` where the trust, policy or lists cannot be read, `ValueError` and `TypeError` where a column is not there
    or not as described; nothing has run then.
    """
    for name in (column, path, contents, *keep):
        if name is not None and name not in df.columns:
            raise ValueError(f"found no column {name!r}, expected one of {', '.join(map(repr, df.columns))}")
    if not isinstance(df.schema[column].dataType, (BinaryType, StringType)):
        raise TypeError(
            f"found {df.schema[column].dataType.simpleString()} as column {column!r}, expected binary, or string: paths"
        )
    if not isinstance(df.schema[path].dataType, StringType):
        raise TypeError(f"found {df.schema[path].dataType.simpleString()} as column {path!r}, expected string")
    own = schema(report=report)
    taken = [name for name in keep if name in own.names]
    if taken:
        raise ValueError(f"found {taken[0]!r} in `keep`, expected other names than those of the result: {', '.join(own.names)}")
    trust = Trust(
        trust_anchors=_read_each(trust_anchors, "trust_anchors"),
        snapshot=None if trusted_lists is None else as_lists(trusted_lists).to_snapshot(),
        evidence=_read_each(evidence, "evidence"),
        policy=policy if isinstance(policy, str) and policy in ("eidas", "dss") else None if policy is None else _read(policy),
        suite=None if suite is None else _read(suite),
        language=str(language),
        compare_pages=compare_pages,
    )
    moment = from_millis(millis(at))
    # What is wrong with the arguments is said here, and not by each worker.
    Work(trust.validator(), moment, password, report)
    job = Job(_everywhere(df, trust), trust.name(), column, path, contents, tuple(keep), moment, password, report)
    needed: dict[str, None] = dict.fromkeys([column, path, *([] if contents is None else [contents]), *keep])
    given = df.select(*(df[name] for name in needed))
    return given.mapInArrow(job, StructType([*own.fields, *(df.schema[name] for name in keep)]))


@dataclass(frozen=True)
class Job:
    """What a task does: batches of documents in, batches of verdicts out."""

    trust: Any
    """The broadcast variable; of Spark Connect, which has none, the trust itself."""
    name: str
    column: str
    path: str
    contents: str | None
    keep: tuple[str, ...]
    at: datetime
    password: str | bytes | None
    report: bool

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The batches of a task."""
        work = Work(self._validator(), self.at, self.password, self.report)
        task = TaskContext.get()
        again = task is not None and task.attemptNumber() > 0
        with closing(Apart(work)) if again else nullcontext(work) as judge:
            for batch in batches:
                documents = arrow.Documents(batch, self.column, self.path, self.contents)
                rows: Iterator[Row] = (judge(documents[at]) for at in range(len(documents)))
                yield from arrow.batches(rows, batch, self.keep, arrow.result(batch.schema, self.keep, report=self.report))

    def _validator(self) -> Validator:
        found = _validators.pop(self.name, None)
        if found is None:
            trust: Trust = getattr(self.trust, "value", self.trust)
            found = trust.validator()
        _validators[self.name] = found
        while len(_validators) > VALIDATORS:
            _validators.popitem(last=False)
        return found


_validators: OrderedDict[str, Validator] = OrderedDict()
"""Those of this worker process, the last used last."""


def _everywhere(df: DataFrame, trust: Trust) -> Any:
    """The trust as a broadcast variable, where the session has them."""
    try:
        return df.sparkSession.sparkContext.broadcast(trust)
    except (AttributeError, NotImplementedError):
        return trust


def _read(given: Source) -> bytes:
    found = source(given)
    if isinstance(found, bytes):
        return found
    with open(os.fsencode(found), "rb") as file:
        return file.read()


def _read_each(given: Source | Iterable[Source], what: str) -> tuple[bytes, ...]:
    return tuple(_read(one) for one in sources(given, what))


def _type(type: pa.DataType) -> DataType:
    if pa.types.is_list(type):
        return ArrayType(_type(type.value_type))
    if pa.types.is_struct(type):
        return StructType([StructField(one.name, _type(one.type)) for one in type])
    plain: dict[pa.DataType, DataType] = {pa.int64(): LongType(), pa.float64(): DoubleType(), pa.string(): StringType()}
    return plain.get(type, TimestampType())
