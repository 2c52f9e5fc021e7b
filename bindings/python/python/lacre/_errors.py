"""The one class of errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._words import ErrorCode

if TYPE_CHECKING:
    from ._model import Wanted


class Error(Exception):
    """Why lacre did not do what it was asked for: what was found, and what was expected.

    A document whose signatures are bad is no error: the verdict is in the report. Wrong types are a `TypeError`, values that
    mean nothing a `ValueError`, files that cannot be opened an `OSError`.

    >>> import lacre
    >>> try:
    ...     lacre.validate(b"no signature at all")
    ... except lacre.Error as error:
    ...     print(error.code)
    UNKNOWN_FORMAT
    """

    code: ErrorCode
    """The cause as a word that programs compare."""
    hint: str | None
    """What could be done about it."""
    wanted: tuple[Wanted, ...]
    """What is wanted, where the code is `evidence-missing`."""

    def __init__(self, code: ErrorCode | str, message: str, hint: str | None = None, wanted: tuple[Wanted, ...] = ()) -> None:
        super().__init__(code, message, hint, wanted)
        self.code = ErrorCode(code)
        self.hint = hint
        self.wanted = wanted

    def __str__(self) -> str:
        return str(self.args[1])


# As programs import it, and as tracebacks name it.
Error.__module__ = "lacre"
