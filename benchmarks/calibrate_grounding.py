"""With which weights does the grounding gate pass most of what the evidence holds, and still stop what it must?

    python -m benchmarks.calibrate_grounding [--data FILE] [--search [ROUNDS]]

It must stop 0.97 of the unsupported development claims, and 0.99 of the sentences in which a machine changed a number, a name
or a negation (`benchmarks.corrupt`). The gate judges every claim once and its signals are kept, so that other weights are tried
without reading again. Groups of pairs are split by a hash of their name: `--search` sees only the fitting part, and what it
gains there and not on the checking part is over-fitted. It tries one weight after the other; the hard ones, with which nothing
that agrees can save a sentence, stay as they are. What it finds is a suggestion, printed and written nowhere.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ankare.gate.grounding import GroundingGate, GroundingSettings
from benchmarks.corrupt import KINDS, corruptions
from benchmarks.grounding import DATA, STOPPED, Judged, Pair, at_stopped, load, share

HARD = 3.0
"""A weight that is this high in the settings is not searched."""
STOP = 0.97
STOP_CHANGED = 0.99
CHANGED = ("numbers", "names", "negations")
FITTED = 70
"""Of a hundred groups, so many are for fitting."""
NEIGHBOURS = (0.96, 0.97, 0.975)
"""The search is judged at these, and at half the weight at `EASY`: at one point alone it would climb on single pairs."""
EASY = 0.90
FACTORS = (0.0, 0.5, 0.75, 1.33, 2.0)
FROM_NOTHING = 0.3
"""A weight of 0 is tried as if it had this one."""
LEAST_GAIN = 0.0015
ROUNDS = 3
_MANY = 10_000
"""The gate rounds scores to four digits, so a score can count up to this."""

Signals = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Example:
    """A claim and what the gate saw of it: per statement the signals of each passage that it was held against, in order.

    `made`: changed by machine. `fitted`: of the fitting part. No statements: refused for a reason that no weight undoes.
    """

    pair: Pair
    made: bool
    fitted: bool
    statements: tuple[tuple[Signals, ...], ...]


PARTS: Mapping[str, Callable[[Example], bool]] = {
    "fitting": lambda example: example.fitted,
    "checking": lambda example: not example.fitted,
    "all": lambda _: True,
}


def main() -> None:
    """Read, report on the weights in use, search others where asked and report on them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="pairs in the format of benchmarks/data/grounding")
    parser.add_argument("--search", type=int, nargs="?", const=ROUNDS, default=0, metavar="ROUNDS")
    given = parser.parse_args()
    examples = read_examples(load(given.data), groups(given.data))
    in_use = GroundingSettings()
    report("weights in use", examples, in_use)
    if given.search:
        found = search(Table([e for e in examples if e.fitted]), in_use.weights, given.search)
        print("\nsuggested by the fitting part (nothing is written):")
        for name, weight in found.weights.items():
            if weight != in_use.weights[name]:
                print(f"  {name:22} {in_use.weights[name]:5.2f} -> {weight:5.2f}")
        print(f"  {'bias':22} {in_use.bias:5.2f} -> {found.bias:5.2f}")
        report("suggestion", examples, found)


# --- what the gate sees


@dataclass(frozen=True)
class Recorder(GroundingSettings):
    """Settings that keep the signals they are asked to weigh. The score counts them, so a verdict's tells which are its own."""

    threshold: float = 0.0
    enough: float = 2.0
    seen: list[Signals] = field(default_factory=list)

    def score(self, signals: Signals) -> float:
        """How many were seen up to this, in parts of `_MANY`; the last passage of a statement is always its best."""
        self.seen.append(dict(signals))
        return len(self.seen) / _MANY


def read_examples(pairs: Sequence[Pair], group_of: Mapping[str, str]) -> list[Example]:
    """The pairs and the corruptions of every kind, judged once. `group_of`: from the id of a pair to its group."""
    made = [one.changed for kind in KINDS for one in corruptions(pairs, kind)]
    return [
        Example(pair, changed, in_fitting(group_of[pair.id]), seen_of(pair))
        for changed, some in ((False, pairs), (True, made))
        for pair in some
    ]


def groups(path: Path) -> dict[str, str]:
    """From the id of every pair in a file to its group. Raises KeyError for a field that is missing."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {row["id"]: row["group"] for row in rows}


def in_fitting(group: str) -> bool:
    """Is a group for fitting? The same in every run."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % 100 < FITTED


def seen_of(pair: Pair) -> tuple[tuple[Signals, ...], ...]:
    """The signals of every statement of the claim and passage of the evidence; () where the gate refuses without them."""
    recorder = Recorder()
    found = GroundingGate(recorder).judge(pair.claim, pair.chunks(), question=pair.question, language=pair.language)
    if not found.passed:
        return ()
    statements: list[tuple[Signals, ...]] = []
    start = 0
    for verdict in found.sentences:
        if verdict.score == 1.0:  # copied word for word: nothing was weighed
            statements.append(COPIED)
            continue
        end = round(verdict.score * _MANY)
        statements.append(tuple(recorder.seen[start:end]))
        start = end
    return tuple(statements)


COPIED: tuple[Signals, ...] = ({},)
"""What stands for a statement that the evidence has word for word."""


def judged(example: Example, settings: GroundingSettings) -> Judged:
    """What `benchmarks.grounding.judge` finds with these settings, from the signals alone."""
    enough = max(settings.enough, settings.threshold)
    scores = []
    for passages in example.statements:
        each = [1.0] if passages == COPIED else [settings.score(signals) for signals in passages]
        scores.append(next((score for score in each if score >= enough), max(each)))
    lowest = min(scores, default=0.0)
    return Judged(example.pair, bool(scores) and lowest >= settings.threshold, round(lowest, 4))


# --- the search


class Table:
    """The signals of many examples as one matrix (passages x signals), for trying weights quickly."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.names = list(GroundingSettings().weights)
        nothing: tuple[tuple[Signals, ...], ...] = (({},),)
        statements = [each for example in examples for each in example.statements or nothing]
        rows = [signals for each in statements for signals in each]
        self._matrix = np.array([[signals.get(name, 0.0) for name in self.names] for signals in rows])
        self._of_statement = _starts([len(each) for each in statements])
        self._of_example = _starts([max(1, len(example.statements)) for example in examples])
        self._refused = np.array([not example.statements for example in examples])
        self.supported = np.array([example.pair.supported for example in examples])
        self.sets = {"unsupported": np.array([not e.made and not e.pair.supported for e in examples])} | {
            kind: np.array([e.made and e.pair.kind == kind for e in examples]) for kind in CHANGED
        }

    def against(self, weights: Mapping[str, float]) -> NDArray[np.float64]:
        """What speaks against each example: that of its weakest statement in the passage that suits it best, or inf."""
        weighed = self._matrix @ np.array([weights.get(name, 0.0) for name in self.names])
        best = np.minimum.reduceat(weighed, self._of_statement)
        return np.where(self._refused, np.inf, np.maximum.reduceat(best, self._of_example))

    def biases(self, against: NDArray[np.float64], stop: float = STOP) -> dict[str, float]:
        """Per set the highest bias that, with a threshold of 0.5, stops enough of it; no entry for an empty set."""
        wanted = {name: stop if name == "unsupported" else STOP_CHANGED for name in self.sets}
        return {name: highest_bias(against[which], wanted[name]) for name, which in self.sets.items() if which.any()}

    def passed(self, against: NDArray[np.float64], bias: float) -> float:
        """The share of the supported claims that pass."""
        return float((against[self.supported] <= bias).mean())

    def worth(self, weights: Mapping[str, float]) -> float:
        """What the search maximises: the share of supported claims that pass where enough is stopped."""
        against = self.against(weights)
        shares = [self.passed(against, min(self.biases(against, stop).values())) for stop in NEIGHBOURS]
        easy = self.passed(against, highest_bias(against[self.sets["unsupported"]], EASY))
        return (sum(shares) + easy / 2) / (len(shares) + 0.5)


def highest_bias(against: NDArray[np.float64], wanted: float) -> float:
    """The highest bias that stops the wanted share of claims, those with more against them than the bias; NaN of none."""
    if not len(against):
        return math.nan
    least = np.sort(against)[::-1][math.ceil(wanted * len(against)) - 1]
    return math.nextafter(float(least), -math.inf)


def search(table: Table, weights: Mapping[str, float], rounds: int) -> GroundingSettings:
    """Try every weight that is not hard at some multiples of itself, keep what helps, and set the bias that stops enough."""
    found, best = dict(weights), table.worth(weights)
    for _ in range(rounds):
        before = best
        for name in (name for name, weight in weights.items() if weight < HARD):
            for factor in FACTORS:
                tried = {**found, name: round((found[name] or FROM_NOTHING) * factor, 2)}
                worth = table.worth(tried)
                if worth > best + LEAST_GAIN:
                    found, best = tried, worth
        if best == before:
            break
    bias = min(table.biases(table.against(found)).values())
    return GroundingSettings(weights=found, bias=math.floor(bias * 100) / 100)


def _starts(lengths: Sequence[int]) -> NDArray[np.intp]:
    """Where each of some runs of that length begins."""
    return np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.intp)


# --- figures


def report(title: str, examples: Sequence[Example], settings: GroundingSettings) -> None:
    """The curve, the kinds and the biases of each part."""
    each = [(example, judged(example, settings)) for example in examples]
    print(f"\n== {title}: bias {settings.bias:.2f}, threshold {settings.threshold:.2f} ==")
    print(f"  {'stopped':9}" + "".join(f"{wanted:>14.2f}" for wanted in STOPPED) + "   at its own threshold")
    for name, belongs in PARTS.items():
        _curve(name, [found for example, found in each if belongs(example) and not example.made])
    _kinds(each)
    print(
        f"  highest bias that stops {STOP} of the unsupported and {STOP_CHANGED} of the changed, and what passes with it"
    )
    for name, belongs in PARTS.items():
        _biases(name, Table([example for example in examples if belongs(example)]), settings.weights)


def _curve(name: str, found: Sequence[Judged]) -> None:
    """What is passed where so much is stopped; in brackets what is stopped, more where many claims have one score."""
    cells = ""
    for wanted in STOPPED:
        _, stopped, passed = at_stopped(found, wanted)
        cells += f"{passed:>7.3f} ({stopped:.2f})".rjust(14)
    passed = share((one for one in found if one.pair.supported), lambda one: one.passed)
    stopped = share((one for one in found if not one.pair.supported), lambda one: not one.passed)
    print(f"  {name:9}{cells}   passed {passed:.3f} stopped {stopped:.3f} of {len(found)}")


def _kinds(each: Sequence[tuple[Example, Judged]]) -> None:
    """Per kind what is passed of supported claims and stopped of the others, on each part."""
    print(f"  {'at its own threshold':29}" + "".join(f"{name:>22}" for name in PARTS))
    kinds = dict.fromkeys((e.made, not e.pair.supported, e.pair.kind) for e, _ in each)
    for made, against, kind in sorted(kinds):
        cells = ""
        for belongs in PARTS.values():
            some = [
                j
                for e, j in each
                if belongs(e) and (e.made, not e.pair.supported, e.pair.kind) == (made, against, kind)
            ]
            right = sum(one.passed is not against for one in some)
            cells += f"{right:4} of {len(some):4}  {right / max(1, len(some)):.3f}".rjust(22)
        word = "passed" if not against else "stopped by machine" if made else "stopped"
        print(f"  {word:18} {kind:10}{cells}")


def _biases(name: str, table: Table, weights: Mapping[str, float]) -> None:
    against = table.against(weights)
    each = table.biases(against)
    least = min(each.values(), default=math.nan)
    told = "  ".join(f"{which} {bias:.2f}" for which, bias in each.items())
    print(f"  {name:9} {told}   all of them {least:.2f}: passed {table.passed(against, least):.3f}")


if __name__ == "__main__":
    main()
