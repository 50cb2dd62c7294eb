"""Is a file that cannot be read told apart, with what to do about it?"""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from ankare.errors import DocumentError
from tests.ingest.pdf.making import a4, put, read, save


def whole(folder: Path) -> bytes:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 100, "Text som kan läsas.")
    return save(pdf, folder, "hel.pdf").read_bytes()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "empty"),
        (b"Hello, I am a text file.", "not a PDF"),
        (b"PK\x03\x04" + b"\0" * 200, "not a PDF"),
        (b"%PDF-1.4\n" + b"\0" * 300, "damaged"),
    ],
)
def test_unreadable_file_is_named_with_a_remedy(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "fel fil å.pdf"
    path.write_bytes(content)
    with pytest.raises(DocumentError, match=told) as caught:
        read(path)
    assert "fel fil å.pdf" in caught.value.message
    assert caught.value.remedy


def test_file_without_pages_says_so(tmp_path: Path) -> None:
    path = tmp_path / "tom.pdf"
    pypdfium2.PdfDocument.new().save(str(path))
    with pytest.raises(DocumentError, match="no pages"):
        read(path)


def test_truncated_file_is_refused_or_read_but_never_crashes(tmp_path: Path) -> None:
    content = whole(tmp_path)
    for share in (0.2, 0.5, 0.8, 0.95):
        path = tmp_path / "kapad.pdf"
        path.write_bytes(content[: int(len(content) * share)])
        try:
            read(path)
        except DocumentError as error:
            assert "kapad.pdf" in error.message


def test_encrypted_file_says_so(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 100, "Hemligt")
    pdf.set_encryption(owner_password="a", user_password="b")  # noqa: S106
    with pytest.raises(DocumentError, match="encrypted"):
        read(save(pdf, tmp_path))


def test_missing_file_is_a_document_error(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="cannot be opened"):
        read(tmp_path / "finns inte.pdf")


def test_file_names_may_hold_anything(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 100, "Innehållet syns.")
    for name in ("med mellanslag.pdf", "åäö.pdf", "emoji 🎈.pdf", "citat'\".pdf"):
        assert read(save(pdf, tmp_path, name)).page_count == 1
