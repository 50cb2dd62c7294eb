"""Does the gate stop a true sentence in which a machine changed one thing, and does it say why?

    python -m benchmarks.corrupt [--data FILE] [--show missed N] [--kind KIND ...]

The true claims of the pairs and the sentences of their evidence are changed: a number, a unit, a date, a name, a negation, each
kind in as many ways as the sentence allows, by a fixed seed. What might still be true is left out: a bound that the
evidence entails, a value that it states elsewhere, a name that stands beside the other one. Told per kind: how many are
stopped, how many of the sentences pass unchanged, how many are stopped of those, and how often the reason is the right one.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ankare.gate.grounding import GroundingGate
from benchmarks.corrupt_values import dates, numbers, units
from benchmarks.corrupt_words import negations, other_names
from benchmarks.grounding import DATA, Judged, Pair, judge, load

MOST = 400
"""Corruptions of a kind."""
EACH = 2
"""Corruptions of a kind that are made of one sentence at most."""
SHORTEST = 4
SEED = 20
KINDS: dict[str, tuple[Callable[..., Iterator[str]], str]] = {
    "numbers": (numbers, "number_mismatch"),
    "units": (units, "unit_mismatch"),
    "dates": (dates, "date_mismatch"),
    "names": (other_names, "name_not_in_evidence"),
    "negations": (negations, "negation_flipped"),
}


@dataclass(frozen=True, slots=True)
class Corrupted:
    """A sentence that the evidence holds, and the same with one thing changed."""

    base: Pair
    changed: Pair


def main() -> None:
    """Make, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--show", nargs=2, metavar=("missed", "N"), help="examples that passed, or `made`: of all")
    given = parser.parse_args()
    measure(load(given.data), given.kind, given.show)


def measure(pairs: Sequence[Pair], kinds: Sequence[str] = tuple(KINDS), show: Sequence[str] | None = None) -> None:
    """Judge every corruption and the sentence it was made of; print a line per kind."""
    gate = GroundingGate()
    print("\nmechanical corruptions of sentences that the evidence holds")
    print(
        f"  {'kind':10} {'n':>4} {'stopped':>8} {'unchanged passed':>17} {'stopped of those':>17} {'right reason':>13}"
    )
    for kind in kinds:
        made = corruptions(pairs, kind)
        changed = [judge(one.changed, gate) for one in made]
        known = {pair: judge(pair, gate).passed for pair in dict.fromkeys(one.base for one in made)}
        _line(kind, changed, [known[one.base] for one in made])
        if show:
            _examples(made, changed, show[0], int(show[1]))


def corruptions(pairs: Sequence[Pair], kind: str) -> list[Corrupted]:
    """So many corruptions of a kind, the same ones in every run over the same pairs."""
    maker = KINDS[kind][0]
    found: list[Corrupted] = []
    for base in bases(pairs):
        chance = random.Random(f"{SEED} {kind} {base.claim}")
        made = list(dict.fromkeys(text for text in maker(base, chance, pairs) if text != base.claim))
        chance.shuffle(made)
        found += [Corrupted(base, replace(base, claim=text, supported=False, kind=kind)) for text in made[:EACH]]
    random.Random(SEED).shuffle(found)
    return found[:MOST]


def bases(pairs: Sequence[Pair]) -> list[Pair]:
    """The true claims, and every sentence of their evidence as a claim about it; each text once."""
    true = [pair for pair in pairs if pair.supported]
    quoted = [
        replace(pair, claim=chunk.sentence_text(sentence), kind="quoted")
        for pair in true
        for chunk in pair.chunks()
        for sentence in chunk.sentences
    ]
    each = {pair.claim: replace(pair, question="") for pair in (*quoted, *true)}
    return [pair for text, pair in each.items() if len(text.split()) >= SHORTEST]


def _line(kind: str, changed: Sequence[Judged], base_passed: Sequence[bool]) -> None:
    count = max(1, len(changed))
    stopped = [not one.passed for one in changed]
    told = [one for one, good in zip(changed, base_passed, strict=True) if good]
    caught = [one for one in told if not one.passed]
    right = sum(one.reason == KINDS[kind][1] for one in caught)
    print(
        f"  {kind:10} {len(changed):4} {sum(stopped) / count:8.3f} {len(told) / count:17.3f}"
        f" {len(caught) / max(1, len(told)):17.3f} {right / max(1, len(caught)):13.3f}"
        f"   {dict(Counter(str(one.reason) for one in caught).most_common())}"
    )


def _examples(made: Sequence[Corrupted], changed: Sequence[Judged], what: str, most: int) -> None:
    chosen = [
        (one, found)
        for one, found in zip(made, changed, strict=True)
        if what == "made" or (found.passed and what == "missed")
    ]
    for one, found in chosen[:most]:
        print(f"\n    {one.base.id} {found.score:.3f} {found.reason}\n    was:      {one.base.claim}")
        print(f"    is:       {one.changed.claim}")
        if what == "missed":
            print("\n".join(f"    evidence: {text}" for text in one.base.evidence))


if __name__ == "__main__":
    main()
