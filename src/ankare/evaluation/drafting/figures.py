"""Which questions do the figures of a home answer, and which just not?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ankare.domain.fact import TOTAL, Fact, FactKey, Period, written
from ankare.evaluation.case import Expected
from ankare.evaluation.drafting.nouns import Nouns
from ankare.evaluation.drafting.words import LANGUAGES, draft_words
from ankare.evaluation.suites.holdings import Holdings
from ankare.language.period_forms import period_code, period_label, shifted
from ankare.profile.model import Named, Profile

FIGURE = "figure"


@dataclass(frozen=True, slots=True)
class FigureDraft:
    """A question about a figure with what is expected; without a value where the period is not held."""

    question: str
    language: str
    expected: tuple[Expected, ...]
    key: FactKey

    @property
    def held(self) -> bool:
        """Is there a figure?"""
        return any(one.value for one in self.expected)


def figure_drafts(held: Holdings, languages: Sequence[str]) -> Iterator[FigureDraft]:
    """One question per figure and accepted language in which its metric and entity have names; and per metric and entity one
    about the period after the last that is held."""
    codes = [code for code in held.profile.home.languages if code in languages and code in LANGUAGES]
    asking = [_Asking(held.profile, code) for code in codes]
    for key, facts in sorted(held.facts.items()):
        for one in asking:
            question = one.question(key)
            if question:
                yield FigureDraft(question, one.code, tuple(_expected(key, fact) for fact in _distinct(facts)), key)
    for key in _next_keys(held.facts):
        for one in asking:
            question = one.question(key)
            if question:
                yield FigureDraft(question, one.code, (_expected(key, None),), key)


class _Asking:
    """Asks in one language, with the names that the profile has in it."""

    def __init__(self, profile: Profile, code: str) -> None:
        self.code = code
        self._profile = profile
        self._words = draft_words(code)
        self._nouns = Nouns(code, ())

    def question(self, key: FactKey) -> str:
        """The question for a figure; "" where something of it has no name in the language."""
        metric, entity = (
            self._named(self._profile.metric(key.metric_code)),
            self._named(self._profile.entity(key.entity)),
        )
        if not metric or not entity:
            return ""
        channel = "" if key.channel == TOTAL else self._named(self._profile.channel(key.channel))
        if key.channel != TOTAL and not channel:
            return ""
        told, ask = self._metric(metric)
        period = period_label(Period(key.period_type, key.period), self.code)
        question = self._words.figures(ask).format(metric=told, entity=entity, period=period)
        if channel:
            mark = question[-1]
            question = question[:-1] + self._words.figures("channel").format(channel=channel) + mark
        return question[:1].upper() + question[1:]

    def _named(self, item: Named | None) -> str:
        if item is None:
            return ""
        own = self._profile.home.language == self.code
        return item.labels.get(self.code, item.label if own else "")

    def _metric(self, label: str) -> tuple[str, str]:
        """The name of a metric as it stands in a question, and which form of question takes it."""
        if self.code != "sv":
            lowered = label if label[1:] != label[1:].lower() else label.lower()
            return lowered, "ask"
        definite = self._nouns.definite(label) if label.isalpha() else ""
        return (definite, "ask") if definite else (label, "bare")


def _expected(key: FactKey, fact: Fact | None) -> Expected:
    return Expected(
        value=written(fact.value) if fact else "",
        unit=fact.unit if fact else "",
        metric=key.metric_code,
        entity=key.entity,
        period=period_code(Period(key.period_type, key.period)),
        channel="" if key.channel == TOTAL else key.channel,
        status="found" if fact else "not_found",
    )


def _distinct(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """One fact per value: sources that agree are one."""
    return tuple({(fact.value.normalize(), fact.unit): fact for fact in facts}.values())


def _next_keys(facts: Mapping[FactKey, object]) -> Iterator[FactKey]:
    """For each series without gaps in what it is about: the period after its last."""
    last: dict[tuple[str, str, str, str], str] = {}
    for key in facts:
        series = (key.metric_code, key.entity, key.period_type, key.channel)
        last[series] = max(last.get(series, ""), key.period)
    for (metric, entity, kind, channel), period in sorted(last.items()):
        later = shifted(Period(kind, period), 1)
        if later is not None and channel == TOTAL:
            yield FactKey(metric, entity, later.type, later.value, channel)
