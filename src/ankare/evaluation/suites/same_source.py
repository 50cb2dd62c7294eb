"""Is this the same document, however its name is written?"""

from __future__ import annotations

import unicodedata
from functools import lru_cache


def same_source(one: str, other: str) -> bool:
    """Is it the same document: alike but for case, kind of slash and folders that only one of them names?"""
    first, second = _folded(one), _folded(other)
    return bool(first) and (first == second or first.endswith(f"/{second}") or second.endswith(f"/{first}"))


@lru_cache(8192)
def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold().replace("\\", "/").strip("/")
