"""Private keys: in memory, in PKCS#12 files, in PKCS#11 tokens."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from . import _lacre
from ._input import Source, source
from ._report import Frozen


class Key(Frozen):
    """A private key: in memory, or in a token (`Pkcs11`), where it stays.

    One that is elsewhere, such as with a service, needs no object: `finish` takes a function, too.
    """

    __slots__ = ()

    @staticmethod
    def read(key: Source, password: str | bytes | None = None) -> Key:
        """Reads PKCS#8, DER or PEM, encrypted where there is a password."""
        secret = password.encode() if isinstance(password, str) else password
        return Key._around(_lacre.Key.read(source(key), secret))

    @staticmethod
    def generate(kind: str) -> Key:
        """Makes a key in memory: `ecdsa-p256`, `ecdsa-p384`, `ecdsa-p521`, `ecdsa-brainpoolp256r1`, `ecdsa-brainpoolp384r1`,
        `ed25519`, `ed448`, `ml-dsa-44`, `ml-dsa-65`, `ml-dsa-87`, `rsa-3072` or `rsa-4096`.
        """
        return Key._around(_lacre.Key.generate(kind))

    def to_pkcs8(self) -> bytes:
        """The key itself, not encrypted: PKCS#8, DER. A token gives none away (`TOKEN`)."""
        return bytes(self._inner.to_pkcs8())

    @property
    def public_key(self) -> bytes:
        """The public half: SubjectPublicKeyInfo, DER."""
        return bytes(self._inner.public_key())

    @property
    def algorithm(self) -> str:
        """The algorithm of the key, such as `ECDSA` or `RSA`."""
        return str(self._inner.algorithm())

    def __reduce__(self) -> Any:
        raise TypeError("Key cannot be pickled: a private key is written by `to_pkcs8`, on purpose")

    def __repr__(self) -> str:
        place = " in a token" if self._inner.is_in_token() else ""
        return f"<lacre.signing.Key {self.algorithm}{place}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A private key with its certificate and the certificates above it.

    `prepare` takes one as the certificate, `finish` as the key, `sign` as both.
    """

    key: Key
    certificate: bytes = field(repr=False)
    """The key's certificate, DER."""
    chain: tuple[bytes, ...] = field(default=(), repr=False)
    """The certificates above it, each followed by its issuer's, DER."""
    alias: str | None = None
    """The name of the key in its file (`friendlyName`)."""

    @staticmethod
    def from_pkcs12(file: Source, password: str = "", *, alias: str | None = None) -> Identity:
        """Opens a PKCS#12 file (RFC 7292; `.p12`, `.pfx`), DER or BER, and checks its integrity where it has a MAC.

        `alias` is the name of the key, where the file has several; without it the only one is taken. Raises `lacre.Error`
        (`INVALID_KEY`) where the password does not open the file, it has no key with its certificate, or none of that name:
        the names that there are stand in the error.
        """
        name, key, certificate, chain = _lacre.identity(source(file), password, alias)
        return Identity(key=Key._around(key), certificate=certificate, chain=tuple(chain), alias=name)


class Pkcs11(Frozen):
    """A PKCS#11 token, open for its user: a card, a hardware module, SoftHSM. Its keys sign there, and never leave it.

    Any number of threads may use it; other threads of Python run while it works. It is open until it and its keys are gone. A
    process that was forked opens it again.
    """

    __slots__ = ()

    @staticmethod
    def open(module: str | os.PathLike[str], token: str, pin: str) -> Pkcs11:
        """Opens the token of that label with the PIN of its user.

        `module` is the shared library of the token's maker, such as `/usr/lib/softhsm/libsofthsm2.so`: code, which runs in this
        process. A user who is logged in is so for the whole process (PKCS#11 §5.6), whatever PIN comes second. Raises
        `lacre.Error` (`TOKEN`) where the module cannot be loaded, it has no token of that label or several, or the PIN is wrong.
        A token counts wrong PINs, so none is tried twice.
        """
        return Pkcs11._around(_lacre.Pkcs11.open(os.fsdecode(module), token, pin))

    def find(self, label: str | None = None, *, id: bytes | None = None) -> Key:
        """The key with that label (`CKA_LABEL`), or with that `CKA_ID`. One without its public half in the token is not found."""
        if label is not None and id is None:
            return Key._around(self._inner.find(label))
        if id is not None and label is None:
            return Key._around(self._inner.find_by_id(id))
        raise ValueError("expected the label of the key, or its id")

    def generate(self, kind: str, label: str) -> Key:
        """Makes a key in the token, which cannot leave it: `ecdsa-p256`, `rsa-3072` and other kinds of ECDSA and RSA.

        The label is one that no key of the token has yet.
        """
        return Key._around(self._inner.generate(kind, label))

    def __reduce__(self) -> Any:
        raise TypeError("Pkcs11 cannot be pickled: open the token in each process")

    def __repr__(self) -> str:
        return "<lacre.signing.Pkcs11>"
