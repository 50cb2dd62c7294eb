"""What is the content of a page in reading order: runs of lines, frames, tables?"""

from __future__ import annotations

from dataclasses import dataclass, field

from ankare.ingest.pdf.fragments import Fragment
from ankare.ingest.pdf.lines import Line, lines_of, split_marker
from ankare.ingest.pdf.order import Aligned, Placed, arrange
from ankare.ingest.pdf.regions import Cell, Region

MAX_DEPTH = 6


@dataclass(slots=True)
class Flow:
    """Lines of one column, top to bottom. `framed`: they stand alone in a frame."""

    lines: list[Line]
    framed: bool = False


@dataclass(slots=True)
class GridCell:
    """A cell of a table with its content in reading order. `column`, `columns`: where it starts and how many it spans."""

    column: int
    columns: int
    content: list[Flow | Grid]

    @property
    def lines(self) -> list[Line]:
        """All lines of the cell."""
        out: list[Line] = []
        for part in self.content:
            out += (
                part.lines
                if isinstance(part, Flow)
                else [line for row in part.rows for cell in row for line in cell.lines]
            )
        return out


@dataclass(slots=True)
class Grid:
    """A table: rows of cells. `ruled`: it has drawn lines."""

    rows: list[list[GridCell]]
    ruled: bool = True


@dataclass(slots=True)
class _Node:
    """A region with what stands in it, as an item to be put in order."""

    x0: float
    y0: float
    x1: float
    y1: float
    region: Region
    fragments: list[Fragment] = field(default_factory=list)
    children: list[_Node] = field(default_factory=list)


def page_content(fragments: list[Fragment], regions: list[Region], width: float, height: float) -> list[Flow | Grid]:
    """The content of a page in reading order; text that is not set upright follows at the end."""
    root = _Node(0, 0, width, height, Region(0, 0, width, height))
    upright = [fragment for fragment in fragments if _quarter(fragment) == 0]
    _assign(root, upright, regions)
    out = _content(root, 0)
    for quarter in (3, 1, 2):
        turned = [_turn(fragment, quarter) for fragment in fragments if _quarter(fragment) == quarter]
        if turned:
            lines: list[Placed] = list(lines_of(turned))
            out += _flows(lines, False, 0)
    return out


def _quarter(fragment: Fragment) -> int:
    return ((fragment.angle + 45) // 90) % 4


def _turn(fragment: Fragment, quarter: int) -> Fragment:
    """The fragment with its box in reading direction."""
    x0, y0, x1, y1 = fragment.x0, fragment.y0, fragment.x1, fragment.y1
    box = {1: (y0, -x1, y1, -x0), 2: (-x1, -y1, -x0, -y0), 3: (-y1, x0, -y0, x1)}[quarter]
    return Fragment(
        fragment.text, *box, fragment.size, fragment.bold, fragment.italic, quarter * 90, fragment.style, fragment.page
    )


def _assign(root: _Node, fragments: list[Fragment], regions: list[Region]) -> None:
    """Put every fragment into the smallest region that holds all of it, and build the tree of regions with text."""
    nodes = [_Node(item.x0, item.y0, item.x1, item.y1, item) for item in regions]
    for fragment in fragments:
        slack = 0.45 * fragment.size
        for node in reversed(nodes):
            if (
                node.x0 - 3 <= fragment.x0 and fragment.x1 <= node.x1 + slack
                and node.y0 - slack <= fragment.y0 and fragment.y1 <= node.y1 + slack
            ):  # fmt: skip
                node.fragments.append(fragment)
                break
        else:
            root.fragments.append(fragment)
    for node in reversed(nodes):
        if not (node.fragments or node.children):
            continue
        parent = nodes[node.region.parent] if node.region.parent >= 0 else root
        parent.children.insert(0, node)


def _content(node: _Node, depth: int) -> list[Flow | Grid]:
    items: list[Placed] = [*lines_of(node.fragments), *node.children]
    return _flows(items, node.region.area > 0 and depth > 0, depth)


def _flows(items: list[Placed], framed: bool, depth: int) -> list[Flow | Grid]:
    sizes = sorted(item.size for item in items if isinstance(item, Line))
    gutter = max(6.0, 0.9 * sizes[len(sizes) // 2]) if sizes else 8.0
    out: list[Flow | Grid] = []
    for run in arrange(items, gutter, is_aligned_table):
        if isinstance(run, Aligned):
            out.append(_aligned_grid(run, depth))
            continue
        lines: list[Line] = []
        for item in run:
            if isinstance(item, Line):
                lines.append(item)
                continue
            if lines:
                out.append(Flow(lines, framed))
                lines = []
            if isinstance(item, _Node):
                out += _node_content(item, depth + 1)
        if lines:
            out.append(Flow(lines, framed))
    return out


def _node_content(node: _Node, depth: int) -> list[Flow | Grid]:
    if not node.region.cells or depth > MAX_DEPTH:
        return _content(node, depth)
    return [_ruled_grid(node, depth)]


def _ruled_grid(node: _Node, depth: int) -> Grid:
    held: dict[int, tuple[list[Fragment], list[_Node]]] = {}
    cells = node.region.cells
    for fragment in node.fragments:
        held.setdefault(_cell_of(fragment, cells), ([], []))[0].append(fragment)
    for child in node.children:
        held.setdefault(_cell_of(child, cells), ([], []))[1].append(child)
    rows: dict[int, list[GridCell]] = {}
    for position, cell in enumerate(cells):
        fragments, children = held.get(position, ([], []))
        items: list[Placed] = [*lines_of(fragments), *children]
        content = _flows(items, True, depth + 1) if items else []
        rows.setdefault(cell.row, []).append(GridCell(cell.column, cell.columns, content))
    return Grid([sorted(rows[row], key=lambda item: item.column) for row in sorted(rows)])


def _cell_of(item: Placed, cells: list[Cell]) -> int:
    """The cell that holds the item's middle, else the nearest."""
    x, y = (item.x0 + item.x1) / 2, (item.y0 + item.y1) / 2
    for position, cell in enumerate(cells):
        if cell.x0 <= x <= cell.x1 and cell.y0 <= y <= cell.y1:
            return position
    away = [max(cell.x0 - x, 0, x - cell.x1) + max(cell.y0 - y, 0, y - cell.y1) for cell in cells]
    return away.index(min(away))


def _aligned_grid(run: Aligned, depth: int) -> Grid:
    rows = []
    for row in run.rows:
        cells = [
            GridCell(column, 1, _flows(list(cell), True, depth + 1) if cell else []) for column, cell in enumerate(row)
        ]
        rows.append(cells)
    return Grid(rows, ruled=False)


def is_aligned_table(rows: list[list[list[Placed]]]) -> bool:
    """Are these rows a table without rules, rather than columns of text?

    Three or more rows of single short lines, most cells filled, none a list item, and not lines of running text.
    """
    filled = [[cell for cell in row if cell] for row in rows]
    if any(not isinstance(item, Line) for row in rows for cell in row for item in cell):
        return False
    if sum(len(row) >= 2 for row in filled) < 3 or sum(map(len, filled)) < 0.7 * sum(map(len, rows)):
        return False
    if any(len(cell) > 2 for row in filled for cell in row) or _has_lists(rows):
        return False
    return not any(_is_prose(rows, column) for column in range(len(rows[0]))) and _in_line(rows)


def _has_lists(rows: list[list[list[Placed]]]) -> bool:
    """Are there list items, other than in a first column whose every row goes on in the next?"""
    for row in rows:
        marked = [any(isinstance(item, Line) and split_marker(item.text)[0] for item in cell) for cell in row]
        if any(marked[1:]) or (marked[0] and not all(row)):
            return True
    return False


def _is_prose(rows: list[list[list[Placed]]], column: int) -> bool:
    lines = [item for row in rows for item in row[column] if isinstance(item, Line)]
    if len(lines) < 3:
        return False
    width = max(line.x1 for line in lines) - min(line.x0 for line in lines)
    full = sum(line.x1 - line.x0 > 0.8 * width for line in lines)
    words = sum(len(line.text.split()) for line in lines) / len(lines)
    return words >= 3.5 and full >= 0.5 * len(lines)


def _in_line(rows: list[list[list[Placed]]]) -> bool:
    """Do the cells of every column begin, or end, or centre at one place?"""
    for column in range(len(rows[0])):
        items = [row[column][0] for row in rows if row[column]]
        for place in (lambda item: item.x0, lambda item: item.x1, lambda item: (item.x0 + item.x1) / 2):
            places = sorted(map(place, items))
            middle = places[len(places) // 2]
            if sum(abs(value - middle) < 5 for value in places) >= 0.7 * len(places):
                break
        else:
            return False
    return True
