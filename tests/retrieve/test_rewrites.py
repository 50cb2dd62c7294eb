"""Which wordings are searched along with the question: those that ask for the same thing, and none that answers it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ankare.contracts.rewrite import Purpose, Rewrite, RewriteQuery
from ankare.domain.question import QueryWord, Question
from ankare.language.languages import get_language
from ankare.retrieve.rewrites import Accepted, Unfit, screen_rewrites

TEACHING = "Hur bedrivs undervisning av vuxna elever?"
WHO = "Vem ansvarar för utbildningen?"


def asked(text: str, language: str = "sv", synonyms: Sequence[str] = ()) -> Question:
    analysis = get_language(language)
    words = []
    for token in analysis.tokens(text):
        found = analysis.analyze(token.text)
        word = QueryWord(
            token.text, token.start, token.end, found.terms, found.parts, stop=found.stop, generic=found.generic
        )
        extra = tuple(analysis.analyze(synonym).terms for synonym in synonyms) if word.content else ()
        words.append(replace(word, synonyms=extra))
    return Question(text, language, analysis.question_type(text), tuple(words))


def screened(
    question: str,
    *queries: str,
    language: str = "sv",
    focus: Sequence[str] = (),
    most: int = 20,
    synonyms: Sequence[str] = (),
) -> Accepted:
    rewrite = Rewrite(tuple(RewriteQuery(query, Purpose.SYNONYM) for query in queries), tuple(focus), (), (), 0.9)
    return screen_rewrites(rewrite, asked(question, language, synonyms), get_language(language), most=most)


@pytest.mark.parametrize(
    "query",
    [
        "undervisningen av vuxna",
        "undervisade vuxna",
        "har undervisat elever",
        "undervisas eleverna",
        "vuxenundervisning",
        "undervisningsmetoder",
        "metoder som är vanliga i undervisning",
        "hur undervisar man vuxna",
        "elevernas undervisning, former",
        "Undervisning Av Vuxna",
        "UNDERVISNING VUXNA ELEVER",
        "undervisning?",
    ],
)
def test_inflections_compounds_and_questions_are_searched(query: str) -> None:
    assert screened(TEACHING, query).queries == (TEACHING, query)


@pytest.mark.parametrize(
    ("question", "query", "reason"),
    [
        (TEACHING, "", Unfit.EMPTY),
        (TEACHING, " ?! ", Unfit.EMPTY),
        (TEACHING, TEACHING, Unfit.DUPLICATE),
        (TEACHING, "hur bedrivs undervisning av vuxna elever", Unfit.DUPLICATE),
        (TEACHING, "undervisning " * 30, Unfit.TOO_LONG),
        (TEACHING, "undervisning " + "x" * 180, Unfit.TOO_LONG),
        (TEACHING, "undervisning https://example.org/svar", Unfit.NOT_A_QUERY),
        (TEACHING, "undervisning handbok.pdf", Unfit.NOT_A_QUERY),
        (TEACHING, "undervisning <b>vuxna</b>", Unfit.NOT_A_QUERY),
        (TEACHING, '{"query": "undervisning"}', Unfit.NOT_A_QUERY),
        (TEACHING, "undervisning a@b.se", Unfit.NOT_A_QUERY),
        (TEACHING, "undervisning 40 timmar", Unfit.NEW_NUMBER),
        (TEACHING, "undervisning 2024-03-01", Unfit.NEW_NUMBER),
        (TEACHING, "undervisning fyrtio timmar", Unfit.NEW_NUMBER),
        (TEACHING, "undervisning i augusti", Unfit.NEW_NUMBER),
        (TEACHING, "undervisning i Malmö", Unfit.NEW_NAME),
        (TEACHING, "Anna Svensson undervisning", Unfit.NEW_NAME),
        (TEACHING, "undervisning enligt ABCD", Unfit.NEW_NAME),
        (TEACHING, "undervisningen är gratis för pensionärer", Unfit.STATEMENT),
        (TEACHING, "undervisning: föreläsningar på kvällen", Unfit.STATEMENT),
        (TEACHING, "Det sker kvällstid. Undervisning i grupp", Unfit.STATEMENT),
        (TEACHING, "trafikregler för cyklister", Unfit.OFF_SUBJECT),
        (WHO, "Projektledaren ansvarar för utbildningen", Unfit.STATEMENT),
        (WHO, "Rektorn beslutar om utbildningen", Unfit.STATEMENT),
        (WHO, "utbildningen ska ledas av rektorn", Unfit.STATEMENT),
        (WHO, "budget för resor", Unfit.OFF_SUBJECT),
        ("Vilket bordtennisgummi är bäst?", "bäst", Unfit.OFF_SUBJECT),
        ("Vilket bordtennisgummi är bäst?", "bästa upphandlingen", Unfit.OFF_SUBJECT),
        ("Vilket bordtennisgummi är bäst?", "rekommenderad projektmodell", Unfit.OFF_SUBJECT),
        ("Vilket bordtennisgummi är bäst?", "skrivbord", Unfit.OFF_SUBJECT),
    ],
)
def test_what_looks_like_an_answer_or_leaves_the_subject_is_not_searched(
    question: str, query: str, reason: Unfit
) -> None:
    result = screened(question, query)
    assert result.queries == (question,) and result.accepted == ()
    assert [(rejected.query, rejected.reason) for rejected in result.rejected] == [(query, reason.value)]


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("payment approval", None),
        ("approved payments", None),
        ("who should approve a payment", None),
        ("The director approves the payment", Unfit.STATEMENT),
        ("payment is approved by the board", Unfit.STATEMENT),
        ("payment over ten thousand", Unfit.NEW_NUMBER),
        ("payment approval at Initech", Unfit.NEW_NAME),
        ("weather in spring", Unfit.OFF_SUBJECT),
    ],
)
def test_the_rules_hold_in_english(query: str, reason: Unfit | None) -> None:
    result = screened("Who approves the payment?", query, language="en")
    assert [rejected.reason for rejected in result.rejected] == ([reason.value] if reason else [])


def test_the_rules_hold_where_words_are_not_divided() -> None:
    result = screened("培训由谁负责?", "培训负责人", "天气预报", "培训 40 小时", language="zh")
    assert result.queries == ("培训由谁负责?", "培训负责人")
    assert [rejected.reason for rejected in result.rejected] == ["off_subject", "new_number"]


def test_figures_and_names_of_the_question_may_stay() -> None:
    question = "Vad kostade utbildningen i Malmö 2023?"
    result = screened(question, "utbildning Malmö 2023", "utbildningskostnad i Malmö", "utbildning Malmö 2024")
    assert result.queries == (question, "utbildning Malmö 2023", "utbildningskostnad i Malmö")
    assert result.rejected[0].reason == Unfit.NEW_NUMBER


def test_a_controlled_synonym_stays_on_the_subject() -> None:
    assert screened(WHO, "ansvarig för kursen").accepted == ()
    assert screened(WHO, "ansvarig för kursen", synonyms=["kurs"]).queries == (WHO, "ansvarig för kursen")


def test_the_question_is_first_and_word_for_word() -> None:
    odd = "  vem ANSVARAR för  utbildningen??  "
    assert screened(odd, "utbildningens ansvar").queries[0] == odd
    assert screened(odd).queries == (odd,)


def test_so_many_searches_in_all_and_the_rest_is_told() -> None:
    result = screened(
        WHO, *(f"utbildning {word}" for word in ("ledning", "ansvar", "roll", "chef", "mål", "plan")), most=5
    )
    assert len(result.queries) == 5
    assert [rejected.reason for rejected in result.rejected] == ["too_many", "too_many"]
    assert screened(WHO, "utbildning ledning", most=1).queries == (WHO,)


def test_each_wording_is_searched_once_and_keeps_its_purpose() -> None:
    result = screened(WHO, "utbildning ledning", "Utbildning, ledning!")
    assert [(accepted.query, accepted.purpose) for accepted in result.accepted] == [("utbildning ledning", "synonym")]
    assert result.rejected[0].reason == Unfit.DUPLICATE


def test_a_question_of_generic_words_is_anchored_in_them() -> None:
    result = screened("Vad är viktigt?", "viktigt att tänka på", "utbildning")
    assert result.queries == ("Vad är viktigt?", "viktigt att tänka på")


Screen = Callable[[str, Sequence[str], Sequence[str]], Accepted]


def drift_is_never_searched(screen: Screen) -> None:
    """The promise: whatever focus the model names, a wording without a word of the question is not searched."""
    for question, focus, queries in (
        (
            "Vilket bordtennisgummi är bäst?",
            ["systeminförande", "bäst"],
            ["bästa systeminförande", "systeminförande projekt"],
        ),
        (TEACHING, ["trafik", "regler"], ["trafikregler", "regler i trafiken"]),
        (TEACHING, ["undervisning och trafik"], ["regler i trafiken"]),
    ):
        assert screen(question, focus, queries).queries == (question,), queries


def test_a_drifting_focus_does_not_carry_its_wordings_along() -> None:
    drift_is_never_searched(lambda question, focus, queries: screened(question, *queries, focus=focus))


def test_a_screen_that_trusts_the_models_focus_would_be_noticed() -> None:
    def trusting(question: str, focus: Sequence[str], queries: Sequence[str]) -> Accepted:
        return screened(f"{question} {' '.join(focus)}", *queries)

    with pytest.raises(AssertionError):
        drift_is_never_searched(trusting)


@given(st.text(max_size=60), st.lists(st.text(max_size=400), max_size=8), st.sampled_from(["sv", "en", "zh"]))
@settings(max_examples=150, deadline=None)
def test_any_wordings_of_any_question(question: str, queries: list[str], language: str) -> None:
    result = screened(question, *queries, language=language, most=5)
    assert result.queries[0] == question and len(result.queries) <= 5
    assert len(result.accepted) + len(result.rejected) == len(queries)
    assert result.queries[1:] == tuple(accepted.query for accepted in result.accepted)
