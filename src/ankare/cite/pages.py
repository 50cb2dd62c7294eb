"""How is the cited sentence shown where it is printed: a picture of its page with the sentence marked?

PDFium must not be called by two threads at once, so every call to it in this module stands under one lock.
"""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from ankare.domain.document import Box
from ankare.errors import DocumentError

if TYPE_CHECKING:
    from PIL.Image import Image

DEFAULT_SCALE = 1.5
LONGEST_SIDE = 2200
# A highlighter's yellow: multiplied with the page it tints the paper and leaves the print black.
MARKER = (255, 236, 110)
MARGIN = 1.5

_PDFIUM = Lock()


def page_png(original: Path, page: int, boxes: Sequence[Box], scale: float = DEFAULT_SCALE) -> bytes:
    """A PDF page as PNG with `boxes` marked in translucent yellow.

    `page` counts from 1. `boxes` are in points from the top left corner of the page as displayed. `scale` is pixels per
    point; a page that would be longer than `LONGEST_SIDE` pixels is drawn smaller.
    Raises DocumentError for a file that cannot be drawn and for a page that it does not have.
    """
    image, drawn_scale = _draw(original, page, scale)
    _mark(image, boxes, drawn_scale)
    out = io.BytesIO()
    image.save(out, format="PNG", compress_level=4)
    return out.getvalue()


def _draw(original: Path, page: int, scale: float) -> tuple[Image, float]:
    import pypdfium2

    with _PDFIUM:
        try:
            document = pypdfium2.PdfDocument(original)
        except (pypdfium2.PdfiumError, OSError) as error:
            raise DocumentError(f"{original.name} cannot be drawn.", "Ingest again, with --fresh.") from error
        try:
            if not 1 <= page <= len(document):
                raise DocumentError(f"{original.name} has no page {page}.", f"It has {len(document)} pages.")
            sheet = document[page - 1]
            drawn_scale = min(scale, LONGEST_SIDE / max(1.0, *sheet.get_size()))
            return sheet.render(scale=drawn_scale).to_pil().convert("RGB"), drawn_scale
        except pypdfium2.PdfiumError as error:
            raise DocumentError(f"Page {page} of {original.name} cannot be drawn.") from error
        finally:
            document.close()


def page_height(original: Path, page: int) -> float:
    """The height of a PDF page as displayed, in points. Raises DocumentError as `page_png`."""
    import pypdfium2

    with _PDFIUM:
        try:
            document = pypdfium2.PdfDocument(original)
        except (pypdfium2.PdfiumError, OSError) as error:
            raise DocumentError(f"{original.name} cannot be opened.", "Ingest again, with --fresh.") from error
        try:
            if not 1 <= page <= len(document):
                raise DocumentError(f"{original.name} has no page {page}.", f"It has {len(document)} pages.")
            return float(document[page - 1].get_size()[1])
        except pypdfium2.PdfiumError as error:
            raise DocumentError(f"Page {page} of {original.name} cannot be read.") from error
        finally:
            document.close()


def _mark(image: Image, boxes: Sequence[Box], scale: float) -> None:
    from PIL import Image as Pillow
    from PIL import ImageChops

    # One layer for all of them: where two rectangles meet, the paper is tinted once.
    layer = Pillow.new("RGB", image.size, "white")
    for box in boxes:
        area = (
            max(0, round((box.x0 - MARGIN) * scale)),
            max(0, round((box.y0 - MARGIN) * scale)),
            min(image.width, round((box.x1 + MARGIN) * scale)),
            min(image.height, round((box.y1 + MARGIN) * scale)),
        )
        if area[0] < area[2] and area[1] < area[3]:
            layer.paste(MARKER, area)
    image.paste(ImageChops.multiply(image, layer))


class PagePictures:
    """Draws marked pages and keeps the latest ones. Safe for many threads. `max_bytes` bounds the memory it takes."""

    def __init__(self, max_bytes: int = 48_000_000) -> None:
        self._kept: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._lock = Lock()
        self._size = 0
        self._max_bytes = max_bytes

    def png(self, sha256: str, original: Path, page: int, boxes: Sequence[Box], scale: float = DEFAULT_SCALE) -> bytes:
        """As `page_png`; `sha256` is of the document's bytes, so that a changed document is drawn anew."""
        key = (sha256, page, tuple(boxes), scale)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        picture = page_png(original, page, boxes, scale)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = picture
                self._size += len(picture)
            while self._size > self._max_bytes and len(self._kept) > 1:
                self._size -= len(self._kept.popitem(last=False)[1])
        return picture
