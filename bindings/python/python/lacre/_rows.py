"""Verdicts as rows of tables: a row a document, in plain values. What goes wrong with one document is its row."""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from typing import Any, NamedTuple

from ._errors import Error
from ._input import document, name_of
from ._time import from_text
from ._validator import Validator
from ._words import ErrorCode

Row = dict[str, Any]

HELD = (datetime(1900, 1, 1, tzinfo=timezone.utc), datetime(2262, 1, 1, tzinfo=timezone.utc))
"""Moments that every engine holds: before, calendars differ and Spark refuses to write them; later ones wrap around in
nanoseconds. A signer may claim any moment.
"""

BLANK: Row = dict.fromkeys(
    (
        "path",
        "indication",
        "sub_indication",
        "format",
        "container",
        "size",
        "sha256",
        "validation_time",
        "signatures",
        "error_code",
        "error_message",
        "error_hint",
        "milliseconds",
    )
)


class Task(NamedTuple):
    """A document to be validated."""

    path: str | None
    """What its row is called; the file name in it is that of the report."""
    document: bytes | str | None
    """Its bytes, or the path of its file."""
    contents: Iterable[tuple[Any, Any]] = ()
    """Detached contents by name."""


class Work:
    """What is done to each document."""

    def __init__(self, validator: Validator, at: datetime, password: str | bytes | None, report: bool) -> None:
        # What is wrong with the password is wrong with the call, and not with each document.
        document(b"", None, (), password)
        self._validator = validator
        self._at = at
        self._password = password
        self._report = report

    def __call__(self, task: Task) -> Row:
        """Its row. No document makes it raise anything but what ends the process."""
        started = time.perf_counter()
        row = self.blank(task)
        try:
            row.update(self._judged(task))
        except Error as error:
            row.update(failed(str(error.code), str(error), error.hint))
        except OSError as error:
            row.update(failed("FILE", str(error), "is it there, and may this process read it?"))
        except Exception as error:
            row.update(
                failed("INTERNAL", f"{type(error).__name__}: {error}", "please report it, with the document where you may")
            )
        row["milliseconds"] = (time.perf_counter() - started) * 1000
        return row

    def blank(self, task: Task) -> Row:
        """Its row before anything is known."""
        return {**BLANK, "path": task.path, "validation_time": self._at, **({"report": None} if self._report else {})}

    def _judged(self, task: Task) -> Row:
        given = task.document
        if given is None:
            return failed("NO_DOCUMENT", "found no value, expected bytes or a path", None)
        if isinstance(given, str):
            given = regular(given)
        contents = [_content(name, content) for name, content in task.contents]
        name = name_of(given) if isinstance(given, str) else None if task.path is None else name_of(task.path)
        report = self._validator.validate(given, at=self._at, name=name, contents=contents, password=self._password)
        text = report.to_json()
        row = verdict(json.loads(text))
        if self._report:
            row["report"] = text
        return row


def failed(code: str, message: str, hint: str | None) -> Row:
    """What a row says of an error."""
    return {"error_code": code, "error_message": message, "error_hint": hint}


def regular(path: str) -> str:
    """The path of a file of this machine, also in the form of Hadoop. What is no regular file might never end, or block."""
    if path.startswith("file:/"):
        rest = path.removeprefix("file:")
        if rest.startswith("//") and not rest.startswith("///"):
            raise OSError(f"{path}: found a host in the path, expected that of a file on this machine")
        # As Hadoop writes it: nothing in it is percent-encoded.
        path = "/" + rest.lstrip("/")
    if "://" in path or "\0" in path:
        raise OSError(f"{path!r}: found no path, expected that of a file on this machine")
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(f"{path}: found a folder or device, expected a regular file")
    return path


def _content(name: Any, content: Any) -> tuple[str, bytes | str]:
    if not isinstance(name, str) or not isinstance(content, (bytes, str)):
        raise Error(ErrorCode.INVALID_ARGUMENT, "found a content without its name or value, expected both")
    return name, regular(content) if isinstance(content, str) else content


def verdict(report: Mapping[str, Any]) -> Row:
    """What a row says of a report (`lacre-report/2`)."""
    about, indication = report["document"], report["conclusion"]["indication"]
    return {
        "indication": indication,
        "sub_indication": _reason(report, indication),
        "format": about["format"],
        "container": about["container"],
        "size": about["size"],
        "sha256": about["sha256"],
        "signatures": [_signature(one) for one in report["signatures"]],
    }


def _reason(report: Mapping[str, Any], indication: str) -> str | None:
    """The sub-indication of the first token that the document's indication is of."""
    tokens = report["signatures"] or [*report["timestamps"], *report["evidence_records"]]
    deciding = (one for one in tokens if indication in (one["indication"], f"TOTAL-{one['indication']}"))
    reason: str | None = next((one["sub_indication"] for one in deciding), None)
    return reason


def _signature(one: Mapping[str, Any]) -> Row:
    signer, certificate = one["signer"], one["signing_certificate"]
    return {
        "id": one["id"],
        "parent": one["parent"],
        "file": one["file"],
        "field": one["field"],
        "format": one["format"],
        "level": one["level"],
        "indication": one["indication"],
        "sub_indication": one["sub_indication"],
        "qualification": one["qualification"],
        "signer": signer and signer["name"],
        "certificate_sha256": certificate and certificate["sha256"],
        "signing_time": _moment(one["claimed_signing_time"]),
        "best_signature_time": _moment(one["best_signature_time"]),
        "findings": [_finding(each) for each in one["findings"]],
    }


def _finding(one: Mapping[str, Any]) -> Row:
    return {name: one.get(name) for name in ("severity", "check", "subject", "message", "compared")}


def _moment(text: str | None) -> datetime | None:
    moment = None if text is None else from_text(text)
    return moment if moment and HELD[0] <= moment < HELD[1] else None
