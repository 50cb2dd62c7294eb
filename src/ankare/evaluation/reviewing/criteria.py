"""What is an answer rated for, and on which scale?

Five points, each from 1 to 5. What each number means stands in words in the catalogues (`review.<point>_<number>`): raters who
share a description agree, raters who share a number need not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ankare.messages import messages

CRITERIA = ("directness", "language", "conclusion", "source_support", "abstention")
SCALE = (1, 2, 3, 4, 5)
CANNOT = "cannot"
"""What stands in place of a rating that cannot be given; it counts as missing, and is counted."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """A point with its words: what it asks, and what each number means, from 1 up."""

    name: str
    label: str
    asks: str
    anchors: tuple[str, ...]


def criteria(language: str) -> tuple[Criterion, ...]:
    """The points in their order, in this language."""
    texts = messages(language)
    return tuple(_criterion(name, texts) for name in CRITERIA)


def _criterion(name: str, texts: Mapping[str, str]) -> Criterion:
    anchors = tuple(texts[f"review.{name}_{number}"] for number in SCALE)
    return Criterion(name, texts[f"review.{name}"], texts[f"review.{name}_asks"], anchors)
