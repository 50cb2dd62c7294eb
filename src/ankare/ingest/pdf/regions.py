"""Which rules and boxes on a page make a table, a cell or a frame around text?

Upright rules are joined where they touch. A connected set that closes at least one cell is a grid; filled or stroked
shapes with text in them are frames. Coordinates are displayed points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ankare.ingest.pdf.fragments import Fragment
from ankare.ingest.pdf.glyphs import Page
from ankare.ingest.pdf.graphics import Shape

SNAP = 2.5
COVER = 0.7
MAX_CELLS = 6000
MAX_RULES = 3000
MAX_FRAMES = 600
STEP = 1000
Rule = tuple[float, float, float]


@dataclass(slots=True)
class Cell:
    """One cell of a grid: row and column where it starts, and how many it spans."""

    row: int
    column: int
    rows: int
    columns: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(slots=True)
class Region:
    """A frame (`cells` empty) or a grid of cells."""

    x0: float
    y0: float
    x1: float
    y1: float
    cells: list[Cell] = field(default_factory=list)
    parent: int = -1

    @property
    def area(self) -> float:
        """In square points."""
        return (self.x1 - self.x0) * (self.y1 - self.y0)


def regions_of(page: Page, fragments: list[Fragment]) -> list[Region]:
    """Grids, and frames around any of the fragments, largest first; `parent` points at the smallest region around each.

    A page of very many frames is a drawing, whose frames tell nothing.
    """
    grids = _grids(page)
    tables = [grid for grid in grids if len(grid.cells) > 1]
    frames = [Region(grid.x0, grid.y0, grid.x1, grid.y1) for grid in grids if len(grid.cells) == 1]
    frames += [frame for shape in page.shapes if shape.stroked and (frame := _frame(shape, page))]
    frames = _with_text(frames, fragments)
    # A fill inside a table is the shading of a cell or a line; a drawn box there is a box.
    fills = [frame for shape in page.shapes if not shape.stroked and (frame := _frame(shape, page))]
    fills = _with_text(fills, fragments)
    frames += [frame for frame in fills if not any(_inside(frame, table) for table in tables)]
    frames = _distinct(frames) if len(frames) <= MAX_FRAMES else []
    kept = [frame for frame in frames if not any(_is_cell(frame, table) for table in tables)]
    regions = sorted(tables + kept, key=lambda region: (-region.area, region.y0, region.x0))
    for position, region in enumerate(regions):
        for other in range(position - 1, -1, -1):
            if _inside(region, regions[other]):
                region.parent = other
                break
    return regions


def _frame(shape: Shape, page: Page) -> Region | None:
    wide, high = shape.x1 - shape.x0, shape.y1 - shape.y0
    if not shape.frame or wide < 24 or high < 9 or wide * high > 0.85 * page.width * page.height:
        return None
    return Region(shape.x0, shape.y0, shape.x1, shape.y1)


def _with_text(frames: list[Region], fragments: list[Fragment]) -> list[Region]:
    """The frames that hold a fragment."""
    if not frames or not fragments:
        return []
    text = np.array([(item.x0, item.y0, item.x1, item.y1, 0.45 * item.size) for item in fragments])
    x0, y0, x1, y1, slack = text.T
    out = []
    for start in range(0, len(frames), STEP):
        part = frames[start : start + STEP]
        left, top, right, bottom = np.array([(item.x0, item.y0, item.x1, item.y1) for item in part]).T[:, :, None]
        holds = (left - 3 <= x0) & (x1 <= right + slack) & (top - slack <= y0) & (y1 <= bottom + slack)
        out += [part[position] for position in np.flatnonzero(holds.any(axis=1)).tolist()]
    return out


def _distinct(frames: list[Region]) -> list[Region]:
    """Frames without near copies (a fill and its outline, a shadow)."""
    out: list[Region] = []
    for frame in sorted(frames, key=lambda item: (-item.area, item.y0, item.x0)):
        if not any(
            abs(frame.x0 - other.x0) < 6 and abs(frame.x1 - other.x1) < 6
            and abs(frame.y0 - other.y0) < 6 and abs(frame.y1 - other.y1) < 6
            for other in out
        ):  # fmt: skip
            out.append(frame)
    return out


def _is_cell(frame: Region, table: Region) -> bool:
    """Is this frame but the outline of one of the table's cells, or of the table?"""
    if not _inside(frame, table):
        return False
    cells = (Region(cell.x0, cell.y0, cell.x1, cell.y1) for cell in table.cells)
    return frame.area > 0.8 * table.area or any(_inside(frame, cell) and frame.area > 0.6 * cell.area for cell in cells)


def _inside(inner: Region, outer: Region) -> bool:
    return (
        inner.x0 >= outer.x0 - SNAP and inner.x1 <= outer.x1 + SNAP
        and inner.y0 >= outer.y0 - SNAP and inner.y1 <= outer.y1 + SNAP
    )  # fmt: skip


def _grids(page: Page) -> list[Region]:
    across: list[Rule] = []
    down: list[Rule] = []
    for x0, y0, x1, y1 in page.rules[:MAX_RULES]:
        if x1 - x0 > 3 >= y1 - y0:
            across.append(((y0 + y1) / 2, x0, x1))
        elif y1 - y0 > 3 >= x1 - x0:
            down.append(((x0 + x1) / 2, y0, y1))
    across, down = _joined(across), _joined(down)
    if len(across) < 2 or not down:
        return []
    h, v = np.array(across), np.array(down)
    reach = 2 * SNAP
    touch = (
        (v[None, :, 0] >= h[:, None, 1] - reach) & (v[None, :, 0] <= h[:, None, 2] + reach)
        & (h[:, None, 0] >= v[None, :, 1] - reach) & (h[:, None, 0] <= v[None, :, 2] + reach)
    )  # fmt: skip
    out = []
    for rows, columns in _connected(touch):
        grid = _grid([across[row] for row in rows], [down[column] for column in columns])
        if grid:
            out.append(grid)
    return out


def _joined(rules: list[Rule]) -> list[Rule]:
    """Rules on one line that touch, as one; the line's place is that of the first."""
    out: list[list[float]] = []
    level: list[list[float]] = []
    for place, low, high in sorted(rules):
        if not level or place - level[0][0] > SNAP:
            out += _merged(level)
            level = []
        level.append([place, low, high])
    out += _merged(level)
    return [(rule[0], rule[1], rule[2]) for rule in out]


def _merged(level: list[list[float]]) -> list[list[float]]:
    out: list[list[float]] = []
    for rule in sorted(level, key=lambda item: item[1]):
        if out and rule[1] - out[-1][2] <= 2 * SNAP:
            out[-1][2] = max(out[-1][2], rule[2])
        else:
            out.append([level[0][0], rule[1], rule[2]])
    return out


def _connected(touch: np.ndarray) -> list[tuple[list[int], list[int]]]:
    """Components of the rules across (rows) and down (columns) that touch."""
    out = []
    todo = set(range(touch.shape[0]))
    while todo:
        rows, fresh = {min(todo)}, {min(todo)}
        columns: set[int] = set()
        while fresh:
            found = set(np.flatnonzero(touch[sorted(fresh)].any(axis=0)).tolist()) - columns
            columns |= found
            fresh = set(np.flatnonzero(touch[:, sorted(found)].any(axis=1)).tolist()) - rows if found else set()
            rows |= fresh
        todo -= rows
        if len(rows) > 1 and columns:
            out.append((sorted(rows), sorted(columns)))
    return out


def _grid(across: list[Rule], down: list[Rule]) -> Region | None:
    ys, xs = _levels(across), _levels(down)
    low = min(rule[1] for rule in across)
    high = max(rule[2] for rule in across)
    # A table may leave its outer sides open: the rules across then end where the sides would be.
    open_left, open_right = xs[0] - low > 15, high - xs[-1] > 15
    xs = [low] * open_left + xs + [high] * open_right
    if len(xs) < 2 or len(ys) < 2 or len(xs) * len(ys) > MAX_CELLS:
        return None
    sides = [_covered(down, x, ys) for x in xs]
    if open_left:
        sides[0] = [True] * (len(ys) - 1)
    if open_right:
        sides[-1] = [True] * (len(ys) - 1)
    tops = [_covered(across, y, xs) for y in ys]
    cells = _cells(xs, ys, sides, tops)
    if not cells:
        return None
    return Region(
        min(cell.x0 for cell in cells), min(cell.y0 for cell in cells),
        max(cell.x1 for cell in cells), max(cell.y1 for cell in cells), cells,
    )  # fmt: skip


def _levels(rules: list[Rule]) -> list[float]:
    out: list[float] = []
    for place in sorted(rule[0] for rule in rules):
        if not out or place - out[-1] > 2 * SNAP:
            out.append(place)
    return out


def _covered(rules: list[Rule], place: float, steps: list[float]) -> list[bool]:
    """For each stretch between two steps: does a rule at `place` cover most of it?"""
    here = [(low - SNAP, high + SNAP) for level, low, high in rules if abs(level - place) <= 2 * SNAP]
    out = []
    for start, end in pairwise(steps):
        covered = 0.0
        for low, high in here:
            if low < end and high > start:
                covered += min(high, end) - max(low, start)
        out.append(covered >= COVER * (end - start))
    return out


def _cells(xs: list[float], ys: list[float], sides: list[list[bool]], tops: list[list[bool]]) -> list[Cell]:
    """Cells of the grid: squares joined where no rule stands between them, if they make a rectangle that is closed."""
    done: set[tuple[int, int]] = set()
    out: list[Cell] = []
    for row in range(len(ys) - 1):
        for column in range(len(xs) - 1):
            if (row, column) in done:
                continue
            patch = _patch(row, column, sides, tops, len(ys) - 1, len(xs) - 1)
            done |= patch if patch else {(row, column)}
            if not patch:
                continue
            bottom, right = max(item[0] for item in patch), max(item[1] for item in patch)
            left = min(item[1] for item in patch)
            if len(patch) == (bottom - row + 1) * (right - left + 1):
                out.append(
                    Cell(
                        row, left, bottom - row + 1, right - left + 1, xs[left], ys[row], xs[right + 1], ys[bottom + 1]
                    )
                )
    return out


def _patch(
    row: int, column: int, sides: list[list[bool]], tops: list[list[bool]], rows: int, columns: int
) -> set[tuple[int, int]]:
    """Squares reachable from one without crossing a rule; empty if they lead out of the grid."""
    patch, fresh, leaks = {(row, column)}, [(row, column)], False
    while fresh:
        r, c = fresh.pop()
        steps = (
            (sides[c][r], r, c - 1), (sides[c + 1][r], r, c + 1), (tops[r][c], r - 1, c), (tops[r + 1][c], r + 1, c),
        )  # fmt: skip
        for closed, r2, c2 in steps:
            if closed:
                continue
            if not (0 <= r2 < rows and 0 <= c2 < columns):
                leaks = True
            elif (r2, c2) not in patch:
                patch.add((r2, c2))
                fresh.append((r2, c2))
    return set() if leaks else patch
