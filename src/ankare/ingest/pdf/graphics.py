"""What is drawn on a page around the text: rules, boxes, pictures, and in which order?

Coordinates are raw ones of PDF user space; `glyphs` turns them to the page as displayed.
"""

from __future__ import annotations

import math
from itertools import repeat
from typing import Any, NamedTuple

from ankare.ingest.pdf.pdfium import Pdfium, Pointer

TEXT, PATH, IMAGE, SHADING, FORM = 1, 2, 3, 4, 5
MAX_SEGMENTS = 400
MAX_OBJECTS = 40_000
MAX_FORM_DEPTH = 6
DARK = 60


class Shape(NamedTuple):
    """A filled or stroked path, or a picture. `colour` is None where nothing is filled; `order` is the painting order.

    `frame`: it can hold text. `plain`: it is an upright rectangle, so that its box is what it covers.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    colour: tuple[int, int, int] | None
    order: int
    frame: bool = True
    plain: bool = True
    stroked: bool = False


class Walker:
    """Goes through a page's objects in painting order, into forms."""

    def __init__(self, lib: Pdfium) -> None:
        self.lib = lib
        self.orders: dict[Pointer, int] = {}
        self.raw_shapes: list[Any] = []
        self.raw_rules: list[tuple[float, float, float, float]] = []
        self.order = 0
        self.solid: list[tuple[int, Pointer, tuple[float, float, float, float]]] = []

    def walk(self, objects: Any, matrix: tuple[float, ...] | None, depth: int) -> None:
        """Take in `objects`; `matrix` maps their space to the page's (None: the same)."""
        kind_of = self.lib.object_type
        for pointer in objects:
            if not pointer:
                continue
            self.order += 1
            kind = kind_of(pointer)
            if kind == TEXT:
                self.orders[pointer] = self.order
            elif kind == PATH:
                self._path(pointer, matrix)
            elif kind in (IMAGE, SHADING):
                self.raw_shapes.append((*self.box(pointer, matrix), kind, None, self.order, True, True, False))
            elif kind == FORM and depth < MAX_FORM_DEPTH and self.order < MAX_OBJECTS:
                inner = self._compose(pointer, matrix)
                count = self.lib.count_form_objects(pointer)
                self.walk(map(self.lib.get_form_object, repeat(pointer), range(max(0, count))), inner, depth + 1)

    def _compose(self, pointer: Pointer, matrix: tuple[float, ...] | None) -> tuple[float, ...]:
        self.lib.object_matrix(pointer, self.lib.point_at[0])
        a, b, c, d, e, f = self.lib.points[0:6]
        if matrix is None:
            return a, b, c, d, e, f
        k, m, n, o, p, q = matrix
        return (
            a * k + b * n, a * m + b * o, c * k + d * n, c * m + d * o, e * k + f * n + p, e * m + f * o + q,
        )  # fmt: skip

    def box(self, pointer: Pointer, matrix: tuple[float, ...] | None) -> tuple[float, float, float, float]:
        """An object's left, bottom, right and top on the page."""
        self.lib.bounds(pointer, *self.lib.point_at[:4])
        left, bottom, right, top = self.lib.points[0:4]
        if matrix is None:
            return left, bottom, right, top
        a, b, c, d, e, f = matrix
        xs = [a * x + c * y + e for x in (left, right) for y in (bottom, top)]
        ys = [b * x + d * y + f for x in (left, right) for y in (bottom, top)]
        return min(xs), min(ys), max(xs), max(ys)

    def _path(self, pointer: Pointer, matrix: tuple[float, ...] | None) -> None:
        lib = self.lib
        left, bottom, right, top = self.box(pointer, matrix)
        if not all(map(math.isfinite, (left, bottom, right, top))):
            return
        lib.draw_mode(pointer, lib.number_at[0], lib.number_at[1])
        filled, stroked = lib.numbers[0] != 0, lib.numbers[1] != 0
        thin = right - left < 3 or top - bottom < 3
        if thin:
            if filled or stroked:
                self.raw_rules.append((left, bottom, right, top))
            return
        segments = lib.count_segments(pointer)
        colour, plain = None, segments <= 6
        if filled:
            lib.fill_colour(pointer, *lib.number_at[:4])
            red, green, blue, alpha = lib.numbers[0:4]
            colour = (red, green, blue) if alpha > 127 else None
            # What is dark may hide dark text, so an arrow head must not pass for a box.
            plain = plain and (max(red, green, blue) > DARK or self._is_rectangle(pointer, segments))
            if plain and alpha == 255 and matrix is None and self.orders:
                self.solid.append((self.order, pointer, (left, bottom, right, top)))
        frame = filled or 4 <= segments <= 40
        if segments > 6 and stroked and segments <= MAX_SEGMENTS:
            frame = self._segments(pointer, matrix, segments) <= 4 and frame
        if filled or stroked:
            self.raw_shapes.append((left, bottom, right, top, PATH, colour, self.order, frame, plain, stroked))
        if stroked and segments in (4, 5, 6):
            self.raw_rules += [
                (left, bottom, right, bottom), (left, top, right, top),
                (left, bottom, left, top), (right, bottom, right, top),
            ]  # fmt: skip

    def _is_rectangle(self, pointer: Pointer, count: int) -> bool:
        """Do a path's points lie on two upright and two level lines only?"""
        lib = self.lib
        xs, ys = set(), set()
        for position in range(count):
            segment = lib.get_segment(pointer, position)
            if not segment or not lib.segment_point(segment, lib.point_at[0], lib.point_at[1]):
                return False
            xs.add(round(lib.points[0], 1))
            ys.add(round(lib.points[1], 1))
        return len(xs) == 2 and len(ys) == 2

    def hides(self, pointer: Pointer, box: tuple[float, float, float, float]) -> bool:
        """Is a filled shape solid all over its box? Where its clip cannot be told, it is taken not to be."""
        lib = self.lib
        if lib.has_transparency(pointer) or not self._is_rectangle(pointer, lib.count_segments(pointer)):
            return False
        clip = lib.clip_path(pointer)
        for path in range(lib.clip_count(clip) if clip else 0):
            places: list[tuple[float, float]] = []
            for position in range(min(lib.clip_segments(clip, path), 8)):
                segment = lib.clip_segment(clip, path, position)
                if segment and lib.segment_point(segment, lib.point_at[0], lib.point_at[1]):
                    places.append((lib.points[0], lib.points[1]))
            xs, ys = [x for x, _ in places], [y for _, y in places]
            if not places or len({round(x) for x in xs}) != 2 or len({round(y) for y in ys}) != 2:
                return False
            if min(xs) > box[0] + 1 or min(ys) > box[1] + 1 or max(xs) < box[2] - 1 or max(ys) < box[3] - 1:
                return False
        return True

    def _segments(self, pointer: Pointer, matrix: tuple[float, ...] | None, count: int) -> int:
        """Add the straight upright lines of a path drawn in one go; returns how many there were."""
        lib, found = self.lib, 0
        a, b, c, d, e, f = matrix or (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
        last: tuple[float, float] | None = None
        for position in range(count):
            segment = lib.get_segment(pointer, position)
            if not segment or not lib.segment_point(segment, lib.point_at[0], lib.point_at[1]):
                last = None
                continue
            x, y = lib.points[0], lib.points[1]
            point = (a * x + c * y + e, b * x + d * y + f)
            straight = lib.segment_type(segment) == 0
            if straight and last and (abs(point[0] - last[0]) < 1 or abs(point[1] - last[1]) < 1):
                xs, ys = sorted((point[0], last[0])), sorted((point[1], last[1]))
                if xs[1] - xs[0] > 8 or ys[1] - ys[0] > 8:
                    self.raw_rules.append((xs[0], ys[0], xs[1], ys[1]))
                    found += 1
            last = point
        return found
