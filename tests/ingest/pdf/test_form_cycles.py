"""A drawing that draws itself over and over is told before pdfium sees it; one that only could is no fault."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from ankare.errors import DocumentError
from ankare.ingest.pdf import form_cycles, read_pdf
from ankare.ingest.pdf.form_cycles import draws_itself
from tests.ingest.test_bounds import objects_pdf, stream

CATALOGUE = (
    b"<</Type/Catalog/Pages 2 0 R>>",
    b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</XObject<</X0 5 0 R>>>>>>",
)
FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]"


def form(draws: bytes, **named: int) -> bytes:
    forms = b"".join(b"/%s %d 0 R" % (name.encode(), number) for name, number in named.items())
    return stream(draws, FORM + b"/Resources<</XObject<<" + forms + b">>>>")


def packed(draws: bytes, *, resources: int) -> bytes:
    return stream(zlib.compress(draws), FORM + b"/Filter/FlateDecode/Resources %d 0 R" % resources)


CASES: dict[str, tuple[list[bytes], bool]] = {
    "itself, twice": ([form(b"/X0 Do /X0 Do", X0=5)], True),
    "itself, twice, packed, resources elsewhere": (
        [packed(b"/X0 Do\n/X0 Do", resources=6), b"<</XObject<</X0 5 0 R>>>>"],
        True,
    ),
    "names elsewhere too": (
        [packed(b"/X0 Do /X0 Do", resources=6), b"<</XObject 7 0 R>>", b"<</X0 5 0 R>>"],
        True,
    ),
    "by another one": ([form(b"/X1 Do", X1=6), form(b"/X0 Do /X0 Do", X0=5)], True),
    "itself, once: pdfium stops by itself": ([form(b"/X0 Do", X0=5)], False),
    "named, never drawn: resources that all forms share": (
        [packed(b"/X1 Do /X1 Do", resources=7), packed(b"0 0 m", resources=7), b"<</XObject<</X0 5 0 R/X1 6 0 R>>>>"],
        False,
    ),
    "one form drawn often": ([form(b"/X1 Do " * 50, X1=6), form(b"0 0 m")], False),
    "content that cannot be unpacked": (
        [stream(b"x", FORM + b"/Filter/FlateDecode/Resources<</XObject<</X0 5 0 R>>>>")],
        False,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_only_what_draws_itself_more_than_once_is_told(tmp_path: Path, name: str) -> None:
    objects, expected = CASES[name]
    path = tmp_path / "a.pdf"
    path.write_bytes(objects_pdf([*CATALOGUE, stream(b"/X0 Do"), *objects]))
    assert draws_itself(path) is expected


def test_such_a_file_fails_with_what_to_do_and_no_page_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(objects_pdf([*CATALOGUE, stream(b"/X0 Do"), *CASES["itself, twice"][0]]))
    with pytest.raises(DocumentError, match=r"a\.pdf holds a drawing that draws itself") as told:
        read_pdf(path, is_word=str.isalpha)
    assert told.value.remedy


def test_a_very_large_file_is_left_to_the_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(objects_pdf([*CATALOGUE, stream(b"/X0 Do"), *CASES["itself, twice"][0]]))
    monkeypatch.setattr(form_cycles, "MOST_BYTES", 100)
    assert not draws_itself(path)


def test_a_saboteur_that_counts_names_alone_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form_cycles, "_drawn", lambda _data, _at, forms: [*forms.values()] * 2)
    with pytest.raises(AssertionError):
        test_only_what_draws_itself_more_than_once_is_told(
            tmp_path, "named, never drawn: resources that all forms share"
        )
