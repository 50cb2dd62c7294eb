"""Figures over HTTP: the model that the service is configured with, broken stores, and odd requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ankare import wiring
from ankare.errors import ProviderError, ProviderServiceError
from ankare.facts.sqlite import SqliteFactStore
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.llm.scripted import ScriptedProvider
from ankare.service.app import create_app
from ankare.settings import Settings
from tests.channels.scripted_agents import cites, review, rewrite
from tests.structured.conftest import FACTS, PROFILE
from tests.structured.test_tool_loop import says

QUESTION = {"question": "Vad var omsättningen i Kina 2024?"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    pack = tmp_path / "pack"
    (pack / "documents").mkdir(parents=True)
    (pack / "profile.toml").write_text(PROFILE, encoding="utf-8")
    (pack / "documents" / "plan.md").write_text("# Plan\n\nVinsten i Kina minskade eftersom kostnaderna ökade.\n")
    ingest([pack / "documents"], Home(tmp_path / "home"), pack=pack, workers=1)
    store = SqliteFactStore(tmp_path / "home" / "facts.db")
    store.init_schema()
    store.add_facts(FACTS)
    store.close()
    return tmp_path / "home"


@contextmanager
def serving(home: Path, **settings: object) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(home=home, semantic=False, **settings), page=False)) as client:  # type: ignore[arg-type]
        yield client


def test_a_figure_has_its_value_unit_and_place(home: Path) -> None:
    with serving(home) as client:
        body = client.post("/api/ask", json=QUESTION).json()
    assert body["answered"] and body["route"] == "structured" and body["answer_origin"] == "figures"
    (fact,) = body["facts"]
    assert (fact["status"], fact["value"], fact["unit"], fact["period"]) == ("found", "1320.5", "USD_M", "FY2024")
    assert body["sources"][0]["source"] == "Bokslut.xlsx" and body["sources"][0]["locator"] == "Blad1!RN24"
    assert body["sources"][0]["pages"] == []


def test_a_composite_answer_cites_the_cell_and_the_page(home: Path) -> None:
    with serving(home) as client:
        body = client.post("/api/ask", json={"question": "Varför minskade vinsten i Kina 2024?"}).json()
    assert body["route"] == "composite" and body["claims"]
    assert [source["source"] for source in body["sources"]] == ["Bokslut.xlsx", "Bokslut.xlsx", "plan.md"]
    assert [source["number"] for source in body["sources"]] == [1, 2, 3]
    assert body["answer_markdown"].index("12,5") < body["answer_markdown"].index("kostnaderna")


def test_a_refusal_has_neither_sources_nor_a_figure(home: Path) -> None:
    with serving(home) as client:
        for question in ("omsättning Jing An 2024", "omsättning Kina 2019", "Hur mycket var det?"):
            body = client.post("/api/ask", json={"question": question}).json()
            assert not body["answered"] and body["sources"] == [] and body["refusal_reason"]
            assert body["clarification"]["narrowing_options"]


@pytest.mark.parametrize("error", [ProviderServiceError("The quota is used up.", kind="quota", status=402)])
def test_a_refused_key_is_a_503_and_no_answer(
    home: Path, monkeypatch: pytest.MonkeyPatch, error: ProviderError
) -> None:
    monkeypatch.setattr(wiring, "provider_of", lambda _settings: ScriptedProvider([error] * 9))
    with serving(home, figures_tool_loop=True) as client:
        answer = client.post("/api/ask", json=QUESTION)
    assert answer.status_code == 503 and answer.headers["content-type"] == "application/problem+json"
    assert "quota" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("replies", "why"),
    [([ProviderError("gone", kind="timeout")], "timeout"), ([says("Omsättningen var 999 MUSD.")], "no_tool_result")],
    ids=["fails", "chats"],
)
def test_what_a_model_does_not_look_up_is_looked_up_without_it_and_told(
    home: Path, monkeypatch: pytest.MonkeyPatch, replies: list[Any], why: str
) -> None:
    with serving(home) as client:
        plain = client.post("/api/ask", json=QUESTION).json()
    monkeypatch.setattr(wiring, "provider_of", lambda _settings: ScriptedProvider(replies))
    with serving(home, figures_tool_loop=True) as client:
        body = client.post("/api/ask", json={**QUESTION, "debug_mode": True}).json()
    for name in ("answer_markdown", "facts", "sources", "clarification", "answered"):
        assert body[name] == plain[name]
    assert body["agentic_pipeline"]["warnings"] == [f"figures: looked up without the model ({why})"]
    assert "999" not in str(body)


def test_without_the_loop_a_broken_model_does_not_matter(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "provider_of", lambda _settings: ScriptedProvider([]))
    with serving(home) as client:
        assert client.post("/api/ask", json=QUESTION).json()["answered"]


def test_figures_that_cannot_be_read_are_a_503(home: Path) -> None:
    (home / "facts.db").write_bytes(b"no database" * 1000)
    with serving(home) as client:
        answer = client.post("/api/ask", json=QUESTION)
    assert answer.status_code == 503 and "figures cannot be read" in answer.json()["detail"]
    assert "facts.db" not in answer.text  # that is for the log


@pytest.mark.parametrize(
    "day", ["", "2025-13-01", "yesterday", "2025", 20250520, "0000-00-00", "0001-01-01", "9999-12-31"]
)
def test_a_reference_date_that_is_none_is_a_400(home: Path, day: object) -> None:
    with serving(home) as client:
        answer = client.post("/api/ask", json={**QUESTION, "reference_date": day})
    assert answer.status_code == 400 and "reference_date" in answer.json()["detail"]


def test_figures_that_come_later_are_answered_without_a_restart(home: Path) -> None:
    (home / "facts.db").rename(home / "kept.db")
    with serving(home) as client:
        assert client.post("/api/ask", json=QUESTION).json()["route"] == "narrative"
        (home / "kept.db").rename(home / "facts.db")
        assert client.post("/api/ask", json=QUESTION).json()["facts"][0]["value"] == "1320.5"


def test_an_outsider_is_refused_also_where_no_figures_are_held(home: Path) -> None:
    (home / "facts.db").unlink()
    with serving(home) as client:
        body = client.post("/api/ask", json={"question": "Vad är Jing An?"}).json()
    assert body["clarification"]["mode"] == "out_of_scope_entity"


def test_the_shapes_are_those_of_the_schema(home: Path) -> None:
    from ankare.service.api.schemas import AskResponse

    with serving(home) as client:
        for question in (
            QUESTION["question"],
            "Hur mycket?",
            "omsättning Hongkong 2024",
            "Varför sjönk vinsten i Kina 2024?",
        ):
            body = client.post("/api/ask", json={"question": question}).json()
            assert AskResponse.model_validate(body).model_dump().keys() == body.keys()


def test_a_home_without_documents_does_not_speak_of_them(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    (pack / "facts").mkdir(parents=True)
    (pack / "profile.toml").write_text(PROFILE, encoding="utf-8")
    rows = "metric,entity,period,value,unit\nREVENUE,ACME_CN,2024,5,MUSD\n"
    (pack / "facts" / "f.csv").write_text(rows, encoding="utf-8")
    ingest([], Home(tmp_path / "home"), pack=pack, workers=1)
    with serving(tmp_path / "home") as client:
        body = client.post("/api/ask", json={"question": "Varför sjönk omsättningen i Kina 2024?"}).json()
    assert body["route"] == "composite" and "Dokumenten" not in body["answer_markdown"]


def test_agents_have_a_part_only_in_what_the_documents_say(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = "Vinsten i Kina minskade eftersom kostnaderna ökade."
    question = "Varför minskade vinsten i Kina 2024?"
    provider = ScriptedProvider((rewrite(question=question), cites(sentence, sentence), review()))
    monkeypatch.setattr(wiring, "provider_of", lambda _settings: provider)
    with serving(home, enable_agentic_rag=True, llm_provider="mock") as client:
        figure = client.post("/api/ask", json=QUESTION).json()
        assert (figure["answer_origin"], provider.calls) == ("figures", ())
        assert figure["agentic_pipeline"]["final_status"] == "not_run"
        both = client.post("/api/ask", json={"question": question}).json()
    assert both["route"] == "composite"
    assert both["agentic_pipeline"]["answer_origin"] == "agent2_reviewed"
    assert [source["source"] for source in both["sources"]] == ["Bokslut.xlsx", "Bokslut.xlsx", "plan.md"]
    assert len(provider.calls) == 3
