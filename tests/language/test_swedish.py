"""Which Swedish words meet in the index, and which stay apart?"""

from __future__ import annotations

from itertools import combinations, product

import pytest

from ankare.language.languages import get_language

CLASSES = [
    "ansöka ansöker ansökan ansökningar ansökte",
    "betala betalar betalning betalningen betalades",
    "skriva skriver skrev skrivit skrivs",
    "godkänna godkännande godkännandet godkänd godkända",
    "genomföra genomför genomförs genomförande genomfördes",
    "anställa anställd anställda anställning",
    "uppdatera uppdaterad uppdatering uppdateringar",
    "städa städar städning städade",
    "bok boken böcker böckerna",
    "stad staden städer städernas",
    "nyckel nyckeln nycklar nycklarna",
    "museum museet museer",
    "båt båten båtar båtarna",
    "stor stora större störst",
    "liten litet små mindre",
    "ärende ärendet ärenden ärendena",
    "läkare läkaren läkarna läkarnas",
]

APART = [
    ("land landet länder", "landa landade landning"),
    ("möte mötet möten", "möta möter mötte"),
    ("risk risken risker", "riskera riskerar"),
    ("form former", "formell formellt"),
    ("tid tiden", "tidning tidningen"),
    ("stat staten", "station stationen"),
    ("bank banken", "bänk bänken"),
    ("organ organet", "organisation organisera"),
    ("hus huset", "hosta hostan"),
    ("elev eleven", "element"),
    ("skolan skolor", "skolade skolar"),
    ("lärare läraren", "lära lärde"),
    ("handling handlingar", "handla handlade"),
    ("faktura fakturor", "fakta faktum"),
]


def terms(word: str) -> set[str]:
    return set(get_language("sv").analyze(word).terms)


@pytest.mark.parametrize("words", CLASSES)
def test_forms_of_one_word_meet(words: str) -> None:
    for left, right in combinations(words.split(), 2):
        assert terms(left) & terms(right), (left, right)


@pytest.mark.parametrize(("one", "other"), APART)
def test_different_words_stay_apart(one: str, other: str) -> None:
    for left, right in product(one.split(), other.split()):
        assert not terms(left) & terms(right), (left, right)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("skolskjuts", "skola skjuts"),
        ("kyrkogården", "kyrka gården"),
        ("arbetsmiljö", "arbete miljö"),
        ("kravspecifikation", "krav specifikation"),
        ("skadeanmälan", "skada anmälan"),
        ("byggnadsnämnden", "byggnad nämnden"),
        ("glasskålar", "glas skålar"),
        ("gatubelysning", "gata belysning"),
        ("kommunikationsplanerna", "kommunikation planerna"),
        ("styrgruppsmöte", "styr grupp möte"),
        ("sjukhusparkering", "sjukhus parkering"),
        ("handläggarkurs", "handläggare kurs"),
        ("miniräknare", "mini räknare"),
    ],
)
def test_compounds_are_indexed_whole_and_by_their_parts(word: str, parts: str) -> None:
    found = get_language("sv").analyze(word)
    assert found.surface_parts == tuple(parts.split())
    for part in parts.split():
        assert terms(part) & set(found.parts)
    assert found.terms


WHOLE = (
    "rektor kunskap egenskap myndighet kapitel kontroll internet ordförande förslag medarbetare erfarenhet ersättning",
    "överenskommelse undantag politik göteborg västerås telefon parlament kandidat aspekt information konstant stockholm",
    "ministern superb preliminär multiplikation extrem automatisk",
    "undersökning försvara fortsätta dessutom intresserad möjligtvis handel koppar förteckning norrköping",
)


@pytest.mark.parametrize("word", " ".join(WHOLE).split())
def test_derived_words_and_names_stay_whole(word: str) -> None:
    assert get_language("sv").analyze(word).surface_parts == ()


def test_compounds_of_unknown_words_meet_in_all_their_forms() -> None:
    forms = ["leveranskontrollmöte", "leveranskontrollmötet", "leveranskontrollmöten", "leveranskontrollmötenas"]
    for left, right in combinations(forms, 2):
        assert terms(left) & terms(right)


def test_letters_with_dots_are_letters_of_their_own() -> None:
    assert not terms("mal") & terms("mål")
    assert not terms("hal") & terms("häl")


def test_function_words_are_not_indexed_and_generic_words_are_marked() -> None:
    language = get_language("sv")
    assert language.index_terms("och att det som inte ska") == ()
    assert language.analyze("bäst").generic
    assert not language.analyze("avtal").generic


def test_frequency_is_on_the_zipf_scale() -> None:
    language = get_language("sv")
    assert language.frequency("och") > 7
    assert 3 < language.frequency("avtal") < 6
    assert language.frequency("xqzvbn") == 0


def test_words_are_told_from_noise() -> None:
    language = get_language("sv")
    assert all(map(language.is_word, ("bryggeri", "Kommunen", "fortbildade")))
    assert not any(map(language.is_word, ("xqzvbn", "undervisnnig")))
