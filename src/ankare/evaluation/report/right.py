"""What would be right, part by part, as it is scored?

Snippets of which one holds the other are one part when answers are scored; they stand together here too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ankare.evaluation.case import Case
from ankare.evaluation.suites.gold import Part, parts_of

MOST_PLACES, MOST_PAGES = 6, 6


@dataclass(frozen=True, slots=True)
class RightPart:
    """One part of the gold. `places`: documents with their pages; `snippet`: the least that says it, "" where only the place
    is known; `same`: longer wordings of the suite that are counted as the same part."""

    places: str
    snippet: str = ""
    same: tuple[str, ...] = ()


def right_parts(case: Case, page: Callable[[str], str]) -> tuple[RightPart, ...]:
    """The parts in the order of the suite. `page`: how pages ("3, 4") are written after their document."""
    return tuple(RightPart(_places(one, page), *_snippets(one)) for one in parts_of(case))


def _snippets(part: Part) -> tuple[str, tuple[str, ...]]:
    return (part.snippets[0], part.snippets[1:]) if part.snippets else ("", ())


def _places(part: Part, page: Callable[[str], str]) -> str:
    pages: dict[str, list[int]] = {}
    for place in sorted(part.places, key=lambda one: (one.source, one.page or 0)):
        pages.setdefault(place.source, []).extend([] if place.page is None else [place.page])
    told = []
    for source, held in list(pages.items())[:MOST_PLACES]:
        shown = ", ".join(map(str, held[:MOST_PAGES])) + (", …" if len(held) > MOST_PAGES else "")
        told.append(f"{source}, {page(shown)}" if held else source)
    return "; ".join(told) + ("; …" if len(pages) > MOST_PLACES else "")
