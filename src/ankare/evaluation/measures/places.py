"""Is this the same place of the same document, however it is written?"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from ankare.evaluation.suites.gold import Part


def stands_in(part: Part, source: str, pages: tuple[int, ...]) -> bool:
    """Do these pages of a source say the part, as far as the suite knows? Names are compared by `same_source`."""
    return any(
        same_source(place.source, source) and (place.page is None or place.page in pages) for place in part.places
    )


def same_source(one: str, other: str) -> bool:
    """Is it the same document: alike but for case, kind of slash and folders that only one of them names?"""
    first, second = _folded(one), _folded(other)
    return bool(first) and (first == second or first.endswith(f"/{second}") or second.endswith(f"/{first}"))


@lru_cache(8192)
def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold().replace("\\", "/").strip("/")
