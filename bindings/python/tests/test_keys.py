"""Private keys: in memory, in PKCS#12 files, in PKCS#11 tokens."""

from __future__ import annotations

import io
import pickle
import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

import lacre
from authority import NOW, ORGANISATION, Authority
from conftest import ROOT
from lacre import issuance, signing

KEYS = ROOT / "tests" / "data" / "keys"
MODULES = ("/usr/lib/softhsm/libsofthsm2.so", "/usr/lib64/pkcs11/libsofthsm2.so")
PIN = "271828"


def test_keys(authority: Authority) -> None:
    key = authority.key
    assert signing.Key.read(key.to_pkcs8()).public_key == key.public_key
    assert key.algorithm == "ECDSA"
    assert "PRIVATE" not in repr(key)
    with pytest.raises(TypeError):
        signing.Key()
    for wrong in (b"", b"nothing"):
        with pytest.raises(lacre.Error) as raised:
            signing.Key.read(wrong)
        assert raised.value.code is lacre.ErrorCode.INVALID_KEY
    with pytest.raises(lacre.Error) as raised:
        signing.Key.generate("rsa-512")
    assert raised.value.code is lacre.ErrorCode.INVALID_ARGUMENT
    with pytest.raises(TypeError, match="to_pkcs8"):
        pickle.dumps(key)


def test_an_identity_of_a_file(documents: Path) -> None:
    """RC2, Triple DES, BER: what programs of the last century and of today write."""
    read: list[signing.Identity] = []
    for name in ("rc2-40.p12", "rc2-128.p12", "nss.p12"):
        identity = signing.Identity.from_pkcs12(KEYS / name, "secret")
        assert identity.alias == "user"
        assert identity.certificate == (KEYS / "user.der").read_bytes()
        assert len(identity.chain) == 2
        read.append(identity)
    identity = read[0]
    assert identity.key.public_key in identity.certificate
    assert repr(identity) == "Identity(key=<lacre.signing.Key ECDSA>, alias='user')"
    with (KEYS / "rc2-40.p12").open("rb") as file:
        assert signing.Identity.from_pkcs12(file, "secret").chain == identity.chain
    pdf, at = documents / "not-signed.pdf", "2027-01-01"
    signed = signing.sign(pdf, identity, at=at)
    prepared = signing.prepare(pdf, identity, at=at)
    finished = signing.finish(pdf, prepared, identity)
    by_hand = signing.sign(pdf, identity.key, identity.certificate, chain=identity.chain, at=at)
    for one in (signed, finished, by_hand):
        report = lacre.validate(one, trust_anchors=identity.chain[-1], at="2027-01-02")
        (signature,) = report.signatures
        assert signature.signer is not None
        assert signature.signer.name == "User"
        assert len(signature.chain) == 3


def test_which_identity(documents: Path) -> None:
    names = {name: signing.Identity.from_pkcs12(KEYS / "java.p12", "secret", alias=name) for name in ("first", "second")}
    assert {name: one.alias for name, one in names.items()} == {"first": "first", "second": "second"}
    assert names["first"].key.public_key != names["second"].key.public_key
    for alias in (None, "third"):
        with pytest.raises(lacre.Error, match="first, second") as raised:
            signing.Identity.from_pkcs12(KEYS / "java.p12", "secret", alias=alias)
        assert raised.value.code is lacre.ErrorCode.INVALID_KEY
        assert raised.value.hint == "`alias` names one of them"
    for password in ("", "Secret"):
        with pytest.raises(lacre.Error, match="the password does not open") as raised:
            signing.Identity.from_pkcs12(KEYS / "java.p12", password)
        assert raised.value.code is lacre.ErrorCode.INVALID_KEY
    for wrong in (b"", b"nothing", (KEYS / "user.der").read_bytes()):
        with pytest.raises(lacre.Error, match="PKCS#12") as raised:
            signing.Identity.from_pkcs12(io.BytesIO(wrong), "secret")
        assert raised.value.code is lacre.ErrorCode.INVALID_KEY
    with pytest.raises(FileNotFoundError):
        signing.Identity.from_pkcs12("nowhere.p12", "secret")
    with pytest.raises(TypeError):
        signing.Identity.from_pkcs12(KEYS / "java.p12", b"secret")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="certificate"):
        signing.sign(documents / "not-signed.pdf", names["first"].key)


@pytest.fixture(scope="module")
def token(tmp_path_factory: pytest.TempPathFactory) -> signing.Pkcs11:
    """A token of SoftHSM, in a folder of its own."""
    module = next((one for one in MODULES if Path(one).exists()), None)
    if module is None or shutil.which("softhsm2-util") is None:
        pytest.skip("needs SoftHSM (Debian package softhsm2)")
    folder = tmp_path_factory.mktemp("softhsm")
    settings = folder / "softhsm2.conf"
    settings.write_text(f"directories.tokendir = {folder}\nlog.level = ERROR\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        # The module reads its settings from the environment, once.
        patch.setenv("SOFTHSM2_CONF", str(settings))
        for label in ("lacre", "twin", "twin"):
            command = ["softhsm2-util", "--init-token", "--free", "--label", label, "--pin", PIN, "--so-pin", "31415926"]
            subprocess.run(command, check=True, capture_output=True)
        for label, pin, expected in (
            ("nobody", PIN, 'has 0 tokens labelled "nobody"'),
            ("twin", PIN, 'has 2 tokens labelled "twin"'),
            ("lacre", "161803", "PinIncorrect"),
        ):
            with pytest.raises(lacre.Error, match=expected) as raised:
                signing.Pkcs11.open(module, label, pin)
            assert raised.value.code is lacre.ErrorCode.TOKEN
            assert pin not in str(raised.value)
        return signing.Pkcs11.open(Path(module), "lacre", PIN)


@pytest.mark.softhsm
@pytest.mark.parametrize("kind", ["ecdsa-p256", "ecdsa-p384", "rsa-3072"])
def test_a_key_in_a_token_signs(documents: Path, authority: Authority, token: signing.Pkcs11, kind: str) -> None:
    key = token.generate(kind, f"seal {kind}")
    found = token.find(f"seal {kind}")
    assert found.public_key == key.public_key
    certificate = authority.issue("legal-person", "Seal", found)
    signed = signing.sign(documents / "not-signed.pdf", found, certificate)
    identity = signing.Identity(key=found, certificate=certificate, chain=(authority.root.certificate,))
    for one in (signed, signing.sign(documents / "not-signed.pdf", identity)):
        (signature,) = lacre.validate(one, trust_anchors=authority.root.certificate).signatures
        assert signature.blocks.cv is not None
        assert signature.blocks.cv.indication is lacre.Indication.PASSED
    algorithm = "SHA512withRSA" if kind.startswith("rsa") else "SHA512withECDSA"
    prepared = signing.prepare(documents / "not-signed.pdf", certificate, digest_algorithm="SHA-512")
    assert prepared.algorithm == algorithm
    signing.finish(documents / "not-signed.pdf", prepared, found)


@pytest.mark.softhsm
def test_an_authority_in_a_token(token: signing.Pkcs11) -> None:
    end = NOW + timedelta(days=900)
    subject = {**ORGANISATION, "common_name": "Root"}
    root = issuance.Issuer.root(token.generate("ecdsa-p384", "root"), subject, not_before=NOW, not_after=end)
    key = signing.Key.generate("ecdsa-p256")
    certificate = root.issue(
        "legal-person", {**ORGANISATION, "common_name": "Seal"}, key.public_key, not_before=NOW, not_after=end
    )
    request = issuance.ocsp_request(certificate, root.certificate)
    response = root.ocsp_response(request, lambda _: lacre.CertificateStatus.GOOD, this_update=NOW, next_update=end)
    validator = lacre.Validator(trust_anchors=root.certificate, evidence=[response])
    assert validator.certificate(certificate, at=NOW).indication is lacre.Indication.PASSED


@pytest.mark.softhsm
def test_what_a_token_refuses(documents: Path, authority: Authority, token: signing.Pkcs11) -> None:
    key = token.generate("ecdsa-p256", "kept")
    assert repr(key) == "<lacre.signing.Key ECDSA in a token>"
    with pytest.raises(lacre.Error, match="expected one in memory") as raised:
        key.to_pkcs8()
    assert raised.value.code is lacre.ErrorCode.TOKEN
    for one in (key, token):
        with pytest.raises(TypeError):
            pickle.dumps(one)
    with pytest.raises(lacre.Error, match='labelled "kept" already') as raised:
        token.generate("ecdsa-p256", "kept")
    assert raised.value.code is lacre.ErrorCode.TOKEN
    for kind, code in (("ed25519", "TOKEN"), ("rsa-512", "INVALID_ARGUMENT")):
        with pytest.raises(lacre.Error) as raised:
            token.generate(kind, "another")
        assert raised.value.code == code
    for wrong in ({"label": "nobody"}, {"id": b"nobody"}):
        with pytest.raises(lacre.Error, match="has 0 private keys") as raised:
            token.find(**wrong)
        assert raised.value.code is lacre.ErrorCode.TOKEN
    wrongs: list[dict[str, object]] = [{}, {"label": "kept", "id": b"kept"}]
    for both in wrongs:
        with pytest.raises(ValueError, match="label"):
            token.find(**both)  # type: ignore[arg-type]
    with pytest.raises(lacre.Error) as raised:
        signing.sign(documents / "not-signed.pdf", key, authority.certificate)
    assert raised.value.code is lacre.ErrorCode.VALUE_DOES_NOT_VERIFY
    with pytest.raises(lacre.Error) as raised:
        signing.Pkcs11.open("/nowhere/lib.so", "lacre", PIN)
    assert raised.value.code is lacre.ErrorCode.TOKEN
    with pytest.raises(TypeError):
        signing.Pkcs11()


@pytest.mark.softhsm
def test_threads_share_a_token(documents: Path, authority: Authority, token: signing.Pkcs11) -> None:
    key = token.generate("rsa-3072", "shared")
    certificate = authority.issue("legal-person", "Seal", key)
    pdf = (documents / "not-signed.pdf").read_bytes()
    ticks, done = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.001):
            ticks += 1

    beside = threading.Thread(target=tick)
    beside.start()
    with ThreadPoolExecutor(8) as pool:
        signed = list(pool.map(lambda _: signing.sign(pdf, key, certificate), range(24)))
    done.set()
    beside.join()
    assert ticks > 0
    for one in signed:
        (signature,) = lacre.validate(one, trust_anchors=authority.root.certificate).signatures
        assert signature.blocks.cv is not None
        assert signature.blocks.cv.indication is lacre.Indication.PASSED
