"""What stands in files steers no terminal: not as JSON, not in tables, not in messages, and JSON still means the same."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from ankare.cli import main, shown
from ankare.cli.eval import app as eval_app
from ankare.cli.shown import json_text, shown_line
from ankare.evaluation.asking.run_folder import keep_suite, write_conditions
from ankare.evaluation.case import Case, Suite
from ankare.evaluation.comparing.told import plain
from ankare.evaluation.measures.scores_file import write_scores
from ankare.evaluation.measures.summary import summarise
from ankare.evaluation.measures.summary_text import summary_markdown
from ankare.evaluation.suites.suite import digest_of
from tests.evaluation.scored_runs import row, run_of

EVIL = "a\x1b[31m\x07\u202eb\u2066\u200fc\u061c\x9b\U000e0041 @boss #12 www.evil.example"
STEERING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def steering(text: str) -> set[str]:
    """What a terminal or a reader may be steered by."""
    return {hex(ord(sign)) for sign in text if unicodedata.category(sign) in STEERING and sign not in "\n\t"}


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8))
def test_json_means_the_same_and_shows_all_of_it(value: object) -> None:
    text = json_text(value)
    assert json.loads(text) == value
    assert not steering(text)


@given(st.characters())
def test_whatever_cannot_be_seen_is_seen(sign: str) -> None:
    kept = set() if sign not in "\xad\u200c\u200d" else {hex(ord(sign))}  # they steer nothing, and writing needs them
    assert steering(shown.shown(f"a{sign}b")) == kept
    assert not steering(plain(f"a{sign}b"))
    assert "\n" not in shown_line(f"a{sign}b")


def test_letters_stay_as_they_are() -> None:
    text = "Vilka åtgärder? 哪些措施？ naïve – “x” 🙂 a\u00a0b"
    assert json.loads(json_text(text)) == text
    assert json_text(text) == f'"{text}"'
    assert shown.shown(text) == text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two runs, all of whose names and questions are evil."""
    cases = tuple(Case(f"q{n:02}", f"What is {n} {EVIL}?") for n in range(12))
    suite = Suite(cases, digest_of(cases))
    for name, value in (("one", 0.9), ("two", 0.4)):
        rows = [
            row(case.id, kind=EVIL, faithfulness=value, aside="" if n else f"failed:{EVIL}")
            for n, case in enumerate(cases)
        ]
        scored = run_of(rows, suite=suite, finished="2026-01-31T12:00:00+00:00")
        scored = replace(scored, conditions=replace(scored.conditions, name=f"{name} {EVIL}", note=EVIL))
        (tmp_path / name).mkdir()
        keep_suite(tmp_path / name, suite)
        write_scores(scored, tmp_path / name)
        write_conditions(tmp_path / name, scored.conditions)
    return tmp_path


WAYS = [
    ["compare", "one", "two"],
    ["compare", "one", "two", "--json"],
    ["compare", "one", "two", "--markdown"],
    ["compare", "one", "two", "--fail-if-worse", "faithfulness"],
    ["compare", "one", "--fail-below", "faithfulness=0.99"],
    ["compare", "one", "--json"],
]


@pytest.mark.parametrize("words", WAYS, ids=" ".join)
def test_no_command_prints_what_steers(folder: Path, words: list[str]) -> None:
    told = [str(folder / word) if (folder / word).exists() else word for word in words]
    result = CliRunner().invoke(eval_app, told, env={"COLUMNS": "300"})
    assert not isinstance(result.exception, Exception) or isinstance(result.exception, SystemExit), result.exception
    assert len(result.output) > 100
    assert not steering(result.output)


def test_a_summary_calls_nobody_and_links_nowhere(folder: Path) -> None:
    rows = [row("q1", kind=EVIL, faithfulness=1.0), row("q2", kind="b", aside=EVIL, faithfulness=1.0)]
    scored = run_of(rows)
    text = summary_markdown(summarise(replace(scored, conditions=replace(scored.conditions, name=EVIL))))
    assert not steering(text)
    assert "boss" in text
    for called in ("@boss", " #12", "www.evil"):
        assert called not in text


def test_an_error_steers_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fails() -> Callable[..., None]:
        raise FileNotFoundError(2, "No such file", EVIL)

    monkeypatch.setattr(main.typer.main, "get_command", lambda _app: lambda **_: fails())
    with pytest.raises(SystemExit):
        main.run()
    assert not steering(capsys.readouterr().err)


def test_a_saboteur_that_writes_json_as_it_comes_is_caught(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "_escaped", lambda match: match[0])
    with pytest.raises(AssertionError):
        test_no_command_prints_what_steers(folder, WAYS[1])
