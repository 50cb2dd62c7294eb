from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.errors import PackError
from ankare.language import wordtable
from ankare.language.wordtable import WordTable, compile_table, map_table, open_table

LINES = "skola/AEG\nskola/jm\nStockholm/A\nbok\nÅmål/A\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(wordtable, "_folder", [tmp_path / "cache"])
    return tmp_path / "cache"


def test_every_line_of_a_key_is_found_whatever_its_case() -> None:
    table = WordTable(memoryview(compile_table(LINES.encode())))
    assert table.lines("skola") == [("skola", "AEG"), ("skola", "jm")]
    assert table.lines("stockholm") == [("Stockholm", "A")]
    assert table.lines("åmål") == [("Åmål", "A")]
    assert table.lines("bok") == [("bok", "")]
    assert table.lines("bo") == []
    assert table.lines("") == []


@given(st.dictionaries(st.text(alphabet="abcdåäöé-", min_size=1, max_size=30), st.text(alphabet="AB1", max_size=5)))
def test_what_was_put_in_is_found_and_nothing_else(rows: dict[str, str]) -> None:
    text = "".join(f"{key}/{payload}\n" for key, payload in rows.items())
    table = WordTable(memoryview(compile_table(text.encode())))
    assert len(table) == len(rows)
    for key, payload in rows.items():
        assert table.payloads(key) == [payload]
    assert "zzz" not in table


def test_a_table_is_compiled_once_and_then_mapped(cache: Path) -> None:
    reads: list[int] = []

    def read() -> bytes:
        reads.append(1)
        return LINES.encode()

    assert "bok" in open_table("test", read)
    assert "bok" in open_table("test", read)
    assert len(reads) == 1


def test_a_damaged_cache_file_is_made_again(cache: Path) -> None:
    open_table("test", LINES.encode)
    (cache / "test.words").write_bytes(b"ANKWT")
    assert "bok" in open_table("test", LINES.encode)


def test_without_a_writable_folder_it_works_from_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setattr(wordtable, "_folder", [tmp_path / "file"])
    assert "bok" in open_table("test", LINES.encode)
    monkeypatch.setattr(wordtable, "_folder", [None])
    assert "bok" in open_table("test", LINES.encode)


def test_a_missing_pack_table_is_told(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="lemmas"):
        map_table(tmp_path / "lemmas.words")
