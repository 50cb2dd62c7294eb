"""`ankare serve` serves, and `ankare smoke` tells whether a deployment works."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest

from tests.cli.test_asking import QUESTION, run
from tests.service.real import build_home, write_documents

pytestmark = pytest.mark.slow
PATIENCE = 300.0
"""Seconds; longer than anything here takes on a loaded machine. Only a failure gets there."""
PORTS = 3


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module", params=[1, 2], ids=["one process", "two processes"])
def base_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("serve")
    home = build_home(folder / "home", write_documents(folder / "documents"))
    process, port = start(["--home", str(home), "--workers", str(request.param)])
    try:
        yield f"http://127.0.0.1:{port}"
        with (
            socket.create_connection(("127.0.0.1", port)) as page,
            socket.create_connection(("127.0.0.1", port)) as slow,
        ):
            page.sendall(b"GET /gradio_api/heartbeat/a HTTP/1.1\r\nHost: a\r\n\r\n")
            assert b"200" in page.recv(100)
            slow.sendall(b"POST /api/ask HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n{")
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) in (0, -signal.SIGTERM), "an open page and a slow caller hold it up"
    finally:
        end(process)


@pytest.mark.parametrize("workers", [1, 2])
def test_it_says_when_all_of_it_answers(tmp_path: Path, workers: int) -> None:
    home = build_home(tmp_path / "home", write_documents(tmp_path / "documents"))
    port = free_port()
    command = [sys.executable, "-c", "from ankare.cli.main import run; run()", "serve", "--home", str(home)]
    process = subprocess.Popen(
        [*command, "--workers", str(workers), "--port", str(port)],
        env={**os.environ, "ANKARE_SEMANTIC": "false"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        first, second = process.stdout.readline(), process.stdout.readline()
        assert first.startswith(f"ankare: http://127.0.0.1:{port}")
        assert second == ("ankare: ready\n" if workers == 1 else "ankare: ready (2 workers answer)\n")
        for _ in range(8):  # a new connection each time: whichever worker takes it can answer
            assert httpx.get(f"http://127.0.0.1:{port}/ready", timeout=PATIENCE).status_code == 200
    finally:
        end(process)


def start(options: list[str]) -> tuple[subprocess.Popen[bytes], int]:
    """A service that is ready, and its port. Another process may take a free port first; then another one is tried."""
    command = [sys.executable, "-c", "from ankare.cli.main import run; run()", "serve", *options]
    for _ in range(PORTS):
        port = free_port()
        environment = {**os.environ, "ANKARE_SEMANTIC": "false"}
        process = subprocess.Popen([*command, "--port", str(port)], env=environment)
        try:
            if is_ready(f"http://127.0.0.1:{port}", process):
                return process, port
        except BaseException:
            end(process)
            raise
    raise AssertionError(f"the service ended at once, {PORTS} times")


def end(process: subprocess.Popen[bytes]) -> None:
    """Stop it if it still runs: a service that a failed test leaves behind would slow down all that follow."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(PATIENCE)
        finally:
            process.kill()


def is_ready(base: str, process: subprocess.Popen[bytes]) -> bool:
    """True once it is; False where it has ended instead."""
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None:
        try:
            if httpx.get(base + "/ready", timeout=PATIENCE).status_code == 200:
                return process.poll() is None
        except httpx.HTTPError:
            pass
        assert time.monotonic() < deadline, "the service did not become ready"
        time.sleep(0.1)
    return False


def test_a_good_deployment_passes(base_url: str) -> None:
    done = run("smoke", "--base-url", base_url, "--question", QUESTION)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("ok ") == 9


def test_a_question_that_is_refused_fails_the_check(base_url: str) -> None:
    done = run("smoke", "--base-url", base_url, "--question", "Vilken färg har brandbilen?")
    assert done.returncode == 1
    assert "FAILED ask" in done.stdout


def test_a_port_in_use_is_told(base_url: str, tmp_path: Path) -> None:
    done = run("serve", "--port", base_url.rsplit(":", 1)[1], "--home", str(tmp_path))
    assert done.returncode == 2
    assert "cannot be listened on" in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_at_the_address_is_told() -> None:
    done = run("smoke", "--base-url", f"http://127.0.0.1:{free_port()}")
    assert done.returncode == 1
    assert "FAILED health" in done.stdout
    assert run("smoke", "--base-url", "ftp://x").returncode == 2


class _Starting(BaseHTTPRequestHandler):
    """Says twice that the index is being opened, then that it is."""

    asked = 0

    def do_GET(self) -> None:
        type(self).asked += self.path == "/ready"
        opened = self.asked > 2 or self.path != "/ready"
        body = b'{"index_version": "1", "chunks": 1}' if opened else b'{"detail": "The index is being opened."}'
        self.send_response(200 if opened else 503)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Nothing is logged."""


def test_a_process_that_is_still_opening_its_index_is_waited_for() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Starting) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            done = run("smoke", "--base-url", f"http://127.0.0.1:{server.server_port}")
        finally:
            server.shutdown()
    assert "ok     ready" in done.stdout
    assert _Starting.asked == 3
