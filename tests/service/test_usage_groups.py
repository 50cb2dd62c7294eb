"""Refused questions become subjects by the words that they share, the same ones in any order, named by what tells most."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from ankare.service.watch.usage_groups import Asked, subjects_of


def asked(text: str, count: int = 1, *missing: str, askers: int = 0, reason: str = "no_hits") -> Asked:
    return Asked(text, count, askers, Counter({reason: count}), missing, "2026-01-01T00:00:00.000+00:00")


def test_questions_that_share_a_telling_word_are_one_subject() -> None:
    found = subjects_of(
        [
            asked("Vad kostar en parkeringsplats?", 3, "parkeringsplats", askers=1),
            asked("Hur söker jag en parkeringsplats?", 2, "parkeringsplats", askers=2),
            asked("Var ligger närmaste parkeringsplats?", 1, "parkeringsplats", askers=3),
            asked("Vem bestämmer om semester?", 1, "semester"),
        ]
    )
    parking, holidays = found
    assert parking.terms[0] == "parkeringsplats"
    assert (parking.questions, parking.different, parking.askers) == (6, 3, 2)
    assert parking.examples[0] == "Vad kostar en parkeringsplats?"
    assert "semester" in holidays.terms and holidays.questions == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Får hundar vara med?", "Får jag ta med min hund?"),
        ("Vad gäller för cykelgaraget?", "Finns det ett cykelgarage?"),
        ("Vad kostar parkeringen?", "Vad kostar parkeringsplatsen?"),
        ("Which vouchers are there?", "Who hands out a voucher?"),
        ("停车费是多少？", "停车费怎么付？"),
    ],
)
def test_forms_and_parts_of_a_word_meet(one: str, other: str) -> None:
    assert [subject.different for subject in subjects_of([asked(one), asked(other)])] == [2]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Var är gymmet?", "Var är matsalen?"),
        ("Hur gör jag med resor?", "Hur gör jag med datorn?"),
        ("What is the best gym?", "What is the best lunch?"),
    ],
)
def test_words_that_tell_no_subject_join_nothing(one: str, other: str) -> None:
    assert [subject.different for subject in subjects_of([asked(one), asked(other)])] == [1, 1]


def test_a_word_that_the_material_lacks_names_the_subject() -> None:
    with_gate = subjects_of([asked("Får leverantören fakturera?", 1, "leverantören")])
    assert with_gate[0].terms[0] == "leverantören"
    without = subjects_of([asked("Får leverantören fakturera?")])
    assert without[0].terms[0] == "fakturera"


def test_questions_without_a_telling_word_stand_together() -> None:
    found = subjects_of([asked("Vad?", 2), asked("Hur då?"), asked("42?")])
    assert [(one.terms, one.questions) for one in found] == [((), 4)]


def test_subjects_are_the_same_in_any_order_and_lose_no_question() -> None:
    words = ["gymkort", "lunchkuponger", "hund", "cykel", "semester", "garage", "parkering", "växthus"]
    drawn = random.Random(5)
    made = [
        asked(f"Vad gäller för {drawn.choice(words)} och {drawn.choice(words)} nummer {n}?", drawn.randrange(1, 4))
        for n in range(120)
    ]
    first = subjects_of(made)
    drawn.shuffle(made)
    assert subjects_of(made) == first
    assert sum(one.questions for one in first) == sum(one.count for one in made)
    assert sum(one.different for one in first) == len(made)


def test_what_stands_in_a_question_is_cut_and_on_one_line() -> None:
    (found,) = subjects_of(
        [
            asked("gymkort " * 200 + "\n\x1b[31m<b>"),
        ]
    )
    assert all(len(example) <= 200 and example.isprintable() for example in found.examples)
    assert all(len(term) <= 40 for term in found.terms)
