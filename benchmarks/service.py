"""How fast is the service: answers in process and over HTTP, requests a second, memory, start-up?

    python -m benchmarks.service [--home DIR] [--questions 400] [--workers 2] [--json FILE]

Without `--home` the sample pack is ingested into a temporary one. Every question is asked once (no cache could help), after
a warm-up on others. A bare FastAPI route that echoes its JSON body is measured in the same run, by the same clients,
so that the machine's speed of the day can be told apart from ours. Clients and server share the machine's cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ankare.index.home import Home

TEMPLATES = {
    "sv": ("Vad är {}?", "Vem ansvarar för {}?", "När sker {}?", "Hur går det till med {}?", "Vilka delar ingår i {}?"),
    "en": (
        "What is {}?",
        "Who is responsible for {}?",
        "When does {} take place?",
        "How does {} work?",
        "What is part of {}?",
    ),
}
SERVE = "from ankare.cli.main import run; run()"
ECHO = """
import sys, uvicorn
from fastapi import FastAPI
app = FastAPI()
@app.post("/api/ask")
async def echo(body: dict) -> dict:
    return body
@app.get("/ready")
async def ready() -> dict:
    return {}
uvicorn.run(app, port=int(sys.argv[1]), log_level="warning", access_log=False)
"""
READY_SECONDS = 120


def main() -> None:
    """Measure everything and print it as a table."""
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        home = arguments.home or sample_home(Path(folder))
        questions = make_questions(home, arguments.questions)
        figures: dict[str, float] = {"questions": len(questions)}
        figures |= in_process(home, questions)
        figures |= start_up()
        serve = [sys.executable, "-c", SERVE, "serve", "--home", str(home), "--port"]
        figures |= over_http("serve", serve, questions)
        if arguments.workers > 1:
            several = [*serve[:-1], "--workers", str(arguments.workers), "--port"]
            figures |= over_http(f"serve, {arguments.workers} workers", several, questions)
        figures |= over_http("echo", [sys.executable, "-c", ECHO], questions)
    for name, value in figures.items():
        print(f"{name:<42}{value:>12.2f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2), encoding="utf-8")


def make_questions(home: Path, count: int) -> list[str]:
    """Distinct questions about the headings of a home's documents, in a fixed order."""
    found: dict[str, None] = {}
    headings = dict.fromkeys((c.section[-1], c.language) for c in Home(home).chunks() if c.section)
    for place in range(max(map(len, TEMPLATES.values()))):
        for heading, language in headings:
            templates = TEMPLATES.get(language, TEMPLATES["sv"])
            found[templates[place % len(templates)].format(heading.lstrip("0123456789. ").lower())] = None
    if len(found) < count:
        print(f"only {len(found)} distinct questions can be made of this home", file=sys.stderr)
    return list(found)[:count]


def in_process(home: Path, questions: Sequence[str]) -> dict[str, float]:
    """Milliseconds from question to JSON in this process, one thread, and how much of it is setting the answer."""
    from ankare.cite.body import RunFlags, ask_body
    from ankare.cite.links import Links
    from ankare.cite.markdown import render
    from ankare.settings import load_settings
    from ankare.wiring import open_engine

    engine = open_engine(load_settings(home=home))
    links = Links.of(engine.corpus().profile)
    warm = max(1, len(questions) // 10)
    whole, setting, answered = [], [], 0
    cpu = time.process_time()
    for question in questions:
        started = time.perf_counter()
        reply = engine.ask(question)
        asked = time.perf_counter()
        json.dumps(ask_body(reply, render(reply, links), links, RunFlags()))
        ended = time.perf_counter()
        whole.append((ended - started) * 1000)
        setting.append((ended - asked) * 1000)
        answered += reply.answered
    return {
        "in process: share answered": answered / len(questions),
        "in process: first question, ms": whole[0],
        "in process: CPU an answer, ms": (time.process_time() - cpu) * 1000 / len(questions),
        **_spread("in process: answer", whole[warm:]),
        **_spread("in process: render and JSON", setting[warm:]),
    }


def start_up() -> dict[str, float]:
    """Milliseconds of `ankare --help`, the best of five and the median."""
    times = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", SERVE, "--help"], check=True, capture_output=True)
        times.append((time.perf_counter() - started) * 1000)
    return {"ankare --help, best ms": min(times), "ankare --help, median ms": statistics.median(times)}


def over_http(name: str, command: Sequence[str], questions: Sequence[str]) -> dict[str, float]:
    """Start-up, latency, requests a second with 1 and with 10 clients, and memory of a server."""
    half = len(questions) // 2
    with server(command) as (port, process, ready):
        # Readers of a cold cache pay for it in the warm-up, on questions that are not measured.
        asyncio.run(_load(port, [question + " " for question in questions[:40]], 4))
        before = sum(map(_cpu_seconds, family(process.pid)))
        single, single_rate = asyncio.run(_load(port, questions[:half], 1))
        many, many_rate = asyncio.run(_load(port, questions[half:], 10))
        spent = sum(map(_cpu_seconds, family(process.pid))) - before
        resident = sum(map(memory, family(process.pid)))
    return {
        f"{name}: seconds until /ready": ready,
        **_spread(f"{name}: 1 client", single),
        f"{name}: 1 client, requests/s": single_rate,
        **_spread(f"{name}: 10 clients", many),
        f"{name}: 10 clients, requests/s": many_rate,
        f"{name}: CPU of the server a request, ms": spent * 1000 / len(questions),
        f"{name}: resident MB": resident,
    }


@contextmanager
def server(command: Sequence[str]) -> Iterator[tuple[int, subprocess.Popen[bytes], float]]:
    """A server process on a free port, and how many seconds it took until it was ready."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    started = time.perf_counter()
    process = subprocess.Popen([*command, str(port)], stdout=subprocess.DEVNULL)
    try:
        while not _is_ready(port):
            if process.poll() is not None or time.perf_counter() - started > READY_SECONDS:
                raise SystemExit(f"the server did not become ready: {' '.join(command)[:200]}")
            time.sleep(0.02)
        yield port, process, time.perf_counter() - started
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()


def _is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


async def _load(port: int, questions: Sequence[str], clients: int) -> tuple[list[float], float]:
    """Milliseconds of each request, and requests a second, with clients that each keep one connection."""
    waiting = list(reversed(questions))
    times: list[float] = []
    started = time.perf_counter()
    await asyncio.gather(*(_client(port, waiting, times) for _ in range(clients)))
    return times, len(times) / (time.perf_counter() - started)


async def _client(port: int, waiting: list[str], times: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while waiting:
        body = json.dumps({"question": waiting.pop()}).encode()
        head = f"POST /api/ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        started = time.perf_counter()
        writer.write(head.encode() + body)
        await writer.drain()
        await _read_answer(reader)
        times.append((time.perf_counter() - started) * 1000)
    writer.close()


async def _read_answer(reader: asyncio.StreamReader) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    if not head.startswith(b"http/1.1 200"):
        raise SystemExit(f"the server answered {head[:80]!r}")
    length = head.split(b"content-length:")[1].split(b"\r\n")[0]
    await reader.readexactly(int(length))


def family(pid: int) -> list[int]:
    """A process and its children."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:
        children = []
    return [pid, *map(int, children)]


def memory(pid: int) -> float:
    """Resident megabytes of a process, 0 where the system does not tell."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))
    except (OSError, StopIteration):
        return 0.0


def _cpu_seconds(pid: int) -> float:
    """CPU time that a process has used: what an answer costs on a machine that others use too."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _spread(name: str, times: Sequence[float]) -> dict[str, float]:
    cuts = statistics.quantiles(times, n=20)
    return {f"{name}, p50 ms": statistics.median(times), f"{name}, p95 ms": cuts[18]}


def sample_home(folder: Path) -> Path:
    """A home with the sample pack."""
    from ankare.ingest.run import ingest

    pack = Path(__file__).parent.parent / "src" / "ankare" / "sample" / "pack"
    os.environ.setdefault("ANKARE_SEMANTIC", "false")
    ingest([], Home(folder / "home"), pack=pack)
    return folder / "home"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, help="a home to ask of instead of the sample pack")
    parser.add_argument("--questions", type=int, default=400, help="how many distinct questions")
    parser.add_argument("--workers", type=int, default=2, help="processes of the second run of the service")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    return parser.parse_args()


if __name__ == "__main__":
    main()
