"""Which numbers, measures, dates and rhythms does a text state, and which of them are the same?

"30 dagar", "trettio dagar" and "en månad" are read as values: the first two are equal, the third is not. Measures of one
dimension are compared in its own unit (minutes, days, months, metres, kronor, percent), so that "två veckor" is "14 dagar"
and "1,2 miljoner kronor" is "1 200 tkr". The words stand in the language pack (`measures.toml`).
"""

from __future__ import annotations

from functools import lru_cache

from ankare.language.measure_phrases import clocks, rates, rhythms, written_dates
from ankare.language.measure_pieces import pieces_of, values_in_pieces
from ankare.language.measure_value import Value, same_dimension, same_value
from ankare.language.measure_words import measure_words

__all__ = ["Value", "read_values", "same_dimension", "same_value"]


@lru_cache(4096)
def read_values(text: str, code: str) -> tuple[Value, ...]:
    """The values of a text in a language, in order, none within another."""
    words = measure_words(code if code in ("sv", "en") else "en")
    folded = _folded(text)
    found: list[Value] = []
    taken: list[tuple[int, int]] = []
    for value in (*written_dates(folded), *rhythms(folded, words), *clocks(folded, words)):
        if not any(value.start < end and start < value.end for start, end in taken):
            taken.append((value.start, value.end))
            found.append(value)
    found += [value for value in rates(folded, words) if not any(value.start < e and s < value.end for s, e in taken)]
    pieces = [piece for piece in pieces_of(folded) if not any(s <= piece.start < e for s, e in taken)]
    found += values_in_pieces(pieces, words)
    return tuple(sorted(found, key=lambda value: value.start))


def _folded(text: str) -> str:
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
