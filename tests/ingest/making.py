"""Small documents made on the spot, so that no binary lies in the repository."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ankare.domain.document import Block, BlockKind, Extraction, Piece


def pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """A PDF with these lines on its pages, in Helvetica; a page without lines is empty."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        text = b"".join(
            b"BT /F1 11 Tf 72 %d Td (%s) Tj ET\n" % (760 - 16 * at, line.encode("latin-1"))
            for at, line in enumerate(lines)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, table, len(objects) + 1, len(out))
    )


def heading(text: str, level: int = 1, page: int = 1) -> Block:
    return block(BlockKind.HEADING, text, page, level=level)


def paragraph(text: str, page: int = 1) -> Block:
    return block(BlockKind.PARAGRAPH, text, page)


def item(text: str, group: int = 1, marker: str = "•", level: int = 0, page: int = 1) -> Block:
    return block(BlockKind.ITEM, text, page, level=level, marker=marker, group=group)


def row(text: str, group: int = 1, header: bool = False, page: int = 1) -> Block:
    return block(BlockKind.ROW, text, page, group=group, header=header)


def block(kind: BlockKind, text: str, page: int = 1, **more: object) -> Block:
    return Block(kind, text, (Piece(0, len(text), page, None),), **more)  # type: ignore[arg-type]


def extraction(*blocks: Block, title: str = "Titel") -> Extraction:
    pages = max((piece.page for one in blocks for piece in one.pieces), default=1)
    return Extraction("txt", title, blocks, pages)


def words(count: int, start: str = "Ord") -> str:
    """A sentence of so many words."""
    return " ".join([start, *(f"ord{at}" for at in range(count - 1))]) + "."


def folder_of(root: Path, files: dict[str, str | bytes]) -> Path:
    """A folder with these files."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return root
