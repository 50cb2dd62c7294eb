"""How is a report said in its reader's language: texts, names of measures, numbers?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal

from ankare.evaluation.case import Case
from ankare.evaluation.scored import Measure
from ankare.language.numbers import format_decimal
from ankare.messages import languages, messages

DASH = "–"
MINUTES = slice(0, 16)
_MOST = 1e15


class Words:
    """The texts of one language, `report.<key>` of its catalogue."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = messages(language)

    def __call__(self, key: str, **given: object) -> str:
        """The text of a key with its places filled."""
        return self._texts[f"report.{key}"].format(**given)

    def named(self, table: str, code: str) -> str:
        """The name of a code in a table of the catalogue, the code itself where it has none."""
        return self._texts.get(f"{table}.{code}", code)

    def coded(self, kind: str, code: str) -> str:
        """The name of a code of the report's own (`report.<kind>_<code>`), the code itself where it has none."""
        return self._texts.get(f"report.{kind}_{code}", code)

    def counted(self, key: str, count: int) -> str:
        """The text for one (`<key>_one`) or for many, with the number in it."""
        return self(f"{key}_one" if count == 1 else key, count=self.number(count, 0))

    def type(self, code: str) -> str:
        """A type of question: one that the service knows, or one of the suite's own."""
        return self._texts.get(f"type.{code}") or self.coded("type", code)

    def inside(self, name: str) -> str:
        """A name within a sentence: without its capital, unless it is an abbreviation."""
        return name[:1].lower() + name[1:] if name[1:2].islower() else name

    def measure(self, name: str) -> str:
        """A measure's name."""
        return self.named("measure", name)

    def labelled(self, measure: Measure) -> str:
        """A measure's name with its unit, unless the name says it: "Svarstid, ms", "Tokens in"."""
        name, unit = self.measure(measure.name), self.unit(measure)
        return f"{name}, {unit}" if unit and unit.lower() not in name.lower() else name

    def number(self, value: float, decimals: int) -> str:
        """A number with so many decimals; a dash for what is none."""
        if not math.isfinite(value) or abs(value) > _MOST:
            return DASH
        return format_decimal(Decimal(f"{value:.{decimals}f}"), self.language)

    def signed(self, value: float, decimals: int) -> str:
        """A difference: with its sign, and without one where it is written as zero."""
        written = self.number(value, decimals)
        return f"+{written}" if value > 0 and any(digit in written for digit in "123456789") else written

    def value(self, measure: Measure, value: float | None, decimals: int | None = None) -> str:
        """A value with its unit, a dash where there is none."""
        if value is None:
            return DASH
        written = self.number(value, decimals_of(measure, value) if decimals is None else decimals)
        unit = self.unit(measure)
        return f"{written}\u00a0{unit}" if unit else written

    def unit(self, measure: Measure) -> str:
        """The unit as it is written, "" for a share."""
        return self.coded("unit", measure.unit) if measure.unit else ""

    def chance(self, p: float) -> str:
        """A probability with three decimals; what is smaller is not written as none."""
        return f"< {self.number(0.001, 3)}" if p < 0.0005 else self.number(p, 3)

    def interval(self, low: float | None, high: float | None, decimals: int, *, signed: bool = False) -> str:
        """From low to high, "" without one."""
        if low is None or high is None:
            return ""
        write = self.signed if signed else self.number
        return f"[{write(low, decimals)}; {write(high, decimals)}]"

    def aside(self, reason: str) -> str:
        """Why an answer does not count for its path."""
        kind, _, detail = reason.partition(":")
        name = self.coded("aside", kind)
        if not detail:
            return name
        return f"{name}: {self.coded('failed', detail) if kind == 'failed' else self.named('reason', detail)}"


def language_of(cases: Iterable[Case]) -> str:
    """The language that most of the questions are in, of those that there are texts in; English where none is told."""
    counted = Counter(case.language for case in cases if case.language in languages())
    return counted.most_common(1)[0][0] if counted else "en"


def decimals_of(measure: Measure, value: float) -> int:
    """How many decimals a value of a measure has: two for shares, three figures for money, none for large numbers."""
    size = abs(value)
    if not measure.unit:
        return 2
    if measure.unit in ("ms", "tokens", "calls", "words"):
        return 0 if size >= 10 or size == round(size) else 1
    return 2 if size >= 1 or not size else min(8, 2 - math.floor(math.log10(size)))
