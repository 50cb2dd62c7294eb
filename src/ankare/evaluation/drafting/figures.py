"""Which questions do the figures of a home answer, and which just not?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ankare.domain.fact import TOTAL, Fact, FactKey, Period, written
from ankare.evaluation.case import Expected
from ankare.evaluation.drafting.asked import first_upper
from ankare.evaluation.drafting.nouns import Nouns
from ankare.evaluation.drafting.words import LANGUAGES, draft_words
from ankare.evaluation.suites.holdings import Holdings
from ankare.language.languages import get_language
from ankare.language.packs import named_lists
from ankare.language.period_forms import period_code, period_label, shifted
from ankare.language.units import parse_unit
from ankare.profile.model import Named

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
    asking = [_Asking(held, code) for code in codes]
    units = {key.metric_code: facts[0].unit for key, facts in held.facts.items() if facts}
    for key, facts in sorted(held.facts.items()):
        for one in asking:
            question = one.question(key, facts[0].unit)
            if question:
                yield FigureDraft(question, one.code, tuple(_expected(key, fact) for fact in _distinct(facts)), key)
    for key in _next_keys(held.facts):
        for one in asking:
            question = one.question(key, units.get(key.metric_code, ""))
            if question:
                yield FigureDraft(question, one.code, (_expected(key, None),), key)


class _Asking:
    """Asks in one language, with the names that the profile has in it."""

    def __init__(self, held: Holdings, code: str) -> None:
        self.code = code
        self._profile = held.profile
        self._words = draft_words(code)
        self._nouns = Nouns(code, [chunk.text for chunk in held.chunks if chunk.language == code])

    def question(self, key: FactKey, unit: str) -> str:
        """The question for a figure in this unit; "" where something of it has no name in the language."""
        metric, entity = (
            self._named(self._profile.metric(key.metric_code)),
            self._named(self._profile.entity(key.entity)),
        )
        if not metric or not entity:
            return ""
        channel = "" if key.channel == TOTAL else self._named(self._profile.channel(key.channel))
        if key.channel != TOTAL and not channel:
            return ""
        period = period_label(Period(key.period_type, key.period), self.code)
        asked = self._counted(metric) if counts(unit) else self._sized(metric)
        question = asked.format(entity=self._inside(entity), period=period)
        if channel:
            mark = question[-1]
            question = question[:-1] + self._words.figures("channel").format(channel=channel) + mark
        return first_upper(question)

    def _named(self, item: Named | None) -> str:
        if item is None:
            return ""
        own = self._profile.home.language == self.code
        return item.labels.get(self.code, item.label if own else "")

    def _inside(self, label: str) -> str:
        """A label inside a sentence: with a small letter where it begins with a word for all or some ("Alla distrikt")."""
        first = label.partition(" ")[0].casefold()
        common = get_language(self.code).analyze(first).stop or first in self._words.words("all_of")
        return label[:1].lower() + label[1:] if common and self.code != "zh" else label

    def _counted(self, label: str) -> str:
        """How many: where the name is that of what is counted, be it said or not that it is a number."""
        found = re.fullmatch(self._words.figures("number_of") or "(?!)", label)
        things = self._lowered(found[1] if found else label)
        ending = re.search(self._words.figures("plural") or "(?!)", things.partition(" ")[0])
        plural = found or ending or self.code == "zh" or self._nouns.several(things)
        return self._words.figures("count").replace("{metric}", things) if plural else self._sized(label)

    def _sized(self, label: str) -> str:
        """How large: with the name in its definite form, or else quoted."""
        if self.code != "sv":
            lowered = self._lowered(label)
            form = "amounts" if self._nouns.plural(lowered.split()[0]) and " " not in lowered else "amount"
            return self._words.figures(form).replace("{metric}", lowered)
        first, _, rest = label.partition(" ")
        definite = self._nouns.definite(first) if first.isalpha() and self._adds(rest) else ""
        if not definite:
            return self._words.figures("named").replace("{metric}", label)
        form = "amounts" if definite.endswith("na") else "amount_neuter" if definite.endswith("t") else "amount"
        return self._words.figures(form).replace("{metric}", f"{definite} {rest}".strip())

    def _adds(self, rest: str) -> bool:
        """Does what follows a noun only say more of it: nothing, or a preposition first?"""
        return not rest or rest.split()[0] in named_lists(self.code, "grammar")["prepositions"]

    def _lowered(self, label: str) -> str:
        return label if label[1:] != label[1:].lower() else label[:1].lower() + label[1:]


def counts(unit: str) -> bool:
    """Is a figure in this unit a number of things?"""
    known = parse_unit(unit)
    return known is not None and known.kind == "count"


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
