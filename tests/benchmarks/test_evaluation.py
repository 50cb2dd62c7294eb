"""Does the benchmark of scoring still make a run that can be read and scored? No time is looked at."""

from __future__ import annotations

import pytest

from benchmarks import evaluation


def test_the_benchmark_scores_the_run_that_it_makes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["evaluation", "--answers", "5"])
    evaluation.main()
    told = capsys.readouterr().out
    assert "5 captured answers" in told
    assert "in all" in told
