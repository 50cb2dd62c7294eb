"""How does a manuscript become a PDF?

Blocks are turned into strips (a line, a table row, a figure, a whole fact box), and strips are put into frames (a page or a
column) from top to bottom. A document is set twice: the first run finds the page of every heading for the contents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ankare.sample.generate import figures
from ankare.sample.generate.furniture import (
    BOTTOM,
    GREEN,
    GREY,
    LEFT,
    PAGE_HEIGHT,
    PAGE_WIDTH,
    PALE,
    RIGHT,
    TOP,
    draw_cover,
    draw_running_lines,
    open_sheet,
)
from ankare.sample.generate.lines import Word, break_lines, split_words
from ankare.sample.generate.source import Block, Figure, Group, Heading, Item, Manuscript, PageBreak, Paragraph, Table

TEXT_SIZES = {"sans": (11.0, 15.5), "helvetica": (10.0, 14.5), "times": (11.0, 15.0)}
HEADINGS = {1: (18.0, 26.0, 30.0, 10.0), 2: (13.0, 19.0, 18.0, 5.0)}
INDENT, GUTTER, PAD = 17.0, 24.0, 5.0
WHOLE_TABLE = 200.0  # a table of this height or less is not divided between pages
MARKERS = ("\u2022", "\u2013", "\u2022")
CONTENTS = {"sv": "Innehåll", "en": "Contents"}


@dataclass(frozen=True, slots=True)
class Frame:
    """Where strips are put: a page's text area, or one of its columns."""

    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Strip:
    """Something of a height that is drawn at (x, y of its top). `gap` is the space above, `keep` holds it to the next."""

    height: float
    draw: Callable[[float, float], None]
    gap: float = 0.0
    keep: bool = False
    repeat: Strip | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents."""

    heading: Heading
    page: int


PAGE = Frame(LEFT, PAGE_WIDTH - LEFT - RIGHT)
HALF = (PAGE.width - GUTTER) / 2
COLUMNS = (Frame(LEFT, HALF), Frame(LEFT + HALF + GUTTER, HALF))


def typeset(manuscript: Manuscript) -> bytes:
    """The PDF of a manuscript, the same bytes in every run."""
    draft = Typesetter(manuscript, (), 0)
    draft.set()
    final = Typesetter(manuscript, tuple(draft.entries), draft.sheet.pdf.page)
    final.set()
    return bytes(final.sheet.pdf.output())


class Typesetter:
    """One run over a manuscript. `entries` and `pages` come from the run before."""

    def __init__(self, manuscript: Manuscript, entries: tuple[Entry, ...], pages: int) -> None:
        self.manuscript = manuscript
        self.known, self.pages = entries, pages
        self.size, self.leading = TEXT_SIZES[manuscript.font]
        self.entries: list[Entry] = []
        self.sheet = open_sheet(manuscript)
        self.frames: tuple[Frame, ...] = (PAGE,)
        self.column = 0
        self.y = self.top = TOP

    def set(self) -> None:
        """Set the whole document."""
        self._front()
        self._place(list(self._strips(self.manuscript.blocks, PAGE.width)))

    # -- pages and frames

    def _front(self) -> None:
        if self.manuscript.cover:
            self.sheet.pdf.add_page()
            draw_cover(self.sheet, self.manuscript)
        if self.manuscript.contents:
            self._new_page()
            self._contents()
        self._new_page()
        if not self.manuscript.cover:
            self._title()

    def _title(self) -> None:
        self.sheet.style(22, bold=True, colour=GREEN)
        self.sheet.pdf.text(LEFT, TOP + 18, self.manuscript.title)
        self.sheet.style(11, colour=GREY)
        self.sheet.pdf.text(LEFT, TOP + 38, self.manuscript.subtitle)
        self.y = TOP + 50

    def _new_page(self, blank: bool = False) -> None:
        self.sheet.pdf.add_page()
        if not blank:
            draw_running_lines(self.sheet, self.manuscript, self.sheet.pdf.page, self.pages)
        self.y, self.top, self.column = TOP, TOP, 0

    def _next_frame(self) -> None:
        if self.column + 1 < len(self.frames):
            self.column += 1
            self.y = self.top
        else:
            self._new_page()

    def _contents(self) -> None:
        pdf = self.sheet.pdf
        self.sheet.style(18, bold=True, colour=GREEN)
        pdf.text(LEFT, TOP + 18, CONTENTS[self.manuscript.language])
        y = TOP + 36.0
        tops = sum(1 for entry in self.known if entry.heading.level == 1)
        room = PAGE_HEIGHT - BOTTOM - y - 6.0 * tops
        pitch = min(16.0, room / max(1, len(self.known)))
        for entry in self.known:
            top = entry.heading.level == 1
            y += pitch + 6.0 if top else pitch
            indent = 0.0 if top else 18.0
            self.sheet.style(self.size, bold=top)
            pdf.text(LEFT + indent, y, entry.heading.label)
            start = LEFT + indent + pdf.get_string_width(entry.heading.label) + 6
            end = PAGE_WIDTH - RIGHT - pdf.get_string_width(str(entry.page)) - 6
            self.sheet.style(self.size, bold=top)
            self.sheet.right(PAGE_WIDTH - RIGHT, y, str(entry.page))
            self.sheet.style(self.size, colour=GREY)
            self.sheet.right(end, y, "." * int((end - start) / pdf.get_string_width(".")))

    def _place(self, strips: list[Strip]) -> None:
        limit = PAGE_HEIGHT - BOTTOM
        for index, strip in enumerate(strips):
            first = self.y == self.top
            gap = 0.0 if first else strip.gap
            if not first and self.y + gap + _needed(strips, index) > limit:
                self._next_frame()
                gap = 0.0
                if strip.repeat:
                    self._put(strip.repeat, 0.0)
            self._put(strip, gap)

    def _put(self, strip: Strip, gap: float) -> None:
        self.y += gap
        strip.draw(self.frames[self.column].x, self.y)
        self.y += strip.height

    # -- blocks to strips

    def _strips(self, blocks: tuple[Block, ...], width: float) -> Iterator[Strip]:
        for index, block in enumerate(blocks):
            if isinstance(block, Heading):
                yield from self._heading(block, width)
            elif isinstance(block, Paragraph):
                listed = index + 1 < len(blocks) and isinstance(blocks[index + 1], Item | Table)
                yield from self._text(block.text, width, gap=7.0, keep=listed)
            elif isinstance(block, Item):
                following = [isinstance(other, Item) for other in blocks[index + 1 : index + 3]]
                yield from self._item(block, width, keep=following[:1] == [True] and following != [True, True])
            elif isinstance(block, Table):
                yield from self._table(block, width)
            else:
                yield from self._display(block, width)

    def _display(self, block: Figure | Group | PageBreak, width: float) -> Iterator[Strip]:
        if isinstance(block, PageBreak):
            yield Strip(0.0, self._break_page)
        elif isinstance(block, Figure):
            yield self._full_figure(block) if block.full_page else self._figure(block, width)
        elif block.kind == "box":
            yield self._box(block, width)
        else:
            yield Strip(0.0, self._open_columns)
            yield from self._strips(block.blocks, HALF)
            yield Strip(0.0, self._close_columns)

    def _break_page(self, _x: float, _y: float) -> None:
        if self.y != TOP:
            self._new_page()

    def _open_columns(self, _x: float, y: float) -> None:
        self.frames = COLUMNS
        self.y = self.top = y + 8

    def _close_columns(self, _x: float, _y: float) -> None:
        self.frames = (PAGE,)
        self._new_page()

    def _heading(self, heading: Heading, width: float) -> Iterator[Strip]:
        size, leading, above, below = HEADINGS.get(heading.level, (self.size, self.leading, 11.0, 1.0))
        if width < PAGE.width and heading.level == 1:
            size, leading = 14.0, 20.0
        lines = self._lines(split_words(heading.label, bold=True), width, size)
        colour = GREEN if heading.level < 3 else (20, 22, 21)
        for index, line in enumerate(lines):
            draw = self._line_drawer(line, size, leading, 0.0, colour)
            if index == 0:
                draw = self._marked(heading, draw)
            last = index == len(lines) - 1
            yield Strip(leading + (below if last else 0.0), draw, above if index == 0 else 0.0, keep=True)

    def _marked(self, heading: Heading, draw: Callable[[float, float], None]) -> Callable[[float, float], None]:
        def mark(x: float, y: float) -> None:
            if heading.level < 3:
                self.entries.append(Entry(heading, self.sheet.pdf.page))
            if self.manuscript.outline:
                self.sheet.pdf.set_xy(x, y)
                self.sheet.pdf.start_section(heading.label, level=heading.level - 1, strict=False)
            draw(x, y)

        return mark

    def _text(self, text: str, width: float, gap: float, keep: bool = False, indent: float = 0.0) -> Iterator[Strip]:
        lines = self._lines(split_words(text), width - indent, self.size)
        for index, line in enumerate(lines):
            last = index == len(lines) - 1
            stretch = width - indent if self.manuscript.justify and not last else 0.0
            draw = self._line_drawer(line, self.size, self.leading, indent, stretch=stretch)
            together = (index == 0 and len(lines) > 1) or index == len(lines) - 2
            yield Strip(self.leading, draw, gap if index == 0 else 0.0, keep=together or (last and keep))

    def _item(self, item: Item, width: float, keep: bool) -> Iterator[Strip]:
        indent = INDENT * (item.depth + 1)
        marker = MARKERS[item.depth] if item.marker == "-" else item.marker
        strips = list(self._text(item.text, width, gap=3.0, keep=keep, indent=indent))

        def draw(x: float, y: float) -> None:
            self.sheet.style(self.size)
            self.sheet.pdf.text(x + indent - INDENT + 3, y + self.leading - 4, marker)
            strips[0].draw(x, y)

        yield Strip(self.leading, draw, 3.0, strips[0].keep)
        yield from strips[1:]

    def _table(self, table: Table, width: float) -> Iterator[Strip]:
        total = sum(table.widths)
        widths = [width * share / total for share in table.widths]
        header = self._row(table.rows[0], widths, head=True)
        rows = [self._row(row, widths, head=False) for row in table.rows[1:]]
        short = header.height + sum(row.height for row in rows) <= WHOLE_TABLE
        yield Strip(header.height, header.draw, 9.0, keep=True)
        for index, row in enumerate(rows):
            keep = index in (0, len(rows) - 2) or (short and index < len(rows) - 1)
            yield Strip(row.height, row.draw, keep=keep, repeat=header)
        yield Strip(6.0, lambda _x, _y: None)

    def _row(self, cells: tuple[str, ...], widths: list[float], head: bool) -> Strip:
        size, leading = 9.5, 12.5
        set_cells = [
            self._lines(split_words(cell, bold=head), wide - 2 * PAD, size)
            for cell, wide in zip(cells, widths, strict=True)
        ]
        height = max(len(lines) for lines in set_cells) * leading + 2 * PAD - 2

        def draw(x: float, y: float) -> None:
            pdf = self.sheet.pdf
            for lines, wide in zip(set_cells, widths, strict=True):
                pdf.set_draw_color(*GREY)
                pdf.set_line_width(0.5)
                pdf.set_fill_color(*PALE)
                pdf.rect(x, y, wide, height, style="DF" if head else "D")
                for index, line in enumerate(lines):
                    self._line_drawer(line, size, leading, PAD)(x, y + PAD - 1 + index * leading)
                x += wide

        return Strip(height, draw)

    def _box(self, group: Group, width: float) -> Strip:
        inner = list(self._strips(group.blocks, width - 28))
        title = self._line_drawer(split_words(group.title, bold=True), self.size, self.leading, 14.0, GREEN)
        height = self.leading + 22 + sum(strip.gap + strip.height for strip in inner)

        def draw(x: float, y: float) -> None:
            self.sheet.pdf.set_fill_color(*PALE)
            self.sheet.pdf.rect(x, y, width, height, style="F")
            self.sheet.pdf.set_fill_color(*GREEN)
            self.sheet.pdf.rect(x, y, 3, height, style="F")
            title(x, y + 8)
            y += 8 + self.leading
            for strip in inner:
                strip.draw(x + 14, y + strip.gap)
                y += strip.gap + strip.height

        return Strip(height + 8, draw, 12.0)

    def _figure(self, figure: Figure, width: float) -> Strip:
        image = figures.draw(figure.name)
        height = width * image.height / image.width

        def draw(x: float, y: float) -> None:
            self.sheet.pdf.image(image, x, y, width, height)
            caption = split_words(figure.caption)
            self._line_drawer(caption, 9.5, 14.0, 0.0, GREY)(x, y + height + 4)

        return Strip(height + 24, draw, 12.0)

    def _full_figure(self, figure: Figure) -> Strip:
        def draw(_x: float, _y: float) -> None:
            self._new_page(blank=True)
            self.sheet.pdf.image(figures.draw(figure.name), 0, 0, PAGE_WIDTH, PAGE_HEIGHT)
            self._new_page()

        return Strip(0.0, draw)

    # -- words to lines

    def _lines(self, words: list[Word], width: float, size: float) -> list[list[Word]]:
        def measure(text: str, bold: bool) -> float:
            self.sheet.style(size, bold)
            return float(self.sheet.pdf.get_string_width(text))

        hyphen = "\u00ad" if self.manuscript.soft_hyphen else "-"
        return break_lines(words, width, measure, self.manuscript.language, hyphen)

    def _line_drawer(
        self,
        words: list[Word],
        size: float,
        leading: float,
        indent: float,
        colour: tuple[int, int, int] = (20, 22, 21),
        stretch: float = 0.0,
    ) -> Callable[[float, float], None]:
        """Draws a line at a top left corner; `stretch` is the width to justify it to, 0 for ragged."""

        def draw(x: float, y: float) -> None:
            x += indent
            spread = self._spread(words, size, stretch)
            for stretch_words in _runs(words, alone=bool(stretch)):
                self.sheet.style(size, stretch_words[0].bold, colour)
                text = " ".join(word.text for word in stretch_words)
                if not stretch_words[0].glued and stretch_words[0] is not words[0]:
                    x += self.sheet.pdf.get_string_width(" ") + spread
                self.sheet.pdf.text(x, y + leading - 4, text)
                x += self.sheet.pdf.get_string_width(text)

        return draw

    def _spread(self, words: list[Word], size: float, width: float) -> float:
        gaps = sum(1 for word in words[1:] if not word.glued)
        if not width or not gaps:
            return 0.0
        used = 0.0
        for index, word in enumerate(words):
            self.sheet.style(size, word.bold)
            space = self.sheet.pdf.get_string_width(" ") if index and not word.glued else 0.0
            used += self.sheet.pdf.get_string_width(word.text) + space
        return (width - used) / gaps


def _runs(words: list[Word], alone: bool) -> Iterator[list[Word]]:
    run: list[Word] = []
    for word in words:
        if run and (alone or word.glued or word.bold != run[-1].bold):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _needed(strips: list[Strip], index: int) -> float:
    """The height of a strip and of those that it must stand together with."""
    needed = strips[index].height
    while strips[index].keep and index + 1 < len(strips):
        index += 1
        needed += strips[index].gap + strips[index].height
    return needed
