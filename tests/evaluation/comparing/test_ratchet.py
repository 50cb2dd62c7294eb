"""Does the gate close for what is bad and for what it cannot judge, and does the ratchet never go down by itself?"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.errors import EvaluationError
from ankare.evaluation.captured import AnswerPath
from ankare.evaluation.comparing.compare import compare
from ankare.evaluation.comparing.quality_gate import Fault, Limit, beyond_limits, got_worse, limit_of, worst
from ankare.evaluation.comparing.ratchet import Ratchet, fallen, forced, raised, read_ratchet, unfit, write_ratchet
from ankare.evaluation.comparing.standing import Standing, standing_of
from ankare.evaluation.scored import ScoredRun
from tests.evaluation.scored_runs import MEASURES, row, run_of, run_with


def standing(measure: str = "faithfulness", values: list[float] | None = None, **conditions: object) -> Standing:
    return standing_of(run_with(measure, values or [0.5] * 20, **conditions), "run", MEASURES)


# --- limits


@pytest.mark.parametrize(
    ("limit", "values", "said"),
    [
        (Limit("faithfulness", 0.6), [0.5] * 20, "faithfulness is 0.5000, below 0.6"),
        (Limit("faithfulness", 0.5), [0.5] * 20, None),
        (Limit("context_recall", 0.1), [0.5] * 20, "context_recall is missing"),
        (Limit("no_such_measure", 0.1), [0.5] * 20, "no_such_measure is missing"),
        (Limit("faithfulness", 0.1), [0.5, math.nan], "faithfulness is no number"),
        (Limit("faithfulness", 0.1), [math.nan], "faithfulness is no number"),
        (Limit("on_path", 0.9), [0.5], None),
    ],
)
def test_a_mean_below_its_limit_or_without_a_value_closes_the_gate(
    limit: Limit, values: list[float], said: str | None
) -> None:
    faults = beyond_limits(standing(values=values), [limit])
    assert [said in fault.what for fault in faults if said] == ([True] if said else [])
    assert all(fault.remedy for fault in faults)


def test_lower_is_better_has_its_limit_above() -> None:
    slow = standing("wall_ms", [100.0, 300.0])
    assert beyond_limits(slow, [Limit("wall_ms", 150, above=True)])[0].questions == ("q001",)
    assert not beyond_limits(slow, [Limit("wall_ms", 200, above=True)])
    with pytest.raises(EvaluationError, match="--fail-above wall_ms=150"):
        beyond_limits(slow, [Limit("wall_ms", 150)])


@pytest.mark.parametrize(
    ("values", "mark", "named"),
    [
        ([1.0, 0.0, 1.0, 0.5], 0.9, ("q001", "q003")),  # what is perfect pulls nothing down
        ([0.95, 0.8, 0.89], 0.9, ("q001", "q002")),
        ([1.0, 0.95], 0.9, ("q001",)),  # a ratio below its mark, of questions that are above it
        ([1.0, 1.0], 0.9, ()),
    ],
)
def test_the_questions_that_pull_a_mean_down_are_named_the_worst_first(
    values: list[float], mark: float, named: tuple[str, ...]
) -> None:
    assert worst(standing(values=values).levels["faithfulness"], mark) == named


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fakt_recall=0.9", "Did you mean fact_recall"),
        ("Faithfulness=0.9", "Did you mean faithfulness"),
        ("beauty=0.9", "There are abstention_correct"),
        ("x" * 5000 + "=1", "docs/measures.md"),
    ],
)
def test_a_measure_that_there_is_not_is_told_with_the_nearest(text: str, said: str) -> None:
    with pytest.raises(EvaluationError, match="There is no measure") as caught:
        limit_of(text)
    assert said in caught.value.remedy
    assert len(str(caught.value)) < 2000


def lets_missing_pass(standing: Standing, limits: list[Limit]) -> tuple[Fault, ...]:
    """The saboteur: what is not there is not below anything."""
    return beyond_limits(standing, [limit for limit in limits if limit.measure in standing.levels])


@pytest.mark.parametrize(
    ("gate", "closed"), [(beyond_limits, True), (lets_missing_pass, False)], ids=["gate", "saboteur"]
)
def test_a_gate_that_lets_a_missing_measure_pass_is_noticed(
    gate: Callable[[Standing, list[Limit]], tuple[Fault, ...]], closed: bool
) -> None:
    assert bool(gate(standing(), [Limit("fact_recall", 0.9)])) is closed


@pytest.mark.parametrize("text", ["", "faithfulness", "=0.9", "faithfulness=", "faithfulness=much", "faithfulness=nan"])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(EvaluationError, match="no limit"):
        limit_of(text)


# --- worse than the base


def worse(base: ScoredRun, other: ScoredRun, *wanted: str) -> list[str]:
    comparison = compare((base, other), measures=MEASURES, labels=("base", "other"))
    sides = standing_of(base, "base", MEASURES), standing_of(other, "other", MEASURES)
    return [fault.what for fault in got_worse(comparison.pairs[0], wanted, *sides)]


BASE = run_with("faithfulness", [0.5] * 20)


@pytest.mark.parametrize(
    ("other", "wanted", "said"),
    [
        (run_with("faithfulness", [0.4] * 20), ["faithfulness"], "faithfulness is worse: 0.4000, was 0.5000"),
        (run_with("faithfulness", [0.4] * 20), ["leading"], "faithfulness is worse"),
        (run_with("faithfulness", [0.6] * 20), ["leading"], None),
        (run_with("faithfulness", [0.5] * 20), ["context_recall"], "context_recall is missing"),
        (run_with("context_recall", [0.5] * 20), ["leading"], "no leading measure has enough"),
        (run_with("faithfulness", [0.5] * 8), ["faithfulness"], "8 questions are too few"),
        (run_with("faithfulness", [0.1] * 8), ["faithfulness"], "faithfulness is worse"),  # no model: nothing is chance
        (run_with("faithfulness", [0.5] * 8), ["faithfulness"], "12 questions of base are missing"),
        (run_with("faithfulness", [0.5] * 19 + [math.nan]), ["leading"], "faithfulness is no number"),
    ],
)
def test_worse_than_the_base_or_not_to_be_told_closes_the_gate(
    other: ScoredRun, wanted: list[str], said: str | None
) -> None:
    faults = worse(BASE, other, *wanted)
    assert any(said in fault for fault in faults) if said else faults == []


def test_a_leading_measure_that_went_missing_is_a_fault_beside_one_that_is_fine() -> None:
    base = run_of(row(f"q{n}", faithfulness=0.5, context_recall=0.5) for n in range(20))
    assert (
        "context_recall is missing"
        in worse(base, run_of(row(f"q{n}", faithfulness=0.5) for n in range(20)), "leading")[0]
    )


def test_a_measure_of_which_neither_way_is_worse_is_bad_use() -> None:
    run = run_with("answer_words", [5.0] * 20)
    with pytest.raises(EvaluationError, match="neither way"):
        worse(run, run, "answer_words")


# --- the ratchet

FILLED = raised(Ratchet(), standing(values=[0.8] * 20))


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (standing(values=[0.9] * 20), None),
        (standing(values=[0.785] * 20), None),  # within the tolerance
        (standing(values=[0.77] * 20), "faithfulness fell to 0.7700; the best was 0.8000"),
        (standing("context_recall", [0.9] * 20), "faithfulness is missing"),
        (standing(values=[0.9, math.nan]), "faithfulness is no number"),
        (standing(values=[0.9] * 20, suite_digest="e" * 64), "knows no run by control over the suite eeeeeeeeeeee"),
    ],
)
def test_a_run_below_its_marks_is_told_with_what_fell(now: Standing, said: str | None) -> None:
    faults = fallen(FILLED, now)
    assert (said in faults[0].what and faults[0].remedy) if said else faults == ()


def test_the_questions_that_fell_are_named_the_worst_first() -> None:
    (fault,) = fallen(FILLED, standing(values=[0.8] * 17 + [0.2, 0.0, 0.9]))
    assert fault.questions == ("q018", "q017")


def test_answers_that_leave_their_path_are_noticed_though_the_rest_is_as_good() -> None:
    rows = [row(f"q{n:03}", aside="fallback:x" if n < 5 else "", faithfulness=0.8) for n in range(20)]
    (fault,) = fallen(FILLED, standing_of(run_of(rows), "run", MEASURES))
    assert fault.measure == "on_path"


def lowers(ratchet: Ratchet, now: Standing) -> Ratchet:
    """The saboteur: the mark is where the run is."""
    return forced(ratchet, now, "because")


def never_goes_down(move: Callable[[Ratchet, Standing], Ratchet]) -> bool:
    low = standing(values=[0.3] * 20)
    moved = move(FILLED, low).entry(low)
    return moved is not None and moved.measures["faithfulness"].mean >= 0.8


def test_a_ratchet_never_goes_down_and_one_that_does_is_noticed() -> None:
    assert never_goes_down(raised)
    assert not never_goes_down(lowers)


@given(st.lists(st.floats(0, 1, allow_nan=False), min_size=1, max_size=8))
def test_whatever_comes_the_mark_is_the_best_so_far(means: list[float]) -> None:
    ratchet = Ratchet()
    for mean in means:
        ratchet = raised(ratchet, standing(values=[mean] * 3))
    (entry,) = ratchet.entries
    assert entry.measures["faithfulness"].mean == pytest.approx(max(means), abs=1e-9)
    assert ratchet.forced == ()


def test_lower_is_better_goes_down_as_it_gets_better() -> None:
    first = raised(Ratchet(), standing("fallback", [0.5] * 4))
    better = raised(first, standing("fallback", [0.25] * 4))
    assert better.entries[0].measures["fallback"].mean == 0.25
    assert fallen(better, standing("fallback", [0.5] * 4))[0].measure == "fallback"


WITH, WITHOUT = {"semantic_in_use": True, "reader": "owner"}, {"semantic_in_use": False, "reader": "owner"}
REACHED_WITH = raised(Ratchet(), standing(values=[0.8] * 20, settings=WITH, by_meaning=("yes",)))


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        ({"settings": WITH, "by_meaning": ("yes",)}, None),
        ({"settings": WITH}, None),  # figures alone: no hit tells it, the settings do
        ({"settings": WITHOUT, "by_meaning": ("no",)}, "search by meaning: no in this run, yes when"),
        ({"settings": WITHOUT, "by_meaning": ("no", "yes")}, "search by meaning: no, yes in this run"),
        ({"settings": {**WITH, "reader": "public"}, "by_meaning": ("yes",)}, "reader: public in this run, owner when"),
        ({}, "reader: not told in this run"),
    ],
)
@pytest.mark.parametrize("faithfulness", [0.9, 0.3])
def test_a_run_under_other_conditions_is_refused_however_good_it_is(
    conditions: dict[str, object], said: str | None, faithfulness: float
) -> None:
    faults = fallen(REACHED_WITH, standing(values=[faithfulness] * 20, **conditions))
    if said is None:
        assert bool(faults) is (faithfulness < 0.8)
        return
    assert said in faults[0].what
    assert "--update-ratchet --force REASON" in faults[0].remedy


def ignores_conditions(ratchet: Ratchet, now: Standing) -> tuple[Fault, ...]:
    """The saboteur: a mean is a mean."""
    return fallen(ratchet, replace(now, conditions=ratchet.entries[0].conditions))


@pytest.mark.parametrize(("gate", "closed"), [(fallen, True), (ignores_conditions, False)], ids=["gate", "saboteur"])
def test_a_ratchet_that_ignores_conditions_is_noticed(
    gate: Callable[[Ratchet, Standing], tuple[Fault, ...]], closed: bool
) -> None:
    assert bool(gate(REACHED_WITH, standing(values=[0.9] * 20, settings=WITHOUT))) is closed


def test_conditions_change_for_a_reason_that_is_kept() -> None:
    other = standing(values=[0.9] * 20, settings=WITHOUT, by_meaning=("no",))
    moved = forced(REACHED_WITH, other, " no room for the model ")
    assert not fallen(moved, other)
    (kept,) = moved.changed
    assert (kept.condition, kept.was, kept.now, kept.reason) == (
        "search by meaning",
        "yes",
        "no",
        "no room for the model",
    )
    assert moved.forced == (), "no mark went down"


@pytest.mark.parametrize(
    ("came_up", "fits"), [(("yes",), True), (("no",), True), ((), True), (("no", "yes"), False), (("partly",), False)]
)
def test_a_run_of_two_kinds_of_answers_is_no_mark(came_up: tuple[str, ...], fits: bool) -> None:
    assert bool(unfit(standing(by_meaning=came_up))) is not fits


def test_times_and_tokens_are_no_marks() -> None:
    entry = raised(Ratchet(), standing("wall_ms", [100.0])).entries[0]
    assert set(entry.measures) == {"on_path", "failed"}


def test_paths_and_suites_have_marks_of_their_own() -> None:
    both = raised(FILLED, standing(values=[0.1] * 20, suite_digest="e" * 64))
    assert len(both.entries) == 2
    assert not fallen(both, standing(values=[0.1] * 20, suite_digest="e" * 64))


def test_going_down_takes_a_reason_that_is_kept() -> None:
    low = replace(standing(values=[0.3] * 20), at="2026-01-31T12:00:00+00:00")
    moved = forced(FILLED, low, " the gold was wrong ")
    assert not fallen(moved, low)
    (kept,) = moved.forced
    assert (kept.measure, kept.was, kept.now, kept.reason) == ("faithfulness", 0.8, 0.3, "the gold was wrong")
    with pytest.raises(EvaluationError, match="for a reason"):
        forced(FILLED, low, "  ")


def test_a_mark_whose_measure_is_gone_can_only_be_taken_away_by_a_person() -> None:
    other = standing("context_recall", [0.9] * 20)
    assert "faithfulness" in raised(FILLED, other).entries[0].measures
    moved = forced(FILLED, other, "not measured any more")
    assert [(kept.measure, kept.now) for kept in moved.forced] == [("faithfulness", None)]


# --- the file


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "ratchet.json"
    moved = forced(FILLED, standing(values=[0.3] * 20), "why")
    write_ratchet(moved, path)
    assert read_ratchet(path) == moved
    assert [file.name for file in tmp_path.iterdir()] == ["ratchet.json"]


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{", '{"format": 2}', '{"entries": [{}]}', '{"unknown": 1}', "[" * 100_000,
        '{"entries": [{"suite": "s", "path": "control", "measures": {"faithfulness": {"mean": NaN}}}]}',
        '{"entries": [{"suite": "s", "path": "control", "measures": {"faithfulness": {"mean": 0.5, "tolerance": -1}}}]}',
    ],
)  # fmt: skip
def test_a_file_that_is_no_ratchet_lets_nothing_through(text: str, tmp_path: Path) -> None:
    path = tmp_path / "ratchet.json"
    path.write_text(text, "utf-8")
    with pytest.raises(EvaluationError, match="no ratchet"):
        read_ratchet(path)


def test_a_file_that_is_not_there_is_told_with_its_remedy(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="--update-ratchet"):
        read_ratchet(tmp_path / "none.json")


def test_a_hand_may_set_a_tolerance(tmp_path: Path) -> None:
    path = tmp_path / "ratchet.json"
    write_ratchet(FILLED, path)
    told = json.loads(path.read_text("utf-8"))
    told["entries"][0]["measures"]["faithfulness"]["tolerance"] = 0.1
    path.write_text(json.dumps(told), "utf-8")
    kept = read_ratchet(path)
    assert not fallen(kept, standing(values=[0.71] * 20))
    assert raised(kept, standing(values=[0.9] * 20)).entries[0].measures["faithfulness"].tolerance == 0.1


# --- with a model, chance has a part


def moved(by: float, path: AnswerPath) -> ScoredRun:
    """Of three leading measures one moves, up and down, in the mean by so much."""
    rows = (
        row(
            f"q{n}",
            path=path,
            fact_recall=0.5 + by + (0.12 if n % 2 else -0.12) * bool(by),
            faithfulness=0.5,
            answer_relevance=0.5,
        )
        for n in range(30)
    )
    return run_of(rows, path)


@pytest.mark.parametrize(
    ("path", "wanted", "by", "closed"),
    [
        (AnswerPath.AGENTIC, "fact_recall", -0.05, True),
        (AnswerPath.AGENTIC, "leading", -0.05, False),  # one of three, by what one look in twenty shows
        (AnswerPath.AGENTIC, "leading", -0.1, True),
        (AnswerPath.CONTROL, "leading", -0.05, True),  # nothing is chance
    ],
)
def test_with_a_model_an_interval_is_wider_for_each_measure_that_is_looked_at(
    path: AnswerPath, wanted: str, by: float, closed: bool
) -> None:
    found = worse(moved(0.0, path), moved(by, path), wanted)
    assert [fault.split(":")[0] for fault in found] == (["fact_recall is worse"] if closed else [])
