"""How does a text look when case, width and the kinds of spaces, dashes and apostrophes do not matter, and where was it?"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from ankare.language.tokens import INVISIBLE

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u2018\u2019\u02bc\u2032", "'"),
        **dict.fromkeys("\u00a0\u202f\u205f\u3000", " "),
        **{chr(code): " " for code in range(0x2000, 0x200B)},
        **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
        **dict.fromkeys(INVISIBLE, None),
        "\u301c": "~",
    }
)


@dataclass(frozen=True, slots=True)
class Folded:
    """A text as it is compared, and where each of its characters stands in the text as given (None: at the same place)."""

    text: str
    places: tuple[tuple[int, int], ...] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span in the text as given."""
        if self.places is None:
            return start, end
        return self.places[start][0], self.places[end - 1][1]


def fold(text: str) -> Folded:
    """The text in small letters, with plain digits, spaces, dashes and apostrophes, without invisible characters."""
    if text.isascii():
        return Folded(text.lower())
    folded = text.translate(_SIGNS).lower()
    if len(folded) == len(text) and unicodedata.is_normalized("NFKC", folded):
        return Folded(folded)
    return _fold_by_cluster(text)


def _fold_by_cluster(text: str) -> Folded:
    """The same for a text whose characters do not fold one by one: each base with its marks is folded and keeps its place."""
    clusters: list[tuple[int, int]] = []
    for place, sign in enumerate(text):
        if clusters and (unicodedata.combining(sign) or sign in INVISIBLE):
            clusters[-1] = (clusters[-1][0], place + 1)
        else:
            clusters.append((place, place + 1))
    signs: list[str] = []
    places: list[tuple[int, int]] = []
    for start, end in clusters:
        visible = "".join(sign for sign in text[start:end] if sign not in INVISIBLE)
        folded = unicodedata.normalize("NFKC", visible).translate(_SIGNS).lower()
        signs.append(folded)
        places.extend([(start, end)] * len(folded))
    return Folded("".join(signs), tuple(places))
