"""A button beside a refusal leads to text: what it asks is answered from that section of that document, for this reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ankare.domain.access import OWNER, Access
from ankare.domain.answer import Answer, Refusal
from ankare.domain.cancel import CallCancelledError
from ankare.domain.question import QuestionType
from ankare.domain.reply import Reply
from ankare.errors import QuestionError
from ankare.service.caller import Caller
from ankare.service.page import routes
from ankare.service.page.nearby import Offer, offers_of
from tests.service.doors import doors
from tests.service.scripted import claims_of, make_chunk, make_reply, near

PLAN = make_chunk()
OTHER = make_chunk(source="annan.pdf", title="Annan plan")
REFUSED = make_reply("Saknas det?", Refusal("x", "sv", "Nej.", (near(PLAN), near(OTHER))))


def answering(*questions: str, chunk: object = PLAN) -> Callable[[str], Reply]:
    """Answers some questions from a chunk, and refuses any other."""

    def ask(question: str) -> Reply:
        if question in questions:
            return make_reply(question, Answer(QuestionType.LIST, "sv", claims_of(chunk)))  # type: ignore[arg-type]
        return make_reply(question, Refusal("x", "sv", "Nej."))

    return ask


def test_only_what_is_answered_from_that_section_is_a_question() -> None:
    offers = offers_of(REFUSED, answering("Vad står det om etapper i Plan?", "Vad står det om etapper i Annan plan?"))
    assert offers == (Offer("2 Etapper (Plan)", "Vad står det om etapper i Plan?"), Offer("2 Etapper (Annan plan)"))


def test_what_answers_stands_first_and_a_question_without_the_document_will_do() -> None:
    offers = offers_of(REFUSED, answering("Vad står det om etapper?", chunk=OTHER))
    assert offers == (Offer("2 Etapper (Annan plan)", "Vad står det om etapper?"), Offer("2 Etapper (Plan)"))


def test_the_question_that_was_refused_is_not_offered_again() -> None:
    asked = "vad står det om etapper i plan?"
    refused = replace(REFUSED, question=replace(REFUSED.question, text=asked))
    assert not any(o.question for o in offers_of(refused, answering("Vad står det om etapper i Plan?")))


def test_a_heading_that_asks_is_asked_as_it_stands() -> None:
    chunk = make_chunk(section=("Hur många är etapperna?",))
    refused = make_reply("Saknas det?", Refusal("x", "sv", "Nej.", (near(chunk),)))
    (offer,) = offers_of(refused, answering("Hur många är etapperna?", chunk=chunk))
    assert offer.question == "Hur många är etapperna?"


def test_nothing_is_offered_beside_an_answer() -> None:
    assert offers_of(make_reply("Vad?", Answer(QuestionType.LIST, "sv", claims_of(PLAN))), answering()) == ()


def test_a_question_that_cannot_be_asked_is_not_offered_and_one_that_nobody_waits_for_ends() -> None:
    def too_long(_question: str) -> Reply:
        raise QuestionError("too long")

    def given_up(_question: str) -> Reply:
        raise CallCancelledError

    assert not any(offer.question for offer in offers_of(REFUSED, too_long))
    with pytest.raises(CallCancelledError):
        offers_of(REFUSED, given_up)


def test_they_are_tried_as_the_reader_and_no_record_is_kept(tmp_path: Path) -> None:
    with doors(tmp_path, page=True, api_keys="required", log_dir=tmp_path / "log") as opened:
        key = opened.key(labels=("board",))
        sent = {"Authorization": f"Bearer {key}"}
        told = opened.client.post("/page/ask?lang=sv", json={"question": "Det saknas"}, headers=sent).text
        assert "Vad står det om etapper i Plan?" in told
        assert [question for question, _ in opened.engine.asked] == ["Det saknas", "Vad står det om etapper i Plan?"]
        assert set(opened.engine.readers) == {Access(frozenset({"board"}))}
    assert len((tmp_path / "log" / "usage.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_a_trial_for_somebody_else_would_be_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The saboteur: tried with everything in sight, it would offer what the reader may not read."""
    tried = routes._tried
    monkeypatch.setattr(routes, "_tried", lambda desk, when, _caller, q: tried(desk, when, Caller("x", OWNER), q))
    with pytest.raises(AssertionError, match="Access"):
        test_they_are_tried_as_the_reader_and_no_record_is_kept(tmp_path)
