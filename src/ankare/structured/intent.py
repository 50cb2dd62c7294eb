"""What does a question about figures ask for: which metric, of whom, when, through which channel?

No model: names come from the profile, wordings from the language packs. What the question says beside its slots is never
dropped in silence; it is kept in `ParsedIntent` for the clarification gateway and for the notes of the answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol, TypeVar

from ankare.domain.fact import TOTAL, Period, PeriodType
from ankare.language.detect import detect_language
from ankare.language.period_forms import PER_YEAR, make_period
from ankare.language.periods import PeriodMention, find_periods
from ankare.language.units import Unit, asked_units
from ankare.profile.model import Profile
from ankare.sample.profile import sample_profile
from ankare.structured.cue_words import find_cues, find_measures, is_asking, with_gaps
from ankare.structured.fitting import Unfit, unfit
from ankare.structured.glossary import CHANNEL, ENTITY, MEASURE, METRIC, Glossary, glossary_of
from ankare.structured.phrases import AMBIGUOUS, Found, Word, fold, longest, words
from ankare.structured.remains import STEPS, Remains, read_remains
from ankare.structured.spans import AskedSpan, MixedSpan, asked_span, mixed_span

ROUTE_STRUCTURED = "structured"
ROUTE_NARRATIVE = "narrative"
ROUTE_COMPOSITE = "composite"

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


@dataclass(frozen=True, slots=True)
class ParsedIntent:
    """The four slots, and what else the question says.

    The plural slots hold every match, by position and without repeats. `channel` is `TOTAL` where the question names none.
    `unknown_entity`, `unknown_channel`, `unreadable_period`: what stands in the place of a slot and cannot be read, as written.
    `qualifier`: a wording that changes what is asked ("utan Kina", "per share"); `left_out`: other words that were not used.
    `subject`: the question has words that documents may speak to. `change`: it asks for a
    development; `compare`: for that or for a comparison; `compared_to`: with the time that it names; `howto`: for a rule or a
    definition; `difference`: for one between things; `at_end`: the end of a period stands for it; `every_year`: all years.
    `near_metrics`: where no metric is named, those that a misspelt word may have meant.
    `excluded`: names that an exclusion took out. `unit_words`: `asked_units` as written. `span`: the only time that is named,
    where it is a span ("sedan 2022"); which of its periods are told, the store decides; `mixed`: a
    span with another time beside it that has no year of its own. `unfit`: a word of measure that no
    metric of the question fits ("kostade" of a number of persons). `rank`: one of `remains.RANKS` where the qualifier is one;
    `ranks_entities`: the question is which entity has it.
    """

    route: str
    metric: str | None
    entity: str | None
    period: Period | None
    channel: str = TOTAL
    raw_question: str = ""
    metrics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    periods: tuple[Period, ...] = ()
    external_entity: str | None = None
    language: str = ""
    channels: tuple[str, ...] = ()
    unknown_entity: str | None = None
    unknown_channel: str | None = None
    unreadable_period: str | None = None
    qualifier: str | None = None
    left_out: tuple[str, ...] = ()
    asked_units: tuple[Unit, ...] = ()
    subject: bool = False
    change: bool = False
    compare: bool = False
    compared_to: bool = False
    howto: bool = False
    difference: bool = False
    at_end: bool = False
    every_year: bool = False
    near_metrics: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    unit_words: tuple[str, ...] = ()
    span: AskedSpan | None = None
    mixed: MixedSpan | None = None
    unfit: Unfit | None = None
    rank: str = ""
    ranks_entities: bool = False


class IntentParser(Protocol):
    """Reads a question. Nothing that it returns can loosen the security gate, which reads the question itself."""

    def parse(self, question: str, reference_date: date | None = None) -> ParsedIntent:
        """The slots of a question; relative periods count from `reference_date`, None = today."""


class RuleIntentParser:
    """The parser in use: rules, the profile's names and the language packs. Deterministic."""

    def __init__(self, profile: Profile | None = None, language: str | None = None) -> None:
        self._profile = profile
        self._language = language

    def parse(self, question: str, reference_date: date | None = None) -> ParsedIntent:
        """As `parse_intent`."""
        return parse_intent(question, reference_date, profile=self._profile, language=self._language)


def parse_intent(
    question: str,
    reference_date: date | None = None,
    *,
    profile: Profile | None = None,
    language: str | None = None,
) -> ParsedIntent:
    """Read a question. `profile` None is the sample pack's; `language` None is the question's own."""
    glossary = glossary_of(profile if profile is not None else sample_profile())
    written = readable(question)
    spoken = language or question_language(written, glossary)
    screened = glossary.gate.detect(written)
    text = screened.masked_text
    reference = reference_date or date.today()

    tokens = words(fold(text))
    found = with_gaps(glossary.names.find(fold(text), text, tokens), text, tokens, glossary, spoken)
    names = [name for name in found if name.code != AMBIGUOUS]
    rest = masked(text, found)
    free = _beside(tokens, found)
    cues = find_cues(fold(rest), free, glossary, spoken)
    steps = [cue for cue in cues if cue.kind in STEPS or cue.kind == "at_end"]
    bare = masked(text, [*steps, *(name for name in found if _touches_a_digit(name, text))])
    times = _beside(_periods(bare, cues, glossary.spoken_first(spoken), reference), found)
    units = asked_units(masked(rest, times), (spoken,))
    read: list[Found | PeriodMention] = [*times, *(Found(start, end, "unit", "") for start, end, _ in units)]
    measures = _beside(find_measures(fold(rest), free, glossary, spoken), times) if _codes(names, METRIC) else []
    wrong = unfit(_codes(names, METRIC), [*measures, *_measured_by(units, cues)], written, glossary, spoken)
    passed = [one for one in measures if wrong is not None or is_asking(one, text, free, cues, spoken)]
    cues = longest([*_beside(cues, read), *(one._replace(kind="filler") for one in _beside(passed, read))])
    remains = read_remains(masked(rest, read), names, times, cues, spoken, written)
    kept = [name for name in names if name not in remains.excluded]
    intent = _intent(question, spoken, kept, times, remains, glossary.every)
    if screened.external_entity or units or remains.excluded or wrong:
        intent = replace(
            intent,
            unfit=wrong,
            external_entity=screened.external_entity,
            asked_units=tuple(unit for _, _, unit in units),
            unit_words=tuple(written[start:end] for start, end, _ in units),
            excluded=tuple(name.code for name in remains.excluded),
        )
    intent = _by_kind_of_entity(intent, glossary)
    if len(names) < len(found):
        unclear = {name.kind: text[name.start : name.end] for name in found if name.code == AMBIGUOUS}
        intent = _with_unclear_names(intent, unclear)
    intent = _with_misspelt_period(intent, glossary)
    return intent if intent.metric is not None else _with_near_metrics(intent, remains, glossary)


def _measured_by(units: Sequence[tuple[int, int, Unit]], cues: Sequence[Found]) -> list[Found]:
    """Units that are asked for, as words of measure; percent is how a change may be told of anything."""
    told = "change" in {cue.kind for cue in cues}
    kinds = {"money", "percent"} - ({"percent"} if told else set())
    return [Found(start, end, MEASURE + unit.kind, "") for start, end, unit in units if unit.kind in kinds]


def _touches_a_digit(name: Found, text: str) -> bool:
    """A name and a year that could be taken for one number ("China2024年", "bolag 8 2024"): the year is read alone."""
    edges = (text[max(0, name.start - 1) : name.start + 1], text[name.end - 1 : name.end + 1])
    return any(character.isdigit() for edge in edges for character in edge)


def _with_unclear_names(intent: ParsedIntent, unclear: Mapping[str, str]) -> ParsedIntent:
    """A word that may be a form of several names is none of them: it must be asked about."""
    if METRIC in unclear:
        intent = replace(intent, metric=None, metrics=(), route=ROUTE_STRUCTURED)
    if ENTITY in unclear:
        intent = replace(intent, entity=None, entities=(), unknown_entity=unclear[ENTITY])
    if CHANNEL in unclear:
        intent = replace(intent, unknown_channel=unclear[CHANNEL])
    return intent


def _by_kind_of_entity(intent: ParsedIntent, glossary: Glossary) -> ParsedIntent:
    """What several entities are called by their labels stands for each of them: "per förvaltning", "by region"."""
    kept = intent.qualifier if intent.rank else None
    asked = [*filter(None, (None if kept else intent.qualifier, intent.unknown_entity)), *intent.left_out]
    word = asked[0].split()[-1] if asked and intent.metric is not None and not intent.entities else ""
    codes = glossary.entities_called(word) if word else ()
    if not codes or intent.excluded:
        return intent
    rest = tuple(other for other in intent.left_out if other != word)
    return replace(intent, entity=codes[0], entities=codes, qualifier=kept, unknown_entity=None, left_out=rest)


def _with_misspelt_period(intent: ParsedIntent, glossary: Glossary) -> ParsedIntent:
    """A word that is nearly one for a time makes the time unreadable; the year beside it must not stand for it."""
    words = (*intent.left_out, *filter(None, (intent.unknown_entity, intent.qualifier)))
    wrong = next((word for word in words if glossary.nearly_a_time(word, intent.language)), None)
    if wrong is None:
        return intent
    unknown = None if wrong == intent.unknown_entity else intent.unknown_entity
    qualifier = None if wrong == intent.qualifier else intent.qualifier
    return replace(
        intent, period=None, periods=(), span=None, unreadable_period=wrong, unknown_entity=unknown, qualifier=qualifier
    )


def _periods(
    text: str, cues: Sequence[Found], languages: tuple[str, ...], reference: date
) -> tuple[PeriodMention, ...]:
    """The times of a text. A cue at the end of one that cannot be read is about what follows: "2024 **after** tax"."""
    found = find_periods(text, languages, reference)
    ends = {mention.end for mention in found if not mention.periods}
    about = [cue for cue in cues if cue.kind == "exclusion" and cue.end in ends]
    # "Did revenue fall in 2024": a verb, where no year follows at once as it would after a season.
    starts = {mention.start for mention in found if not mention.periods}
    about += [c for c in cues if c.kind == "change" and c.start in starts and not text[c.end :].lstrip()[:1].isdigit()]
    return find_periods(masked(text, about), languages, reference) if about else found


def _with_near_metrics(intent: ParsedIntent, remains: Remains, glossary: Glossary) -> ParsedIntent:
    """A question that names an entity or a period, and a word that is nearly a metric, asks for a figure.

    So does one that begins as a question for a value does, and names both.
    """
    if not (intent.entities or intent.periods or remains.numeric):
        return intent
    if (remains.numeric or remains.value) and intent.entities and intent.periods and not remains.narrative:
        intent = replace(intent, route=ROUTE_STRUCTURED, subject=False)
    words = (*intent.left_out, *filter(None, (intent.unknown_entity,)))
    near = (glossary.near_metric(word, intent.language) for word in words)
    found = tuple(dict.fromkeys(code for code in near if code is not None))
    return replace(intent, route=ROUTE_STRUCTURED, near_metrics=found) if found else intent


def _intent(
    question: str,
    language: str,
    names: Sequence[Found],
    times: Sequence[PeriodMention],
    remains: Remains,
    every: Mapping[str, tuple[str, ...]],
) -> ParsedIntent:
    metrics, entities, channels = (
        every[kind] if kind in remains.every else _codes(names, kind) for kind in (METRIC, ENTITY, CHANNEL)
    )
    periods = tuple(
        dict.fromkeys(p for mention in times for period in mention.periods for p in stepped(period, remains.step))
    )
    span = asked_span(times, remains.step)
    lost = () if span else (mention for mention in times if not mention.periods)
    unreadable = next((question_part(question, mention) for mention in lost), None)
    return ParsedIntent(
        route=_route(metrics, remains),
        metric=next(iter(metrics), None),
        entity=next(iter(entities), None),
        period=next(iter(stepped(first, remains.step)), None) if (first := _first_period(times)) else None,
        channel=next(iter(channels), TOTAL),
        raw_question=question,
        metrics=metrics,
        entities=entities,
        periods=periods,
        language=language,
        channels=channels,
        unknown_entity=remains.unknown_entity,
        unknown_channel=remains.unknown_channel,
        unreadable_period=unreadable,
        qualifier=remains.qualifier,
        left_out=remains.left_out,
        subject=bool(remains.left_out or remains.unknown_entity or remains.qualifier),
        change=remains.change,
        compare=remains.compare,
        compared_to=remains.compared_to,
        howto=remains.howto,
        difference=remains.difference,
        at_end=remains.at_end,
        every_year=remains.step == PeriodType.FY and not periods and span is None,
        span=span,
        mixed=None if span else mixed_span(times, remains.step),
        rank=remains.rank,
        ranks_entities=remains.ranks_entities,
    )


def _route(metrics: Sequence[str], remains: Remains) -> str:
    if metrics and remains.narrative:
        return ROUTE_COMPOSITE
    if metrics or (remains.numeric and not remains.narrative):
        return ROUTE_STRUCTURED
    return ROUTE_NARRATIVE


def _first_period(times: Sequence[PeriodMention]) -> Period | None:
    """The first absolute period, else the first relative one."""
    readable_times = [mention for mention in times if mention.periods]
    absolute = [mention for mention in readable_times if not mention.relative]
    return next((mention.periods[0] for mention in (*absolute, *readable_times)), None)


def stepped(period: Period, step: PeriodType | None) -> tuple[Period, ...]:
    """A year by its halves, tertials, quarters or months where the question asks for them; any other period as it is."""
    kind, value = period
    if kind != PeriodType.FY or step is None or step == PeriodType.FY:
        return (period,)
    parts = (make_period(step.value, int(value), number) for number in range(1, PER_YEAR[step.value] + 1))
    return tuple(part for part in parts if part is not None)


def _codes(names: Iterable[Found], kind: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found.code for found in names if found.kind == kind))


Span = TypeVar("Span", Found, PeriodMention, Word)


def _beside(spans: Iterable[Span], others: Sequence[Found | PeriodMention]) -> list[Span]:
    """The spans that overlap none of the others."""
    return [span for span in spans if all(span.end <= o.start or o.end <= span.start for o in others)]


def masked(text: str, spans: Iterable[Found | PeriodMention]) -> str:
    """The text with the spans as spaces, so that every position stays."""
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


def readable(question: str) -> str:
    """The question in composed letters (NFC) and without invisible characters."""
    if question.isascii():
        return question
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", question))


def question_part(question: str, mention: PeriodMention) -> str:
    """What the mention says, as the user wrote it."""
    return readable(question)[mention.start : mention.end]


def question_language(text: str, glossary: Glossary) -> str:
    """The language to answer in: the question's own where it is accepted, else the profile's."""
    rules = glossary.profile.home
    return detect_language(text, rules.languages, rules.language)
