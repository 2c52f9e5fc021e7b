"""What is wanted, as the library tells it, and how it is asked for."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

from ._errors import Error
from ._model import Tried, Wanted, each, maybe
from ._time import from_text
from ._words import ErrorCode, WantedKind

Fetch = Callable[[Wanted], bytes | None]
"""Gets what is wanted: of a time-stamp the response of an authority or the token, of evidence the OCSP response, the CRL or the
certificate. `None`: it cannot be had. What it raises ends the call."""

Attempt = dict[str, str]

ORDER = (WantedKind.ISSUER, WantedKind.OCSP, WantedKind.CRL)
"""What is asked first about a certificate: a responder needs to know its issuer, the list is for where it knows nothing."""


def read(text: str) -> tuple[Wanted, ...]:
    """What the library wants, of its JSON."""
    return each(one, json.loads(text))


def one(want: dict[str, Any]) -> Wanted:
    """One thing that the library wants."""
    return Wanted(
        kind=WantedKind(want["kind"]),
        urls=tuple(want["urls"]),
        about=want.get("about"),
        name=want.get("name"),
        request=maybe(base64.b64decode, want.get("request")),
        content_type=want.get("contentType"),
        digest_algorithm=want.get("digestAlgorithm"),
        imprint=maybe(base64.b64decode, want.get("imprint")),
        not_before=maybe(from_text, want.get("notBefore")),
        retry_at=maybe(from_text, want.get("retryAt")),
        tried=each(Tried.of, want.get("tried")),
    )


def missing(wanted: tuple[Wanted, ...]) -> Error:
    """The error that says what is wanted."""
    kinds = ", ".join(dict.fromkeys(want.kind for want in wanted))
    message = f"found nothing that is as wanted, expected: {kinds}"
    return Error(ErrorCode.EVIDENCE_MISSING, message, "give `fetch`, which asks for it, or `evidence`", wanted)


class Asked:
    """What was asked for, so that nothing is asked for twice."""

    def __init__(self) -> None:
        self._asked: set[tuple[WantedKind, str | None]] = set()
        self.attempts: list[Attempt] = []

    def next(self, wanted: tuple[Wanted, ...]) -> list[Wanted]:
        """Evidence to ask for now: of each certificate what helps most. What is wanted again was of no use."""
        now: list[Wanted] = []
        about: set[str | None] = set()
        for want in sorted((want for want in wanted if want.kind in ORDER), key=lambda want: ORDER.index(want.kind)):
            if (want.kind, want.about) in self._asked:
                self.vain(want, "what it answers is not accepted, or not recent enough")
            elif want.urls and want.about not in about:
                about.add(want.about)
                self._asked.add((want.kind, want.about))
                now.append(want)
        return now

    def vain(self, want: Wanted, reason: str) -> None:
        """Notes that something was looked for in vain."""
        told = [{"kind": str(want.kind), "about": want.about or "", "url": url, "reason": reason} for url in want.urls]
        self.attempts += [attempt for attempt in told if attempt not in self.attempts]
