"""Is a key that a server repeats, however it writes it, in no file and in no message?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ankare.errors import EvaluationError
from ankare.evaluation.asking import capture as capture_module
from ankare.evaluation.asking import http_call as capture_http
from ankare.evaluation.asking.capture import Plan, capture
from ankare.evaluation.asking.over_http import OverHttp
from ankare.evaluation.captured import AnswerPath
from ankare.evaluation.case import Case
from ankare.evaluation.suites.suite import suite_of
from tests.evaluation.asked import body
from tests.model_server import ModelServer, model_server, reply

CASE = Case("q1", "Vad är en beslutspunkt?")
HEALTH = {"version": "1", "revision": "r1", "index_version": "i1", "provider": "openai", "top_k": 8}
KEY = "ank-" + "0123456789"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def test_a_key_that_a_server_repeats_is_in_no_file(server: ModelServer, tmp_path: Path) -> None:
    cases = suite_of([CASE, Case("q2", "Vem?")])
    server.does(reply(404, b""), reply(200, body(f"din nyckel {KEY}")), reply(400, {"detail": f"key {KEY}"}))
    capture(cases, OverHttp(server.url, AnswerPath.CONTROL, key=KEY), tmp_path, Plan(AnswerPath.CONTROL))
    assert all(KEY.encode() not in path.read_bytes() for path in tmp_path.iterdir())
    assert "din nyckel ***" in (tmp_path / "answers.jsonl").read_text("utf-8")


def escaped(told: object) -> bytes:
    """JSON in which each sign of the key stands as an escape, as a server may write it."""
    return json.dumps(told).replace(KEY, "".join(f"\\u{ord(sign):04x}" for sign in KEY)).encode()


def key_in(folder: Path, server: ModelServer) -> str:
    """All that is kept and told of a run whose server repeats the key escaped wherever it can."""
    health = {**HEALTH, "revision": KEY, "index_version": f"i {KEY}", "top_k": f"{KEY}", "version": KEY}
    said = body(KEY, revision=KEY, index_version=KEY, own={KEY: [KEY]})
    server.does(reply(200, escaped(health)), reply(200, escaped(said)), reply(401, escaped({"detail": KEY})))
    cases = suite_of([CASE, Case("q2", "Vem?"), Case("q3", "Var?")])
    captured = capture(
        cases, OverHttp(server.url, AnswerPath.CONTROL, key=KEY), folder, Plan(AnswerPath.CONTROL, most_hopeless=2)
    )
    assert captured.stopped or captured.left == 0
    kept = [path.read_text("utf-8") for path in folder.iterdir()]
    return "\n".join([repr(captured), *kept, *(json.dumps(json.loads(kept_line)) for kept_line in _rows(folder))])


def _rows(folder: Path) -> list[str]:
    return (folder / "answers.jsonl").read_text("utf-8").splitlines()


def test_a_key_that_a_server_repeats_as_escapes_is_nowhere(server: ModelServer, tmp_path: Path) -> None:
    told = key_in(tmp_path, server)
    assert KEY not in told
    assert "***" in told


def test_saboteur_who_looks_at_bytes_alone_lets_it_through(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (capture_http, capture_module):
        monkeypatch.setattr(module, "without_secrets", lambda held, secrets: held)
    assert KEY in key_in(tmp_path, server)


def test_a_key_in_what_ends_a_run_before_it_begins_is_hidden(server: ModelServer, tmp_path: Path) -> None:
    server.does(reply(200, escaped({**HEALTH, "agentic_rag_mode": KEY})))
    with pytest.raises(EvaluationError) as caught:
        OverHttp(server.url, AnswerPath.AGENTIC, key=KEY).told()
    assert KEY not in str(caught.value)
