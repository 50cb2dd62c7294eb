"""Does `ankare gate` answer every line in its place, at once, and tell which ones it could not use?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from ankare.cli.gate import LONGEST_LINE, asked_of, gate
from ankare.errors import SettingsError
from ankare.gate.grounding import GroundingGate

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(gate)

EVIDENCE = "Rapporten lämnas till styrgruppen senast den 15 april. Styrgruppen har fem ledamöter."
TRUE = {"claim": "Styrgruppen har fem ledamöter.", "evidence": [EVIDENCE]}
FALSE = {"claim": "Styrgruppen har sju ledamöter.", "evidence": [EVIDENCE]}


def run(*lines: object, arguments: tuple[str, ...] = ("--json",)) -> tuple[list[dict[str, Any]], str, int]:
    """Rows out, what stderr says, exit code. A line that is no text is written as JSON."""
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    result = CliRunner().invoke(app, list(arguments), input=text)
    return [json.loads(row) for row in result.stdout.splitlines()], result.stderr, result.exit_code


def test_each_line_is_answered_with_verdict_reason_and_spans() -> None:
    (held, not_held), errors, code = run(TRUE, FALSE)
    assert (held["supported"], held["reason"], code, errors) == (True, None, 0, "")
    assert held["spans"] == [
        {"evidence": 0, "start": 55, "end": len(EVIDENCE), "text": "Styrgruppen har fem ledamöter."}
    ]
    assert held["score"] > not_held["score"]
    assert (not_held["supported"], not_held["reason"], not_held["spans"]) == (False, "number_mismatch", [])


def test_a_span_is_one_of_the_text_as_it_was_given() -> None:
    evidence = ["Något annat.", "Om avgift:\r\n- Styrgruppen har\r\n  fem ledamöter.\r\n- Ja"]
    (row,), _, _ = run({"claim": TRUE["claim"], "evidence": evidence})
    (span,) = row["spans"]
    assert span["evidence"] == 1
    assert evidence[1][span["start"] : span["end"]] == span["text"] == "Styrgruppen har\r\n  fem ledamöter."


def test_a_claim_of_several_sentences_is_supported_only_if_each_is() -> None:
    (row,), _, _ = run({"claim": f"{TRUE['claim']} {FALSE['claim']}", "evidence": [EVIDENCE]})
    assert not row["supported"]
    assert [sentence["supported"] for sentence in row["sentences"]] == [True, False]
    assert row["score"] == min(sentence["score"] for sentence in row["sentences"])
    assert row["spans"] == []
    assert row["sentences"][0]["spans"] != []
    assert "sentences" not in run(TRUE)[0][0]


def test_a_changed_middle_of_the_same_evidence_is_judged_anew() -> None:
    """Beginning and end are the same, so nothing that is remembered of one may answer for the other."""
    head, tail = (
        "Förvaltningen har ett uppdrag som är långt och väl beskrivet i planen. ",
        " Det gäller för alla nämnder och förvaltningar i hela kommunen.",
    )
    pairs = [
        {"claim": TRUE["claim"], "evidence": [f"{head}Styrgruppen har {n} ledamöter.{tail}"]} for n in ("fem", "sju")
    ]
    rows, _, _ = run(*pairs)
    assert [row["supported"] for row in rows] == [True, False]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "no JSON"),
        ("", "no JSON"),
        ("[1]", "no JSON object"),
        ("[" * 50_000, "no JSON"),
        ({"evidence": ["x"]}, '"claim"'),
        ({"claim": 3, "evidence": ["x"]}, '"claim"'),
        ({"claim": " ", "evidence": ["x"]}, '"claim"'),
        ({"claim": "x"}, '"evidence"'),
        ({"claim": "x", "evidence": "x"}, '"evidence"'),
        ({"claim": "x", "evidence": ["x", 1]}, '"evidence"'),
        ({"claim": "x", "evidence": None}, '"evidence"'),
        ({**TRUE, "question": 1}, '"question"'),
        ({**TRUE, "language": "xx"}, '"language"'),
        ({**TRUE, "language": 1}, '"language"'),
        ({"claim": "x" * LONGEST_LINE, "evidence": []}, "longer than"),
        ({"claim": "x" * 3 * LONGEST_LINE, "evidence": []}, "longer than"),
    ],
)
def test_a_bad_line_is_told_with_line_and_field_and_the_others_are_answered(line: object, told: str) -> None:
    rows, errors, code = run(TRUE, line, FALSE)
    assert [row.get("supported") for row in rows] == [True, None, False]
    assert told in rows[1]["error"]
    assert errors.splitlines() == [rows[1]["error"]]
    assert errors.startswith("line 2: ")
    assert code == 2


@pytest.mark.parametrize(
    ("name", "meant"),
    [("langauge", "language"), ("lang", "language"), ("questions", "question"), ("Language", "language")],
)
def test_a_field_that_is_misspelled_is_told_and_not_passed_over(name: str, meant: str) -> None:
    (row,), errors, code = run(TRUE | {name: "sv"})
    assert row == {"error": f'line 1: "{name}" is no field; did you mean "{meant}"?'}
    assert name in errors
    assert code == 2


@pytest.mark.parametrize("name", ["id", "group", "label", "claim_id", "evidence_ids", "note"])
def test_a_field_of_the_callers_own_changes_nothing(name: str) -> None:
    assert run(TRUE | {name: "x"}) == run(TRUE)


def test_bytes_that_are_no_text_are_a_bad_line() -> None:
    with pytest.raises(ValueError, match="UTF-8"):
        asked_of(b'{"claim": "\xff"}')


def test_a_claim_without_evidence_is_answered_and_not_supported() -> None:
    (row,), _, code = run({"claim": TRUE["claim"], "evidence": []})
    assert (row["supported"], code) == (False, 0)


def test_odd_text_gets_an_answer_that_can_be_read() -> None:
    rows, _, code = run({"claim": "\ud800 är <b>fem</b>.", "evidence": ["\x00"]}, {**TRUE, "claim": "{}"})
    assert [row["supported"] for row in rows] == [False, False]
    assert code == 0


def test_null_fields_count_as_not_given_and_language_is_guessed() -> None:
    english = {"claim": "The board has five members.", "evidence": ["The board has five members."], "language": None}
    rows, _, _ = run(english, TRUE, {**TRUE, "question": None, "language": "sv"})
    assert [(row["language"], row["supported"]) for row in rows] == [("en", True), ("sv", True), ("sv", True)]


def test_a_file_is_read_like_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(TRUE).encode() + b"\r\n" + json.dumps(FALSE).encode())
    rows, _, code = run(arguments=("--json", "--file", str(file)))
    assert [row["supported"] for row in rows] == [True, False]
    assert code == 0


@pytest.mark.parametrize(("row", "code"), [(TRUE, 0), (FALSE, 3)])
def test_one_claim_is_shown_to_a_reader(row: dict[str, Any], code: int) -> None:
    result = CliRunner().invoke(app, ["--claim", row["claim"], "--evidence", "Annat.", "--evidence", EVIDENCE])
    assert result.exit_code == code
    assert ("yes" if code == 0 else "number_mismatch") in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--claim", "x"],
        ["--claim", " ", "--evidence", "x"],
        ["--evidence", "x", "--json"],
        ["--file", "x"],
        ["--json", "--language", "zh"],
    ],
)
def test_bad_use_is_told(arguments: list[str]) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == 2


def test_each_answer_comes_before_the_next_line_is_asked_for() -> None:
    """A program that waits for each answer before it writes the next line is never left waiting."""
    command = [sys.executable, "-c", "from ankare.cli.main import run; run()", "gate", "--json"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as talk:
        assert talk.stdin is not None
        assert talk.stdout is not None
        for row, supported in ((TRUE, True), (FALSE, False), (TRUE, True)):
            talk.stdin.write(json.dumps(row).encode() + b"\n")
            talk.stdin.flush()
            assert json.loads(talk.stdout.readline())["supported"] is supported
        talk.stdin.close()
        assert talk.wait() == 0


def test_a_saboteur_gate_that_passes_everything_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = GroundingGate.judge

    def passes(self: GroundingGate, text: str, *arguments: Any, **named: Any) -> Any:
        return judge(self, TRUE["claim"], *arguments, **named)

    monkeypatch.setattr(GroundingGate, "judge", passes)
    (row,), _, _ = run(FALSE)
    assert row["supported"], "the promises above would not notice a gate that passes everything"


TOLD = {"claim": "Senast den 15 april lämnas rapporten till styrgruppen.", "evidence": [EVIDENCE]}
"""True in another order: what is copied word for word passes at any threshold."""


@pytest.mark.parametrize("arguments", [("--json",), ("--claim", TOLD["claim"], "--evidence", EVIDENCE, "--json")])
def test_the_threshold_is_that_of_the_environment(monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]) -> None:
    lines = [TOLD] if len(arguments) == 1 else []
    (held,), _, _ = run(*lines, arguments=arguments)
    assert held["supported"]
    assert held["score"] < 0.95
    monkeypatch.setenv("ANKARE_GROUNDING_THRESHOLD", "0.95")
    (stopped,), _, _ = run(*lines, arguments=arguments)
    assert (stopped["supported"], stopped["score"]) == (False, held["score"])


def test_a_wrong_threshold_is_told_before_anything_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANKARE_GROUNDING_THRESHOLD", "high")
    result = CliRunner().invoke(app, ["--json"], input=json.dumps(TRUE))
    assert isinstance(result.exception, SettingsError)
    assert result.stdout == ""
