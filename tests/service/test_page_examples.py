"""An example on the page is answered when it is asked, for the reader who sees it; nothing is asked that was asked already."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ankare.domain.access import OWNER, PUBLIC, Access
from ankare.domain.answer import Refusal
from ankare.domain.reply import Reply
from ankare.errors import QuestionError
from ankare.profile.model import Profile
from ankare.service.desk import Desk
from ankare.service.page import examples as module
from ankare.service.page.examples import offered_examples
from ankare.settings import Settings
from tests.service.scripted import ScriptedEngine, ScriptedShelf, make_reply

EXAMPLES = ("Vilka etapper finns?", "Vad saknas?", "Vem ansvarar?")


class Labelled(ScriptedEngine):
    """Answers what is asked about who is responsible for the board alone, and cannot read a question about time."""

    def ask(self, question: str, *, access: Access = OWNER, **given: Any) -> Reply:
        assert (given["agentic"], given["synthesis"]) == (False, False)
        if "När" in question:
            raise QuestionError("unreadable")
        if "ansvarar" in question and not access.admits("board"):
            self.asked.append((question, None))
            return make_reply(question, Refusal("no_hits", "sv", "Nej."))
        return super().ask(question, access=access, **given)


def desk_with(folder: Path, *examples: str) -> tuple[Desk, Labelled]:
    engine = Labelled()
    shelf = ScriptedShelf(folder, rules=replace(Profile(), examples=examples))
    return Desk(Settings(home=folder), shelf, lambda: engine, engine), engine


def test_what_is_refused_is_not_offered(tmp_path: Path) -> None:
    desk, _ = desk_with(tmp_path, *EXAMPLES, "När?")
    assert offered_examples(desk, OWNER) == ("Vilka etapper finns?", "Vem ansvarar?")


def test_each_reader_is_offered_what_that_reader_is_answered(tmp_path: Path) -> None:
    desk, _ = desk_with(tmp_path, *EXAMPLES)
    board = Access(frozenset({"board"}))
    assert offered_examples(desk, board) == ("Vilka etapper finns?", "Vem ansvarar?")
    assert offered_examples(desk, PUBLIC) == ("Vilka etapper finns?",)


def test_they_are_asked_once_for_a_version_and_again_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, engine = desk_with(tmp_path, *EXAMPLES)
    for _ in range(3):
        offered_examples(desk, PUBLIC)
    assert len(engine.asked) == len(EXAMPLES)
    desk.shelf.name = "v2"  # type: ignore[attr-defined]
    offered_examples(desk, PUBLIC)
    assert len(engine.asked) == 2 * len(EXAMPLES)
    monkeypatch.setattr(module, "KEPT_SECONDS", -1.0)
    offered_examples(desk, PUBLIC)
    assert len(engine.asked) == 3 * len(EXAMPLES)


def test_no_record_is_kept_of_them(tmp_path: Path) -> None:
    desk, _ = desk_with(tmp_path, *EXAMPLES)
    offered_examples(desk, PUBLIC)
    assert not list(tmp_path.rglob("usage*"))


def test_until_the_index_is_open_all_are_offered(tmp_path: Path) -> None:
    shelf = ScriptedShelf(tmp_path, rules=replace(Profile(), examples=EXAMPLES))
    assert offered_examples(Desk(Settings(home=tmp_path), shelf, Labelled), PUBLIC) == EXAMPLES


def test_the_page_does_not_wait_for_a_slow_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, engine = desk_with(tmp_path, *EXAMPLES)
    monkeypatch.setattr(module, "PATIENCE_SECONDS", -1.0)
    assert offered_examples(desk, PUBLIC) == EXAMPLES
    assert engine.asked == []
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 60.0)
    assert offered_examples(desk, PUBLIC) == ("Vilka etapper finns?",)
