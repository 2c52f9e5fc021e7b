"""Going online: what a verdict lacks is fetched, within bounds, from public addresses only.

    import lacre.online

    lists = lacre.online.update_lists()
    report = lacre.online.validate("contract.pdf", trusted_lists=lists)

Addresses come from documents and certificates, so an attacker may have chosen them: only `http` and `https` are used,
each redirect is checked, and no private address is asked unless it is allowed. Bounds are those of the command.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from . import _lacre
from ._errors import Error
from ._input import Contents, Source, document, sources
from ._model import Wanted
from ._report import Frozen, Report
from ._time import Moment, millis
from ._trust import TrustedLists, default_folder
from ._validator import Validator
from ._wanted import Asked, Fetch, read
from ._words import ErrorCode, WantedKind

__all__ = ["Fetcher", "ListOutcome", "Updated", "update", "update_lists", "validate"]

_ROUNDS = 6
_document = document


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOutcome:
    """What came of one list."""

    url: str
    territory: str | None
    outcome: str
    """`unchanged`, `updated`, `kept` (the copy at hand), or `missing`."""
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Updated:
    """What came of an update of trusted lists."""

    folder: str
    lists: tuple[ListOutcome, ...]
    alerts: tuple[str, ...]
    """Changes that a person should check: of those who may sign the list of lists, or of where they are published."""

    @property
    def complete(self) -> bool:
        """Whether every list is there, at least as an older copy."""
        return bool(self.lists) and all(one.outcome != "missing" for one in self.lists)


class Fetcher(Frozen):
    """Fetches over HTTP, and is a `fetch` callable: one serves a whole process, and any number of threads."""

    __slots__ = ()

    @staticmethod
    def make(
        *, allow: Iterable[str] = (), cache: str | os.PathLike[str] | None = None, authorities: Iterable[str] = ()
    ) -> Fetcher:
        """Makes one. `allow` are addresses of the own network that may be asked, too; `cache` is a folder in which
        answers are kept as long as HTTP allows; `authorities` are addresses that give time-stamps, the first that answers
        is taken.
        """
        made = Fetcher._around(_lacre.Fetcher(list(allow), None if cache is None else os.fspath(cache)))
        made._kept()["authorities"] = list(authorities)
        return made

    def __call__(self, wanted: Wanted) -> bytes | None:
        """Gets what is wanted; `None` where none of its addresses gives it."""
        if wanted.kind is WantedKind.TIMESTAMP:
            return bytes(self._inner.timestamp(self._kept()["authorities"], wanted.digest_algorithm, wanted.imprint))
        for url in wanted.urls:
            try:
                return bytes(self._inner.fetch(url, wanted.content_type, wanted.request))
            except Error as error:
                if error.code is not ErrorCode.FETCH:
                    raise
        return None

    def timestamp(self, data: bytes, digest_algorithm: str = "SHA-256") -> bytes:
        """A time-stamp token over data, of the first authority that gives one."""
        digest = hashlib.new(digest_algorithm.replace("-", "").lower(), data).digest()
        return bytes(self._inner.timestamp(self._kept()["authorities"], digest_algorithm, digest))

    def __repr__(self) -> str:
        return "<lacre.online.Fetcher>"


def validate(
    document: Source,
    *,
    at: Moment | None = None,
    validator: Validator | None = None,
    fetch: Fetch | None = None,
    name: str | None = None,
    contents: Contents = (),
    password: str | bytes | None = None,
    **trust: Any,
) -> Report:
    """Validates a document, fetches the issuers, OCSP responses and CRLs that are missing, and validates again with them.

    Whom to trust is said by `validator`, or by the arguments of `Validator`. `fetch` gets what is wanted: a `Fetcher`
    (default), or any function. Without `at` each judgement is for its own moment, since what is fetched is newer than the
    one before. What was looked for in vain stands in `Report.wanted`.
    """
    if validator is None:
        validator = Validator(**trust)
    elif trust:
        raise TypeError(f"found a validator and {', '.join(trust)}, expected one of them")
    file = _document(document, name, contents, password)
    fetch = Fetcher.make() if fetch is None else fetch
    if isinstance(fetch, Fetcher):
        return Report._around(fetch._inner.validate(validator._inner, file, None if at is None else millis(at))[0])
    inner = validator._inner
    report = inner.validate(file, millis(at))
    asked = Asked()
    for _ in range(_ROUNDS):
        found = []
        for want in asked.next(read(report.wanted())):
            answer = fetch(want)
            if answer is None:
                asked.vain(want, "it gave nothing")
            else:
                found.append(bytes(answer))
        if not found:
            break
        inner = inner.with_evidence(found)
        report = inner.validate(file, millis(at))
    if asked.attempts:
        told = [(one["kind"], one["about"], one["url"], one["reason"]) for one in asked.attempts]
        report = report.with_attempts(told)
    return Report._around(report)


def update(
    folder: str | os.PathLike[str] | None = None,
    *,
    signers: Source | Iterable[Source] = (),
    list_of_lists: str | None = None,
    patience: int = 60,
    fetcher: Fetcher | None = None,
) -> Updated:
    """Fetches the list of lists, and every list that it points at, into a folder; what is not good leaves the copy at hand.

    The folder is that of the command by default: `LACRE_TRUSTED_LISTS`, else `~/.local/share/lacre/lists`. `patience` is
    how many seconds one list may take.
    """
    into = default_folder() if folder is None else folder
    if into is None:
        raise ValueError("found no folder of trusted lists, and HOME names none; expected one")
    fetcher = Fetcher.make() if fetcher is None else fetcher
    lists, alerts = fetcher._inner.update_lists(os.fspath(into), sources(signers, "signers"), list_of_lists, patience)
    told = tuple(ListOutcome(url=url, territory=land, outcome=came, message=why) for url, land, came, why in lists)
    return Updated(folder=os.fspath(into), lists=told, alerts=tuple(alerts))


def update_lists(
    folder: str | os.PathLike[str] | None = None,
    *,
    signers: Source | Iterable[Source] = (),
    list_of_lists: str | None = None,
    patience: int = 60,
    fetcher: Fetcher | None = None,
) -> TrustedLists:
    """Updates a folder of trusted lists, as `update` does, and loads it: the two lines with which most programs begin.

    Raises `lacre.Error` where the list of lists could not be had, and no good copy is at hand.
    """
    updated = update(folder, signers=signers, list_of_lists=list_of_lists, patience=patience, fetcher=fetcher)
    if not updated.lists or updated.lists[0].outcome == "missing":
        why = updated.lists[0].message if updated.lists else "nothing came"
        raise Error(ErrorCode.FETCH, f"the list of lists: {why}", "lacre.TrustedLists.load() takes a folder or a snapshot")
    return TrustedLists.load(updated.folder, signers=signers)
