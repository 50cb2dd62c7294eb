"""Does the service hold under load: many clients at once, a new index in the middle, a worker that is killed?

    python -m benchmarks.load [--home DIR] [--clients 200] [--seconds 60] [--workers 1] [--roll] [--kill]

Clients keep a connection each and send the next request as soon as the last is answered: questions, searches, documents,
page pictures, the page, health. The same traffic from ten clients, before and after in the same run (so that a machine that
grows slower or faster meanwhile cancels out), is the baseline. `--roll`: documents are added and taken away all the while.
`--kill`: a worker is killed with SIGKILL every ten seconds (needs `--workers` 2 or more).
Without `--home` the sample pack is ingested into a temporary one. Clients and server share the machine's cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.service import SERVE, family, make_questions, memory, sample_home, server

BASELINE_CLIENTS = 10
SECONDS_BETWEEN_KILLS = 10.0
SECONDS_BETWEEN_VERSIONS = 3.0
RETRIES = 3
MIX = (("ask", 70), ("search", 12), ("picture", 6), ("source", 4), ("page", 4), ("health", 4))
"""Parts of a hundred requests."""
Disturbance = Callable[[], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class Call:
    """One kind of request: its bytes, and whether an answer to it is the right one."""

    kind: str
    request: bytes
    right: Callable[[bytes], bool]


@dataclass
class Tally:
    """What came of the requests of one run. `times` in milliseconds, of those that were answered."""

    times: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    broken: int = 0
    megabytes: list[float] = field(default_factory=list)
    versions: set[str] = field(default_factory=set)

    def add(self, other: Tally) -> None:
        """Take in what came of another run."""
        self.times += other.times
        self.statuses += other.statuses
        self.wrong += other.wrong
        self.broken += other.broken
        self.megabytes += other.megabytes
        self.versions |= other.versions

    def figures(self, name: str, seconds: float) -> dict[str, float]:
        """The figures of the run by name."""
        total = sum(self.statuses.values())
        turned_away = self.statuses["503"]
        others = total - turned_away - self.statuses["200"]
        quarter = max(1, len(self.megabytes) // 4)
        return {
            f"{name}: answered a second": self.statuses["200"] / seconds,
            f"{name}: p50 ms": statistics.median(self.times),
            f"{name}: p95 ms": statistics.quantiles(self.times, n=20)[18],
            f"{name}: share of 503": turned_away / max(1, total),
            f"{name}: other statuses": others,
            f"{name}: wrong answers": len(self.wrong),
            f"{name}: connections lost": self.broken,
            f"{name}: MB in the first quarter": statistics.mean(self.megabytes[:quarter]),
            f"{name}: MB in the last quarter": statistics.mean(self.megabytes[-quarter:]),
            f"{name}: index versions seen": len(self.versions),
        }


def main() -> int:
    """Measure and print; 1 if anything was answered wrongly or failed in a way that nobody intended."""
    arguments = _arguments()
    os.environ.setdefault("ANKARE_LOG_LEVEL", "warning")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "copy"
        shutil.copytree(arguments.home or sample_home(Path(folder)), home)
        command = [
            sys.executable,
            "-c",
            SERVE,
            "serve",
            "--home",
            str(home),
            "--workers",
            str(arguments.workers),
            "--port",
        ]
        with server(command) as (port, process, _ready):
            calls = asyncio.run(make_calls(port, make_questions(home, 300)))
            asyncio.run(
                run_clients(port, calls, BASELINE_CLIENTS, 3.0, process.pid)
            )  # caches fill outside of what is measured
            few = asyncio.run(run_clients(port, calls, BASELINE_CLIENTS, arguments.seconds / 4, process.pid))
            disturb = _disturbances(arguments, home, Path(folder), process.pid)
            many = asyncio.run(run_clients(port, calls, arguments.clients, arguments.seconds, process.pid, disturb))
            after = asyncio.run(run_clients(port, calls, BASELINE_CLIENTS, arguments.seconds / 4, process.pid))
            few.add(after)
    figures = few.figures(f"{BASELINE_CLIENTS} clients", arguments.seconds / 2)
    figures |= many.figures(f"{arguments.clients} clients", arguments.seconds)
    rates = [figures[f"{count} clients: answered a second"] for count in (arguments.clients, BASELINE_CLIENTS)]
    figures["answered a second, many to few"] = rates[0] / rates[1]
    for name, value in figures.items():
        print(f"{name:<42}{value:>12.3f}")
    for told in [*few.wrong, *many.wrong][:10]:
        print(f"wrong: {told}")
    failed = few.wrong or many.wrong or figures[f"{arguments.clients} clients: other statuses"]
    return 1 if failed else 0


async def make_calls(port: int, questions: Sequence[str]) -> list[Call]:
    """One call of each kind for each question, in the shares of `MIX`; addresses of sources are taken from answers."""
    calls: list[Call] = []
    chance = random.Random(7)
    places: list[tuple[str, str]] = []
    for question in questions:
        status, body = await _once(port, _post("/api/ask", {"question": question}))
        if status == "200":
            sources = json.loads(body)["sources"]
            places += [(s["url"].split("#")[0], s["page_image"]) for s in sources if s.get("page_image")]
    for question in questions:
        for kind, share in MIX:
            url, picture = chance.choice(places) if places else ("/health", "/health")
            calls += [_call(kind, question, url, picture)] * share
    chance.shuffle(calls)
    return calls


def _call(kind: str, question: str, url: str, picture: str) -> Call:
    if kind == "ask":
        return Call(kind, _post("/api/ask", {"question": question}), lambda body: _sound(json.loads(body), question))
    if kind == "search":
        return Call(kind, _post("/api/search", {"query": question, "top_k": 5}), lambda body: b'"hits"' in body)
    if kind == "picture":
        return Call(kind, _get(picture), lambda body: body.startswith(b"\x89PNG"))
    if kind == "source":
        return Call(kind, _get(url), lambda body: len(body) > 100)
    return Call(kind, _get("/" if kind == "page" else "/health"), lambda body: bool(body))


def _sound(body: dict[str, object], question: str) -> bool:
    """Is this a whole answer to this question, whose parts agree?"""
    answered = body["answered"]
    return body["question"] == question and bool(body["sources"]) == answered == bool(body["claims"] or body["facts"])


async def run_clients(
    port: int,
    calls: Sequence[Call],
    clients: int,
    seconds: float,
    pid: int,
    disturb: Sequence[Disturbance] = (),
) -> Tally:
    """What so many clients get in so many seconds; `disturb` goes on meanwhile. `pid`: of the server, for its memory."""
    tally, until = Tally(), time.perf_counter() + seconds
    watched: Disturbance = lambda: _watch(pid, tally)  # noqa: E731
    others = [asyncio.create_task(one()) for one in (*disturb, watched)]
    await asyncio.gather(*(_client(port, calls, place, until, tally) for place in range(clients)))
    for other in others:
        other.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    return tally


async def _client(port: int, calls: Sequence[Call], place: int, until: float, tally: Tally) -> None:
    """Sends one request after the other. A connection that breaks is made anew and its request sent again."""
    chance, connection = random.Random(place), None
    while time.perf_counter() < until:
        call = calls[chance.randrange(len(calls))]
        for _ in range(RETRIES):
            started = time.perf_counter()
            try:
                connection = connection or await asyncio.open_connection("127.0.0.1", port)
                connection[1].write(call.request)
                status, body = await _answer(connection[0])
            except (OSError, asyncio.IncompleteReadError):
                tally.broken, connection = tally.broken + 1, None
                await asyncio.sleep(0.05)
                continue
            _note(tally, call, status, body, (time.perf_counter() - started) * 1000)
            break
        else:
            tally.wrong.append(f"{call.kind}: no answer in {RETRIES} tries")
    if connection is not None:
        connection[1].close()


def _note(tally: Tally, call: Call, status: str, body: bytes, milliseconds: float) -> None:
    tally.statuses[status] += 1
    if status != "200":
        if status != "503":
            tally.wrong.append(f"{call.kind}: {status} {body[:200]!r}")
        return
    tally.times.append(milliseconds)
    if not call.right(body):
        tally.wrong.append(f"{call.kind}: {body[:200]!r}")
    if call.kind == "ask":
        tally.versions.add(json.loads(body)["index_version"])


async def _once(port: int, request: bytes) -> tuple[str, bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    found = await _answer(reader)
    writer.close()
    return found


async def _answer(reader: asyncio.StreamReader) -> tuple[str, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    status = head.split(b" ", 2)[1][:3].decode("ascii")
    if b"content-length:" in head:
        return status, await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
    body = b""
    while size := int(await reader.readline(), 16):  # chunked
        body += await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readexactly(2)
    return status, body


def _post(path: str, body: object) -> bytes:
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    return head.encode() + data


def _get(url: str) -> bytes:
    parts = urlsplit(url)
    return f"GET {parts.path}{'?' + parts.query if parts.query else ''} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


async def _watch(pid: int, tally: Tally) -> None:
    while True:
        tally.megabytes.append(sum(map(memory, family(pid))))
        await asyncio.sleep(0.5)


def _disturbances(arguments: argparse.Namespace, home: Path, folder: Path, pid: int) -> list[Disturbance]:
    found: list[Disturbance] = []
    if arguments.roll:
        found.append(lambda: roll(home, folder / "more"))
    if arguments.kill:
        found.append(lambda: kill_workers(pid))
    return found


async def roll(home: Path, folder: Path, pause: float = SECONDS_BETWEEN_VERSIONS) -> None:
    """A document comes, changes and goes, each time as a new version of the index, in a process of its own."""
    folder.mkdir()
    (folder / "kept.md").write_text("# Kept\n\nThis stays.\n", "utf-8")
    environment = {**os.environ, "ANKARE_SEMANTIC": "false"}
    number = 0
    while True:
        number += 1
        note = folder / "note.md"
        if number % 3:
            note.write_text(
                f"# Note {number}\n\nThe note number {number} says that number {number} is in use.\n", "utf-8"
            )
        else:
            note.unlink()
        command = [sys.executable, "-c", SERVE, "ingest", str(folder), "--home", str(home), "--json"]
        quiet = subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=quiet)
        if await process.wait():
            raise SystemExit("the ingest under load failed")
        await asyncio.sleep(pause)


async def kill_workers(pid: int, every: float = SECONDS_BETWEEN_KILLS) -> None:
    """Kill one of a server's workers with SIGKILL every so many seconds."""
    while True:
        await asyncio.sleep(every)
        workers = [child for child in family(pid)[1:] if memory(child) > 50]
        if workers:
            os.kill(workers[0], signal.SIGKILL)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, help="a home to ask of instead of the sample pack; a copy is served")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--roll", action="store_true", help="new versions of the index under load")
    parser.add_argument("--kill", action="store_true", help="kill a worker every ten seconds")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
