"""What on the pages is furniture: running headers and footers, page numbers, the table of contents?

Furniture repeats at the same distance from the same edge on most pages, digits aside, with nothing but furniture between
it and the edge. A label that repeats inside the body never qualifies. A document of one page has nothing to compare.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

from ankare.ingest.pdf.fragments import Fragment
from ankare.ingest.pdf.regions import Region

TOP_BAND, BOTTOM_BAND = 0.17, 0.13
SHARE = 0.45
PLACE = 5.0
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"[-–—(\s]*#\s*(?:\(#\)|[/|]\s*#|[-–—)])?\s*$")
_ROMAN = re.compile(r"(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})")
_LABELLED_NUMBER = re.compile(r"\w{1,6}\.?:?\s*#\s*(?:(?:\(|/|\w{1,3})\s*#\)?)?\s*$")
_LEADER = re.compile(
    r"^(?P<title>.*?\S)?\s*(?:_{3,}|\.{3,}|…{2,}|(?:\.\s){3,}\.?|·{3,})\s*(?P<page>\d{1,4}|[ivxlc]{1,6})\s*$"
)
_NUMBER_END = re.compile(r"^(?P<title>.*[^\W\d_].*?)\s+(?P<page>\d{1,4})$")
_NUMBERING = re.compile(r"^\d+(?:\.\d+)*\.?\s*")
MIN_TOC = 3
MIN_CHAPTERED = 6


@dataclass(slots=True)
class PageText:
    """The visible fragments of a page, and the page's size in points. `pictured`: pictures fill a good part of it."""

    number: int
    width: float
    height: float
    fragments: list[Fragment]
    grids: list[Region] = field(default_factory=list)
    pictured: bool = False
    furniture: list[str] = field(default_factory=list)


@lru_cache(maxsize=4096)
def mask(text: str) -> str:
    """The text with every number as one sign, so that "3 (12)" equals "4 (12)"."""
    return _DIGITS.sub("#", " ".join(text.split())).casefold()


def drop_furniture(pages: list[PageText]) -> None:
    """Move running headers, footers and page numbers from `fragments` to `furniture`, in place."""
    seen: Counter[tuple[str, bool, int]] = Counter()
    with_text = [page for page in pages if page.fragments]
    for page in with_text:
        keys: set[tuple[str, bool, int]] = set()
        for fragment in page.fragments:
            for text, top, place in _keys(fragment, page):
                keys |= {(text, top, place - 1), (text, top, place), (text, top, place + 1)}
        seen.update(keys)
    needed = max(2, math.ceil(SHARE * len(with_text)))
    repeated = {key for key, number in seen.items() if number >= needed}
    repeated |= _chapter_headers(with_text, {key for key, number in seen.items() if 2 <= number < needed})
    before = [(page, page.fragments) for page in with_text if not page.pictured]
    for page in with_text:
        for top in (True, False):
            _drop_edge(page, top, repeated)
    if not any(page.fragments for page in with_text):
        # What frames nothing is no frame: these pages say the same, and that is what the document says.
        for page, fragments in before:
            page.fragments, page.furniture = fragments, []


def _chapter_headers(pages: list[PageText], candidates: set[tuple[str, bool, int]]) -> set[tuple[str, bool, int]]:
    """Running headers that change with the chapter: they repeat a larger heading of the document, so nothing is lost."""
    if not candidates or len(pages) < MIN_CHAPTERED:
        return set()
    sizes = sorted(fragment.size for page in pages for fragment in page.fragments)
    usual = sizes[len(sizes) // 2]
    large = {
        key
        for page in pages
        for fragment in page.fragments
        if fragment.size > 1.15 * usual and len(key := title_key(fragment.text)) >= 4
    }
    small = {mask(fragment.text) for page in pages for fragment in page.fragments if fragment.size <= usual + 0.5}
    texts = sorted({text for text, _, _ in candidates if text in small})
    named = {text for text in texts if any(key in title_key(text) for key in large)}
    return {candidate for candidate in candidates if candidate[0] in named}


def _keys(fragment: Fragment, page: PageText) -> list[tuple[str, bool, int]]:
    """Where the fragment could be furniture: not in the body, nor in a table that reaches into the body."""
    out = []
    top, bottom = TOP_BAND * page.height, (1 - BOTTOM_BAND) * page.height
    if fragment.y1 <= top and not any(_holds(grid, fragment) and grid.y1 > top + 20 for grid in page.grids):
        out.append((mask(fragment.text), True, round(fragment.y0 / PLACE)))
    if fragment.y0 >= bottom and not any(_holds(grid, fragment) and grid.y0 < bottom - 20 for grid in page.grids):
        out.append((mask(fragment.text), False, round((page.height - fragment.y0) / PLACE)))
    return out


def _holds(grid: Region, fragment: Fragment) -> bool:
    return grid.x0 - 3 <= fragment.x0 <= grid.x1 and grid.y0 - 3 <= fragment.middle <= grid.y1 + 3


def _drop_edge(page: PageText, top: bool, repeated: set[tuple[str, bool, int]]) -> None:
    """Take furniture from one edge inwards, row by row, until the first row that has none.

    A row of which only a part repeats (a running title beside a chapter's) gives that part up only where another row of
    furniture lies further in: else it may be the body's first row, of which a label happens to repeat.
    """
    gone: set[int] = set()
    doubtful: set[int] = set()
    edge = TOP_BAND * page.height if top else (1 - BOTTOM_BAND) * page.height
    band = [item for item in page.fragments if (item.y0 < edge if top else item.y1 > edge)]
    for row in sorted(_rows(band), key=lambda row: row[0].y0 if top else -row[0].y1):
        candidates = [(fragment, [key for key in _keys(fragment, page) if key[1] is top]) for fragment in row]
        again = {id(item) for item, keys in candidates if any(key in repeated for key in keys)}
        numbers = {id(item) for item, keys in candidates if keys and _is_page_number(item, page, top)}
        gone |= numbers
        if (not again and not numbers) or _is_heading_row(row, again | numbers):
            break
        if len(again | numbers) == len(row):
            gone |= again | doubtful
            doubtful = set()
        else:
            doubtful |= again
    gone |= _number_labels(page, gone & {id(item) for item in page.fragments if _is_page_number(item, page, top)})
    if gone:
        page.furniture += [fragment.text for fragment in page.fragments if id(fragment) in gone]
        page.fragments = [fragment for fragment in page.fragments if id(fragment) not in gone]


def _number_labels(page: PageText, numbers: set[int]) -> set[int]:
    """The word right above or before a page number ("Page")."""
    out: set[int] = set()
    for number in (item for item in page.fragments if id(item) in numbers):
        for item in page.fragments:
            word = item.text.isalpha() and len(item.text) <= 6
            over = 0 <= number.y0 - item.y0 < 1.8 * number.size and abs(item.x0 + item.x1 - number.x0 - number.x1) < 30
            before = abs(number.middle - item.middle) < 2 and 0 < number.x0 - item.x1 < 2 * number.size
            if word and (over or before):
                out.add(id(item))
    return out


def _is_heading_row(row: list[Fragment], furniture: set[int]) -> bool:
    """Is what does not repeat in this row clearly larger than what does? Then it is the page's own title."""
    own = [fragment.size for fragment in row if id(fragment) not in furniture]
    rest = [fragment.size for fragment in row if id(fragment) in furniture]
    return bool(own and rest) and max(own) > 1.25 * max(rest)


def _is_page_number(fragment: Fragment, page: PageText, top: bool) -> bool:
    edge = fragment.y1 <= 0.09 * page.height if top else fragment.y0 >= 0.91 * page.height
    text = mask(fragment.text)
    if not edge:
        return False
    if _PAGE_NUMBER.fullmatch(text) or _ROMAN.fullmatch(text):
        return True
    return bool(_LABELLED_NUMBER.fullmatch(text)) and str(page.number) in _DIGITS.findall(fragment.text)[:1]


@dataclass(slots=True)
class Contents:
    """What the table of contents told: titles (case-folded, without number), and the pages that were nothing else."""

    titles: set[str] = field(default_factory=set)
    pages: set[int] = field(default_factory=set)


def drop_contents(pages: list[PageText]) -> Contents:
    """Take tables of contents out of `fragments`, in place, and keep their titles as evidence for headings."""
    contents = Contents()
    before = False
    for page in pages:
        if not page.fragments:
            continue
        rows = _rows(page.fragments)
        entries = _entries(rows, MIN_TOC - 1 if before else MIN_TOC) if len(pages) > 1 else {}
        before = bool(entries)
        if not entries:
            continue
        gone = {id(fragment) for position in entries for fragment in rows[position]}
        gone |= _caption(rows, min(entries), entries[min(entries)])
        contents.titles |= {key for title in entries.values() if (key := title_key(title))}
        contents.pages.add(page.number)
        page.fragments = [fragment for fragment in page.fragments if id(fragment) not in gone]
    return contents


def title_key(text: str) -> str:
    """A heading's text for comparison: without number, case, or spacing."""
    return "".join(_NUMBERING.sub("", text).casefold().split())


def _rows(fragments: list[Fragment]) -> list[list[Fragment]]:
    rows: list[list[Fragment]] = []
    for fragment in sorted(fragments, key=lambda item: (item.middle, item.x0)):
        if rows and abs(rows[-1][0].middle - fragment.middle) < 0.4 * max(fragment.size, 1):
            rows[-1].append(fragment)
        else:
            rows.append([fragment])
    return [sorted(row, key=lambda item: item.x0) for row in rows]


def _entries(rows: list[list[Fragment]], needed: int) -> dict[int, str]:
    """Row number -> title of the entries of a table of contents; empty where there is none."""
    texts = [" ".join(fragment.text for fragment in row) for row in rows]
    led = {i: found["title"] or "" for i, text in enumerate(texts) if (found := _LEADER.match(text))}
    nothing_else = bool(led) and min(led) <= 1 and len(led) >= len(rows) - 1
    if len(led) >= needed or nothing_else:
        return led
    return _unled(rows, texts)


def _unled(rows: list[list[Fragment]], texts: list[str]) -> dict[int, str]:
    """Entries without leaders: four or more, page numbers in rising order in line at the right."""
    out: dict[int, str] = {}
    last, edge = 0, 0.0
    for i, (row, text) in enumerate(zip(rows, texts, strict=True)):
        found = _NUMBER_END.match(text) if len(row) > 1 and row[-1].text.isdigit() else None
        if found and row[-1].x0 - row[-2].x1 > 2 * row[-1].size:
            number = int(found["page"])
            if not out or (number >= last and abs(row[-1].x1 - edge) < 3):
                out[i], last, edge = found["title"], number, row[-1].x1
                continue
        if len(out) >= 4:
            break
        out = {}
    numbered = sum(1 for title in out.values() if _NUMBERING.match(title))
    return out if len(out) >= 4 and numbered * 2 >= len(out) else {}


def _caption(rows: list[list[Fragment]], first: int, entry: str) -> set[int]:
    """The heading right above the first entry ("Contents"): one short line, no sentence, as large as the entries."""
    if first == 0 or not entry:
        return set()
    above, below = rows[first - 1], rows[first]
    text = " ".join(fragment.text for fragment in above)
    near = below[0].y0 - above[0].y1 < 3 * above[0].size
    alike = above[0].size >= below[0].size - 0.5 and len(text.split()) <= 3 and not text.endswith((".", ":"))
    return {id(fragment) for fragment in above} if near and alike else set()
