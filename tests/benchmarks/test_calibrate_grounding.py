"""Are the figures of the calibration those of the gate, and does its search keep to what it may change?"""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchmarks.calibrate_grounding import (
    HARD,
    STOP,
    Example,
    Table,
    groups,
    highest_bias,
    judged,
    read_examples,
    report,
    search,
    seen_of,
)
from benchmarks.grounding import DATA, Pair, judge, load

from ankare.gate.grounding import GroundingGate, GroundingSettings

EVIDENCE = ("Kontoret i Lund stänger klockan 17. Larmet provas varje måndag.", "Nyckeln lämnas till vakten.")


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return read_examples(load(DATA)[:14], groups(DATA))


def test_figures_are_those_of_the_gate(examples: list[Example]) -> None:
    for example in examples:
        found, expected = judged(example, GroundingSettings()), judge(example.pair)
        assert (found.passed, found.score) == (expected.passed, expected.score), example.pair.claim


@pytest.mark.parametrize(
    ("claim", "statements"),
    [
        ("Kontoret i Lund stänger klockan 17. Nyckeln lämnas till vakten.", 2),
        ("Kontoret i Lund stänger klockan 17. Nyckeln lämnas till polisen.", 2),
        ("Larmet provas varje måndag.", 1),
        ("Nyckeln lämnas till vakten enligt handbok.pdf.", 0),
        ("", 0),
    ],
)
def test_claims_of_several_sentences_and_refused_ones_are_read_as_the_gate_judges_them(
    claim: str, statements: int
) -> None:
    pair = Pair("a", "sv", EVIDENCE, claim, True, "made here")
    example = Example(pair, False, True, seen_of(pair))
    found, expected = judged(example, GroundingSettings()), judge(pair)
    assert len(example.statements) == statements
    assert (found.passed, found.score) == (expected.passed, expected.score)


def test_other_weights_are_judged_as_the_gate_would_with_them(examples: list[Example]) -> None:
    settings = GroundingSettings(weights=dict.fromkeys(GroundingSettings().weights, 0.7), bias=0.9, threshold=0.4)
    for example in examples:
        assert judged(example, settings).score == judge(example.pair, GroundingGate(settings)).score


def test_the_table_weighs_as_the_settings_do(examples: list[Example]) -> None:
    settings = GroundingSettings()
    against = Table(examples).against(settings.weights)
    assert [bool(passed) for passed in against <= settings.bias] == [judged(e, settings).passed for e in examples]


def test_a_group_and_what_is_made_of_it_stay_on_one_side(examples: list[Example]) -> None:
    group_of = groups(DATA)
    sides = {(group_of[example.pair.id], example.fitted) for example in examples}
    assert len(sides) == len({group for group, _ in sides})
    assert {fitted for _, fitted in sides} == {True, False}
    assert any(example.made for example in examples)


def test_the_highest_bias_stops_the_wanted_share_and_a_higher_one_does_not() -> None:
    against = np.array([0.5, 1.0, 1.0, 2.0, math.inf])
    for wanted in (0.2, 0.5, 0.8, 0.97):
        bias = highest_bias(against, wanted)
        assert (against > bias).mean() >= wanted
        assert bias == math.nextafter(math.inf, 0) or (against > bias + 1e-9).mean() < (against > bias).mean()
    assert math.isnan(highest_bias(np.array([]), STOP))


def test_the_search_helps_where_it_looks_and_leaves_the_hard_weights(examples: list[Example]) -> None:
    """With the soft weights made useless there is something to find."""
    table = Table(examples)
    start = {name: weight if weight >= HARD else 0.0 for name, weight in GroundingSettings().weights.items()}
    found = search(table, start, 2)
    assert table.worth(found.weights) > table.worth(start)
    assert all(found.weights[name] == HARD for name, weight in start.items() if weight >= HARD)
    assert min(found.weights.values()) >= 0
    unsupported = [judged(e, found) for e in examples if not e.made and not e.pair.supported]
    assert sum(not one.passed for one in unsupported) >= STOP * len(unsupported)


def test_the_report_tells_of_every_part(examples: list[Example], capsys: pytest.CaptureFixture[str]) -> None:
    report("weights in use", examples, GroundingSettings())
    told = capsys.readouterr().out
    assert all(word in told for word in ("fitting", "checking", "all of them", "stopped by machine numbers"))
