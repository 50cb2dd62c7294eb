"""Is a run scored row by row, kept, and read again as it was?"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ankare.errors import EvaluationError
from ankare.evaluation.asking.run_folder import write_conditions
from ankare.evaluation.captured import (
    AnswerPath,
    Capture,
    Chain,
    Conditions,
    Context,
    Failure,
    FailureKind,
    Response,
    Run,
    Statement,
)
from ankare.evaluation.case import Case, Gold, Suite
from ankare.evaluation.measures import score
from ankare.evaluation.measures.score import ALL, score_run
from ankare.evaluation.measures.scores_file import FILE, read_scores, write_scores
from ankare.evaluation.scored import Family, Outcome

GOLD = Gold("plan.pdf", (3,), "Styrgruppen beslutar.")
CASES = (Case("first", "Vem beslutar?", "responsibility", True, gold=(GOLD,)), Case("second", "Vad kostar en båt?"))
SUITE = Suite(CASES, "abc", "a suite")
ANSWER = Response(
    "Vem beslutar?",
    True,
    "extractive",
    "narrative",
    "sv",
    statements=(Statement("Styrgruppen beslutar."),),
    context=(Context("c1", "plan.pdf", (3,), "Styrgruppen beslutar."),),
)
REFUSAL = Response("Vad kostar en båt?", False, "refusal", "narrative", "sv")
ASKED_BACK = replace(REFUSAL, route="structured", clarify_mode="ask_first")


def capture(case_id: str, repeat: int, response: Response | None, failure: Failure | None = None) -> Capture:
    return Capture(case_id, repeat, AnswerPath.CONTROL, "", 10.0 + repeat, response, failure)


def run(*captures: Capture) -> Run:
    return Run(Conditions(AnswerPath.CONTROL, SUITE.digest, SUITE.name), SUITE, captures)


RUN = run(
    capture("second", 0, None, Failure(FailureKind.TIMEOUT, "no answer within 5 s")),
    capture("first", 1, ANSWER),
    capture("first", 0, ANSWER),
    capture("second", 1, REFUSAL),
    capture("unknown", 0, ANSWER),
)


def test_rows_come_in_the_order_of_the_suite_with_repeats_together() -> None:
    rows = score_run(RUN).rows
    assert [(row.case_id, row.repeat) for row in rows] == [("first", 0), ("first", 1), ("second", 0), ("second", 1)]


def test_a_row_tells_how_it_ended_and_what_it_measured() -> None:
    first, _, failed, refused = score_run(RUN).rows
    assert (first.outcome, failed.outcome, refused.outcome) == (Outcome.ANSWERED, Outcome.FAILED, Outcome.REFUSED)
    assert (first.aside, failed.aside, refused.aside) == ("", "failed:timeout", "")
    assert (first.type, first.language, first.answerable) == ("responsibility", "sv", True)
    assert first.values["mrr"] == first.values["abstention_correct"] == 1.0
    assert failed.values == {} and failed.details == {"failure": "no answer within 5 s"}
    assert "faithfulness" not in refused.values and "mrr" not in refused.values


def test_asking_back_is_an_outcome_of_its_own() -> None:
    assert score.outcome(ASKED_BACK) is Outcome.ASKED_BACK


def test_the_same_captures_give_the_same_rows() -> None:
    backwards = replace(RUN, captures=RUN.captures[::-1])
    assert score_run(RUN) == score_run(backwards)


def test_values_are_known_measures_and_each_measure_has_one_name() -> None:
    names = [measure.name for measure in ALL.values()]
    assert len(names) == len(set(names)) and set(ALL) == set(names)
    assert {measure.family for measure in ALL.values()} == set(Family)
    assert all(set(row.values) <= set(ALL) for row in score_run(RUN).rows)


NAMES = """faithfulness answer_relevance context_precision context_recall fact_recall fact_precision citation_precision
citation_recall cited_gold_page ndcg_at_10 hit_at_1 hit_at_3 hit_at_8 mrr abstention_correct figure_exact
fragment mechanical_opening repetition sentence_words answer_words wall_ms prompt_tokens completion_tokens
total_tokens model_calls cost fallback approved shadow_context_precision shadow_context_recall"""


def test_names_of_measures_stay_as_they_are() -> None:
    """Files of scores and ratchets hold them."""
    assert set(ALL) == set(NAMES.split())


def test_answers_that_left_their_path_are_scored_and_stand_apart() -> None:
    chain = Chain(True, "reviewed_answer", "fallback", "fallback", fallback_reason="agent_timeout")
    fallen = replace(ANSWER, origin="fallback", chain=chain)
    (row,) = score_run(run(replace(capture("first", 0, fallen), path=AnswerPath.AGENTIC))).rows
    assert row.aside == "fallback:agent_timeout"
    assert row.values["fallback"] == 1.0 and row.values["faithfulness"] == 1.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_conditions(tmp_path, RUN.conditions)
    return tmp_path


def test_what_is_written_is_read_back_equal(folder: Path) -> None:
    scored = score_run(RUN)
    write_scores(scored, folder)
    assert read_scores(folder) == scored
    assert read_scores(folder).rows[0].details == json.loads(json.dumps(scored.rows[0].details))


def test_scores_are_replaced_in_one_step_and_leave_nothing_beside(folder: Path) -> None:
    write_scores(score_run(RUN), folder)
    write_scores(score_run(run(capture("first", 0, ANSWER))), folder)
    assert len(read_scores(folder).rows) == 1
    assert sorted(path.name for path in folder.iterdir()) == ["run.json", FILE]


def test_a_write_that_fails_leaves_the_scores_that_were_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_scores(score_run(RUN), folder)

    def broken(_descriptor: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("ankare.evaluation.measures.scores_file.os.fsync", broken)
    with pytest.raises(OSError, match="full"):
        write_scores(score_run(run(capture("first", 0, ANSWER))), folder)
    assert len(read_scores(folder).rows) == 4
    assert sorted(path.name for path in folder.iterdir()) == ["run.json", FILE]


GOOD = '{"case_id": "a", "repeat": 0, "path": "control", "outcome": "answered", "values": {"mrr": 1.0}}'


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "1",
        "{}",
        GOOD.replace('"a"', "7"),
        GOOD.replace('"a"', '""'),
        GOOD.replace('"control"', '"sideways"'),
        GOOD.replace('"answered"', '"sung"'),
        GOOD.replace("1.0", "NaN"),
        GOOD.replace("1.0", '"high"'),
        GOOD.replace("1.0", "true"),
        GOOD.replace('"repeat": 0', '"repeat": -1'),
        GOOD.replace('"repeat": 0', '"repeat": 0, "command": "rm"'),
        GOOD.replace('"repeat": 0', '"repeat": 0, "answerable": "yes"'),
        "[" * 200_000,
    ],
)
def test_a_line_that_is_no_row_is_told_with_file_and_line(folder: Path, line: str) -> None:
    (folder / FILE).write_text(f"{GOOD}\n\n{line}\n", encoding="utf-8")
    with pytest.raises(EvaluationError, match=rf"{FILE}:3 "):
        read_scores(folder)


def test_a_folder_without_scores_says_how_to_make_them(folder: Path) -> None:
    with pytest.raises(EvaluationError, match="ankare eval score"):
        read_scores(folder)


def test_a_file_that_is_too_large_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / FILE).write_text(f"{GOOD}\n" * 10, encoding="utf-8")
    monkeypatch.setattr("ankare.evaluation.measures.scores_file.MOST_BYTES", 100)
    with pytest.raises(EvaluationError, match="larger"):
        read_scores(folder)
