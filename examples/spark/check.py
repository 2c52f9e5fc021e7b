"""Judges 20,010 documents on this machine, by the command and by Spark; kills what can be killed, and compares the tables.

python check.py WORK --command lacre [--count 20000] [--corpus FOLDER] [--steps STEP,…]

make     the archive (make_documents.py)
command  `lacre validate … --format json` over all files: what everything else is compared with
local    `local[2,4]`: Parquet with reports, files by binaryFile, files by their paths
killed   the same; meanwhile kill -9 for a worker of Python, then for the driver with all it started, which is started again
cluster  a standalone cluster of two workers; meanwhile kill -9 for a worker of Python, and for an executor
cores    one core, two cores, in turns; the machine has to be quiet
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ANCHOR = HERE.parent / "documents" / "root.der"
AT = "2027-01-01T00:00:00Z"


def processes() -> dict[int, tuple[int, str]]:
    """Processes of this machine: their parents, and how they were started."""
    found = {}
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            found[int(folder.name)] = (parent, (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
    return found


def below(root: int) -> dict[int, str]:
    """What a process started, and what that started."""
    all_of_them, found = processes(), {root}
    for _ in range(len(all_of_them)):
        more = {process for process, (parent, _) in all_of_them.items() if parent in found} - found
        if not more:
            break
        found |= more
    return {process: all_of_them[process][1] for process in found - {root} if process in all_of_them}


def kill(process: int) -> None:
    """Ends a process that this program started, by its number."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def workers(root: int) -> list[int]:
    """Python workers below a process: children of daemons."""
    daemons = {process for process, line in below(root).items() if "pyspark.daemon" in line}
    return [process for process, (parent, _) in processes().items() if parent in daemons and process in below(root)]


def ticks(process: int) -> int:
    """Processor time that a process took, in the kernel's ticks."""
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[11])
    return 0


def kill_worker(root: int) -> None:
    """Ends a Python worker while it works."""
    while True:
        before = {process: ticks(process) for process in workers(root)}
        time.sleep(0.1)
        busy = [process for process, then in before.items() if ticks(process) > then + 2]
        if busy:
            kill(busy[0])
            print(f"killed {busy[0]}, a worker of Python", flush=True)
            return


def lost(log: Path) -> None:
    """Says what Spark lost."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    for words in ("Lost task", "Lost executor"):
        found = [line for line in lines if words in line]
        print(f"{words}: {len(found)}" + (f", as {found[0][:150]}" if found else ""), flush=True)


def start(archive: Path, verdicts: Path, kind: str, *more: str, output: int | None = None) -> subprocess.Popen[bytes]:
    """Starts the job. Workers run this Python, with this package."""
    arguments = [str(archive), str(verdicts), "--kind", kind, "--at", AT, "--trust-anchor", str(ANCHOR), *more]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    log = (verdicts.parent / f"{verdicts.name}.log").open("ab")
    line = [sys.executable, "-W", "ignore", str(HERE / "validate_archive.py"), *arguments]
    return subprocess.Popen(line, env=environment, stdout=output, stderr=log)


def judge(archive: Path, verdicts: Path, kind: str, *more: str) -> float:
    """Runs the job from the start. Seconds, those of starting Spark included."""
    shutil.rmtree(verdicts, ignore_errors=True)
    begun = time.monotonic()
    finished(start(archive, verdicts, kind, *more))
    return time.monotonic() - begun


def finished(job: subprocess.Popen[bytes]) -> None:
    """Waits until it ended well."""
    if job.wait() != 0:
        sys.exit(f"the job ended with status {job.returncode}")


def portion(verdicts: Path, count: int, job: subprocess.Popen[bytes]) -> None:
    """Waits until so many portions are written, and the next one has begun."""
    while len(list(verdicts.glob("portion=*/_SUCCESS"))) < count:
        if job.poll() is not None:
            sys.exit("the job ended before anything could be killed")
        time.sleep(0.05)
    time.sleep(0.7)


def compare(verdicts: Path, results: Path) -> None:
    """Compares with the command's table."""
    if subprocess.run([sys.executable, str(HERE / "compare.py"), str(verdicts), str(results)], check=False).returncode:
        sys.exit("another table")


@contextlib.contextmanager
def cluster(work: Path) -> Iterator[tuple[str, list[int]]]:
    """A standalone cluster of two workers with a core each: its address, and the workers' processes."""
    import pyspark

    home = Path(pyspark.__file__).parent
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    master = f"spark://127.0.0.1:{port}"
    running: list[subprocess.Popen[bytes]] = []
    environment = {**os.environ, "SPARK_HOME": str(home), "SPARK_DAEMON_MEMORY": "256m", "PYSPARK_PYTHON": sys.executable}
    common = ["--host", "127.0.0.1", "--webui-port", "0"]
    for name, arguments in (
        ("master.Master", ["--port", str(port)]),
        ("worker.Worker", ["--cores", "1", "--memory", "1g", "--work-dir", str(work / "w1"), master]),
        ("worker.Worker", ["--cores", "1", "--memory", "1g", "--work-dir", str(work / "w2"), master]),
    ):
        line = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", *common, *arguments]
        log = (work / "nodes.log").open("ab")
        running.append(subprocess.Popen(line, env=environment, stdout=log, stderr=log))
        time.sleep(4)
    try:
        yield master, [one.pid for one in running[1:]]
    finally:
        for one in reversed(running):
            for process in below(one.pid):
                kill(process)
            one.kill()
            one.wait()


def step_command(work: Path, command: str) -> None:
    """The command's batch over all files."""
    files = sorted(str(path.relative_to(work / "archive/files")) for path in (work / "archive/files").glob("*/*"))
    begun = time.monotonic()
    with (work / "results.jsonl").open("wb") as results, (work / "command.log").open("wb") as log:
        line = [command, "validate", *files, "--trust-anchor", str(ANCHOR), "--at", AT, "--format", "json"]
        subprocess.run(line, cwd=work / "archive/files", stdout=results, stderr=log, check=False)
    seconds = time.monotonic() - begun
    print(f"command: {len(files)} files in {seconds:.1f} s, {len(files) / seconds:.0f} a second", flush=True)


def step_local(work: Path) -> None:
    """Every kind of column."""
    for kind, more in (("parquet", ["--report"]), ("files", []), ("paths", [])):
        seconds = judge(work / "archive" / ("parquet" if kind == "parquet" else "files"), work / f"local-{kind}", kind, *more)
        print(f"local[2,4], {kind}: {seconds:.1f} s", flush=True)
        compare(work / f"local-{kind}", work / "results.jsonl")


def step_killed(work: Path) -> None:
    """A worker of Python ends, and then everything."""
    verdicts = work / "killed"
    shutil.rmtree(verdicts, ignore_errors=True)
    job = start(work / "archive/parquet", verdicts, "parquet")
    portion(verdicts, 1, job)
    kill_worker(job.pid)
    portion(verdicts, 3, job)
    everything = below(job.pid)
    for process in [job.pid, *everything]:
        kill(process)
    job.wait()
    print(f"killed {job.pid}, the driver, and {len(everything)} processes that it had started; started again:", flush=True)
    finished(start(work / "archive/parquet", verdicts, "parquet"))
    lost(work / "killed.log")
    compare(verdicts, work / "results.jsonl")


def step_cluster(work: Path) -> None:
    """Two workers; a worker of Python ends, then an executor."""
    verdicts = work / "cluster"
    shutil.rmtree(verdicts, ignore_errors=True)
    with cluster(work) as (master, nodes):
        job = start(work / "archive/parquet", verdicts, "parquet", "--master", master, "--conf", "spark.executor.memory=600m")
        portion(verdicts, 1, job)
        kill_worker(nodes[0])
        portion(verdicts, 2, job)
        executor = next(process for process, line in below(nodes[1]).items() if "CoarseGrainedExecutorBackend" in line)
        kill(executor)
        print(f"killed {executor}, an executor", flush=True)
        finished(job)
    lost(work / "cluster.log")
    compare(verdicts, work / "results.jsonl")


def steady(archive: Path, verdicts: Path, cores: set[int]) -> float:
    """Seconds from the first portion to the last, with so many cores for everything: Spark, its workers, its collector."""
    shutil.rmtree(verdicts, ignore_errors=True)
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    job = start(archive, verdicts, "parquet", "--master", f"local[{len(cores)},4]", "--entries", "21", output=subprocess.PIPE)
    os.sched_setaffinity(0, allowed)
    said = job.communicate()[0].decode()
    finished(job)
    times = [float(line.split()[-2]) for line in said.splitlines()]
    return times[-1] - times[0]


def step_cores(work: Path) -> None:
    """One core and two, in turns: six times the archive, of which the first is not counted."""
    archive = work / "cores/archive"
    shutil.rmtree(work / "cores", ignore_errors=True)
    archive.mkdir(parents=True)
    files = sorted((work / "archive/parquet").iterdir())
    for again in range(6):
        for file in files:
            (archive / f"{again}-{file.name}").symlink_to(file)
    first, second, *_ = sorted(os.sched_getaffinity(0))
    for _ in range(2):
        one = steady(archive, work / "cores/verdicts", {first})
        two = steady(archive, work / "cores/verdicts", {first, second})
        print(f"five times the archive: {one:.1f} s by one core, {two:.1f} s by two, {one / two:.2f} times as fast", flush=True)


def main() -> None:
    """Reads the arguments, and does the steps."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--command", default="lacre")
    parser.add_argument("--count", default="20000")
    parser.add_argument("--corpus")
    parser.add_argument("--steps", default="make,command,local,killed,cluster,cores")
    given = parser.parse_args()
    work: Path = given.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    for step in given.steps.split(","):
        print(f"== {step} ({time.strftime('%H:%M:%S', time.gmtime())})", flush=True)
        if step == "make":
            corpus = ["--corpus", given.corpus] if given.corpus else []
            line = [sys.executable, str(HERE / "make_documents.py"), str(work / "archive"), "--count", given.count, *corpus]
            subprocess.run(line, check=True)
        elif step == "command":
            step_command(work, given.command)
        else:
            {"local": step_local, "killed": step_killed, "cluster": step_cluster, "cores": step_cores}[step](work)


if __name__ == "__main__":
    main()
