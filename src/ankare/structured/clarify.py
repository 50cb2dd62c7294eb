"""Can this question be answered as it stands, with assumptions that are told, or must something be asked first?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice, pairwise
from types import MappingProxyType

from ankare.domain.clarification import ClarificationResult, ClarifyMode, NarrowingOption
from ankare.domain.fact import TOTAL, FactKey, Period, PeriodType
from ankare.facts.protocol import FactReader
from ankare.gate.security import ALLOW
from ankare.language.period_forms import shifted
from ankare.language.periods import MOST_PERIODS
from ankare.profile.model import Named, Profile
from ankare.sample.profile import sample_profile
from ankare.structured.compose import Wording
from ankare.structured.fitting import Unfit
from ankare.structured.glossary import glossary_of
from ankare.structured.intent import ROUTE_NARRATIVE, ParsedIntent, question_language, readable, stepped
from ankare.structured.spans import AskedSpan, MixedSpan

_MOST_OPTIONS = 12
_MOST_NAMED = 5


def clarify_scope(
    intent: ParsedIntent,
    reference_date: date | None = None,
    *,
    profile: Profile | None = None,
    store: FactReader | None = None,
) -> ClarificationResult:
    """The decision for an intent, in the order of the product: competitors, narrative questions, what must be asked, what may
    be assumed. The security gate reads `intent.raw_question`, never a field that a parser filled in.

    `reference_date` None = today; `profile` None is the sample pack's. With a `store` no choice is given that leads to no
    figure, and one for which nobody named a time is about the newest year that is held; raises FactStoreError then.
    """
    profile = profile if profile is not None else sample_profile()
    glossary = glossary_of(profile)
    language = intent.language or question_language(readable(intent.raw_question), glossary)
    wording = Wording(profile, language)
    label = wording.inside(intent.metric) if intent.metric else None
    verdict = glossary.gate.screen(
        raw_question=intent.raw_question, metric=intent.metric, language=language, metric_label=label
    )
    if verdict.decision != ALLOW:
        options = verdict.narrowing_options
        if profile.metrics and profile.home.entity:
            reference = reference_date or date.today()
            options = tuple(_Gateway(intent, profile, wording, reference, store).at_home(option) for option in options)
        mode = ClarifyMode.OUT_OF_SCOPE_ENTITY
        return ClarificationResult(mode, narrowing_options=options, question=verdict.message)
    if intent.route == ROUTE_NARRATIVE:
        return ClarificationResult(ClarifyMode.NONE)
    reference = reference_date or date.today()
    gateway = _Gateway(intent, profile, wording, reference, store)
    return gateway.ask() or gateway.assume()


class _Gateway:
    """Asks and assumes for one intent."""

    def __init__(
        self,
        intent: ParsedIntent,
        profile: Profile,
        wording: Wording,
        reference: date,
        store: FactReader | None = None,
    ) -> None:
        self._intent = intent
        self._profile = profile
        self._wording = wording
        self._store = store
        self._keys: dict[NarrowingOption, list[FactKey]] = {}
        self._texts = wording.texts
        self._last_year = Period(PeriodType.FY.value, str(reference.year - 1))
        self._this_year = Period(PeriodType.FY.value, str(reference.year))

    def at_home(self, option: NarrowingOption) -> NarrowingOption:
        """The same choice with a question about the home entity that can be answered."""
        named = [self._intent.metric] if self._intent.metric else [metric.code for metric in self._profile.metrics]
        options = [self._option(option.label, metric=code, entity=self._profile.home.entity) for code in named]
        return next(filter(self._is_held, options), options[0])

    def ask(self) -> ClarificationResult | None:
        """What must be asked before anything is looked up; None where nothing must."""
        intent, texts, quoted = self._intent, self._texts, self._wording.quoted
        if intent.metric is None:
            return self._asked(self._metric_question(), self._metrics())
        if intent.unfit is not None:
            asked = texts["figures.ask_measure"].format(raw=quoted(intent.unfit.word), metric=self._metric_names())
            return self._asked(asked, self._fitting(intent.unfit))
        if intent.mixed is not None:
            return self._asked(texts["figures.ask_times"], self._readings(intent.mixed))
        if intent.qualifier:
            return self._asked(texts["figures.ask_qualifier"].format(raw=quoted(intent.qualifier)), self._without())
        if intent.unknown_channel:
            raw = quoted(intent.unknown_channel)
            return self._asked(texts["figures.ask_channel"].format(raw=raw), self._channels())
        if intent.unknown_entity and intent.entity is None:
            raw = quoted(intent.unknown_entity)
            return self._asked(texts["figures.ask_entity"].format(raw=raw), self._entities(self._profile.entities))
        if intent.entity is None and not self._profile.home.entity:
            return self._asked(texts["figures.ask_which_entity"], self._entities(self._profile.entities))
        return None

    def assume(self) -> ClarificationResult:
        """The home entity and the last whole year for what the question leaves open, told; or nothing to assume."""
        intent = self._intent
        assumed: dict[str, object] = {}
        if intent.entity is None and self._profile.home.entity:
            assumed["entity"] = self._profile.home.entity
        if intent.period is None and intent.unreadable_period is None and intent.span is None:
            assumed["period"] = self._last_year
        if not assumed and intent.span is None:
            return ClarificationResult(ClarifyMode.NONE)
        options = self._narrower(assumed)
        mode = ClarifyMode.ANSWER_WITH_ASSUMPTIONS
        notes = [self._note(assumed)] if assumed else []
        notes += [self._span_note(intent.span)] if intent.span else []
        note = self._texts["figures.sentences"].join(filter(None, notes))
        return ClarificationResult(mode, MappingProxyType(assumed), note, options)

    def _span_note(self, span: AskedSpan) -> str:
        """Which periods are meant, and for which of them there is nothing."""
        texts = self._texts
        form = "figures.span" if len(span.whole) > 1 else "figures.span_of_one"
        said = [texts[form].format(periods=self._period_names(span.whole))] if span.whole else []
        if span.running is not None and span.running in self._intent.periods:
            said.append(texts["figures.span_running"].format(period=self._period_name(span.running)))
        if span.missing and not set(self._intent.periods) <= set(span.missing):
            said.append(texts["figures.span_missing"].format(periods=self._period_names(span.missing)))
        return texts["figures.sentences"].join(said)

    def _period_names(self, periods: Sequence[Period]) -> str:
        """The periods as an enumeration, or from the first to the last of many that follow each other."""
        names = [self._period_name(period) for period in periods]
        follow = all(shifted(one, 1) == other for one, other in pairwise(periods))
        if len(names) <= _MOST_NAMED or not follow:
            return self._wording.listed(names)
        return self._texts["figures.from_to"].format(first=names[0], last=names[-1])

    def _note(self, assumed: Mapping[str, object]) -> str:
        slots = [self._texts[f"figures.slot_{name}"] for name in assumed]
        values = [self._named(name, value) for name, value in assumed.items()]
        listed = self._wording.listed
        return self._texts["figures.assumed"].format(slots=listed(slots), values=listed(values))

    def _named(self, slot: str, value: object) -> str:
        return (
            self._wording.period(value.type, value.value)
            if isinstance(value, Period)
            else self._wording.entity(str(value))
        )

    def _narrower(self, assumed: Mapping[str, object]) -> tuple[NarrowingOption, ...]:
        options: list[NarrowingOption] = []
        if "entity" in assumed:
            options += self._entities(e for e in self._profile.entities if e.code != assumed["entity"])
        if "period" in assumed:
            parts = stepped(self._last_year, PeriodType.HY)
            if self._store is not None:
                parts += stepped(self._last_year, PeriodType.TERTIAL)
            to_date = self._texts["figures.this_year"].format(period=self._period_name(self._this_year))
            options.append(self._option(to_date, period=self._this_year))
            options += [self._option(self._period_name(part), period=part) for part in parts]
        return tuple(filter(self._is_held, options))

    def _metric_question(self) -> str:
        wording, texts = self._wording, self._texts
        if self._intent.near_metrics:
            near = [wording.inside(code) for code in self._intent.near_metrics]
            return texts["figures.ask_near"].format(metrics=wording.listed(near))
        labels = [wording.metric(metric.code) for metric in self._profile.metrics]
        if not labels:
            return texts["figures.ask_metric"]
        return texts["figures.ask_metric_known"].format(metrics=wording.listed(labels))

    def _metrics(self) -> Iterator[NarrowingOption]:
        """Every metric, those that a misspelt word may have meant first."""
        codes = dict.fromkeys((*self._intent.near_metrics, *(metric.code for metric in self._profile.metrics)))
        return (self._option(self._wording.metric(code), metric=code) for code in codes)

    def _metric_names(self) -> str:
        return self._wording.listed([self._wording.inside(code) for code in self._intent.metrics])

    def _readings(self, mixed: MixedSpan) -> Iterator[NarrowingOption]:
        """The question for each of the times that it may mean."""
        entities = self._intent.entities or (None,)
        readings = [periods for periods in mixed.readings if len(periods) <= MOST_PERIODS]
        return (self._option("", periods=periods, entity=entity) for periods in readings for entity in entities)

    def _fitting(self, unfit: Unfit) -> Iterator[NarrowingOption]:
        """The question with each metric that its word of measure fits, then with those that it names."""
        codes = dict.fromkeys((*unfit.metrics, *self._intent.metrics))
        entities = self._intent.entities or (None,)
        return (self._option("", metric=code, entity=entity) for code in codes for entity in entities)

    def _entities(self, entities: Iterable[Named]) -> Iterator[NarrowingOption]:
        return (self._option(self._wording.entity(entity.code), entity=entity.code) for entity in entities)

    def _channels(self) -> Iterator[NarrowingOption]:
        """Every channel, and all of them together."""
        yield from (self._option(self._wording.channel(c.code), channel=c.code) for c in self._profile.channels)
        yield self._option("", channel=TOTAL)

    def _without(self) -> Iterator[NarrowingOption]:
        """The same question without what changes it, for each metric and entity that it names; after a rank, for all at once
        first."""
        metrics = self._intent.metrics or (self._intent.metric,)
        home = self._profile.home.entity
        others = [entity.code for entity in self._profile.entities if entity.code != home]
        entities = self._intent.entities or tuple(filter(None, (home, *([] if self._intent.excluded else others))))
        pairs = [(metric, entity) for metric in metrics for entity in entities if metric]
        if self._intent.rank and len(self._intent.entities) != 1 and not self._intent.excluded:
            yield from (self._of_all(metric) for metric in metrics if metric)
        yield from (self._option("", metric=metric, entity=entity) for metric, entity in pairs)

    def _of_all(self, metric: str) -> NarrowingOption:
        """A metric for every entity, or each that the question names: what is held of them, and what is not."""
        intent, wording = self._intent, self._wording
        codes = intent.entities or tuple(entity.code for entity in self._profile.entities)
        periods = self._named_periods() or (self._newest(metric, codes),)
        keys = [FactKey(metric, code, *period, intent.channel or TOTAL) for code in codes for period in periods]
        all_of_them = self._texts["figures.all_entities"]
        listed = wording.listed([wording.entity(code) for code in intent.entities]) or all_of_them
        named = {"entity": listed, "period": wording.listed([self._period_name(Period(*one)) for one in periods])}
        option = NarrowingOption(wording.say("what", keys[0], **named), wording.say("ask_question", keys[0], **named))
        self._keys[option] = keys
        return option

    def _newest(self, metric: str, entities: Sequence[str]) -> Period:
        """The last whole year where any of the entities has a figure for it, else the newest one that any has."""
        channel = self._intent.channel or TOTAL
        open_periods = [self._open_period(metric, entity, channel) for entity in entities]
        held = [one for one in open_periods if one != self._last_year or self._any_holds(metric, entities, channel)]
        return self._last_year if not held or self._last_year in held else max(held, key=lambda one: one.value)

    def _any_holds(self, metric: str, entities: Sequence[str], channel: str) -> bool:
        """Has any entity a figure for the last whole year?"""
        store = self._store
        return store is None or any(store.lookup(FactKey(metric, one, *self._last_year, channel)) for one in entities)

    def _option(
        self,
        label: str,
        *,
        metric: str | None = None,
        entity: str | None = None,
        period: Period | None = None,
        periods: Sequence[Period] = (),
        channel: str | None = None,
    ) -> NarrowingOption:
        """A choice whose question names every slot that is known, so that it needs no more asking about them; they are its
        label where none is given. An entity that nobody knows is left out, and so is the time then if it is open, too.
        """
        intent, wording = self._intent, self._wording
        metrics = (metric,) if metric else intent.metrics or (intent.metric or "",)
        who = entity or intent.entity or self._profile.home.entity
        part = channel or intent.channel or TOTAL
        named = tuple(periods) or ((period,) if period else self._named_periods())
        periods = named or (self._open_period(metrics[0], who, part),)
        key = FactKey(metrics[0], who, *periods[0], part)
        listed = {
            "metric": wording.listed(
                [wording.metric(code) if code == metrics[0] else wording.inside(code) for code in metrics]
            ),
            "period": wording.listed([self._period_name(Period(*one)) for one in periods]),
        }
        question = wording.say("ask_question" if who else "ask_any_entity" if named else "ask_any", key, **listed)
        said = wording.say("what", key, period=listed["period"]) if who else question
        option = NarrowingOption(label or said, question)
        self._keys[option] = [
            key._replace(metric_code=code, entity=one, period_type=kind, period=value)
            for code in metrics
            for one in ([who] if who else [entity.code for entity in self._profile.entities])
            for kind, value in (periods if who or named else [self._open_period(code, one, part)])
        ]
        return option

    def _named_periods(self) -> tuple[Period, ...]:
        """The periods that the question names; of a span all that are meant, as others may be held of something else."""
        intent = self._intent
        if intent.span is not None and 0 < len(intent.span.whole) <= MOST_PERIODS:
            return intent.span.whole
        return intent.periods or ((intent.period,) if intent.period else ())

    def _open_period(self, metric: str, entity: str, channel: str) -> Period:
        """The last whole year where the time is open, as assumed elsewhere; the newest time that is held where it is not."""
        if self._store is None or not entity:
            return self._last_year
        held = [Period(*one) for one in self._store.periods(metric, entity, channel)]
        years = [one for one in held if one.type == PeriodType.FY]
        return self._last_year if self._last_year in held or not held else (years or held)[0]

    def _is_held(self, option: NarrowingOption) -> bool:
        """Does a choice lead to a figure? Without a store every one may."""
        store = self._store
        return store is None or any(map(store.lookup, self._keys[option]))

    def _period_name(self, period: Period) -> str:
        return self._wording.period(period.type, period.value)

    def _asked(self, question: str, options: Iterable[NarrowingOption]) -> ClarificationResult:
        shown = tuple(islice(filter(self._is_held, options), _MOST_OPTIONS))
        return ClarificationResult(ClarifyMode.ASK_FIRST, question=question, narrowing_options=shown)
