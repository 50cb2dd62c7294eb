"""How does the body of a request become a file of the library, whatever the sender does?

It is written piece by piece as it comes, never kept in memory. A sender that sends too much, too slowly, less than it said
or goes away leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from threading import BoundedSemaphore
from typing import TypeAlias, TypeVar

from fastapi import Request

from ankare.ingest.readers import EXTENSIONS
from ankare.ingest.table_kind import FIGURES
from ankare.service.library.jobs import Job, JobQueue
from ankare.service.library.store import Incoming, Library, LibraryFile, changing, refuse_taken
from ankare.service.problem import OVERLOADED, ProblemError

PIECE_BYTES = 1_000_000
"""So much is written at once."""
MOST_AT_ONCE = 8
KIND_SECONDS = 30
_HEADS = {"pdf": (b"%PDF-",), "docx": (b"PK\x03\x04",), "pptx": (b"PK\x03\x04",), "xlsx": (b"PK\x03\x04",)}
_TABLES = ("csv", "xlsx")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
Result = TypeVar("Result")
Kept: TypeAlias = tuple[LibraryFile, Job]


class Uploads:
    """Takes files in, a few at a time. How large a body may be and how slowly it may come, the guard has judged."""

    def __init__(self, library: Library, queue: JobQueue) -> None:
        self._library = library
        self._queue = queue
        self._places = BoundedSemaphore(MOST_AT_ONCE)

    async def take(self, request: Request, name: str, label: str | None, *, replace: bool) -> Kept:
        """Put the body of a request into the library under a plain name; gives the file and the job that reads it.

        Raises ProblemError: 400 for an empty or broken body, 409 where the name is taken, 415 where name and content differ,
        503 where too many come at once, 507 without room, and what the guard raises; and ClientDisconnect.
        """
        with changing():
            return await self._take(request, name, label, replace)

    async def _take(self, request: Request, name: str, label: str | None, replace: bool) -> Kept:
        expected = _expected(request)
        refuse_taken(await _in_thread(self._library.named, name), name, replace=replace)
        if not self._places.acquire(blocking=False):
            raise ProblemError(503, "Many files are being taken in right now.", retry_after=2, code=OVERLOADED)
        incoming = None
        try:
            incoming = await _in_thread(self._library.begin, name, expected or 0)
            await self._receive(request, incoming, expected)
            whole, incoming = incoming, None  # from here on the thread has it, even if nobody waits for that any more
            return await _in_thread(self._keep, whole, name, label, replace)
        finally:
            self._places.release()
            if incoming is not None:
                incoming.discard()

    def _keep(self, incoming: Incoming, name: str, label: str | None, replace: bool) -> Kept:
        kept: list[LibraryFile] = []
        try:
            kind = _kind_of(incoming.path)
            incoming.make_durable()  # the job is held up by the last steps alone
            keep = partial(self._library.keep, incoming, name, kind, label, replace=replace)
            job = self._queue.request(change=lambda: kept.append(keep()))
            return kept[0], job
        finally:
            incoming.discard()

    async def _receive(self, request: Request, incoming: Incoming, expected: int | None) -> None:
        async for piece in _joined(request.stream()):
            if incoming.size == 0:
                _refuse_other_content(piece, incoming.path.suffix)
            await _in_thread(incoming.write, piece)
            if expected is None:
                await _in_thread(self._library.check_room, 0)
        if expected is not None and incoming.size != expected:
            raise ProblemError(400, f"{incoming.size} bytes came, {expected} were announced. Send the file again.")
        if incoming.size == 0:
            raise ProblemError(400, "The file is empty.")


def _expected(request: Request) -> int | None:
    """How many bytes the sender says will come, None where it does not."""
    said = request.headers.get("content-length")
    if said is None:
        return None
    if not (said.isascii() and said.isdigit()):
        raise ProblemError(400, "Content-Length is no number.")
    return int(said)


async def _joined(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same bytes in larger pieces."""
    gathered = bytearray()
    async for piece in pieces:
        gathered += piece
        if len(gathered) >= PIECE_BYTES:
            yield bytes(gathered)
            gathered.clear()
    if gathered:
        yield bytes(gathered)


def _refuse_other_content(head: bytes, suffix: str) -> None:
    """Raises ProblemError (415) for a file that begins otherwise than its type does. What lies deeper the ingest tells."""
    kind = EXTENSIONS[suffix]
    starts = _HEADS.get(kind)
    if starts is None:
        wrong = head.startswith((b"%PDF-", b"PK\x03\x04")) or (b"\0" in head[:4096] and not head.startswith(_UTF16))
    else:
        wrong = not any(start in (head[:1024] if kind == "pdf" else head[:4]) for start in starts)
    if wrong:
        raise ProblemError(415, f"The content is not that of a {suffix} file.", field="name")


def _kind_of(path: Path) -> str:
    """ "figures" for a table whose first row names fact columns, "document" for anything else, also for what is too broken."""
    if EXTENSIONS[path.suffix] not in _TABLES:
        return "document"
    command = [sys.executable, "-m", "ankare.ingest.table_kind", str(path)]
    try:
        told = subprocess.run(command, capture_output=True, timeout=KIND_SECONDS, stdin=subprocess.DEVNULL)  # noqa: S603
    except subprocess.TimeoutExpired:
        return "document"
    return "figures" if told.returncode == 0 and told.stdout.strip() == FIGURES.encode() else "document"


async def _in_thread(work: Callable[..., Result], *given: object) -> Result:
    return await asyncio.to_thread(work, *given)
