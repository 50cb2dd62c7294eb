"""What is a value of a body, where the body may hold anything?

A body comes from whatever answers at an address. A value of another type than the one that is looked for is not there.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping
from typing import Any

MOST_ITEMS = 2000
"""Of a list, what is looked at."""
LONGEST_TEXT = 1_000_000
"""Characters of a text that are looked at."""
LARGEST = 10**15
"""Of a number: more tokens, pages or milliseconds are a mistake, and no sum of them says anything."""
_NOTHING: Mapping[str, Any] = {}


def decoded(data: bytes) -> Any:
    """JSON, in which null stands for what is no number or one that is too large to reckon with. Raises ValueError and
    RecursionError."""
    return json.loads(data, parse_constant=lambda _: None, parse_float=_finite, parse_int=_whole)


def _finite(written: str) -> float | None:
    value = float(written)
    return value if math.isfinite(value) else None


def _whole(written: str) -> int | None:
    value = int(written)
    return value if abs(value) <= sys.float_info.max else None


def mapping(held: object) -> Mapping[str, Any]:
    """The object, an empty one for anything else."""
    return held if isinstance(held, Mapping) else _NOTHING


def mappings(held: object) -> Iterator[Mapping[str, Any]]:
    """The objects of a list; what else is in it is left out."""
    return (item for item in items(held) if isinstance(item, Mapping))


def items(held: object) -> list[Any]:
    """The list, at most `MOST_ITEMS` of it; an empty one for anything else."""
    return held[:MOST_ITEMS] if isinstance(held, list) else []


def text(held: object) -> str:
    """The text, "" for anything else. Halves of characters, which no file could hold, are replaced."""
    if not isinstance(held, str):
        return ""
    return held[:LONGEST_TEXT].encode("utf-8", "replace").decode("utf-8")


def written(held: object) -> str:
    """A text, or a number as it was written: some services tell figures as numbers."""
    if isinstance(held, int | float) and not isinstance(held, bool):
        return "" if number(held) is None else str(held)
    return text(held)


def number(held: object) -> float | None:
    """The number, None for one that is none, is endless or larger than `LARGEST`."""
    if isinstance(held, bool) or not isinstance(held, int | float):
        return None
    return float(held) if abs(held) <= LARGEST and math.isfinite(held) else None


def count(held: object) -> int | None:
    """A whole number from 0, None for anything else."""
    found = number(held)
    return int(found) if found is not None and found >= 0 and found == int(found) else None


def truth(held: object) -> bool | None:
    """True or false, None for anything else."""
    return held if isinstance(held, bool) else None


def pages(held: object) -> tuple[int, ...]:
    """Numbers of pages; one alone counts as a list of one."""
    found = map(count, items(held if isinstance(held, list) else [held]))
    return tuple(page for page in found if page)
