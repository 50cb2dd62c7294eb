"""What stands on a page: every character with its place and style, and the lines, boxes and pictures around them?

All coordinates are points from the top left corner of the page as displayed: x right, y down, page rotation applied.
"""

from __future__ import annotations

import ctypes
import math
from collections import deque
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ankare.ingest.pdf.graphics import MAX_OBJECTS, PATH, Shape, Walker
from ankare.ingest.pdf.pdfium import Pdfium, Pointer, address, pdfium

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

INVISIBLE_MODES = (3, 7)
WHITE = (255, 255, 255)
HYPHEN = 0xFFFE
SPACE = 0x20
STRIDE = 4
MAX_ANNOTATIONS = 500
FORCE_BOLD = 1 << 18
FIXED_ITALIC = 1 << 6


class Style(NamedTuple):
    """How a run of characters is set. `size` in points on the page; `angle` in degrees, clockwise as displayed."""

    size: float
    bold: bool
    italic: bool
    angle: int
    colour: tuple[int, int, int]
    alpha: int
    mode: int
    order: int


@dataclass(slots=True)
class Page:
    """One page's raw content. `codes`, `boxes` (n x 4: x0, y0, x1, y1) and `style` (index into `styles`) run in parallel.

    `covers`: solid boxes that were painted over text; `late_texts`: places of text that was set on top of them, which
    pdfium may have left out of the characters as a copy of text below.
    """

    number: int
    width: float
    height: float
    codes: Ints
    boxes: Floats
    style: Ints
    soft: npt.NDArray[np.bool_]
    styles: list[Style]
    rules: list[tuple[float, float, float, float]] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    images: list[Shape] = field(default_factory=list)
    covers: list[Shape] = field(default_factory=list)
    late_texts: list[Shape] = field(default_factory=list)


def read_page(document: Any, index: int) -> Page:
    """Read page `index` (from 0) of a raw pdfium document. Raises ValueError where pdfium cannot load the page."""
    lib = pdfium()
    handle = _load(lib, document, index)
    try:
        frame = _Frame(lib, handle)
        walker, page = _read_graphics(lib, handle, frame, index)
        text = lib.raw.FPDFText_LoadPage(handle)
        if text:
            try:
                _read_text(lib, text, frame, walker.orders, page)
                _read_covers(walker, frame, page)
            finally:
                lib.raw.FPDFText_ClosePage(text)
        return page
    finally:
        lib.raw.FPDF_ClosePage(handle)


def _load(lib: Pdfium, document: Any, index: int) -> Any:
    """The page, with filled form fields and typed notes made part of its content, as a reader sees them."""
    handle = lib.raw.FPDF_LoadPage(document, index)
    if handle and _has_typed_text(lib, handle):
        lib.raw.FPDFPage_Flatten(handle, lib.raw.FLAT_NORMALDISPLAY)
        lib.raw.FPDF_ClosePage(handle)
        handle = lib.raw.FPDF_LoadPage(document, index)
    if not handle:
        raise ValueError("the page cannot be loaded")
    return handle


def _has_typed_text(lib: Pdfium, handle: Any) -> bool:
    raw = lib.raw
    for position in range(min(raw.FPDFPage_GetAnnotCount(handle), MAX_ANNOTATIONS)):
        note = raw.FPDFPage_GetAnnot(handle, position)
        if note:
            kind = raw.FPDFAnnot_GetSubtype(note)
            raw.FPDFPage_CloseAnnot(note)
            if kind in (raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_FREETEXT):
                return True
    return False


class _Frame:
    """From PDF user space to the page as displayed: crop box and rotation."""

    def __init__(self, lib: Pdfium, handle: Any) -> None:
        rect = lib.raw.FS_RECTF()
        lib.raw.FPDF_GetPageBoundingBox(handle, rect)
        self.left, self.right = sorted((float(rect.left), float(rect.right)))
        self.bottom, self.top = sorted((float(rect.bottom), float(rect.top)))
        self.rotation = lib.raw.FPDFPage_GetRotation(handle) % 4
        wide, high = self.right - self.left, self.top - self.bottom
        self.width, self.height = (high, wide) if self.rotation % 2 else (wide, high)

    def boxes(self, raw: Floats) -> Floats:
        """Displayed boxes (x0, y0, x1, y1) of raw ones given as columns left, bottom, right, top."""
        left, bottom, right, top = raw.T
        if self.rotation == 0:
            out = (left - self.left, self.top - top, right - self.left, self.top - bottom)
        elif self.rotation == 1:
            out = (bottom - self.bottom, left - self.left, top - self.bottom, right - self.left)
        elif self.rotation == 2:
            out = (self.right - right, bottom - self.bottom, self.right - left, top - self.bottom)
        else:
            out = (self.top - top, self.right - right, self.top - bottom, self.right - left)
        return np.stack(out, axis=1)


def _read_text(lib: Pdfium, text: Any, frame: _Frame, orders: dict[Pointer, int], page: Page) -> None:
    count = lib.raw.FPDFText_CountChars(text)
    if count <= 0:
        return
    where = address(text)
    codes = _codes(lib, text, where, count)
    rects = np.zeros((count, 4), dtype=np.float32)
    start = rects.ctypes.data
    # The boxes of spaces and line ends are not needed.
    inked = np.flatnonzero(codes > SPACE)
    addresses = (start + 16 * inked).tolist()
    deque(map(lib.loose_box, repeat(where), inked.tolist(), addresses), maxlen=0)
    objects = _objects(lib, where, count)
    # A hyphen at a line's end that pdfium replaced belongs to the run before it.
    hyphens = np.flatnonzero((codes == HYPHEN) & (objects == 0))
    objects[hyphens] = objects[np.maximum(hyphens - 1, 0)]
    style = _styles(lib, where, objects, frame, orders, page.styles)
    # FS_RECTF keeps left, top, right, bottom.
    raw = rects[:, [0, 3, 2, 1]].astype(np.float64)
    keep = style >= 0
    follows_soft = np.zeros(count, dtype=bool)
    follows_soft[1:] = (style[:-1] < 0) & (codes[:-1] == 32)
    page.codes, page.style, page.soft = codes[keep], style[keep], follows_soft[keep]
    page.boxes = frame.boxes(np.nan_to_num(raw[keep], nan=0.0, posinf=1e6, neginf=-1e6))


def _objects(lib: Pdfium, where: Pointer, count: int) -> npt.NDArray[np.uint64]:
    """The text object of every character, 0 for those that pdfium made up.

    Most objects hold many characters, so every fourth is asked first, and the others only where two answers differ.
    """
    out = np.zeros(count, dtype=np.uint64)
    sampled = np.arange(0, count, STRIDE)
    out[::STRIDE] = np.fromiter(map(lib.text_object, repeat(where), sampled.tolist()), dtype=np.uint64)
    same = np.append((out[sampled[1:]] == out[sampled[:-1]]) & (out[sampled[1:]] != 0), False)
    for step in range(1, STRIDE):
        here = sampled + step
        filled = here[same]
        out[filled] = out[filled - step]
        asked = here[~same]
        asked = asked[asked < count]
        out[asked] = np.fromiter(map(lib.text_object, repeat(where), asked.tolist()), dtype=np.uint64)
    return out


def _codes(lib: Pdfium, text: Any, where: Pointer, count: int) -> Ints:
    buffer = np.zeros(count + 1, dtype=np.uint16)
    written = lib.raw.FPDFText_GetText(text, 0, count, buffer.ctypes.data_as(ctypes.POINTER(ctypes.c_ushort)))
    surrogates = (buffer[:count] & 0xF800) == 0xD800
    if written == count + 1 and not surrogates.any():
        return buffer[:count].astype(np.int64)
    return np.fromiter(map(lib.unicode, repeat(where), range(count)), dtype=np.int64, count=count)


def _styles(
    lib: Pdfium,
    where: Pointer,
    objects: npt.NDArray[np.uint64],
    frame: _Frame,
    orders: dict[Pointer, int],
    styles: list[Style],
) -> Ints:
    """Style index per character; -1 for those that pdfium made up (spaces between runs, line ends)."""
    fonts: dict[Pointer, tuple[bool, bool]] = {}
    known: dict[Pointer, int] = {0: -1}
    starts = np.concatenate([[0], np.flatnonzero(np.diff(objects)) + 1])
    out: list[int] = []
    for position, pointer in zip(starts.tolist(), objects[starts].tolist(), strict=True):
        found = known.get(pointer)
        if found is None:
            found = known[pointer] = len(styles)
            styles.append(_style(lib, where, position, pointer, frame, orders.get(pointer, 0), fonts))
        out.append(found)
    return np.repeat(np.array(out, dtype=np.int64), np.diff([*starts.tolist(), len(objects)]))


def _style(
    lib: Pdfium,
    where: Pointer,
    position: int,
    pointer: Pointer,
    frame: _Frame,
    order: int,
    fonts: dict[Pointer, tuple[bool, bool]],
) -> Style:
    lib.matrix(where, position, lib.point_at[0])
    a, b, c, d = lib.points[0:4]
    size = lib.font_size(where, position) * ((abs(d) if not c else math.hypot(c, d)) or math.hypot(a, b) or 1.0)
    angle = 0
    if b or a < 0 or frame.rotation:
        angle = (round(math.degrees(math.atan2(-b, a))) + 90 * frame.rotation) % 360
    font = lib.font(pointer)
    look = fonts.get(font)
    if look is None:
        look = fonts[font] = _font_look(lib, font)
    lib.fill_colour(pointer, *lib.number_at[:4])
    red, green, blue, alpha = lib.numbers[0:4]
    return Style(size, look[0], look[1], angle, (red, green, blue), alpha, lib.render_mode(pointer), order)


def _font_look(lib: Pdfium, font: Pointer) -> tuple[bool, bool]:
    if not font:
        return False, False
    buffer = ctypes.create_string_buffer(256)
    lib.font_name(font, ctypes.addressof(buffer), 256)
    name = buffer.value.decode("utf-8", "replace").lower()
    flags = lib.font_flags(font)
    heavy = any(mark in name for mark in ("bold", "black", "heavy", "semibd", "demi"))
    bold = heavy or lib.font_weight(font) >= 600 or (flags > 0 and bool(flags & FORCE_BOLD))
    italic = "italic" in name or "oblique" in name or (flags > 0 and bool(flags & FIXED_ITALIC))
    return bold, italic


def _read_graphics(lib: Pdfium, handle: Any, frame: _Frame, index: int) -> tuple[Walker, Page]:
    walker = Walker(lib)
    where = address(handle)
    total = min(lib.count_objects(where), MAX_OBJECTS)
    walker.walk(map(lib.get_object, repeat(where), range(total)), None, 0)
    empty = np.zeros(0, dtype=np.int64)
    page = Page(index + 1, frame.width, frame.height, empty, np.zeros((0, 4)), empty, np.zeros(0, dtype=bool), [])
    if walker.raw_shapes:
        boxes = frame.boxes(np.array([shape[:4] for shape in walker.raw_shapes], dtype=np.float64))
        for box, raw in zip(boxes.tolist(), walker.raw_shapes, strict=True):
            shape = Shape(box[0], box[1], box[2], box[3], *raw[5:])
            (page.shapes if raw[4] == PATH else page.images).append(shape)
    if walker.raw_rules:
        page.rules = [tuple(rule) for rule in frame.boxes(np.array(walker.raw_rules, dtype=np.float64)).tolist()]
    return walker, page


def _read_covers(walker: Walker, frame: _Frame, page: Page) -> None:
    """Find the solid boxes over text; the first character of each run stands for it."""
    if not walker.solid or not len(page.style):
        return
    styles, first = np.unique(page.style, return_index=True)
    orders = np.array([page.styles[style].order for style in styles.tolist()])
    x0, y0, x1, y1 = page.boxes[first].T
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    boxes = frame.boxes(np.array([box for _, _, box in walker.solid]))
    over = np.array([order for order, _, _ in walker.solid])[:, None] > orders[None, :]
    over &= (boxes[:, 0, None] <= x) & (x <= boxes[:, 2, None]) & (boxes[:, 1, None] <= y) & (y <= boxes[:, 3, None])
    for position in np.flatnonzero(over.any(axis=1)).tolist():
        order, pointer, raw = walker.solid[position]
        if walker.hides(pointer, raw):
            page.covers.append(_shape(boxes[position].tolist(), order))
    if page.covers:
        earliest = min(cover.order for cover in page.covers)
        late = [(pointer, order) for pointer, order in walker.orders.items() if order > earliest]
        places = frame.boxes(np.array([walker.box(pointer, None) for pointer, _ in late]).reshape(-1, 4)).tolist()
        page.late_texts = [_shape(place, order) for place, (_, order) in zip(places, late, strict=True)]


def _shape(box: list[float], order: int) -> Shape:
    return Shape(box[0], box[1], box[2], box[3], None, order)
