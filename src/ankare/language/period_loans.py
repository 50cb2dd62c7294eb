"""What do neighbouring items lend each other?

"Q1 och Q2 2024" lends the year to the first quarter, "Q3 2023 och 2024" the quarter to the second year, "första och andra
kvartalet" the unit to the first number. In one sentence a chain of parts and a chain of years that have only other words
between them belong together as well ("Q3 för Kina 2024"); and what is compared is of the same kind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ankare.language.period_forms import make_period
from ankare.language.period_items import Item, Part
from ankare.language.period_numbers import FIRST_BARE_YEAR
from ankare.language.period_words import CODE, PLAIN, WHOLE, WORD

_LISTED = "a"
_MERE_SIGNS = (",", "/", "-")
_HARDLY_JOINED = ("", *_MERE_SIGNS)
_SENTENCE_END = re.compile(r"[?!;\n。？！；]|\.(?!\S)")


@dataclass(frozen=True, slots=True)
class Chain:
    """Items and the kind of the connector before each; the first one's and `tail` are those that hang loose, "" for none."""

    items: tuple[Item, ...]
    joiners: tuple[str, ...]
    tail: str = ""


def settle(text: str, chains: Sequence[Chain]) -> list[Chain]:
    """The chains of a folded text after all their loans, without what turned out to be hardly a time."""
    lent = [_without_weak(_with_loans(chain), WORD) for chain in chains]
    met = _met(text, [chain for chain in lent if chain.items])
    return [chain for chain in (_without_weak(chain, CODE) for chain in met) if chain.items]


def _without_weak(chain: Chain, kind: str) -> Chain:
    """The chain without what was hardly a time and has met no year, and no other part of one either."""
    weak = [item.weak == kind and not item.years for item in chain.items]
    if not any(weak) or sum(item.only_parts for item in chain.items) > 1:
        return chain
    return kept_items(chain, [not drop for drop in weak])


def kept_items(chain: Chain, kept: Sequence[bool]) -> Chain:
    """The chain with the items that are kept; over a gap in it nothing but a list reaches."""
    places = [place for place, keep in enumerate(kept) if keep]
    joiners = [chain.joiners[i] if i == places[0] or kept[i - 1] else _LISTED for i in places]
    return Chain(tuple(chain.items[i] for i in places), tuple(joiners), chain.tail)


def _with_loans(chain: Chain) -> Chain:
    """The chain after its items have lent each other units, years and parts."""
    if len(chain.items) == 1 and chain.items[0].counted not in _LENDS_BACK:
        return chain
    for lend in (_with_units, _with_neighbours, _with_years, _with_parts):
        chain = lend(chain)
    return chain


def _with_units(chain: Chain) -> Chain:
    """Numbers without a unit take their neighbour's; without one they are no time, or a lost one beside a year."""
    if not any(item.counted in _LENDS_BACK for item in chain.items):
        return chain
    items = list(chain.items)
    for place in range(len(items) - 2, -1, -1):
        if items[place].counted in _LENDS_BACK and items[place + 1].counted in _LENDS_BACK[items[place].counted]:
            items[place] = _with_unit(items[place], items[place + 1])
    for place in range(1, len(items)):
        if items[place].counted == "N" and items[place - 1].counted in ("Q", "J"):
            items[place] = _with_unit(items[place], items[place - 1])
    kept = [item.counted not in _LENDS_BACK or bool(item.years) for item in items]
    return kept_items(replace(chain, items=tuple(map(_lost_without_unit, items))), kept)


def _lost_without_unit(item: Item) -> Item:
    return item._replace(parts=(), years=(), lost=True) if item.counted in _LENDS_BACK else item


_LENDS_BACK = {"O": ("H", "J"), "N": ("J",)}
"""Numbers without a unit, and which units after them they take: "första och andra kvartalet", "1-3月"."""


def _with_unit(item: Item, lender: Item) -> Item:
    """The item with the lender's unit, where a year has so many of it."""
    kind, number = lender.parts[0].type, item.parts[0].number
    if make_period(kind, FIRST_BARE_YEAR, number) is None:
        return item
    return item._replace(parts=(Part(kind, number),), counted=lender.counted)


def _with_neighbours(chain: Chain) -> Chain:
    """A part and a year with a mere sign between them are one item ("Q3, 2024", "mars-2024", "March 15, 2024")."""
    if not any(joiner in _MERE_SIGNS for joiner in chain.joiners):
        return chain
    items, joiners = list(chain.items), list(chain.joiners)
    place = 0
    while place + 1 < len(items):
        joined = _joined(items, place) if joiners[place + 1] in _MERE_SIGNS else None
        if joined is not None:
            items[place : place + 2] = [joined]
            del joiners[place + 1]
        place += 1
    return Chain(tuple(items), tuple(joiners), chain.tail)


def _joined(items: Sequence[Item], place: int) -> Item | None:
    first, second = items[place], items[place + 1]
    if _is_partial(first) and second.only_years and second.insists != WHOLE:
        part, year = first, second
    elif first.only_years and _is_partial(second) and first.insists != WHOLE and not _year_follows(items, place + 1):
        part, year = second, first
    else:
        return None
    whole = part._replace(start=first.start, end=second.end, dated=False, year_first=year is first, weak="")
    return whole if part.lost else whole._replace(years=year.years)


def _year_follows(items: Sequence[Item], place: int) -> bool:
    """Does a list of parts from this place on end in a year of its own ("2023, Q1 och Q2 2024")?"""
    following = next((item for item in items[place + 1 :] if not item.only_parts), None)
    return _lends_year(following, items[place])


def _is_partial(item: Item) -> bool:
    return item.only_parts or (item.lost and item.dated)


def _with_years(chain: Chain) -> Chain:
    """Parts without a year take it from the item that ends the list ("Q1 och Q2 2024"), else from one before."""
    if not any(item.only_parts for item in chain.items):
        return chain
    following: list[Item | None] = [None]
    for item in reversed(chain.items):
        following.append(following[-1] if item.only_parts else item)
    following.reverse()
    items: list[Item] = []
    before: Item | None = None
    for item, after in zip(chain.items, following[1:], strict=True):
        if item.only_parts:
            lender = after if _lends_year(after, item) else before
            item = item if lender is None or not _differ(lender, item) else item._replace(years=lender.years)
        before = item if item.years else before
        items.append(item)
    return replace(chain, items=tuple(items))


def _lends_year(after: Item | None, item: Item) -> bool:
    """Does the year at the end of a list go for this part as well? Not where it stands first, or has the same part."""
    if after is None or after.lost or after.year_first or not (after.parts and after.years):
        return False
    return _differ(after, item)


def _differ(one: Item, other: Item) -> bool:
    return set(one.parts).isdisjoint(other.parts)


def _with_parts(chain: Chain) -> Chain:
    """Years without a part take it from the part that they are listed or compared with ("Q3 2023 och 2024")."""
    if not any(_takes_part(item) for item in chain.items):
        return chain
    items = list(chain.items)
    for place in range(1, len(items)):
        if _takes_part(items[place]) and _lends_part(items[place - 1], chain.joiners[place]):
            items[place] = items[place]._replace(parts=items[place - 1].parts, lent=True)
    for place in range(len(items) - 2, -1, -1):
        lender = items[place + 1]
        spelled_after = lender.year_first and lender.counted != "F" and bool(lender.parts) and not lender.lost
        if _takes_part(items[place]) and spelled_after and chain.joiners[place + 1] in ("a", ",", "/"):
            items[place] = items[place]._replace(parts=lender.parts, year_first=True, lent=True)
    return replace(chain, items=tuple(items))


def _takes_part(item: Item) -> bool:
    return item.only_years and item.insists == PLAIN


def _lends_part(item: Item, joiner: str) -> bool:
    """Does a year after this item mean the same part of it? Where the year stands first, only in a comparison."""
    return bool(item.parts and item.years) and not item.lost and (joiner == "v" or not item.year_first)


def _met(text: str, chains: Sequence[Chain]) -> list[Chain]:
    """The chains after parts and years of one sentence have found each other ("Q3 för Kina 2024")."""
    met = list(chains)
    for place in range(len(met) - 1):
        first, second = met[place], met[place + 1]
        if _SENTENCE_END.search(text, first.items[-1].end, second.items[0].start):
            continue
        if first.tail in _HARDLY_JOINED and second.joiners[0] in _HARDLY_JOINED:
            met[place], met[place + 1] = _meeting(first, second)
        elif second.joiners[0] == "v":
            met[place], met[place + 1] = _compared(first, second)
    return met


def _compared(first: Chain, second: Chain) -> tuple[Chain, Chain]:
    """Two chains with a word of comparison before the second: a part goes over to its year, or its year to a part."""
    left, right = first.items[-1], second.items[0]
    if _takes_part(right) and _lends_part(left, "v"):
        lent = right._replace(parts=left.parts, lent=True)
        return first, _with_parts(replace(second, items=(lent, *second.items[1:])))
    if all(item.only_parts and _lends_year(right, item) for item in first.items):
        return replace(first, items=tuple(item._replace(years=right.years) for item in first.items)), second
    return first, second


def _meeting(first: Chain, second: Chain) -> tuple[Chain, Chain]:
    """Two chains: where one names only parts and the other only years, each is about those parts of those years."""
    if all(map(_is_partial, first.items)) and all(map(_may_hold_part, second.items)):
        return _exchanged(first, second)
    if all(map(_may_hold_part, first.items)) and all(map(_is_partial, second.items)):
        second, first = _exchanged(second, first)
    return first, second


def _may_hold_part(item: Item) -> bool:
    return item.only_years and item.insists != WHOLE


def _exchanged(parts: Chain, years: Chain) -> tuple[Chain, Chain]:
    all_parts = tuple(dict.fromkeys(part for item in parts.items for part in item.parts))
    all_years = tuple(dict.fromkeys(year for item in years.items for year in item.years))
    lost = any(item.lost for item in parts.items)
    dated = tuple(item._replace(years=() if item.lost else all_years, weak="") for item in parts.items)
    timed = tuple(item._replace(parts=all_parts, lent=True, lost=lost) for item in years.items)
    return replace(parts, items=dated), replace(years, items=timed)
