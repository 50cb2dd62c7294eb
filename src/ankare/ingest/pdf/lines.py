"""Which fragments make one line of text, marker and all?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from ankare.ingest.pdf.fragments import Fragment

BULLETS = "•●○◦▪▫■□◆◇►▶➢➤→✓✔❖∙·‣⁃–—-−*¡¨Ø"
_BULLET = re.compile(rf"[{re.escape(BULLETS)}](?=\s|$)|[•●▪■◦○►➢✓✔❖‣⁃](?=\S)")
_LETTERED = re.compile(r"(?:\(?\d{1,3}[.)]|\(?[a-zåäö][.)]|[A-ZÅÄÖ]\)|\(?[ivx]{1,5}[.)]|\d{1,2}:)(?=\s|$)")
_CHINESE = re.compile(r"\d{1,3}、|[（(][一二三四五六七八九十\d]{1,3}[）)](?!\S*[a-z])|[一二三四五六七八九十]{1,3}、")
_CLOSERS = (".", ")", "、", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十")
# Letters that stand for bullets only where they are set apart from what follows.
_APART = {"o": "○", "§": "▪"}
NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,6})\.?(?=\s|$|[^\W\d_])")
_BARE_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,6}\.?$")
NEAR, NEAR_IN_SEQUENCE, MARKER_REACH = 0.95, 2.0, 7.0


@dataclass(slots=True)
class Line:
    """One line of one column. Coordinates in reading direction (turned text is turned back by `angle`)."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    italic: bool
    angle: int
    page: int
    text_x: float
    column: int = 0

    @property
    def height(self) -> float:
        """Line height in points."""
        return self.y1 - self.y0


def lines_of(fragments: list[Fragment]) -> list[Line]:
    """Join fragments that stand beside each other without a column gap, and markers with what they mark."""
    order = {id(fragment): position for position, fragment in enumerate(fragments)}
    rows: list[list[Fragment]] = []
    for fragment in sorted(fragments, key=lambda item: (item.middle, item.x0)):
        for row in reversed(rows[-6:]):
            if abs(row[-1].middle - fragment.middle) < 0.42 * max(row[-1].size, fragment.size, 1.0):
                row.append(fragment)
                break
        else:
            rows.append([fragment])
    out: list[Line] = []
    for row in rows:
        row.sort(key=lambda item: (item.x0, item.x1))
        out += _row_lines(row, order)
    return out


def _row_lines(row: list[Fragment], order: dict[int, int]) -> list[Line]:
    groups: list[list[Fragment]] = []
    for fragment in row:
        if groups:
            last = groups[-1][-1]
            if fragment.text == last.text and abs(fragment.x0 - last.x0) < 0.15 * fragment.size:
                continue  # printed twice to look bold
            gap = (fragment.x0 - last.x1) / max(fragment.size, last.size, 1.0)
            sequential = order[id(fragment)] == order[id(last)] + 1
            marker = len(groups[-1]) == 1 and is_marker(last.text)
            if gap < (NEAR_IN_SEQUENCE if sequential else NEAR) or (marker and gap < MARKER_REACH):
                groups[-1].append(fragment)
                continue
        groups.append([fragment])
    return [_line(group) for group in groups]


def _line(group: list[Fragment]) -> Line:
    if len(group) == 1:
        only = group[0]
        box = (only.x0, only.y0, only.x1, only.y1)
        return Line(only.text, *box, only.size, only.bold, only.italic, only.angle, only.page, only.x0)
    text = _APART.get(group[0].text, group[0].text) if len(group) > 1 else group[0].text
    for last, fragment in pairwise(group):
        gap = (fragment.x0 - last.x1) / max(fragment.size, 1.0)
        text += fragment.text if gap < 0.12 and not is_marker(last.text) else " " + fragment.text
    main = max(group, key=lambda item: len(item.text))
    text_x = group[1].x0 if len(group) > 1 and is_marker(group[0].text) else group[0].x0
    return Line(
        text,
        min(item.x0 for item in group),
        min(item.y0 for item in group),
        max(item.x1 for item in group),
        max(item.y1 for item in group),
        main.size,
        sum(len(item.text) for item in group if item.bold) * 10 >= 9 * sum(len(item.text) for item in group),
        main.italic,
        main.angle,
        main.page,
        text_x,
    )


def is_marker(text: str) -> bool:
    """Is this all of it a list marker or a section number?"""
    return len(text) <= 16 and bool(
        text in _APART
        or ((found := _BULLET.match(text)) and found.end() == len(text))
        or ((found := _LETTERED.match(text)) and found.end() == len(text))
        or _BARE_NUMBER.match(text)
    )


def split_marker(text: str) -> tuple[str, str]:
    """(marker, rest): the list marker at the start of `text`, "" where there is none."""
    if text[:1].isalpha() and text[:1] not in "ivxØ" and text[1:2] not in _CLOSERS:
        return "", text
    found = _BULLET.match(text) or _LETTERED.match(text) or _CHINESE.match(text)
    if not found:
        if len(text) > 2 and text[0] in "-–" and text[1:3].isalpha():
            return text[0], text[1:]
        return "", text
    rest = text[found.end() :].lstrip()
    return found.group(), rest
