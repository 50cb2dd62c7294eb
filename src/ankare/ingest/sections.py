"""Which section does each block belong to, and which small sections stand together?

A heading without a body of its own is found through the path of the sections under it. One that has none of those
either, and sections of a few words, are joined with their neighbours so that no heading is lost and no chunk is a
fragment; their headings then stand as lines of the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ankare.domain.document import Block, BlockKind

SMALL_WORDS = 15
"""A section with fewer words than this is joined with small neighbours."""

JOINED_WORDS = 160
"""Small sections are joined up to this many words."""


@dataclass(frozen=True, slots=True)
class Section:
    """The blocks under one heading, without those of its sub-sections. `path` ends with the heading itself.

    `lines`: headings that stand as lines of the text, before the blocks, because no path shows them.
    """

    path: tuple[str, ...]
    heading: Block | None
    blocks: tuple[Block, ...]
    has_children: bool = False
    lines: tuple[Block, ...] = ()

    @property
    def first_page(self) -> int:
        """The page on which it begins."""
        return min(_pages(self), default=1)

    @property
    def last_page(self) -> int:
        """The page on which it ends."""
        return max(_pages(self), default=1)


def sections(blocks: Iterable[Block], title: str) -> list[Section]:
    """Sections in reading order. A first heading that only repeats the title is left out of the paths."""
    found: list[Section] = []
    stack: list[tuple[int, str]] = []
    heading: Block | None = None
    body: list[Block] = []
    seen_heading = False

    def close(has_children: bool) -> None:
        if heading is not None or body:
            path = tuple(text for _level, text in stack if text)
            found.append(Section(path, heading, tuple(body), has_children))

    for block in blocks:
        if block.kind is not BlockKind.HEADING:
            body.append(block)
            continue
        close(heading is not None and block.level > stack[-1][0])
        body = []
        while stack and stack[-1][0] >= block.level:
            stack.pop()
        text = heading_text(block)
        repeats_title = not seen_heading and _same(text, title)
        stack.append((block.level, "" if repeats_title else text))
        heading = block
        seen_heading = True
    close(False)
    return [section for section in found if not _only_title(section, title)] or found


def join_small(found: Sequence[Section]) -> list[Section]:
    """Join runs of small sibling sections on one page, and give headings without a body to a neighbour."""
    return _place_empty(_join_siblings(found))


def heading_text(block: Block) -> str:
    """A heading in one line, with its number."""
    return " ".join(f"{block.marker} {block.text}".split())


def count_words(text: str) -> int:
    """Words of a text; where words are not spaced apart, two signs count as one."""
    words = len(text.split())
    if text and max(text) >= "⺀":
        words += sum(1 for sign in text if sign >= "⺀") // 2
    return words


def _join_siblings(found: Sequence[Section]) -> list[Section]:
    joined: list[Section] = []
    run: list[Section] = []
    size = 0
    for section in found:
        words = _words(section)
        small = words < SMALL_WORDS and section.heading is not None and not section.has_children
        if run and (not small or size + words > JOINED_WORDS or not _siblings(run[-1], section)):
            joined.append(_joined(run))
            run, size = [], 0
        if small:
            run.append(section)
            size += words
        else:
            joined.append(section)
    if run:
        joined.append(_joined(run))
    return joined


def _joined(run: Sequence[Section]) -> Section:
    if len(run) == 1:
        return run[0]
    blocks: list[Block] = []
    for section in run:
        blocks.append(_as_line(section))
        blocks.extend(section.blocks)
    return Section(run[0].path[:-1], None, tuple(blocks))


def _place_empty(found: Sequence[Section]) -> list[Section]:
    placed: list[Section] = []
    waiting: list[Section] = []
    for section in found:
        if not section.blocks:
            if not section.has_children and section.heading is not None:
                waiting.append(section)
            continue
        if waiting and waiting[-1].last_page == section.first_page and _all_above(waiting, section):
            section = replace(section, lines=tuple(map(_as_line, waiting)))
        elif waiting:
            _give_back(placed, waiting)
        waiting = []
        placed.append(section)
    if waiting:
        _give_back(placed, waiting)
    return placed


def _give_back(placed: list[Section], waiting: Sequence[Section]) -> None:
    """Headings at the end of a page go to the section before them on that page, else they stand alone."""
    before = placed[-1] if placed else None
    if before is not None and before.last_page == waiting[0].first_page and _all_above(waiting, before):
        placed[-1] = replace(before, blocks=(*before.blocks, *map(_as_line, waiting)))
        return
    for parent, run in groupby(waiting, key=lambda section: section.path[:-1]):
        placed.append(Section(parent, None, tuple(map(_as_line, run))))


def _all_above(waiting: Sequence[Section], section: Section) -> bool:
    """Does the section stand under the parents of all of these, so that no heading above them is lost?"""
    return all(section.path[: len(step.path) - 1] == step.path[:-1] for step in waiting if step.path)


def _as_line(section: Section) -> Block:
    heading = section.heading
    assert heading is not None  # noqa: S101 - callers choose sections that have one
    text = heading_text(heading)
    moved = len(text) - len(heading.text)
    pieces = tuple(
        replace(piece, start=0 if piece.start == 0 else piece.start + moved, end=piece.end + moved)
        for piece in heading.pieces
    )
    return Block(BlockKind.HEADING, text, pieces, heading.level)


def _siblings(first: Section, second: Section) -> bool:
    return first.path[:-1] == second.path[:-1] and first.last_page == second.first_page


def _words(section: Section) -> int:
    return sum(count_words(block.text) for block in section.blocks)


def _pages(section: Section) -> list[int]:
    own = [piece.page for block in (*section.lines, *section.blocks) for piece in block.pieces]
    if not own and section.heading is not None:
        own = [piece.page for piece in section.heading.pieces]
    return own


def _same(text: str, title: str) -> bool:
    return " ".join(text.casefold().split()) == " ".join(title.casefold().split())


def _only_title(section: Section, title: str) -> bool:
    heading = section.heading
    return not section.blocks and heading is not None and _same(heading_text(heading), title)
