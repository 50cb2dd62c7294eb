"""How do results read, so that every figure is one that the store holds or is worked out from two of them?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from functools import lru_cache

from ankare.domain.fact import MAX_DIGITS, TOTAL, Fact, FactKey, Period
from ankare.domain.figures import FigureLine, LineKind
from ankare.language.numbers import format_decimal, percent_sign
from ankare.language.periods import period_label
from ankare.language.tokens import CJK
from ankare.language.units import format_quantity, parse_unit, same_unit
from ankare.messages import messages
from ankare.messages.places import said_locator
from ankare.profile.model import Named, Profile
from ankare.structured.query_tools import FOUND, QueryResult, differ

_PERCENT_STEP = Decimal("0.1")
_PAIR = 2
_CJK = re.compile(f"[{CJK}]")


class Wording:
    """How things are named and said in one language, for one profile."""

    def __init__(self, profile: Profile, language: str) -> None:
        self.profile = profile
        self.language = language
        self.texts = messages(language)

    def metric(self, code: str) -> str:
        """A metric as a reader reads it."""
        return self._label(self.profile.metric(code), code)

    def entity(self, code: str) -> str:
        """An entity as a reader reads it."""
        return self._label(self.profile.entity(code), code)

    def channel(self, code: str) -> str:
        """A channel as a reader reads it."""
        return self._label(self.profile.channel(code), code)

    def _label(self, found: Named | None, code: str) -> str:
        """The label for the language; in Chinese the first Chinese name where the profile gives no label."""
        if found is None:
            return code
        if self.language == "zh" and "zh" not in found.labels:
            return next((name for name in found.names if _CJK.search(name)), found.label)
        return found.label_in(self.language)

    def period(self, kind: str, value: str) -> str:
        """A period as a reader reads it."""
        return _period_label(kind, value, self.language)

    def inside(self, code: str) -> str:
        """A metric's label as it stands inside a sentence: without the capital of an ordinary word."""
        label = self.metric(code)
        return label[:1].lower() + label[1:] if label[1:].islower() else label

    def say(self, name: str, key: FactKey, **more: str) -> str:
        """A text of the catalogue about a key; the form for a channel where the key has one. `more` wins over the key."""
        parted = key.channel != TOTAL
        named = {
            "metric": self.metric(key.metric_code),
            "metric_in": self.inside(key.metric_code),
            "entity": self.entity(key.entity),
            "period": self.period(key.period_type, key.period),
            "channel": self.channel(key.channel),
        }
        return self.texts[f"figures.{name}_channel" if parted else f"figures.{name}"].format(**{**named, **more})

    def place(self, fact: Fact) -> str:
        """Where a fact stands."""
        if not fact.source_locator:
            return fact.source_doc_id
        locator = said_locator(fact.source_locator, self.texts)
        return self.texts["figures.place"].format(doc=fact.source_doc_id, locator=locator)

    def cited(self, text: str, fact: Fact) -> str:
        """A text with the place of its fact."""
        said = self.texts["figures.source"].format(source=self.place(fact))
        return self.texts["figures.passage"].format(text=text, source=said)

    def listed(self, words: Sequence[str]) -> str:
        """Words as an enumeration."""
        if len(words) < _PAIR:
            return "".join(words)
        return self.texts["note.and"].format(first=self.texts["figures.comma"].join(words[:-1]), last=words[-1])

    def quoted(self, word: str) -> str:
        """A word in quotation marks."""
        return self.texts["note.quoted"].format(word=word)


def found_line(result: QueryResult, wording: Wording) -> FigureLine:
    """The line of a value, or of values that disagree."""
    assert result.key is not None  # noqa: S101 - a found result has a key
    if len(result.facts) > 1:
        return _conflict_line(result, result.key, wording)
    fact = result.facts[0]
    text = wording.say("found", result.key, value=_quantity(fact, wording))
    return FigureLine(LineKind.FOUND, text, wording.cited(text, fact), (fact,))


def missing_line(key: FactKey, wording: Wording) -> FigureLine:
    """The line of a value that is not held."""
    text = wording.texts["figures.missing"].format(what=wording.say("what", key))
    return FigureLine(LineKind.MISSING, text, text)


def _conflict_line(result: QueryResult, key: FactKey, wording: Wording) -> FigureLine:
    values = [
        wording.texts["figures.conflict_value"].format(value=_quantity(fact, wording), source=wording.place(fact))
        for fact in result.facts
    ]
    text = wording.texts["figures.conflict"].format(what=wording.say("what", key), values=wording.listed(values))
    return FigureLine(LineKind.CONFLICT, text, text, result.facts)


def differences(
    results: Sequence[QueryResult], wording: Wording, *, within: Sequence[Period] = ()
) -> list[FigureLine | str]:
    """The difference of each two values of one metric, entity and channel in two periods of one type; where `within` is
    given, of the first and the last of these that is found.

    A sentence where there is none because sources disagree or the units differ. The percent is the difference by the earlier
    value, rounded half to even to one decimal; it is not given where a value is negative or the earlier one zero.
    """
    groups: dict[tuple[str, ...], list[QueryResult]] = {}
    for result in results:
        groups.setdefault((result.metric_code, result.entity, result.channel, result.period_type), []).append(result)
    ordered = [sorted(group, key=lambda result: result.period) for group in groups.values()]
    if within:
        found = [[one for one in group if one.status == FOUND and _period_of(one) in within] for group in ordered]
        ordered = [[group[0], group[-1]] for group in found if len(group) > 1]
    pairs = [group for group in ordered if len(group) == _PAIR]
    both = [(earlier, later) for earlier, later in pairs if earlier.status == later.status == FOUND]
    return [_difference_or_why(earlier, later, wording, alone=len(groups) == 1) for earlier, later in both]


def _period_of(result: QueryResult) -> Period:
    return Period(result.period_type, result.period)


def _difference_or_why(earlier: QueryResult, later: QueryResult, wording: Wording, *, alone: bool) -> FigureLine | str:
    if len(earlier.facts) > 1 or len(later.facts) > 1:
        return wording.texts["figures.no_difference_conflict"]
    if not same_unit(earlier.unit, later.unit):
        return wording.texts["figures.no_difference_unit"]
    line = _difference(earlier, later, wording)
    if alone:
        return line
    named = wording.texts["figures.of_what"].format(
        metric=wording.metric(later.metric_code), entity=wording.entity(later.entity), text=line.text
    )
    return FigureLine(line.kind, named, named, line.facts)


def _difference(earlier: QueryResult, later: QueryResult, wording: Wording) -> FigureLine:
    assert earlier.value is not None and later.value is not None  # noqa: S101 - both are found
    with localcontext() as context:
        context.prec = 2 * MAX_DIGITS + 8
        difference = later.value - earlier.value
        percent = None
        if earlier.value > 0 and later.value >= 0:
            percent = (100 * difference / earlier.value).quantize(_PERCENT_STEP, rounding=ROUND_HALF_EVEN)
    names = {
        "earlier": wording.period(earlier.period_type, earlier.period),
        "later": wording.period(later.period_type, later.period),
        "difference": _signed(difference, _difference_text(abs(difference), later.unit, wording), wording),
    }
    texts = wording.texts
    if percent is None:
        text = texts["figures.difference_no_percent"].format(**names)
    else:
        share = format_decimal(abs(percent), wording.language) + percent_sign(wording.language)
        text = texts["figures.difference"].format(percent=_signed(percent, share, wording), **names)
    return FigureLine(LineKind.DIFFERENCE, text, text, (*earlier.facts, *later.facts))


def _difference_text(size: Decimal, unit: str, wording: Wording) -> str:
    parsed = parse_unit(unit)
    if parsed is not None and parsed.kind == "percent":
        return wording.texts["figures.percentage_points"].format(value=format_decimal(size, wording.language))
    return format_quantity(size, unit, wording.language)


def _signed(value: Decimal, size: str, wording: Wording) -> str:
    if not value:
        return size
    minus = format_decimal(Decimal(-1), wording.language)[0]
    return ("+" if value > 0 else minus) + size


def _quantity(fact: Fact, wording: Wording) -> str:
    return format_quantity(fact.value, fact.unit, wording.language)


@lru_cache(4096)
def _period_label(kind: str, value: str, language: str) -> str:
    return period_label(Period(kind, value), language)


def disagreeing(results: Sequence[QueryResult]) -> Iterator[QueryResult]:
    """The results whose sources disagree."""
    return (result for result in results if any(differ(result.facts[0], fact) for fact in result.facts[1:]))
