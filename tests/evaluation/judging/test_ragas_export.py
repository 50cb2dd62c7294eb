"""Do samples go out as ragas reads them, and do its scores find their answers again?"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from ankare.errors import BadInputError
from ankare.evaluation.captured import Run
from ankare.evaluation.judging.agreement import judge_agreement
from ankare.evaluation.judging.judged_file import keep_judged, with_judged
from ankare.evaluation.judging.ragas import read_scores_of_ragas, write_samples
from ankare.evaluation.measures.score import score_run
from tests.evaluation.kept_runs import BOARD, BODIES, CASES, MONEY, body, write_run

HEAD = ("user_input", "retrieved_contexts", "response", "reference")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return write_run(tmp_path / "run")


def exported(run: Run, folder: Path) -> list[dict[str, object]]:
    write_samples(run, folder / "samples.jsonl")
    return [json.loads(line) for line in (folder / "samples.jsonl").read_text("utf-8").splitlines()]


def scored(
    path: Path, samples: Sequence[Mapping[str, object]], columns: Sequence[str], *values: Sequence[object]
) -> Path:
    """As `result.to_pandas().to_csv(path, index=False)` writes it."""
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow([*HEAD, *columns])
        for sample, row in zip(samples, values, strict=True):
            out.writerow([*(sample[name] for name in HEAD), *row])
    return path


def test_samples_have_the_fields_of_a_single_turn(run: Run, tmp_path: Path) -> None:
    samples = exported(run, tmp_path)
    assert [set(sample) for sample in samples] == [{"user_input", "response", "retrieved_contexts", "reference"}] * 3
    money = samples[1]
    assert money["response"] == f"{MONEY}\nDen betalas av staten."
    assert money["retrieved_contexts"] == [BOARD, MONEY]
    assert money["reference"] == "Två miljoner kronor."


def test_refusals_figures_and_repeats_of_the_same_text_are_no_samples_of_their_own(tmp_path: Path) -> None:
    figures = body(CASES[0].question, answered=True, route="structured", answer_origin="figures", claims=[])
    run = write_run(tmp_path / "run", bodies={**BODIES, "board": figures}, repeats=3)
    assert [sample["user_input"] for sample in exported(run, tmp_path)] == [CASES[1].question, CASES[2].question]


def test_a_run_without_answers_from_documents_is_told(tmp_path: Path) -> None:
    run = write_run(tmp_path, cases=CASES[3:])
    with pytest.raises(BadInputError, match="No answer"):
        write_samples(run, tmp_path / "s.jsonl")


def test_scores_come_back_in_any_order_under_any_of_their_names(run: Run, tmp_path: Path) -> None:
    samples = exported(run, tmp_path)
    columns = ("faithfulness", "answer_relevancy", "llm_context_precision_with_reference", "context_recall")
    path = scored(
        tmp_path / "r.csv", samples[::-1], columns, (1, 0.9, "", 1), (0.5, 0.8, 0.9999999999, "nan"), (1.0, 0.7, 1, 0)
    )
    rows = {row.case_id: row.values for row in read_scores_of_ragas(run, path)}
    assert rows["money"] == {"faithfulness": 0.5, "answer_relevance": 0.8, "context_precision": 0.9999999999}
    assert rows["holiday"] == {"faithfulness": 1.0, "answer_relevance": 0.9, "context_recall": 1.0}


def test_scores_stand_for_every_repeat_and_beside_ours(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", repeats=2)
    samples = exported(run, tmp_path)
    path = scored(tmp_path / "r.csv", samples, ["faithfulness"], [1], [0.25], [1])
    rows = read_scores_of_ragas(run, path)
    assert len(rows) == 6
    keep_judged(rows, tmp_path)
    joined = with_judged(score_run(run), tmp_path)
    assert [row.values["ragas_faithfulness"] for row in joined.rows if row.case_id == "money"] == [0.25, 0.25]
    (found,) = judge_agreement(score_run(run), rows)
    assert (found.measure, found.n, found.equal.n) == ("faithfulness", 6, 0)


@pytest.mark.parametrize(
    ("value", "told"),
    [("1.5", "not from 0 to 1"), ("-0.1", "not from 0 to 1"), ("bra", "no number"), ("inf", "not from")],
)
def test_a_score_that_is_none_is_told_with_its_line(run: Run, tmp_path: Path, value: str, told: str) -> None:
    samples = exported(run, tmp_path)
    path = scored(tmp_path / "r.csv", samples[:1], ["faithfulness"], [value])
    with pytest.raises(BadInputError, match=rf"r\.csv:2, faithfulness: .*{told}"):
        read_scores_of_ragas(run, path)


def test_a_sample_of_another_run_is_told(run: Run, tmp_path: Path) -> None:
    sample = {**exported(run, tmp_path)[0], "response": "Något annat."}
    path = scored(tmp_path / "r.csv", [sample], ["faithfulness"], [1])
    with pytest.raises(BadInputError, match=r"r\.csv:2 is no sample of this run"):
        read_scores_of_ragas(run, path)


@pytest.mark.parametrize(
    "data", [b"", b"a,b\n1,2\n", b"user_input,response\nx,y\n", b"\xff\xfe\x00", b"user_input\n\x00\n"]
)
def test_what_is_no_table_of_ragas_is_refused(run: Run, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "r.csv").write_bytes(data)
    with pytest.raises(BadInputError):
        read_scores_of_ragas(run, tmp_path / "r.csv")
