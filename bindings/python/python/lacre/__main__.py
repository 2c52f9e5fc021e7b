"""`python -m lacre`: the command `lacre`."""

from __future__ import annotations

import signal
import sys

from . import _lacre


def main() -> int:
    """Runs the command with the arguments of the process; returns its exit status."""
    # As in the command itself: Ctrl-C ends it at once, which Python's own handler would put off until it is done.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _lacre.command(["lacre", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
