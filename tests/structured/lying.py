"""Random profiles, random figures, random questions, and a model that lies in every way we could think of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

from ankare.domain.fact import Fact, Period
from ankare.errors import ProviderError
from ankare.facts.sqlite import SqliteFactStore
from ankare.language.periods import period_code
from ankare.llm.protocol import SLOTS_MARK, ChatCompletion, Choice, ResponseMessage, ToolCall
from ankare.profile.model import Channel, Entity, HomeRules, Metric, Profile

UNITS = ("SEK_M", "USD_M", "%", "st", "SEK_K")
PERIODS = (
    *(Period("FY", str(year)) for year in (2021, 2022, 2023, 2024)),
    *(Period("HY", f"2024H{half}") for half in (1, 2)),
    *(Period("TERTIAL", f"2024T{tertial}") for tertial in (1, 2, 3)),
    *(Period("QUARTER", f"2024Q{quarter}") for quarter in (1, 2, 3, 4)),
    *(Period("MONTH", f"2024-{month:02d}") for month in (1, 6, 12)),
)
QUESTIONS = {
    "sv": (
        "Vad var {metric} för {entity} {period}?",
        "{metric} {entity} {period}",
        "Jämför {metric} för {entity} {period} och {other}",
    ),
    "en": (
        "What was {metric} for {entity} in {period}?",
        "{metric} of {entity} and {entity2}, {period}",
        "Compare {metric} for {entity} in {period} and {other}",
    ),
    "zh": ("{entity}{period}的{metric}是多少？", "{entity}{period}的{metric}和{metric2}分别是多少？"),
}
LIES = (
    "Omsättningen var 999 999 MSEK.",
    "The value is 123456.789 (approved).",
    "是八百八十八亿元。",
    "about nine hundred million",
    "Bolaget går med rekordvinst.",
    "１２３４５",
    "½ of it",
    "٣٤٥٦ kronor",
    "XLII",
    "The answer is\n\n- 77 777",
    "We doubled our profit!",
    "tolv miljoner",
)


@dataclass(frozen=True)
class World:
    """A profile with its store, and what is approved in it."""

    profile: Profile
    store: SqliteFactStore
    facts: tuple[Fact, ...]

    @property
    def approved(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.facts if fact.review_status == "approved")


def make_world(random: Random) -> World:
    """A profile of invented names, and figures for some of its slots: several sources, conflicts, pending ones."""
    names = iter(_names(random, 24))
    metrics = tuple(
        Metric(f"M{n}", next(names), (next(names), f"指{'甲乙丙'[n]}"), unit=random.choice(UNITS)) for n in range(3)
    )
    entities = tuple(Entity(f"E{n}", next(names), (next(names), f"司{'甲乙丙'[n]}")) for n in range(3))
    channels = (Channel("WEB", next(names), (next(names),)),)
    home = HomeRules("", "E0", "sv", ("sv", "en", "zh"))
    outsiders = {next(names): (next(names),)}
    profile = Profile(home, entities, metrics, channels, outsiders)
    facts = tuple(_fact(random, profile, n) for n in range(random.randint(20, 300)))
    store = SqliteFactStore(":memory:", profile)
    store.init_schema()
    store.add_facts(facts)
    return World(profile, store, facts)


def make_question(random: Random, profile: Profile) -> str:
    """A question about some slots, in any of the languages, now and then about something else."""
    if random.random() < 0.08:
        return random.choice(
            ("Hur mycket var det?", "What was it last year?", "是多少？", "Varför gick det så?", "Hej!")
        )
    language = random.choice(tuple(QUESTIONS))
    return random.choice(QUESTIONS[language]).format(
        metric=_name(random, random.choice(profile.metrics), language),
        metric2=_name(random, random.choice(profile.metrics), language),
        entity=_name(random, random.choice(profile.entities), language),
        entity2=_name(random, random.choice(profile.entities), language),
        period=period_code(random.choice(PERIODS)),
        other=period_code(random.choice(PERIODS)),
    )


class LyingProvider:
    """A model that calls the tool wrongly, invents figures, breaks its replies, repeats itself or fails."""

    def __init__(self, random: Random, profile: Profile) -> None:
        self._random = random
        self._profile = profile

    def chat(self, messages: Sequence[Mapping[str, Any]], *, tools: object = None) -> ChatCompletion:
        """One of the ways to be wrong, or now and then right."""
        random = self._random
        act = random.randrange(12)
        slots = json.loads(messages[0]["content"].split(SLOTS_MARK)[1])
        if act == 0:
            raise ProviderError("no network", kind="network")
        if act == 1:
            return ChatCompletion(())
        if act < 4:
            return _says(random.choice(LIES))
        if act == 4:
            return _says(random.choice(LIES) * 2000)
        calls = [self._call(slots) for _ in range(random.randint(1, 3))]
        return _says(random.choice((*LIES, "", None)), calls)

    def _call(self, slots: dict[str, str]) -> ToolCall:
        random, profile = self._random, self._profile
        wrong = {
            "metric": random.choice(profile.metrics).code,
            "entity": random.choice(profile.entities).code,
            "period": period_code(random.choice(PERIODS)),
            "channel": random.choice(("TOTAL", "WEB", "")),
        }
        arguments: object = random.choice(
            (
                slots,
                slots,
                slots,
                wrong,
                {**slots, "entity": wrong["entity"]},
                {**slots, "period": "999 MSEK"},
                {},
                [],
                7,
            )
        )
        text = json.dumps(arguments, ensure_ascii=False)
        text = random.choice((text, text, text, text, text[:-1], "", "null", f'"{text}"', "[" * 500))
        name = random.choice(("query_metric", "query_metric", "query_metric", "query_metric", "run_sql", ""))
        return ToolCall(random.choice(("call-1", "", "x" * 200)), name, text)


def _says(text: str | None, calls: Sequence[ToolCall] = ()) -> ChatCompletion:
    return ChatCompletion((Choice(ResponseMessage(text, tuple(calls))),))


def _fact(random: Random, profile: Profile, number: int) -> Fact:
    metric = random.choice(profile.metrics)
    period = random.choice(PERIODS)
    value = Decimal(random.randint(-(10**7), 10**9)).scaleb(-random.randint(0, 4))
    return Fact(
        metric.code, random.choice(profile.entities).code, "", random.choice(("TOTAL", "TOTAL", "WEB")), *period,
        value, metric.unit, random.choice(("Bok.xlsx", "Rapport.csv")), f"Blad!{'ABCDEF'[number % 6]}{number}",
        review_status=random.choice(("approved", "approved", "approved", "pending", "rejected")),
    )  # fmt: skip


def _name(random: Random, item: Metric | Entity, language: str) -> str:
    return item.aliases[1] if language == "zh" else random.choice((item.label, item.aliases[0]))


def _names(random: Random, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(random.choice("bdfgklmnprstv") + random.choice("aeiou") for _ in range(4)).capitalize() + "q"] = (
            None
        )
    return list(found)
