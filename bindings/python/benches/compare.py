"""What a call from Python costs, how threads help, and pyHanko on the same files; writes Markdown for docs/python.md.

python benches/compare.py CORPUS [--files N] [--pyhanko] [--threads N]

Needs a build with the feature `bench` (maturin develop --profile dist --features bench), which measures the library's own part
of a call by the same clock, in the same process, on the same files. What is measured is said with its spread: turns alternate.
"""

from __future__ import annotations

import argparse
import statistics
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lacre

AT = "2026-06-01T00:00:00Z"
ENDINGS = {".pdf", ".p7s", ".p7m", ".xml", ".asice", ".asics", ".json", ".bdoc", ".tst"}


def signed_files(corpus: Path, endings: set[str] = ENDINGS, most: int = 4 << 20) -> list[Path]:
    """Files of the corpus that are read, in the order of their names."""
    validator = lacre.Validator()
    found = []
    for path in sorted(corpus.rglob("*")):
        if path.suffix.lower() in endings and path.is_file() and path.stat().st_size <= most:
            try:
                if validator.validate(path, at=AT).indication != "NO_SIGNATURE_FOUND":
                    found.append(path)
            except lacre.Error:
                continue
    return found


def overhead(files: list[Path], turns: int = 41) -> None:
    """A call's time beside the library's own part of it, for each file; the median file is the one that counts."""
    from lacre import _lacre

    validator = lacre.Validator()
    inner: Any = validator._inner
    if not hasattr(_lacre.Validator, "nanoseconds"):
        raise SystemExit("this build has no feature `bench`: maturin develop --profile dist --features bench")
    at = lacre._time.millis(AT)
    rows = []
    for path in files:
        document: Any = (str(path), path.name, [], None)
        calls, works = [], []
        for _ in range(turns):
            works.append(inner.nanoseconds(document, at, 1)[0])
            begun = time.perf_counter_ns()
            validator.validate(path, at=AT)
            calls.append(time.perf_counter_ns() - begun)
        work, call = statistics.median(works), statistics.median(calls)
        rows.append((work, call, path))
    rows.sort(key=lambda row: row[0])
    work, call, path = rows[len(rows) // 2]
    ratios = sorted((call - work) / work for work, call, _ in rows)
    print("| Overhead of a call | |\n|---|---|")
    print(f"| files | {len(rows)} |")
    print(f"| median file, `{path.name}`: library | {work / 1e3:.1f} µs |")
    print(f"| the same from Python | {call / 1e3:.1f} µs |")
    print(f"| overhead of the median file | {100 * (call - work) / work:.2f} % |")
    print(f"| median of all files' overheads | {100 * statistics.median(ratios):.2f} % |")
    print(f"| median of all files' overheads | {statistics.median((call - work) / 1e3 for work, call, _ in rows):.1f} µs |")


def run(files: list[Path], threads: int) -> float:
    """Seconds for all files, shared by so many threads."""
    validator = lacre.Validator()
    waiting = iter(files)
    lock = threading.Lock()

    def work() -> None:
        while True:
            with lock:
                path = next(waiting, None)
            if path is None:
                return
            validator.validate(path, at=AT)

    workers = [threading.Thread(target=work) for _ in range(threads)]
    begun = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return time.perf_counter() - begun


def threads(files: list[Path], count: int, turns: int = 5) -> None:
    """How much quicker several threads are than one, turn by turn."""
    many = (files * (2_000 // len(files) + 1))[:2_000]
    run(many[:200], count)
    one, several = [], []
    for _ in range(turns):
        one.append(run(many, 1))
        several.append(run(many, count))
    ratios = [a / b for a, b in zip(one, several, strict=True)]
    print("\n| 2,000 files | |\n|---|---|")
    print(f"| one thread | {statistics.median(one):.2f} s |")
    print(f"| {count} threads | {statistics.median(several):.2f} s |")
    print(f"| times as quick | {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) |")


def milliseconds(call: Callable[[], object], turns: int) -> float:
    """The median of some turns."""
    took = []
    for _ in range(turns):
        begun = time.perf_counter()
        call()
        took.append((time.perf_counter() - begun) * 1e3)
    return statistics.median(took)


def pyhanko(files: list[Path], turns: int = 3) -> None:
    """The same PDFs, nobody trusted, offline: whether a signature is broken, and how long it takes to say so.

    With nobody trusted the verdicts that both can give are TOTAL-FAILED (broken) and INDETERMINATE.
    """
    import io
    import logging

    from pyhanko.pdf_utils.reader import PdfFileReader
    from pyhanko.sign.validation import validate_pdf_signature
    from pyhanko_certvalidator import ValidationContext

    logging.disable(logging.CRITICAL)
    moment = lacre._time.from_text(AT)
    ours, theirs, same, both_read = [], [], 0, 0
    failures = 0
    for path in files:
        content = path.read_bytes()
        validator = lacre.Validator(cache=False)

        def theirs_on(content: bytes = content) -> str:
            reader = PdfFileReader(io.BytesIO(content), strict=False)
            verdicts = []
            for signature in reader.embedded_signatures:
                if signature.sig_object_type != "/Sig":
                    continue
                context = ValidationContext(trust_roots=[], moment=moment, allow_fetching=False)
                status = validate_pdf_signature(signature, context)
                verdicts.append("TOTAL-FAILED" if not (status.intact and status.valid) else "INDETERMINATE")
            return "TOTAL-FAILED" if "TOTAL-FAILED" in verdicts else "INDETERMINATE" if verdicts else "NO_SIGNATURE_FOUND"

        try:
            verdict = theirs_on()
        except Exception:
            failures += 1
            continue
        both_read += 1
        found = str(validator.validate(content, at=AT).indication)
        same += verdict == found
        ours.append(milliseconds(lambda content=content, validator=validator: validator.validate(content, at=AT), turns))  # type: ignore[misc]
        theirs.append(milliseconds(theirs_on, turns))
    ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
    print("\n| pyHanko side by side | |\n|---|---|")
    print(f"| PDFs that lacre reads and that are signed | {len(files)} |")
    print(f"| of these pyHanko ends with an exception | {failures} |")
    print(f"| both read | {both_read} |")
    print(f"| the same verdict | {same} |")
    print(f"| lacre, median | {statistics.median(ours):.2f} ms |")
    print(f"| pyHanko, median | {statistics.median(theirs):.2f} ms |")
    print(f"| median of the ratios | {statistics.median(ratios):.0f} |")


def main() -> None:
    """Measures what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--pyhanko", action="store_true")
    asked = parser.parse_args()
    files = signed_files(asked.corpus)
    step = max(1, len(files) // asked.files)
    chosen = files[::step][: asked.files]
    print(f"lacre {lacre.__version__}, {len(chosen)} of {len(files)} files\n")
    overhead(chosen)
    threads(files, asked.threads)
    if asked.pyhanko:
        pyhanko([path for path in files if path.suffix.lower() == ".pdf"][: asked.files])


if __name__ == "__main__":
    main()
