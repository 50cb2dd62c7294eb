"""What does a report on the use say, in which order, whatever it is written as? Sections of lines, charts and tables.

The same sections become a page, Markdown, a terminal's tables and CSV, so that all of them say the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ankare.service.watch.usage_charts import Drawing, UsageCharts
from ankare.service.watch.usage_summary import UsageSummary
from ankare.service.watch.usage_tables import Table, UsageTables
from ankare.service.watch.usage_words import Words


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report. `lines`: sentences; `notes`: what one should know about its tables."""

    name: str
    title: str
    lines: tuple[str, ...] = ()
    charts: tuple[Drawing, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()


def report_sections(summary: UsageSummary, language: str) -> tuple[Section, ...]:
    """The whole report in a language: "sv", "en" or "zh"."""
    words = Words(language)
    told = _Report(summary, words)
    if not summary.totals.questions:
        return told.overview(), told.feedback()
    return tuple(told.sections())


class _Report:
    """One report being written."""

    def __init__(self, summary: UsageSummary, words: Words) -> None:
        self._summary = summary
        self._words = words
        self._tables = UsageTables(summary, words)
        self._charts = UsageCharts(summary, words)

    def sections(self) -> Iterator[Section]:
        """All parts."""
        yield self.overview()
        yield self._not_answered()
        yield self._again()
        yield self._who()
        yield self._times()
        yield self._models()
        yield self.feedback()

    def overview(self) -> Section:
        """How many questions, how they ended, and what has changed."""
        say, log = self._words.say, self._summary.log
        lines = [self._period()]
        if not log.kept:
            lines.append(say("no_log"))
        elif not self._summary.totals.questions:
            lines.append(say("no_records"))
        if log.broken:
            lines.append(say("broken", count=self._words.grouped(log.broken)))
        if not log.complete:
            lines.append(say("incomplete"))
        if log.begins:
            begins = self._words.moment(log.begins)
            compared = self._summary.before is not None
            lines.append(say("before_period") if compared else say("no_before", begins=begins))
        asked = self._summary.totals.questions > 0
        return Section(
            "overview",
            say("overview"),
            tuple(lines),
            self._charts.overview() if asked else (),
            (self._tables.figures(),) if asked else (),
            (say("within"),) if asked else (),
        )

    def _period(self) -> str:
        period, moment = self._summary.period, self._words.moment
        return self._words.say("period", since=moment(period.since), until=moment(period.until), zone=period.time_zone)

    def _not_answered(self) -> Section:
        say, found = self._words.say, self._summary.unanswered
        lines, notes, tables = [], [], []
        if not found.questions:
            lines.append(say("all_answered"))
        if found.subjects:
            lines.append(say("subjects_how"))
            tables.append(self._tables.subjects())
        if found.more_subjects:
            notes.append(say("more_subjects", count=self._words.grouped(found.more_subjects)))
        if untold := found.questions - found.with_text:
            notes.append(say("untold_how", count=self._words.grouped(untold)))
            tables.append(self._tables.untold())
        if found.more_untold:
            notes.append(say("more_untold", count=self._words.grouped(found.more_untold)))
        if found.sample < 1:
            notes.append(say("sampled", share=self._words.percent(found.sample)))
        tables += [
            self._tables.counts("refusals", "refusals", "reason", self._summary.refusals),
            self._tables.counts("asked_back", "asked_back_why", "reason", self._summary.asked_back),
            self._tables.counts("errors", "errors_why", "reason", self._summary.errors),
        ]
        return Section("not_answered", say("not_answered"), tuple(lines), (), _filled(tables), tuple(notes))

    def _again(self) -> Section:
        say, found, words = self._words.say, self._summary.repeats, self._words
        counts = {"different": words.grouped(found.different), "questions": words.grouped(found.questions)}
        notes = [say("unknown_again")] if any(one.text is None for one in found.most) else []
        if found.missed:
            notes.append(say("again_missed", missed=words.grouped(found.missed)))
        tables = _filled([self._tables.repeated()])
        return Section("again", say("again"), (say("again_counts", **counts),), (), tables, tuple(notes))

    def _who(self) -> Section:
        found, say = self._summary, self._words.say
        kinds = (
            ("channel", found.channels),
            ("key", found.keys),
            ("language", found.languages),
            ("route", found.routes),
            ("type", found.types),
        )
        return Section("who", say("who"), tables=tuple(self._tables.kinds(name, rows) for name, rows in kinds))

    def _times(self) -> Section:
        say = self._words.say
        if not self._summary.steps and self._summary.totals.p50_ms is None:
            return Section("time", say("time"), (say("no_times"),))
        steps = _filled([self._tables.steps()])
        return Section("time", say("time"), charts=self._charts.times(), tables=steps, notes=(say("within"),))

    def _models(self) -> Section:
        say, words, totals = self._words.say, self._words, self._summary.totals
        if not totals.calls and not totals.chains:
            return Section("models", say("models"), (say("no_models"),))
        lines = []
        if totals.chains:
            lines.append(
                say(
                    "chains",
                    chains=words.grouped(totals.chains),
                    approved=words.grouped(totals.approved),
                    approved_share=words.share(totals.approved, totals.chains).shown,
                    fallbacks=words.grouped(totals.fallbacks),
                    fallback_share=words.share(totals.fallbacks, totals.chains).shown,
                )
            )
        if totals.silent:
            lines.append(say("silent_calls", count=words.grouped(totals.silent), calls=words.grouped(totals.calls)))
        tables = [
            self._tables.agents(),
            self._tables.counts("final_states", "states", "state", self._summary.final_states),
            self._tables.counts("fallback_reasons", "fallbacks", "reason", self._summary.fallback_reasons),
        ]
        return Section("models", say("models"), tuple(lines), self._charts.models(), _filled(tables))

    def feedback(self) -> Section:
        """What readers thought."""
        say, words, found = self._words.say, self._words, self._summary.feedback
        if not found.kept:
            return Section("feedback", say("feedback"), (say("no_home"),))
        if not found.up + found.down:
            return Section("feedback", say("feedback"), (say("no_feedback"),))
        lines = [
            say("feedback_counts", up=words.grouped(found.up), down=words.grouped(found.down)),
            say("feedback_joined", count=words.grouped(found.joined)),
        ]
        notes = [say("feedback_left_out", count=words.grouped(found.left_out))] if found.left_out else []
        tables = [
            self._tables.counts("feedback_reasons", "feedback_reasons", "thumb", found.reasons),
            self._tables.thumbs("route", found.routes),
            self._tables.thumbs("type", found.types),
            self._tables.thumbs("outcome", found.outcomes),
            self._tables.comments(),
        ]
        return Section(
            "feedback", say("feedback"), tuple(lines), self._charts.feedback(), _filled(tables), tuple(notes)
        )


def _filled(tables: Sequence[Table]) -> tuple[Table, ...]:
    """Those that have a row."""
    return tuple(table for table in tables if table.rows)
