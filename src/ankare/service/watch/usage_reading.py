"""How is a usage log read from a moment on, as a stream, while the service goes on writing it?

Whatever stands in a line, reading goes on with the next one, and lines that are no record are counted. What is written after
the reading has begun is left for the next time. Nothing that is counted depends on the order of lines: clocks jump, and
several processes write. The newest file comes first, so that a reading that runs out of time has read the newest.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from io import BufferedReader
from pathlib import Path

from ankare.service.watch.usage_period import EARLIEST, LATEST
from ankare.service.watch.usage_records import USAGE, UsageRecord, opened, record_of

MOST_LINE = 4_000_000
"""Bytes of a line; a longer one was not written by us."""
LOOK_EVERY = 500
"""Lines between two looks at the clock."""
FIRST_LINES = 10
"""One of these is a record, or the file is none of ours."""
MARGIN = timedelta(days=1)
"""By so much clocks of several machines may differ before lines of a file that was set aside are missed."""
_EARLIEST, _LATEST = EARLIEST.timestamp(), LATEST.timestamp()
_OURS = re.compile(rb'\{"time": "([-0-9T:.]{23}\+00:00)"')
"""How a line of ours begins: earlier ones need not be read any further."""
_SET_ASIDE = re.compile(r"\.(\d{8}T\d{12})Z\.old\.jsonl$")


class UsageReading:
    """Reads the records of some folders from `since` on, once.

    Afterwards `broken` tells how many lines were no record, `begins` when the oldest record was written that the log still has
    (seconds since the epoch, None for none), `complete` whether all was read in the `seconds` that there were.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        since: datetime,
        *,
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folders = folders
        self._since = since
        self._earliest = since.astimezone(UTC).isoformat(timespec="milliseconds").encode()
        self._clock = clock
        self._end = None if seconds is None else clock() + seconds
        self.broken = 0
        self.begins: float | None = None
        self.complete = True

    def __iter__(self) -> Iterator[tuple[float, UsageRecord]]:
        """Moments (seconds since the epoch) with their records. Raises OSError where a file cannot be read."""
        with ExitStack() as stack:
            files = [stack.enter_context(file) for folder in self._folders for file in opened(folder / USAGE)]
            for file in files:
                self._look_when_it_begins(file)
            for file in reversed(files):
                if not self._is_older(file):
                    yield from self._records(file)

    def _look_when_it_begins(self, file: BufferedReader) -> None:
        for record in (record_of(file.readline(MOST_LINE)) for _ in range(FIRST_LINES)):
            moment = None if record is None else seconds_of(record.time)
            if moment is not None:
                self._see(moment)
                break
        file.seek(0)

    def _is_older(self, file: BufferedReader) -> bool:
        """Was this file set aside before anything that is wanted was written?"""
        named = _SET_ASIDE.search(str(file.name))
        if named is None:
            return False
        try:
            moment = datetime.strptime(named[1], "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC)
        except ValueError:  # digits that are no date say nothing of what is in the file
            return False
        return moment < self._since - MARGIN

    def _records(self, file: BufferedReader) -> Iterator[tuple[float, UsageRecord]]:
        for number, line in enumerate(_lines(file)):
            if number % LOOK_EVERY == 0 and self._late():
                return
            told = _OURS.match(line)
            if told and told[1] < self._earliest and (moment := seconds_of(told[1].decode())):
                self._see(moment)
                continue
            record = record_of(line)
            moment = None if record is None else seconds_of(record.time)
            if record is None or moment is None:
                self.broken += 1
            else:
                self._see(moment)
                yield moment, record

    def _see(self, moment: float) -> None:
        self.begins = moment if self.begins is None else min(self.begins, moment)

    def _late(self) -> bool:
        if self._end is not None and self._clock() > self._end:
            self.complete = False
        return not self.complete


def seconds_of(text: str) -> float | None:
    """Seconds since the epoch of an ISO time, in UTC where it names no zone; None for anything else and for odd years."""
    try:
        found = datetime.fromisoformat(text)
        seconds = (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
    return seconds if _EARLIEST <= seconds < _LATEST else None


def _lines(file: BufferedReader) -> Iterator[bytes]:
    """The lines that are there now. The last one is left out while it is being written: it has no end yet."""
    left = os.fstat(file.fileno()).st_size
    while left > 0 and (line := file.readline(MOST_LINE)):
        left -= len(line)
        if line.endswith(b"\n"):
            if line.strip():
                yield line
        elif len(line) == MOST_LINE:
            left -= _rest(file)
            yield b""


def _rest(file: BufferedReader) -> int:
    """Reads on to the end of a line; gives its length."""
    length = 0
    while piece := file.readline(MOST_LINE):
        length += len(piece)
        if piece.endswith(b"\n"):
            break
    return length
