"""`python -m lacre` and `lacre`: the same bytes, the same status."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import lacre
from conftest import AT

MODULE = [sys.executable, "-m", "lacre"]


def run(command: list[str], cwd: Path, stdin: bytes = b"") -> tuple[int, bytes, bytes]:
    environment = {**os.environ, "LACRE_TRUSTED_LISTS": "", "HOME": "/nonexistent", "XDG_DATA_HOME": "/nonexistent"}
    done = subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, env=environment, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def test_the_command_is_there(documents: Path) -> None:
    arguments = ["validate", "contract.pdf", "--trust-anchor", "root.der", "--at", AT, "--format", "json"]
    status, out, _ = run([*MODULE, *arguments], documents)
    assert status == 0
    found = lacre.validate(documents / "contract.pdf", trust_anchors=documents / "root.der", at=AT)
    assert out.decode() == found.to_json() + "\n"
    status, out, err = run([*MODULE, "validate", "missing.pdf"], documents)
    assert (status, out) == (5, b"")
    assert b"missing.pdf" in err
    status, out, err = run([*MODULE, "--version"], documents)
    assert (status, err) == (0, b"")
    assert lacre.__version__ in out.decode()
    status, _, err = run([*MODULE, "vaildate"], documents)
    assert status == 2
    assert b"validate" in err
    status, out, _ = run([*MODULE, "inspect", "-"], documents, (documents / "contract.pdf").read_bytes())
    assert status == 0
    assert out


@pytest.mark.corpus
@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["validate"],
        ["validate", "--help"],
        ["validate", "contract.pdf", "--at", AT],
        ["validate", "contract.pdf", "revoked.pdf", "contract-tampered.pdf", "missing", "--at", AT, "--trust-anchor", "root.der"],
        ["validate", "contract.pdf", "--at", AT, "--trust-anchor", "root.der", "--explain", "--language", "de"],
        ["inspect", "contract.pdf", "--format", "json"],
        ["certificate", "root.der", "--at", AT, "--format", "json"],
        ["completions", "bash"],
        ["\x1b[31mred"],
    ],
)
def test_it_is_the_command(command: Path, documents: Path, arguments: list[str]) -> None:
    # What is never the same: the moment of `inspect`.
    def told(out: bytes) -> object:
        if arguments[0] != "inspect":
            return out
        facts = json.loads(out)
        facts["facts"].pop("validation_time", None)
        return facts

    theirs = run([str(command), *arguments], documents)
    ours = run([*MODULE, *arguments], documents)
    assert ours[0] == theirs[0]
    assert told(ours[1]) == told(theirs[1])
    assert ours[2] == theirs[2]


def signed_files(corpus: Path, count: int) -> list[Path]:
    """Files of the corpus, by its list: other things lie in the same folder."""
    endings = {".pdf", ".p7s", ".p7m", ".xml", ".asice", ".asics", ".json", ".bdoc", ".tst"}
    rows = (corpus / "manifest.tsv").read_text(encoding="utf-8").splitlines()[1:]
    files = sorted(corpus / row.split("\t", 1)[0] for row in rows)
    files = [path for path in files if path.suffix in endings and path.is_file() and path.stat().st_size < 4 << 20]
    return random.Random(14).sample(files, min(count, len(files)))


@pytest.mark.corpus
def test_reports_are_the_command_s(command: Path, corpus: Path, tmp_path: Path) -> None:
    """JSON, ETSI and PDF of 300 files of the corpus, byte for byte."""
    files = []
    validator = lacre.Validator()
    for path in signed_files(corpus, 600):
        try:
            files.append((path, validator.validate(path, at=AT)))
        except lacre.Error:
            continue
        if len(files) == 300:
            break
    assert len(files) == 300
    # Names of their own, by which the folder of the command has them.
    inputs = tmp_path / "in"
    inputs.mkdir()
    for index, (path, _) in enumerate(files):
        (inputs / f"{index:03}{path.suffix}").symlink_to(path)
    names = sorted(one.name for one in inputs.iterdir())
    forms: dict[str, tuple[str, Callable[[lacre.Report], bytes]]] = {
        "json": ("json", lambda report: (report.to_json() + "\n").encode()),
        "etsi": ("xml", lambda report: report.to_etsi_xml().encode()),
        "pdf": ("pdf", lacre.Report.to_pdf),
    }
    for form, (ending, write) in forms.items():
        out = tmp_path / form
        status, _, err = run([str(command), "validate", *names, "--at", AT, "--format", form, "--output-dir", str(out)], inputs)
        assert status in (1, 3, 5), err
        written = sorted(out.iterdir())
        assert len(written) == 300, err
        differing = []
        for name, file in zip(names, written, strict=True):
            assert file.name.endswith(ending)
            report = validator.validate(inputs / name, at=AT)
            if write(report) != file.read_bytes():
                differing.append(name)
        assert differing == [], form


@pytest.mark.corpus
def test_every_file_has_a_verdict_or_an_error(corpus: Path) -> None:
    """And whatever a report says can be read as objects."""
    validator = lacre.Validator()
    read = 0
    for path in signed_files(corpus, 600):
        try:
            report = validator.validate(path, at=AT)
        except lacre.Error as error:
            assert error.code in lacre.ErrorCode
            continue
        told = report.to_dict()
        assert len(report.signatures) == len(told["signatures"])
        assert len(report.timestamps) == len(told["timestamps"])
        assert len(report.evidence_records) == len(told["evidence_records"])
        assert len(report.revocations) == len(told["revocations"])
        assert len(report.wanted) == len(told["wanted"])
        assert report.document.sha256
        assert repr(report)
        read += 1
    assert read > 300
