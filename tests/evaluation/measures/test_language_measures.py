"""Do the flags rise for what reads badly, and stay down for what reads well?"""

from __future__ import annotations

import pytest

from ankare.evaluation.captured import CitedSpan, Response, Statement
from ankare.evaluation.case import Case
from ankare.evaluation.measures.language_cues import cues_of, words_of
from ankare.evaluation.measures.language_measures import measured
from ankare.evaluation.measures.language_repetition import dice
from ankare.language.languages import LANGUAGE_CODES

QUESTION = "Vem beslutar om projektet ska gå vidare?"
GOOD = {
    "sv": (
        "Styrgruppen avgör om projektet ska gå vidare.",
        "Den möts en gång i månaden.",
        "Beskriv vid behov testerna på övergripande nivå.",
        "För varje etapp, ange vem som är ansvarig.",
        "Detta skapar förutsättningar för en trygg förvaltning.",
        "Ärendebalans – antalet öppna ärenden hos en enhet vid en viss tidpunkt.",
        "”Styrgruppen beslutar.”",
        "Kommunen äger planen (se bilaga 2).",
    ),
    "en": (
        "The steering group decides whether the project goes on.",
        "Users report errors to the help desk.",
        "Send the report to the board before Friday.",
        "It meets once a month.",
    ),
    "zh": ("指导小组决定项目是否继续。", "每月开会一次。"),
}
FRAGMENTS = [
    ("sv", "Kommundirektören och den nya ekonomichefen.", "no_verb"),
    ("sv", "Uppföljning av budget samt rapport från respektive delprojekt.", "no_verb"),
    ("sv", "styrgruppen beslutar om projektet.", "cut_start"),
    ("sv", "Styrgruppen beslutar om projektet ska", "cut_end"),
    ("sv", "Styrgruppen beslutar om projektet...", "cut_end"),
    ("sv", "Styrgruppen beslutar om projektet och.", "loose_end"),
    ("sv", "Styrgruppen ser till att.", "loose_end"),
    ("sv", "Styrgruppen (ordförande beslutar.", "open_bracket"),
    ("en", "The steering group of the project.", "no_verb"),
    ("en", "the steering group decides.", "cut_start"),
    ("en", "The steering group decides and.", "loose_end"),
    ("en", "The steering group decides about the", "loose_end"),
    ("zh", "指导小组决定项目是否", "cut_end"),
]


def response(*texts: str | Statement, language: str = "sv") -> Response:
    statements = tuple(one if isinstance(one, Statement) else Statement(one) for one in texts)
    return Response(QUESTION, True, "extractive", "narrative", language, statements=statements)


def flags(*texts: str | Statement, language: str = "sv", question: str = QUESTION) -> dict[str, float]:
    values = measured(Case("one", question), response(*texts, language=language))[0]
    return {name: values[name] for name in ("fragment", "mechanical_opening", "repetition")}


UNFLAGGED = {"fragment": 0.0, "mechanical_opening": 0.0, "repetition": 0.0}


@pytest.mark.parametrize(("language", "text"), [(code, text) for code, texts in GOOD.items() for text in texts])
def test_a_good_sentence_has_no_flag(language: str, text: str) -> None:
    assert flags(text, language=language) == UNFLAGGED


@pytest.mark.parametrize(("language", "text", "why"), FRAGMENTS)
def test_a_fragment_is_seen_and_told_why(language: str, text: str, why: str) -> None:
    good = GOOD[language][0]
    values, details = measured(Case("one", QUESTION), response(good, text, language=language))
    assert values["fragment"] == 1.0
    assert details["fragment"] == [{"statement": 1, "why": why}]


def item(text: str, form: str = "item") -> Statement:
    return Statement(text, form=form)


def test_items_steps_and_rows_need_no_verb_and_no_full_stop() -> None:
    listed = [Statement("Roller i projektet:"), item("projektägare"), item("styrgrupp och"), item("projektledare")]
    assert flags(*listed)["fragment"] == 0.0
    assert (
        flags(item("Godkänn planen", "step"), item("3 | Testledare | 40 tim (", "row"))["fragment"] == 1.0
    )  # the bracket
    assert flags(item("projektägare"), item("styrgrupp och"))["fragment"] == 1.0  # nothing goes on after it


def test_the_words_over_a_list_are_no_fragment_but_over_nothing_they_are() -> None:
    assert flags("Roller i projektet:", item("projektägare"))["fragment"] == 0.0
    assert flags("Roller i projektet:", "Styrgruppen beslutar.")["fragment"] == 1.0


@pytest.mark.parametrize(("language", "text"), [("sv", "Ja."), ("sv", "Nej."), ("en", "Yes."), ("zh", "是的。")])
def test_a_short_reply_is_no_fragment(language: str, text: str) -> None:
    assert flags(text, language=language)["fragment"] == 0.0


def test_a_source_may_be_quoted_in_another_language() -> None:
    assert flags("Styrgruppen avgör om projektet ska gå vidare.", language="en")["fragment"] == 0.0


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("sv", "Baserat på det tillhandahållna underlaget beslutar styrgruppen."),
        ("sv", "Enligt dokumenten beslutar styrgruppen."),
        ("sv", "Sammanfattningsvis beslutar styrgruppen."),
        ("sv", "Det är viktigt att notera att styrgruppen beslutar."),
        ("sv", "Frågan gäller vem som beslutar."),
        ("sv", "Svaret på din fråga är att styrgruppen beslutar."),
        ("sv", "Vem beslutar om projektet ska gå vidare? Styrgruppen beslutar."),
        ("en", "Based on the provided documents, the steering group decides."),
        ("en", "According to the context, the steering group decides."),
        ("en", "In summary, the steering group decides."),
        ("en", "Certainly! The steering group decides."),
        ("zh", "根据提供的文件，指导小组决定。"),
        ("zh", "综上所述，指导小组决定。"),
    ],
)
def test_an_opening_by_habit_is_seen(language: str, text: str) -> None:
    assert flags(text, language=language)["mechanical_opening"] == 1.0


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("sv", "Enligt avtalet betalar leverantören."),
        ("sv", "Utifrån kravbilden skrivs testfallen."),
        ("sv", "Dokumenten sparas i projektbiblioteket."),
        ("sv", "Frågan avgörs av styrgruppen."),
        ("en", "According to the contract, the supplier pays."),
        ("en", "The documents are kept in the library."),
        ("en", "Overalls are worn in the workshop."),
    ],
)
def test_what_only_begins_alike_is_no_habit(language: str, text: str) -> None:
    assert flags(text, language=language)["mechanical_opening"] == 0.0


def test_what_the_source_itself_says_is_no_habit() -> None:
    text = "Enligt underlaget ska styrgruppen besluta."
    quoted = Statement(text, (CitedSpan("plan.pdf", (3,), text),))
    assert flags(text)["mechanical_opening"] == 1.0
    assert flags(quoted)["mechanical_opening"] == 0.0


def test_a_sentence_said_twice_is_seen() -> None:
    assert flags("Styrgruppen tar över ansvaret.", "Styrgruppen tar över ansvaret.")["repetition"] == 1.0
    longer = "Driftgruppen tar över ansvaret för förvaltningen."
    assert flags(longer, f"Den nya {longer[0].lower()}{longer[1:]}")["repetition"] == 1.0


def test_sentences_of_the_same_shape_that_say_two_things_are_no_repetition() -> None:
    pairs = [
        ("Kursen hålls fyra veckor före etapp 1 i aulan.", "Kursen hålls fyra veckor före etapp 2 i aulan."),
        ("Följande krav finns på översyn av lokaler.", "Följande krav finns på översyn av utrustning."),
    ]
    for pair in pairs:
        assert flags(*pair)["repetition"] == 0.0
    rows = [item(f"{number} | Testledare | 40 timmar | ja", "row") for number in (1, 1)]
    assert flags(*rows)["repetition"] == 0.0


def test_a_phrase_said_again_and_again_is_seen() -> None:
    text = "Det är viktigt för projektet att {} är klara."
    assert flags(*(text.format(word) for word in ("lokaler", "avtal", "kurser")))["repetition"] == 1.0
    assert flags(*(text.format(word) for word in ("lokaler", "avtal")))["repetition"] == 0.0


def test_words_are_counted() -> None:
    values, _ = measured(Case("one", QUESTION), response("Ett två tre.", "Ett två tre fyra fem.", item("sex")))
    assert (values["sentence_words"], values["answer_words"]) == (4.0, 9.0)
    assert "sentence_words" not in measured(Case("one", QUESTION), response(item("sex")))[0]


def test_each_chinese_sign_is_a_word() -> None:
    assert words_of("指导小组 2024年决定") == ["指", "导", "小", "组", "2024", "年", "决", "定"]


def test_nothing_is_measured_where_nothing_is_said_of_the_documents() -> None:
    assert measured(Case("one", QUESTION), response()) == ({}, {})


def test_every_language_has_its_cues() -> None:
    assert all(cues_of(code) is not None for code in LANGUAGE_CODES)
    assert cues_of("xx") is None
    assert flags("The group decides.", language="xx") == UNFLAGGED


def test_dice_by_hand() -> None:
    one, other = frozenset({("a", "b"), ("b", "c")}), frozenset({("b", "c"), ("c", "d"), ("d", "e")})
    assert dice(one, other) == 2 * 1 / 5
    assert dice(frozenset(), frozenset()) == 0.0
