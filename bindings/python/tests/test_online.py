"""Going online: what is wanted is fetched, from a server of the test, and from nobody else."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

import lacre
from authority import NOW, Authority
from conftest import AT
from lacre import online, signing


def test_a_callable_gets_what_is_wanted(documents: Path) -> None:
    authority = Authority()
    signed = signing.sign(documents / "not-signed.pdf", authority.key, authority.certificate)
    at = datetime.now(timezone.utc) + timedelta(seconds=5)
    trust = lacre.Validator(trust_anchors=authority.root.certificate)
    assert not trust.validate(signed, at=at).passed
    report = online.validate(signed, validator=trust, fetch=authority.fetch, at=at)
    assert report.passed, report.to_text()
    assert [one.kind for one in authority.asked] == [lacre.WantedKind.CRL]
    assert authority.asked[0].urls == ("http://crl.example.invalid/root.crl",)
    vain = online.validate(signed, validator=trust, fetch=lambda _: None, at=at)
    assert not vain.passed
    (wanted,) = vain.wanted
    assert wanted.tried == (lacre.Tried(url="http://crl.example.invalid/root.crl", reason="it gave nothing"),)
    with pytest.raises(lacre.Error) as raised:
        online.validate(signed, validator=trust, fetch=lambda _: b"a page", at=at)
    assert raised.value.code is lacre.ErrorCode.INVALID_EVIDENCE

    def raising(_wanted: lacre.Wanted) -> bytes:
        raise TimeoutError("no answer")

    with pytest.raises(TimeoutError):
        online.validate(signed, validator=trust, fetch=raising, at=at)
    with pytest.raises(TypeError, match="expected one of them"):
        online.validate(signed, validator=trust, trust_anchors=b"")


class Answers(http.server.BaseHTTPRequestHandler):
    """A server that has a revocation list, and stamps."""

    authority: Authority

    def answer(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self) -> None:
        now = datetime.now(timezone.utc)
        self.answer(self.authority.root.revocation_list(7, this_update=now, next_update=now + timedelta(days=7)))

    def do_POST(self) -> None:
        self.answer(self.authority.unit.timestamp(self.rfile.read(int(self.headers["Content-Length"]))))

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    Answers.authority = Authority()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers) as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{made.server_port}"
        made.shutdown()


def test_time_stamps_over_http(server: str, documents: Path) -> None:
    authority = Answers.authority
    fetcher = online.Fetcher.make(allow=[server], authorities=[f"http://{server}/tsa"])
    token = fetcher.timestamp(b"data")
    assert lacre.inspect(token, contents={"data": b"data"}).to_text()
    signed = signing.sign(documents / "not-signed.pdf", authority.key, authority.certificate, level="T", fetch=fetcher)
    assert lacre.validate(signed).signatures[0].level is lacre.SignatureLevel.PADES_BASELINE_T
    nobody = online.Fetcher.make(authorities=[f"http://{server}/tsa"])
    with pytest.raises(lacre.Error) as raised:
        nobody.timestamp(b"data")
    assert raised.value.code is lacre.ErrorCode.TSA_UNREACHABLE
    assert "expected a public one" in str(raised.value)


def test_the_fetcher_asks_public_addresses_only(server: str, tmp_path: Path) -> None:
    wanted = lacre.Wanted(kind=lacre.WantedKind.CRL, urls=(f"http://{server}/root.crl",), about=None)
    assert online.Fetcher.make()(wanted) is None
    assert online.Fetcher.make(allow=[server], cache=tmp_path / "cache")(wanted)
    with pytest.raises(lacre.Error) as raised:
        online.Fetcher.make(allow=["localhost"])
    assert raised.value.code is lacre.ErrorCode.INVALID_ARGUMENT


def test_the_native_way_says_what_it_tried(documents: Path) -> None:
    """Nothing answers at `.invalid`: the report says where it was looked for."""
    report = online.validate(
        documents / "letter.txt.p7s", contents=[documents / "letter.txt"], trust_anchors=documents / "root.der", at=AT
    )
    assert report.wanted
    assert all(want.tried for want in report.wanted)


def test_lists_that_are_not_to_be_had(tmp_path: Path, server: str) -> None:
    fetcher = online.Fetcher.make(allow=[server])
    where = f"http://{server}/lotl.xml"
    updated = online.update(tmp_path / "lists", list_of_lists=where, fetcher=fetcher)
    assert not updated.complete
    assert updated.lists[0].outcome == "missing"
    assert updated.lists[0].url == where
    with pytest.raises(lacre.Error) as raised:
        online.update_lists(tmp_path / "lists", list_of_lists=where, fetcher=fetcher)
    assert raised.value.code is lacre.ErrorCode.FETCH
    assert datetime.now(timezone.utc) > NOW
