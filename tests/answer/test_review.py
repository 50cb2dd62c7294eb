"""May a revision stand? It takes away or makes clear, and says nothing new."""

from __future__ import annotations

import pytest

from ankare.answer.review import adds_nothing
from ankare.language.languages import get_language

DRAFT = (
    "Styrgruppen beslutar om budgeten två gånger per år. Projektledaren bokar lokalen 14 dagar i förväg och "
    "meddelar deltagarna. Kostnaden är 1 250 kronor."
)
FITTING = {
    "the draft itself": DRAFT,
    "a sentence less": "Styrgruppen beslutar om budgeten två gånger per år.",
    "a clause less": "Projektledaren bokar lokalen 14 dagar i förväg.",
    "in another order": "Kostnaden är 1 250 kronor. Styrgruppen beslutar om budgeten.",
    "two sentences made one": "Styrgruppen beslutar om budgeten och projektledaren bokar lokalen.",
    "a form changed": "Budgeten beslutas av styrgruppen två gånger per år.",
    "a figure grouped otherwise": "Kostnaden är 1250 kronor.",
    "made clear": "Enligt underlaget beslutar styrgruppen om budgeten två gånger per år.",
    "nothing left": "",
}
NEW = {
    "a sentence": f"{DRAFT} Arkivet flyttas i maj.",
    "a clause": "Styrgruppen beslutar om budgeten och arkivarien ansvarar för alla gamla handlingar.",
    "a figure": "Projektledaren bokar lokalen 30 dagar i förväg.",
    "a year": "Styrgruppen beslutar om budgeten två gånger per år från 2031.",
    "a name": "Kerstin Zetterqvist beslutar om budgeten två gånger per år.",
    "another subject": "Leverantören levererar systemet i januari.",
}


@pytest.mark.parametrize("revision", FITTING.values(), ids=FITTING.keys())
def test_taking_away_and_making_clear_is_a_revision(revision: str) -> None:
    assert adds_nothing(revision, DRAFT, get_language("sv"))


@pytest.mark.parametrize("revision", NEW.values(), ids=NEW.keys())
def test_something_new_is_none(revision: str) -> None:
    assert not adds_nothing(revision, DRAFT, get_language("sv"))


def test_english_is_held_to_the_same() -> None:
    draft = "The board decides on the budget. The manager books the room."
    assert adds_nothing("The budget is decided by the board.", draft, get_language("en"))
    assert not adds_nothing("The board decides on the budget. The archive moves in May.", draft, get_language("en"))
