"""Which reader does a file need? Its content decides; the name only tells apart what content cannot."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

from ankare.domain.document import Extraction
from ankare.errors import DocumentError
from ankare.ingest.archive import check_zip, refuse_entities, refuse_too_many_nodes
from ankare.messages.remarks import remark

MAX_FILE_BYTES = 500_000_000
MAX_TEXT_BYTES = 50_000_000
"""Larger HTML, Markdown, text and CSV files are refused: a reader would need many times that much memory."""

EXTENSIONS = {
    ".pdf": "pdf",
    ".docx": "docx",
    ".docm": "docx",
    ".pptx": "pptx",
    ".pptm": "pptx",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "md",
    ".markdown": "md",
    ".txt": "txt",
    ".text": "txt",
    ".csv": "csv",
}
SAVED_AS = {
    ".doc": ".docx",
    ".odt": ".docx",
    ".rtf": ".docx",
    ".ppt": ".pptx",
    ".odp": ".pptx",
    ".xls": ".xlsx",
    ".xlsb": ".xlsx",
    ".ods": ".xlsx",
}
"""Formats that nothing here reads, and the one that their programs can save them in."""

_OFFICE_PARTS = {"word/document.xml": "docx", "ppt/presentation.xml": "pptx", "xl/workbook.xml": "xlsx"}
_TEXT_TYPES = ("html", "md", "txt", "csv")
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEAD = 4096
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def source_type_of(path: Path) -> str:
    """The type of a file by its content. Raises DocumentError where nothing can read it, OSError where it is closed."""
    size = path.stat().st_size
    if size == 0:
        raise DocumentError(remark("file_empty"), remark("do_save_or_remove"))
    if size > MAX_FILE_BYTES:
        raise DocumentError(remark("file_large", size=size, most=MAX_FILE_BYTES), remark("do_split_document"))
    with path.open("rb") as file:
        head = file.read(_HEAD)
    named = EXTENSIONS.get(path.suffix.lower(), "")
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        return _office_type(path)
    if head.startswith(OLE):
        raise _ole_error(path)
    if named in ("pdf", "docx", "pptx", "xlsx"):
        raise DocumentError(remark("content_other", type=named.upper()), remark("do_save_again"))
    return _text_type(head, named, size)


def read_document(
    path: Path, source_type: str, is_word: Callable[[str], bool], charset: str = "", name: str = ""
) -> Extraction:
    """Read a file of a known type. `is_word` tells whether a word form is in the general lexicon, `charset` is
    what a web server said, `name` what the file is called where `path` is but a copy of it.

    Raises DocumentError, with what is wrong and what to try.
    """
    if source_type == "pdf":
        from ankare.ingest.pdf.read import read_pdf

        return read_pdf(path, is_word=is_word, name=name)
    if source_type in ("docx", "pptx", "xlsx"):
        return _read_office(path, source_type)
    data = path.read_bytes()
    if source_type == "html":
        from ankare.ingest.read_html import read_html

        return read_html(data, path.stem, charset)
    from ankare.ingest import read_text

    if source_type == "md":
        from ankare.ingest.read_markdown import read_markdown

        return read_markdown(read_text.decode(data), path.stem)
    if source_type == "csv":
        return read_text.read_csv(read_text.decode(data), path.stem)
    return read_text.read_text(read_text.decode(data), path.stem)


def _read_office(path: Path, source_type: str) -> Extraction:
    check_zip(path)
    refuse_entities(path)
    refuse_too_many_nodes(path, source_type)
    try:
        if source_type == "docx":
            from ankare.ingest.read_docx import read_docx

            return read_docx(path)
        if source_type == "pptx":
            from ankare.ingest.read_pptx import read_pptx

            return read_pptx(path)
        from ankare.ingest.read_xlsx import read_xlsx

        return read_xlsx(path)
    except (DocumentError, OSError, MemoryError):
        raise
    except Exception as error:  # the libraries raise whatever the broken XML leads them to
        damaged = remark("office_damaged", type=source_type.upper(), error=repr(error))
        raise DocumentError(damaged, remark("do_resave_in_program")) from error


def _office_type(path: Path) -> str:
    check_zip(path)
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
    for part, kind in _OFFICE_PARTS.items():
        if part in names:
            return kind
    suffix = path.suffix.lower()
    if suffix in SAVED_AS:
        raise DocumentError(remark("no_reader_for", type=suffix), remark("do_save_as", better=SAVED_AS[suffix]))
    raise DocumentError(remark("archive"), remark("do_unpack"))


def _ole_error(path: Path) -> DocumentError:
    data = path.read_bytes()
    if "EncryptedPackage".encode("utf-16-le") in data:
        return DocumentError(remark("encrypted"), remark("do_no_password"))
    better = SAVED_AS.get(path.suffix.lower())
    remedy = remark("do_save_as", better=better) if better else remark("do_save_as_office")
    return DocumentError(remark("old_office"), remedy)


def _text_type(head: bytes, named: str, size: int) -> str:
    if b"\0" in head and not head.startswith(_UTF16):
        raise DocumentError(remark("binary"), remark("do_pdf_or_text"))
    if size > MAX_TEXT_BYTES:
        raise DocumentError(remark("text_large", size=size, most=MAX_TEXT_BYTES), remark("do_split"))
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if named in ("", "txt") and start.startswith((b"<!doctype html", b"<html")):
        return "html"
    return named if named in _TEXT_TYPES else "txt"
