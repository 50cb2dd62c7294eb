"""What does `python -m ankare` do, and the command `ankare`? The same, and both end quietly on Ctrl-C from the first moment on:
loading the commands takes a while."""

from __future__ import annotations

import os
import signal
from types import FrameType

INTERRUPTED = 130


def main() -> None:
    """Load the commands, and do the one that the command line names."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
    from ankare.cli.main import run

    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, before)
    run()


def _end(number: int, frame: FrameType | None) -> None:
    """Nothing has been begun yet that would have to be ended."""
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
