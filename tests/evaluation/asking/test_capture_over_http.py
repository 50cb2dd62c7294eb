"""Does a server that says anything at all, for ever or nothing, get an outcome and no more than its time?"""

from __future__ import annotations

import json
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from threading import Event, Thread, Timer
from typing import Any

import pytest

from ankare.errors import EvaluationError, SettingsError
from ankare.evaluation.asking import http_call as capture_http
from ankare.evaluation.asking.asker import Asked
from ankare.evaluation.asking.capture import Plan, capture
from ankare.evaluation.asking.over_http import OverHttp
from ankare.evaluation.asking.run_folder import read_run
from ankare.evaluation.captured import AnswerPath, FailureKind
from ankare.evaluation.case import Case
from ankare.evaluation.suites.suite import suite_of
from tests.evaluation.asked import body
from tests.model_server import (
    Behaviour,
    Line,
    ModelServer,
    Seen,
    bad_chunks,
    cut_off,
    drip_body,
    drip_headers,
    endless,
    hang_up,
    head,
    model_server,
    no_http,
    reply,
    reset,
    reset_in_body,
    stall,
    stall_in_body,
    stall_in_headers,
)

CASE = Case("q1", "Vad är en beslutspunkt?", language="sv", reference_date=date(2025, 5, 20))
HEALTH = {
    "status": "ok",
    "version": "1",
    "revision": "r1",
    "index_version": "i1",
    "provider": "openai",
    "agentic_rag_mode": "reviewed_answer",
    "top_k": 8,
    "uptime": 17,
}
GOOD = reply(200, body("Ett tillfälle."))
LONG, SHORT = 60.0, 0.4
KEY = "ank-" + "0123456789"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        running.does(GOOD)
        yield running


def over(server: ModelServer, path: AnswerPath = AnswerPath.CONTROL, **given: Any) -> OverHttp:
    return OverHttp(server.url, path, **{"seconds": LONG, "most_wait": 0.3, **given})


def ask(server: ModelServer, *does: Behaviour, **given: Any) -> Asked:
    server.does(*does)
    asked = over(server, **given).ask(CASE, Event())
    assert asked is not None
    assert (asked.body is None) != (asked.failure is None)
    return asked


class Waits(Event):
    """Writes down how long it is waited for, and lets no time pass."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.pauses.append(timeout or 0.0)
        return self.is_set()


def asked_of(seen: Seen) -> tuple[str, str, Any]:
    return seen.method, seen.target, seen.json if seen.body else None


@pytest.mark.parametrize(
    ("path", "agentic", "synthesis"),
    [("control", False, False), ("synthesis", False, True), ("agentic", True, False), ("shadow", True, False)],
)
def test_the_path_the_language_and_the_day_are_sent(
    server: ModelServer, path: str, agentic: bool, synthesis: bool
) -> None:
    asked = over(server, AnswerPath(path)).ask(CASE, Event())
    assert asked is not None
    assert asked.body == body("Ett tillfälle.")
    assert asked_of(server.seen[0]) == (
        "POST",
        "/api/ask",
        {
            "question": CASE.question,
            "debug_mode": True,
            "enable_agentic_rag": agentic,
            "enable_synthesis": synthesis,
            "language": "sv",
            "reference_date": "2025-05-20",
        },
    )


def test_a_server_below_a_path_is_asked_there(server: ModelServer) -> None:
    OverHttp(f"{server.url}/below/it/", AnswerPath.CONTROL).ask(CASE, Event())
    assert server.seen[0].target == "/below/it/api/ask"


def gzipped(line: Line) -> None:
    line.send(head(200, {"content-length": "4", "content-encoding": "gzip"}) + b"\x1f\x8b\x08\x00")


@pytest.mark.parametrize(
    "does",
    [
        reply(200, b""),
        reply(200, b"<html>"),
        reply(200, b"[]"),
        reply(200, b"null"),
        reply(200, b"\xff\xfe"),
        reply(200, {}),
        reply(200, {"answer_markdown": 7}),
        reply(200, b'{"answer_markdown": "x", "n": ' + b"[" * 10_000 + b"]" * 10_000 + b"}"),
        reply(200, b'{"answer_markdown": "x", "n": ' + b"9" * 5_000 + b"}"),
        reply(500, b"fault"),
        reply(500, {"detail": "broken"}),
        reply(502, b""),
        reply(301, b"", location="https://elsewhere.example/"),
        gzipped,
        hang_up,
        reset,
        reset_in_body,
        cut_off,
        bad_chunks,
        no_http,
        endless,
    ],
)
def test_what_is_no_answer_is_broken(server: ModelServer, does: Behaviour, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture_http, "MOST_BYTES", 1_000_000)
    asked = ask(server, does)
    assert asked.failure is not None
    assert asked.failure.kind is FailureKind.BROKEN
    assert len(asked.failure.detail) < 300


@pytest.mark.parametrize("does", [stall, stall_in_headers, stall_in_body, drip_headers, drip_body])
def test_what_never_ends_has_its_time_and_no_more(server: ModelServer, does: Behaviour) -> None:
    asked = ask(server, does, seconds=SHORT)
    assert asked.failure is not None
    assert asked.failure.kind is FailureKind.TIMEOUT


@pytest.mark.parametrize(
    ("status", "told", "kind", "hopeless"),
    [
        (400, {"detail": "too long"}, "refused", False),
        (401, {"detail": "a key is needed"}, "refused", True),
        (403, {"detail": "not yours"}, "refused", True),
        (404, {"detail": "There is no /api/ask."}, "refused", True),
        (408, {"code": "too-slow"}, "timeout", False),
        (504, {"code": "timed-out"}, "timeout", False),
        (402, {"detail": "pay"}, "provider", True),
        (503, {"code": "model-auth", "detail": "The language model does not accept the key."}, "provider", True),
        (503, {"code": "model-quota", "detail": "used up"}, "provider", True),
        (503, {"code": "model-not-configured", "detail": "none"}, "provider", True),
        (503, {"detail": "LLM provider error 402: Payment Required"}, "provider", True),
        (503, {"detail": "Too many questions at once"}, "overload", True),
        (503, b"upstream", "overload", True),
        (429, {"code": "rate-limited"}, "overload", True),
    ],
)
def test_each_refusal_is_the_failure_that_it_is(
    server: ModelServer, status: int, told: object, kind: str, hopeless: bool
) -> None:
    asked = ask(server, reply(status, told), most_wait=0.0)
    assert asked.failure is not None
    assert (asked.failure.kind.value, asked.failure.status, asked.hopeless) == (kind, status, hopeless)


def test_nobody_there_is_a_failure_that_any_other_question_would_have_too(server: ModelServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    asked = OverHttp(f"http://127.0.0.1:{port}", AnswerPath.CONTROL).ask(CASE, Event())
    assert asked is not None
    assert asked.failure is not None
    assert (asked.failure.kind, asked.hopeless) == (FailureKind.BROKEN, True)


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_waited_for_as_long_as_it_asks(server: ModelServer, status: int) -> None:
    busy = reply(status, {"detail": "busy"}, retry_after="5")
    server.does(busy, busy, busy, GOOD)
    stop = Waits()
    asked = over(server, most_wait=60.0).ask(CASE, stop)
    assert asked is not None
    assert asked.body is not None
    assert len(server.seen) == 4
    assert all(5 <= pause <= 6 for pause in stop.pauses)


@pytest.mark.parametrize("wish", ["0.000001", "0", "-1", "soon"])
def test_a_busy_server_is_never_asked_again_at_once(server: ModelServer, wish: str) -> None:
    server.does(reply(429, {"detail": "busy"}, retry_after=wish))
    stop = Waits()
    over(server, most_wait=125.0).ask(CASE, stop)
    least = [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]
    assert len(stop.pauses) >= 6
    assert all(pause >= told for pause, told in zip(stop.pauses, least, strict=False))


@pytest.mark.parametrize("wish", ["0.05", "3600", "Wed, 21 Oct 2099 07:28:00 GMT", "soon", "-1", "nan", "1e999"])
def test_a_server_that_stays_busy_is_left_in_the_end(server: ModelServer, wish: str) -> None:
    asked = ask(server, reply(503, {"detail": "busy"}, retry_after=wish))
    assert asked.failure is not None
    assert asked.failure.kind is FailureKind.OVERLOAD


def test_who_stops_while_a_busy_server_is_waited_for_waits_no_longer(server: ModelServer) -> None:
    server.does(reply(503, {"detail": "busy"}, retry_after="3000"))
    stop = Event()
    Timer(0.2, stop.set).start()
    assert over(server, most_wait=7200.0).ask(CASE, stop) is None, "it was not asked, and will be when the run goes on"


def test_what_is_no_number_is_unknown_and_the_answer_stands(server: ModelServer, tmp_path: Path) -> None:
    numbers = (
        b'{"answer_markdown": "x", "timing_ms": NaN, "a": Infinity, "b": 1e999, "c": -Infinity, "d": 1.5, "e": '
        + (b"9" * 400 + b"}")
    )
    server.does(reply(404, b""), reply(200, numbers))
    captured = capture(suite_of([CASE]), over(server), tmp_path, Plan(AnswerPath.CONTROL))
    assert captured.left == 0
    (found,) = read_run(tmp_path).captures
    assert found.body == {
        "answer_markdown": "x",
        "timing_ms": None,
        "a": None,
        "b": None,
        "c": None,
        "d": 1.5,
        "e": None,
    }


def test_what_health_tells_is_what_the_run_was_made_under(server: ModelServer) -> None:
    server.does(reply(200, HEALTH))
    told = over(server, AnswerPath.AGENTIC).told()
    assert (told.base_url, told.revision) == (server.url, "r1")
    assert told.settings == {"provider": "openai", "agentic_rag_mode": "reviewed_answer", "top_k": 8}
    assert told.about == {"server_version": "1", "index_version": "i1"}


@pytest.mark.parametrize(
    "does", [reply(404, b""), reply(200, {"status": "ok"}), reply(200, b"<html>"), reply(500, b"")]
)
def test_a_server_that_tells_nothing_of_itself_can_be_asked(server: ModelServer, does: Behaviour) -> None:
    server.does(does)
    assert over(server, AnswerPath.SHADOW).told().settings == {}


@pytest.mark.parametrize(
    ("health", "path", "said"),
    [
        ({"provider": "none"}, "agentic", "has no model"),
        ({"provider": "none"}, "synthesis", "has no model"),
        ({"provider": "openai", "agentic_rag_mode": "shadow"}, "agentic", "mode 'shadow'"),
        ({"provider": "openai", "agentic_rag_mode": "reviewed_answer"}, "shadow", "needs 'shadow'"),
    ],
)
def test_a_server_that_would_take_another_path_is_not_asked(
    server: ModelServer, health: dict[str, str], path: str, said: str
) -> None:
    server.does(reply(200, health))
    with pytest.raises(EvaluationError, match=said):
        over(server, AnswerPath(path)).told()


@pytest.mark.parametrize(
    ("does", "said"),
    [
        (reply(307, b"", location="https://elsewhere.example/health"), r"another address \(elsewhere\.example\)"),
        (hang_up, "does not answer"),
    ],
)
def test_an_address_that_is_the_wrong_one_is_told_before_anything_is_asked(
    server: ModelServer, does: Behaviour, said: str
) -> None:
    server.does(does)
    with pytest.raises(EvaluationError, match=said):
        over(server).told()


def test_the_key_goes_with_questions_alone_and_into_no_redirect(server: ModelServer) -> None:
    with model_server() as elsewhere:
        elsewhere.does(GOOD)
        server.does(reply(200, HEALTH), reply(307, b"", location=f"{elsewhere.url}/api/ask"))
        asker = over(server, key=KEY)
        asker.told()
        asker.ask(CASE, Event())
        assert [seen.headers.get("authorization") for seen in server.seen] == [None, f"Bearer {KEY}"]
        assert elsewhere.seen == []


@pytest.mark.parametrize(
    ("url", "key", "said"),
    [
        ("http://a.example.org", KEY, "unencrypted"),
        ("ftp://a.example.org", "", "no http"),
        ("https://user:pass@a.example.org", "", "user name"),
        ("https://a.example.org", "two words", "sign that no key has"),
        ("https://a.example.org", "line\r\nX-Other: 1", "sign that no key has"),
    ],
)
def test_an_address_or_a_key_that_cannot_be_used_is_refused(url: str, key: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        OverHttp(url, AnswerPath.CONTROL, key=key)
    assert not key or key not in str(caught.value)
    assert "pass" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "warns"), [("http://10.0.0.7", True), ("http://127.0.0.1", False), ("https://a.example.org", False)]
)
def test_a_key_on_a_private_network_is_warned_of(url: str, warns: bool) -> None:
    assert bool(OverHttp(url, AnswerPath.CONTROL, key=KEY).warnings) is warns
    assert OverHttp(url, AnswerPath.CONTROL).warnings == ()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")
def test_a_server_whose_certificate_nobody_vouches_for_is_not_asked(tmp_path: Path) -> None:
    made = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost")
    files = ("-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "cert"))
    subprocess.run(["openssl", *made, *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert", tmp_path / "key")
    taken: list[bytes] = []

    def serve(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        try:
            with context.wrap_socket(connection, server_side=True) as secured:
                taken.append(secured.recv(100))
        except OSError:
            connection.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        asked = OverHttp(f"https://localhost:{listener.getsockname()[1]}", AnswerPath.CONTROL, key=KEY).ask(
            CASE, Event()
        )
        thread.join(60)
    assert asked is not None
    assert asked.failure is not None
    assert "no trusted connection" in asked.failure.detail
    assert (asked.hopeless, b"".join(taken)) == (True, b""), "not even a request was sent"


def test_five_questions_that_the_provider_refuses_end_the_run(server: ModelServer, tmp_path: Path) -> None:
    server.does(reply(200, HEALTH), reply(503, {"code": "model-quota", "detail": "used up"}, retry_after="9"))
    cases = suite_of([Case(f"q{n}", f"{n}?") for n in range(20)])
    captured = capture(cases, over(server), tmp_path, Plan(AnswerPath.CONTROL))
    assert (captured.asked, captured.left, len(server.seen)) == (5, 15, 6)
    assert "model-quota" in captured.stopped
    assert {one.failure.kind for one in read_run(tmp_path).captures if one.failure} == {FailureKind.PROVIDER}


def test_a_body_is_kept_as_it_came(server: ModelServer, tmp_path: Path) -> None:
    told = {**body("Svar\u2028.", deep={"list": [1, 2.5, None, "\u0000"]}), "own_field": "ö"}
    server.does(reply(404, b""), reply(200, json.dumps(told)))
    capture(suite_of([CASE]), over(server), tmp_path, Plan(AnswerPath.CONTROL))
    assert read_run(tmp_path).captures[0].body == told
