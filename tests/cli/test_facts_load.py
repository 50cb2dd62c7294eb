"""`ankare facts load`: what scripts can rely on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ankare.cli.facts import app
from ankare.errors import AnkareError
from ankare.sample import pack_path
from tests.cli.test_ingesting import run
from tests.ingest.making import folder_of

TABLE = "metric;entity;period;value;unit\nOmsättning;Norge;2024;1 320,5;MSEK\n"


def load(*arguments: object, home: Path) -> Result:
    return CliRunner().invoke(app, ["load", *map(str, arguments), "--home", str(home)])


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return folder_of(tmp_path / "in", {"tal.csv": TABLE}) / "tal.csv"


def test_the_sample_pack_is_loaded_and_a_second_time_changes_nothing(tmp_path: Path) -> None:
    done = load(pack_path(), "--json", home=tmp_path / "h")
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert {file["status"] for file in told["files"]} == {"added"}
    assert told["facts"] == sum(file["facts"] for file in told["files"]) > 300
    assert sum(file["conflicts"] for file in told["files"]) == 2
    again = json.loads(load("--pack", pack_path(), "--json", home=tmp_path / "h").stdout)
    assert {file["status"] for file in again["files"]} == {"unchanged"}
    assert again["facts"] == told["facts"]
    counts = {"facts", "added", "unchanged", "removed", "pending", "conflicts"}
    assert set(told["files"][0]) == {"source", "path", "status", "faults", "notes", "message", "access"} | counts


def test_text_tells_what_came_in_and_what_to_do_next(tmp_path: Path) -> None:
    shown = load(pack_path(), home=tmp_path / "h").stdout
    assert "Koncernrapport_2024.xlsx: added, 72 figures (72 new, 0 gone, 0 unchanged)" in shown
    assert "1 figure in conflict with another source. See: ankare facts conflicts" in shown
    assert "2 figures to be reviewed. Decide: ankare facts review" in shown
    assert "The store holds 390 figures." in shown


def test_a_refused_file_is_exit_code_one_and_changes_nothing(tmp_path: Path, table: Path) -> None:
    table.write_text(TABLE + "X;Norge;2023;5;MSEK\n", encoding="utf-8")
    done = load(table, "--pack", pack_path(), home=tmp_path / "h")
    assert done.exit_code == 1
    assert "tal.csv: refused with 1 fault; nothing of it was changed." in done.stdout
    assert "  row 3: metric: unknown metric 'X'" in done.stdout
    assert "  Correct it, or leave the bad row out with --skip-bad." in done.stdout
    assert "The store holds 0 figures." in done.stdout


def test_bad_rows_are_left_out_on_request(tmp_path: Path, table: Path) -> None:
    table.write_text(TABLE + "X;Norge;2023;5;MSEK\n", encoding="utf-8")
    done = load(table, "--pack", pack_path(), "--skip-bad", home=tmp_path / "h")
    assert done.exit_code == 0
    assert "tal.csv: added, 1 figure (1 new, 0 gone, 0 unchanged)" in done.stdout
    assert "skipped for 1 fault:" in done.stdout
    table.write_text(TABLE.replace("Norge", "X"), encoding="utf-8")
    done = load(table, "--pack", pack_path(), "--skip-bad", home=tmp_path / "h")
    assert done.exit_code == 1
    assert "No row is without a fault" in done.stdout
    assert "--skip-bad" not in done.stdout


def test_a_mapping_can_be_named(tmp_path: Path) -> None:
    folder = folder_of(
        tmp_path / "in",
        {
            "r.csv": ";2022\nOmsättning;7\n",
            "m.toml": '[[tables]]\nmetric_column = "A"\nheader_row = 1\ncolumns = "B"\nfirst_row = 2\n'
            'entity = "BVT"\nunit = "MSEK"\n',
        },
    )
    done = load(folder / "r.csv", "--map", folder / "m.toml", "--pack", pack_path(), "--json", home=tmp_path / "h")
    assert json.loads(done.stdout)["facts"] == 1


def test_the_profile_is_the_homes_where_no_pack_is_named(tmp_path: Path, table: Path) -> None:
    home = tmp_path / "h"
    done = load(table, home=home)
    assert isinstance(done.exception, AnkareError)
    assert "Name the pack: --pack DIR." in str(done.exception)
    assert not (home / "facts.db").exists()
    run("ingest", "--pack", pack_path(), home=home)
    assert load(table, home=home).exit_code == 0


def test_bad_use_is_one_line_and_exit_code_two(tmp_path: Path) -> None:
    for arguments in (["nix.csv", "--pack", pack_path()], [pack_path() / "documents", "--pack", tmp_path], []):
        done = run("facts", "load", *arguments, home=tmp_path / "h")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("ankare: ")
        assert done.stderr.count("\n") == 1


def test_ingest_tells_the_figures_and_fails_for_a_bad_file(tmp_path: Path) -> None:
    pack = folder_of(
        tmp_path / "pack",
        {
            "profile.toml": (pack_path() / "profile.toml").read_text("utf-8"),
            "facts/tal.csv": TABLE,
            "documents/om.md": "Om.",
        },
    )
    home = tmp_path / "h"
    done = run("ingest", pack, home=home)
    assert done.returncode == 0
    assert "The home holds 1 document in 1 chunk and 1 figure, new" in done.stdout
    (pack / "facts" / "tal.csv").write_text(TABLE + "X;Norge;2023;5;MSEK\n", encoding="utf-8")
    bad = run("ingest", pack, home=home)
    assert bad.returncode == 1
    assert "row 3: metric: unknown metric 'X'" in " ".join(bad.stdout.split())
    assert run("ingest", pack, "--skip-bad", home=home).returncode == 0


def test_figures_alone_can_be_asked_about(tmp_path: Path) -> None:
    pack, home = tmp_path / "pack", tmp_path / "home"
    (pack / "facts").mkdir(parents=True)
    (pack / "profile.toml").write_text(
        '[home]\nentity = "G"\n[entities.G]\nlabel = "Group"\n[metrics.REV]\nlabel = "Revenue"\nunit = "SEK_M"\n'
    )
    (pack / "facts" / "f.csv").write_text("metric,entity,period,value,unit\nREV,G,2024,12.50,MSEK\n")
    from ankare.cli.main import app as ankare

    runner = CliRunner()
    done = runner.invoke(
        ankare, ["facts", "load", str(pack / "facts" / "f.csv"), "--pack", str(pack), "--home", str(home)]
    )
    assert done.exit_code == 0, done.output
    asked = runner.invoke(ankare, ["ask", "What was revenue of the group in 2024?", "--home", str(home), "--json"])
    assert asked.exit_code == 0 and json.loads(asked.stdout)["facts"][0]["value"] == "12.50"


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe.csv")
    done = CliRunner().invoke(app, ["load", str(tmp_path / "pipe.csv"), "--pack", str(tmp_path)])
    assert done.exit_code != 0


def test_the_same_fault_at_many_places_is_told_once(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    (pack / "facts").mkdir(parents=True)
    (pack / "profile.toml").write_text('[home]\nentity = "G"\n[entities.G]\n[metrics.REV]\nunit = "SEK"\n')
    rows = "".join(f"REV,G,Kv {1 + n % 4},{n},SEK\n" for n in range(8))
    (pack / "facts" / "f.csv").write_text("metric,entity,period,value,unit\n" + rows)
    given = ["load", str(pack / "facts"), "--pack", str(pack), "--home", str(tmp_path / "home")]
    done = CliRunner().invoke(app, given)
    assert done.exit_code == 1
    (line,) = [line for line in done.output.splitlines() if "'Kv 1'" in line]
    assert "row 2, row 6" in line and "names no year" in line
