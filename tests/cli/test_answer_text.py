"""An answer in a terminal is word for word, however narrow it is."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from ankare.cli.answer_text import AnswerText

CELLS = ("Delprojektledaren", "2025-12-01", "Verksamhetsanpassningen", "Sannolikhetsbedömning", "Överlämnandet")
TABLE = "| Roll | Klart senast | Område | Vad | Sedan |\n| --- | --- | --- | --- | --- |\n| " + " | ".join(CELLS) + " |"


def shown(markdown: str, width: int) -> str:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(AnswerText(markdown))
    return out.getvalue()


@pytest.mark.parametrize("width", [50, 80, 120, 200])
def test_no_word_of_a_table_is_cut(width: int) -> None:
    text = shown(TABLE, width)
    assert "…" not in text
    for word in (*CELLS, "Roll", "Område"):
        assert word in text
    assert max(map(len, text.splitlines())) <= width


def test_a_word_that_is_wider_than_the_terminal_goes_on_in_the_next_line() -> None:
    text = shown(f"| Namn | Mer |\n| --- | --- |\n| {'x' * 90} | b |", 40)
    assert "…" not in text
    assert text.count("x") == 90
