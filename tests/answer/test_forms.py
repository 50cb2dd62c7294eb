"""Which claims does each form take from small, readable evidence?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ankare.answer.claims import as_sentence, without_repeats
from ankare.answer.extractive import FORMS, extract
from ankare.answer.units import Material
from ankare.domain.answer import Claim, ClaimForm
from ankare.domain.document import Chunk
from ankare.domain.question import QuestionType
from ankare.gate.coverage import Subject
from tests.samples import PlainLanguage, chunk, hit, item, question, row

LANGUAGE = PlainLanguage(
    definition_evidence=("är", "avser"),
    purpose_evidence=("syftet", "för att"),
    time_evidence=("senast", "innan"),
    responsibility_evidence=("ansvarar", "beslutar"),
    sequence=("först", "därefter"),
    condition=("om",),
    anaphora=("den", "detta", "dessutom"),
    announces=("följande",),
    reply=("ja", "nej"),
    each=("varje",),
)


def material(text: str, kind: QuestionType, *chunks: Chunk, following: dict[str, Chunk] | None = None) -> Material:
    asked = question(text, kind)
    return Material(
        asked,
        Subject(asked, lambda _term: 1, 20, lambda _code, text: frozenset(LANGUAGE.index_terms(text))),
        tuple(hit(c, 1.0 - i / 10) for i, c in enumerate(chunks)),
        lambda _code: LANGUAGE,
        lambda c: (following or {}).get(c.id),
    )


def texts(claims: tuple[Claim, ...]) -> list[str]:
    return [claim.text for claim in claims]


def test_a_list_question_gets_the_whole_list_and_not_only_items_that_share_its_words() -> None:
    found = chunk("Projektet har dessa etapper:", item("Riktlinjer"), item("Förberedelser"), item("Provdrift"))
    claims = extract(material("Vilka etapper har projektet", QuestionType.LIST, found))
    assert texts(claims) == ["Projektet har dessa etapper:", "Riktlinjer", "Förberedelser", "Provdrift"]
    assert {claim.form for claim in claims[1:]} == {ClaimForm.ITEM}


def test_a_lead_in_that_points_back_brings_the_sentence_before() -> None:
    found = chunk("Styrgruppen leder projektet.", "Den består av tre ledamöter:", item("Anna"), item("Bo"), item("Eva"))
    claims = extract(material("Vilka ledamöter består styrgruppen av", QuestionType.LIST, found))
    assert texts(claims)[:3] == ["Styrgruppen leder projektet.", "Den består av tre ledamöter:", "Anna"]


def test_a_lead_in_that_points_back_lists_what_the_sentence_before_speaks_of() -> None:
    tasks = chunk(
        item("Fatta beslut i styrgruppen"), item("Följa upp"), section=["Styrgruppens uppdrag"], source="b.pdf"
    )
    members = chunk("Styrgruppen leder projektet.", "Den består av två ledamöter:", item("Anna"), item("Bo"))
    told = texts(extract(material("Vilka sitter i styrgruppen", QuestionType.LIST, members, tasks)))
    assert told[:3] == ["Styrgruppen leder projektet.", "Den består av två ledamöter:", "Anna"]


def test_a_list_that_goes_on_in_the_next_chunk_is_told_to_its_end() -> None:
    first = chunk("Projektet har dessa etapper:", item("Riktlinjer"), item("Förberedelser"), section=["Etapper"])
    second = chunk(item("Provdrift"), item("Drift"), section=["Etapper"], ordinal=1, page=2)
    claims = extract(material("Vilka etapper har projektet", QuestionType.LIST, first, following={first.id: second}))
    assert texts(claims)[-2:] == ["Provdrift", "Drift"]
    assert claims[-1].citations[0].pages == (2,)


def test_a_table_answers_a_list_question_row_by_row() -> None:
    found = chunk("Roller i projektet:", row("Ordförande | Anna"), row("Ledare | Bo"))
    assert texts(extract(material("Vilka roller har projektet", QuestionType.LIST, found)))[1:] == [
        "Ordförande | Anna",
        "Ledare | Bo",
    ]


def test_steps_keep_the_order_of_the_source() -> None:
    found = chunk("Så godkänns en ändring:", item("Beskriv den", "1."), item("Pröva den", "2."), item("Besluta", "3."))
    claims = extract(material("Hur godkänns en ändring", QuestionType.PROCESS, found))
    assert texts(claims)[1:] == ["Beskriv den", "Pröva den", "Besluta"]
    assert claims[1].form is ClaimForm.STEP


def test_steps_are_preferred_to_a_table_in_the_same_section() -> None:
    found = chunk(
        item("Fyll i ansökan i portalen om resan", "1."),
        item("Låt chefen godkänna ansökan om resan", "2."),
        "Priser gäller så här:",
        row("Tåg | 1 200"),
        row("Flyg | 3 000"),
        section=["Beställa en resa"],
    )
    claims = extract(material("Hur går det till att beställa resa", QuestionType.PROCESS, found))
    assert texts(claims)[:2] == ["Fyll i ansökan i portalen om resan", "Låt chefen godkänna ansökan om resan"]


def test_a_list_question_never_gets_a_part_of_a_list() -> None:
    found = chunk(
        "Riskerna bedöms varje vecka.", row("R1 | Tid saknas"), row("R2 | Risker i drift"), row("R3 | Kostnad")
    )
    told = texts(extract(material("Vilka risker finns i drift", QuestionType.LIST, found)))
    assert sum(text.startswith(("R1", "R2", "R3")) for text in told) in (0, 3)


def test_a_definition_is_preferred_to_a_sentence_that_only_uses_the_word() -> None:
    found = chunk("I början skrivs en etapplan av ledaren.", "En etapplan är en plan för en enda etapp.")
    assert texts(extract(material("Vad är en etapplan", QuestionType.DEFINITION, found)))[-1].startswith(
        "En etapplan är"
    )


def test_an_entry_of_a_glossary_is_a_definition() -> None:
    found = chunk("En etapplan är bra att ha.", "Etapplan – planen för en enda etapp.", "Etapper – delar av projektet.")
    told = material("Vad är en etapplan", QuestionType.DEFINITION, found)
    assert [unit.signals.form for unit in told.units] == [1.0, 1.0, 0.0]


def test_a_time_question_gets_the_sentence_with_the_time() -> None:
    found = chunk("Rapporten skrivs av ledaren.", "Rapporten lämnas senast den 5 maj.", "Rapporten arkiveras sedan.")
    assert "Rapporten lämnas senast den 5 maj." in texts(
        extract(material("När lämnas rapporten", QuestionType.TIME, found))
    )


def test_a_sentence_that_points_back_brings_the_one_before() -> None:
    found = chunk("Provdriften pågår i fyra veckor.", "Den avslutas med en granskning.")
    claims = extract(material("Hur avslutas granskning", QuestionType.GENERAL, found))
    assert texts(claims) == ["Provdriften pågår i fyra veckor.", "Den avslutas med en granskning."]


def test_an_item_brings_the_sentence_that_leads_into_its_list() -> None:
    found = chunk("Följande behövs inte:", item("Ny skrivare"), item("Ny skärm"))
    claims = extract(material("Behövs ny skrivare", QuestionType.EXISTENCE, found))
    assert texts(claims)[0] == "Följande behövs inte:"


@pytest.mark.parametrize("kind", list(QuestionType))
def test_every_type_has_a_form_and_no_form_writes_what_no_source_says(kind: QuestionType) -> None:
    found = chunk(
        "Ledaren ansvarar för planen.", "Planen lämnas senast i maj.", item("Mål"), item("Medel"), section=["Plan"]
    )
    other = chunk("Planen beslutas av styrgruppen.", source="annan.pdf")
    claims = FORMS[kind](material("Vad säger planen", kind, found, other))
    assert claims
    for claim in claims:
        assert claim.citations
        for citation in claim.citations:
            assert citation.quote.rstrip(".:").casefold() == claim.text.rstrip(".:").casefold()


def test_a_sentence_that_announces_a_list_brings_it() -> None:
    found = chunk("Styrgruppen fattar beslut om följande", item("Mål"), item("Medel"), "Annat tas inte upp.")
    claims = extract(material("Vad fattar styrgruppen beslut om", QuestionType.GENERAL, found))
    assert texts(claims)[:3] == ["Styrgruppen fattar beslut om följande:", "Mål", "Medel"]


@pytest.mark.parametrize("kind", list(QuestionType))
def test_a_form_field_that_asks_is_no_answer(kind: QuestionType) -> None:
    assert extract(material("Vem godkänner planen", kind, chunk("Vem godkänner planen?"))) == ()


def test_repeated_text_is_said_once_with_both_citations() -> None:
    one, two = chunk("Planen är klar i maj."), chunk("Planen är klar i maj.", source="b.pdf")
    claims = extract(material("När är planen klar", QuestionType.GENERAL, one, two))
    assert texts(claims) == ["Planen är klar i maj."]
    assert {c.chunk.source for c in claims[0].citations} == {"handbok.pdf", "b.pdf"}
    assert without_repeats(claims) == claims


def test_a_sentence_that_leads_into_a_list_ends_with_a_colon() -> None:
    found = chunk("Införandet ska leda till att", item("ingen väntar"), item("alla svarar"))
    claims = extract(material("Vad ska införandet leda till", QuestionType.LIST, found))
    assert texts(claims)[0] == "Införandet ska leda till att:"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("planen är klar", "Planen är klar."),
        ("Är den klar?", "Är den klar?"),
        ("eKlara är ett system", "eKlara är ett system."),
    ],
)
def test_a_sentence_gets_a_capital_and_a_stop_but_names_keep_their_case(text: str, sentence: str) -> None:
    assert as_sentence(text) == sentence


def test_a_sentence_that_says_it_all_is_not_outdone_by_the_one_after_it() -> None:
    found = chunk(
        "Sporthallen hyrs av föreningar i kommunen.",
        "Ett kvitto skrivs ut i kassan.",
        section=["Sporthallen", "Föreningar i kommunen"],
    )
    told = material("Hyrs sporthallen av föreningar i kommunen", QuestionType.GENERAL, found)
    assert told.best[0].text == "Sporthallen hyrs av föreningar i kommunen."


def test_of_two_sentences_with_the_same_subject_the_one_that_is_worded_like_the_question_leads() -> None:
    found = chunk("Lokalen bokas hos vaktmästaren.", "Du kan boka en lokal om du är med i en förening.")
    told = material("När kan du boka en lokal", QuestionType.GENERAL, found)
    assert told.best[0].text.startswith("Du kan boka")


def test_of_a_table_only_the_rows_that_hold_as_much_of_the_subject_are_told() -> None:
    found = chunk(
        row("Stora salen | 400 kronor"), row("Lilla salen | 200 kronor"), row("Lilla salen kväll | 250 kronor")
    )
    told = texts(extract(material("Hur dyr är lilla salen", QuestionType.GENERAL, found)))
    assert told == ["Lilla salen | 200 kronor", "Lilla salen kväll | 250 kronor"]


def test_items_that_go_on_from_their_lead_in_come_whole() -> None:
    found = chunk("Bokningen gäller om:", item("avgiften är betald"), item("nyckeln är hämtad"), item("reglerna följs"))
    told = texts(extract(material("Behöver avgiften betalas", QuestionType.EXISTENCE, found)))
    assert told == ["Bokningen gäller om:", "avgiften är betald", "nyckeln är hämtad", "reglerna följs"]


def test_one_member_of_a_list_that_names_them_may_be_told_alone() -> None:
    found = chunk("Styrelsen har tre ledamöter:", item("Ek, ordförande"), item("Alm, kassör"), item("Lind"))
    told = texts(extract(material("Vem är ordförande", QuestionType.RESPONSIBILITY, found)))
    assert told == ["Styrelsen har tre ledamöter:", "Ek, ordförande"]


def test_what_qualifies_a_yes_is_told_with_it() -> None:
    found = chunk("Ja, efter klockan 18. Utomhus spelas ingen musik.", section=["Får man spela musik?"])
    first = replace(found.sentences[0], end=21, terms=("ja", "efter", "klockan", "18"))
    second = replace(first, start=22, end=len(found.text), terms=("utomhus", "spelas", "ingen", "musik"))
    held = replace(found, sentences=(first, second))
    told = texts(extract(material("Får man spela musik utomhus", QuestionType.EXISTENCE, held)))
    assert told == ["Ja, efter klockan 18.", "Utomhus spelas ingen musik."]


def test_a_yes_to_another_question_is_not_told() -> None:
    found = chunk("Ja, i lånad dator. Utskrift hemma är inte tillåten.", section=["Får man arbeta på resa?"])
    first = replace(found.sentences[0], end=18, terms=("ja", "lånad", "dator"))
    second = replace(first, start=19, end=len(found.text), terms=("utskrift", "hemma", "inte", "tillåten"))
    told = texts(
        extract(
            material("Är utskrift hemma tillåten", QuestionType.EXISTENCE, replace(found, sentences=(first, second)))
        )
    )
    assert told == ["Utskrift hemma är inte tillåten."]


def test_a_yes_or_no_answers_no_question_of_another_kind() -> None:
    found = chunk("Nej, bara musik utan förstärkare.", "Musik spelas på scenen.")
    told = texts(extract(material("Vilken musik spelas", QuestionType.GENERAL, found)))
    assert "Nej, bara musik utan förstärkare." not in told


def test_a_lead_in_tells_with_its_list() -> None:
    found = chunk("Utbildningen har två mål:", item("alla kan"), item("alla vågar"), "Utbildningen ges av kansliet.")
    told = texts(extract(material("Vilket mål har utbildningen", QuestionType.PURPOSE, found)))
    assert told[:3] == ["Utbildningen har två mål:", "alla kan", "alla vågar"]


def test_a_table_is_named_by_its_header() -> None:
    found = chunk(row("Kurs | Längd"), row("Grund | 1 dag"), row("Chef | 1 timme"))
    table = replace(found, sentences=(replace(found.sentences[0], header=True), *found.sentences[1:]))
    told = texts(extract(material("Vilken kurs finns", QuestionType.LIST, table)))
    assert told == ["Kurs | Längd", "Grund | 1 dag", "Chef | 1 timme"]


def test_what_is_said_of_each_thing_is_no_list_of_them() -> None:
    found = chunk(
        "Flytten sker i tre etapper.",
        "Varje etapp i flytten går till så här:",
        item("Packa lådorna i flytten", "1."),
        item("Kör bilen i flytten", "2."),
    )
    told = texts(extract(material("Vilka etapper har flytten", QuestionType.LIST, found)))
    assert told[0] == "Flytten sker i tre etapper."
