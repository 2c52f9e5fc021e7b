"""A process apart, for documents that may end the process that reads them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from ._rows import Row, Task, Work, failed

TRIES = 2
"""How often a document may end the process before that is its row: the first time it may have been something else."""


class Apart:
    """Does the work in a process that is forked, and forked again where it ended. Its end is the row of the document it had.

    A defect of the machine's code, a file that shrinks while it is mapped, or too little memory end a process, and with it
    whatever else it had to do.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def __call__(self, task: Task) -> Row:
        """The row of a document."""
        cause = ""
        for _ in range(TRIES):
            pipe = self._pipe or self._start()
            try:
                pipe.send(task)
                row: Row = pipe.recv()
            except (EOFError, OSError):
                cause = self._end()
            else:
                return row
        message = f"found that the process which read the document ended {cause}, {TRIES} times, expected a verdict"
        hint = "validate it by itself, and see what the system says of the end"
        return {**self._work.blank(task), **failed("PROCESS_ENDED", message, hint)}

    def close(self) -> None:
        """Ends the process."""
        if self._process:
            self._end()

    def _start(self) -> Connection:
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        self._pipe, self._process = ours, context.Process(target=_serve, args=(self._work, theirs, ours), daemon=True)
        self._process.start()
        theirs.close()
        return ours

    def _end(self) -> str:
        if self._pipe:
            self._pipe.close()
        status = None
        if self._process:
            # The end of the pipe ends it, too, where it is still there.
            self._process.join()
            status = self._process.exitcode
        self._pipe = self._process = None
        return f"by {signal.Signals(-status).name}" if status and status < 0 else f"with status {status}"


def _serve(work: Work, pipe: Connection, parents: Connection) -> None:
    parents.close()
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            # At once: what the parent left to be done at its end is the parent's.
            os._exit(0)
        pipe.send(work(task))
