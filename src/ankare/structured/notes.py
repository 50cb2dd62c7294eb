"""What must a reader know beside the figures: what was assumed, and what of the question is not in the answer?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ankare.domain.answer import Refusal
from ankare.domain.clarification import ClarificationResult
from ankare.domain.figures import FigureAnswer, LineKind
from ankare.language.units import Unit, parse_unit, unit_label
from ankare.structured.compose import Wording
from ankare.structured.intent import ParsedIntent
from ankare.structured.tasks import tells_a_development

_SHOWN_WORDS = 6


def with_notes(
    outcome: FigureAnswer | Refusal, intent: ParsedIntent, clarification: ClarificationResult, wording: Wording
) -> FigureAnswer | Refusal:
    """The assumptions first, and after the answer what of the question was left out of it."""
    before = (clarification.assumption_note,) if clarification.assumption_note else ()
    if tells_a_development(intent):
        before = (*before, wording.texts["figures.change_assumed"])
    if isinstance(outcome, Refusal):
        return replace(outcome, message="\n\n".join((*before, outcome.message)))
    left = [*_left_out(intent, wording), *_other_units(outcome, intent, wording)]
    if intent.difference and not any(line.kind is LineKind.DIFFERENCE for line in outcome.lines):
        left.append(wording.texts["figures.no_difference"])
    if not before and not left:
        return outcome
    return replace(outcome, before=before, after=tuple(dict.fromkeys((*outcome.after, *left))))


def _left_out(intent: ParsedIntent, wording: Wording) -> Iterator[str]:
    """Words that were not used, by name; numbers without, so that no figure stands in the answer that is not one of its own."""
    texts = wording.texts
    left = [*intent.left_out, *filter(None, (intent.unknown_entity,))]
    words = [word for word in left if not any(character.isnumeric() for character in word)]
    if words:
        quoted = [wording.quoted(word) for word in words[:_SHOWN_WORDS]]
        yield texts["figures.left_out"].format(words=wording.listed(quoted))
    if len(words) < len(left):
        yield texts["figures.number_left_out"]
    if intent.at_end:
        yield texts["figures.at_end"]
    if intent.unreadable_period is not None:
        yield texts["figures.period_left_out"]


def _other_units(answer: FigureAnswer, intent: ParsedIntent, wording: Wording) -> Iterator[str]:
    """Another unit or currency was asked for than the stored one."""
    for unit in dict.fromkeys(fact.unit for fact in answer.facts):
        stored = parse_unit(unit)
        for asked, words in zip(intent.asked_units, intent.unit_words, strict=False):
            if _another(asked, stored) and not (intent.change and asked.kind == "percent"):
                names = {"asked": wording.quoted(words), "stored": unit_label(unit, wording.language)}
                yield wording.texts["figures.unit_note"].format(**names)


def _another(asked: Unit, stored: Unit | None) -> bool:
    """Does the question want another unit, currency or magnitude than the figure has?"""
    if stored is None or asked.kind != stored.kind:
        return True
    if asked.currency is not None and asked.currency != stored.currency:
        return True
    return asked.magnitude != stored.magnitude
