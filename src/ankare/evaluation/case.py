"""What is asked in an evaluation, and what would be right?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Gold:
    """A place that holds the answer, or a part of it. `pages`: any of them; empty where the format has none or all would do.

    `snippet`: the words that an answer has to hold, as the document writes them; "" where only the place is known.
    """

    source: str
    pages: tuple[int, ...] = ()
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class Expected:
    """The figure that a question asks for. `value` is a decimal as text; names are codes or aliases; "" is not looked at.

    Without a value the figure is not held, and that is what has to be said. `mode`: what the clarification has to decide, such
    as "ask_first" (then no figure is given) or "answer_with_assumptions". `status`: of the look-up, "found" or "not_found".
    `route`: the way that the answer takes, such as "composite" for figures with what documents say of them.
    """

    value: str = ""
    unit: str = ""
    metric: str = ""
    entity: str = ""
    period: str = ""
    channel: str = ""
    mode: str = ""
    status: str = ""
    route: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One question of a suite. `answerable`: None where nobody has said. `draft`: nobody has looked at it yet.

    `gold` and `expected` are parts of one answer: each place or figure is to be found, not any of them. Two places with the
    same snippet, or with snippets of which one holds the other, say the same and are one part.
    """

    id: str
    question: str
    type: str = ""
    answerable: bool | None = None
    reference_answer: str = ""
    gold: tuple[Gold, ...] = ()
    expected: tuple[Expected, ...] = ()
    language: str = ""
    reference_date: date | None = None
    draft: bool = False
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """Cases in the order of the file. `digest`: of what is asked and of what would be right, the same for the same cases."""

    cases: tuple[Case, ...]
    digest: str
    name: str = ""

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases)

    def __len__(self) -> int:
        return len(self.cases)
