"""Examples in docstrings and on pages do what they show; the reference is that of the code."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lacre
from conftest import ROOT

# Modules of the extras, and what they need: in an environment without it, their examples are not run.
EXTRAS = {"arrow": "pyarrow", "spark": "pyspark"}
MODULES = sorted(one.name for one in pkgutil.iter_modules(lacre.__path__) if one.name not in ("__main__", "_lacre"))


@pytest.mark.parametrize("name", ["", *MODULES])
def test_examples_of_docstrings(name: str, documents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in EXTRAS:
        pytest.importorskip(EXTRAS[name], reason=f"needs {EXTRAS[name]}: pip install lacre[{name}]")
    monkeypatch.chdir(documents)
    module = importlib.import_module(f"lacre.{name}" if name else "lacre")
    found = doctest.testmod(module)
    assert found.failed == 0


def blocks(page: Path) -> list[str]:
    """The blocks of Python on a page, but for those that say that they need the network."""
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "bindings/python/README.md"])
def test_examples_of_pages(page: str, documents: Path, tmp_path: Path) -> None:
    for name in documents.iterdir():
        (tmp_path / name.name).write_bytes(name.read_bytes())
    there = importlib.util.find_spec("pyarrow") is not None
    for block in blocks(ROOT / page):
        if "lacre.arrow" in block and not there:
            continue
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", block], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, f"{block}\n{done.stderr}"
        for shown in re.findall(r"print\(.*\)  # (.*)", block):
            assert shown in done.stdout, block


def test_the_reference_is_that_of_the_code() -> None:
    made = subprocess.run(
        [sys.executable, str(ROOT / "bindings/python/reference.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
