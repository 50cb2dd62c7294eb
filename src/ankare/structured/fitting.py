"""Does what a question measures by ("kostade", "how long", "多重") fit the metric that it names?

"What did a pupil cost" asks for money; a metric that counts pupils is no answer to it, whatever its name. A word of measure
fits a metric whose unit is of its kind, or whose name has a word of that kind. What fits nothing is asked back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ankare.language.measure_words import measure_words
from ankare.language.packs import named_lists
from ankare.language.units import parse_unit
from ankare.language.word_forms import word_forms
from ankare.profile.model import Metric
from ankare.structured.glossary import MEASURE, Glossary, inflected_cues
from ankare.structured.phrases import Found, fold, words

_MONEY, _PERCENT = "money", "percent"
_DIMENSIONS_OF = ("sv", "en")
"""The languages with words for the dimensions of units."""


@dataclass(frozen=True, slots=True)
class Unfit:
    """A word of measure that fits no metric of the question. `metrics`: the codes of those that it would fit, the ones that
    share most words with the question first."""

    word: str
    metrics: tuple[str, ...]


def unfit(
    metrics: Sequence[str], measures: Iterable[Found], written: str, glossary: Glossary, language: str
) -> Unfit | None:
    """The first word of measure that none of the metrics fits; None where each fits one, or nothing is measured."""
    named = [metric for metric in glossary.profile.metrics if metric.code in metrics]
    for measure in measures if named else ():
        if not any(fits(metric, measure.kind, glossary) for metric in named):
            others = [metric for metric in glossary.profile.metrics if fits(metric, measure.kind, glossary)]
            asked = _word_forms(written, language)
            others.sort(key=lambda metric: -max(len(asked & _word_forms(name, language)) for name in metric.names))
            return Unfit(written[measure.start : measure.end], tuple(metric.code for metric in others))
    return None


def fits(metric: Metric, measure: str, glossary: Glossary) -> bool:
    """Is a metric of the kind of a list of measures ("measure money")?"""
    wanted = measure.removeprefix(MEASURE).split()
    return not _kinds_of_unit(metric.unit).isdisjoint(wanted) or any(
        _names_the_kind(name, measure, glossary) for name in metric.names
    )


def _kinds_of_unit(unit: str) -> frozenset[str]:
    known = parse_unit(unit)
    if known is None:
        return frozenset()
    if known.currency or known.kind == _PERCENT:
        return frozenset((_MONEY,) if known.currency else (_PERCENT,))
    tables = (measure_words(language).units for language in _DIMENSIONS_OF)
    return frozenset(table[unit.casefold()][0] for table in tables if unit.casefold() in table)


def _names_the_kind(name: str, measure: str, glossary: Glossary) -> bool:
    """Has a name a word of this kind: of any language's list that begins with the same dimension?"""
    first = measure.split()[1]
    folded = fold(name)
    for language in glossary.languages:
        kinds = {kind for word in words(folded) for kind in inflected_cues(word.form, language)}
        kinds |= {found.kind for found in glossary.measures(language).find(folded)}
        if any(kind.startswith(MEASURE) and first in kind.split() for kind in kinds):
            return True
    return False


def _word_forms(text: str, language: str) -> set[str]:
    folded = fold(text)
    if language == "zh":
        return {character for character in folded if not character.isascii()}
    stop = named_lists(language, "intent")["filler"]
    return {form for word in words(folded) if word.form not in stop for form in word_forms(word.form, language)}
