"""Promises of the small typesetter behind the sample documents."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.sample.generate.lines import Word, break_lines, split_words
from ankare.sample.generate.source import Group, Heading, Item, Paragraph, Table, read_manuscript

WORDS = st.lists(st.text("abcdeförvaltningsäk", min_size=1, max_size=30), min_size=1, max_size=40)
FRONT = '+++\nfile = "a.pdf"\ntitle = "T"\ndate = "2025-01-01"\nversion = "1"\nnumber = "1"\nowner = "O"\n+++\n'


def _measure(text: str, bold: bool) -> float:
    return len(text) * (1.1 if bold else 1.0)


@given(WORDS, st.integers(8, 60))
def test_no_letter_is_lost_or_added_by_line_breaks(words: list[str], width: int) -> None:
    lines = break_lines(split_words(" ".join(words)), width, _measure, "sv", "\u00ad")
    joined = "".join(word.text for line in lines for word in line).replace("\u00ad", "")
    assert joined == "".join(words)


@given(WORDS, st.integers(8, 60))
def test_a_line_is_too_wide_only_if_it_is_one_word_that_cannot_break(words: list[str], width: int) -> None:
    for line in break_lines(split_words(" ".join(words)), width, _measure, "sv", "-"):
        assert len(line) == 1 or _measure(" ".join(word.text for word in line), bold=False) <= width


def test_groups_of_a_number_stay_together() -> None:
    assert [word.text for word in split_words("högst 1 150 000 kronor, 12 dagar")] == [
        "högst", "1 150 000", "kronor,", "12", "dagar",
    ]  # fmt: skip


def test_punctuation_stays_with_its_bold_word() -> None:
    assert split_words("en **fet**, vanlig") == [
        Word("en", bold=False), Word("fet,", bold=True), Word("vanlig", bold=False),
    ]  # fmt: skip


def test_manuscript_is_read_block_by_block(tmp_path: Path) -> None:
    body = (
        "# A\n## B\nEn rad\noch en till\n- x\n  - y\n1. z\n!widths 1 2\n| a | b |\n| c | d |\n!box T\ntext\n!end\n# C\n"
    )
    path = tmp_path / "a.md"
    path.write_text(FRONT + body, encoding="utf-8")
    assert read_manuscript(path).blocks == (
        Heading(1, "A", "1"),
        Heading(2, "B", "1.1"),
        Paragraph("En rad och en till"),
        Item("x", "-", 0),
        Item("y", "-", 1),
        Item("z", "1.", 0),
        Table((("a", "b"), ("c", "d")), (1.0, 2.0)),
        Group("box", "T", (Paragraph("text"),)),
        Heading(1, "C", "2"),
    )


def test_earlier_version_must_name_text_that_stands_once(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(FRONT + "Tio dagar. Tio dagar.\n", encoding="utf-8")
    earlier = tmp_path / "a.earlier.toml"
    earlier.write_text('base = "a.md"\n[[replace]]\nnew = "Tio"\nold = "Fem"\n', encoding="utf-8")
    with pytest.raises(ValueError, match="exactly once"):
        read_manuscript(earlier)
