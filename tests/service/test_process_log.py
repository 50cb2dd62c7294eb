"""Every line of the process goes the same way, names its request, and holds no key and no word of a caller."""

from __future__ import annotations

import io
import json
import logging
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi.testclient import TestClient

from ankare.service.app import create_app
from ankare.service.watch.process_log import FIELDS, JsonLine, TextLine, set_up_logging
from ankare.service.watch.redaction import Redaction
from ankare.service.watch.request_id import RequestMark, marked, request_id_of
from ankare.settings import Settings
from tests.service.scripted import ScriptedEngine, ScriptedShelf

KEY = 'sk-"own\\key'
SERVICE_KEY = f"ank_0a1b2c3d_{'x' * 43}"
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SENT = {"question": "Vilka hemliga etapper finns?"}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def logged() -> Iterator[Callable[..., io.StringIO]]:
    """Sets the process log up to go to a text, and back again afterwards."""
    root, hook = logging.getLogger(), threading.excepthook
    handlers, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in ("ankare", "uvicorn")}

    def set_up(stream: io.StringIO | None = None, **given: Any) -> io.StringIO:
        stream = stream or io.StringIO()
        set_up_logging(Settings(**given), stream)
        return stream

    with warnings.catch_warnings():
        yield set_up
        logging.captureWarnings(False)
    root.handlers[:], threading.excepthook = handlers, hook
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def service(tmp_path: Path, engine: ScriptedEngine | None = None) -> TestClient:
    app = create_app(Settings(home=tmp_path), engine or ScriptedEngine(), ScriptedShelf(tmp_path), page=False)
    return TestClient(app, raise_server_exceptions=False)


@pytest.mark.parametrize(
    ("stream", "given", "is_json"),
    [
        (Terminal(), {}, False),
        (io.StringIO(), {}, True),
        (Terminal(), {"log_format": "JSON"}, True),
        (io.StringIO(), {"log_format": " text "}, False),
        (Terminal(), {"log_format": ""}, False),
    ],
)
def test_people_get_text_and_machines_json(
    logged: Callable[..., io.StringIO], stream: io.StringIO, given: dict[str, str], is_json: bool
) -> None:
    logged(stream, **given)
    logging.getLogger("ankare.service").info("hello")
    assert stream.getvalue().startswith("{") is is_json


def test_all_loggers_warnings_and_threads_go_the_same_way(logged: Callable[..., io.StringIO]) -> None:
    uvicorn.Config("no:app", log_level="error")  # as an earlier server of this process has left its loggers
    stream = logged()
    logging.getLogger("uvicorn.error").info("of the server")
    logging.getLogger("some.library").warning("of a library")
    logging.getLogger("some.library").info("too much detail")
    warnings.simplefilter("default")
    warnings.warn("a warning", UserWarning, stacklevel=1)
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    told = lines(stream)
    assert [line["logger"] for line in told] == ["uvicorn.error", "some.library", "py.warnings", "ankare.service"]
    assert "ZeroDivisionError" in told[-1]["exception"]


def test_the_servers_own_lines_with_addresses_are_never_written(logged: Callable[..., io.StringIO]) -> None:
    """They hold what a caller wrote. A worker process sets up the log after the server has set up its own."""
    uvicorn.Config("no:app", access_log=False)
    stream = logged(log_level="debug")
    assert not logging.getLogger("uvicorn.access").hasHandlers()  # so the server writes none
    logging.getLogger("uvicorn.access").info("GET /?q=%s", "secret")
    assert stream.getvalue() == ""


@pytest.mark.parametrize(("level", "told"), [("debug", 3), ("info", 2), ("warning", 1), ("", 2)])
def test_the_level_is_the_configured_one(logged: Callable[..., io.StringIO], level: str, told: int) -> None:
    stream = logged(log_level=level)
    for say in (
        logging.getLogger("ankare.x").debug,
        logging.getLogger("ankare.x").info,
        logging.getLogger("ankare.x").warning,
    ):
        say("a line")
    assert len(lines(stream)) == told


def say_a_key() -> None:
    try:
        raise RuntimeError(f"refused: {KEY}")
    except RuntimeError:
        logging.getLogger("ankare.x").exception(
            "the key is %s, and %s, at postgresql://me:pass-word@db/x",
            KEY,
            SERVICE_KEY,
            extra={FIELDS: {"sent": f"Authorization: Bearer {KEY * 3}", KEY: 1}},
        )


SECRET = (KEY, json.dumps(KEY)[1:-1], SERVICE_KEY, "pass-word", "own\\key")


@pytest.mark.parametrize("form", ["json", "text"])
def test_no_line_holds_a_key_and_no_traceback_does(logged: Callable[..., io.StringIO], form: str) -> None:
    stream = logged(log_format=form, llm_api_key=KEY)
    say_a_key()
    assert [secret for secret in SECRET if secret in stream.getvalue()] == []
    assert "Traceback" in stream.getvalue()
    assert stream.getvalue().count("***") >= 5


@pytest.mark.parametrize("make", [JsonLine, TextLine])
def test_saboteur_a_line_that_hides_nothing_is_found(
    logged: Callable[..., io.StringIO], make: type[logging.Formatter], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Redaction, "text", lambda self, text: text)
    stream = logged(log_format="json" if make is JsonLine else "text", llm_api_key=KEY)
    say_a_key()
    assert [secret for secret in SECRET if secret in stream.getvalue()] != []


def test_a_message_makes_no_second_line(logged: Callable[..., io.StringIO]) -> None:
    stream = logged(log_format="text")
    logging.getLogger("ankare.x").info("one\ntwo\r\nthree")
    assert len(stream.getvalue().splitlines()) == 1


def test_arguments_that_do_not_fit_cost_no_line(logged: Callable[..., io.StringIO]) -> None:
    stream = logged()
    logging.getLogger("ankare.x").info("%d things", "many")
    assert lines(stream)[0]["message"] == "%d things"


# Requests.


def test_each_request_has_one_line_without_a_word_of_the_caller(
    logged: Callable[..., io.StringIO], tmp_path: Path
) -> None:
    stream, client = logged(), service(tmp_path)
    client.post("/api/ask?q=hemlig&debug=true", json=SENT)
    client.get("/hemlig/adress?nyckel=hemlig")
    client.request("HEMLIG", "/api/ask")
    told = [line for line in lines(stream) if line["message"] == "request"]
    assert [(line["method"], line["route"], line["status"]) for line in told] == [
        ("POST", "/api/ask", 200),
        ("GET", "unknown", 404),
        ("_OTHER", "/api/ask", 405),
    ]
    assert all(line["ms"] > 0 and line["bytes"] > 0 and line["key"] == "" for line in told)
    assert "hemlig" not in stream.getvalue().casefold()


def test_what_fails_is_told_under_the_id_of_its_request(logged: Callable[..., io.StringIO], tmp_path: Path) -> None:
    class Faulty(ScriptedEngine):
        def ask(self, question: str, **given: object) -> Any:
            logging.getLogger("ankare.deep").warning("in a thread")
            raise RuntimeError(KEY)

    stream = logged(llm_api_key=KEY)
    answer = service(tmp_path, Faulty()).post("/api/ask", json=SENT, headers={"X-Request-ID": "of-the-caller.7"})
    assert (answer.status_code, answer.headers["x-request-id"]) == (500, "of-the-caller.7")
    assert answer.json()["instance"] == "/requests/of-the-caller.7"
    told = lines(stream)
    assert {line["request_id"] for line in told if "request_id" in line} == {"of-the-caller.7"}
    assert {"in a thread", "a request failed", "request"} <= {line["message"] for line in told if "request_id" in line}
    assert KEY not in stream.getvalue() and json.dumps(KEY)[1:-1] not in stream.getvalue()


def test_probes_are_told_at_debug_level(logged: Callable[..., io.StringIO], tmp_path: Path) -> None:
    stream = logged()
    service(tmp_path).get("/health")
    assert lines(stream) == []


@pytest.mark.parametrize("sent", ["a", "A-1.b_2:c", "x" * 128])
def test_a_sound_id_of_the_caller_is_taken_over(sent: str) -> None:
    assert request_id_of([(b"x-request-id", sent.encode())]) == sent


@pytest.mark.parametrize("sent", ["", " ", "x" * 129, "a b", "a\nb", "a\r\nset-cookie: x", "é", '"', "-a", "{}"])
def test_any_other_id_is_replaced(sent: str) -> None:
    found = request_id_of([(b"x-request-id", sent.encode())])
    assert found != sent and len(found) == 32


@pytest.mark.parametrize(
    ("sent", "taken"),
    [
        (f"00-{TRACE}-00f067aa0ba902b7-01", True),
        (f"cc-{TRACE}-00f067aa0ba902b7-01-what-will-be", True),
        (f"ff-{TRACE}-00f067aa0ba902b7-01", False),
        (f"00-{'0' * 32}-00f067aa0ba902b7-01", False),
        (f"00-{TRACE}-{'0' * 16}-01", False),
        (f"00-{TRACE.upper()}-00f067aa0ba902b7-01", False),
        (TRACE, False),
    ],
)
def test_a_trace_names_the_request_where_nothing_else_does(sent: str, taken: bool) -> None:
    assert (request_id_of([(b"traceparent", sent.encode())]) == TRACE) is taken
    assert request_id_of([(b"traceparent", sent.encode()), (b"x-request-id", b"mine")]) == "mine"


def test_the_revision_is_in_every_response(tmp_path: Path) -> None:
    app = create_app(Settings(home=tmp_path, revision="r-17"), ScriptedEngine(), ScriptedShelf(tmp_path), page=False)
    client = TestClient(app)
    for path in ("/health", "/nothing", "/metrics"):
        assert client.get(path).headers["x-ankare-revision"] == "r-17"
    assert 'ankare_build_info{revision="r-17",version=' in client.get("/metrics").text


def test_a_mark_ends_with_its_request(logged: Callable[..., io.StringIO]) -> None:
    stream = logged()
    with marked(RequestMark("r1", "t1")):
        logging.getLogger("ankare.x").info("inside")
    logging.getLogger("ankare.x").info("outside")
    inside, outside = lines(stream)
    assert (inside["request_id"], inside["trace_id"]) == ("r1", "t1")
    assert not {"request_id", "trace_id"} & set(outside)
