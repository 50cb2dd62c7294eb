"""Is a suite answered in this process as a server would answer it, whichever way is taken?"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from typer.testing import CliRunner

from ankare.cli.main import app as main
from ankare.domain.access import PUBLIC
from ankare.errors import HomeMissingError, SettingsError
from ankare.evaluation.asking.capture import Plan, capture
from ankare.evaluation.asking.in_process import InProcess, settings_told
from ankare.evaluation.asking.over_http import OverHttp
from ankare.evaluation.asking.run_folder import read_run
from ankare.evaluation.captured import AnswerPath, FailureKind, Run
from ankare.evaluation.case import Case
from ankare.evaluation.measures.tally import tally_of
from ankare.evaluation.suites.suite import read_suite, suite_of
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.sample import pack_path
from ankare.service.app import create_app
from ankare.settings import Settings
from tests.model_server import ModelServer, Seen, answers, model_server, refuses, stall
from tests.service.live import listening

CHUNK = re.compile(r"<(c\d+) key=[^>]*>[^\n]*\n(.*?)\n\n<", re.DOTALL)
OWN_OF_EACH = ("answer_id", "timing_ms", "timings_ms")
OWN_OF_EACH_CALL = ("ms",)
KEY = "sk-" + "Very-private-1"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "home"
    ingest([], Home(folder), pack=pack_path(), workers=1)
    return folder


@pytest.fixture(scope="module")
def cases() -> tuple[Case, ...]:
    """Every tenth case of the sample suite: documents and figures, in all its languages."""
    return read_suite(pack_path() / "suite.jsonl").cases[::10]


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A model that searches for what was asked, copies a sentence of the first text and approves of everything."""
    with model_server() as server:
        server.does(answers(_copies))
        yield server


def _copies(seen: Seen) -> str:
    prompt = seen.prompt
    if '"verdict"' in prompt:
        return json.dumps({"verdict": "approved"})
    chunks = CHUNK.findall(prompt)
    if not chunks:
        return json.dumps({"queries": []})
    name, text = chunks[0]
    said = (line for line in re.split(r"(?<=[.!?])\s+|\n+", text) if len(line) > 30 and line.endswith("."))
    sentence = next(said, "")
    used = [{"chunk_id": name, "claim_supported": sentence}]
    return json.dumps({"answer": sentence, "answer_scope": "direct", "evidence_used": used})


def settings(home: Path, model: ModelServer | None = None, **given: Any) -> Settings:
    asked = {} if model is None else {"llm_base_url": f"{model.url}/v1", "llm_api_key": KEY}
    return Settings(home=home, semantic=False, agentic_rag_timeout_seconds=120, **{**asked, **given})


def captured(settings: Settings, path: AnswerPath, cases: tuple[Case, ...], folder: Path, **given: Any) -> Run:
    capture(suite_of(cases), InProcess(settings, path, **given), folder, Plan(path))
    return read_run(folder)


def _shown(body: Any) -> Any:
    """A body without what is its own: ids and times."""
    if isinstance(body, list):
        return [_shown(item) for item in body]
    if not isinstance(body, dict):
        return body
    return {name: _shown(held) for name, held in body.items() if name not in (*OWN_OF_EACH, *OWN_OF_EACH_CALL)}


def compared(folder: Path, settings: Settings, path: AnswerPath, cases: tuple[Case, ...]) -> tuple[Any, Any]:
    """The bodies of a run in process and of one over HTTP."""
    here = captured(settings, path, cases, folder / "here", access=PUBLIC)
    with listening(create_app(settings, page=False)) as url:
        capture(suite_of(cases), OverHttp(url, path), folder / "there", Plan(path, concurrency=4))
    there = read_run(folder / "there")
    return [one.body for one in here.captures], [one.body for one in there.captures]


@pytest.mark.parametrize("path", AnswerPath)
def test_the_body_is_the_one_that_a_server_gives_but_for_ids_and_times(
    home: Path, cases: tuple[Case, ...], model: ModelServer, tmp_path: Path, path: AnswerPath
) -> None:
    mode = "shadow" if path is AnswerPath.SHADOW else "reviewed_answer"  # a server has one, a run in process its path's
    here, there = compared(tmp_path, settings(home, model, agentic_rag_mode=mode), path, cases)
    assert len(here) == len(there) == len(cases)
    for mine, theirs in zip(here, there, strict=True):
        assert list(mine) == list(theirs)
        assert _shown(mine) == _shown(theirs)


def test_each_path_is_the_one_that_was_taken(
    home: Path, cases: tuple[Case, ...], model: ModelServer, tmp_path: Path
) -> None:
    runs = {path: captured(settings(home, model), path, cases, tmp_path / path) for path in AnswerPath}
    by_path = {path: [one.response for one in run.captures if one.response] for path, run in runs.items()}
    assert {len(found) for found in by_path.values()} == {len(cases)}
    assert not any(one.chain.calls or one.chain.enabled for one in by_path[AnswerPath.CONTROL])
    assert "synthesis" in {one.origin for one in by_path[AnswerPath.SYNTHESIS]}
    assert "agent2_reviewed" in {one.origin for one in by_path[AnswerPath.AGENTIC]}
    shadowed = [one for one in by_path[AnswerPath.SHADOW] if one.chain.shadow]
    assert shadowed
    assert all(one.chain.context and one.chain.context[0].text for one in shadowed if one.chain.shadow_answered)
    assert [one.markdown for one in by_path[AnswerPath.SHADOW]] == [one.markdown for one in by_path[AnswerPath.CONTROL]]
    tokens = tally_of(runs[AnswerPath.SHADOW]).tokens
    assert tokens.calls == sum(bool(one.chain.calls) for one in shadowed)
    assert tokens.prompt > 0
    assert tokens.untold == 0


def test_what_the_run_was_made_under_is_told_without_keys_and_paths(
    home: Path, cases: tuple[Case, ...], model: ModelServer, tmp_path: Path
) -> None:
    given = settings(home, model, admin_token="t" * 30, facts_url="", top_k=5)
    run = captured(given, AnswerPath.AGENTIC, cases[:1], tmp_path)
    told = run.conditions.settings
    assert (told["top_k"], told["semantic"], told["semantic_in_use"], told["provider"]) == (5, False, False, "openai")
    assert told["cast"]["agent2"]["temperature"] == 0.2
    written = "".join(path.read_text("utf-8") for path in tmp_path.iterdir())
    assert all(secret not in written for secret in (KEY, "t" * 30, str(home)))


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of one short document, ready for search by meaning."""
    folder = tmp_path_factory.mktemp("embedded")
    (folder / "beslut.md").write_text("# Beslut\n\nStyrgruppen tar beslut varje måndag.\n", "utf-8")
    ingest([folder / "beslut.md"], Home(folder / "home"), workers=1)
    assert CliRunner().invoke(main, ["embed", "--home", str(folder / "home")]).exit_code == 0
    return folder / "home"


def test_a_home_that_is_not_ready_for_search_by_meaning_is_told_before_and_after(
    home: Path, cases: tuple[Case, ...], tmp_path: Path
) -> None:
    warned: list[str] = []
    asker = InProcess(Settings(home=home), AnswerPath.CONTROL)
    found = capture(suite_of(cases), asker, tmp_path, Plan(AnswerPath.CONTROL), warn=warned.append)
    assert "is not ready" in warned[0]
    assert f"`ankare embed --home {home}`" in warned[0]
    assert "found by words alone" in found.notes[0]
    assert read_run(tmp_path).conditions.by_meaning == ("no",)


def test_a_home_that_is_ready_says_nothing(embedded: Path, tmp_path: Path) -> None:
    warned: list[str] = []
    suite = suite_of([Case("q1", "Vem tar beslut?", language="sv")])
    asker = InProcess(Settings(home=embedded), AnswerPath.CONTROL)
    found = capture(suite, asker, tmp_path, Plan(AnswerPath.CONTROL), warn=warned.append)
    conditions = read_run(tmp_path).conditions
    assert (warned, found.notes, conditions.by_meaning) == ([], (), ("yes",))
    assert conditions.settings["semantic_in_use"] is True


def test_vectors_of_an_earlier_version_serve_for_a_part_and_that_is_told(embedded: Path, tmp_path: Path) -> None:
    shutil.copytree(embedded, tmp_path / "home")
    (tmp_path / "ny.md").write_text("# Nytt\n\nBudgeten antas i november.\n", "utf-8")
    ingest([tmp_path / "ny.md"], Home(tmp_path / "home"), workers=1)
    (warning,) = InProcess(Settings(home=tmp_path / "home"), AnswerPath.CONTROL).told().warnings
    assert "for a part of the texts only" in warning


@pytest.mark.parametrize("path", AnswerPath)
def test_the_engine_is_warm_before_the_first_question_and_no_model_is_asked_for_it(
    home: Path, model: ModelServer, path: AnswerPath
) -> None:
    asker = InProcess(settings(home, model), path)
    told = asker.told()
    assert told.about["warming_ms"] > 0
    assert model.seen == []


def test_a_new_version_tells_whether_its_documents_or_its_profile_are_new(tmp_path: Path) -> None:
    pack, home = tmp_path / "pack", tmp_path / "home"

    def made() -> tuple[str, str]:
        ingest([], Home(home), pack=pack, workers=1)
        about = InProcess(settings(home), AnswerPath.CONTROL).told().about
        return about["documents"], about["profile"]

    shutil.copytree(pack_path(), pack)
    before = made()
    (pack / "profile.toml").write_text((pack / "profile.toml").read_text("utf-8") + "\n# another word\n", "utf-8")
    profile_new = made()
    assert (profile_new[0] == before[0], profile_new[1] == before[1]) == (True, False)
    (pack / "documents" / "ny.md").write_text("# Nytt\n\nBudgeten antas i november.\n", "utf-8")
    documents_new = made()
    assert (documents_new[0] == before[0], documents_new[1] == profile_new[1]) == (False, True)


def test_a_pack_on_the_command_line_tells_its_profile(home: Path) -> None:
    own, given = (
        InProcess(settings(home, pack=pack), AnswerPath.CONTROL).told().about["profile"] for pack in (None, pack_path())
    )
    assert own == given


def test_a_setting_that_is_new_is_told_unless_somebody_says_that_no_answer_depends_on_it() -> None:
    """A field that is added to the settings turns up here: decide which it is."""
    assert sorted(settings_told(Settings())) == [
        "agent1_model",
        "agent2_model",
        "agent3_model",
        "agent_correction_model",
        "agent_reasoning_effort",
        "agentic_rag_max_context_chunks",
        "agentic_rag_max_retrieval_queries",
        "agentic_rag_mode",
        "agentic_rag_require_review",
        "agentic_rag_timeout_seconds",
        "figures_tool_loop",
        "grounding_threshold",
        "llm_base_url",
        "llm_model",
        "llm_synthesis_model",
        "llm_timeout_seconds",
        "max_question_chars",
        "provider",
        "semantic",
        "top_k",
    ]


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (Case("q", "x" * 3000), "2000"),
        (Case("q", "   "), ""),
        (Case("q", "Vad?", language="fr"), "'fr' is not one of"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(home: Path, case: Case, said: str) -> None:
    asked = InProcess(settings(home), AnswerPath.CONTROL).ask(case, Event())
    assert asked is not None
    assert asked.failure is not None
    assert asked.failure.kind is FailureKind.REFUSED
    assert said in asked.failure.detail


@pytest.mark.parametrize("status", [401, 402])
def test_a_provider_that_refuses_us_is_a_failure_and_never_an_answer(
    home: Path, cases: tuple[Case, ...], model: ModelServer, tmp_path: Path, status: int
) -> None:
    model.does(refuses(status))
    run = captured(settings(home, model), AnswerPath.AGENTIC, cases[:1], tmp_path)
    (found,) = run.captures
    assert found.failure is not None
    assert (found.failure.kind, found.response) == (FailureKind.PROVIDER, None)
    assert model.url not in found.failure.detail


def test_a_provider_that_refuses_us_in_the_shadow_ends_the_run(
    home: Path, cases: tuple[Case, ...], model: ModelServer, tmp_path: Path
) -> None:
    model.does(refuses(402))
    asker = InProcess(settings(home, model), AnswerPath.SHADOW)
    plan = Plan(AnswerPath.SHADOW, most_hopeless=1)
    captured = capture(suite_of(cases), asker, tmp_path, plan)
    assert (captured.asked, "quota" in captured.stopped) == (1, True)
    (found,) = read_run(tmp_path).captures
    assert found.response is not None
    assert found.response.answered, "the answer is the control path's, and came"


def test_a_home_that_goes_away_ends_the_run(cases: tuple[Case, ...], home: Path, tmp_path: Path) -> None:
    asker = InProcess(settings(home), AnswerPath.CONTROL)
    asker.told()
    asker._engine.corpus = _gone  # type: ignore[method-assign]
    asked = asker.ask(cases[0], Event())
    assert asked is not None
    assert asked.failure is not None
    assert (asked.failure.kind, asked.failure.detail, asked.hopeless) == (FailureKind.BROKEN, "HomeMissingError", True)


def _gone(access: object) -> Any:
    raise HomeMissingError("/srv/home holds nothing.")


def test_an_answer_has_its_time_and_no_more(home: Path, cases: tuple[Case, ...], model: ModelServer) -> None:
    model.does(stall)
    asked = InProcess(settings(home, model), AnswerPath.AGENTIC, seconds=0.5).ask(cases[0], Event())
    assert asked is not None
    assert asked.failure is not None
    assert asked.failure.kind is FailureKind.TIMEOUT


def test_a_fault_is_an_outcome_of_its_question_alone(
    home: Path, cases: tuple[Case, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asker = InProcess(settings(home), AnswerPath.CONTROL)
    ask, faulty = asker._engine.ask, cases[1].question

    def breaks(question: str, **given: Any) -> Any:
        if question == faulty:
            raise RuntimeError("/srv/secret/place")
        return ask(question, **given)

    monkeypatch.setattr(asker._engine, "ask", breaks)
    capture(suite_of(cases[:3]), asker, tmp_path, Plan(AnswerPath.CONTROL))
    failures = [one.failure for one in read_run(tmp_path).captures]
    assert [failure.detail if failure else None for failure in failures] == [None, "RuntimeError", None]


@pytest.mark.parametrize("path", [path for path in AnswerPath if path is not AnswerPath.CONTROL])
def test_a_path_that_needs_a_model_is_not_begun_without_one(home: Path, path: AnswerPath) -> None:
    with pytest.raises(SettingsError, match="needs a model"):
        InProcess(settings(home), path)


def test_a_home_without_an_index_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(HomeMissingError):
        InProcess(settings(tmp_path), AnswerPath.CONTROL).told()
