"""What did people think of a run's answers, and where is that kept?

`ratings.jsonl` beside the answers: one rating of one answer by one person a line, the whole file replaced in one step.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ankare.errors import EvaluationError
from ankare.evaluation.measures.scores_file import replace_text
from ankare.evaluation.reviewing.criteria import CRITERIA, SCALE

FILE = "ratings.jsonl"
MOST_BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class Rating:
    """What one person said of one answer. `scores`: by the point, only those that were given; `cannot`: the points of which
    the rater said that they cannot be judged. `item`: the id of the answer that was read, see `review_items.item_id`."""

    item: str
    case_id: str
    repeat: int
    rater: str
    scores: Mapping[str, int] = field(default_factory=dict)
    cannot: tuple[str, ...] = ()
    comment: str = ""
    blind: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """One person rates one answer once, however the name is spelt in capitals and spaces."""
        return self.item, same_name(self.rater)


def same_name(name: str) -> str:
    """The name as it is compared."""
    return " ".join(name.split()).casefold()


def read_ratings(folder: Path) -> tuple[Rating, ...]:
    """The ratings of a run's folder, none where nobody has rated. Raises EvaluationError with file and line."""
    path = folder / FILE
    if not path.is_file():
        return ()
    if path.stat().st_size > MOST_BYTES:
        raise EvaluationError(
            f"{path} is larger than {MOST_BYTES:,} bytes.", "Take it away, and read the ratings again."
        )
    return tuple(_ratings(path))


def write_ratings(ratings: Iterable[Rating], folder: Path) -> Path:
    """Put these in the place of what was there, and return the file. Raises OSError."""
    path = folder / FILE
    replace_text(path, "".join(json.dumps(asdict(rating), ensure_ascii=False) + "\n" for rating in ratings))
    return path


def together(before: Iterable[Rating], later: Iterable[Rating]) -> tuple[tuple[Rating, ...], int]:
    """All ratings, a later one in the place of the same person's of the same answer; and how many were replaced by others."""
    held = {rating.key: rating for rating in before}
    replaced = 0
    for rating in later:
        replaced += held.get(rating.key, rating) != rating
        held[rating.key] = rating
    return tuple(held.values()), replaced


def _ratings(path: Path) -> Iterator[Rating]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield _rating(json.loads(line))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                fault = f"{path}:{number} is no rating ({type(error).__name__})."
                raise EvaluationError(fault, "Take the line away, and read the ratings again.") from error


def _rating(told: Mapping[str, Any]) -> Rating:
    scores = told["scores"]
    if not set(CRITERIA).issuperset([*scores, *told["cannot"]]) or not all(scores[name] in SCALE for name in scores):
        raise ValueError("an unknown point or a value out of the scale")
    texts = {name: told[name] for name in ("item", "case_id", "rater", "comment")}
    if not all(isinstance(text, str) for text in texts.values()) or not isinstance(told["repeat"], int):
        raise TypeError("a text is no text, or a repeat no number")
    "".join(texts.values()).encode()  # half a character could not be written again
    return Rating(
        **texts, repeat=told["repeat"], scores=scores, cannot=tuple(told["cannot"]), blind=told["blind"] is True
    )
