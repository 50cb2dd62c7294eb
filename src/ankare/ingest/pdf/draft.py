"""What is a block while its level, group and offsets are not settled yet?"""

from __future__ import annotations

from dataclasses import dataclass, field

from ankare.domain.document import BlockKind
from ankare.ingest.pdf.lines import Line


@dataclass(slots=True)
class Draft:
    """A block to be: its lines, or the lines of each of its cells. `fresh`: nothing of its column stands before it."""

    kind: BlockKind
    lines: list[Line] = field(default_factory=list)
    cells: list[list[Line]] = field(default_factory=list)
    marker: str = ""
    rank: int = 0
    header: bool = False
    table: int = 0
    fresh: bool = False

    @property
    def first(self) -> Line:
        """Its first line."""
        return self.lines[0] if self.lines else next(line for cell in self.cells for line in cell)

    @property
    def last(self) -> Line:
        """Its last line."""
        return self.lines[-1] if self.lines else [line for cell in self.cells for line in cell][-1]
