"""A text after a question is read as a person would read it, or left as it is; and no reading goes around a gate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from itertools import product

import pytest
from benchmarks.follow_up import DATA, TODAY, Pair, load_pairs, right
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ankare.channels.follow_up as recipe
from ankare.channels.follow_up import read_follow_up
from ankare.domain.question import Understood
from ankare.language.follow_ups import cue_list
from ankare.language.tokens import norms
from ankare.profile.load import load_profile
from ankare.profile.model import Profile
from ankare.structured.glossary import glossary_of

PAIRS = load_pairs()
PROFILE = load_profile(DATA / "follow_ups.profile.toml")
LOOKED_AT = [pair for pair in PAIRS if pair.looked_at]
ONLY_COUNTED = [pair for pair in PAIRS if not pair.looked_at]
OUTSIDERS = ("Mjölbolaget", "mjölbolagets", "MJÖLBOLAGET", "Flour Company", "面粉公司", "M j ö l b o l a g e t")


def read(previous: str, text: str, profile: Profile = PROFILE) -> Understood:
    return read_follow_up(previous, text, profile, None, TODAY)


@pytest.mark.parametrize("pair", LOOKED_AT, ids=lambda pair: f"{pair.previous} + {pair.text}")
def test_a_follow_up_is_read_as_a_person_reads_it(pair: Pair) -> None:
    assert read(pair.previous, pair.text).question in pair.expected


def test_a_text_that_nobody_looked_at_is_left_alone_where_it_stands_alone() -> None:
    alone = [pair for pair in ONLY_COUNTED if pair.alone]
    assert sum(right(pair, read(pair.previous, pair.text)) for pair in alone) >= 0.9 * len(alone)


def test_a_follow_up_that_nobody_looked_at_is_mostly_understood() -> None:
    going_on = [pair for pair in ONLY_COUNTED if not pair.alone]
    assert sum(right(pair, read(pair.previous, pair.text)) for pair in going_on) >= 0.75 * len(going_on)


@pytest.mark.parametrize("language", ["sv", "en", "zh"])
def test_a_whole_question_after_any_other_stays_as_it_is(language: str) -> None:
    of_language = [pair for pair in LOOKED_AT if pair.language == language]
    questions = sorted({pair.previous for pair in of_language})
    alone = {pair.text for pair in of_language if pair.alone} | set(questions)
    changed = [(a, b) for a, b in product(questions, sorted(alone)) if read(a, b).changed]
    assert changed == []


@pytest.mark.parametrize(
    ("previous", "text", "taken_over"),
    [
        ("Vad var försäljningen i Åby 2023?", "och 2022?", ("Vad var försäljningen i Åby",)),
        ("Vad var försäljningen i Åby 2023?", "i Löv då?", ("Vad var försäljningen", "2023")),
        ("Vad är en kompost?", "Vem vänder den?", ("en kompost",)),
        ("Vad är en kompost?", "Vilka redskap behövs i en trädgård?", ()),
    ],
)
def test_what_was_taken_over_is_told(previous: str, text: str, taken_over: tuple[str, ...]) -> None:
    assert read(previous, text).taken_over == taken_over


FIGURE, CHANGE, WHO = "Vad var försäljningen i Åby 2023?", "Hur förändrades priset i Åby?", "Vem vänder komposten?"


@pytest.mark.parametrize(
    ("previous", "text", "wanted"),
    [
        (FIGURE, "varför?", "Varför försäljningen i Åby 2023?"),
        (FIGURE, "Hur kommer det sig?", "Varför försäljningen i Åby 2023?"),
        (FIGURE, "varför det?", "Varför försäljningen i Åby 2023?"),
        ("What were sales in Åby in 2023?", "why?", "Why sales in Åby in 2023?"),
        ("2023年奥比的销售额是多少？", "为什么？", "为什么2023年奥比的销售额？"),
        (CHANGE, "varför?", "Varför förändrades priset i Åby?"),
        (CHANGE, "när?", "När förändrades priset i Åby?"),
        ("How did prices change in Åby?", "Why?", "Why did prices change in Åby?"),
        (WHO, "varför?", "Varför komposten?"),
        ("Hur mycket kostar ett bygglov?", "när?", "När ett bygglov?"),
        ("Vem vänder komposten i trädgården?", "varför?", "varför?"),
        ("Varför vänder man komposten?", "varför?", "varför?"),
        (FIGURE, "när?", "när?"),
    ],
)
def test_a_word_that_asks_alone_asks_of_what_was_spoken_of(previous: str, text: str, wanted: str) -> None:
    """Where it is clear what that is; else it stays as it is."""
    assert read(previous, text).question == wanted


@pytest.mark.parametrize(
    ("previous", "text", "wanted"),
    [
        (FIGURE, "jämför med Löv", "Vad var försäljningen i Åby 2023 jämfört med Löv?"),
        (FIGURE, "Jämför det med 2022!", "Vad var försäljningen i Åby 2023 jämfört med 2022?"),
        (FIGURE, "kan du jämföra med Löv?", "Vad var försäljningen i Åby 2023 jämfört med Löv?"),
        ("What were sales in Åby?", "compare that to Löv", "What were sales in Åby compared to Löv?"),
        ("2023年奥比的销售额是多少？", "和勒夫比较", "2023年奥比的销售额是多少和勒夫比较？"),
    ],
)
def test_a_comparison_that_is_asked_for_is_joined(previous: str, text: str, wanted: str) -> None:
    assert read(previous, text).question == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("hur mycket kostar den?", "Hur mycket kostar utbildningen?"), ("hur lång är den?", "Hur lång är utbildningen?")],
)
def test_a_question_with_a_pointer_becomes_one_about_the_thing(text: str, wanted: str) -> None:
    assert read("Vem ansvarar för utbildningen?", text).question == wanted


def test_follow_ups_follow_each_other() -> None:
    question = "Vad var försäljningen i Åby 2023?"
    for text in ("och 2022?", "i Löv då?", "året innan?", "och antalet besökare?", "jämfört med 2020?", "och 2019?"):
        question = read(question, text).question
    assert question == "Vad var antalet besökare i Löv 2021 jämfört med 2019?"


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.previous} + {pair.text}")
def test_what_was_understood_stands_on_its_own(pair: Pair) -> None:
    """Read once more it stays, or at least a text that is said again and again does not make it grow."""
    first = read(pair.previous, pair.text)
    question = first.question
    for _ in range(6):
        question = read(question, pair.text).question
    assert len(question) <= len(first.question) + len(pair.text) + 2


@pytest.mark.parametrize("pair", LOOKED_AT, ids=lambda pair: f"{pair.previous} + {pair.text}")
def test_reading_it_again_changes_nothing(pair: Pair) -> None:
    understood = read(pair.previous, pair.text)
    assert not read(pair.previous, understood.question).changed


def test_the_last_question_but_one_decides_nothing() -> None:
    """Only the question as it was understood counts: two ways to it lead on alike."""
    long_way = read(read("Vad kostar en stol?", "Vad var försäljningen i Löv 2023?").question, "och 2022?")
    assert long_way == read("Vad var försäljningen i Löv 2023?", "och 2022?")


# No words of its own


def _known_words(previous: str, text: str) -> set[str]:
    profile = PROFILE
    named = [*profile.entities, *profile.metrics, *profile.channels]
    labels = [label for item in named for label in (item.label, *item.labels.values())]
    frames = [*cue_list("sv", "definition"), *cue_list("en", "definition"), *cue_list("sv", "place_preposition")]
    return {word for line in (previous, text, *labels, *frames, "in") for word in norms(line)}


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.language != "zh"], ids=lambda pair: pair.text)
def test_no_word_is_invented(pair: Pair) -> None:
    known = _known_words(pair.previous, pair.text)
    words = set(norms(read(pair.previous, pair.text).question))
    periods = {word for word in words if any(sign.isdecimal() for sign in word)} | {"tredje", "kvartalet", "kv"}
    owners = {word + end for word in known for end in ("s", "'s", "'")}
    assert words <= known | periods | owners


# Gates


@pytest.mark.parametrize("outsider", OUTSIDERS)
@pytest.mark.parametrize(
    "form",
    ["och {}?", "{} då?", "och för {}?", "hur är det med {}?", "Och vad var försäljningen för {}?", "{} försäljning?"],
)
def test_an_outsider_in_a_follow_up_still_stands_in_the_question(outsider: str, form: str) -> None:
    gate = glossary_of(PROFILE).gate
    for previous in ("Vad var försäljningen i Åby 2023?", "Vad är en kompost?", "Vad kostar inträdet för vuxna?"):
        text = form.format(outsider)
        assert gate.detect(text).external_entities == ("Mjölbolaget",)
        assert gate.detect(read(previous, text).question).external_entities == ("Mjölbolaget",)


def _drops_the_outsider(*_given: object) -> Understood:
    return Understood("Vad var försäljningen i Åby 2023?", True, ("Vad var försäljningen",))


def test_a_reader_that_drops_an_outsider_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The saboteur: whatever a part of the recipe makes of it, the name cannot get lost on the way to the gate."""
    monkeypatch.setattr(recipe, "figure_follow_up", _drops_the_outsider)
    assert read("Vad var försäljningen i Åby 2023?", "och Mjölbolaget?") == Understood("och Mjölbolaget?")
    assert read("Vad var försäljningen i Löv 2023?", "och Åby?").changed


def test_without_the_check_the_saboteur_would_succeed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipe, "figure_follow_up", _drops_the_outsider)
    monkeypatch.setattr(recipe, "_keeps_outsiders", lambda *_given: True)
    question = read("Vad var försäljningen i Åby 2023?", "och Mjölbolaget?").question
    assert glossary_of(PROFILE).gate.detect(question).external_entity is None


def test_an_outsider_of_the_question_before_goes_on_in_what_takes_it_over() -> None:
    found = read("Vad var försäljningen i Mjölbolaget 2023?", "och 2022?")
    assert found.question == "Vad var försäljningen i Mjölbolaget 2022?"
    assert glossary_of(PROFILE).gate.detect(found.question).external_entities == ("Mjölbolaget",)


# Any text

_WORDS = (
    "och den det Vad är i Åby 2023 försäljning ? who it and their 那 呢 它 的 销售额 <b> {} {0} %s İ ß ﬁ 👍 om jämfört"
)
_PIECES = st.sampled_from([*_WORDS.split(), "\n", "\t", "\u202e", "e\u0301"])
_TEXTS = st.one_of(
    st.text(max_size=80).filter(str.strip), st.lists(_PIECES, min_size=1, max_size=9).map(" ".join).filter(str.strip)
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(previous=_TEXTS, text=_TEXTS)
def test_any_pair_of_texts_gives_a_question(previous: str, text: str) -> None:
    found = read(previous, text)
    assert found.question.strip()
    assert found.changed or found.question == text
    assert len(found.question) <= 4 * (len(previous) + len(text)) + 200


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(previous=_TEXTS, before=_TEXTS, after=_TEXTS)
def test_no_text_around_an_outsider_hides_it(previous: str, before: str, after: str) -> None:
    gate = glossary_of(PROFILE).gate
    text = f"{before} Mjölbolaget {after}"
    named = set(gate.detect(text).external_entities)
    assert named <= set(gate.detect(read(previous, text).question).external_entities)


@pytest.mark.parametrize("make", [lambda n: "och " * n, lambda n: "den " * n, lambda n: "a" * n, lambda n: "它" * n])
def test_long_texts_are_read_in_bounds(make: Callable[[int], str]) -> None:
    long = make(1900)[:1900]
    assert read(long, "och 2023?").question
    assert read("Vad är en kompost?", long).question


def test_a_home_without_figures_and_names_reads_follow_ups_too() -> None:
    assert read("Vad är en kompost?", "Vem vänder den?", Profile()).question == "Vem vänder en kompost?"


def test_the_day_that_times_count_from_matters_not_to_times_that_count_from_the_question_before() -> None:
    for day in (date(2015, 1, 1), date(2049, 12, 31)):
        found = read_follow_up("Vad var försäljningen i Åby 2023?", "året innan?", PROFILE, None, day)
        assert found.question == "Vad var försäljningen i Åby 2022?"


def test_a_profile_in_one_language_reads_in_it() -> None:
    swedish = replace(PROFILE, home=replace(PROFILE.home, languages=("sv",)))
    assert read("Vad är en kompost?", "Och en varmkompost?", swedish).question == "Vad är en varmkompost?"
