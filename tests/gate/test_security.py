"""The security gate: every disguise of a competitor's name is refused, and nothing that only looks like one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ankare.domain.clarification import NarrowingOption
from ankare.errors import ProfileError
from ankare.gate import security
from ankare.gate.folding import view_of
from ankare.gate.security import ALLOW, OUT_OF_SCOPE, SecurityGate
from ankare.language.lookalikes import SkeletonTable
from tests.gate.evasions import COMPETITORS, MARKS, SPACES, ZERO_WIDTH, Evasion, evasions
from tests.gate.innocents import (
    BY_HAND,
    CARRIERS,
    NASTY,
    common_words_that_spell_a_name,
    neighbours_with_a_name_between,
    words_with_a_name_inside,
)

Detector = Callable[[str], str | None]

GATE = SecurityGate(COMPETITORS, "ACME Group")
NASTY_GATE = SecurityGate(NASTY, "ACME Group")


def gate(*names: str, **aliases: list[str]) -> SecurityGate:
    return SecurityGate({**dict.fromkeys(names, ()), **aliases}, "ACME Group")


def let_through(detect: Detector, cases: list[Evasion]) -> list[Evasion]:
    return [case for case in cases if detect(case.question) != case.name]


def refused(detect: Detector, texts: list[str]) -> list[str]:
    return [text for text in texts if detect(text) is not None]


def looks_innocent() -> list[str]:
    words = list(words_with_a_name_inside(NASTY))
    asked = [CARRIERS[i % len(CARRIERS)].format(word) for i, word in enumerate(words)]
    return [*words, *asked, *neighbours_with_a_name_between(NASTY)]


def test_every_evasion_is_refused_by_the_right_name() -> None:
    cases = evasions()
    assert len(cases) > 10_000
    assert let_through(lambda text: GATE.detect(text).external_entity, cases) == []


def test_no_innocent_look_alike_is_refused() -> None:
    texts = looks_innocent()
    assert len(texts) > 10_000
    assert refused(lambda text: NASTY_GATE.detect(text).external_entity, texts) == []


def test_common_words_side_by_side_that_spell_a_name_are_innocent() -> None:
    cases = [*common_words_that_spell_a_name()]
    assert len(cases) > 300
    assert [words for name, words in cases if gate(name).detect(f"Vad gäller {words} här?").external_entity] == []


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in BY_HAND.items() for text in texts])
def test_an_innocent_text_passes(name: str, text: str) -> None:
    assert gate(name).detect(text).external_entity is None


def naive(names: dict[str, tuple[str, ...]], without_spaces: bool) -> Detector:
    """The gate that comes to mind first: the longest alias in the folded text, white space left out or not."""
    pairs = [(alias.casefold(), name) for name, aliases in names.items() for alias in (name, *aliases)]
    pairs.sort(key=lambda pair: -len(pair[0]))

    def detect(text: str) -> str | None:
        folded = "".join(text.split()) if without_spaces else text
        return next((name for alias, name in pairs if alias in folded.casefold()), None)

    return detect


@pytest.mark.parametrize("without_spaces", [False, True])
def test_saboteurs_that_look_for_substrings_fail_both_sets(without_spaces: bool) -> None:
    assert len(let_through(naive(COMPETITORS, without_spaces), evasions())) > 1_000
    assert len(refused(naive(NASTY, without_spaces), looks_innocent())) > 1_000


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Axa", "Axas vinst"),
        ("Axa", "Axa:s vinst"),
        ("Axa", "Axakoncernens vinst"),
        ("Axa", "Icke-Axa och Axa-koncernens bolag"),
        ("Axa", "AXA-KONCERNEN"),
        ("Axa", "4x4"),
        ("Axa", "A$x@ och A|x|@"),
        ("Vattenfall", "Vattenfalls anläggningar"),
        ("Systembolaget", "systembolagets omsättning"),
        ("Apple", "Hur gick Apples försäljning?"),
        ("Nordvik", "frågaomnordvik"),
        ("Nordvik", "omNordviksVinst"),
        ("Nordvik", "nordvik.se och info@nordvik.se"),
        ("Nordvik", "nord vik, Nord\nvik"),
        ("Tallmo", "Tallrno, TaIImo"),
        ("Ica", "lca"),
        ("Ica", "Icas kunder"),
        ("Åkerlund", "Akerlund"),
        ("Åkerlund", "Aakerlund"),
        ("Facebook", "Hur stort är Face Book?"),
        ("Nordvik", "Om:n ordvik, fråga:n.o.r.d.v.i.k"),
        ("E.ON", "eon"),
        ("E.ON", "Hur går det för EON?"),
        ("H&M", "Hur går det för HM?"),
        ("3M", "3M:s vinst"),
        ("H&M", "h & m, h.m"),
        ("三六〇", "三 六 〇"),
        ("竞安", "请问竞。安的营收"),
        ("竞安", "在競\u200b安"),
        ("竞安Group", "竞安 ＧＲＯＵＰ"),
    ],
)
def test_other_ways_to_write_a_name_are_seen_through(name: str, text: str) -> None:
    assert gate(name).detect(text).external_entity == name


MASKED = [
    ("Vad är Axo?", "Vad är    ?", ("Axo",)),
    ("Axo, axo och A-x-o", "   ,     och      ", ("Axo",)),
    ("Axos vinst mot Nordvikkoncernens", "     vinst mot        koncernens", ("Axo", "Nordvik")),
    ("中国竞安的营收", "    的营收", ("Jing An",)),
    ("中国 竞\u200b安和中国", "      和中国", ("Jing An",)),
    ("Ax\u0301o\u0301!", "     !", ("Axo",)),
    ("%41xo och Axo", "      och    ", ("Axo",)),
    ("Nordvik mot Axo mot 竞安", "        mot     mot   ", ("Nordvik", "Axo", "Jing An")),
    ("Tallmo Vatten och Tallmo", "              och       ", ("Tallmo Vatten",)),
]


@pytest.mark.parametrize(("text", "masked", "names"), MASKED)
def test_every_occurrence_is_masked_and_nothing_else(text: str, masked: str, names: tuple[str, ...]) -> None:
    screen = GATE.detect(text)
    assert screen.masked_text == masked
    assert screen.external_entities == names
    assert screen.external_entity == names[0]


def test_a_home_entity_inside_a_competitors_name_stays_hidden() -> None:
    assert "中国" not in GATE.detect("中国竞安2024年的营收").masked_text
    assert "中国" in GATE.detect("中国2024年的营收").masked_text


def test_a_text_without_a_name_is_handed_back_as_it_is() -> None:
    screen = GATE.detect("Hur stor är taxan?")
    assert (screen.external_entity, screen.external_entities, screen.masked_text) == (None, (), "Hur stor är taxan?")


def test_a_refusal_says_what_it_is_about_and_offers_the_home() -> None:
    verdict = GATE.screen(raw_question="Vad var omsättningen för Axo?", metric="REVENUE", metric_label="omsättningen")
    assert verdict.decision == OUT_OF_SCOPE == "out_of_scope_entity"
    assert verdict.external_entity == "Axo"
    assert verdict.message == "Jag svarar bara på frågor om ACME Group, inte om Axo."
    option = NarrowingOption("Fråga om ACME Group i stället", "Vad är omsättningen för ACME Group?")
    assert verdict.narrowing_options == (option,)


@pytest.mark.parametrize(
    ("question", "language", "starts"),
    [
        ("What did Axo earn?", None, "I only"),
        ("竞安的营收是多少？", None, "我只"),
        ("Axo", "en", "I only"),
        ("Axo", None, "Jag"),
    ],
)
def test_a_refusal_is_in_the_language_of_the_question(question: str, language: str | None, starts: str) -> None:
    verdict = GATE.screen(raw_question=question, metric=None, language=language)
    assert verdict.message.startswith(starts)
    assert "None" not in verdict.message + verdict.narrowing_options[0].question


def test_what_a_refusal_offers_passes_the_gate() -> None:
    option = GATE.screen(raw_question="Axo", metric=None).narrowing_options[0]
    assert GATE.screen(raw_question=option.question, metric=None).decision == ALLOW


def test_an_allowed_question_carries_nothing() -> None:
    verdict = GATE.screen(raw_question="Vad var omsättningen?", metric="REVENUE")
    assert (verdict.decision, verdict.external_entity, verdict.message, verdict.narrowing_options) == (
        ALLOW,
        None,
        "",
        (),
    )


def test_without_a_home_company_a_refusal_offers_nothing() -> None:
    verdict = SecurityGate({"Axo": ()}, "").screen(raw_question="Axo", metric=None)
    assert verdict.decision == OUT_OF_SCOPE
    assert verdict.message == "Frågor om Axo besvaras inte här."
    assert verdict.narrowing_options == ()


@pytest.mark.parametrize("part", ["readings", "view_of"])
def test_a_gate_that_breaks_refuses(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> object:
        raise RuntimeError("broken")

    monkeypatch.setattr(security, part, broken)
    verdict = GATE.screen(raw_question="Vad gör Axo?", metric=None)
    assert verdict.decision == OUT_OF_SCOPE
    assert verdict.external_entity is None
    assert verdict.message.startswith("Frågan kunde inte kontrolleras")


def test_what_went_wrong_is_logged_without_the_question(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security, "readings", lambda text: [][len(text)])
    GATE.screen(raw_question="Hemlig fråga", metric=None)
    assert "IndexError" in caplog.text
    assert "Hemlig" not in caplog.text


def test_without_external_entities_everything_passes() -> None:
    assert SecurityGate({}, "ACME Group").detect("Axo, 竞安").external_entity is None


def test_an_alias_without_a_letter_is_an_error() -> None:
    with pytest.raises(ProfileError, match="🍏"):
        gate("🍏")


def test_words_of_languages_that_are_not_accepted_do_not_excuse() -> None:
    assert SecurityGate({"Forex": ()}, "", languages=("zh",)).detect("for ex").external_entity == "Forex"
    assert SecurityGate({"Forex": ()}, "", languages=("sv",)).detect("for ex").external_entity is None


LONG = 20_000


@pytest.mark.parametrize(
    "text",
    [
        "a " * (LONG // 2),
        "a" * LONG,
        "a" + "\u0301" * LONG + "xo",
        "a" + "\u200b" * LONG + "xo",
        "a" + " " * LONG + "xo",
        "Axo " * (LONG // 4),
        "a " * (LONG // 4) + "xo " * (LONG // 6),
        "nordvi " * (LONG // 7),
        "omnordvik" * (LONG // 9),
        "axoAxo" * (LONG // 6),
        "!" * LONG,
        "@$|" * (LONG // 3),
        "%41" * (LONG // 3),
        "<a" * (LONG // 2),
        "竞，" * (LONG // 2),
    ],
)
def test_a_long_text_costs_work_in_proportion_to_its_length(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    work = 0

    def counting(part: str) -> object:
        nonlocal work
        work += len(part)
        return view_of(part)

    monkeypatch.setattr(security, "view_of", counting)
    screen = GATE.detect(text)
    assert len(screen.masked_text) == len(text)
    assert work <= 60 * len(text)


def test_names_nested_in_names_without_end_are_masked_whole() -> None:
    text = "a " * 500 + "xo " * 500
    screen = gate("Axo").detect(text)
    assert screen.external_entity == "Axo"
    assert screen.masked_text.isspace()


NOISE = st.sampled_from([*ZERO_WIDTH, *SPACES, *MARKS, "\u0301", "  ", " - ", "\u200d\u0301"])
NAMES = [(name, alias) for name, aliases in COMPETITORS.items() for alias in (name, *aliases)]
BEFORE = st.sampled_from(["Vad är ", "", "Tell me about ", "请问", "(", "- "])
AFTER = st.sampled_from([" i år?", "", " last year", "的营收", ")", "."])


@given(st.sampled_from(NAMES), st.data(), BEFORE, AFTER)
@settings(max_examples=400)
def test_anything_between_any_letters_does_not_help(
    named: tuple[str, str], data: st.DataObject, before: str, after: str
) -> None:
    name, alias = named
    letters = [letter for letter in alias if not letter.isspace()]
    noise = data.draw(st.lists(st.one_of(st.just(""), NOISE), min_size=len(letters), max_size=len(letters)))
    written = "".join(char for pair in zip(letters, noise, strict=True) for char in pair)
    assert GATE.detect(f"{before}{written}{after}").external_entities[:1] == (name,)


PIECES = st.sampled_from(
    [
        *"axonrdvik竞安中国競 .,!@$|&;#%<>4013\u0301\u200b\u00ad\n",
        "Axo",
        "Nord",
        "vik",
        "%41",
        "&#65;",
        "Tall",
        "mo",
        "s",
    ]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=40).map("".join))


@given(TEXTS)
@settings(max_examples=600)
def test_detecting_never_fails_and_leaves_nothing_to_detect(text: str) -> None:
    screen = GATE.detect(text)
    again = GATE.detect(screen.masked_text)
    assert again.external_entity is None
    assert again.masked_text == screen.masked_text
    assert len(screen.masked_text) == len(text)
    assert all(masked in (char, " ") for char, masked in zip(text, screen.masked_text, strict=True))
    assert (screen.masked_text == text) is (screen.external_entity is None) or not text.strip()


@given(TEXTS)
def test_the_quick_look_and_the_close_look_see_the_same_letters(text: str) -> None:
    assert view_of(text).skeleton == text.translate(SkeletonTable())
