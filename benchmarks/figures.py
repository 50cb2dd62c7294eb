"""How long does a whole `answer_question` take, with the mock provider, over a thousand to a million figures?

    python -m benchmarks.figures [--sizes 1000 10000 100000 1000000] [--no-postgres]

Four kinds of question: found, not found, two metrics by two entities by two periods, and one about an outsider (refused). The
baseline, measured in the same run, is one bare SELECT of a row by its key over the same table. PostgreSQL is the one of the
pip package `pgserver`, on this machine, over a Unix socket.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path

from ankare.channels.answer_question import answer_question
from ankare.domain.fact import Fact, FactKey
from ankare.facts.open import open_store
from ankare.facts.protocol import FactReader
from ankare.llm.mock import MockProvider
from ankare.profile.model import Entity, HomeRules, Metric, Profile

REFERENCE = date(2025, 5, 20)
SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUESTIONS = {
    "found": "Vad var mättal {m} för bolag {e} 2021?",
    "not_found": "Vad var mättal {m} för bolag {e} 2024?",
    "2x2x2": "mättal {m} och mättal 1 för bolag {e} och bolag 1 2020 och 2021",
    "refused": "Vad var mättal {m} för Ramsdal 2021?",
}
"""No question is asked twice in a row, so that nothing that remembers the last one helps."""
EXPECTED = {"found": 1, "not_found": 1, "2x2x2": 8, "refused": 0}
ROUNDS, WARM = 2_000, 200


def main() -> None:
    """Print a table for each store."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    given.add_argument("--no-postgres", action="store_true")
    options = given.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as open_things:
        for size in options.sizes:
            measure("SQLite", size, Path(folder) / f"{size}.db")
        if not options.no_postgres:
            url = open_things.enter_context(_server(Path(folder)))
            for size in options.sizes:
                measure("PostgreSQL", size, url)


def measure(name: str, size: int, location: str | Path) -> None:
    """Load so many figures and time each kind of question."""
    profile = make_profile(size)
    store = open_store(location, profile)
    store.init_schema()
    for source_file in store.files():
        store.remove_file(source_file)
    started = time.perf_counter()
    store.replace_file("bench", list(make_facts(size, profile)))
    print(f"\n{name}, {store.count():,} figures, loaded in {time.perf_counter() - started:.1f} s")
    key = FactKey("M3", "E7", "FY", "2021", "TOTAL")
    base = timed(lambda: store.lookup(key))
    print(f"{'':10} {'p50 ms':>8} {'p95 ms':>8} {'to a bare look-up':>18}")
    print(f"{'look-up':10} {base[0]:8.3f} {base[1]:8.3f} {1.0:17.1f}x")
    provider = MockProvider()
    for kind, pattern in QUESTIONS.items():
        asked = [pattern.format(m=m, e=e) for m in range(2, 6) for e in range(2, 9)]
        for question in asked:
            result = answer_question(question, store, provider, reference_date=REFERENCE)
            assert len(result.tool_results) == EXPECTED[kind], (kind, result.answer)  # noqa: S101
        turn = itertools.cycle(asked)
        p50, p95 = timed(partial(_ask_next, turn, store, provider))
        print(f"{kind:10} {p50:8.3f} {p95:8.3f} {p50 / base[0]:17.1f}x")
    store.close()


def _ask_next(turn: Iterator[str], store: FactReader, provider: MockProvider) -> object:
    return answer_question(next(turn), store, provider, reference_date=REFERENCE)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Median and 95th percentile in milliseconds."""
    for _ in range(WARM):
        work()
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


def make_profile(size: int) -> Profile:
    """As many companies as the figures need: each has 20 metrics in 10 years, and the halves, quarters and months of them."""
    metrics = tuple(Metric(f"M{n}", f"Mättal {n}", unit="SEK_M") for n in range(20))
    entities = tuple(Entity(f"E{n}", f"Bolag {n}") for n in range(max(10, size // _PER_ENTITY + 1)))
    return Profile(HomeRules("Bänkgruppen", "E0"), entities, metrics, external_entities={"Ramsdal": ("ramsdal",)})


_YEARS = range(2012, 2022)
_PERIODS = [
    *(("FY", str(year)) for year in _YEARS),
    *(("HY", f"{year}H{half}") for year in _YEARS for half in (1, 2)),
    *(("QUARTER", f"{year}Q{quarter}") for year in _YEARS for quarter in (1, 2, 3, 4)),
    *(("MONTH", f"{year}-{month:02d}") for year in _YEARS for month in range(1, 13)),
]
_PER_ENTITY = 20 * len(_PERIODS)


def make_facts(size: int, profile: Profile) -> Iterator[Fact]:
    """So many figures; the ones that are asked for are among the first."""
    years = [period for period in _PERIODS if period[0] == "FY"]
    first = itertools.product(years[-2:], profile.entities[:10], profile.metrics)
    rest = ((p, e, m) for e in profile.entities for p in _PERIODS for m in profile.metrics)
    taken: set[tuple[str, str, str]] = set()
    for number, ((kind, value), entity, metric) in enumerate(itertools.chain(first, rest)):
        if (value, entity.code, metric.code) in taken:
            continue
        if len(taken) == size:
            return
        taken.add((value, entity.code, metric.code))
        amount = Decimal(number * 7919 % 1_000_003).scaleb(-2)
        place = f"Blad1!C{number}"
        yield Fact(
            metric.code,
            entity.code,
            "",
            "TOTAL",
            kind,
            value,
            amount,
            "SEK_M",
            "bench.xlsx",
            place,
            source_file="bench",
        )


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    """A PostgreSQL server of its own for the time of the run; gives its address."""
    from pgserver import postgres_server

    server = postgres_server.get_server(folder / "pg")
    try:
        yield str(server.get_uri())
    finally:
        server.cleanup()


if __name__ == "__main__":
    main()
