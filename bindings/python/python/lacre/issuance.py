"""What an issuer signs: certificates (RFC 5280, EN 319 412), revocation lists, OCSP responses (RFC 6960), time-stamps (RFC 3161).

For tests, and for authorities that know what they do: an authority whose certificates count needs more than a library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from . import _lacre
from ._input import Source, source
from ._keys import Key
from ._report import Frozen
from ._time import Moment, millis, seconds
from ._words import CertificateStatus, RevocationReason

__all__ = ["Issuer", "Revoked", "ocsp_request"]

Subject = Mapping[str, str]
"""`country`, and of a natural person `given_name`, `surname` and `serial_number`; of a legal person, authority or unit
`organisation`, `organisation_identifier` and `common_name`."""

Locations = Mapping[str, str]
"""Where things are published: `issuer` (its certificate), `ocsp`, `crl`, `disclosure` (the statement in English)."""


@dataclass(frozen=True, slots=True)
class Revoked:
    """The status of a certificate that is revoked (RFC 6960 §2.2)."""

    since: Moment
    reason: RevocationReason | str = RevocationReason.UNSPECIFIED


class Issuer(Frozen):
    """An authority, responder or time-stamping unit: a certificate, and its key."""

    __slots__ = ()

    @staticmethod
    def of(certificate: Source, key: Key, *, locations: Locations | None = None) -> Issuer:
        """The issuer with that certificate and key, which belong together."""
        return Issuer._around(_lacre.Issuer(source(certificate), key._inner, dict(locations or {})))

    @staticmethod
    def root(key: Key, subject: Subject, *, not_before: Moment, not_after: Moment, locations: Locations | None = None) -> Issuer:
        """A root authority, which signs its own certificate."""
        period = (seconds(not_before), seconds(not_after))
        return Issuer._around(_lacre.Issuer.root(key._inner, dict(subject), *period, dict(locations or {})))

    @property
    def certificate(self) -> bytes:
        """The issuer's certificate, DER."""
        return bytes(self._inner.certificate())

    def issue(self, profile: str, subject: Subject, key: Source, *, not_before: Moment, not_after: Moment) -> bytes:
        """Issues a certificate (DER).

        `profile` says what it is for: `ca`, `natural-person`, `legal-person`, each also with `-qualified` or `-qscd`,
        `ocsp-responder`, or `timestamp-unit`. `key` is a public key, a certificate whose key it is, or a request
        (PKCS#10), which proves possession.
        """
        return bytes(self._inner.issue(profile, dict(subject), source(key), seconds(not_before), seconds(not_after)))

    def revocation_list(
        self,
        number: int,
        *,
        this_update: Moment,
        next_update: Moment,
        revoked: Iterable[tuple[int, Moment, RevocationReason | str]] = (),
    ) -> bytes:
        """A revocation list (DER) of the certificates with these serial numbers: since when, and why."""
        entries = [(_contents(serial), seconds(since), str(reason)) for serial, since, reason in revoked]
        return bytes(self._inner.revocation_list(number, seconds(this_update), seconds(next_update), entries))

    def ocsp_response(
        self,
        request: bytes,
        status: Callable[[int], CertificateStatus | Revoked],
        *,
        this_update: Moment,
        next_update: Moment,
        authority: Source | None = None,
    ) -> bytes:
        """The response (DER) of an OCSP responder to a request (RFC 6960); to one that cannot be read, `malformedRequest`.

        `status` is called with each serial number for which the request names the authority, and says `GOOD`, `UNKNOWN` or
        `Revoked(since, reason)`; certificates of others are unknown. `authority` is the certificate of the authority for which a
        delegated responder answers (profile `ocsp-responder`); without it the issuer answers for itself. `ocsp_request` makes a
        request where nobody sent one.
        """
        of = None if authority is None else source(authority)
        good: list[bytes] = []
        revoked: list[tuple[bytes, int, str]] = []
        for serial in self._inner.asked(request, of):
            found = status(int.from_bytes(serial, "big", signed=True))
            if isinstance(found, Revoked):
                revoked.append((serial, seconds(found.since), str(found.reason)))
            elif CertificateStatus(found) is CertificateStatus.GOOD:
                good.append(serial)
            elif CertificateStatus(found) is CertificateStatus.REVOKED:
                raise ValueError("found REVOKED, expected Revoked(since, reason)")
        period = (seconds(this_update), seconds(next_update))
        return bytes(self._inner.ocsp_response(request, of, *period, good, revoked))

    def timestamp(self, request: bytes, *, at: Moment | None = None) -> bytes:
        """The response of a time-stamping unit to a request (RFC 3161)."""
        return bytes(self._inner.timestamp(request, millis(at)))

    def __repr__(self) -> str:
        return f"<lacre.issuance.Issuer with a certificate of {len(self.certificate)} bytes>"


def ocsp_request(certificate: Source, issuer: Source) -> bytes:
    """The request (RFC 6960, DER) for the status of a certificate that this issuer issued, without a nonce (RFC 5019)."""
    return bytes(_lacre.ocsp_request(source(certificate), source(issuer)))


def _contents(serial: int) -> bytes:
    """The contents of an INTEGER (X.690 §8.3)."""
    return serial.to_bytes(serial.bit_length() // 8 + 1, "big", signed=True)
