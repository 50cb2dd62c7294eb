"""Is every sentence of an answer held against what it could stand on, and is the figure the one that a reader computes?"""

from __future__ import annotations

from dataclasses import replace

import hypothesis.strategies as st
import pytest
from hypothesis import given

from ankare.evaluation.captured import Chain, Response, Statement
from ankare.evaluation.measures.answer_measures import measured
from ankare.evaluation.measures.said import said
from ankare.evaluation.measures.support import Support, passage, support
from tests.evaluation.answered import answer, case, cites, context, refusal

TRIAL = "Provdriften pågår i sex veckor. Den leds av systemförvaltaren."


def held(claim: str, *texts: str, language: str = "sv", question: str = "", heading: str = "") -> Support:
    asked = said(question, language) if question else None
    return support(said(claim, language), [passage(text, language, heading, certain=True) for text in texts], asked)


def faithfulness(response: Response, question: str = "Hur går provdriften till?") -> float | None:
    return measured(case(question), response)[0].get("faithfulness")


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        # content words: provdrift, pågå, leda, förvaltare (a part of systemförvaltare); the value 6 weeks is stated
        ("Provdriften pågår i sex veckor och leds av förvaltaren.", 1.0),
        ("Provdriften pågår i 42 dagar och leds av förvaltaren.", 1.0),  # 42 days are six weeks
        ("Provdriften pågår i sju veckor och leds av förvaltaren.", 0.0),
        ("Provdriften pågår inte i sex veckor och leds av förvaltaren.", 0.0),
        ("Provdriften pågår i sex veckor och leds av Karin Lundqvist.", 0.0),
        # provdrift, pågå of provdrift, pågå, betala, stat
        ("Provdriften pågår i sex veckor och betalas av staten.", 0.5),
        ("Kaffe serveras i matsalen.", 0.0),
    ],
)
def test_support_is_the_share_of_the_words_unless_something_contradicts(claim: str, expected: float) -> None:
    assert held(claim, TRIAL).share == pytest.approx(expected)


@pytest.mark.parametrize(
    ("claim", "text", "language", "conflict"),
    [
        ("The pilot lasts six months.", "The pilot lasts six weeks.", "en", "value"),
        ("The pilot does not last six weeks.", "The pilot lasts six weeks.", "en", "negation"),
        ("The pilot lasts six weeks.", "The pilot doesn't last six weeks.", "en", "negation"),
        ("The pilot is led by Anna Berg.", "The pilot is led by Karin Holm.", "en", "name"),
        ("Tests cost at least 50,000 kronor.", "Tests cost no more than 50,000 kronor.", "en", "value"),
        ("Högst 95 procent av testfallen är godkända.", "Minst 95 procent av testfallen är godkända.", "sv", "value"),
        ("Systemet stängs den 3 maj 2026.", "Systemet stängs den 5 maj 2026.", "sv", "value"),
        ("Systemet BP4 stängs av styrgruppen.", "Systemet BP3 stängs av styrgruppen.", "sv", "name"),
        ("试点持续三周。", "试点持续六周。", "zh", "value"),
        ("项目经理不批准预算。", "项目经理批准预算。", "zh", "negation"),
    ],
)
def test_a_contradiction_supports_nothing_and_is_told(claim: str, text: str, language: str, conflict: str) -> None:
    found = held(claim, text, language=language)
    assert (found.share, found.conflict) == (0.0, conflict)


@pytest.mark.parametrize(
    ("claim", "text", "language"),
    [
        ("The project manager approves changes.", "Changes are approved by the project manager.", "en"),
        ("Avtalet sägs upp inom två veckor.", "Avtalet ska sägas upp inom 14 dagar.", "sv"),
        ("项目经理批准预算。", "预算由项目经理批准。", "zh"),
        ("Inga ändringar görs under den frysta perioden.", "Under den frysta perioden får inga ändringar göras.", "sv"),
    ],
)
def test_other_forms_of_the_words_are_the_same_words(claim: str, text: str, language: str) -> None:
    assert held(claim, text, language=language).supported


@pytest.mark.parametrize(
    ("claim", "text", "language", "conflict"),
    [
        ("Styrgruppen måste godkänna planen.", "Styrgruppen kan godkänna planen.", "sv", "modality"),
        ("Planen bör granskas av registrator.", "Planen ska granskas av registrator.", "sv", "modality"),
        ("Users may change their password.", "Users must change their password.", "en", "modality"),
        ("供应商可在十四天内交付系统。", "供应商应在十四天内交付系统。", "zh", "modality"),
        ("Alla förvaltningar testar systemet.", "Vissa förvaltningar testar systemet.", "sv", "scope"),
        ("Endast registrator öppnar posten.", "Registrator öppnar posten.", "sv", "scope"),
        ("Few incidents are reported.", "All incidents are reported.", "en", "scope"),
        ("Planen är ogiltig efter mötet.", "Planen är giltig efter mötet.", "sv", "negation"),
        ("The contract is invalid after the meeting.", "The contract is valid after the meeting.", "en", "negation"),
        ("Registrator vägrar öppna posten.", "Registrator öppnar posten.", "sv", "negation"),
        ("Det påstås att registrator öppnar posten.", "Registrator öppnar posten.", "sv", "framing"),
        ("Registrator öppnar posten.", "Det är fel att registrator öppnar posten.", "sv", "framing"),
        ("Är det registrator som öppnar posten?", "Det är registrator som öppnar posten.", "sv", "question"),
        ("密码最多需要十二个字符。", "密码至少需要十二个字符。", "zh", "value"),
    ],
)
def test_the_same_words_in_another_manner_support_nothing(claim: str, text: str, language: str, conflict: str) -> None:
    found = held(claim, text, language=language)
    assert (found.share, found.conflict) == (0.0, conflict)


@pytest.mark.parametrize(
    ("claim", "text", "language"),
    [
        (
            "Den som vill kan sitta kvar, och rapporten ska lämnas.",
            "Rapporten ska lämnas. Den som vill kan sitta kvar.",
            "sv",
        ),
        ("Inte bara registrator öppnar posten.", "Inte bara registrator öppnar posten, också arkivarien.", "sv"),
        ("Planen får inte låta bli att granskas.", "Planen måste granskas.", "sv"),
        ("Planen gäller från den september 1 2025.", "Planen gäller från den 1 september 2025.", "sv"),
        ("Ramen är 350.000 kronor.", "Ramen är 350 000 kronor.", "sv"),
        ("Provdriften pågår i 6 v.", "Provdriften pågår i sex veckor.", "sv"),
        ("Atgarden foljs upp av registrator.", "Åtgärden följs upp av registrator.", "sv"),
        ("Registrator ansvarar för utbidlningen.", "Registrator ansvarar för utbildningen.", "sv"),
    ],
)
def test_the_same_in_another_spelling_or_order_is_supported(claim: str, text: str, language: str) -> None:
    assert held(claim, text, language=language).supported


def test_a_condition_that_is_left_out_leaves_a_sentence_partly_supported() -> None:
    text = "Lanseringen skjuts upp två veckor om testet är underkänt."
    found = held("Lanseringen skjuts upp två veckor.", text)
    assert (found.share, found.conflict, found.supported) == (0.5, "condition", False)
    assert held("Om testet är underkänt skjuts lanseringen upp två veckor.", text).supported
    assert held("Lanseringen skjuts upp två veckor.", text, question="Vad händer om testet är underkänt?").supported


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("Provdriften pågår i sex veckor och leds av förvaltaren.", "text", 1.0),
        ("Provdriften pågår i sex veckor och leds av systemförvaltaren och", "text", 0.0),  # breaks off
        ("Krav, plan, mål, tid, kostnad.", "text", 0.0),  # no verb
        ("Provdriften i sex veckor av systemförvaltaren", "item", 1.0),  # an item needs none
    ],
)
def test_running_text_is_made_of_whole_sentences(text: str, form: str, expected: float) -> None:
    response = answer(
        "?", Statement(text, form=form), contexts=[context(f"{TRIAL} Planen har krav, mål, tid och kostnad.")]
    )
    assert faithfulness(response) == expected


def test_what_a_source_has_word_for_word_is_supported_whatever_it_is() -> None:
    for text in ("Krav och beslut om", "Vad är syftet med provdriften?", "transceiver"):
        response = answer("?", Statement(text), contexts=[context(f"{TRIAL}\n{text}\nKaffe serveras i matsalen.")])
        assert faithfulness(response) in (1.0, None), text


def test_words_of_the_question_do_not_carry_a_sentence() -> None:
    text = "Styrgruppen leder projektet."
    # styrgrupp, leda, projekt, pilot, skola: three of five words stand there, but of its own two (pilot, skola) none
    claim = "Styrgruppen leder projektet, piloten och skolan."
    assert held(claim, text).share == pytest.approx(0.6)
    assert held(claim, text, question="Leder styrgruppen projektet?").share == 0.0


def test_a_word_of_the_heading_or_a_synonym_is_worth_less() -> None:
    # gallring stands in the heading only: (1 + 1 + 1 + 0.8) / 4
    claim = "Arkivarien beslutar skriftligt om gallring."
    assert held(claim, "Arkivarien beslutar skriftligt.", heading="Gallring").share == pytest.approx(0.95)


def test_a_fragment_needs_a_text_that_speaks_of_the_question() -> None:
    text = "Beslutsunderlaget skickas fem dagar före mötet."
    assert held("Fem dagar.", text, question="När skickas beslutsunderlaget?").supported
    found = held("Fem dagar.", text, question="Hur lång är garantin?")
    assert (found.share, found.conflict) == (0.0, "subject")


def test_faithfulness_is_the_share_of_supported_sentences_and_tells_each() -> None:
    response = answer(
        "Hur går provdriften till?",
        "Provdriften pågår i sex veckor.",  # all of it: 1
        "Förvaltaren leder provdriften.",  # all of it: 1
        "Provdriften betalas av staten.",  # provdrift of provdrift, betala, stat: 1/3, and nothing of its own: 0
        contexts=[context(TRIAL, page=4)],
    )
    values, details = measured(case("Hur går provdriften till?"), response)
    assert values["faithfulness"] == pytest.approx(2 / 3)
    told = details["faithfulness"]
    assert isinstance(told, dict)
    assert told["mean_support"] == pytest.approx(2 / 3)
    assert [one["support"] for one in told["statements"]] == [1.0, 1.0, 0.0]
    assert told["statements"][0]["pages"] == [4]
    assert told["statements"][2]["missing"] == ["betalas", "staten"]


def test_what_a_statement_cites_supports_it_where_no_context_is_told() -> None:
    cited = Statement("Provdriften pågår i sex veckor.", (cites(TRIAL),))
    assert faithfulness(answer("?", cited)) == 1.0
    assert faithfulness(answer("?", "Provdriften pågår i sex veckor.", contexts=[])) is None


def test_the_draft_of_a_chain_is_held_against_what_it_saw_and_a_shadow_is_not() -> None:
    response = answer(
        "?", "Provdriften pågår i sex veckor.", contexts=[context("Kaffe serveras i matsalen klockan nio.")]
    )
    chain = Chain(enabled=True, context=(context(TRIAL),))
    assert faithfulness(response) == 0.0
    assert faithfulness(replace(response, chain=chain)) == 1.0
    assert faithfulness(replace(response, chain=replace(chain, shadow=True))) == 0.0


def test_lead_ins_and_excuses_claim_nothing_and_refusals_have_no_faithfulness() -> None:
    assert faithfulness(answer("?", "Det framgår inte av underlaget.", contexts=[context(TRIAL)])) is None
    assert faithfulness(refusal("?", [context(TRIAL)])) is None
    response = answer("?", "Så här är det:", "Provdriften pågår i sex veckor.", contexts=[context(TRIAL)])
    assert faithfulness(response) == 1.0


def test_an_answer_in_another_language_than_every_context_cannot_be_judged_by_words() -> None:
    english = answer(
        "?", "The trial run lasts for six weeks and is led by the owner of the system.", contexts=[context(TRIAL)]
    )
    assert faithfulness(english) is None


SAID = (
    "provdriften",
    "pågår",
    "veckor",
    "sex",
    "sju",
    "inte",
    "förvaltaren",
    "leder",
    "staten",
    "Tråden",
    "den",
    "3",
    "maj",
)
WORDS = st.lists(
    st.sampled_from(SAID),
    min_size=1,
    max_size=8,
).map(lambda words: " ".join(words).capitalize() + ".")
TEXTS = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)


@given(WORDS, st.lists(TEXTS, min_size=1, max_size=4), TEXTS)
def test_one_more_text_never_takes_support_away(claim: str, texts: list[str], more: str) -> None:
    before = held(claim, *texts).share
    assert 0.0 <= before <= held(claim, *texts, more).share <= 1.0
    assert held(claim, *reversed(texts)).share == before


@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(TEXTS, min_size=1, max_size=3))
def test_an_unsupported_sentence_never_raises_faithfulness_and_a_copied_context_never_lowers_it(
    sentences: list[str], texts: list[str]
) -> None:
    contexts = [context(text, page) for page, text in enumerate(texts)]
    invented = "Stiftelsen i fjällen skänker alla biljetter i förskott."
    before = faithfulness(answer("?", *sentences, contexts=contexts))
    after = faithfulness(answer("?", *sentences, invented, contexts=contexts))
    if before is not None and after is not None:
        assert after <= before
        added = faithfulness(answer("?", *sentences, contexts=[*contexts, context(" ".join(sentences), 9)]))
        assert added is not None
        assert added >= before
