"""An ingest takes figures along with the documents, and out again with the files that are gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ankare.domain.fact import FactKey
from ankare.errors import BadInputError, PackError
from ankare.facts.sqlite import SqliteFactStore
from ankare.index.home import Home
from ankare.ingest.inputs import is_pack
from ankare.ingest.report import FileReport, IngestReport
from ankare.ingest.run import ingest
from tests.ingest.making import folder_of

PROFILE = """
[entities.ACME]
label = "Koncernen"
[metrics.REVENUE]
label = "Omsättning"
unit = "USD_M"
[documents]
allowed_types = ["md"]
"""
TABLE = "metric;entity;period;value;unit\nOmsättning;koncernen;2024;1 320,5;MUSD\n"
KEY = FactKey("REVENUE", "ACME", "FY", "2024")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    files = {"profile.toml": PROFILE, "documents/om.md": "# Om\n\nKoncernen testas.\n", "facts/tal.csv": TABLE}
    return folder_of(tmp_path / "pack", files)


@pytest.fixture
def store(home: Home) -> Iterator[SqliteFactStore]:
    """The home's own store."""
    opened = SqliteFactStore(home.path / "facts.db")
    yield opened
    opened.close()


def files(report: IngestReport) -> dict[str, FileReport]:
    return {file.source: file for file in report.files}


def statuses(report: IngestReport) -> dict[str, str]:
    return {file.source: file.status.value for file in report.files}


def test_a_pack_brings_its_documents_and_its_figures(home: Home, pack: Path, store: SqliteFactStore) -> None:
    report = ingest([pack], home)
    assert statuses(report) == {"om.md": "added", "tal.csv": "added"}
    assert (files(report)["tal.csv"].facts, files(report)["tal.csv"].chunks, report.facts, report.documents) == (
        1,
        0,
        1,
        1,
    )
    (fact,) = store.lookup(KEY)
    assert (str(fact.value), fact.unit, fact.source_doc_id, fact.source_locator) == (
        "1320.5",
        "USD_M",
        "tal.csv",
        "row 2",
    )
    assert list(home.open_current().sources) == ["om.md"]


def test_a_second_ingest_changes_nothing_and_a_changed_file_its_own_figures(
    home: Home, pack: Path, store: SqliteFactStore
) -> None:
    ingest([pack], home)
    before = list(store.facts())
    again = ingest([pack], home)
    assert set(statuses(again).values()) == {"unchanged"}
    assert (again.built, list(store.facts())) == (False, before)
    (pack / "facts" / "tal.csv").write_text(TABLE.replace("2024;1 320,5", "2024;1 400"), encoding="utf-8")
    changed = files(ingest([pack], home))["tal.csv"]
    assert (changed.status, changed.facts) == ("changed", 1)
    assert changed.message == "1 new figure, 1 gone, 0 unchanged"


def test_a_file_that_is_gone_takes_its_figures_with_it(home: Home, pack: Path, store: SqliteFactStore) -> None:
    (pack / "facts" / "b.csv").write_text(TABLE.replace("2024", "2023"), encoding="utf-8")
    ingest([pack], home)
    (pack / "facts" / "tal.csv").unlink()
    report = ingest([pack / "facts"], home)
    assert statuses(report) == {"b.csv": "unchanged", "tal.csv": "removed"}
    assert (files(report)["tal.csv"].message, report.facts, store.lookup(KEY)) == ("1 figure taken out", 1, ())


def test_a_file_in_a_folder_that_was_not_given_keeps_its_figures(
    home: Home, pack: Path, store: SqliteFactStore
) -> None:
    ingest([pack], home)
    (pack / "facts" / "tal.csv").unlink()
    assert statuses(ingest([pack / "documents"], home)) == {"om.md": "unchanged"}
    assert store.count() == 1


def test_a_bad_file_is_failed_and_keeps_what_was_loaded_while_the_rest_goes_in(
    home: Home, pack: Path, store: SqliteFactStore
) -> None:
    ingest([pack], home)
    (pack / "facts" / "tal.csv").write_text(TABLE + "REVENUE;koncernen;2025;n/a;MUSD\n", encoding="utf-8")
    (pack / "documents" / "ny.md").write_text("Nytt.", encoding="utf-8")
    report = ingest([pack], home)
    assert statuses(report) == {"ny.md": "added", "om.md": "unchanged", "tal.csv": "failed"}
    message = files(report)["tal.csv"].message
    assert "row 3: value: 'n/a' is no number" in message
    assert message.endswith("What was loaded from it earlier stays.")
    assert [file.source for file in report.failed] == ["tal.csv"]
    assert store.count() == 1
    skipped = files(ingest([pack], home, skip_bad=True))["tal.csv"]
    assert (skipped.status, skipped.facts) == ("changed", 1)
    assert "skipped: row 3: value" in skipped.message


@pytest.mark.parametrize("folder", ["", "tabeller/"])
def test_a_table_with_the_fact_columns_is_figures_wherever_it_lies(
    folder: str, home: Home, pack: Path, store: SqliteFactStore
) -> None:
    """Also where the profile does not allow tables as documents."""
    folder_of(pack / "documents", {f"{folder}tal2.csv": TABLE.replace("2024", "2023"), "lista.csv": "a;b\n1;2\n"})
    report = ingest([pack], home)
    assert statuses(report)[f"{folder}tal2.csv"] == "added"
    assert statuses(report)["lista.csv"] == "skipped"
    assert store.count() == 2


def test_columns_named_in_the_language_of_the_profile_make_a_table_of_figures(
    home: Home, pack: Path, store: SqliteFactStore
) -> None:
    swedish = "nyckeltal;bolag;period;värde;enhet\nREVENUE;koncernen;2023;5;MUSD\n"
    folder_of(pack / "documents", {"tal2.csv": swedish})
    assert statuses(ingest([pack], home))["tal2.csv"] == "added"
    assert store.count() == 2


def test_a_table_in_a_facts_folder_or_with_a_mapping_is_figures_by_its_place(
    home: Home, pack: Path, store: SqliteFactStore, tmp_path: Path
) -> None:
    mapping = '[[tables]]\nmetric_column = "A"\nheader_row = 1\ncolumns = "B"\nfirst_row = 2\nentity = "ACME"\nunit = "MSEK"\n'
    report_table = ";2022\nOmsättning;7\n"
    other = folder_of(
        tmp_path / "other",
        {"facts/lista.csv": "a;b\n1;2\n", "r.csv": report_table, "r.csv.map.toml": mapping, "s.csv.map.toml": mapping},
    )
    report = ingest([other], home, pack=pack)
    assert statuses(report) == {"facts/lista.csv": "failed", "r.csv": "added", "s.csv.map.toml": "failed"}
    assert "describes a table s.csv, and no file of that name lies beside it" in files(report)["s.csv.map.toml"].message
    assert "no first row names metric" in files(report)["facts/lista.csv"].message
    (fact,) = [stored.fact for stored in store.facts()]
    assert (fact.source_doc_id, fact.source_locator, fact.period) == ("r.csv", "B2", "2022")
    alone = ingest([other / "facts" / "lista.csv"], home)
    assert statuses(alone) == {"lista.csv": "failed"}


def test_a_document_that_becomes_figures_and_back(
    home: Home, pack: Path, store: SqliteFactStore, tmp_path: Path
) -> None:
    docs = folder_of(tmp_path / "docs", {"tal.csv": "a;b\n1;2\n"})
    (pack / "profile.toml").write_text(PROFILE.replace('["md"]', '["md", "csv"]'), encoding="utf-8")
    ingest([docs], home, pack=pack)
    assert list(home.open_current().sources) == ["tal.csv"]
    (docs / "tal.csv").write_text(TABLE, encoding="utf-8")
    assert statuses(ingest([docs], home)) == {"tal.csv": "added"}
    assert (list(home.open_current().sources), store.count()) == ([], 1)
    (docs / "tal.csv").write_text("a;b\n1;2\n", encoding="utf-8")
    back = ingest([docs], home)
    assert (list(home.open_current().sources), store.count(), back.facts) == (["tal.csv"], 0, 0)


def test_the_profile_that_the_home_keeps_reads_later_files(
    home: Home, pack: Path, store: SqliteFactStore, tmp_path: Path
) -> None:
    ingest([pack], home)
    later = folder_of(tmp_path / "senare", {"facts/b.csv": TABLE.replace("2024", "2025")})
    assert statuses(ingest([later], home)) == {"facts/b.csv": "added"}
    assert store.count() == 2


def test_without_any_profile_figures_are_skipped_and_told(home: Home, tmp_path: Path) -> None:
    docs = folder_of(tmp_path / "docs", {"facts/tal.csv": TABLE, "om.md": "Om."})
    report = ingest([docs], home)
    assert statuses(report) == {"facts/tal.csv": "skipped", "om.md": "added"}
    assert "--pack" in files(report)["facts/tal.csv"].message
    assert not (home.path / "facts.db").exists()


def test_a_pack_needs_no_documents(home: Home, tmp_path: Path, store: SqliteFactStore) -> None:
    pack = folder_of(tmp_path / "pack", {"profile.toml": PROFILE, "facts/tal.csv": TABLE})
    assert is_pack(pack)
    assert statuses(ingest([], home, pack=pack)) == {"tal.csv": "added"}
    assert store.count() == 1
    assert home.open_current().profile_path is not None
    with pytest.raises(PackError, match="documents/ or facts/"):
        ingest([], home, pack=folder_of(tmp_path / "tom", {"profile.toml": PROFILE}))


def test_another_store_can_be_given(home: Home, pack: Path) -> None:
    other = SqliteFactStore(":memory:")
    ingest([pack], home, facts=other)
    assert other.count() == 1
    assert not (home.path / "facts.db").exists()
    other.close()


def test_a_store_that_cannot_be_used_is_told_with_each_file_and_the_documents_go_in(home: Home, pack: Path) -> None:
    home.path.mkdir()
    (home.path / "facts.db").write_bytes(b"something else" * 100)
    report = ingest([pack], home)
    assert statuses(report) == {"om.md": "added", "tal.csv": "failed"}
    assert list(home.open_current().sources) == ["om.md"]


def test_bad_use_is_told_before_anything_is_read(home: Home, tmp_path: Path) -> None:
    with pytest.raises(BadInputError):
        ingest([tmp_path / "nix"], home)
    assert not (home.path / "facts.db").exists()
