"""Decoration that a model put around its words goes, and a line of any shape is read in one go."""

from __future__ import annotations

import pytest

from ankare.gate.plain_text import plain_text


@pytest.mark.parametrize(
    ("line", "text"),
    [("# Budget ##", "Budget"), ("## C#", "C#"), ("### Mål   ", "Mål"), ("# a" + " " * 200_000 + "x", None)],
    ids=["closed", "a sign of the name", "blanks", "many blanks"],
)
def test_a_heading_is_its_words(line: str, text: str | None) -> None:
    found = plain_text(line)
    assert found == text if text is not None else found.startswith("a ")
