"""Threads: one validator for all, and the GIL is released."""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import lacre
from conftest import AT


def test_one_validator_in_many_threads(documents: Path, validator: lacre.Validator) -> None:
    paths = [documents / name for name in ("contract.pdf", "contract-tampered.pdf", "revoked.pdf", "not-signed.pdf")] * 16
    expected = [validator.validate(path, at=AT).to_json() for path in paths[:4]] * 16
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda path: validator.validate(path, at=AT).to_json(), paths))
    assert found == expected


def test_one_report_in_many_threads(documents: Path, validator: lacre.Validator) -> None:
    report = validator.validate(documents / "contract.pdf", at=AT)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: (report.signatures, report.to_pdf(), report.passed), range(32)))
    assert all(one == found[0] for one in found)


def test_other_threads_run_meanwhile(tmp_path: Path) -> None:
    """A thread that only counts goes on while the library works: the GIL is released."""
    large = tmp_path / "large.p7s"
    # Searched to its end for what it is.
    large.write_bytes(b"%PDF-1.7\n" + os.urandom(64) * (1 << 20))
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    begun = time.perf_counter()
    before = counted
    with pytest.raises(lacre.Error):
        lacre.validate(large)
    took, progress = time.perf_counter() - begun, counted - before
    done.set()
    thread.join()
    # The switch interval is 5 ms: with the GIL held the thread would not have counted at all.
    assert took < 0.02 or progress >= 2, (took, progress)


def test_an_interrupt_is_seen_after_the_call(documents: Path) -> None:
    """Ctrl-C is raised when the call returns: what the library works on is whole."""
    program = f"""
import lacre, os, signal, threading
# Who starts a program in the background has it ignore the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
validator = lacre.Validator(trust_anchors={str(documents / "root.der")!r})
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
count = 0
try:
    while True:
        assert validator.validate({str(documents / "contract.pdf")!r}, at="2027-01-01").passed
        count += 1
except KeyboardInterrupt:
    print("interrupted", count > 0)
assert validator.validate({str(documents / "contract.pdf")!r}, at="2027-01-01").passed
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip() == "interrupted True", done


@pytest.mark.slow
def test_memory_is_flat(documents: Path) -> None:
    """The most memory after 20,000 calls is what it was after 2,000."""
    content = (documents / "contract.pdf").read_bytes()
    broken = content[: len(content) // 2]
    validator = lacre.Validator(trust_anchors=documents / "root.der")

    def calls(count: int) -> None:
        for _ in range(count // 2):
            report = validator.validate(content, at=AT)
            assert report.passed
            assert len(report.signatures) == 1
            try:
                validator.validate(broken, at=AT)
            except lacre.Error:
                pass
        gc.collect()

    calls(2_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    calls(20_000)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 4 << 10, f"{grown} KiB more after 20,000 calls"
