"""The page tells a reader where a language model worded the answer, and only there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ankare import wiring
from ankare.llm.scripted import ScriptedProvider
from ankare.messages import languages, messages
from ankare.service.app import create_app
from ankare.settings import Settings
from tests.channels.scripted_agents import DECIDES, GOOD, INVENTED, QUESTION, build_home, cites, review, rewrite

pytest.importorskip("gradio")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_home(tmp_path_factory.mktemp("signed")).path


def shown(home: Path, script: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch, query: dict[str, str]) -> str:
    """What the page shows as the answer."""
    monkeypatch.setattr(wiring, "provider_of", lambda _settings: ScriptedProvider(script))
    app = create_app(Settings(home=home, semantic=False, llm_provider="mock"))
    events = TestClient(app).post("/page/ask", params={"lang": "sv", **query}, json={"question": QUESTION}).text
    return str(json.loads(events.split("event: answer\ndata: ")[1])["html"])


BLOCKED = (rewrite(), cites(DECIDES, INVENTED), review())


@pytest.mark.parametrize(
    ("script", "query", "signed"),
    [
        (GOOD, {"enable_agentic_rag": "true"}, True),
        (BLOCKED, {"enable_agentic_rag": "true"}, False),
        ((cites(DECIDES, DECIDES),), {"enable_synthesis": "true"}, True),
        ((), {}, False),
    ],
)
def test_an_answer_that_a_model_worded_is_signed(
    home: Path, monkeypatch: pytest.MonkeyPatch, script: tuple[Any, ...], query: dict[str, str], signed: bool
) -> None:
    text = shown(home, script, monkeypatch, query)
    assert DECIDES in text
    assert (messages("sv")["cite.by_model"] in text) is signed


def test_every_language_has_the_sign() -> None:
    assert all(messages(code)["cite.by_model"] for code in languages())
