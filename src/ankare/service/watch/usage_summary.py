"""How was the service used in a period? The figures of a report, as frozen values; `dataclasses.asdict` makes JSON of them.

Times of an answer are milliseconds, quantiles within one per cent, and None where there are none. Tokens are sums over the
calls that told theirs; `silent` says how many did not. Every count of questions is one of questions, also where one line of the
log stands for many.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """How often something happened."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Kind:
    """Questions of one kind, by how they ended."""

    name: str
    questions: int
    answered: int
    refused: int
    asked_back: int
    errors: int


@dataclass(frozen=True, slots=True)
class AgentTotal:
    """Calls of one agent. `failed`: calls without a usable reply. `silent`: calls that told no tokens."""

    agent: str
    calls: int
    failed: int
    silent: int
    prompt_tokens: int
    completion_tokens: int
    p50_ms: float | None
    p95_ms: float | None


@dataclass(frozen=True, slots=True)
class AgentPiece:
    """The same for a piece of the period."""

    agent: str
    calls: int
    silent: int
    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Totals:
    """A stretch of time in figures. `overloaded`: errors for want of a place. `partial`: answers that lack something.

    `chains`: questions in which models were to have a part; `approved`, `fallbacks`: of these.
    `up`, `down`: what readers thought, by the time at which they said it.
    """

    questions: int
    answered: int
    refused: int
    asked_back: int
    errors: int
    overloaded: int
    partial: int
    p50_ms: float | None
    p95_ms: float | None
    chains: int
    approved: int
    fallbacks: int
    calls: int
    silent: int
    prompt_tokens: int
    completion_tokens: int
    up: int
    down: int


@dataclass(frozen=True, slots=True)
class Piece:
    """An hour, a day or a week. `start`: ISO, local time with offset. `agents`: the busiest of the period first."""

    start: str
    totals: Totals
    agents: tuple[AgentPiece, ...]


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one step took."""

    step: str
    count: int
    p50_ms: float | None
    p95_ms: float | None


@dataclass(frozen=True, slots=True)
class PeriodTold:
    """Which period this is. `since`, `until`: ISO, local time with offset; `until` is no longer part of it."""

    since: str
    until: str
    by: str
    time_zone: str
    days: float


@dataclass(frozen=True, slots=True)
class LogTold:
    """What was read. `kept`: a log is kept at all. `records`: lines in the period; `broken`: lines that were no record.

    `begins`: the oldest record that the log still has, "" for none. `complete`: all was read in the time that there was.
    `with_texts`: records in the period that hold the question.
    """

    kept: bool
    records: int
    broken: int
    begins: str
    complete: bool
    with_texts: int


@dataclass(frozen=True, slots=True)
class Change:
    """A figure and what it was in the period before. `share`: how much of it was added, None where it was 0 or not known."""

    figure: str
    now: float | None
    before: float | None
    share: float | None


@dataclass(frozen=True, slots=True)
class Subject:
    """Refused questions that share words. `terms`: its most telling words, as people wrote them; none where there are none.

    `questions`: how often it was asked about, `different`: in how many different questions, `askers`: by how many API keys.
    `reasons`: why it was refused. `examples`: a few of the questions, the most frequent first. `latest`: ISO, UTC.
    """

    terms: tuple[str, ...]
    questions: int
    different: int
    askers: int
    reasons: tuple[Count, ...]
    examples: tuple[str, ...]
    latest: str


@dataclass(frozen=True, slots=True)
class Untold:
    """A refused question whose text was not kept: the same one is known again by `key`, a keyed hash."""

    key: str
    questions: int
    askers: int
    reason: str
    question_type: str
    language: str
    latest: str


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Questions that were refused. `subjects`: of those whose text was kept; `untold`: of the others, the most frequent.

    `more_subjects`, `more_untold`: how many further ones there are. `sample`: the share of different questions that could be
    looked at, 1 for all; below that, subjects are those of a sample and of the questions that are asked often.
    """

    questions: int
    with_text: int
    subjects: tuple[Subject, ...]
    more_subjects: int
    untold: tuple[Untold, ...]
    more_untold: int
    sample: float


@dataclass(frozen=True, slots=True)
class Repeated:
    """A question that was asked more than once. `text` is None where it was not kept."""

    key: str
    questions: int
    refused: int
    text: str | None


@dataclass(frozen=True, slots=True)
class Repeats:
    """Questions that were asked more than once: how many different ones, how often in all, and the most frequent.

    `missed`: counts may be too small by so many; 0: they are exact.
    """

    different: int
    questions: int
    most: tuple[Repeated, ...]
    missed: int


@dataclass(frozen=True, slots=True)
class Thumbs:
    """What readers thought of answers of one kind."""

    name: str
    up: int
    down: int


@dataclass(frozen=True, slots=True)
class Comment:
    """What a reader wrote of an answer; `question` where it was sent along, `outcome` where it is known."""

    time: str
    rating: str
    reason: str
    comment: str
    question: str
    outcome: str
    route: str


@dataclass(frozen=True, slots=True)
class FeedbackTold:
    """What readers thought; of several thumbs for one answer the last one counts. `kept`: there is a home to look in.

    `joined`: thumbs whose answer is known, from the log or from what was kept with the thumb. `left_out`: thumbs of the period
    that there were too many of.
    """

    kept: bool
    up: int
    down: int
    joined: int
    left_out: int
    reasons: tuple[Count, ...]
    routes: tuple[Thumbs, ...]
    types: tuple[Thumbs, ...]
    outcomes: tuple[Thumbs, ...]
    comments: tuple[Comment, ...]


@dataclass(frozen=True, slots=True)
class UsageSummary:
    """All of it. `before`: the period of the same length before, None where the log does not reach back to its beginning."""

    period: PeriodTold
    log: LogTold
    totals: Totals
    before: Totals | None
    changes: tuple[Change, ...]
    pieces: tuple[Piece, ...]
    channels: tuple[Kind, ...]
    languages: tuple[Kind, ...]
    routes: tuple[Kind, ...]
    types: tuple[Kind, ...]
    keys: tuple[Kind, ...]
    refusals: tuple[Count, ...]
    asked_back: tuple[Count, ...]
    errors: tuple[Count, ...]
    unanswered: Unanswered
    repeats: Repeats
    steps: tuple[Timing, ...]
    agents: tuple[AgentTotal, ...]
    final_states: tuple[Count, ...]
    fallback_reasons: tuple[Count, ...]
    feedback: FeedbackTold
