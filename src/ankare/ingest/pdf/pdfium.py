"""How do we ask pdfium for many numbers without paying for a Python object each?

pypdfium2's raw bindings return pointer objects; at a thousand characters a page that dominates. Here the same functions
are bound a second time with plain integers for pointers, so that `map` can drive them over a preallocated array.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

Pointer = int


class Pdfium:
    """The pdfium functions that are called per character or per object, taking and returning addresses as integers."""

    def __init__(self) -> None:
        import pypdfium2.raw as raw

        # c_size_t, unlike c_void_p, comes back as a number even for a null pointer.
        ptr, num, real = ctypes.c_size_t, ctypes.c_int, ctypes.c_float
        self.raw = raw
        self.loose_box = _bind(raw.FPDFText_GetLooseCharBox, num, ptr, num, ptr)
        self.text_object = _bind(raw.FPDFText_GetTextObject, ptr, ptr, num)
        self.matrix = _bind(raw.FPDFText_GetMatrix, num, ptr, num, ptr)
        self.font_size = _bind(raw.FPDFText_GetFontSize, ctypes.c_double, ptr, num)
        self.unicode = _bind(raw.FPDFText_GetUnicode, ctypes.c_uint, ptr, num)
        self.generated = _bind(raw.FPDFText_IsGenerated, num, ptr, num)
        self.font = _bind(raw.FPDFTextObj_GetFont, ptr, ptr)
        self.font_flags = _bind(raw.FPDFFont_GetFlags, num, ptr)
        self.font_weight = _bind(raw.FPDFFont_GetWeight, num, ptr)
        self.font_name = _bind(raw.FPDFFont_GetBaseFontName, ctypes.c_size_t, ptr, ptr, ctypes.c_size_t)
        self.render_mode = _bind(raw.FPDFTextObj_GetTextRenderMode, num, ptr)
        self.fill_colour = _bind(raw.FPDFPageObj_GetFillColor, num, ptr, ptr, ptr, ptr, ptr)
        self.count_objects = _bind(raw.FPDFPage_CountObjects, num, ptr)
        self.get_object = _bind(raw.FPDFPage_GetObject, ptr, ptr, num)
        self.count_form_objects = _bind(raw.FPDFFormObj_CountObjects, num, ptr)
        self.get_form_object = _bind(raw.FPDFFormObj_GetObject, ptr, ptr, ctypes.c_ulong)
        self.object_type = _bind(raw.FPDFPageObj_GetType, num, ptr)
        self.object_matrix = _bind(raw.FPDFPageObj_GetMatrix, num, ptr, ptr)
        self.bounds = _bind(raw.FPDFPageObj_GetBounds, num, ptr, ptr, ptr, ptr, ptr)
        self.draw_mode = _bind(raw.FPDFPath_GetDrawMode, num, ptr, ptr, ptr)
        self.count_segments = _bind(raw.FPDFPath_CountSegments, num, ptr)
        self.get_segment = _bind(raw.FPDFPath_GetPathSegment, ptr, ptr, num)
        self.segment_point = _bind(raw.FPDFPathSegment_GetPoint, num, ptr, ptr, ptr)
        self.segment_type = _bind(raw.FPDFPathSegment_GetType, num, ptr)
        self.has_transparency = _bind(raw.FPDFPageObj_HasTransparency, num, ptr)
        self.clip_path = _bind(raw.FPDFPageObj_GetClipPath, ptr, ptr)
        self.clip_count = _bind(raw.FPDFClipPath_CountPaths, num, ptr)
        self.clip_segments = _bind(raw.FPDFClipPath_CountPathSegments, num, ptr, num)
        self.clip_segment = _bind(raw.FPDFClipPath_GetPathSegment, ptr, ptr, num, num)
        self.points = (real * 8)()
        self.numbers = (ctypes.c_uint * 8)()
        self.point_at = [ctypes.addressof(self.points) + 4 * i for i in range(8)]
        self.number_at = [ctypes.addressof(self.numbers) + 4 * i for i in range(8)]


@cache
def pdfium() -> Pdfium:
    """The bound functions, one set per process. pdfium is not thread-safe: one thread per process may use them."""
    return Pdfium()


def address(handle: Any) -> Pointer:
    """The address that a raw pypdfium2 handle points at."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def _bind(function: Any, result: Any, *arguments: Any) -> Any:
    pointer = ctypes.cast(function, ctypes.c_void_p).value
    return ctypes.CFUNCTYPE(result, *arguments)(pointer)  # type: ignore[arg-type]
