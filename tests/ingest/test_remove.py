"""What a removal promises: only what was named goes, all of it or nothing, and what is left is as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ankare.errors import BadInputError, HomeError, HomeLockedError
from ankare.facts.open import open_store
from ankare.index import build as build_module
from ankare.index.build import locked
from ankare.index.home import Home
from ankare.ingest.remove import remove
from ankare.ingest.run import ingest
from tests.ingest.making import folder_of

PROFILE = """
[home]
entity = "BOLAG"
[entities.BOLAG]
label = "Bolaget"
[metrics.REVENUE]
label = "Omsättning"
unit = "SEK_M"
"""
TABLE = "metric,entity,period,value,unit\nREVENUE,BOLAG,2024,{},SEK_M\n"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    files = {
        "profile.toml": PROFILE,
        "documents/drift.md": "# Drift\n\nDriften ska testas varje vecka.\n",
        "documents/chef.txt": "Chefen beslutar om planen.\n",
        "facts/ett.csv": TABLE.format(10),
        "facts/tva.csv": TABLE.format(12),
    }
    return folder_of(tmp_path / "pack", files)


@pytest.fixture
def home(tmp_path: Path, pack: Path) -> Home:
    opened = Home(tmp_path / "home")
    ingest([pack], opened, workers=1)
    return opened


def held(home: Home) -> list[str]:
    return [entry.document.source for entry in home.manifest().entries]


def figures(home: Home) -> list[str]:
    store = open_store(home.path / "facts.db")
    try:
        return sorted(Path(path).name for path in store.files())
    finally:
        store.close()


def test_a_document_goes_and_the_others_stay(home: Home) -> None:
    report = remove(["drift.md"], home)
    assert [(file.source, file.status.value) for file in report.files] == [("drift.md", "removed")]
    assert held(home) == ["chef.txt"]
    assert "driften" not in home.open_current().vocabulary
    assert "chefen" in home.open_current().vocabulary


def test_a_file_of_figures_goes_with_its_figures(home: Home) -> None:
    report = remove(["ett.csv"], home)
    assert (report.facts, report.built, figures(home)) == (1, False, ["tva.csv"])
    assert held(home) == ["chef.txt", "drift.md"]


def test_what_is_left_is_what_an_ingest_without_it_gives(home: Home, pack: Path, tmp_path: Path) -> None:
    remove(["drift.md"], home)
    (pack / "documents/drift.md").unlink()
    fresh = Home(tmp_path / "fresh")
    ingest([pack], fresh, workers=1)
    assert home.manifest() == fresh.manifest()
    assert home.open_current().vocabulary == fresh.open_current().vocabulary


def test_the_file_stays_and_comes_back_when_its_folder_is_read(home: Home, pack: Path) -> None:
    remove(["drift.md", "ett.csv"], home)
    assert (pack / "documents/drift.md").is_file()
    ingest([pack], home, workers=1)
    assert (held(home), figures(home)) == (["chef.txt", "drift.md"], ["ett.csv", "tva.csv"])


@pytest.mark.parametrize("unknown", ["drif.md", "", "../drift.md", "/etc/passwd", "ett"])
def test_with_an_unknown_name_nothing_goes(home: Home, unknown: str) -> None:
    before = home.current_version()
    with pytest.raises(BadInputError, match="There is no"):
        remove(["chef.txt", "tva.csv", unknown], home)
    assert (home.current_version(), figures(home)) == (before, ["ett.csv", "tva.csv"])


def test_an_unknown_name_is_told_with_what_is_near(home: Home) -> None:
    with pytest.raises(BadInputError, match=r"Near it: drift\.md"):
        remove(["drif.md"], home)


def test_a_name_that_several_files_of_figures_have_is_not_guessed(home: Home, tmp_path: Path) -> None:
    other = folder_of(tmp_path / "mer", {"facts/ett.csv": TABLE.format(11)})
    ingest([other / "facts"], home, workers=1)
    with pytest.raises(BadInputError, match="Several files"):
        remove(["ett.csv"], home)
    remove([str(other / "facts/ett.csv")], home)
    assert figures(home) == ["ett.csv", "tva.csv"]


def test_what_is_gone_already_can_be_passed_over(home: Home) -> None:
    remove(["drift.md"], home)
    report = remove(["drift.md", "chef.txt"], home, missing_ok=True)
    assert [file.source for file in report.files] == ["chef.txt"]
    assert held(home) == []


def test_a_removal_that_ends_in_the_middle_leaves_everything(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    before = home.current_version()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(build_module, "sync", full)
    with pytest.raises(HomeError, match="disk is full"):
        remove(["drift.md", "ett.csv"], home)
    monkeypatch.undo()
    assert (home.current_version(), figures(home)) == (before, ["ett.csv", "tva.csv"])
    assert held(home) == ["chef.txt", "drift.md"]
    assert "driften" in home.open_current().vocabulary


def test_a_damaged_index_is_rebuilt_by_a_removal(home: Home) -> None:
    (home.version_folder() / "vocabulary.tsv").unlink()
    remove(["drift.md"], home)
    assert held(home) == ["chef.txt"]
    assert "chefen" in home.open_current().vocabulary


def test_while_another_process_builds_nothing_is_removed(home: Home) -> None:
    with locked(home), pytest.raises(HomeLockedError):
        remove(["drift.md"], home)


def test_a_home_that_holds_nothing_knows_no_name(tmp_path: Path) -> None:
    with pytest.raises(BadInputError):
        remove(["drift.md"], Home(tmp_path / "empty"))


def run(*arguments: object, home: Home) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "ANKARE_SEMANTIC": "false", "ANKARE_HOME": str(home.path)}
    command = [sys.executable, "-m", "ankare", "remove", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_the_command_tells_what_went(home: Home) -> None:
    done = run("drift.md", "ett.csv", home=home)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Removed drift.md" in done.stdout
    assert "Removed ett.csv: 1 figure taken out" in done.stdout
    assert json.loads(run("chef.txt", "--json", home=home).stdout)["documents"] == 0


def test_the_command_refuses_an_unknown_name_in_one_line(home: Home) -> None:
    done = run("saknas.md", home=home)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("ankare: There is no saknas.md")
