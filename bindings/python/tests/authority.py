"""An authority of the tests' own: a root, a seal and a time-stamping unit under it."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import lacre
from lacre import issuance, signing

ORGANISATION = {"country": "PT", "organisation": "Example", "organisation_identifier": "VATPT-123456789"}
NOW = datetime.now(timezone.utc).replace(microsecond=0)


class Authority:
    """A root with a seal and a time-stamping unit under it, and its revocation list."""

    def __init__(self, kind: str = "ecdsa-p256", locations: dict[str, str] | None = None) -> None:
        self.period = {"not_before": NOW - timedelta(days=30), "not_after": NOW + timedelta(days=3_650)}
        locations = locations or {"crl": "http://crl.example.invalid/root.crl"}
        root_key = signing.Key.generate("ecdsa-p256")
        self.root = issuance.Issuer.root(root_key, {**ORGANISATION, "common_name": "Root"}, **self.period, locations=locations)
        self.key = signing.Key.generate(kind)
        self.certificate = self.issue("legal-person", "Seal", self.key)
        unit_key = signing.Key.generate("ecdsa-p256")
        self.unit = issuance.Issuer.of(self.issue("timestamp-unit", "Unit", unit_key), unit_key)
        self.asked: list[lacre.Wanted] = []

    def issue(self, profile: str, name: str, key: signing.Key) -> bytes:
        period = {"not_before": NOW - timedelta(days=20), "not_after": NOW + timedelta(days=900)}
        return self.root.issue(profile, {**ORGANISATION, "common_name": name}, key.public_key, **period)

    def fetch(self, wanted: lacre.Wanted) -> bytes | None:
        self.asked.append(wanted)
        if wanted.kind is lacre.WantedKind.TIMESTAMP:
            assert wanted.request is not None
            return self.unit.timestamp(wanted.request)
        if wanted.kind is lacre.WantedKind.CRL:
            now = datetime.now(timezone.utc)
            return self.root.revocation_list(7, this_update=now, next_update=now + timedelta(days=7))
        return None
