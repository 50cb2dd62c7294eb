"""May a file that is an archive be unpacked and read? What it would cost is known before anything is read of it.

An Office file is an archive of XML parts, and XML unpacks to forty times its size and takes as much memory again once it is
a tree. Nothing that people write comes near these bounds: a book of 2,000 pages has some ten million bytes of XML, and one
or two million elements and attributes where its program cut every word into runs of their own.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from ankare.errors import DocumentError
from ankare.messages.remarks import remark

MAX_UNPACKED_BYTES = 1_000_000_000
MAX_UNPACKED_RATIO = 200
"""A zip entry over a megabyte that unpacks to more than this many times its size is a decompression bomb."""

MAX_PARTS = 20_000
"""A presentation of 2,000 slides with notes and pictures has half as many."""

MAX_NODES: Mapping[str, int] = {"docx": 3_000_000, "pptx": 3_000_000, "xlsx": 20_000_000}
"""Elements and attributes by type. A tree of them takes 150 to 250 bytes each; sheets are read as a stream."""

_XML = (".xml", ".rels")
_HEAD = 4096
_PIECE = 1 << 20


def check_zip(path: Path) -> None:
    """Raises DocumentError for an archive that is truncated, encrypted, of too many parts, or unpacks to far too much."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise DocumentError(remark("truncated", error=str(error)), remark("do_save_or_copy")) from error
    if any(entry.flag_bits & 1 for entry in entries):
        raise DocumentError(remark("encrypted"), remark("do_no_password"))
    if len(entries) > MAX_PARTS:
        raise DocumentError(remark("many_parts", parts=len(entries), most=MAX_PARTS), remark("do_split_files"))
    total = sum(entry.file_size for entry in entries)
    bomb = any(
        entry.file_size > 1_000_000 and entry.file_size > MAX_UNPACKED_RATIO * max(1, entry.compress_size)
        for entry in entries
    )
    if bomb or total > MAX_UNPACKED_BYTES:
        raise DocumentError(remark("unpacks_to", size=total), remark("do_save_or_split"))


def refuse_entities(path: Path) -> None:
    """Raises DocumentError for a part that declares a document type: none may (ECMA-376, part 2, 8.1.4), and the text of
    entities that it defines would be left out without a word."""
    with zipfile.ZipFile(path) as archive:
        for entry in _xml_parts(archive):
            with archive.open(entry) as part:
                if b"<!DOCTYPE" in part.read(_HEAD):
                    raise DocumentError(remark("entities", part=entry.filename), remark("do_save_it_again"))


def refuse_too_many_nodes(path: Path, source_type: str) -> None:
    """Raises DocumentError where the XML of an Office file holds more elements and attributes than are read of this type.

    Counted by signs, without parsing: a second for 300 MB.
    """
    most, found = MAX_NODES[source_type], 0
    with zipfile.ZipFile(path) as archive:
        for entry in _xml_parts(archive):
            with archive.open(entry) as part:
                while piece := part.read(_PIECE):
                    found += piece.count(b"<") - piece.count(b"</") + piece.count(b'="') + piece.count(b"='")
                    if found > most:
                        raise DocumentError(remark("many_nodes", most=most), remark("do_split_files"))


def _xml_parts(archive: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    return (entry for entry in archive.infolist() if entry.filename.endswith(_XML))
