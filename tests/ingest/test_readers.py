"""How a file's type is found, and what is said of files that nothing can read."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import docx
import pytest

from ankare.errors import DocumentError
from ankare.ingest.readers import read_document, source_type_of
from tests.ingest.making import pdf


def zipped(**parts: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/"), content)
    return out.getvalue()


WORD = zipped(**{"word__document.xml": b"<w/>"})


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.pdf", pdf([["x"]]), "pdf"),
        ("a.docx", pdf([["x"]]), "pdf"),
        ("a.docx", WORD, "docx"),
        ("a.pdf", WORD, "docx"),
        ("a.zip", zipped(**{"ppt__presentation.xml": b"<p/>"}), "pptx"),
        ("a.xlsm", zipped(**{"xl__workbook.xml": b"<x/>"}), "xlsx"),
        ("a.HTM", b"<p>x", "html"),
        ("a.txt", b"<!DOCTYPE html><p>x", "html"),
        ("a.md", b"<html>", "md"),
        ("a.markdown", b"x", "md"),
        ("a", "å".encode("utf-16"), "txt"),
        ("a.csv", b"a;b", "csv"),
    ],
)
def test_content_decides_the_type(tmp_path: Path, name: str, content: bytes, kind: str) -> None:
    (tmp_path / name).write_bytes(content)
    assert source_type_of(tmp_path / name) == kind


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.pdf", b"", "empty"),
        ("a.pdf", b"just text", "not that of a PDF"),
        ("a.docx", b"just text", "not that of a DOCX"),
        ("a.docx", WORD[:-30], "truncated"),
        ("a.zip", zipped(**{"a.txt": b"x"}), "archive"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), "before 2007"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        ("a.txt", b"\x7fELF\0\0", "binary"),
        ("a.docx", zipped(**{"word__document.xml": bytes(20_000_000)}), "unpacks"),
    ],
)
def test_what_cannot_be_read_is_told_with_a_remedy(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DocumentError, match=message) as told:
        source_type_of(tmp_path / name)
    assert told.value.remedy


@pytest.mark.parametrize("kind", ["word__document.xml", "ppt__presentation.xml", "xl__workbook.xml"])
def test_an_office_file_that_declares_entities_is_refused(tmp_path: Path, kind: str) -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>'
    (tmp_path / "a").write_bytes(zipped(**{kind: bomb}))
    with pytest.raises(DocumentError, match="entities"):
        read_document(tmp_path / "a", source_type_of(tmp_path / "a"), lambda _word: True)


def test_broken_xml_in_a_word_file_is_a_document_error(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    docx.Document().save(str(path))
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["word/document.xml"] = b"<w:document"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    with pytest.raises(DocumentError, match="damaged"):
        read_document(path, "docx", lambda _word: True)
