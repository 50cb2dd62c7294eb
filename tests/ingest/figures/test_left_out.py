"""Bad rows that were left out once stay left out for the same bytes; anything else is checked as if nothing had been chosen."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ankare.index.home import Home
from ankare.ingest.figures.left_out import FILE, Choice, LeftOut
from ankare.ingest.remove import remove
from ankare.ingest.report import FileReport
from ankare.ingest.run import ingest
from tests.ingest.making import folder_of

PROFILE = """
[entities.ACME]
label = "Koncernen"
[metrics.REVENUE]
label = "Omsättning"
unit = "USD_M"
"""
TABLE = "metric;entity;period;value;unit\nOmsättning;koncernen;2024;5;MUSD\nResultat;koncernen;2024;2;MUSD\n"
MAPPED = "År;2024;2023\nOmsättning;5;n/a\n"
MAPPING = """
[[tables]]
header_rows = [1]
first_row = 2
metric_column = "A"
columns = ["B:C"]
entity = "ACME"
unit = "USD_M"
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return folder_of(tmp_path / "pack", {"profile.toml": PROFILE, "facts/tal.csv": TABLE})


def taken_in(pack: Path, home: Home, *, skip_bad: bool = False) -> FileReport:
    (report,) = ingest([pack], home, skip_bad=skip_bad).files
    return report


def test_the_choice_holds_for_the_same_file(pack: Path, home: Home) -> None:
    assert taken_in(pack, home).status == "failed"
    first = taken_in(pack, home, skip_bad=True)
    assert (first.status, first.facts) == ("added", 1)
    assert "skipped: row 3" in first.message
    for skip_bad in (False, False, True):
        again = taken_in(pack, home, skip_bad=skip_bad)
        assert (again.status, again.facts) == ("unchanged", 1)
        assert again.message == "unchanged, without the rows that were left out before (1 fault)"


def with_other_bytes(pack: Path, _home: Home) -> None:
    folder_of(pack, {"facts/tal.csv": TABLE + "Kostnad;koncernen;2024;1;MUSD\n"})


def with_a_profile_that_makes_more_faults(pack: Path, _home: Home) -> None:
    folder_of(pack, {"facts/tal.csv": TABLE, "profile.toml": PROFILE.replace("Omsättning", "Intäkter")})


def with_a_mapping(pack: Path, _home: Home) -> None:
    folder_of(pack, {"facts/tal.csv.map.toml": MAPPING})


def with_the_file_taken_out_meanwhile(_pack: Path, home: Home) -> None:
    remove(["tal.csv"], home)


def with_a_broken_memory(_pack: Path, home: Home) -> None:
    (home.path / FILE).write_bytes(b'{"a": [')


def with_a_memory_that_is_nested_too_deeply(_pack: Path, home: Home) -> None:
    (home.path / FILE).write_bytes(b"[" * 200_000)


def with_a_memory_of_another_shape(pack: Path, home: Home) -> None:
    (home.path / FILE).write_text(json.dumps({str(pack / "facts/tal.csv"): {"sha256": "", "places": 5}}))


def with_a_pipe_for_a_memory(_pack: Path, home: Home) -> None:
    (home.path / FILE).unlink()
    os.mkfifo(home.path / FILE)


CHECKED_AGAIN = [
    with_other_bytes,
    with_a_profile_that_makes_more_faults,
    with_a_mapping,
    with_the_file_taken_out_meanwhile,
    with_a_broken_memory,
    with_a_memory_that_is_nested_too_deeply,
    with_a_memory_of_another_shape,
    with_a_pipe_for_a_memory,
]


@pytest.mark.parametrize("changed", CHECKED_AGAIN)
def test_anything_else_is_checked_again(pack: Path, home: Home, changed: Callable[[Path, Home], None]) -> None:
    taken_in(pack, home, skip_bad=True)
    changed(pack, home)
    assert taken_in(pack, home).status == "failed"


def test_a_profile_that_knows_more_brings_the_row_in(pack: Path, home: Home) -> None:
    taken_in(pack, home, skip_bad=True)
    folder_of(pack, {"profile.toml": PROFILE + '[metrics.PROFIT]\nlabel = "Resultat"\nunit = "USD_M"\n'})
    better = taken_in(pack, home)
    assert (better.status, better.facts, "left out" in better.message) == ("changed", 2, False)


def test_a_mapping_belongs_to_what_was_chosen(pack: Path, home: Home) -> None:
    folder_of(pack, {"facts/tal.csv": MAPPED, "facts/tal.csv.map.toml": MAPPING})
    assert taken_in(pack, home, skip_bad=True).facts == 1
    assert taken_in(pack, home).status == "unchanged"
    folder_of(pack, {"facts/tal.csv.map.toml": MAPPING + "\n"})
    assert taken_in(pack, home).status == "failed"


def test_a_mapping_that_is_nested_too_deeply_fails_its_file_alone(pack: Path, home: Home) -> None:
    (pack / "facts/tal.csv.map.toml").write_bytes(b"tables = " + b"[" * 100_000)
    report = taken_in(pack, home)
    assert report.status == "failed"
    assert "nested too deep" in report.message


def test_a_pipe_for_a_mapping_is_not_waited_for(pack: Path, home: Home) -> None:
    taken_in(pack, home, skip_bad=True)
    os.mkfifo(pack / "pipe")
    choices, table = LeftOut(home.path / FILE), pack / "facts/tal.csv"
    assert choices.chosen(table, pack / "pipe") == choices.chosen(table, None)


def test_a_choice_that_covers_everything_is_caught(pack: Path, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """The saboteur: a fault at a new place goes in unseen."""
    monkeypatch.setattr(Choice, "covers", lambda _self, _read: True)
    folder_of(pack, {"facts/tal.csv": TABLE + "Omsättning;koncernen;2023;4;MUSD\nIntäkter;koncernen;2022;4;MUSD\n"})
    more = 'aliases = ["Intäkter"]\n'
    folder_of(pack, {"profile.toml": PROFILE + more})
    taken_in(pack, home, skip_bad=True)
    folder_of(pack, {"profile.toml": PROFILE})
    with pytest.raises(AssertionError):
        assert taken_in(pack, home).status == "failed"


def test_what_cannot_be_noted_is_told(pack: Path, home: Home) -> None:
    (home.path / FILE / "in the way").mkdir(parents=True)
    report = taken_in(pack, home, skip_bad=True)
    assert report.status == "added"
    assert "could not be noted" in report.message
