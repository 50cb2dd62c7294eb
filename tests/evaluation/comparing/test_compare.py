"""Is a difference told where there is one, none where there is none, and never more than the questions can carry?"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.errors import EvaluationError
from ankare.evaluation.captured import AnswerPath
from ankare.evaluation.case import Case
from ankare.evaluation.comparing import differences
from ankare.evaluation.comparing.compare import Comparison, Pair, compare
from ankare.evaluation.comparing.differences import LEAST_DECIDED, LEAST_QUESTIONS, Verdict, difference_in, lasting
from ankare.evaluation.comparing.told import body
from ankare.evaluation.measures.values import Basis, CaseValue, noise_of, values_of
from ankare.evaluation.scored import Outcome, ScoredRun
from ankare.evaluation.statistics import resample
from ankare.evaluation.statistics.resample import Interval, Method
from ankare.evaluation.suites.suite import suite_of
from tests.evaluation.scored_runs import MEASURES, Scores, noisy, row, run_of, run_with, sparse

AGENTIC = AnswerPath.AGENTIC


def compared(*runs: ScoredRun) -> Comparison:
    return compare(runs, measures=MEASURES)


def pair_of(base: ScoredRun, other: ScoredRun) -> Pair:
    return compared(base, other).pairs[0]


def codes(pair: Pair) -> list[str]:
    return [note.code for note in pair.notes]


# --- verdicts


def test_the_same_run_twice_shows_no_difference() -> None:
    run = run_with("faithfulness", noisy(1))
    pair = pair_of(run, run)
    (found,) = pair.measures
    assert (found.verdict, found.difference, found.wins, found.losses) == (Verdict.NO_DIFFERENCE, 0.0, 0, 0)
    assert found.p is None
    assert (pair.cases, pair.dropped, pair.conditions) == ((), (), ())
    assert "no_condition" in codes(pair)


@pytest.mark.slow
@pytest.mark.parametrize("scores", [noisy, sparse], ids=["scores", "mostly ties"])
def test_two_runs_that_differ_by_chance_are_told_apart_in_about_one_of_twenty(
    scores: Scores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resample, "RESAMPLES", 1000)
    alarms = 0
    for seed in range(1000):
        sides = (
            values_of(run_with("faithfulness", scores(2 * seed + side)), MEASURES["faithfulness"]) for side in (0, 1)
        )
        found = difference_in(MEASURES["faithfulness"], *sides)
        assert found is not None
        alarms += found.verdict is not Verdict.NO_DIFFERENCE
    assert 0.01 <= alarms / 1000 <= 0.075


@pytest.mark.parametrize(
    ("measure", "base", "other", "verdict"),
    [
        ("faithfulness", [0.5] * 20, [0.7] * 20, Verdict.BETTER),
        ("faithfulness", [0.7] * 20, [0.5] * 20, Verdict.WORSE),
        ("wall_ms", [100.0] * 20, [70.0] * 20, Verdict.BETTER),
        ("wall_ms", [100.0] * 20, [90.0] * 20, Verdict.DIFFERENT),  # warm caches do as much
        ("wall_ms", [100.0] * 20, [110.0] * 20, Verdict.DIFFERENT),
        ("wall_ms", [100.0] * 20, [99.0, 101.0] * 10, Verdict.NO_DIFFERENCE),
        ("wall_ms", [5000.0] * 4 + [100.0] * 16, [95.0] * 20, Verdict.DIFFERENT),  # a few slow ones are no typical ones
        ("wall_ms", [0.0] * 20, [90.0] * 20, Verdict.DIFFERENT),  # no ratio
        ("wall_ms", [100.0] * 20, [190.0] * 20, Verdict.WORSE),
        ("answer_words", [10.0] * 20, [20.0] * 20, Verdict.DIFFERENT),
        ("faithfulness", [0.5, 0.7] * 10, [0.7, 0.5] * 10, Verdict.NO_DIFFERENCE),
        ("faithfulness", [0.5] * 9, [0.7] * 9, Verdict.TOO_FEW),
        ("faithfulness", [0.0] * 40, [0.0] * 35 + [1.0] * 5, Verdict.NO_DIFFERENCE),  # five alike fall a coin too
        ("faithfulness", [0.0] * 40, [0.0] * 34 + [1.0] * 6, Verdict.BETTER),
        ("faithfulness", [0.1 + 0.2] * 20, [0.3] * 20, Verdict.NO_DIFFERENCE),  # the same number, summed otherwise
    ],
)
def test_a_verdict_has_a_direction(measure: str, base: list[float], other: list[float], verdict: Verdict) -> None:
    found = pair_of(run_with(measure, base), run_with(measure, other)).measure(measure)
    assert found is not None
    assert found.verdict is verdict
    assert (LEAST_QUESTIONS, LEAST_DECIDED) == (10, 6)


def test_the_figures_of_a_measure_by_hand() -> None:
    base, other = [0.0, 0.5, 1.0, 0.5] * 5, [0.5, 0.5, 0.0, 1.0] * 5
    found = pair_of(run_with("faithfulness", base), run_with("faithfulness", other)).measures[0]
    assert (found.base, found.other, found.difference, found.n) == (0.5, 0.5, 0.0, 20)
    assert (found.wins, found.ties, found.losses) == (10, 5, 5)
    assert found.p == pytest.approx(2 * sum(math.comb(15, k) for k in range(6)) / 2**15)
    assert found.p_holm == found.p  # one measure is no many
    assert isinstance(found.interval, Interval)
    assert found.interval.low < 0 < found.interval.high


def test_what_got_worse_stands_first_and_p_is_corrected_for_all_that_was_looked_at() -> None:
    base = run_of(row(f"q{n}", faithfulness=0.5, context_recall=0.5, wall_ms=100.0) for n in range(20))
    other = run_of(row(f"q{n}", faithfulness=0.7, context_recall=0.4, wall_ms=150.0) for n in range(20))
    found = pair_of(base, other).measures
    assert [(one.measure, one.verdict.value) for one in found] == [
        ("context_recall", "worse"), ("wall_ms", "worse"), ("faithfulness", "better"),
    ]  # fmt: skip
    assert all(one.p_holm == pytest.approx(3 * one.p) for one in found if one.p)


def by_the_interval_alone(before: object, after: object) -> bool:
    """The saboteur: whatever the interval says of times holds."""
    return True


@pytest.mark.parametrize(
    ("rule", "noticed"), [(lasting, False), (by_the_interval_alone, True)], ids=["rule", "saboteur"]
)
def test_a_run_that_only_began_cold_is_no_slower_service(
    rule: Callable[..., bool], noticed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(differences, "lasting", rule)
    cold = [1750.0, 160.0, 150.0, 130.0, 120.0, 110.0] + [104.0] * 34
    found = pair_of(run_with("wall_ms", cold), run_with("wall_ms", [100.0] * 40)).measure("wall_ms")
    assert found is not None
    assert (found.verdict is Verdict.BETTER) is noticed


@given(st.lists(st.floats(1, 1000), min_size=12, max_size=12), st.lists(st.floats(1, 1000), min_size=12, max_size=12))
def test_a_difference_in_time_reads_the_same_from_either_side(before: list[float], after: list[float]) -> None:
    assert lasting(np.array(before), np.array(after)) == lasting(np.array(after), np.array(before))


# --- repeats


def test_a_question_that_is_asked_five_times_is_one_question() -> None:
    run = run_of(row("q1", n, faithfulness=value) for n, value in enumerate((0.2, 0.4, 0.6)))
    assert values_of(run, MEASURES["faithfulness"]) == {"q1": CaseValue(pytest.approx(0.4), 3, pytest.approx(0.04))}
    pair = pair_of(run, run)
    assert pair.measures[0].n == 1


def test_noise_within_a_question_is_told_and_a_smaller_difference_is_marked() -> None:
    def run(shift: float) -> ScoredRun:
        return run_of(row(f"q{n}", k, faithfulness=0.5 + 0.2 * k + shift) for n in range(20) for k in range(2))

    found = pair_of(run(0), run(0.1)).measures[0]
    assert found.noise == pytest.approx(0.2 / 2**0.5)
    assert (found.verdict, found.within_noise) == (Verdict.BETTER, True)
    assert not pair_of(run(0), run(0.2)).measures[0].within_noise
    assert "within_noise" in codes(pair_of(run(0), run(0.1)))
    assert noise_of([CaseValue(0.5, 1)]) is None


# --- the path, and what dropped out


def fell_back_on_the_hard_ones() -> tuple[ScoredRun, ScoredRun]:
    """The chain is better on the easy questions and fell back on the others, of which some never came."""
    base = run_of(row(f"q{n:02}", faithfulness=0.9 if n < 20 else 0.3) for n in range(40))
    hard = [("fallback:agent2_grounding_failed", 0.0)] * 20
    rows = [("", 1.0)] * 20 + hard
    other = run_of(
        (row(f"q{n:02}", path=AGENTIC, aside=aside, faithfulness=value) for n, (aside, value) in enumerate(rows)),
        AGENTIC,
    )
    return base, other


def test_only_what_took_its_path_on_both_sides_counts_for_the_path_and_the_rest_is_told_with_its_reason() -> None:
    pair = pair_of(*fell_back_on_the_hard_ones())
    found = pair.measure("faithfulness")
    assert found is not None
    assert (found.n, found.verdict) == (20, Verdict.BETTER)
    assert len(pair.dropped) == 20
    assert {(one.base, one.other) for one in pair.dropped} == {((), ("fallback:agent2_grounding_failed",))}


def test_a_chain_that_falls_back_on_the_hard_ones_is_no_better_as_served() -> None:
    pair = pair_of(*fell_back_on_the_hard_ones())
    served = pair.measure("faithfulness", Basis.SERVED)
    assert served is not None
    assert (served.n, served.verdict) == (40, Verdict.WORSE)
    assert {"dropped_harder", "served_differs"} <= set(codes(pair))
    assert pair.notes[0].warning


def test_questions_without_any_answer_may_turn_a_result() -> None:
    base = run_with("faithfulness", [0.5] * 30)
    rows = [row(f"q{n:03}", faithfulness=0.7) for n in range(22)]
    other = run_of([*rows, *(row(f"q{n:03}", outcome=Outcome.FAILED, aside="failed:timeout") for n in range(22, 30))])
    pair = pair_of(base, other)
    assert {"could_turn", "failed"} <= set(codes(pair))
    assert pair.cases[0].lost
    few = pair_of(base, run_of(row(f"q{n:03}", faithfulness=0.9) for n in range(29)))
    assert "could_turn" not in codes(few)
    assert few.dropped[0].other == ("not_asked",)


def test_repeats_that_left_the_path_are_told() -> None:
    rows = [row("q1", 0, faithfulness=1.0), row("q1", 1, aside="fallback:agent_timeout", faithfulness=0.0)]
    pair = pair_of(run_of([row("q1", faithfulness=1.0)]), run_of(rows))
    assert (pair.partly, pair.dropped) == (("q1",), ())
    assert pair.measures[0].other == 1.0
    assert pair.measure("faithfulness", Basis.SERVED).other == 0.5  # type: ignore[union-attr]


def test_a_measure_that_is_of_no_path_counts_every_answer() -> None:
    rows = [row(f"q{n}", aside="fallback:x", wall_ms=100.0 + n) for n in range(12)]
    found = pair_of(run_of(rows), run_of(rows)).measure("wall_ms")
    assert found is not None
    assert found.n == 12


def test_a_value_that_is_no_number_is_told_and_does_not_count() -> None:
    pair = pair_of(run_with("faithfulness", [0.5, math.nan]), run_with("faithfulness", [0.5, 0.5]))
    assert pair.measures[0].n == 1
    assert "no_number" in codes(pair)


# --- abstention's F1, types, questions


def refusing(refused: set[int]) -> ScoredRun:
    """Of 40 questions ten cannot be answered: the last ones."""
    return run_of(
        row(
            f"q{n}",
            outcome=Outcome.REFUSED if n in refused else Outcome.ANSWERED,
            abstention_correct=float((n in refused) == (n >= 30)),
        )
        for n in range(40)
    )


def test_the_f1_of_refusing_is_compared_as_a_ratio_over_all_questions() -> None:
    found = pair_of(refusing(set(range(25, 40))), refusing(set(range(30, 40)))).measure("abstention_f1")
    assert found is not None
    assert (found.base, found.other) == (pytest.approx(2 * 10 / (2 * 10 + 5)), 1.0)
    assert (found.n, found.wins, found.losses) == (40, 5, 0)
    assert isinstance(found.interval, Interval)
    assert found.interval.low > 0
    assert pair_of(run_with("faithfulness", [0.1]), run_with("faithfulness", [0.1])).measure("abstention_f1") is None


def test_each_type_of_question_is_compared_for_itself() -> None:
    def run(gain: float) -> ScoredRun:
        return run_of(row(f"q{n}", kind="ab"[n % 2], faithfulness=0.5 + gain * (n % 2)) for n in range(40))

    types = pair_of(run(0), run(0.2)).by_type
    assert {kind: told[0].verdict for kind, told in types.items()} == {"a": Verdict.NO_DIFFERENCE, "b": Verdict.BETTER}


def test_regressions_stand_first_by_their_largest_loss_then_the_gains() -> None:
    base = run_of(row(f"q{n}", faithfulness=0.5, context_recall=0.5) for n in range(5))
    moved = [(0.4, 0.9), (0.5, 0.5), (0.9, 0.5), (0.5, 0.1), (0.6, 0.5)]
    other = run_of(row(f"q{n}", faithfulness=f, context_recall=r) for n, (f, r) in enumerate(moved))
    pair = pair_of(base, other)
    assert [one.case_id for one in pair.cases] == ["q3", "q0", "q2", "q4"]
    assert [one.case_id for one in pair.regressions] == ["q3", "q0"]
    assert [(one.measure, round(one.gain, 2)) for one in pair.cases[1].moved] == [
        ("faithfulness", -0.1), ("context_recall", 0.4),
    ]  # fmt: skip


# --- conditions and suites


def made(*versions: str, documents: str = "d", profile: str = "p") -> dict[str, object]:
    """The conditions of a run on these versions of the index."""
    return {"index_versions": versions, "environment": {"documents": documents, "profile": profile}}


@pytest.mark.parametrize(
    ("base", "other", "code", "names"),
    [
        ({}, {}, "no_condition", []),
        (
            {"index_versions": ("a",)},
            {"index_versions": ("b",)},
            "one_condition",
            ["index_versions (documents or profile)"],
        ),
        (made("a", profile="p"), made("b", profile="q"), "one_condition", ["profile", "index_versions"]),
        (made("a", documents="d"), made("b", documents="e"), "one_condition", ["documents", "index_versions"]),
        (
            made("a", documents="d", profile="p"),
            made("b", documents="e", profile="q"),
            "several_conditions",
            ["documents", "profile", "index_versions"],
        ),
        (made("a"), made("b"), "one_condition", ["index_versions"]),  # something else that it was made with
        (made("a", profile="p"), made("a", profile="q"), "one_condition", ["profile"]),  # of another pack
        (made("a", "b"), made("b"), "one_condition", ["index_versions (documents or profile)"]),  # which of them told?
        ({"by_meaning": ("no",)}, {"by_meaning": ("yes",)}, "one_condition", ["by_meaning"]),
        (
            {"by_meaning": ("no",), "settings": {"semantic": True, "semantic_in_use": False}},
            {"by_meaning": ("yes",), "settings": {"semantic": True, "semantic_in_use": True}},
            "one_condition",
            ["by_meaning", "settings.semantic_in_use"],
        ),
        (
            {"by_meaning": ("no",), "settings": {"semantic": False}},
            {"by_meaning": ("yes",), "settings": {"semantic": True}},
            "one_condition",
            ["settings.semantic", "by_meaning"],
        ),
        ({"environment": {"warming_ms": 2}}, {"environment": {"warming_ms": 3}}, "no_condition", []),
        ({"settings": {"semantic": True}}, {"settings": {"semantic": False}}, "one_condition", ["settings.semantic"]),
        (
            {"settings": {"semantic": True, "semantic_in_use": True}},
            {"settings": {"semantic": False, "semantic_in_use": False}},
            "one_condition",
            ["settings.semantic", "settings.semantic_in_use"],
        ),
        (
            {"path": "control", "settings": {"agentic_rag_mode": "reviewed_answer"}},
            {"path": "shadow", "settings": {"agentic_rag_mode": "shadow"}},
            "one_condition",
            ["path", "settings.agentic_rag_mode"],
        ),
        ({"environment": {"cpu": 2}}, {"environment": {"cpu": 8}}, "no_condition", ["environment.cpu"]),
        (
            {"revisions": ("a",), "settings": {"top_k": 8, "model": "m"}},
            {"revisions": ("b",), "settings": {"top_k": 9, "model": "m"}},
            "several_conditions",
            ["software", "settings.top_k"],
        ),
    ],
)
def test_conditions_that_differ_are_listed_and_one_is_as_it_should_be(
    base: dict[str, object], other: dict[str, object], code: str, names: list[str]
) -> None:
    sides = ({**told, "path": AnswerPath(str(told.get("path", "control")))} for told in (base, other))
    pair = pair_of(*(run_with("faithfulness", [0.5], **told) for told in sides))  # type: ignore[arg-type]
    assert code in codes(pair)
    assert [change.name for change in pair.conditions] == names


def test_a_run_on_several_revisions_is_warned_about() -> None:
    run = run_with("faithfulness", [0.5], revisions=("a", "b"))
    assert codes(pair_of(run, run)).count("mixed_versions") == 2


@pytest.mark.parametrize(("came_up", "warned"), [(("no", "yes"), 2), (("partly",), 2), (("yes",), 0), ((), 0)])
def test_answers_with_and_without_search_by_meaning_in_one_run_are_warned_about(
    came_up: tuple[str, ...], warned: int
) -> None:
    run = run_with("faithfulness", [0.5], by_meaning=came_up)
    assert codes(pair_of(run, run)).count("mixed_meaning") == warned


def suite_run(*cases: Case) -> ScoredRun:
    return run_of([row(case.id, faithfulness=0.5) for case in cases], suite=suite_of(cases))


def test_runs_over_different_suites_are_compared_on_the_questions_that_are_the_same() -> None:
    one, two, changed = Case("q1", "What is it?"), Case("q2", "Why?"), Case("q2", "Why not?")
    pair = pair_of(suite_run(one, two), suite_run(one, changed))
    assert (pair.questions, pair.measures[0].n) == (1, 1)
    assert "suites_differ" in codes(pair)


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        ((suite_run(Case("q1", "A?")), suite_run(Case("q1", "B?"))), "no case in common"),
        ((suite_run(Case("q1", "A?")), run_with("faithfulness", [0.5])), "not at hand"),
        ((suite_run(Case("q1", "A?")),), "takes 2 to"),
    ],
)
def test_what_cannot_be_compared_is_refused(runs: tuple[ScoredRun, ...], said: str) -> None:
    with pytest.raises(EvaluationError, match=said):
        compare(runs, measures=MEASURES)


def test_many_runs_stand_beside_each_other_over_the_questions_that_all_have() -> None:
    runs = [run_with("faithfulness", [0.1 * k] * (20 - k)) for k in (1, 2, 3)]
    found = compared(*runs)
    assert [run.label for run in found.runs] == ["control (1)", "control (2)", "control (3)"]
    assert found.overall[0].means == pytest.approx((0.1, 0.2, 0.3))
    assert (found.overall[0].n, len(found.pairs)) == (17, 2)


def test_bca_can_be_chosen() -> None:
    runs = [run_with("faithfulness", noisy(seed)) for seed in (1, 2)]
    found = compare(runs, measures=MEASURES, method=Method.BCA, level=0.9).pairs[0].measures[0].interval
    assert isinstance(found, Interval)
    assert (found.method, found.level) == (Method.BCA, 0.9)


def test_everything_can_be_told_as_json() -> None:
    import json

    told = json.loads(json.dumps(body(compared(*fell_back_on_the_hard_ones()), (), {}, ()), allow_nan=False))
    assert told["comparison"]["pairs"][0]["regressions"][0] == "q20"
    assert told["gate"] == {"passed": True, "faults": []}
