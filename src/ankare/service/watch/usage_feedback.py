"""What did readers think in a period, and of which answers? The thumbs of a home, joined with the usage log by answer."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from ankare.service.watch.feedback import FeedbackRecord, Rating, moment, read_feedback
from ankare.service.watch.usage_counting import Tally, clean, shortened
from ankare.service.watch.usage_period import Period, Pieces
from ankare.service.watch.usage_records import UsageRecord
from ankare.service.watch.usage_stretch import Stretch
from ankare.service.watch.usage_summary import Comment, Count, FeedbackTold, Thumbs

MOST_THUMBS = 50_000
"""Thumbs of both periods that are held at a time, the newest."""
MOST_COMMENTS, MOST_COMMENT = 20, 500


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is known of an answer."""

    outcome: str
    route: str
    type: str = ""


class Readers:
    """The thumbs of a period and the one before, the last one for each answer."""

    def __init__(self, home: Path | None, period: Period) -> None:
        """Raises OSError where the feedback cannot be read."""
        self._kept = home is not None
        self._thumbs: OrderedDict[str, FeedbackRecord] = OrderedDict()
        self._answers: dict[str, _Answer] = {}
        self._left_out = 0
        for record in () if home is None else read_feedback(home, period.before().since):
            if moment(record.time) < period.until:
                self._take(record)

    def _take(self, record: FeedbackRecord) -> None:
        self._thumbs[record.answer_id] = record
        self._thumbs.move_to_end(record.answer_id)
        if len(self._thumbs) > MOST_THUMBS:
            self._thumbs.popitem(last=False)
            self._left_out += 1

    def join(self, record: UsageRecord) -> None:
        """Remember what the log says of an answer that somebody thought something of."""
        if record.answer_id and record.answer_id in self._thumbs:
            self._answers[record.answer_id] = _Answer(record.outcome, clean(record.route), clean(record.question_type))

    def count(self, pieces: Pieces, stretches: Mapping[int, Stretch], whole: Stretch) -> None:
        """Add the thumbs of a period to its stretches."""
        for place, said in self._of(pieces):
            for stretch in (stretches[place], whole):
                stretch.up += said.rating == Rating.UP
                stretch.down += said.rating == Rating.DOWN

    def told(self, pieces: Pieces) -> FeedbackTold:
        """What there is to say about the thumbs of a period."""
        said = [record for _, record in self._of(pieces)]
        answers = [self._answer(record) for record in said]
        ratings = Counter(record.rating for record in said)
        reasons = Tally()
        for record in said:
            if record.rating == Rating.DOWN and record.reason:
                reasons.add(record.reason)
        joined = list(zip(said, answers, strict=True))
        return FeedbackTold(
            kept=self._kept,
            up=ratings[Rating.UP],
            down=ratings[Rating.DOWN],
            joined=sum(answer is not None for answer in answers),
            left_out=self._left_out,
            reasons=tuple(Count(*item) for item in reasons.counts()),
            routes=_thumbs((r.rating, a.route) for r, a in joined if a),
            types=_thumbs((r.rating, a.type) for r, a in joined if a and a.type),
            outcomes=_thumbs((r.rating, a.outcome) for r, a in joined if a),
            comments=tuple(_comment(r, a) for r, a in reversed(joined) if r.comment.strip())[:MOST_COMMENTS],
        )

    def _of(self, pieces: Pieces) -> Iterator[tuple[int, FeedbackRecord]]:
        for record in self._thumbs.values():
            place = pieces.of(moment(record.time).timestamp())
            if place is not None:
                yield place, record

    def _answer(self, record: FeedbackRecord) -> _Answer | None:
        """From the log; else what the process that took the thumb knew itself."""
        known = self._answers.get(record.answer_id)
        return known or (_Answer(record.outcome, clean(record.route)) if record.outcome else None)


def _thumbs(rated: Iterator[tuple[str, str]]) -> tuple[Thumbs, ...]:
    """By name, the one first that displeased most often."""
    found: dict[str, Counter[str]] = {}
    for rating, name in rated:
        found.setdefault(clean(name), Counter())[rating] += 1
    told = [Thumbs(name, counts[Rating.UP], counts[Rating.DOWN]) for name, counts in found.items()]
    return tuple(sorted(told, key=lambda thumbs: (-thumbs.down, -thumbs.up, thumbs.name)))


def _comment(record: FeedbackRecord, answer: _Answer | None) -> Comment:
    return Comment(
        time=moment(record.time).astimezone(UTC).isoformat(timespec="seconds"),
        rating=clean(record.rating),
        reason=clean(record.reason),
        comment=shortened(record.comment, MOST_COMMENT),
        question=shortened(record.question, MOST_COMMENT),
        outcome=answer.outcome if answer else "",
        route=answer.route if answer else "",
    )
