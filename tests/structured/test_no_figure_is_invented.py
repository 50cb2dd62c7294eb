"""Over ten thousand answers to random questions, with a model that lies: every figure is a stored, approved one.

What is no figure of the answer (periods, places, quotations of the question) is taken out of the text first; every
numeral that is left, in any script, must be the value of an approved fact, or the difference or the percent of two.
"""

from __future__ import annotations

import re
import sys
import time
import unicodedata
from collections.abc import Iterator
from datetime import date
from decimal import Decimal, localcontext
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ankare.channels import figures
from ankare.channels.answer_question import AgentResult, answer_question
from ankare.domain.fact import Fact
from ankare.domain.figures import FigureAnswer, FigureLine, LineKind
from ankare.language.periods import period_label
from ankare.language.units import unit_label
from tests.structured.lying import PERIODS, UNITS, LyingProvider, World, make_question, make_world

WORLDS, QUESTIONS = 100, 100
REFERENCE = date(2025, 5, 20)
_NUMERAL = re.compile(r"\d(?:[\d\u00a0 ,.]*\d)?")
_QUOTED = re.compile("[”“]([^”“]*)[”“]")
_PERIODS = sorted(
    {period_label(period, language) for period in (*PERIODS, *(type(PERIODS[0])("FY", str(y)) for y in range(1990, 2040)))
     for language in ("sv", "en", "zh")}, key=len, reverse=True,
)  # fmt: skip
_PERIOD = re.compile(rf"(?<![\d.,\u00a0])(?:{'|'.join(map(re.escape, _PERIODS))})(?![\d.,]*\d)")
_LABELS = {unit_label(unit, language) for unit in UNITS for language in ("sv", "en", "zh")} - {"%"}
_UNITS = sorted(_LABELS, key=len, reverse=True)


@settings(max_examples=WORLDS, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_every_figure_of_ten_thousand_answers_is_a_stored_approved_fact(seed: int) -> None:
    random = Random(seed)
    world = make_world(random)
    for _ in range(QUESTIONS):
        question, result = one_answer(random, world)
        assert not invented(question, result, world), (question, result.answer)


def test_the_run_time_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    random = Random(7)
    worlds = [make_world(random) for _ in range(10)]
    started = time.perf_counter()
    answered = sum(one_answer(random, worlds[n % 10])[1].answered for n in range(1000))
    took = time.perf_counter() - started
    with capsys.disabled():
        sys.stdout.write(f" [1,000 answers with a lying model in {took:.2f} s, {answered} of them with a figure] ")
    assert 200 < answered < 950  # otherwise the property above would say little


def test_a_guard_that_publishes_what_the_model_says_fails_it(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = figures.guarded

    def trusting(asked: object, results: object, text: str, *rest: object, **more: object) -> object:
        if text:
            return FigureAnswer("sv", (FigureLine(LineKind.FOUND, text, text),))
        return kept(asked, results, text, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(figures, "guarded", trusting)
    assert faults_of_some_answers() > 50


def test_a_loop_that_carries_out_any_call_fails_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong_key(asked: object, results: list[object], *rest: object, **more: object) -> object:
        facts = [fact for result in results for fact in getattr(result, "facts", ())]
        said = "; ".join(str(fact.value + 1) for fact in facts) or "1 234"
        return FigureAnswer("sv", (FigureLine(LineKind.FOUND, said, said),))

    monkeypatch.setattr(figures, "guarded", wrong_key)
    assert faults_of_some_answers() > 50


def test_a_store_that_answers_with_pending_figures_fails_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from ankare.facts.sqlite import SqliteFactStore

    def anything(store: SqliteFactStore, key: object) -> tuple[Fact, ...]:
        return tuple(stored.fact for stored in store.facts() if stored.fact.key == key)

    monkeypatch.setattr(SqliteFactStore, "lookup", anything)
    assert faults_of_some_answers() > 5


def faults_of_some_answers() -> int:
    random = Random(3)
    faults = 0
    for _ in range(4):
        world = make_world(random)
        faults += sum(bool(invented(*one_answer(random, world), world)) for _ in range(100))
    return faults


def one_answer(random: Random, world: World) -> tuple[str, AgentResult]:
    question = make_question(random, world.profile)
    provider = LyingProvider(random, world.profile)
    return question, answer_question(question, world.store, provider, reference_date=REFERENCE)


def invented(question: str, result: AgentResult, world: World) -> list[str]:
    """The numerals of an answer that no approved fact stands behind, and results that the store does not hold."""
    stored = {(fact.key, fact.value, fact.unit) for fact in world.approved}
    wrong = [str(r.key) for r in result.tool_results if r.status == "found" and (r.key, r.value, r.unit) not in stored]
    allowed = set(allowed_values(result, world))
    for text in (result.answer, result.answer_plain):
        for numeral in numerals(text, question, world):
            value = _value(numeral, result.language)
            if value is None or value not in allowed:
                wrong.append(numeral)
    return wrong


def allowed_values(result: AgentResult, world: World) -> Iterator[Decimal]:
    """The values of approved facts for the keys that were looked up, and what may be worked out from two of them."""
    keys = {found.key for found in result.tool_results}
    facts = [fact for fact in world.approved if fact.key in keys]
    for fact in facts:
        yield abs(fact.value)
    with localcontext() as context:
        context.prec = 60
        for one in facts:
            for other in facts:
                if one.key != other.key:
                    yield abs(one.value - other.value)
                    if one.value > 0:
                        yield abs((100 * (other.value - one.value) / one.value).quantize(Decimal("0.1")))


def numerals(text: str, question: str, world: World) -> list[str]:
    """Every numeral of the text apart from periods, places and quotations of the question."""
    text = _QUOTED.sub(lambda m: "" if m[1] in question else m[0], unicodedata.normalize("NFC", text))
    places = {name for fact in world.facts for name in (fact.source_locator, fact.source_doc_id)}
    for known in sorted(places, key=len, reverse=True):
        text = text.replace(known, " ")
    text = _PERIOD.sub(" ", text)  # before units: 个 stands in the name of a tertial, too
    for known in _UNITS:
        text = text.replace(known, " ")
    odd = [c for c in text if unicodedata.numeric(c, None) is not None and not "0" <= c <= "9"]
    return [*_NUMERAL.findall(text), *odd]


def _value(numeral: str, language: str) -> Decimal | None:
    plain = numeral.replace("\u00a0", "").replace(" ", "")
    try:
        return Decimal(plain.replace(",", ".") if language == "sv" else plain.replace(",", ""))
    except ArithmeticError:
        return None
