"""Which evidence does the gate admit, on small examples, with the shipped coefficients?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ankare.domain.evidence import Hit, Relevance
from ankare.gate.coverage import Subject
from ankare.gate.relevance import GateSettings, RelevanceGate, focus_index
from tests.samples import PlainLanguage, chunk, hit, question

CORPUS = 200
FREQUENCIES = {"rapporten": 5, "rapporter": 5, "styrgruppen": 5, "provdriften": 4, "pågår": 20, "lämnas": 20}


def subject_of(text: str, language: str = "sv") -> Subject:
    asked = replace(
        question(text, unknown=[w for w in text.casefold().split() if w not in FREQUENCIES]), language=language
    )
    return Subject(
        asked, lambda t: FREQUENCIES.get(t, 0), CORPUS, lambda _c, text: frozenset(PlainLanguage().index_terms(text))
    )


def judge(text: str, *hits: Hit, language: str = "sv") -> Relevance:
    return RelevanceGate().judge(subject_of(text, language), hits)


HIT = hit(chunk("Rapporten lämnas till styrgruppen varje månad.", "Den arkiveras sedan.", section=["Rapporten"]))


def test_evidence_that_holds_the_subject_is_admitted() -> None:
    verdict = judge("När lämnas rapporten till styrgruppen", HIT)
    assert verdict.supported
    assert verdict.missing == ()


def test_no_hits_and_no_subject_are_never_supported() -> None:
    assert judge("När lämnas rapporten").reason == "no_hits"
    assert judge("Vad är det", HIT).reason == "no_subject"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Vilket typsnitt ska rapporten ha", "asked_thing_missing"),
        ("Vad kostar rapporten", "asked_kind_missing"),
        ("Vilket telefonnummer har styrgruppen", "asked_kind_missing"),
        ("Hur bakas kanelbullar med kardemumma", "subject_not_covered"),
    ],
)
def test_a_near_by_thing_that_the_material_does_not_hold_is_refused_with_its_reason(text: str, reason: str) -> None:
    verdict = judge(text, HIT)
    assert not verdict.supported
    assert verdict.reason == reason


def test_a_length_of_time_is_asked_for_and_must_be_there() -> None:
    without = hit(chunk("Provdriften pågår tills den godkänns av styrgruppen.".replace("tills", "och")))
    with_it = hit(chunk("Provdriften pågår i fyra veckor."))
    assert not judge("Hur länge pågår provdriften", without).supported
    assert judge("Hur länge pågår provdriften", with_it).supported


def test_high_likeness_in_meaning_alone_does_not_admit_in_the_same_language() -> None:
    assert not judge("Vilka kakor passar till kaffet", replace(HIT, semantic=0.84)).supported


def test_in_another_language_meaning_decides_and_only_when_it_is_high() -> None:
    assert judge("When is it handed in", replace(HIT, semantic=0.85), language="en").supported
    assert not judge("When is it handed in", replace(HIT, semantic=0.80), language="en").supported
    assert not judge("When is it handed in", HIT, language="en").supported


def test_the_word_that_is_asked_for_stands_after_the_interrogative() -> None:
    subject = subject_of("Till vilken handläggare lämnas rapporten")
    index = focus_index(subject)
    assert index is not None
    assert subject.words[index].word.text == "handläggare"
    assert focus_index(subject_of("När lämnas rapporten")) is None


def test_a_saboteur_gate_that_admits_everything_fails_these_promises() -> None:
    open_gate = RelevanceGate(GateSettings(lexical_threshold=0.0, semantic_threshold=0.0))
    assert open_gate.judge(subject_of("Vilket typsnitt ska rapporten ha"), [HIT]).supported
