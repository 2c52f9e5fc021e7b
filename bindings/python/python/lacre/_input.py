"""What is handed in: paths, bytes, files that are open."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

Buffer = bytes | bytearray | memoryview


@runtime_checkable
class Readable(Protocol):
    """A file that is open for reading bytes: what `open(path, "rb")` gives, `io.BytesIO`, an answer over HTTP."""

    def read(self) -> bytes:
        """All bytes from here to the end."""
        ...


Source = str | os.PathLike[str] | Buffer | Readable
"""A path, bytes, or a file that is open."""

Contents = Mapping[str, Source] | Iterable[Source | tuple[str, Source]]
"""Detached contents: by their names; or paths, which have their own."""

Document = tuple[str | bytes, str | None, list[tuple[str, str | bytes]], bytes | None]
"""A document as the library takes it: itself, its name, its contents, the password."""


def source(given: Source) -> str | bytes:
    """A path, which the library opens, or bytes, which it borrows."""
    if isinstance(given, (bytes, str)):
        return given
    if isinstance(given, os.PathLike):
        path: Any = os.fspath(given)
        return path if isinstance(path, str) else os.fsdecode(path)
    if isinstance(given, (bytearray, memoryview)):
        # Whoever has them may change them while the library reads.
        return bytes(given)
    if isinstance(given, Readable):
        read: Any = given.read()
        if isinstance(read, bytes):
            return read
        if isinstance(read, (bytearray, memoryview)):
            return bytes(read)
        raise TypeError(f"found a file that reads {type(read).__name__}, expected one that was opened for bytes (mode 'rb')")
    raise TypeError(f"found {type(given).__name__}, expected a path, bytes, or a file that is open")


def sources(given: Source | Iterable[Source], what: str) -> list[str | bytes]:
    """Several of them; one alone is one."""
    if isinstance(given, (str, bytes, bytearray, memoryview, os.PathLike, Readable)):
        one: Any = given
        return [source(one)]
    if not isinstance(given, Iterable):
        raise TypeError(f"found {type(given).__name__} as {what}, expected paths, bytes, or files that are open")
    several: Iterable[Any] = given
    return [source(one) for one in several]


def name_of(given: Source) -> str | None:
    """The file name, where there is one: that of the path, or of the file that is open."""
    path: Any = given
    if not isinstance(given, (str, os.PathLike)):
        path = None if isinstance(given, (bytes, bytearray, memoryview)) else getattr(given, "name", None)
        if not isinstance(path, str):
            return None
    return last_part(os.fsdecode(path))


def document(given: Source, name: str | None, contents: Contents, password: str | bytes | None) -> Document:
    """A document and what stands beside it.

    Most calls have a path and nothing else; what they cost beside the work of the library is here.
    """
    found: str | bytes
    if isinstance(given, str):
        found = given
    elif isinstance(given, bytes) or not hasattr(given, "__fspath__"):
        found = source(given)
    else:
        path: Any = os.fspath(given)  # type: ignore[arg-type]
        # A path may be bytes, which are no content.
        found = path if isinstance(path, str) else os.fsdecode(path)
    if name is None:
        name = last_part(found) if isinstance(found, str) else name_of(given)
    elif not isinstance(name, str):
        raise TypeError(f"found {type(name).__name__} as the name, expected str")
    if password is None and contents == ():
        return found, name, [], None
    secret = password.encode() if isinstance(password, str) else password
    if secret is not None and not isinstance(secret, bytes):
        raise TypeError(f"found {type(password).__name__} as the password, expected str or bytes")
    return found, name, _contents(contents), secret


def last_part(path: str) -> str | None:
    """The file name in a path."""
    name = path.rpartition("/")[2] if os.sep == "/" else os.path.basename(path)
    if not name.isascii():
        # No lone surrogates: they are how Python keeps the bytes of a name that is not UTF-8.
        name = os.fsencode(name).decode("utf-8", "replace")
    return name or None


def _contents(given: Contents) -> list[tuple[str, str | bytes]]:
    if isinstance(given, (str, bytes, bytearray, memoryview, os.PathLike)) or not isinstance(given, Iterable):
        raise TypeError(f"found {type(given).__name__} as contents, expected a mapping of names, or paths")
    pairs: Iterable[Any] = given.items() if isinstance(given, Mapping) else given
    found = []
    for one in pairs:
        name, content = one if isinstance(one, tuple) else (name_of(one), one)
        if not isinstance(name, str):
            raise TypeError("found a content without a name, expected a path, or a name with its bytes")
        found.append((name, source(content)))
    return found
