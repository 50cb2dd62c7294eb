"""Which kind of thing does a question ask for, and which texts hold one?"""

from __future__ import annotations

import pytest

from ankare.language.kinds import Kind, asked_kind, holds_kind, takes_noun


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Vad kostar en tomt i Lund?", Kind.MONEY),
        ("Vilket telefonnummer har receptionen?", Kind.PHONE),
        ("Vilken e-postadress har kansliet?", Kind.ADDRESS),
        ("Hur stor andel av eleverna åker buss?", Kind.PERCENT),
        ("Hur ofta töms kärlen?", Kind.FREQUENCY),
        ("Hur länge gäller passet?", Kind.DURATION),
        ("Hur många veckor tar kursen?", Kind.DURATION),
        ("Vilket datum öppnar ansökan?", Kind.DATE),
        ("Hur många deltagare får plats?", Kind.QUANTITY),
        ("Vad heter ordföranden?", Kind.NAME),
        ("Vem bestämmer taxan?", Kind.PARTY),
        ("Vad är en taxa?", None),
        ("Hur söker man bygglov?", None),
    ],
)
def test_the_wording_of_a_swedish_question_asks_for_a_kind(question: str, kind: Kind | None) -> None:
    assert asked_kind("sv", question) is kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How much does a permit cost?", Kind.MONEY),
        ("How much does it cost?", Kind.MONEY),
        ("How long does the course take?", Kind.DURATION),
        ("How often is the bin emptied?", Kind.FREQUENCY),
        ("Who decides the fee?", Kind.PARTY),
        ("What is a fee?", None),
    ],
)
def test_the_wording_of_an_english_question_asks_for_a_kind(question: str, kind: Kind | None) -> None:
    assert asked_kind("en", question) is kind


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.MONEY, "Avgiften är 1 320 kronor."),
        (Kind.MONEY, "Tjänsten är kostnadsfri."),
        (Kind.PHONE, "Ring 0470-123 45."),
        (Kind.ADDRESS, "Skriv till kansli@example.org."),
        (Kind.PERCENT, "Hälften av eleverna åker buss."),
        (Kind.FREQUENCY, "Kärlen töms varannan vecka."),
        (Kind.DURATION, "Kursen tar tre veckor."),
        (Kind.DURATION, "Passet gäller i 5 år."),
        (Kind.DURATION, "Ärendet sparas så länge det behövs."),
        (Kind.QUANTITY, "Salen rymmer tolv deltagare."),
        (Kind.NAME, "Ordförande är Stina Berg."),
        (Kind.PARTY, "Byggnadsnämnden beslutar."),
        (Kind.PARTY, "Det bestäms av systemägarens ersättare."),
    ],
)
def test_a_swedish_text_holds_a_thing_of_the_kind(kind: Kind, text: str) -> None:
    assert holds_kind("sv", kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.MONEY, "Avgiften beslutas av fullmäktige 2024."),
        (Kind.PHONE, "Se sidan 12."),
        (Kind.DURATION, "Kursen hålls i maj."),
        (Kind.FREQUENCY, "Kärlen töms på morgonen."),
        (Kind.NAME, "ordföranden leder mötet."),
        (Kind.PARTY, "Beslutet fattas efter prövning."),
    ],
)
def test_a_swedish_text_without_such_a_thing_holds_none(kind: Kind, text: str) -> None:
    assert not holds_kind("sv", kind, text)


def test_interrogatives_that_take_a_noun_are_told_from_others() -> None:
    assert takes_noun("sv", "Vilket")
    assert not takes_noun("sv", "När")


@pytest.mark.parametrize("code", ["sv", "en", "zh"])
def test_every_language_can_be_asked_for_every_kind(code: str) -> None:
    for kind in Kind:
        assert isinstance(holds_kind(code, kind, "…"), bool)
    assert asked_kind(code, "…") is None
