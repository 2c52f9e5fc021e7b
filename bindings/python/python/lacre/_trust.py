"""Trusted lists: TS 119 612."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from . import _lacre
from ._errors import Error
from ._input import Source, source, sources
from ._model import ListState, each
from ._report import Frozen
from ._time import Moment, from_millis, millis
from ._words import ErrorCode


def default_folder() -> Path | None:
    """Where the command looks for lists that no option names: `LACRE_TRUSTED_LISTS`, else the folder of the user's data."""
    named = os.environ.get("LACRE_TRUSTED_LISTS")
    if named:
        return Path(named)
    for variable, inside in (("XDG_DATA_HOME", ""), ("LOCALAPPDATA", ""), ("HOME", ".local/share")):
        folder = os.environ.get(variable)
        if folder and os.path.isabs(folder):
            return Path(folder) / inside / "lacre" / "lists"
    return None


class TrustedLists(Frozen):
    """Trusted lists, read and judged: whom the member states trust.

    To read the lists of all countries takes a second: read them once, for all validators. A snapshot of them is read in
    milliseconds. They cannot be changed, and any number of threads may use them.
    """

    __slots__ = ()

    @staticmethod
    def load(
        *paths: str | os.PathLike[str],
        at: Moment | None = None,
        signers: Source | Iterable[Source] = (),
        packed_by: Source | Iterable[Source] = (),
    ) -> TrustedLists:
        """Lists of a folder, or of a snapshot.

        Of several snapshots, or of a folder that holds nothing else, the one of the day of `at` is used: of those whose lists
        had been issued then the newest, else the oldest of all. `signers` are certificates that may sign the list of lists, in
        place of those announced in the Official Journal; with `packed_by` a snapshot has to be signed by one of these.
        """
        if not paths:
            raise TypeError("found no path, expected a folder of lists, or snapshots")
        files = [Path(path) for path in paths]
        folder = files[0] if len(files) == 1 and files[0].is_dir() else None
        inside = _files(folder) if folder else files
        if folder and not (inside and all(map(_is_snapshot, inside))):
            if sources(packed_by, "packed_by"):
                found = f"{folder}: found a folder of lists, expected a signed snapshot"
                raise Error(ErrorCode.INVALID_TRUSTED_LISTS, found, "`packed_by` names who packed a snapshot")
            return TrustedLists._of_files(inside, signers)
        if len(inside) > 1:
            when = millis(at)
            found_lists = [(TrustedLists.from_snapshot(path, packed_by=packed_by)) for path in inside]
            earlier = [lists for lists in found_lists if (lists._issued() or when + 1) <= when]
            if earlier:
                return max(earlier, key=lambda lists: lists._issued() or 0)
            return min(found_lists, key=lambda lists: lists._issued() or 0)
        return TrustedLists.from_snapshot(inside[0], packed_by=packed_by)

    @staticmethod
    def from_snapshot(snapshot: Source, *, packed_by: Source | Iterable[Source] = ()) -> TrustedLists:
        """Lists of a snapshot, as `lacre lists pack` and `to_snapshot` write it."""
        return TrustedLists._around(_lacre.TrustedLists.from_snapshot(source(snapshot), sources(packed_by, "packed_by")))

    @staticmethod
    def default() -> TrustedLists:
        """Lists that the command uses where no option names any: those that `lacre lists update` and
        `lacre.online.update_lists` fetched.
        """
        folder = default_folder()
        if folder is None or not folder.exists():
            found = f"found no trusted lists in {folder}" if folder else "found no folder of the user's data"
            raise Error(
                ErrorCode.INVALID_TRUSTED_LISTS, f"{found}, expected some", "lacre.online.update_lists() fetches those of the EU"
            )
        return TrustedLists.load(folder)

    @staticmethod
    def _of_files(files: list[Path], signers: Source | Iterable[Source]) -> TrustedLists:
        read = [(file.name, str(file), int(file.stat().st_mtime) * 1000) for file in files]
        return TrustedLists._around(_lacre.TrustedLists.assemble(read, sources(signers, "signers")))

    def _issued(self) -> int | None:
        issued: int | None = self._inner.newest_issue()
        return issued

    def to_snapshot(self) -> bytes:
        """The lists in one file, which is read in milliseconds. The same lists give the same bytes."""
        return bytes(self._inner.to_snapshot())

    @property
    def states(self) -> tuple[ListState, ...]:
        """What each file is, and whether it can be relied on."""
        return self._once("states", lambda: each(ListState.of, json.loads(self._inner.states()[0])))

    @property
    def trusted(self) -> int:
        """How many lists can be relied on."""
        return int(self._inner.trusted())

    @property
    def newest_issue(self) -> datetime | None:
        """When the newest list was issued."""
        issued = self._issued()
        return None if issued is None else from_millis(issued)

    def __repr__(self) -> str:
        newest = self.newest_issue
        day = f", the newest of {newest.date().isoformat()}" if newest else ""
        return f"<lacre.TrustedLists: {self.trusted} trusted{day}>"


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))


def _is_snapshot(path: Path) -> bool:
    with path.open("rb") as file:
        return _lacre.is_snapshot(file.read(64))
