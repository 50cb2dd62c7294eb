from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.gate.coverage import PARTS_CREDIT, SYNONYM_CREDIT, Subject
from tests.samples import PlainLanguage, chunk, question

FREQUENCIES = {"plan": 50, "test": 50, "fel": 2}


def subject_of(text: str, **changes: object) -> Subject:
    asked = question(text)
    words = tuple(replace(w, **changes) if w.text == "testplan" else w for w in asked.words)
    return Subject(replace(asked, words=words), lambda term: FREQUENCIES.get(term, 0), 100, lambda _c, _t: frozenset())


def test_function_words_weigh_nothing() -> None:
    assert [w.word.text for w in subject_of("Vad är en plan").words] == ["plan"]


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    subject = subject_of("plan fel okänt")
    assert subject.words[0].weight < subject.words[1].weight < subject.words[2].weight


def test_all_words_found_is_full_coverage_and_none_is_zero() -> None:
    subject = subject_of("plan fel")
    assert subject.coverage({"plan", "fel", "annat"}).share == 1.0
    assert subject.coverage({"annat"}).share == 0.0


def test_a_synonym_counts_a_little_less_than_the_word_and_only_when_whole() -> None:
    subject = subject_of("testplan", synonyms=(("plan", "prov"),))
    assert subject.coverage({"plan", "prov"}).credits == (SYNONYM_CREDIT,)
    assert subject.coverage({"plan"}).credits == (0.0,)


def test_parts_of_a_compound_count_by_their_weight_and_never_fully() -> None:
    subject = subject_of("testplan", parts=("test", "plan"))
    assert subject.coverage({"test"}).credits == pytest.approx((PARTS_CREDIT / 2,))
    assert subject.coverage({"test", "plan"}).credits == pytest.approx((PARTS_CREDIT,))
    assert subject.coverage({"testplan"}).credits == (1.0,)


def test_a_question_without_content_words_is_never_covered() -> None:
    assert subject_of("vad är det").coverage({"vad", "är", "det"}).share == 0.0


WORDS = st.sampled_from(["plan", "fel", "test", "okänt", "annat"])


@given(st.sets(WORDS), WORDS)
def test_one_more_word_in_the_text_never_lowers_coverage(terms: set[str], more: str) -> None:
    subject = subject_of("plan fel okänt testplan", parts=("test", "plan"))
    assert subject.coverage(terms).share <= subject.coverage(terms | {more}).share <= 1.0


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Hallen hyrs ut för 300 kronor i timmen.", SYNONYM_CREDIT),
        ("Hallen hyrs ut av kommunen.", 0.0),
        ("Parkeringen kostnadsfri, 300 kronor för övriga.", 0.0),
    ],
)
def test_a_word_that_asks_for_a_price_is_held_where_a_price_of_the_same_thing_stands(text: str, held: float) -> None:
    asked = question("Vad kostar hallen")
    told = Subject(asked, lambda _term: 1, 20, lambda _code, given: frozenset(PlainLanguage().index_terms(given)))
    places = [word.word.text for word in told.words]
    assert told.held_by(chunk(text)).sentences[0][places.index("kostar")] == held


@pytest.mark.parametrize(
    ("asked", "text", "another"),
    [
        ("Vad betyder prioritet 2", "Vid prioritet 1 leds arbetet av förvaltaren.", True),
        ("Vad betyder prioritet 2", "Vid prioritet 1 och 2 larmas jouren.", False),
        ("Vad betyder prioritet 2", "Supporten sätter prioritet.", False),
        ("Vad gäller fel i klass C", "Fel i klass A rättas först.", True),
        ("Vad gäller fel i klass C", "Fel i klass C rättas sist.", False),
        ("Vad gäller hösten 2025", "Under hösten 2024 byggdes hallen.", True),
        ("Vad betyder prioritet", "Vid prioritet 1 leds arbetet.", False),
    ],
)
def test_what_is_said_of_another_number_of_a_thing_is_told_apart(asked: str, text: str, another: bool) -> None:
    told = Subject(
        question(asked), lambda _t: 1, 20, lambda _code, given: frozenset(PlainLanguage().index_terms(given))
    )
    found = chunk(text)
    assert told.of_another_number(found, found.sentences[0]) is another
    if another:
        assert told.share(told.held_by(found).sentences[0]) < 0.5
