"""Is a file that cannot be read told apart, with what to do about it?"""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from ankare.errors import DocumentError
from tests.ingest.pdf.making import a4, put, raw_pdf, read, save


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


def page_of(content: bytes, resources: bytes = b"", extra: tuple[bytes, ...] = ()) -> bytes:
    return raw_pdf(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<<%b>>>>" % resources,
            b"<</Length %d>>stream\n%b\nendstream" % (len(content), content),
            *extra,
        ]
    )


FONT = b"/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
ITSELF = (
    b"<</Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</X 5 0 R>>>>/Length 5>>stream\n/X Do\nendstream"
)


@pytest.mark.parametrize(
    ("content", "resources", "extra"),
    [
        (b"BT /F1 11 Tf 72 700 Td (utan font) Tj ET", b"", ()),
        (b"BT /F1 11 Tf 1e9 -1e9 Td (bortom allt) Tj ET", FONT, ()),
        (b"BT /F1 1e7 Tf 72 700 Td (enorm) Tj ET", FONT, ()),
        (b"BT /F1 0 Tf 72 700 Td (noll) Tj ET", FONT, ()),
        (b"BT /F1 11 Tf 0 0 0 0 72 700 Tm (platt) Tj ET", FONT, ()),
        (b"BT /F1 11 Tf 0.7 0.7 -0.7 0.7 200 400 Tm (snett utkast) Tj ET", FONT, ()),
        (b"/X Do", b"/XObject<</X 5 0 R>>", (ITSELF,)),
        (b"0 0 m 1e30 1e30 l S 1e-30 w 5 5 1e12 1e12 re f", b"", ()),
        (b"q " * 5000, b"", ()),
        (b"BT /F1 11 Tf (\\000\\001\\377\\255) Tj ET", FONT, ()),
    ],
)
def test_odd_content_never_crashes(tmp_path: Path, content: bytes, resources: bytes, extra: tuple[bytes, ...]) -> None:
    path = tmp_path / "udda.pdf"
    path.write_bytes(page_of(content, resources, extra))
    extraction = read(path)
    assert extraction.page_count == 1
    for block in extraction.blocks:
        for piece in block.pieces:
            assert piece.box is not None
            assert 0 <= piece.box.x0 <= piece.box.x1 <= 595
            assert 0 <= piece.box.y0 <= piece.box.y1 <= 842
