"""Which text on a page would no reader see?"""

from __future__ import annotations

import numpy as np

from ankare.ingest.pdf.fragments import Fragment
from ankare.ingest.pdf.glyphs import INVISIBLE_MODES, WHITE, Floats, Page
from ankare.ingest.pdf.graphics import Shape

TINY = 1.5
NEAR_COLOUR = 20
OPAQUE = 12
SCAN_SHARE = 0.5
NOWHERE = (0.0, 0.0, -1.0, -1.0)


def split_hidden(page: Page, fragments: list[Fragment]) -> tuple[list[Fragment], list[str]]:
    """(visible fragments, texts that are hidden): too small, transparent, outside the page, painted over, or the colour of
    what is behind.

    Invisible text over a picture that covers most of the page is the page's text as recognised (OCR), hence visible.
    """
    if not fragments:
        return [], []
    scanned = sum((image.x1 - image.x0) * (image.y1 - image.y0) for image in page.images) > (
        SCAN_SHARE * page.width * page.height
    )
    dark = any(shape.colour and max(shape.colour) <= 60 for shape in page.shapes)
    pale = [dark or max(style.colour) > 40 for style in page.styles]
    coloured = np.array([shape[:4] if shape.colour else NOWHERE for shape in page.shapes]).reshape(-1, 4)
    visible: list[Fragment] = []
    hidden: list[Fragment] = []
    for fragment in fragments:
        style = page.styles[fragment.style]
        check = pale[fragment.style]
        gone = (
            fragment.size < TINY
            or style.alpha < OPAQUE
            or _outside(fragment, page)
            or (style.mode in INVISIBLE_MODES and not scanned)
            or any(_is_over(cover, fragment, style.order, page.late_texts) for cover in page.covers)
            or (check and style.mode not in INVISIBLE_MODES and _same_as_background(fragment, page, coloured))
        )
        if gone:
            hidden.append(fragment)
        else:
            visible.append(fragment)
    # Text that is set once more on top is seen.
    shown = {(fragment.text, round(fragment.x0 / 4), round(fragment.y0 / 4)) for fragment in visible}
    return visible, [text.text for text in hidden if (text.text, round(text.x0 / 4), round(text.y0 / 4)) not in shown]


def _is_over(cover: Shape, fragment: Fragment, order: int, late_texts: list[Shape]) -> bool:
    """Is all of the fragment below a solid shape that was painted later, and was nothing set there again?"""
    over = (
        cover.order > order
        and cover.x0 <= fragment.x0 + 1 and cover.x1 >= fragment.x1 - 1
        and cover.y0 <= fragment.y0 + 2 and cover.y1 >= fragment.y1 - 2
    )  # fmt: skip
    if not over:
        return False
    x, y = (fragment.x0 + fragment.x1) / 2, (fragment.y0 + fragment.y1) / 2
    return not any(text.order > cover.order and _covers(text, x, y) for text in late_texts)


def _outside(fragment: Fragment, page: Page) -> bool:
    x, y = (fragment.x0 + fragment.x1) / 2, (fragment.y0 + fragment.y1) / 2
    wholly = fragment.x1 <= 0 or fragment.x0 >= page.width or fragment.y1 <= 0 or fragment.y0 >= page.height
    return wholly or not (-2 <= x <= page.width + 2 and -2 <= y <= page.height + 2)


def _same_as_background(fragment: Fragment, page: Page, coloured: Floats) -> bool:
    """Is the colour that of the topmost rectangle below, or of the paper? Where a picture or a shape of another form
    may lie between, the text counts as seen."""
    style = page.styles[fragment.style]
    x, y = (fragment.x0 + fragment.x1) / 2, (fragment.y0 + fragment.y1) / 2
    behind, over = WHITE, -1
    below = [shape for shape in _at(page, coloured, x, y) if shape.order < style.order]
    for shape in below:
        if shape.plain and shape.colour and shape.order > over:
            behind, over = shape.colour, shape.order
    pictures = [image for image in page.images if image.order < style.order and _covers(image, x, y)]
    if any(shape.order > over for shape in [*pictures, *(shape for shape in below if not shape.plain)]):
        return False
    return all(abs(a - b) <= NEAR_COLOUR for a, b in zip(style.colour, behind, strict=True))


def _at(page: Page, boxes: Floats, x: float, y: float) -> list[Shape]:
    """The coloured shapes over a point; `boxes` has a row for each shape of the page."""
    over = (boxes[:, 0] <= x) & (x <= boxes[:, 2]) & (boxes[:, 1] <= y) & (y <= boxes[:, 3])
    return [page.shapes[position] for position in np.flatnonzero(over).tolist()]


def _covers(shape: Shape, x: float, y: float) -> bool:
    return shape.x0 <= x <= shape.x1 and shape.y0 <= y <= shape.y1
