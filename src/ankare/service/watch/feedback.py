"""What did people think of answers, and where is that kept?

One line of JSON per thumb in `<home>/feedback/`, on the disk before the user is thanked, from as many processes as there are.
A comment and a question are kept because their writer sent them on purpose; keys and passwords in them are hidden. The folder
holds so much at most: then feedback is turned away rather than old feedback lost.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TextIO

from ankare.errors import HomeMissingError
from ankare.service.problem import ProblemError
from ankare.service.watch.account import AnswerFacts
from ankare.service.watch.json_lines import JsonLines, Limits, parts
from ankare.service.watch.redaction import Redaction

FOLDER, FILE = "feedback", "feedback.jsonl"
MOST_BYTES = 100_000_000
PART_BYTES = 10_000_000
FULL_RETRY_SECONDS = 3600
FORMULA = re.compile(r"\s*[=+\-@\t\r\n|%＝＋－＠]")
"""How a cell begins that a spreadsheet might work out (OWASP, CSV injection); some take the wide signs too."""


class Rating(StrEnum):
    """Was the answer any good?"""

    UP = "up"
    DOWN = "down"


class Why(StrEnum):
    """What was wrong with it."""

    WRONG = "wrong"
    INCOMPLETE = "incomplete"
    NOT_RELEVANT = "not_relevant"
    WRONG_SOURCE = "wrong_source"
    SHOULD_HAVE_ANSWERED = "should_have_answered"
    SHOULD_HAVE_REFUSED = "should_have_refused"
    LANGUAGE = "language"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class FeedbackRecord:
    """One thumb. `facts` are those of the answer, empty where another process gave it or it was given long ago."""

    answer_id: str
    rating: str
    reason: str = ""
    comment: str = ""
    question: str = ""
    key: str = ""
    time: str = ""
    outcome: str = ""
    outcome_reason: str = ""
    channel: str = ""
    route: str = ""
    origin: str = ""
    language: str = ""
    index_version: str = ""
    revision: str = ""

    @classmethod
    def about(cls, facts: AnswerFacts | None, **said: str) -> FeedbackRecord:
        """What was said, of an answer with these facts."""
        if facts is None:
            return cls(**said)
        known = asdict(facts)
        return cls(**said, outcome_reason=known.pop("reason") or "", **known)


NAMES = tuple(field.name for field in fields(FeedbackRecord))


class FeedbackStore:
    """The feedback of one home. Safe for many threads and processes."""

    def __init__(self, home: Path, redaction: Redaction) -> None:
        self._home = home
        self._path = home / FOLDER / FILE
        self._lines = JsonLines(home / FOLDER, FILE, redaction, Limits(PART_BYTES, kept=None, synced=True))

    def keep(self, record: FeedbackRecord) -> None:
        """Keep it; it is on the disk afterwards.

        Raises HomeMissingError where there is no home, ProblemError (503) where there is no room, OSError.
        """
        if not self._home.is_dir():
            raise HomeMissingError("There is no home folder yet, and so nothing to say anything about.")
        if self._size() > MOST_BYTES:
            raise ProblemError(503, "There is no room for more feedback.", retry_after=FULL_RETRY_SECONDS)
        told = {name: value for name, value in asdict(record).items() if value and name != "time"}
        self._lines.append(told)

    def _size(self) -> int:
        return sum(file.stat().st_size for file in [*parts(self._path), self._path] if file.is_file())


def read_feedback(home: Path, since: datetime | None = None) -> Iterator[FeedbackRecord]:
    """What was kept, the oldest first; half a line is passed over. `since`: this moment and later ones."""
    path = home / FOLDER / FILE
    for file in [*parts(path), path]:
        if not file.is_file():
            continue
        with file.open("rb") as lines:
            for record in filter(None, map(_record, lines)):
                if since is None or moment(record.time) >= since:
                    yield record


def moment(text: str) -> datetime:
    """The moment that an ISO date or time names, in UTC where it names no zone. Raises ValueError."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def write_jsonl(records: Iterable[FeedbackRecord], out: TextIO) -> None:
    """One JSON object a line, each with all fields."""
    for record in records:
        out.write(json.dumps(asdict(record), ensure_ascii=False) + "\n")


def write_csv(records: Iterable[FeedbackRecord], out: TextIO) -> None:
    """A table with a head. A text that a spreadsheet might work out begins with an apostrophe."""
    table = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)  # a lone \r would end a row unquoted
    table.writerow(NAMES)
    for record in records:
        table.writerow([harmless(str(value)) for value in asdict(record).values()])


def harmless(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if FORMULA.match(text) else text


def whole(text: str) -> str:
    """The text with `?` for each half of a character, which no output can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _record(line: bytes) -> FeedbackRecord | None:
    try:
        told: Any = json.loads(line)
        moment(told["time"])
        return FeedbackRecord(**{name: whole(str(told.get(name) or "")) for name in NAMES})
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
