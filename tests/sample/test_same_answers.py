"""The library, the command line, the API and the page say the same to every figure case of the sample pack."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from ankare.channels.answer_question import answer_question
from ankare.cli import ask as ask_command
from ankare.cli.main import app
from ankare.facts.sqlite import SqliteFactStore
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.llm.mock import MockProvider
from ankare.sample import pack_path
from ankare.sample.generate.check_suite import FIGURE, read_suite
from ankare.service.app import create_app
from ankare.settings import Settings

CASES = [case for case in read_suite(pack_path()) if case["type"] == FIGURE]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A home whose documents came in by `ankare ingest` and whose figures by `ankare facts load`."""
    home = tmp_path_factory.mktemp("sample") / "home"
    pack = pack_path()
    ingest([pack / "documents"], Home(home), pack=pack)
    done = CliRunner().invoke(app, ["facts", "load", str(pack / "facts"), "--pack", str(pack), "--home", str(home)])
    assert done.exit_code == 0, done.output
    return Settings(home=home, semantic=False)


@pytest.fixture(scope="module")
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings)) as client:
        yield client


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_way_to_ask_gives_the_same_answer(case: dict[str, Any], settings: Settings, client: TestClient) -> None:
    question, day = case["question"], case["reference_date"]
    told, rendered, _ = ask_command.answer(settings, question, None, date.fromisoformat(day))
    served = client.post("/api/ask", json={"question": question, "reference_date": day}).json()
    for same in ("answer_markdown", "answered", "route", "facts", "clarification", "sources", "language", "claims"):
        assert served[same] == told[same], same

    events = client.post("/page/ask", params={"reference_date": day}, json={"question": question}).text
    page = json.loads(events.split("event: answer\ndata: ")[1])
    assert page["markdown"] == rendered.markdown
    offered = [option["question"] for option in served["clarification"]["narrowing_options"]]
    assert [unescape(asked) for asked in re.findall('data-ask="([^"]*)"', page["html"])] == offered

    store = SqliteFactStore(settings.home / "facts.db")
    library = answer_question(question, store, MockProvider(), reference_date=date.fromisoformat(day))
    assert library.clarification.mode == served["clarification"]["mode"]
    assert [found["status"] for found in library.tool_results] == [fact["status"] for fact in served["facts"]]
    values = [found.value for found in library.tool_results if found.status == "found"]
    assert values == [Decimal(fact["value"]) for fact in served["facts"] if fact["status"] == "found"]
    if library.route == "structured":
        assert library.answered == served["answered"]
        assert _words(library.answer_plain) <= _words(served["answer_markdown"])


def _words(text: str) -> set[str]:
    return set(re.findall(r"[\w.,%+\u2212-]+", text.replace("\\", "")))
