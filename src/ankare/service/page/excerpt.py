"""How does a figure's cell read in its table: the headings, a few rows around it, and the cell marked?

HTML that we wrote around escaped text. Of a wide table the first columns and those near the cell are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from html import escape as quoted

from ankare.cite.escape import plain
from ankare.domain.fact import exact, written
from ankare.facts.surroundings import Excerpt, Shown, TableRow
from ankare.ingest.figures.cells import letters
from ankare.language.numbers import format_decimal, percent_sign

FIRST = 2
"""So many columns at the left of a wide table are shown: they name its rows."""
AROUND = 3
WIDE = 12
"""A table with more columns is shown in part."""
_GAP = -1
_HALF = Decimal("0.5")


def excerpts_html(excerpts: Iterable[Excerpt], texts: Mapping[str, str], language: str) -> str:
    """Tables with a cell marked in each, every one once. `texts`: the page's catalogue."""
    unique: list[Excerpt] = []
    for excerpt in excerpts:
        if excerpt not in unique:
            unique.append(excerpt)
    return "".join(_Table(excerpt, texts, language).html() for excerpt in unique)


class _Table:
    """One excerpt being set."""

    def __init__(self, excerpt: Excerpt, texts: Mapping[str, str], language: str) -> None:
        self._excerpt = excerpt
        self._texts = texts
        self._language = language
        rows = (*excerpt.headings, *excerpt.rows)
        self._columns = shown_columns(max(len(row.cells) for row in rows), excerpt.column)

    def html(self) -> str:
        excerpt = self._excerpt
        code = "page.excerpt_sheet" if excerpt.sheet else "page.excerpt"
        caption = quoted(plain(self._texts[code].format(file=excerpt.file, sheet=excerpt.sheet)))
        head = "".join(self._heading(row) for row in excerpt.headings)
        head = f"<thead>{self._letters()}{head}</thead>" if head or excerpt.sheet else ""
        return (
            f'<p class="ak-excerpt-of">{caption}</p>'
            f'<div class="ak-scroll ak-excerpt" role="region" tabindex="0" aria-label="{caption}">'
            f'<table aria-label="{caption}">{head}<tbody>{"".join(self._body())}</tbody></table></div>'
        )

    def _letters(self) -> str:
        """The names of a sheet's columns, as its cells are named by them; a text file has none."""
        if not self._excerpt.sheet:
            return ""
        names = "".join(f"<td>{'…' if at == _GAP else letters(at)}</td>" for at in self._columns)
        return f'<tr class="ak-letters" aria-hidden="true"><td></td>{names}</tr>'

    def _heading(self, row: TableRow) -> str:
        cells = "".join(
            "<td>…</td>" if at == _GAP else f'<th scope="col">{self._said(row, at)}</th>' for at in self._columns
        )
        return f'<tr><td class="ak-row-number">{row.number}</td>{cells}</tr>'

    def _body(self) -> Iterator[str]:
        before = max((row.number for row in self._excerpt.headings), default=None)
        for row in self._excerpt.rows:
            if before is not None and row.number > before + 1:
                yield f'<tr class="ak-gap" aria-hidden="true"><td colspan="{len(self._columns) + 1}">⋮</td></tr>'
            before = row.number
            own = row.number == self._excerpt.row
            cells = "".join(self._cell(row, at, marked=own and at == self._excerpt.column) for at in self._columns)
            name = quoted(self._texts["page.excerpt_row"])
            number = f'<th scope="row" class="ak-row-number"><span class="ak-hidden">{name} </span>{row.number}</th>'
            yield f'<tr class="{"ak-own" if own else "ak-near"}">{number}{cells}</tr>'

    def _cell(self, row: TableRow, at: int, *, marked: bool) -> str:
        if at == _GAP:
            return "<td>…</td>"
        said = self._said(row, at)
        number = ' class="ak-number"' if at < len(row.cells) and not isinstance(row.cells[at], str) else ""
        return f'<td{number} aria-current="true"><mark>{said}</mark></td>' if marked else f"<td{number}>{said}</td>"

    def _said(self, row: TableRow, at: int) -> str:
        return quoted(plain(said_cell(row.cells[at], self._language))) if at < len(row.cells) else ""


def said_cell(cell: Shown, language: str) -> str:
    """A cell with the decimal mark of the language, its thousands not set off: it may be a year. A text as it stands."""
    if isinstance(cell, str):
        return cell
    number = cell[0] if isinstance(cell, list) else cell
    mark = format_decimal(_HALF, language).strip("05")
    said = written(exact(number)).replace(".", mark)
    return said + percent_sign(language) if isinstance(cell, list) else said


def shown_columns(count: int, column: int) -> Sequence[int]:
    """Which of so many columns are shown around one of them (from 0); -1 stands for some that are not."""
    if count <= WIDE:
        return range(count)
    near = range(max(FIRST, column - AROUND), min(count, column + AROUND + 1))
    shown: list[int] = []
    for at in (*range(FIRST), *near):
        shown += [_GAP, at] if shown and at > shown[-1] + 1 else [at]
    return [*shown, _GAP] if shown[-1] < count - 1 else shown
