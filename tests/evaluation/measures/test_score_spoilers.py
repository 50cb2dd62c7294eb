"""Does each measure of figures, ranking, refusing and language notice what is spoiled in its way, and only that?

The answers are those of the sample pack, as the control path gives them. The spoilers of answers, contexts and citations stand
in `test_spoilers`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from threading import Event

import pytest

from ankare.evaluation.asking.in_process import InProcess
from ankare.evaluation.asking.response import response_of
from ankare.evaluation.captured import AnswerPath, Capture, Context, Response, Statement
from ankare.evaluation.case import Case
from ankare.evaluation.measures.retrieval_measures import first_places, targets_of
from ankare.evaluation.measures.score import ALL, score
from ankare.evaluation.scored import Better, Scored
from ankare.evaluation.suites.suite import read_suite
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.language.numbers import format_decimal
from ankare.sample import pack_path
from ankare.settings import Settings

FEWEST = 5
"""Answers that a spoiler has to find something in."""
Spoil = Callable[[Case, Response], Response | None]


@dataclass(frozen=True, slots=True)
class Spoiler:
    """One way to spoil. `notices`: the measures that get worse every time; `stays`: those that do not move at all."""

    spoil: Spoil
    notices: tuple[str, ...]
    stays: tuple[str, ...] = ()


def _figures(response: Response, change: Callable[[Decimal], Decimal], *, shown: bool, held: bool) -> Response | None:
    """The first figure with another value: in the text, in what the look-up tells, or in both."""
    found = next((one for one in response.figures if one.value), None)
    if found is None:
        return None
    other = change(Decimal(found.value))
    before, after = (format_decimal(value, response.language) for value in (Decimal(found.value), other))
    figures = tuple(replace(one, value=str(other)) if one is found and held else one for one in response.figures)
    text = response.markdown.replace(before, after) if shown else response.markdown
    return replace(response, figures=figures, markdown=text)


def _last_digit(value: Decimal) -> Decimal:
    return value + Decimal(1).scaleb(value.as_tuple().exponent)  # type: ignore[arg-type]


def digit_changed(_: Case, response: Response) -> Response | None:
    return _figures(response, _last_digit, shown=True, held=True)


def digit_changed_in_the_text(_: Case, response: Response) -> Response | None:
    return _figures(response, _last_digit, shown=True, held=False)


def sign_turned(_: Case, response: Response) -> Response | None:
    return _figures(response, lambda value: -value, shown=True, held=True)


def unit_changed(_: Case, response: Response) -> Response | None:
    if not any(one.value for one in response.figures):
        return None
    return replace(response, figures=tuple(replace(one, unit="USD_K") for one in response.figures))


def period_changed(_: Case, response: Response) -> Response | None:
    if not any(one.value for one in response.figures):
        return None
    return replace(response, figures=tuple(replace(one, period="FY1999") for one in response.figures))


def gold_pushed_down(case: Case, response: Response) -> Response | None:
    if first_places(targets_of(case, told=True), response.context, case.language)[:1] != (0,):
        return None
    foreign = tuple(Context(f"f{number}", "foreign.pdf", (number,)) for number in range(3))
    return replace(response, context=foreign + response.context)


def gold_gone(case: Case, response: Response) -> Response | None:
    targets = targets_of(case, told=True)
    kept = tuple(
        one for one in response.context if first_places(targets, [one], case.language) == (None,) * len(targets)
    )
    return replace(response, context=kept) if targets and 0 < len(kept) < len(response.context) else None


def refused_instead(case: Case, response: Response) -> Response | None:
    if not (case.answerable and response.answered):
        return None
    return replace(response, answered=False, origin="refusal", statements=(), markdown="Underlaget räcker inte.")


def answered_instead(case: Case, response: Response) -> Response | None:
    if case.answerable or response.answered:
        return None
    return replace(response, answered=True, origin="extractive", markdown="Det kostar tio kronor.")


def _said(response: Response, *, before: Sequence[str] = (), after: Sequence[str] = ()) -> Response | None:
    """More sentences around those that are there."""
    if not response.statements:
        return None
    around = [tuple(map(Statement, texts)) for texts in (before, after)]
    return replace(response, statements=(*around[0], *response.statements, *around[1]))


def fragment_put_in(_: Case, response: Response) -> Response | None:
    return _said(response, after=["Den nya handboken för alla förvaltningar."])


def sentence_cut(_: Case, response: Response) -> Response | None:
    return _said(response, after=["Styrgruppen beslutar om handboken och om det som"])


def said_again(_: Case, response: Response) -> Response | None:
    long = [one.text for one in response.statements if one.form == "text" and len(one.text.split()) > 6]
    return _said(response, after=long[:1]) if long else None


def opened_by_habit(_: Case, response: Response) -> Response | None:
    text = (
        "Based on the documents, the following applies."
        if response.language == "en"
        else "Enligt underlaget gäller detta."
    )
    return _said(response, before=[text])


LANGUAGE = ("fragment", "mechanical_opening", "repetition")
RETRIEVAL = ("ndcg_at_10", "mrr", "hit_at_1")
OTHERS = ("abstention_correct", "figure_exact")
SPOILERS = [
    Spoiler(digit_changed, ("figure_exact",), (*RETRIEVAL, *LANGUAGE, "abstention_correct")),
    Spoiler(digit_changed_in_the_text, ("figure_exact",), ("abstention_correct",)),
    Spoiler(sign_turned, ("figure_exact",), ("abstention_correct",)),
    Spoiler(unit_changed, ("figure_exact",), ("abstention_correct",)),
    Spoiler(period_changed, ("figure_exact",), ("abstention_correct",)),
    Spoiler(gold_pushed_down, ("ndcg_at_10", "mrr", "hit_at_1"), (*LANGUAGE, *OTHERS, "hit_at_8")),
    Spoiler(gold_gone, ("ndcg_at_10", "mrr", "hit_at_8"), (*LANGUAGE, *OTHERS)),
    Spoiler(refused_instead, ("abstention_correct",), RETRIEVAL),
    Spoiler(answered_instead, ("abstention_correct",)),
    Spoiler(fragment_put_in, ("fragment",), (*RETRIEVAL, *OTHERS, "mechanical_opening", "repetition")),
    Spoiler(sentence_cut, ("fragment",), (*RETRIEVAL, *OTHERS, "mechanical_opening", "repetition")),
    Spoiler(said_again, ("repetition",), (*RETRIEVAL, *OTHERS, "fragment", "mechanical_opening")),
    Spoiler(opened_by_habit, ("mechanical_opening",), (*RETRIEVAL, *OTHERS, "fragment", "repetition")),
]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Case, Response]]:
    """What the control path answers to the sample suite."""
    folder, pack = tmp_path_factory.mktemp("sample") / "home", pack_path()
    ingest([pack / "documents", pack / "facts"], Home(folder), pack=pack)
    asker = InProcess(Settings(home=folder, semantic=False), AnswerPath.CONTROL)
    asked = ((case, asker.ask(case, Event())) for case in read_suite(pack / "suite.jsonl"))
    return [(case, response_of(told.body)) for case, told in asked if told is not None and told.body is not None]


def scored(case: Case, response: Response) -> Scored:
    return score(case, Capture(case.id, 0, AnswerPath.CONTROL, "", 10.0, response))


def worse(name: str, before: Scored, after: Scored) -> bool:
    """Has a measure got worse?"""
    change = after.values[name] - before.values[name]
    return change < 0 if ALL[name].better is Better.HIGHER else change > 0


def good(name: str, row: Scored) -> bool:
    """Has a measure nothing to say against an answer?"""
    best = 0.0 if ALL[name].better is Better.LOWER else None
    return row.values.get(name) == best if best is not None else row.values.get(name, 0.0) > 0


@pytest.mark.parametrize("spoiler", SPOILERS, ids=lambda one: one.spoil.__name__)
def test_a_spoiled_answer_is_noticed(spoiler: Spoiler, answers: list[tuple[Case, Response]]) -> None:
    spoiled = 0
    for case, response in answers:
        before, changed = scored(case, response), spoiler.spoil(case, response)
        if changed is None or not all(good(name, before) for name in spoiler.notices):
            continue
        after, spoiled = scored(case, changed), spoiled + 1
        missed = [name for name in spoiler.notices if not worse(name, before, after)]
        assert not missed, (case.id, missed)
        moved = [name for name in spoiler.stays if before.values.get(name) != after.values.get(name)]
        assert not moved, (case.id, moved)
    assert spoiled >= FEWEST


@pytest.mark.parametrize("name", sorted({name for spoiler in SPOILERS for name in spoiler.notices}))
def test_a_saboteur_that_always_praises_is_caught(name: str, answers: list[tuple[Case, Response]]) -> None:
    """A measure that gives every answer the same would not pass the test above."""
    (spoiler, *_) = [one for one in SPOILERS if name in one.notices]
    pairs = [(case, response, spoiler.spoil(case, response)) for case, response in answers]
    noticed = [
        scored(case, response).values.get(name) != scored(case, changed).values.get(name)
        for case, response, changed in pairs
        if changed is not None
    ]
    assert any(noticed)


def test_the_sample_suite_has_every_figure_exact(answers: list[tuple[Case, Response]]) -> None:
    figures = [scored(case, response).values.get("figure_exact") for case, response in answers if case.expected]
    assert len(figures) == 40 and set(figures) == {1.0}
