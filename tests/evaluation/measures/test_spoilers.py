"""Does each measure fall for an answer that is spoiled in the way that it should notice, and stay where it was for the others?

pytest tests/evaluation/measures/test_spoilers.py -s -n 0      # prints the table of docs/measures.md
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

import pytest

from ankare.evaluation.asking.in_process import InProcess
from ankare.evaluation.asking.response import response_of
from ankare.evaluation.captured import AnswerPath, Response
from ankare.evaluation.case import Case
from ankare.evaluation.measures import answer_measures, citation_measures, context_measures, fact_precision
from ankare.evaluation.suites.suite import read_suite
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.sample import pack_path
from ankare.settings import Settings
from tests.evaluation.spoilers import SPOILERS, Good, Spoiler

NEARLY_ALL = 0.85
"""Of the answers that can be spoiled in a way, the share for which a measure has to fall, or to stay."""
FEWEST = 3
"""Answers that a spoiler has to find something in."""
OVERVIEW = {"sv": "Ge en översikt: ", "en": "Give an overview: ", "zh": "概述："}
TABLE = Path(__file__).parents[3] / "docs" / "measures.md"
Values = Mapping[str, float]
Measuring = Callable[[Case, Response], Values]


def measured(case: Case, response: Response) -> Values:
    """All measures of an answer, its contexts and its citations."""
    values: dict[str, float] = {}
    for measures in (answer_measures, fact_precision, context_measures, citation_measures):
        values |= measures.measured(case, response)[0]
    return values


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> list[Good]:
    """The sample pack's questions, each also asked for an overview, with the answers of the control path, which takes every
    sentence from its sources. What a measure already finds nothing in cannot fall, and is not counted for it."""
    home = tmp_path_factory.mktemp("sample") / "home"
    ingest([pack_path() / "documents"], Home(home), pack=pack_path())
    asker = InProcess(Settings(home=home, semantic=False), AnswerPath.CONTROL)
    found = []
    suite = [case for case in read_suite(pack_path() / "suite.jsonl") if case.gold]
    for case in (*suite, *(replace(case, question=OVERVIEW[case.language] + case.question) for case in suite)):
        asked = asker.ask(case, Event()) if case.gold else None
        if asked is not None and asked.body is not None:
            one = Good(case, response_of(asked.body))
            found += [one] if one.response.answered else []
    return found


@dataclass(frozen=True, slots=True)
class Seen:
    """What a measure made of a spoiler: of `count` answers it fell for the share `fell`, and stayed for the share `stayed`."""

    count: int
    fell: float
    stayed: float


def seen(spoiler: Spoiler, name: str, good: Sequence[Good], measure: Measuring = measured) -> Seen:
    """How often a measure falls when good answers are spoiled. One that no longer applies has neither fallen nor changed."""
    fell, stayed, count = 0, 0, 0
    for at, one in enumerate(good):
        before = measure(one.case, one.response).get(name, 0.0)
        for spoiled in spoiler.spoil(one, [*good[at + 1 :], *good[:at]]) if before else ():
            after = measure(one.case, spoiled).get(name)
            count += 1
            fell += after is not None and after < before
            stayed += after is None or after == before
    return Seen(count, fell / count if count else 0.0, stayed / count if count else 0.0)


def faults(spoiler: Spoiler, good: Sequence[Good], measure: Measuring = measured) -> list[str]:
    """What the table promises of a spoiler and does not hold."""
    wrong = []
    for name in (*spoiler.falls, *spoiler.stays):
        found = seen(spoiler, name, good, measure)
        share = found.fell if name in spoiler.falls else found.stayed
        if found.count < FEWEST or share < NEARLY_ALL:
            wrong.append(
                f"{spoiler.name}: {name} {'falls' if name in spoiler.falls else 'stays'} for {share:.2f} of {found.count}"
            )
    return wrong


@pytest.mark.parametrize("spoiler", SPOILERS, ids=lambda one: one.name)
def test_a_spoiled_answer_is_noticed_by_the_measures_that_should_and_by_no_other(
    spoiler: Spoiler, good: list[Good]
) -> None:
    for name in spoiler.falls:
        found = seen(spoiler, name, good)
        print(f"| {spoiler.name} | {name} | {found.fell:.0%} of {found.count} |")  # noqa: T201 - the table, for whoever asks for it
    assert faults(spoiler, good) == []


@pytest.mark.parametrize("spoiler", SPOILERS, ids=lambda one: one.name)
def test_saboteur_a_measure_that_is_always_content_fails_the_table(spoiler: Spoiler, good: list[Good]) -> None:
    assert faults(spoiler, good, lambda case, response: dict.fromkeys(measured(case, response), 1.0))


def test_saboteur_a_measure_that_falls_for_every_change_fails_the_table(good: list[Good]) -> None:
    def touchy(case: Case, response: Response) -> Values:
        known = any(one.response == response for one in good)
        return dict.fromkeys(measured(case, response), 1.0 if known else 0.5)

    assert all(faults(spoiler, good, touchy) for spoiler in SPOILERS)


def test_the_guide_has_the_table() -> None:
    guide = TABLE.read_text(encoding="utf-8")
    for spoiler in SPOILERS:
        line = next((line for line in guide.splitlines() if line.startswith(f"| {spoiler.name} |")), "")
        assert line, f"docs/measures.md does not tell of {spoiler.name!r}"
        assert all(f"`{name}`" in line for name in spoiler.falls), line
