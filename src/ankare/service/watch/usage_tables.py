"""Which tables does a report on the use have?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ankare.service.watch.usage_summary import Count, Kind, Thumbs, UsageSummary
from ankare.service.watch.usage_words import NOTHING, Cell, Words

MOST_ROWS = 20
OUTCOMES = ("questions", "answered", "refused", "asked_back", "errors")
FIGURES = (*OUTCOMES, "overloaded", "partial", "p50_ms", "p95_ms", "calls", "tokens", "up", "down")


@dataclass(frozen=True, slots=True)
class Table:
    """`name`: of its file as CSV. Each row has as many cells as the head has names."""

    name: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


class UsageTables:
    """The tables of one summary."""

    def __init__(self, summary: UsageSummary, words: Words) -> None:
        self._summary = summary
        self._words = words

    def figures(self) -> Table:
        """Every figure, with that of the period before where there is one."""
        say, totals, before = self._words.say, self._summary.totals, self._summary.before
        rows = []
        for name in FIGURES:
            write = self._words.ms if name.endswith("_ms") else self._words.count
            now = _of(totals, name)
            row = (Cell(say(name), name), write(now))  # type: ignore[arg-type]
            if before is not None:
                was = _of(before, name)
                row = (*row, write(was), self._change(now, was, write))  # type: ignore[arg-type,assignment]
            rows.append(row)
        head = (say("figure"), say("now"), *((say("before"), say("change")) if before is not None else ()))
        return Table("figures", say("overview"), head, tuple(rows))

    def _change(self, now: float | None, was: float | None, write: Callable[[float], Cell]) -> Cell:
        """By how much a figure is larger or smaller, and by which share of what it was."""
        if now is None or was is None:
            return Cell(NOTHING, None)
        added = now - was
        if not added:
            return Cell("±0", 0)
        shown = f"{'+' if added > 0 else '−'}{write(abs(added)).shown}"
        if was:
            shown += f" ({self._words.percent(added / was, signed=True)})"
        return Cell(shown, added)

    def subjects(self) -> Table:
        """What refused questions were about."""
        say, count = self._words.say, self._words.count
        head = ("name_subject", "questions", "different", "askers", "name_reason", "examples", "latest")
        rows = tuple(
            (
                self._words.text(", ".join(one.terms) or say("no_subject")),
                count(one.questions),
                count(one.different),
                count(one.askers),
                self._words.named("reason", one.reasons[0].name if one.reasons else ""),
                self._words.text(" · ".join(one.examples)),
                Cell(self._words.moment(one.latest), one.latest),
            )
            for one in self._summary.unanswered.subjects
        )
        return Table("subjects", say("subjects"), tuple(map(say, head)), rows)

    def untold(self) -> Table:
        """Refused questions whose texts were not kept."""
        words, say = self._words, self._words.say
        head = ("code", "questions", "askers", "name_type", "name_reason", "latest")
        rows = tuple(
            (
                Cell(one.key[:8], one.key),
                words.count(one.questions),
                words.count(one.askers),
                words.named("type", one.question_type),
                words.named("reason", one.reason),
                Cell(words.moment(one.latest), one.latest),
            )
            for one in self._summary.unanswered.untold
        )
        return Table("untold", say("untold"), tuple(map(say, head)), rows)

    def repeated(self) -> Table:
        """Questions that were asked more than once."""
        words, say = self._words, self._words.say
        rows = tuple(
            (
                Cell(one.key[:8], one.key) if one.text is None else words.text(one.text),
                words.count(one.questions),
                words.count(one.refused),
            )
            for one in self._summary.repeats.most
        )
        head = (say("name_question"), say("questions"), say("of_these_refused"))
        return Table("repeated", say("again"), head, rows)

    def kinds(self, name: str, kinds: Sequence[Kind]) -> Table:
        """Questions of several kinds, by how they ended."""
        count, say = self._words.count, self._words.say
        rows = tuple(
            (
                self._kind(name, kind.name),
                count(kind.questions),
                count(kind.answered),
                count(kind.refused),
                count(kind.asked_back),
                count(kind.errors),
                self._words.share(kind.answered, kind.questions),
            )
            for kind in kinds[:MOST_ROWS]
        )
        head = (say(f"name_{name}"), *map(say, OUTCOMES), f"{say('answered')}{' '}%")
        return Table(f"by_{name}", say(f"name_{name}"), head, rows)

    def _kind(self, of: str, name: str) -> Cell:
        if of == "key":
            return self._words.text(name) if name else Cell(self._words.say("without_key"), "")
        return self._words.named(of, name)

    def steps(self) -> Table:
        """How long each step took."""
        words, say = self._words, self._words.say
        rows = tuple(
            (words.named("step", one.step), words.count(one.count), words.ms(one.p50_ms), words.ms(one.p95_ms))
            for one in self._summary.steps
        )
        head = (say("name_step"), say("questions"), say("median"), say("p95"))
        return Table("steps", say("name_step"), head, rows)

    def agents(self) -> Table:
        """What models were asked for, and what it took."""
        words, say = self._words, self._words.say
        head = ("name_agent", "calls", "failed", "prompt_tokens", "completion_tokens", "silent", "median", "p95")
        rows = tuple(
            (
                words.named("agent", one.agent),
                words.count(one.calls),
                words.count(one.failed),
                words.count(None if one.silent == one.calls else one.prompt_tokens),
                words.count(None if one.silent == one.calls else one.completion_tokens),
                words.count(one.silent),
                words.ms(one.p50_ms),
                words.ms(one.p95_ms),
            )
            for one in self._summary.agents
        )
        return Table("agents", say("models"), tuple(map(say, head)), rows)

    def thumbs(self, of: str, thumbs: Sequence[Thumbs]) -> Table:
        """What readers thought of answers of several kinds."""
        words, say = self._words, self._words.say
        rows = tuple(
            (
                words.named(of, one.name),
                words.count(one.up),
                words.count(one.down),
                words.share(one.down, one.up + one.down),
            )
            for one in thumbs
        )
        head = (say(f"name_{of}"), say("up"), say("down"), say("share_down"))
        return Table(f"feedback_by_{of}", say(f"name_{of}"), head, rows)

    def comments(self) -> Table:
        """What readers wrote."""
        words, say = self._words, self._words.say
        head = ("name_time", "name_rating", "name_reason", "name_comment", "name_question", "name_outcome")
        rows = tuple(
            (
                Cell(words.moment(one.time), one.time),
                Cell(say("up" if one.rating == "up" else "down"), one.rating),
                words.named("thumb", one.reason) if one.reason else words.text(""),
                words.text(one.comment),
                words.text(one.question),
                words.named("outcome", one.outcome) if one.outcome else words.text(""),
            )
            for one in self._summary.feedback.comments
        )
        return Table("comments", say("comments"), tuple(map(say, head)), rows)

    def counts(self, name: str, title: str, kind: str, counts: Sequence[Count]) -> Table:
        """How often, and which share of all."""
        words, say = self._words, self._words.say
        whole = sum(one.count for one in counts)
        rows = tuple(
            (words.named(kind, one.name), words.count(one.count), words.share(one.count, whole))
            for one in counts[:MOST_ROWS]
        )
        return Table(name, say(title), (say(f"name_{'reason' if kind == 'thumb' else kind}"), say("count"), "%"), rows)


def _of(totals: object, name: str) -> float | None:
    if name == "tokens":
        return int(getattr(totals, "prompt_tokens")) + int(getattr(totals, "completion_tokens"))  # noqa: B009
    found: float | None = getattr(totals, name)
    return found
