"""A figure that a reader may not read is not there: not as value, conflict, neighbour, year, choice, nor as one that waits."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ankare.domain.fact import ReviewStatus
from ankare.facts.sqlite import SqliteFactStore
from tests.access import other_doors as doors
from tests.access.test_saboteurs import _patched_reader
from tests.access.world import MOTEN, PROFILE, Files, Reader, reading, take_in, write

CHANNELS = """
[channels.SHOP]
label = "Butik"
aliases = ["butik", "butiken"]

[channels.WEB]
label = "Webb"
aliases = ["webb", "webben"]
"""
METRICS = {"REVENUE": "omsättningen", "PROFIT": "vinsten"}
ENTITIES = {"ACME_CN": "i Kina", "ACME_GROUP": "i koncernen"}
PARTS = {"": "", "SHOP": "i butiken", "WEB": "på webben"}
PERIODS = {"2023": "2023", "2024": "2024", "2025": "2025", "2025H1": "första halvåret 2025", "2024Q1": "Q1 2024"}
CHANCE = 0.3
FOLLOWING = (
    ("Vad var omsättningen i Kina 2023?", "och 2024?"),
    ("Vad var vinsten i koncernen 2024?", "och i Kina?", "och varje år?"),
    ("Vad var omsättningen i butiken 2025?", "och på webben?", "och vinsten?"),
    ("Vad var omsättningen i Kina 2023?", "jämför med året före"),
)
SEEDS = range(3)


@dataclass(frozen=True)
class Figures:
    """Tables for everybody, tables with a label, and what can be asked of them."""

    public: Files
    labelled: Files

    @classmethod
    def of(cls, seed: int) -> Figures:
        chance = random.Random(seed)
        public, hidden, aside = [], [], []
        for metric in METRICS:
            for entity in ENTITIES:
                for part in PARTS:
                    for period in PERIODS:
                        for rows in (public, hidden, aside):
                            value = chance.choice((10, 20, 30))
                            if chance.random() < CHANCE:
                                rows.append(f"{metric},{entity},{part or 'TOTAL'},{period},{value},USD_M")
        return cls(
            {"moten.md": MOTEN, "facts/tal.csv": _table(public)},
            {
                "dold/access.toml": 'label = "board"\n',
                "dold/facts/tal.csv": _table(hidden),
                "facts/mer.csv": _table(aside),
                "facts/mer.csv.meta.toml": 'access = "board"\n',
            },
        )


def _table(rows: list[str]) -> str:
    return "\n".join(["metric,entity,channel,period,value,unit", *rows, ""])


def questions() -> list[str]:
    """With every slot, with some open, with several, and with what nobody holds."""
    asked = [
        f"Vad var {metric} {entity} {part} {period}?".replace("  ", " ")
        for metric in METRICS.values()
        for entity in ENTITIES.values()
        for part in PARTS.values()
        for period in PERIODS.values()
    ][::5]
    for metric in METRICS.values():
        asked += [f"Vad var {metric}?", f"Vad är {metric} i Kina?", f"Vad var {metric} i Norge 2024?"]
        asked += [f"Vad var {metric} i Kina varje år?", f"Hur utvecklades {metric} i Kina från 2023 till 2025?"]
        asked += [f"Jämför {metric} i Kina och koncernen 2024.", f"Vad var {metric} i hallen 2024?"]
        asked += [f"Hur mycket ökade {metric} i koncernen 2025?", f"Vad var {metric} 1999?", f"Varför sjönk {metric}?"]
    return [
        *asked,
        "Vad var det 2024?",
        "Vad var omsätningen i Kina 2023?",
        "Vad var omsättning och vinst i Kina 2025?",
    ]


def seen(reader: Reader) -> list[object]:
    """All that a reader sees of figures."""
    look_ups = [
        {"metric": metric, "entity": entity, "period": period, **({"channel": part} if part else {})}
        for metric in METRICS
        for entity in ENTITIES
        for part in PARTS
        for period in ("2024", "2025H1")
    ]
    return [
        *(reader.asked(question)[0] for question in questions()),
        doors.chatted(reader, FOLLOWING),
        doors.looked_up(reader, look_ups),
    ]


def home_of(place: Path, *files: Files) -> Path:
    take_in(write(place / "docs", *files), place / "home", PROFILE + CHANNELS)
    return place / "home"


def let_wait(home: Path, step: int = 4) -> None:
    """Every so many of the figures with a label wait for review."""
    store = SqliteFactStore(home / "facts.db")
    labelled = [stored.id for stored in store.facts() if stored.fact.access]
    store.review_all(labelled[::step], ReviewStatus.PENDING)
    store.close()


@pytest.mark.parametrize("seed", SEEDS)
def test_no_figure_shows_to_those_who_may_not_read_it(tmp_path: Path, seed: int) -> None:
    figures = Figures.of(seed)
    plain, mixed = home_of(tmp_path / "a", figures.public), home_of(tmp_path / "b", figures.labelled, figures.public)
    let_wait(mixed)
    with reading(plain, mcp=True) as one, reading(mixed, mcp=True) as other:
        assert seen(one) == seen(other)


def test_whoever_may_read_them_sees_a_home_without_labels(tmp_path: Path) -> None:
    figures = Figures.of(9)
    open_ = {name: text for name, text in figures.labelled.items() if name.endswith(".csv")}
    plain, mixed = (
        home_of(tmp_path / "a", figures.public, open_),
        home_of(tmp_path / "b", figures.labelled, figures.public),
    )
    with (
        reading(plain, mcp=True) as one,
        reading(mixed, "board", mcp=True) as other,
        reading(mixed, mcp=True) as public,
    ):
        assert seen(one) == seen(other) != seen(public)


# Saboteurs: each lets one read of the store go past the labels.


def values(patch: pytest.MonkeyPatch) -> None:
    """Look-ups of several keys."""
    _patched_reader(patch, "lookup_all")


def choices(patch: pytest.MonkeyPatch) -> None:
    """Look-ups of one key: whether a choice leads to a figure."""
    _patched_reader(patch, "lookup")


def years(patch: pytest.MonkeyPatch) -> None:
    """The periods that are held."""
    _patched_reader(patch, "periods")


def what_waits(patch: pytest.MonkeyPatch) -> None:
    """How many wait for review."""
    _patched_reader(patch, "awaiting")


@pytest.mark.parametrize(
    ("saboteur", "waiting"), [(values, False), (choices, False), (years, False), (what_waits, True)]
)
def test_a_read_past_the_labels_is_caught(
    tmp_path: Path, saboteur: Callable[[pytest.MonkeyPatch], None], waiting: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = Figures.of(1)
    homes = home_of(tmp_path / "a", figures.public), home_of(tmp_path / "b", figures.labelled, figures.public)
    if waiting:
        let_wait(homes[1], 1)
    saboteur(monkeypatch)
    with reading(homes[0], mcp=True) as one, reading(homes[1], mcp=True) as other:
        assert seen(one) != seen(other)
