"""What does a text of the sample pack consist of?

A source file opens with TOML between two `+++` lines (what stands on the cover and in the running lines) and goes on in
a small Markdown dialect:

    # Heading          levels # to ###; numbered unless the front matter says otherwise
    - item             bullets; two spaces of indent make a nested list
    1. item            numbered lists; "a) item" for letters
    | a | b |          table rows, the first one is the header; `!widths 2 3` before it sets relative widths
    !box Title         a fact box, up to `!end`
    !columns           two columns down to the end of the page, up to `!end`
    !figure name text  a figure of `figures.py` with a caption
    !figurepage name   the same, filling a page that holds nothing else
    !page              a new page
    **bold**           inside running text
"""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

_ITEM = re.compile(r"^( *)(-|\d+\.|[a-z]\))\s+(.*)$")
_HEADING = re.compile(r"^(#{1,3})\s+(.*)$")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `number` is empty where headings are not numbered."""

    level: int
    text: str
    number: str

    @property
    def label(self) -> str:
        """The heading as printed."""
        return f"{self.number} {self.text}" if self.number else self.text


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """A list item. `marker` is "-", "1." or "a)"; `depth` 0 is the outermost list."""

    text: str
    marker: str
    depth: int


@dataclass(frozen=True, slots=True)
class Table:
    """A ruled table; the first row names the columns. `widths` are relative."""

    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawn figure; `full_page` stands alone on a page without running lines."""

    name: str
    caption: str
    full_page: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Blocks that are set together: a fact box ("box") or a stretch in two columns ("columns")."""

    kind: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class PageBreak:
    """What follows starts on a new page."""


Block = Heading | Paragraph | Item | Table | Figure | Group | PageBreak


@dataclass(frozen=True, slots=True)
class Manuscript:
    """One document before it is set. Field names are those of the front matter."""

    file: str
    title: str
    date: str
    version: str
    number: str
    owner: str
    subtitle: str = ""
    language: str = "sv"
    font: str = "helvetica"
    look: str = "plain"
    cover: bool = True
    contents: bool = True
    outline: bool = False
    numbered: bool = True
    justify: bool = False
    soft_hyphen: bool = False
    blocks: tuple[Block, ...] = field(default=(), repr=False)

    @property
    def day(self) -> datetime.date:
        """The date of the document."""
        return datetime.date.fromisoformat(self.date)


def read_manuscript(path: Path) -> Manuscript:
    """Read one source file. A TOML file is an earlier version of another text: its `base` with replacements."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        text = _earlier_version(path, text)
    _, front, body = text.split("+++\n", 2)
    manuscript = Manuscript(**tomllib.loads(front))
    blocks = tuple(_blocks(iter(body.splitlines()), ""))
    return replace(manuscript, blocks=tuple(_numbered(blocks, [0, 0, 0])) if manuscript.numbered else blocks)


def _earlier_version(path: Path, text: str) -> str:
    changes = tomllib.loads(text)
    base = Path(path.parent, changes["base"]).read_text(encoding="utf-8")
    for change in changes["replace"]:
        if base.count(change["new"]) != 1:
            raise ValueError(f"{path.name}: {change['new']!r} must stand exactly once in {changes['base']}")
        base = base.replace(change["new"], change["old"])
    return base


def _blocks(lines: Iterator[str], closing: str) -> Iterator[Block]:
    pending: list[str] = []
    widths: tuple[float, ...] = ()
    for line in lines:
        if line.startswith("!widths "):
            widths = tuple(float(width) for width in line.split()[1:])
            continue
        starts = not line.strip() or line.startswith(("!", "#")) or _ITEM.match(line)
        if pending and (starts or line.startswith("|") != pending[0].startswith("|")):
            yield _block(pending, widths)
            widths = widths if not pending[0].startswith("|") else ()
            pending = []
        if closing and line == closing:
            return
        if line.startswith("!"):
            yield _directive(line, lines)
        elif heading := _HEADING.match(line):
            yield Heading(len(heading[1]), heading[2], "")
        elif line.strip():
            pending.append(line)
    if pending:
        yield _block(pending, widths)


def _block(lines: list[str], widths: tuple[float, ...]) -> Block:
    if lines[0].startswith("|"):
        rows = tuple(tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in lines)
        return Table(rows, widths or (1.0,) * len(rows[0]))
    item = _ITEM.match(lines[0])
    rest = [line.strip() for line in lines[1:]]
    if item:
        return Item(" ".join([item[3], *rest]), item[2], len(item[1]) // 2)
    return Paragraph(" ".join([lines[0].strip(), *rest]))


def _directive(line: str, lines: Iterator[str]) -> Block:
    name, _, rest = line[1:].partition(" ")
    if name in ("box", "columns"):
        return Group(name, rest, tuple(_blocks(lines, "!end")))
    if name in ("figure", "figurepage"):
        figure, _, caption = rest.partition(" ")
        return Figure(figure, caption, name == "figurepage")
    if name == "page":
        return PageBreak()
    raise ValueError(f"Unknown directive {line!r}")


def _numbered(blocks: tuple[Block, ...], counters: list[int]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Heading):
            counters[block.level - 1] += 1
            counters[block.level :] = [0] * (len(counters) - block.level)
            yield replace(block, number=".".join(str(count) for count in counters[: block.level]))
        elif isinstance(block, Group):
            yield replace(block, blocks=tuple(_numbered(block.blocks, counters)))
        else:
            yield block
