"""What does the user get back on a question about figures?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ankare.domain.agents import LookUpCall, TokenSum
from ankare.domain.clarification import ClarificationResult
from ankare.domain.fact import Fact


class LineKind(StrEnum):
    """What a line of an answer from figures tells."""

    FOUND = "found"
    CONFLICT = "conflict"
    MISSING = "missing"
    DIFFERENCE = "difference"


@dataclass(frozen=True, slots=True)
class FigureLine:
    """One line of the answer. Every figure in `text` is the value of one of `facts`, or worked out from two of them.

    `cited` is the text with the places of its facts in it; `text` leaves them to the reader of `facts`.
    """

    kind: LineKind
    text: str
    cited: str
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class FigureAnswer:
    """An answer from stored figures. `before`: what was assumed; `after`: what was left out; both in the answer's language."""

    language: str
    lines: tuple[FigureLine, ...]
    header: str = ""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def partial(self) -> bool:
        """Is something that was asked for not held?"""
        return any(line.kind is LineKind.MISSING for line in self.lines)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that the answer stands on, without repeats."""
        return tuple(dict.fromkeys(fact for line in self.lines for fact in line.facts))

    def text(self, *, cited: bool) -> str:
        """The whole answer as plain text; `cited` with the places of its facts."""
        said = [line.cited if cited else line.text for line in self.lines]
        body = said if len(said) == 1 else [f"- {one}" for one in said]
        return "\n\n".join(filter(None, ("\n".join(self.before), self.header, "\n".join(body), "\n".join(self.after))))


@dataclass(frozen=True, slots=True)
class Figures:
    """What the structured channel adds to a reply.

    `results`: each look-up as plain JSON values, as the API hands it out. `asks`: something is asked back, or the question is
    about an outsider; `clarification` says what. `request_id` is the one of the trace. `calls`: those of a model that was to
    look a figure up; `usage`: their tokens, None where there were none. `fell_back`: why the figure was looked up without that
    model, "" where it was not.
    """

    clarification: ClarificationResult
    results: tuple[Mapping[str, object], ...] = ()
    asks: bool = False
    request_id: str = ""
    calls: tuple[LookUpCall, ...] = ()
    usage: TokenSum | None = None
    fell_back: str = ""
