"""The page tells a reader where a language model worded the answer, and only there."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

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
    from ankare.service.page import _Page

    monkeypatch.setattr(wiring, "provider_of", lambda _settings: ScriptedProvider(script))
    app = create_app(Settings(home=home, semantic=False, llm_provider="mock"), page=False)
    visitor = SimpleNamespace(headers={"accept-language": "sv"}, query_params=query)
    return str(_Page(app.state.desk)._shown(QUESTION, visitor)[0])  # type: ignore[arg-type]


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
