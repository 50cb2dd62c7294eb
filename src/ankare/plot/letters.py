"""How wide is a text, and how is it cut or broken so that it fits?

Widths are those of the wider of two common sans-serif faces (`widths.toml`): what fits here fits with the reader's own.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

SIZE = 13.0
"""How high letters are."""
LINE = 16.0
MOST = 300
"""No more characters of a name are looked at."""
ELLIPSIS = "…"
OTHER, WIDE = 0.75, 1.05
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\ud800-\udfff]")


def named(text: str) -> str:
    """The text on one line, without characters that cannot be seen or that turn its direction around."""
    return " ".join(_UNSEEN.sub(" ", text[:MOST]).split(" ")).strip() if text else ""


def width_of(text: str, size: float = SIZE) -> float:
    """The width of a line, on the wide side."""
    known = _widths()
    return size * sum(known.get(letter) or _unknown(letter) for letter in text)


def fitted(text: str, width: float) -> str:
    """The text, cut with an ellipsis where it is wider."""
    if width_of(text) <= width:
        return text
    kept = text
    while kept and width_of(kept + ELLIPSIS) > width:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS


def broken(text: str, width: float, most: int = 2) -> list[str]:
    """The text in at most so many lines of this width; what does not fit is cut."""
    lines: list[str] = []
    words = text.split(" ")
    while words and len(lines) < most - 1:
        taken = 1
        while taken < len(words) and width_of(" ".join(words[: taken + 1])) <= width:
            taken += 1
        lines.append(fitted(" ".join(words[:taken]), width))
        words = words[taken:]
    return [*lines, fitted(" ".join(words), width)] if words else lines


def _unknown(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    return WIDE if unicodedata.east_asian_width(letter) in "WF" else OTHER if letter < "\u2000" else WIDE


@cache
def _widths() -> Mapping[str, float]:
    table = tomllib.loads((files("ankare.plot") / "widths.toml").read_text(encoding="utf-8"))["widths"]
    return {letter: int(width) / 1000 for width, letters in table.items() for letter in letters}
