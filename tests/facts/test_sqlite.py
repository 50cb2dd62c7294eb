"""A SQLite file of figures: made only when asked for, told from every other file, whole after any end."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import ankare.facts.sqlite
import ankare.facts.sqlite_file
from ankare.errors import FactStoreError
from ankare.facts import statements
from ankare.facts.migrations import Migration, migrations
from ankare.facts.protocol import LoadResult
from ankare.facts.sqlite import SqliteFactStore
from tests.facts.making import KEY, fact, many


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "facts.db"


def made(path: Path) -> SqliteFactStore:
    store = SqliteFactStore(path)
    store.init_schema()
    return store


def test_making_a_store_creates_nothing(path: Path) -> None:
    assert not SqliteFactStore(path).exists()
    assert list(path.parent.iterdir()) == []


def test_reading_a_store_that_is_not_there_says_what_to_do(path: Path) -> None:
    store = SqliteFactStore(path)
    for read in (store.count, store.files, lambda: store.lookup(KEY), lambda: list(store.facts())):
        with pytest.raises(FactStoreError, match="no figures") as told:
            read()
        assert told.value.remedy
        assert not told.value.retry
    with pytest.raises(FactStoreError, match="no figures"):
        store.add_facts([fact()])
    assert list(path.parent.iterdir()) == []


def test_a_store_in_memory_needs_its_schema_too() -> None:
    store = SqliteFactStore(":memory:")
    assert not store.exists()
    with pytest.raises(FactStoreError, match="no figures"):
        store.count()
    store.init_schema()
    assert store.exists()


@pytest.mark.parametrize("name", ["a b/c?mode=ro#x.db", "100%.db", "räkenskap/数字.db", "'\".db", "%3F.db"])
def test_any_path_will_do(tmp_path: Path, name: str) -> None:
    store = made(tmp_path / name)
    store.add_facts([fact()])
    store.close()
    assert (tmp_path / name).is_file()
    assert SqliteFactStore(str(tmp_path / name)).count() == 1


def test_an_empty_file_is_a_store_to_be_made(path: Path) -> None:
    path.touch()
    assert not SqliteFactStore(path).exists()
    with pytest.raises(FactStoreError, match="no figures"):
        SqliteFactStore(path).count()
    assert made(path).count() == 0


def _text(path: Path) -> None:
    path.write_text("metric,entity\n" * 100)


def _other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE facts (id INTEGER)")
        connection.commit()


def _folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("make", [_text, _other_database, _folder])
def test_a_foreign_file_is_told_and_left_alone(path: Path, make) -> None:
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    store = SqliteFactStore(path)
    for use in (store.exists, store.count, store.init_schema, lambda: store.add_facts([fact()])):
        with pytest.raises(FactStoreError, match=r"facts\.db") as told:
            use()
        assert told.value.remedy
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_file_in_the_folders_place_is_told(path: Path) -> None:
    path.touch()
    with pytest.raises(FactStoreError, match=r"facts\.db"):
        SqliteFactStore(path / "under" / "x.db").init_schema()


def test_a_store_of_a_newer_version_is_told(path: Path) -> None:
    made(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO ankare_migrations VALUES (99, 'm099_later', '')")
        connection.commit()
    store = SqliteFactStore(path)
    for use in (store.count, store.init_schema, lambda: list(store.conflicts()), lambda: store.add_facts([fact()])):
        with pytest.raises(FactStoreError, match="newer version"):
            use()


def test_a_store_of_an_older_version_is_brought_up_to_date(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(path).add_facts([fact()])
    steps = (
        *migrations("sqlite"),
        Migration(99, "m099_more", "CREATE TABLE ankare_more (a);\nCREATE TABLE ankare_2 (b);"),
    )
    for module in ("ankare.facts.migrations", "ankare.facts.sqlite_file"):
        monkeypatch.setattr(f"{module}.migrations", lambda backend: steps)
    store = SqliteFactStore(path)
    with pytest.raises(FactStoreError, match="older version") as told:
        store.count()
    assert told.value.remedy
    store.init_schema()
    store.init_schema()
    assert store.count() == 1
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT number, name FROM ankare_migrations").fetchall() == [
            (1, "m001_facts"),
            (2, "m002_access"),
            (99, "m099_more"),
        ]
        assert connection.execute("SELECT count(*) FROM ankare_2").fetchone() == (0,)


def test_a_step_that_fails_leaves_the_schema_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(path).add_facts([fact()])
    steps = (
        *migrations("sqlite"),
        Migration(99, "m099_more", "CREATE TABLE ankare_more (a);\nINSERT INTO nowhere VALUES (1);"),
    )
    with monkeypatch.context() as patched:
        for module in ("ankare.facts.migrations", "ankare.facts.sqlite_file"):
            patched.setattr(f"{module}.migrations", lambda backend: steps)
        with pytest.raises(FactStoreError):
            SqliteFactStore(path).init_schema()
    assert SqliteFactStore(path).count() == 1


def test_the_steps_are_numbered_without_a_gap() -> None:
    for backend in ("sqlite", "postgres"):
        assert [step.number for step in migrations(backend)] == list(range(1, len(migrations(backend)) + 1))
    assert [step.name for step in migrations("sqlite")] == [step.name for step in migrations("postgres")]


def test_a_damaged_file_is_told(path: Path) -> None:
    store = made(path)
    store.add_facts(many(2000))
    store.close()
    data = bytearray(path.read_bytes())
    data[8192:-4096] = b"\xff" * len(data[8192:-4096])
    path.write_bytes(data)
    with pytest.raises(FactStoreError, match="damaged") as told:
        list(SqliteFactStore(path).facts())
    assert "backup" in told.value.remedy


def test_a_figure_that_was_spoilt_by_hand_is_told(path: Path) -> None:
    made(path).add_facts([fact()])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE ankare_facts SET value = 'about 12'")
        connection.commit()
    with pytest.raises(FactStoreError, match="damaged figure"):
        SqliteFactStore(path).lookup(KEY)


def test_values_are_never_floating_point_in_the_file(path: Path) -> None:
    made(path).add_facts([fact("1320.50"), fact("7", confidence="0.5")])
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT value, typeof(value), typeof(confidence) FROM ankare_facts ORDER BY id")
        assert rows.fetchall() == [("1320.50", "text", "null"), ("7", "text", "text")]


def test_a_lookup_goes_to_one_place_in_one_index(path: Path) -> None:
    database = made(path)._database
    whole_key = "(metric_code=? AND entity=? AND period_type=? AND period=? AND channel=? AND review_status=?)"
    for statement, index in ((statements.lookup(None), "INDEX"), (statements.awaiting(None), "COVERING INDEX")):
        ((*_, plan),) = database.read(f"EXPLAIN QUERY PLAN {statement}", KEY)
        assert plan.endswith(f"USING {index} ankare_facts_key {whole_key}")
    for statement in (statements.lookup(2), statements.awaiting(2)):
        plans = [plan for *_, plan in database.read(f"EXPLAIN QUERY PLAN {statement}", ("", "board", *KEY))]
        assert any(plan.endswith(f"USING INDEX ankare_facts_key {whole_key}") for plan in plans)


def test_a_writer_that_waits_too_long_says_that_a_retry_helps(path: Path) -> None:
    store = made(path)
    hasty = SqliteFactStore(path, busy_seconds=0.05)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(FactStoreError, match="writing") as told:
            hasty.add_facts([fact()])
        assert told.value.retry
        assert hasty.count() == 0
        other.execute("ROLLBACK")
    assert hasty.add_facts([fact()]) == LoadResult(1, 0)
    assert store.count() == 1


def test_readers_do_not_wait_for_a_writer(path: Path) -> None:
    store = made(path)
    store.add_facts([fact()])
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("DELETE FROM ankare_facts")
        assert SqliteFactStore(path, busy_seconds=0).count() == store.count() == 1


def test_a_restored_backup_is_read_from_then_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ankare.facts.sqlite, "LOOK_SECONDS", 0.0)
    backup = made(path.with_name("backup.db"))
    backup.add_facts([fact("1")])
    backup.close()
    store = made(path)
    store.add_facts([fact("2")])
    store.close()
    assert str(store.lookup(KEY)[0].value) == "2"
    store.close()
    path.with_name("backup.db").replace(path)
    assert str(store.lookup(KEY)[0].value) == "1"


@pytest.mark.parametrize("away_between", [False, True])
def test_a_restored_backup_of_an_older_ankare_is_brought_up_to_date(
    path: Path, monkeypatch: pytest.MonkeyPatch, *, away_between: bool
) -> None:
    monkeypatch.setattr(ankare.facts.sqlite, "LOOK_SECONDS", 0.0)
    backup = path.with_name("backup.db")
    with monkeypatch.context() as older:
        first = migrations("sqlite")[:1]
        older.setattr(ankare.facts.sqlite_file, "migrations", lambda _: first)
        made(backup).close()
    store = made(path)
    store.add_facts([fact()])
    assert store.count() == 1
    store.close()  # what it has not yet written into the file itself would be taken for the backup's
    if away_between:
        path.unlink()
        with pytest.raises(FactStoreError, match="no figures"):
            store.count()
    backup.replace(path)
    assert store.count() == 0
    assert store.add_facts([fact()]).added == 1


def test_a_file_that_is_taken_away_is_missed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ankare.facts.sqlite, "LOOK_SECONDS", 0.0)
    store = made(path)
    store.add_facts([fact()])
    assert store.count() == 1
    path.unlink()
    with pytest.raises(FactStoreError, match="no figures"):
        store.lookup(KEY)


def test_closing_gives_every_file_handle_back(path: Path) -> None:
    handles = Path("/proc/self/fd")
    if not handles.exists():
        pytest.skip("this system does not list open files")
    store = made(path)
    store.add_facts(many(10))
    listed = store.facts()
    next(listed)
    del listed
    store.close()
    assert not [link for link in handles.iterdir() if link.exists() and str(path) in str(link.resolve())]
    assert not path.with_name("facts.db-wal").exists()


def test_importing_the_stores_loads_neither_library_nor_profile() -> None:
    code = (
        "import sys, ankare.facts.open, ankare.facts.sqlite, ankare.facts.postgres;"
        "ankare.facts.sqlite.SqliteFactStore('nowhere.db');"
        "found = sorted({'psycopg', 'ankare.profile.load', 'ankare.sample'} & set(sys.modules));"
        "sys.exit(','.join(found) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_store_that_is_there_is_brought_up_to_date_before_use(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not SqliteFactStore(path).ready()
    assert not path.exists()
    made(path).add_facts([fact()])
    steps = (*migrations("sqlite"), Migration(99, "m099_more", "CREATE TABLE ankare_more (a);"))
    for module in ("ankare.facts.migrations", "ankare.facts.sqlite_file"):
        monkeypatch.setattr(f"{module}.migrations", lambda backend: steps)
    store = SqliteFactStore(path)
    assert store.ready() and store.count() == 1
