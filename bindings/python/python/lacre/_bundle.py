"""Evidence bundles: a validation recorded with all that it used, to be repeated anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from . import _lacre
from ._input import Contents, Source, document, source
from ._report import Frozen, Report
from ._time import from_millis

if TYPE_CHECKING:
    from ._validator import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A difference between a replay and its bundle."""

    place: str
    """The path to it in the JSON of the report or the facts."""
    was: str
    """The value in the bundle, as JSON."""
    now: str
    """The value now, as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What came of a replay."""

    report: Report
    differences: tuple[Difference, ...]
    """The first hundred differences between this report, and its facts, and those of the bundle."""
    verified: bool
    """Whether the document was read again. Without it only the judgement is repeated: whoever wrote the bundle may have
    written any facts into it."""


class Bundle(Frozen):
    """What a verdict rests on, written down: `Validator.record` makes it, `lacre replay` and this class repeat it.

    >>> import lacre
    >>> report, bundle = lacre.Validator(trust_anchors="root.der").record("contract.pdf", at="2027-01-01")
    >>> replay = lacre.Bundle.from_zip(bundle.to_zip()).replay("contract.pdf")
    >>> replay.report.to_json() == report.to_json(), replay.differences
    (True, ())
    """

    __slots__ = ()

    @staticmethod
    def from_zip(zip: Source) -> Bundle:
        """Reads a bundle."""
        return Bundle._around(_lacre.Bundle.from_zip(source(zip)))

    def to_zip(self) -> bytes:
        """The bundle as a ZIP file. The same bundle gives the same bytes."""
        return bytes(self._inner.to_zip())

    @property
    def validation_time(self) -> datetime:
        """The moment as of which the document was judged."""
        return from_millis(self._inner.validation_time())

    @property
    def document_name(self) -> str | None:
        """The name of the document that was judged."""
        name: str | None = self._inner.described()[0][0]
        return name

    @property
    def document_sha256(self) -> str:
        """The SHA-256 of the document that was judged."""
        return str(self._inner.described()[0][1])

    @property
    def policy(self) -> tuple[str, str]:
        """The name and the SHA-256 of the policy. It is the choice of the bundle's author, not of its reader."""
        name, sha256, _ = self._inner.policy()
        return name, sha256

    @property
    def policy_is_strict(self) -> bool:
        """Whether the policy is at least as strict as that of EU DSS."""
        return bool(self._inner.policy()[2])

    def report_json(self) -> str:
        """The report as it was written then."""
        return bytes(self._inner.report()).decode()

    def replay(
        self,
        document: Source | None = None,
        *,
        contents: Contents = (),
        password: str | bytes | None = None,
        expected: Validator | None = None,
    ) -> Replay:
        """Judges again. With the document it is read again, with the trust and the evidence of the bundle. These are the
        choice of the bundle's author: by the trust and policy of `expected` the document is judged in their place, and
        what differs is told.

        Raises `lacre.Error` (`INVALID_BUNDLE`) where the document, or a content, is not the one that was judged, and
        `ValueError` for `expected` without a document.
        """
        if expected is not None and document is None:
            raise ValueError("found no document, by which alone it can be told whom the bundle trusts")
        given = None if document is None else _document(document, self.document_name, contents, password)
        report, differences = self._inner.replay(given, None if expected is None else expected._inner)
        told = tuple(Difference(place=place, was=was, now=now) for place, was, now in differences)
        return Replay(report=Report._around(report), differences=told, verified=document is not None)

    def __repr__(self) -> str:
        return f"<lacre.Bundle {self.document_name or self.document_sha256}, {self.validation_time.isoformat()}>"


_document = document
