"""What a document's owner may say of it, and what a wrong sidecar leads to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ankare.errors import DocumentError
from ankare.ingest.sidecar import Sidecar, load_sidecar, parse_sidecar


def test_everything_that_a_sidecar_may_say() -> None:
    found = parse_sidecar(b'title="Plan"\nversion=2.1\nvalid_from=2025-01-31\nsupersedes=["a.pdf"]', "x.meta.toml")
    assert (found.title, found.version, found.valid_from, found.supersedes) == ("Plan", "2.1", "2025-01-31", ("a.pdf",))


def test_no_sidecar_says_nothing(tmp_path: Path) -> None:
    assert load_sidecar(tmp_path / "a.pdf") == Sidecar()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("titel = 'x'", "titel"),
        ("title = ['x']", "title"),
        ("valid_from = 'i våras'", "valid_from"),
        ("valid_from = 2025", "valid_from"),
        ("supersedes = [1]", "supersedes"),
        ("title = ", "TOML"),
        ("title = " + "[" * 9000, "TOML"),
    ],
)
def test_an_error_names_file_and_key(text: str, key: str) -> None:
    with pytest.raises(DocumentError) as told:
        parse_sidecar(text.encode(), "plan.pdf.meta.toml")
    assert "plan.pdf.meta.toml" in str(told.value)
    assert key in str(told.value)


def test_what_is_no_sidecar_file_is_told_and_never_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "plan.pdf.meta.toml"
    os.mkfifo(pipe)
    with pytest.raises(DocumentError, match="not a file"):
        load_sidecar(tmp_path / "plan.pdf")


def test_a_document_whose_name_leaves_no_room_for_a_sidecar_has_none(tmp_path: Path) -> None:
    assert load_sidecar(tmp_path / ("x" * 250 + ".txt")) == Sidecar()
