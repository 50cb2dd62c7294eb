"""What docs/api.md shows can be run, and answers as it says."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ankare
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.sample import pack_path
from ankare.service.app import create_app
from ankare.settings import Settings
from tests.service.live import listening

GUIDE = Path(ankare.__file__).parents[2] / "docs" / "api.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
BLOCKS = BLOCK.findall(GUIDE.read_text(encoding="utf-8"))
COMMANDS = [text for kind, text in BLOCKS if kind == "console"]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("guide") / "home"
    ingest([], Home(home), pack=pack_path(), workers=1)
    with listening(create_app(Settings(home=home, semantic=False, mcp=True), page=False)) as base:
        yield base


@pytest.mark.parametrize("block", COMMANDS, ids=lambda block: block.splitlines()[0][:60])
def test_a_command_answers_what_is_shown(address: str, block: str) -> None:
    command, _, shown = block.partition("\n")
    assert command.startswith("$ curl -s")
    line = command[2:].replace("localhost:7860", address.removeprefix("http://"))
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=300, check=True)
    if shown.strip():
        assert settled(json.loads(done.stdout)) == settled(json.loads(shown))
    else:
        assert '"error"' not in done.stdout
        assert '"status": 4' not in done.stdout
        assert done.stdout


def test_the_answer_that_is_shown_is_the_one_that_is_given(address: str) -> None:
    shown = next(json.loads(text) for kind, text in BLOCKS if kind == "json")
    line = COMMANDS[0].splitlines()[0][2:].replace("localhost:7860", address.removeprefix("http://"))
    given = json.loads(subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True).stdout)
    assert given["answer_markdown"].startswith(shown["answer_markdown"].removesuffix("..."))
    held(shown["sources"][0], given["sources"][0])
    held(shown["claims"][0]["evidence"][0], given["claims"][0]["evidence"][0])
    assert set(shown) <= set(given)


def settled(answer: dict[str, Any]) -> dict[str, Any]:
    """Without what is another one for each request."""
    return {name: value for name, value in answer.items() if name != "instance"}


def held(part: dict[str, Any], whole: dict[str, Any]) -> None:
    assert {name: whole[name] for name in part} == part


def test_the_python_runs(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    for code in (text for kind, text in BLOCKS if kind == "python"):
        exec(code.replace("http://localhost:7860", address), {})  # noqa: S102 - our own guide
    said = capsys.readouterr().out
    assert said.startswith("Kommunarkivarien fattar gallringsbeslutet")
    assert "Införandehandbok" in said
    assert said.rstrip().endswith("True")


def test_configurations_are_json() -> None:
    for kind, text in BLOCKS:
        if kind == "json":
            json.loads(text)
