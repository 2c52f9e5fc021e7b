"""What the tests share: the example documents, and where the command and the corpus are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import lacre
from authority import Authority

ROOT = Path(__file__).resolve().parents[3]
AT = "2027-01-01T00:00:00Z"


@pytest.fixture(scope="session")
def documents() -> Path:
    return ROOT / "examples" / "documents"


@pytest.fixture(scope="session")
def validator(documents: Path) -> lacre.Validator:
    return lacre.Validator(trust_anchors=documents / "root.der")


@pytest.fixture(scope="session")
def report(validator: lacre.Validator, documents: Path) -> lacre.Report:
    return validator.validate(documents / "contract.pdf", at=AT)


@pytest.fixture(scope="session")
def authority() -> Authority:
    return Authority()


def _named(variable: str) -> Path:
    named = os.environ.get(variable)
    if not named:
        pytest.fail(f"{variable} is not set, expected a path: .ci/python sets it")
    path = Path(named)
    if not path.exists():
        pytest.fail(f"{variable}: {path} is not there")
    return path


@pytest.fixture(scope="session")
def command() -> Path:
    return _named("LACRE_COMMAND")


@pytest.fixture(scope="session")
def corpus() -> Path:
    return _named("LACRE_CORPUS")
