"""Trusted lists: folders, snapshots, and who made them."""

from __future__ import annotations

import zipfile
from datetime import datetime, timezone
from pathlib import Path

import pytest

import lacre
from conftest import ROOT

# What the project has beside it; the corpus is unpacked from there.
SHARED = next((one for one in (ROOT.parent / "shared", ROOT.parents[1] / "shared") if one.exists()), ROOT.parent / "shared")
CACHE = "dss/dss-cookbook/src/test/resources/signature-pool/cache"


@pytest.fixture(scope="module")
def signers() -> list[bytes]:
    """Who could sign the list of lists in 2023."""
    with zipfile.ZipFile(SHARED / "oracle" / "lotl-signers.zip") as archive:
        return [archive.read(name) for name in archive.namelist()]


@pytest.fixture(scope="module")
def lists(corpus: Path, signers: list[bytes]) -> lacre.TrustedLists:
    return lacre.TrustedLists.load(corpus / CACHE, signers=signers)


@pytest.mark.corpus
def test_lists_of_a_folder(lists: lacre.TrustedLists, corpus: Path) -> None:
    assert lists.trusted >= 30
    assert sum(state.trusted for state in lists.states) >= lists.trusted
    portuguese = next(state for state in lists.states if state.territory == "PT" and state.trusted)
    assert portuguese.role is lacre.ListRole.TRUSTED_LIST
    assert portuguese.services > 10
    assert portuguese.issue_date is not None
    assert portuguese.issue_date.tzinfo is timezone.utc
    assert lists.newest_issue is not None
    assert lists.newest_issue < datetime(2024, 1, 1, tzinfo=timezone.utc)
    assert repr(lists).startswith("<lacre.TrustedLists: ")
    strangers = lacre.TrustedLists.load(corpus / CACHE, signers=ROOT / "examples" / "documents" / "root.der")
    assert strangers.trusted == 0
    assert any(state.problems for state in strangers.states)


@pytest.mark.corpus
def test_qualified_by_lists(lists: lacre.TrustedLists, corpus: Path, tmp_path: Path) -> None:
    path = next(corpus.rglob("pades-same-border-annotations.pdf"))
    at = "2023-10-28"
    report = lacre.validate(path, trusted_lists=lists, at=at)
    assert report.passed
    (signature,) = report.signatures
    assert signature.qualification is lacre.SignatureQualification.QESIG
    assert signature.trust_service is not None
    assert signature.trust_service.country == "CZ"
    assert report.trust is not None
    assert report.trust.state in (lacre.TrustState.LISTS, lacre.TrustState.STALE_LISTS)
    assert report.trust.lists == lists.trusted
    assert {one.country for one in report.trusted_lists} >= {"CZ"}
    snapshot = lists.to_snapshot()
    assert lacre.TrustedLists.from_snapshot(snapshot).to_snapshot() == snapshot
    kept = tmp_path / "2023.lacre"
    kept.write_bytes(snapshot)
    for given in (snapshot, kept, str(kept), lacre.TrustedLists.load(kept), tmp_path):
        assert lacre.validate(path, trusted_lists=given, at=at).to_json() == report.to_json()
    with pytest.raises(lacre.Error) as raised:
        lacre.TrustedLists.load(kept, packed_by=ROOT / "examples" / "documents" / "root.der")
    assert raised.value.code is lacre.ErrorCode.INVALID_TRUSTED_LISTS
    changed = bytearray(snapshot)
    changed[len(changed) // 2] ^= 1
    with pytest.raises(lacre.Error):
        lacre.TrustedLists.from_snapshot(bytes(changed))


@pytest.mark.corpus
def test_the_snapshot_of_the_day(lists: lacre.TrustedLists, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(lists.to_snapshot())
    for at in ("2020-01-01", "2030-01-01"):
        assert lacre.TrustedLists.load(tmp_path, at=at).to_snapshot() == lists.to_snapshot()
        assert lacre.TrustedLists.load(tmp_path / "a", tmp_path / "b", at=at).trusted == lists.trusted


def test_lists_that_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LACRE_TRUSTED_LISTS", str(tmp_path / "nowhere"))
    with pytest.raises(lacre.Error) as raised:
        lacre.TrustedLists.default()
    assert raised.value.code is lacre.ErrorCode.INVALID_TRUSTED_LISTS
    assert raised.value.hint == "lacre.online.update_lists() fetches those of the EU"
    with pytest.raises(TypeError):
        lacre.TrustedLists.load()
    (tmp_path / "list.xml").write_text("<TrustServiceStatusList/>")
    empty = lacre.TrustedLists.load(tmp_path)
    assert (empty.trusted, len(empty.states)) == (0, 1)
    assert empty.states[0].problems
    with pytest.raises(lacre.Error):
        lacre.TrustedLists.load(tmp_path, packed_by=(tmp_path / "list.xml").read_bytes())
