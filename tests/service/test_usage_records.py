"""One line per question says how it went and, unless texts are asked for, no word of it; it can be read whoever wrote it."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ankare.domain.answer import Refusal
from ankare.domain.cancel import CallCancelledError
from ankare.errors import FactStoreError, HomeDamagedError, HomeMissingError, ProviderServiceError, QuestionError
from ankare.service.app import create_app
from ankare.service.watch.json_lines import JsonLines
from ankare.service.watch.question_key import KEY_FILE, QuestionKey
from ankare.service.watch.redaction import Redaction
from ankare.service.watch.usage_records import USAGE, UsageRecord, read_usage
from ankare.settings import Settings
from tests.service.scripted import ScriptedEngine, ScriptedShelf

ASKED = "Vilka hemliga etapper finns?"
MISSING = "Vad saknas i Etapperna?"


def served(tmp_path: Path, engine: ScriptedEngine | None = None, **given: Any) -> TestClient:
    settings = Settings(home=tmp_path, log_dir=tmp_path / "log", **given)
    app = create_app(settings, engine or ScriptedEngine(), ScriptedShelf(tmp_path), page=False)
    return TestClient(app, raise_server_exceptions=False)


def records(tmp_path: Path) -> list[UsageRecord]:
    return list(read_usage(tmp_path / "log"))


def texts_in(folder: Path) -> set[str]:
    """The words of the question and the answer that stand in any file of a folder."""
    held = "".join(file.read_text("utf-8") for file in sorted(folder.rglob("*.jsonl"))).casefold()
    return {word for word in ("hemliga", "etapper", "planera", "styrgruppen") if word in held}


def test_a_record_says_how_it_went_without_a_word_of_it(tmp_path: Path) -> None:
    body = served(tmp_path).post("/api/ask", json={"question": ASKED}).json()
    (record,) = records(tmp_path)
    assert record.answer_id == body["answer_id"]
    assert (record.outcome, record.reason, record.channel) == ("answered", None, "api")
    assert (record.route, record.origin, record.question_type) == ("narrative", "extractive", "list")
    assert (record.sources, record.top_score, record.relevance_reason) == (1, 2.5, "covered")
    assert record.question_chars == len(ASKED)
    assert dict(record.steps_ms) == {"retrieve": 0.4}
    assert (record.question, record.answer, record.missing) == (None, None, None)
    assert texts_in(tmp_path / "log") == set()


def test_saboteur_texts_are_found_where_they_are_kept(tmp_path: Path) -> None:
    served(tmp_path, log_texts=True).post("/api/ask", json={"question": ASKED})
    assert texts_in(tmp_path / "log") == {"hemliga", "etapper", "planera", "styrgruppen"}
    (record,) = records(tmp_path)
    assert record.question == ASKED
    assert record.answer is not None and "Planera" in record.answer


def test_words_that_the_material_lacks_are_kept_with_the_texts_alone(tmp_path: Path) -> None:
    for texts in (False, True):
        served(tmp_path, log_texts=texts).post("/api/ask", json={"question": MISSING})
    without, with_texts = records(tmp_path)
    assert (without.outcome, without.reason, without.missing) == ("refused", "subject_not_covered", None)
    assert with_texts.missing == ("etapper",)


def test_a_question_that_is_asked_back_is_told_apart_from_a_refusal(tmp_path: Path) -> None:
    class AsksBack(ScriptedEngine):
        def ask(self, question: str, **given: Any) -> Any:
            reply = super().ask("saknas", **given)
            return replace(reply, outcome=Refusal("ask_first", "sv", "Vilket år?"), route="structured")

    served(tmp_path, AsksBack()).post("/api/ask", json={"question": ASKED})
    (record,) = records(tmp_path)
    assert (record.outcome, record.reason, record.route) == ("clarification", "ask_first", "structured")


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (HomeMissingError("Nothing has been ingested."), 503, "no-index"),
        (HomeDamagedError("The index is damaged."), 503, "index-unusable"),
        (FactStoreError("The database is gone."), 503, "figures-unavailable"),
        (ProviderServiceError("The key.", kind="auth", status=401), 503, "model-auth"),
        (ProviderServiceError("The account.", kind="quota", status=402), 503, "model-quota"),
        (QuestionError("Not a question."), 400, "400"),
        (RuntimeError("secret detail of ours"), 500, "500"),
        (CallCancelledError(), 503, "cancelled"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_question_that_ends_in_an_error_has_a_line(tmp_path: Path, error: Exception, status: int, code: str) -> None:
    class Faulty(ScriptedEngine):
        def ask(self, question: str, **given: object) -> Any:
            raise error

    client = served(tmp_path, Faulty())
    assert client.post("/api/ask", json={"question": ASKED}).status_code == status
    (record,) = records(tmp_path)
    assert (record.outcome, record.reason, record.origin) == ("error", code, "none")
    assert texts_in(tmp_path / "log") == set()
    shown = client.get("/metrics").text
    assert f'ankare_outcomes_total{{outcome="{code}"}} 1.0' in shown
    assert 'ankare_questions_total{channel="api",origin="none",outcome="error",route="none"} 1.0' in shown


# The keyed hash.


@pytest.mark.parametrize("other", ["vilka  HEMLIGA etapper finns", " Vilka hemliga\tetapper finns?! "])
def test_the_same_question_has_the_same_hash(tmp_path: Path, other: str) -> None:
    assert QuestionKey(tmp_path).of(ASKED) == QuestionKey(tmp_path).of(other)


def test_another_question_or_another_home_has_another_hash(tmp_path: Path) -> None:
    here, there = tmp_path / "a", tmp_path / "b"
    for home in (here, there):
        home.mkdir()
    hashes = {QuestionKey(here).of(ASKED), QuestionKey(here).of(MISSING), QuestionKey(there).of(ASKED)}
    assert len(hashes) == 3


def test_the_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    QuestionKey(tmp_path).of(ASKED)
    assert (tmp_path / KEY_FILE).stat().st_mode & 0o077 == 0
    assert [file.name for file in tmp_path.iterdir()] == [KEY_FILE]


@pytest.mark.parametrize("spoil", [lambda home: (home / KEY_FILE).write_bytes(b"short"), lambda home: home.rmdir()])
def test_without_a_key_that_can_be_kept_a_process_still_agrees_with_itself(
    tmp_path: Path, spoil: Callable[[Path], object], caplog: pytest.LogCaptureFixture
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    spoil(home)
    keys = QuestionKey(home)
    with caplog.at_level(logging.WARNING):
        assert keys.of(ASKED) == keys.of(ASKED)
    assert len(caplog.records) == 1


def test_a_key_that_could_not_be_read_for_a_moment_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    own, keys = QuestionKey(tmp_path).of(ASKED), QuestionKey(tmp_path)
    with monkeypatch.context() as patch, caplog.at_level(logging.WARNING):
        patch.setattr(Path, "open", lambda *_given, **_named: (_ for _ in ()).throw(OSError(24, "Too many open files")))
        meanwhile = {keys.of(ASKED), keys.of(ASKED)}
    assert len(meanwhile) == 1 and own not in meanwhile
    assert len(caplog.records) == 1
    assert keys.of(ASKED) == own


# Reading.

OLDER = {
    "time": "2025-01-01T00:00:00.000+00:00",
    "question": "Vad kostar det?",
    "outcome": "subject_not_covered",
    "route": "narrative",
    "ms": 3.5,
    "agentic": {
        "fallback_reason": None,
        "agents": [{"agent": "agent1", "status": "ok", "usage": {"prompt_tokens": 7}}],
    },
    "llm_usage": {"total_tokens": 9},
}


def test_lines_of_an_earlier_ankare_are_read(tmp_path: Path) -> None:
    (tmp_path / USAGE).write_text(json.dumps(OLDER) + "\n", "utf-8")
    (record,) = read_usage(tmp_path)
    assert (record.outcome, record.reason, record.question) == ("refused", "subject_not_covered", "Vad kostar det?")
    assert (record.question_chars, record.total_tokens) == (15, 9)
    assert (record.agents[0].agent, record.agents[0].prompt_tokens) == ("agent1", 7)


@pytest.mark.parametrize(
    "line",
    [
        '{"time": "2025',
        "[]",
        "null",
        '{"outcome": "answered"}',
        '{"time": 5, "outcome": "answered"}',
        "\x00\x00",
        "[" * 100_000,
        '{"time": "", "outcome": [' + "9" * 5000 + "]}",
    ],
    ids=range(8),
)
def test_what_is_no_record_is_passed_over(tmp_path: Path, line: str) -> None:
    whole = json.dumps(OLDER)
    (tmp_path / USAGE).write_text(f"{whole}\n{line}\n{whole}", "utf-8")
    assert len(list(read_usage(tmp_path))) == 2


@pytest.mark.parametrize(
    "name", ["ms", "sources", "agentic", "llm_usage", "steps_ms", "question", "missing", "partial"]
)
@pytest.mark.parametrize("value", [None, [], {}, "x", -1, 1e400, True, [{}], {"agents": 5}, 10**30])
def test_a_field_of_any_kind_makes_no_reader_fall(tmp_path: Path, name: str, value: object) -> None:
    (tmp_path / USAGE).write_text(json.dumps({**OLDER, name: value}) + "\n", "utf-8")
    assert len(list(read_usage(tmp_path))) == 1


def test_files_that_were_set_aside_are_read_first(tmp_path: Path) -> None:
    for n, name in enumerate(
        ("usage.old.jsonl", "usage.20260101T000000000000Z.old.jsonl", "usage.20260201T000000000000Z.old.jsonl", USAGE)
    ):
        (tmp_path / name).write_text(json.dumps({**OLDER, "ms": n}) + "\n", "utf-8")
    assert [record.ms for record in read_usage(tmp_path)] == [0, 1, 2, 3]


def test_a_folder_without_logs_has_no_records(tmp_path: Path) -> None:
    assert list(read_usage(tmp_path)) == []
    assert list(read_usage(tmp_path / "none")) == []


def test_what_the_log_writes_the_reader_reads(tmp_path: Path) -> None:
    JsonLines(tmp_path, USAGE, Redaction((), 1000)).write(outcome="error", reason="500", question="a\ud800b")
    (record,) = read_usage(tmp_path)
    assert (record.outcome, record.reason) == ("error", "500")
