"""Files go into the store whole or not at all, and the same file again changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.domain.fact import FactKey, ReviewStatus
from ankare.errors import BadInputError, FactFileError, FactStoreError
from ankare.facts.sqlite import SqliteFactStore
from ankare.ingest.figures.load import FactFileReport, find_fact_files, load_fact_files
from ankare.ingest.figures.read import read_fact_file
from ankare.ingest.readers import OLE
from ankare.profile.load import load_profile, parse_profile
from ankare.profile.model import Profile
from tests.ingest.figures.making import COLUMNS, HEADER, PROFILE, csv_file, workbook
from tests.ingest.making import folder_of

KEY = FactKey("REVENUE", "ACME", "FY", "2024")


@pytest.fixture
def store() -> Iterator[SqliteFactStore]:
    opened = SqliteFactStore(":memory:", PROFILE)
    yield opened
    opened.close()


def load(store: SqliteFactStore, *paths: Path, skip_bad: bool = False) -> tuple[FactFileReport, ...]:
    return load_fact_files(paths, store, PROFILE, skip_bad=skip_bad)


def table(*values: object, name: str = "REVENUE", unit: str = "USD_M") -> str:
    """Years from 2024 back."""
    rows = (f"{name},ACME,{2024 - at},{value},{unit}\n" for at, value in enumerate(values))
    return f"{HEADER}\n{''.join(rows)}"


def test_figures_go_in_with_their_lineage(store: SqliteFactStore, tmp_path: Path) -> None:
    path = csv_file(tmp_path, table(5, 6))
    (report,) = load(store, path)
    assert (report.source, report.path, report.status, report.facts, report.added) == (
        "tal.csv",
        str(path),
        "added",
        2,
        2,
    )
    (fact,) = store.lookup(KEY)
    assert (str(fact.value), fact.source_doc_id, fact.source_locator, fact.source_file) == (
        "5",
        "tal.csv",
        "row 2",
        str(path),
    )
    assert store.files() == {str(path): fact.source_file_hash}
    assert fact.ingested_at


def test_the_same_file_again_changes_nothing(store: SqliteFactStore, tmp_path: Path) -> None:
    path = csv_file(tmp_path, table(5, 6))
    load(store, path)
    before = list(store.facts())
    (report,) = load(store, path, path)
    assert (report.status, report.added, report.unchanged, report.removed) == ("unchanged", 0, 2, 0)
    assert list(store.facts()) == before


def test_a_changed_file_replaces_only_its_own_figures(store: SqliteFactStore, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    path, other = csv_file(tmp_path, table(5, 6)), csv_file(tmp_path / "b", table(5))
    load(store, path, other)
    csv_file(tmp_path, table(5, 7, 8))
    (report,) = load(store, path)
    assert (report.status, report.added, report.unchanged, report.removed) == ("changed", 2, 1, 1)
    assert store.count() == 4
    assert set(store.files()) == {str(path), str(other)}


def test_a_decision_about_a_figure_that_stays_is_kept(store: SqliteFactStore, tmp_path: Path) -> None:
    path = csv_file(tmp_path, f"{HEADER},review_status\nREVENUE,ACME,2024,5,USD_M,pending\n")
    (report,) = load(store, path)
    assert report.pending == 1
    assert store.lookup(KEY) == ()
    store.review(next(store.facts()).id, ReviewStatus.APPROVED)
    csv_file(tmp_path, f"{HEADER},review_status\nREVENUE,ACME,2024,5,USD_M,pending\nREVENUE,ACME,2023,4,USD_M,\n")
    (report,) = load(store, path)
    assert (report.pending, report.added) == (0, 1)
    assert len(store.lookup(KEY)) == 1


def test_sources_that_disagree_are_both_kept_and_told(store: SqliteFactStore, tmp_path: Path) -> None:
    one, other = csv_file(tmp_path, table(5, 6), "a.csv"), csv_file(tmp_path, table(7, 6), "b.csv")
    first, second = load(store, one, other)
    assert (first.conflicts, second.conflicts) == (1, 1)
    assert len(store.lookup(KEY)) == 2


def test_one_unit_in_two_spellings_is_no_conflict(store: SqliteFactStore, tmp_path: Path) -> None:
    one = csv_file(tmp_path, table(5, unit="MSEK"), "a.csv")
    other = csv_file(tmp_path, table("5.0", unit="SEK_M"), "b.csv")
    assert [report.conflicts for report in load(store, one, other)] == [0, 0]


Load = Callable[[SqliteFactStore, Path], object]


def refuses_the_whole_file(load_file: Load, store: SqliteFactStore, folder: Path) -> None:
    """A file with one bad row among good ones leaves the store as it was."""
    path = csv_file(folder, table(5, 6))
    load(store, path)
    before = list(store.facts())
    for bad in (table(7, "n/a"), table("n/a", 7), table(7, 8, name="REVENU"), "", table(7).replace("unit", "sort")):
        csv_file(folder, bad)
        load_file(store, path)
        assert list(store.facts()) == before


def test_a_file_with_a_bad_row_changes_nothing(store: SqliteFactStore, tmp_path: Path) -> None:
    refuses_the_whole_file(load, store, tmp_path)


def test_a_loader_that_takes_half_a_file_is_found_out(store: SqliteFactStore, tmp_path: Path) -> None:
    """The saboteur: it skips bad rows without being asked."""
    with pytest.raises(AssertionError):
        refuses_the_whole_file(lambda store, path: load(store, path, skip_bad=True), store, tmp_path)


def test_one_refused_file_does_not_keep_the_others_out(store: SqliteFactStore, tmp_path: Path) -> None:
    bad, good = csv_file(tmp_path, table("n/a"), "a.csv"), csv_file(tmp_path, table(5), "b.csv")
    first, second = load(store, bad, good)
    assert (first.status, second.status) == ("failed", "added")
    assert first.faults == ("row 2: value: 'n/a' is no number: leave the row out, or write the value",)
    csv_file(tmp_path, table("n/a"), "b.csv")
    (again,) = load(store, good)
    assert again.message.endswith("What was loaded from it earlier stays.")


def test_what_the_store_refuses_leaves_the_file_out(store: SqliteFactStore, tmp_path: Path) -> None:
    folder = tmp_path / ("m" * 200) / ("n" * 200) / ("o" * 200)
    folder.mkdir(parents=True)
    (report,) = load(store, csv_file(folder, table(5)))
    assert report.status == "failed"
    assert "source_file" in report.message
    assert store.count() == 0


def test_a_store_that_breaks_is_told(tmp_path: Path) -> None:
    csv_file(tmp_path, "no database at all" * 100, "facts.db")
    with pytest.raises(FactStoreError):
        load(SqliteFactStore(tmp_path / "facts.db", PROFILE), csv_file(tmp_path, table(5)))


def test_without_a_profile_nothing_is_read(store: SqliteFactStore, tmp_path: Path) -> None:
    (report,) = load_fact_files([csv_file(tmp_path, table(5))], store, Profile())
    assert (report.status, store.count()) == ("failed", 0)
    assert "without a profile that lists metrics" in report.message


def test_a_profile_without_metrics_is_named_and_how_to_add_one(store: SqliteFactStore, tmp_path: Path) -> None:
    path = tmp_path / "profile.toml"
    path.write_text('[home]\ncompany = "ACME"\n', encoding="utf-8")
    (report,) = load_fact_files([csv_file(tmp_path, table(5))], store, load_profile(path))
    assert f"the profile {path} lists no metrics" in report.message
    assert "[metrics.CODE]" in report.message and "--pack" not in report.message


def test_where_a_profile_lies_makes_it_no_other_one(tmp_path: Path) -> None:
    path = tmp_path / "profile.toml"
    path.write_text('[home]\ncompany = "ACME"\n', encoding="utf-8")
    assert load_profile(path).path == str(path)
    assert load_profile(path) == parse_profile(path.read_bytes())


def test_a_folder_stands_for_its_tables_and_a_pack_for_its_facts(tmp_path: Path) -> None:
    files = {"a.csv": "x", "b/c.XLSX": "x", "b/c.XLSX.map.toml": "x", "om.md": "x", ".dold/d.csv": "x", "~$a.xlsx": "x"}
    pack = folder_of(
        tmp_path / "pack", {"profile.toml": "", "documents/e.csv": "x", **{f"facts/{k}": v for k, v in files.items()}}
    )
    facts = pack / "facts"
    assert find_fact_files([pack]) == find_fact_files([facts]) == [facts / "a.csv", facts / "b" / "c.XLSX"]
    assert find_fact_files([facts / "a.csv", facts / "om.md", facts]) == [
        facts / "a.csv",
        facts / "om.md",
        facts / "b" / "c.XLSX",
    ]


def test_files_that_are_no_tables_but_look_so_are_told(store: SqliteFactStore, tmp_path: Path) -> None:
    """Their owner would take them for loaded: workbooks in other formats, and mappings whose table has another name."""
    folder = folder_of(
        tmp_path / "facts", {"a.csv": table(5), "a.csv.map.toml": "", "b.csv.map.toml": "", "e.md": "x", "d.xls": "x"}
    )
    (folder / "a.csv.map.toml").unlink()
    (folder / "d.xls").write_bytes(OLE + b"\0" * 600)
    with ZipFile(folder / "c.ods", "w") as archive:
        archive.writestr("content.xml", "<a/>")
    told = {report.source: report.message for report in load(store, folder)}
    assert told == {
        "a.csv": "",
        "b.csv.map.toml": "b.csv.map.toml: It describes a table b.csv, and no file of that name lies beside it. Give it "
        "the whole name of its table, or name it with --map.",
        "c.ods": "c.ods: There is no reader for .ods files. Save it as .xlsx.",
        "d.xls": "d.xls: The file is in an Office format from before 2007. Save it as .xlsx.",
    }
    (folder / "b.csv").write_text(table(7), encoding="utf-8")
    (report,) = load(store, folder / "b.csv.map.toml")
    assert report.message == "b.csv.map.toml: It is the mapping of a table. Load b.csv."


def test_paths_without_a_table_are_bad_use(store: SqliteFactStore, tmp_path: Path) -> None:
    folder_of(tmp_path / "tom", {"om.md": "x"})
    for paths, message in (
        ([], "Nothing to load"),
        ([tmp_path / "nix"], "does not exist"),
        ([tmp_path / "tom"], "no table in"),
    ):
        with pytest.raises(BadInputError, match=message):
            load(store, *paths)
    with pytest.raises(BadInputError, match="A mapping describes one file"):
        load_fact_files([csv_file(tmp_path, ""), csv_file(tmp_path, "", "b.csv")], store, PROFILE, mapping=tmp_path)


def test_a_workbook_and_a_table_of_one_name_in_two_folders_are_two_files(
    store: SqliteFactStore, tmp_path: Path
) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        workbook(tmp_path / folder, [COLUMNS, ("REVENUE", "ACME", 2024, 5, "USD_M")])
    load(store, tmp_path)
    assert [(fact.source_doc_id, fact.source_locator) for fact in store.lookup(KEY)] == [
        ("Bokslut.xlsx", "Blad1!D2")
    ] * 2


cells = st.sampled_from(
    ["REVENUE", "ACME", "2024", "12", "1,320", "12 %", "USD_M", "", "-", "é", "\u202e", "1" * 99, '"', "metric", "０"]
) | st.text(max_size=8)
tables = st.lists(st.lists(cells, max_size=8).map(";".join), max_size=6).map("\n".join)


@given(st.binary(max_size=200) | tables.map(lambda rows: f"metric;entity;period;value;unit\n{rows}".encode()))
def test_no_bytes_lead_to_anything_but_figures_or_a_refusal(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = csv_file(tmp_path_factory.getbasetemp(), content)
    try:
        found = read_fact_file(path, "tal.csv", PROFILE)
    except FactFileError as error:
        assert "tal.csv" in str(error)
    else:
        assert all(fact.value.is_finite() for fact in found.facts)
