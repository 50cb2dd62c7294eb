"""A file name without any letter that shows is still one line, and never markup."""

from __future__ import annotations

import pytest

from ankare.cite.markdown import source_label
from tests.service.scripted import make_chunk


@pytest.mark.parametrize("title", ["\n\n", "\u202e", " \x00"])
def test_a_label_made_of_the_file_name_is_one_line(title: str) -> None:
    chunk = make_chunk(source="mapp\n\n[a](javascript:b)/\n\n.txt", title=title)
    assert "\n" not in source_label(chunk, 1, "sv")
