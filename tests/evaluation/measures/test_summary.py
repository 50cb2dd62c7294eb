"""Does a summary count questions once, paths apart and repeats together?"""

from __future__ import annotations

import json
import math
from pathlib import Path
from statistics import stdev

import pytest

from ankare.evaluation.captured import AnswerPath, Conditions
from ankare.evaluation.measures.abstention_measures import Abstention
from ankare.evaluation.measures.summary import Summary, summarise
from ankare.evaluation.measures.summary_text import FILE, summary_json, summary_markdown, write_summary
from ankare.evaluation.scored import Outcome, Scored, ScoredRun


def row(case_id: str, repeat: int = 0, aside: str = "", outcome: Outcome = Outcome.ANSWERED, **values: float) -> Scored:
    kind = "list" if case_id < "c" else "time"
    return Scored(
        case_id, repeat, AnswerPath.AGENTIC, outcome, aside, kind, "sv" if case_id < "d" else "en", True, values
    )


def summary(*rows: Scored) -> Summary:
    return summarise(ScoredRun(Conditions(AnswerPath.AGENTIC, "abc", "a suite", name="agents"), rows))


REPEATED = (
    row("a", 0, faithfulness=1.0, wall_ms=10.0),
    row("a", 1, faithfulness=0.5, wall_ms=20.0),
    row("b", 0, faithfulness=0.5, wall_ms=30.0),
    row("b", 1, faithfulness=0.5, wall_ms=40.0),
    row("c", 0, faithfulness=0.0, wall_ms=50.0),
    row("c", 1, "fallback:agent_timeout", faithfulness=1.0, fallback=1.0, wall_ms=60.0),
    row("d", 0, "figures", Outcome.ANSWERED, wall_ms=70.0),
    row("d", 1, "failed:timeout", Outcome.FAILED),
)


def test_a_mean_is_over_questions_of_the_means_over_their_repeats() -> None:
    level = summary(*REPEATED).overall.levels["faithfulness"]
    assert (level.n, level.answers) == (3, 5)
    assert level.mean == pytest.approx((0.75 + 0.5 + 0.0) / 3)
    assert level.median == 0.5
    assert level.deviation == pytest.approx(stdev([0.75, 0.5, 0.0]))


def test_answers_that_left_the_path_do_not_count_for_it_but_are_counted() -> None:
    told = summary(*REPEATED)
    assert told.asides == {"fallback:agent_timeout": 1, "figures": 1}
    assert told.failures == {"timeout": 1}
    assert (told.overall.cases, told.overall.answers, told.overall.counted) == (4, 8, 5)
    assert told.overall.outcomes == {"answered": 7, "failed": 1}


def test_a_saboteur_that_brings_fallbacks_in_would_be_seen() -> None:
    brought_in = [Scored(r.case_id, r.repeat, r.path, r.outcome, "", r.type, values=r.values) for r in REPEATED]
    assert (
        summary(*brought_in).overall.levels["faithfulness"].mean
        != summary(*REPEATED).overall.levels["faithfulness"].mean
    )


def test_measures_that_are_of_no_path_count_every_response() -> None:
    levels = summary(*REPEATED).overall.levels
    assert (levels["wall_ms"].n, levels["wall_ms"].answers) == (4, 7)
    assert levels["fallback"].mean == 1.0


def test_times_have_percentiles_over_all_responses_and_shares_have_none() -> None:
    levels = summary(*REPEATED).overall.levels
    assert (levels["wall_ms"].low, levels["wall_ms"].high) == (pytest.approx(13.0), pytest.approx(67.0))
    assert levels["faithfulness"].low is levels["faithfulness"].high is None


def test_the_variation_within_a_question_stands_beside_that_between_questions() -> None:
    level = summary(*REPEATED).overall.levels["faithfulness"]
    assert level.within == pytest.approx(math.sqrt((0.125 + 0.0) / 2))  # the pooled variance of a and b; c counts once
    assert level.alike == 0.5


def test_without_repeats_there_is_no_variation_within() -> None:
    level = summary(row("a", faithfulness=1.0), row("b", faithfulness=0.0)).overall.levels["faithfulness"]
    assert level.within is level.alike is None
    assert summary(row("a", faithfulness=1.0)).overall.levels["faithfulness"].deviation is None


def test_types_and_languages_are_summed_up_for_themselves() -> None:
    told = summary(*REPEATED)
    assert list(told.types) == ["list", "time"] and list(told.languages) == ["sv", "en"]
    assert told.types["list"].levels["faithfulness"].mean == pytest.approx(0.625)
    assert told.types["time"].levels["faithfulness"].n == 1
    assert told.languages["en"].counted == 0


def test_refusing_is_counted_over_all_paths() -> None:
    told = summary(
        row("a", 0, "refused_before_model", Outcome.REFUSED, abstention_correct=1.0),
        row("b", 0, "figures", Outcome.REFUSED, abstention_correct=0.0),
        row("c", abstention_correct=1.0),
    )
    assert told.overall.abstention == Abstention(right=1, needless=1, missed=0, answered=1)


def priced(case_id: str, **told: object) -> Scored:
    details = {
        "cost": {"currency": "SEK", "missing": told.get("missing", [])},
        "total_tokens": {"complete": told.get("complete", True), "agents": told.get("agents", {})},
        "model_calls": {"corrected": told.get("corrected", False), "suspected_truncations": told.get("cut", 0)},
    }
    return Scored(
        case_id, 0, AnswerPath.AGENTIC, Outcome.ANSWERED, values={"cost": 0.5, "model_calls": 2.0}, details=details
    )


def test_what_models_took_is_summed_up_and_what_is_not_known_is_told() -> None:
    draft = {"calls": 1, "ms": 100.0, "prompt_tokens": 900, "completion_tokens": 80, "statuses": ["ok"]}
    silent = {"calls": 1, "ms": 50.0, "prompt_tokens": None, "completion_tokens": None, "statuses": ["timeout"]}
    told = summary(
        priced("a", agents={"agent2": draft}, corrected=True, cut=2),
        priced("b", agents={"agent2": silent}, complete=False, missing=["tokens"]),
        priced("c", missing=["unheard-of"]),
    )
    models = told.models
    assert (models.answers, models.corrected, models.truncated, models.without_tokens) == (3, 1, 2, 1)
    assert models.unpriced == {"tokens": 1, "unheard-of": 1}
    agent = models.agents["agent2"]
    assert (agent.calls, agent.ms, agent.prompt_tokens, agent.silent) == (2, 150.0, 900, 1)
    assert agent.statuses == {"ok": 1, "timeout": 1}
    assert told.overall.levels["cost"].measure.unit == "SEK"


def test_details_that_somebody_has_edited_are_no_error() -> None:
    odd = Scored(
        "a", 0, AnswerPath.AGENTIC, Outcome.ANSWERED, details={"cost": 7, "total_tokens": [], "model_calls": "x"}
    )
    assert summary(odd).models.answers == 0


def test_nothing_captured_is_a_summary_too() -> None:
    empty = summary()
    assert empty.overall.levels == {} and empty.overall.cases == 0
    assert "0 questions" in summary_markdown(empty)


def test_the_json_form_holds_everything(tmp_path: Path) -> None:
    told = summary(*REPEATED)
    written = json.loads(write_summary(told, tmp_path).read_text(encoding="utf-8"))
    assert (tmp_path / FILE).is_file()
    assert written == json.loads(json.dumps(summary_json(told)))
    assert written["overall"]["measures"]["faithfulness"]["n"] == 3
    assert written["overall"]["abstention"]["f1"] is None
    assert written["asides"] == {"fallback:agent_timeout": 1, "figures": 1}


def test_the_markdown_form_tells_what_stood_apart_and_no_text_acts_as_markup() -> None:
    text = summary_markdown(summary(*REPEATED, row("z", 0, "fallback:<b>|x")))
    assert "4 questions" not in text and "5 questions, 9 answers, of which 5 took the path." in text
    assert "| figures | 1 |" in text and "| failed: timeout | 1 |" in text
    assert "<b>" not in text
