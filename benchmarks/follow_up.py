"""How often is a follow-up understood as a person would, and a text that needs nothing left alone?

    python -m benchmarks.follow_up [--show]

Pairs of a question and the text after it, in `data/follow_ups.tsv`, over made-up everyday subjects. They fall into two parts
by a hash: rules were written while looking at one (`--show` prints its failures), the other was only ever counted.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from ankare.channels.follow_up import read_follow_up
from ankare.domain.question import Understood
from ankare.profile.load import load_profile

DATA = Path(__file__).with_name("data")
TODAY = date(2024, 6, 1)
AS_IT_STANDS = "="


@dataclass(frozen=True, slots=True)
class Pair:
    """A text after a question. `expected`: the wordings that are right; the text itself where it stands on its own."""

    language: str
    previous: str
    text: str
    expected: tuple[str, ...]

    @property
    def alone(self) -> bool:
        """Does the text stand on its own?"""
        return self.expected == (self.text,)

    @property
    def looked_at(self) -> bool:
        """Is it of the part that rules were written with?"""
        return hashlib.sha256(f"{self.previous}\t{self.text}".encode()).digest()[0] % 2 == 0


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--show", action="store_true", help="print the failures of the part that was looked at")
    show: bool = parser.parse_args().show
    pairs, profile = load_pairs(), load_profile(DATA / "follow_ups.profile.toml")
    read_follow_up(pairs[0].previous, pairs[0].text, profile, None, TODAY)
    started = time.perf_counter()
    found = [(pair, read_follow_up(pair.previous, pair.text, profile, None, TODAY)) for pair in pairs]
    taken = (time.perf_counter() - started) / len(pairs)
    for looked_at, name in ((True, "looked at"), (False, "only counted")):
        report(name, [(pair, got) for pair, got in found if pair.looked_at == looked_at])
    print(f"{taken * 1000:.1f} ms a pair")
    for pair, got in found if show else ():
        if pair.looked_at and not right(pair, got):
            print(f"{pair.previous} + {pair.text}\n    wanted {pair.expected[0]}\n    got    {got.question}")
    return 0


def load_pairs() -> list[Pair]:
    """The table."""
    lines = (DATA / "follow_ups.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return [
        Pair(language, previous, text, (text,) if wanted == AS_IT_STANDS else tuple(wanted.split(" | ")))
        for language, previous, text, wanted in rows
    ]


def right(pair: Pair, got: Understood) -> bool:
    """Is it one of the wordings, and unchanged where it is to be?"""
    return got.question in pair.expected and got.changed is not pair.alone


def rate(found: Iterable[tuple[Pair, Understood]]) -> str:
    """Right of all, as a line of a report."""
    verdicts = [right(pair, got) for pair, got in found]
    share = sum(verdicts) / len(verdicts) if verdicts else 1.0
    return f"{sum(verdicts)} of {len(verdicts)} ({share:.2f})"


def report(name: str, found: Sequence[tuple[Pair, Understood]]) -> None:
    """Print the rates of one part."""
    print(
        f"{name}: stands alone {rate(f for f in found if f[0].alone)}, goes on {rate(f for f in found if not f[0].alone)}"
    )
    for language in ("sv", "en", "zh"):
        print(f"  {language}: {rate(f for f in found if f[0].language == language)}")


if __name__ == "__main__":
    raise SystemExit(main())
