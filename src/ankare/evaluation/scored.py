"""What is measured of an answer, and what did it measure?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ankare.evaluation.captured import AnswerPath, Conditions
from ankare.evaluation.case import Suite


class Better(StrEnum):
    """Which way is up?"""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


class Family(StrEnum):
    """What a measure looks at."""

    ANSWER = "answer"  # faithfulness, answer relevance, context precision and recall, gold facts
    RETRIEVAL = "retrieval"
    CITATION = "citation"
    ABSTENTION = "abstention"
    FIGURE = "figure"
    LANGUAGE = "language"
    COST = "cost"
    PATH = "path"


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure. `unit`: "" for a share or score of 0 to 1, else "ms", "tokens", the currency.

    `of_path`: does it count only for answers that took the intended path? Where it does not, every response counts.
    """

    name: str
    family: Family
    better: Better = Better.HIGHER
    unit: str = ""
    of_path: bool = True


class Outcome(StrEnum):
    """How a capture ended."""

    ANSWERED = "answered"
    REFUSED = "refused"
    ASKED_BACK = "asked_back"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Scored:
    """One capture with what it measured.

    `values`: by the measure's name; a measure that does not apply to this case is not in it, and is never 0 for that.
    `aside`: why the answer does not count for its path, "" where it does (see `ankare.evaluation.measures.paths`).
    `details`: what the figures stand on, for a reader: JSON values by the measure's name.
    """

    case_id: str
    repeat: int
    path: AnswerPath
    outcome: Outcome
    aside: str = ""
    type: str = ""
    language: str = ""
    answerable: bool | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, object] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A run with its scores, in the order of the suite, each case's repeats together. `suite`: what was asked, if known."""

    conditions: Conditions
    rows: tuple[Scored, ...]
    suite: Suite | None = field(default=None, repr=False, compare=False)
