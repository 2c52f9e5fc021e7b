"""Validators: a policy, and who is trusted; then documents."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NoReturn

from . import _lacre
from ._bundle import Bundle
from ._input import Contents, Source, document, name_of, source, sources
from ._report import CertificateReport, Frozen, Report
from ._time import Moment, millis
from ._trust import TrustedLists
from ._words import Language

Lists = TrustedLists | str | os.PathLike[str] | bytes
"""Trusted lists; or a folder of lists, a snapshot, or the bytes of one."""

_document = document


class Facts(Frozen):
    """What is inside a document: an immutable record, `lacre-facts/1`, without a verdict."""

    __slots__ = ()

    def to_json(self) -> str:
        """The record, which `lacre.judge` and `lacre judge` read."""
        return str(self._inner[0])

    def to_text(self) -> str:
        """The same for people."""
        return str(self._inner[1])

    def __repr__(self) -> str:
        return f"<lacre.Facts: {len(self._inner[0])} characters of JSON>"


class Validator:
    """Validates documents under one policy, with one set of trust. Make it once, and use it from any number of threads.

    Python's other threads run while it works (the GIL is released). What documents of the same authorities have in common is
    read and verified once, unless `cache` is false.

    >>> import lacre
    >>> validator = lacre.Validator(trust_anchors="root.der")
    >>> [str(validator.validate(name, at="2027-01-01").indication) for name in ("contract.pdf", "contract-tampered.pdf")]
    ['TOTAL-PASSED', 'TOTAL-FAILED']
    """

    __slots__ = ("_inner",)

    _inner: _lacre.Validator

    def __init__(
        self,
        *,
        trust_anchors: Source | Iterable[Source] = (),
        trusted_lists: Lists | None = None,
        evidence: Source | Iterable[Source] = (),
        policy: Source | None = None,
        suite: Source | None = None,
        language: Language | str = Language.EN,
        compare_pages: bool = False,
        cache: bool = True,
    ) -> None:
        """Makes a validator.

        `trust_anchors` are certificates (DER or PEM); `trusted_lists` are lists, a folder of lists, or a snapshot.
        `evidence` are certificates, CRLs and OCSP responses that documents may lack. `policy` is a constraint file of EU
        DSS, or the name of a built-in policy: `eidas`, the default, or `dss`, which is less strict; `suite` are
        cryptographic suites (TS 119 322) in place of the policy's. `compare_pages` also draws the pages of PDF files, as
        signed and as they are.
        """
        inner = _lacre.Validator(
            trust_anchors=sources(trust_anchors, "trust_anchors"),
            trusted_lists=None if trusted_lists is None else as_lists(trusted_lists)._inner,
            evidence=sources(evidence, "evidence"),
            policy=None if policy is None else source(policy),
            suite=None if suite is None else source(suite),
            language=str(language),
            compare_pages=compare_pages,
            cache=cache,
        )
        object.__setattr__(self, "_inner", inner)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("Validator cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("Validator cannot be changed")

    def __copy__(self) -> Validator:
        return self

    def __deepcopy__(self, _memo: object) -> Validator:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("Validator cannot be pickled: make one in each process, with a snapshot of the trusted lists")

    def __repr__(self) -> str:
        return "<lacre.Validator>"

    def validate(
        self,
        document: Source,
        *,
        at: Moment | None = None,
        name: str | None = None,
        contents: Contents = (),
        password: str | bytes | None = None,
    ) -> Report:
        """Validates every signature of a document, as of `at` (default: now).

        `name` is the file name that the report states; that of the path where there is one. `contents` are detached contents,
        `password` that of an encrypted PDF.

        Raises `lacre.Error` where the document cannot be read as anything that holds signatures. A document whose signatures
        are bad is no error.
        """
        return Report._around(self._inner.validate(_document(document, name, contents, password), millis(at)))

    def record(
        self,
        document: Source,
        *,
        at: Moment | None = None,
        name: str | None = None,
        contents: Contents = (),
        password: str | bytes | None = None,
    ) -> tuple[Report, Bundle]:
        """Validates as `validate` does, and keeps everything that the report rests on."""
        report, bundle = self._inner.record(_document(document, name, contents, password), millis(at))
        return Report._around(report), Bundle._around(bundle)

    def inspect(
        self,
        document: Source,
        *,
        at: Moment | None = None,
        name: str | None = None,
        contents: Contents = (),
        password: str | bytes | None = None,
    ) -> Facts:
        """Says what is inside a document, and concludes nothing."""
        return Facts._around(self._inner.inspect(_document(document, name, contents, password), millis(at)))

    def certificate(
        self,
        certificate: Source,
        *,
        at: Moment | None = None,
        name: str | None = None,
        website: str | None = None,
        binding: tuple[str, Source] | None = None,
        others: Iterable[Source] = (),
    ) -> CertificateReport:
        """Judges a certificate (DER or PEM) by itself: its path, its revocation, and what it is under eIDAS.

        With `website`, as in `https://example.org/`, also whether the connection to it is one of a qualified website
        certificate (TS 119 411-5); `binding` is where its certificate binding is and its bytes, `others` the other
        certificates that this names.
        """
        site = None
        if website is not None:
            site = (website, binding and (binding[0], source(binding[1])), sources(others, "others"))
        name = name_of(certificate) if name is None else name
        return CertificateReport._around(self._inner.certificate(source(certificate), name, millis(at), site))


def validate(
    document: Source,
    *,
    at: Moment | None = None,
    trust_anchors: Source | Iterable[Source] = (),
    trusted_lists: Lists | None = None,
    evidence: Source | Iterable[Source] = (),
    contents: Contents = (),
    password: str | bytes | None = None,
    policy: Source | None = None,
    suite: Source | None = None,
    name: str | None = None,
    language: Language | str = Language.EN,
) -> Report:
    """Validates every signature of one document. For several, make a `Validator` once.

    `document` is a path, bytes, or a file that is open for bytes. `at` is an aware `datetime`, or text as in `2027-01-01` or
    `2027-01-01T00:00:00Z` (default: now). The other arguments are those of `Validator` and `Validator.validate`.

    >>> import lacre
    >>> lacre.validate("contract.pdf", at="2027-01-01", trust_anchors="root.der").passed
    True
    """
    validator = Validator(
        trust_anchors=trust_anchors,
        trusted_lists=trusted_lists,
        evidence=evidence,
        policy=policy,
        suite=suite,
        language=language,
        cache=False,
    )
    return validator.validate(document, at=at, name=name, contents=contents, password=password)


def inspect(document: Source, *, name: str | None = None, contents: Contents = (), password: str | bytes | None = None) -> Facts:
    """Says what is inside a document, and concludes nothing."""
    return Validator(cache=False).inspect(document, name=name, contents=contents, password=password)


def judge(
    facts: Facts | Source,
    *,
    at: Moment | None = None,
    policy: Source | None = None,
    suite: Source | None = None,
    language: Language | str = Language.EN,
) -> Report:
    """Judges stored facts: what `inspect` or `Report.facts` gave, or the diagnostic data of EU DSS (XML).

    `at` is the moment to judge for; by default the one that the facts state. Text is the path of a file; JSON that is at
    hand is given as bytes, or as `Facts`.

    >>> import lacre
    >>> facts = lacre.Validator(trust_anchors="root.der").inspect("contract.pdf", at="2027-01-01")
    >>> lacre.judge(facts).passed
    True
    """
    given = facts.to_json().encode() if isinstance(facts, Facts) else source(facts)
    policy = None if policy is None else source(policy)
    suite = None if suite is None else source(suite)
    return Report._around(_lacre.judge(given, None if at is None else millis(at), policy, suite, str(language)))


def as_lists(given: Lists) -> TrustedLists:
    if isinstance(given, TrustedLists):
        return given
    return TrustedLists.from_snapshot(given) if isinstance(given, bytes) else TrustedLists.load(given)
