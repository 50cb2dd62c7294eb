"""Promises of what a reader is told beside an answer, and of the words that a refusal names."""

from __future__ import annotations

import pytest

from ankare.answer.claims import claim_at
from ankare.channels.narrative import refuse
from ankare.channels.notes import weakly_held
from ankare.domain.evidence import Relevance
from ankare.domain.question import Question, QuestionType
from ankare.gate.coverage import Subject
from ankare.language.dictionary import is_verb_form
from tests.samples import chunk, question

SV, EN = "sv", "en"


def refusal(language: str, covered: tuple[str, ...], missing: tuple[str, ...]) -> str:
    question = Question("?", language, QuestionType.GENERAL, ())
    return refuse(question, Relevance(False, "subject_not_covered", covered, missing), ()).message


@pytest.mark.parametrize(
    ("language", "covered", "missing", "named", "unnamed"),
    [
        (SV, ("ligger", "skolan"), ("Rosenkvarn",), ("skolan", "Rosenkvarn"), ("ligger",)),
        (SV, ("ligger",), ("Rosenkvarn",), ("Rosenkvarn",), ("ligger", "tar upp")),
        (SV, ("skolan",), ("bjuder",), ("skolan",), ("bjuder", "hittades")),
        (SV, ("ligger",), ("bjuder",), ("ligger", "bjuder"), ()),
        (SV, ("ligger",), (), ("ligger",), ()),
        (SV, ("avtal", "3"), ("Rosenkvarn",), ("avtal", "3"), ()),
        (EN, ("located", "school"), ("Rosenkvarn",), ("school", "Rosenkvarn"), ("located",)),
        (EN, ("located",), ("Rosenkvarn",), ("Rosenkvarn",), ("located", "speaks of")),
        (EN, ("located",), ("happens",), ("located", "happens"), ()),
    ],
)
def test_a_refusal_names_topics_and_verbs_only_where_there_is_nothing_else(
    language: str, covered: tuple[str, ...], missing: tuple[str, ...], named: tuple[str, ...], unnamed: tuple[str, ...]
) -> None:
    message = refusal(language, covered, missing)
    assert all(word in message for word in named)
    assert not any(word in message for word in unnamed)


@pytest.mark.parametrize(
    ("word", "language", "expected"),
    [
        *((word, SV, True) for word in ("ligger", "bjuder", "byggdes", "ansvarar", "hyr", "leder", "planeras")),
        *(
            (word, SV, False)
            for word in ("avtal", "plan", "lån", "kommunen", "skolan", "skolor", "hyran", "rosenkvarn", "2024")
        ),
        *((word, EN, True) for word in ("located", "lies", "contains", "paid")),
        *((word, EN, False) for word in ("plan", "report", "building", "costs", "rosenkvarn", "2024")),
        ("位于", "zh", False),
    ],
)
def test_verbs_are_told_from_what_may_be_a_noun(word: str, language: str, expected: bool) -> None:
    assert is_verb_form(word, language) is expected


@pytest.mark.parametrize(
    ("claim", "told"), [("Hallen hyrs ut för 300 kronor i timmen.", ()), ("Hallen hyrs ut av kommunen.", ("kostar",))]
)
def test_a_word_that_asks_for_a_price_is_not_missed_where_a_price_is_told(claim: str, told: tuple[str, ...]) -> None:
    asked = question("Vad kostar hallen")
    subject = Subject(asked, lambda _term: 1, 20, lambda _code, _text: frozenset())
    assert weakly_held(subject, Relevance(True, "covered", missing=("kostar",)), [claim_at(chunk(claim), 0)]) == told
