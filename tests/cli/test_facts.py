"""`ankare facts`: what the store holds, for a person and as JSON, and decisions about it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ankare.domain.fact import ReviewStatus
from ankare.facts.sqlite import SqliteFactStore
from ankare.index.home import Home
from ankare.ingest.run import ingest
from tests.facts.making import KEY, fact, many
from tests.ingest.making import folder_of

PENDING = ReviewStatus.PENDING


def run(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from ankare.cli.main import run; run()", "facts", *arguments, "--home", str(home)]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ANKARE_")}
    return subprocess.run(command, capture_output=True, text=True, env={**kept, **environment}, check=False)


def told(home: Path, *arguments: str) -> str:
    done = run(home, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def body(home: Path, *arguments: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(told(home, *arguments, "--json"))
    return read


@pytest.fixture
def store(tmp_path: Path) -> SqliteFactStore:
    store = SqliteFactStore(tmp_path / "facts.db")
    store.init_schema()
    return store


@pytest.mark.parametrize(
    ("command", "said"), [("list", "no figures yet"), ("review", "No figure waits"), ("conflicts", "No conflicts")]
)
def test_a_home_without_figures_is_no_error(tmp_path: Path, command: str, said: str) -> None:
    assert said in told(tmp_path / "nowhere", command)
    assert list(body(tmp_path / "nowhere", command).values()) == [[]]
    assert not (tmp_path / "nowhere").exists()


def test_conflicts_show_every_value_with_its_source(tmp_path: Path, store: SqliteFactStore) -> None:
    store.add_facts(
        [fact("1320.50"), fact("1319", source_doc_id="Delår\x1b[2J.pdf", source_locator="s. 4", unit="EUR_M")]
    )
    store.add_facts([fact("7", period="2023"), fact("7.0", period="2023", source_doc_id="other")])
    shown = told(tmp_path, "conflicts")
    for part in ("REVENUE", "ACME_CN", "2024", "1320.50", "USD_M", "Bokslut.xlsx, Blad1!C7", "1319", "EUR_M", "s. 4"):
        assert part in shown
    assert "2023" not in shown
    assert "\x1b" not in shown
    (conflict,) = body(tmp_path, "conflicts")["conflicts"]
    assert {name: conflict[name] for name in ("metric", "entity", "period_type", "period", "channel")} == {
        "metric": "REVENUE",
        "entity": "ACME_CN",
        "period_type": "FY",
        "period": "2024",
        "channel": "TOTAL",
    }
    assert [(one["value"], one["unit"]) for one in conflict["facts"]] == [("1320.50", "USD_M"), ("1319", "EUR_M")]
    assert conflict["facts"][0]["source"] == {"doc": "Bokslut.xlsx", "locator": "Blad1!C7"}


def test_what_waits_is_listed_with_ids_and_decided_by_them(tmp_path: Path, store: SqliteFactStore) -> None:
    store.add_facts([fact(str(value), review_status=PENDING, source_locator=f"A{value}") for value in range(1, 5)])
    store.add_facts([fact("77")])
    shown = told(tmp_path, "review")
    assert "77" not in shown
    assert "ankare facts review" in shown
    ids = {one["value"]: str(one["id"]) for one in body(tmp_path, "review")["facts"]}
    assert set(ids) == {"1", "2", "3", "4"}
    assert "approved" in told(tmp_path, "review", ids["1"], ids["2"], "approved")
    decided = body(tmp_path, "review", ids["3"], "REJECTED")["facts"]
    assert [(one["value"], one["review_status"]) for one in decided] == [("3", "rejected")]
    assert {str(found.value) for found in store.lookup(KEY)} == {"1", "2", "77"}
    assert store.awaiting(KEY) == 1
    told(tmp_path, "review", ids["1"], "pending")
    assert store.awaiting(KEY) == 2


def test_a_decision_with_an_unknown_id_is_not_made(tmp_path: Path, store: SqliteFactStore) -> None:
    store.add_facts([fact("1", review_status=PENDING)])
    (stored,) = store.facts()
    done = run(tmp_path, "review", str(stored.id), "4711", "approved")
    assert done.returncode == 2
    assert "4711" in done.stderr
    assert store.awaiting(KEY) == 1


@pytest.mark.parametrize(
    "arguments", [("1",), ("approved",), ("1", "maybe"), ("x", "approved"), ("1", "2"), ("²", "approved")]
)
def test_a_decision_that_cannot_be_read_is_bad_use(
    tmp_path: Path, store: SqliteFactStore, arguments: tuple[str, ...]
) -> None:
    store.add_facts([fact(review_status=PENDING)])
    done = run(tmp_path, "review", *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert store.awaiting(KEY) == 1


def test_the_list_can_be_narrowed(tmp_path: Path, store: SqliteFactStore) -> None:
    store.add_facts([fact("1"), fact("2", entity="ACME_HK"), fact("3", period="2023"), fact("4", metric_code="PROFIT")])
    store.add_facts([fact("5", channel="AGENCY", review_status=PENDING)])

    def listed(*arguments: str) -> set[str]:
        return {one["value"] for one in body(tmp_path, "list", *arguments)["facts"]}

    assert listed() == {"1", "2", "3", "4", "5"}
    assert listed("--metric", "revenue", "--period", "2024") == {"1", "2", "5"}
    assert listed("--entity", "ACME_HK") == {"2"}
    assert listed("--status", "pending") == {"5"}
    assert listed("--metric", "profit", "--period", "H1 2024") == set()
    assert "AGENCY" in told(tmp_path, "list", "--status", "pending")
    assert "No figure is like that." in told(tmp_path, "list", "--metric", "PROFIT", "--period", "2020")


def test_names_of_the_homes_profile_narrow_the_list(tmp_path: Path, store: SqliteFactStore) -> None:
    store.add_facts(
        [fact("1"), fact("2", entity="ACME_HK"), fact("3", metric_code="OLD", period_type="QUARTER", period="2024Q3")]
    )
    profile = (
        '[metrics.REVENUE]\nlabel = "Omsättning"\naliases = ["intäkter"]\n[entities.ACME_CN]\nlabel = "Kina"\n'
        '[metrics.PROFIT]\nlabel = "Resultat"\n'
    )
    pack = folder_of(tmp_path / "pack", {"profile.toml": profile, "documents/om.md": "Om."})
    ingest([pack], Home(tmp_path))

    def listed(*arguments: str) -> list[str]:
        return [one["value"] for one in body(tmp_path, "list", *arguments)["facts"]]

    assert listed("--metric", "Omsättning") == listed("--metric", "INTÄKTER") == ["1", "2"]
    assert listed("--metric", "revenue", "--entity", "kina") == ["1"]
    assert listed("--metric", "old", "--period", "tredje kvartalet 2024") == ["3"]
    assert listed("--metric", "Resultat") == []
    done = run(tmp_path, "list", "--metric", "Omsätning")
    assert done.returncode == 2
    assert "no metric 'Omsätning'. Known are REVENUE (Omsättning), PROFIT (Resultat), OLD." in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--metric", "COSTS"), "There is no metric 'COSTS'. Known are REVENUE."),
        (("--entity", "X"), "There is no entity 'X'. Known are ACME_CN."),
        (("--period", "T4 2024"), "'T4 2024' is no period: write a year (2024), a half-year (2024H1),"),
    ],
)
def test_an_unknown_name_is_told_with_those_that_are_known(
    arguments: tuple[str, ...], said: str, tmp_path: Path, store: SqliteFactStore
) -> None:
    store.add_facts([fact("1")])
    done = run(tmp_path, "list", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in " ".join(done.stderr.split())


def test_a_long_list_says_that_it_is_cut_and_json_is_whole(tmp_path: Path, store: SqliteFactStore) -> None:
    store.add_facts(many(250))
    assert "Only the first 200" in told(tmp_path, "list")
    assert "Only the first" not in told(tmp_path, "list", "--limit", "0")
    assert len(body(tmp_path, "list")["facts"]) == 250


def test_a_store_that_cannot_be_used_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "facts.db").write_text("not a database at all, but a text\n" * 50)
    for command in ("list", "review", "conflicts"):
        done = run(tmp_path, command)
        assert done.returncode == 2
        assert done.stderr.startswith("ankare: ")
        assert done.stderr.count("\n") == 1


def test_the_setting_names_another_store(tmp_path: Path, store: SqliteFactStore) -> None:
    pytest.importorskip("psycopg")
    store.add_facts([fact()])
    done = run(tmp_path, "list", ANKARE_FACTS_URL="postgresql://me:hemlig@127.0.0.1:1/figures")
    assert done.returncode == 2
    assert "127.0.0.1:1/figures cannot be reached" in done.stderr
    assert "hemlig" not in done.stderr
