"""Only public pages that the profile lists are fetched, within bounds, from the very address that was checked."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.ingest.web import FetchedPage, Network, fetch_pages, is_public, public_network
from tests.ingest.making import folder_of

HTML = "<title>Sidan</title><p>Driften beskrivs på webben.</p>".encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        port = self.server.server_address[1]
        self.close_connection = True
        if self.path == "/sida":
            self.answer(200, HTML, "text/html; charset=utf-8")
        elif self.path == "/latin":
            self.answer(200, "<p>å</p>".encode("latin-1"), "text/html; charset=latin-1")
        elif self.path == "/bild":
            self.answer(200, b"x", "image/png")
        elif self.path == "/stor":
            self.answer(200, b"x" * 5000, "text/plain")
        elif self.path == "/till":
            self.answer(302, b"", "text/html", location="/sida")
        elif self.path == "/annan":
            self.answer(302, b"", "text/html", location=f"http://other.example:{port}/sida")
        elif self.path == "/fil":
            self.answer(302, b"", "text/html", location="file:///etc/passwd")
        elif self.path == "/runt":
            self.answer(302, b"", "text/html", location="/runt")
        elif self.path == "/avbruten":
            self.answer(200, b"kort", "text/plain", length=4000)
        elif self.path == "/trög":
            self.answer(200, b"x", "text/plain", length=4000, wait=5.0)
        else:
            self.answer(404, b"", "text/html")

    def answer(
        self, status: int, body: bytes, kind: str, location: str = "", length: int = -1, wait: float = 0
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if length < 0 else length))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)
        if wait:
            self.wfile.flush()
            stop.wait(wait)

    def log_message(self, *_args: object) -> None:
        """Keep quiet."""


stop = threading.Event()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1]
    stop.set()
    server.shutdown()
    thread.join()
    server.server_close()


LOCAL = Network(lambda _host, _port: ["127.0.0.1"], lambda _address: True, seconds=2.0, max_bytes=2000)


def fetch(tmp_path: Path, *urls: str, network: Network = LOCAL) -> list[FetchedPage]:
    return list(fetch_pages(urls, tmp_path / "fetched", network))


def test_an_allowed_page_is_fetched_with_its_charset(tmp_path: Path, port: int) -> None:
    first, second = fetch(tmp_path, f"http://site.example:{port}/sida", f"http://site.example:{port}/latin")
    assert first.path.read_bytes() == HTML
    assert second.charset == "latin-1"


def test_redirects_stay_on_allowed_hosts(tmp_path: Path, port: int) -> None:
    (page,) = fetch(tmp_path, f"http://site.example:{port}/till")
    assert page.path.read_bytes() == HTML
    (page,) = fetch(tmp_path, f"http://site.example:{port}/annan")
    assert "other.example" in page.failed
    page, _ = fetch(tmp_path, f"http://site.example:{port}/annan", f"http://other.example:{port}/sida")
    assert page.path.read_bytes() == HTML


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("bild", "image/png"),
        ("stor", "bytes"),
        ("fil", "web address"),
        ("runt", "redirects"),
        ("avbruten", "broke off|could not be fetched"),
        ("tr%C3%B6g", "404"),
        ("saknas", "404"),
    ],
)
def test_what_is_not_fetched_is_told(tmp_path: Path, port: int, path: str, reason: str) -> None:
    (page,) = fetch(tmp_path, f"http://site.example:{port}/{path}")
    assert page.failed
    assert any(part in page.failed for part in reason.split("|"))


def test_a_server_that_hangs_is_given_up(tmp_path: Path, port: int) -> None:
    network = replace(LOCAL, seconds=0.3)
    started = time.monotonic()
    (page,) = fetch(tmp_path, f"http://site.example:{port}/trög", network=network)
    assert page.failed
    assert time.monotonic() - started < 4.5


def test_loopback_is_refused_by_default(tmp_path: Path, port: int) -> None:
    for host in ("127.0.0.1", "localhost", "[::1]"):
        (page,) = fetch(tmp_path, f"http://{host}:{port}/sida", network=public_network())
        assert "not on the public internet" in page.failed


def test_a_name_that_points_elsewhere_the_second_time_is_no_way_in(tmp_path: Path, port: int) -> None:
    answers = iter([["203.0.113.7"], ["127.0.0.1"]])
    network = Network(lambda _host, _port: next(answers), lambda address: address != "127.0.0.1", seconds=0.3)
    (page,) = fetch(tmp_path, f"http://site.example:{port}/sida", network=network)
    assert page.failed
    assert next(answers) == ["127.0.0.1"]


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),  # noqa: S104
        ("224.0.0.1", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:93.184.216.34", True),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
    ],
)
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_pages_of_the_profile_go_in_and_out_with_it(tmp_path: Path, port: int) -> None:
    url = f"http://site.example:{port}/sida"
    pack = folder_of(
        tmp_path / "pack",
        {"documents/a.txt": "Planen gäller.", "profile.toml": f'[documents]\nallowed_urls = ["{url}"]\n'},
    )
    home = Home(tmp_path / "home")
    ingest([pack], home, network=LOCAL)
    assert sorted(home.open_current().sources) == ["a.txt", url]
    report = ingest([pack], home, network=LOCAL)
    assert not report.built
    gone = replace(LOCAL, permits=lambda _address: False)
    report = ingest([pack], home, network=gone)
    assert [file.source for file in report.failed] == [url]
    assert url in home.open_current().sources
    (pack / "profile.toml").write_text("")
    ingest([pack], home, network=LOCAL)
    assert list(home.open_current().sources) == ["a.txt"]
    assert not home.fetched.exists()
