"""Moments: milliseconds since 1970 in the library, aware `datetime` in Python."""

from __future__ import annotations

import time
from datetime import datetime, timedelta, timezone
from functools import lru_cache

Moment = datetime | str
"""An aware `datetime`, or text as in `2027-01-01` or `2027-01-01T00:00:00Z`."""

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
FIRST = datetime.min.replace(tzinfo=timezone.utc)
LAST = datetime.max.replace(tzinfo=timezone.utc)


def millis(moment: Moment | None) -> int:
    """Milliseconds since 1970 of a moment; of now where there is none."""
    if moment is None:
        return time.time_ns() // 1_000_000
    if isinstance(moment, str):
        return _millis_of_text(moment)
    if not isinstance(moment, datetime):
        raise TypeError(f"found {type(moment).__name__} as a moment, expected an aware datetime, or text as 2027-01-01T00:00:00Z")
    if moment.utcoffset() is None:
        raise ValueError(f"found {moment.isoformat()} without a time zone, expected one: datetime.now(timezone.utc)")
    return (moment - EPOCH) // timedelta(milliseconds=1)


def seconds(moment: Moment | None) -> int:
    """The same in whole seconds, as what is signed states moments: those of one second are the same."""
    return millis(moment) // 1000 * 1000


def from_millis(count: int) -> datetime:
    """The moment so many milliseconds after 1970."""
    try:
        return EPOCH + timedelta(milliseconds=count)
    except OverflowError:
        return FIRST if count < 0 else LAST


def from_text(text: str) -> datetime:
    """The moment that a report states: RFC 3339, UTC. One beyond the years 1 to 9999 is the first or last that Python has."""
    try:
        return datetime.fromisoformat(text.removesuffix("Z")).replace(tzinfo=timezone.utc)
    except ValueError:
        return FIRST if text.startswith(("-", "0000")) else LAST


@lru_cache(maxsize=64)
def _millis_of_text(text: str) -> int:
    """One moment is asked for again and again, for one document after another."""
    return millis(_read(text))


def _read(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith(("Z", "z")) else text)
    except ValueError:
        raise ValueError(f"found {text[:64]!r} as a moment, expected one as 2027-01-01T00:00:00Z") from None
    return moment if moment.utcoffset() is not None else moment.replace(tzinfo=timezone.utc)
