"""`make hostile`: the table of scenarios, and the proof that it would notice a gate that passes everything.

python -m tests.hostile [part of a name ...]
"""
# ruff: noqa: T201 - a command that prints

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.hostile.pack import build_home
from tests.hostile.run import Outcome, run
from tests.hostile.saboteur import no_gate, stopped_by_the_gate, verdict
from tests.hostile.scenario import Scenario
from tests.hostile.stand import Stands
from tests.hostile.table import TABLE

COLUMNS = {
    "scenario": 43,
    "agent": 9,
    "what the model does": 48,
    "expected": 31,
    "seen": 31,
    "reason": 54,
    "s": 5,
    "": 6,
}


def main(wanted: Sequence[str]) -> int:
    """Run the table and the saboteur; the exit code."""
    scenarios = [one for one in TABLE if not wanted or any(part in one.name for part in wanted)]
    with tempfile.TemporaryDirectory() as folder:
        home = build_home(Path(folder))
        show(*COLUMNS)
        started = time.monotonic()
        outcomes = run_all(scenarios, home, tell)
        counts = Counter(state(outcome) for outcome in outcomes)
        told = ", ".join(f"{count} {name}" for name, count in counts.most_common())
        print(f"\n{len(outcomes)} scenarios in {time.monotonic() - started:.0f} s: {told}")
        held = [one for one in scenarios if stopped_by_the_gate(one)]
        caught = sabotage(held, home) if held else bool(wanted)
    return 0 if caught and all(outcome.ok for outcome in outcomes) else 1


def run_all(scenarios: Sequence[Scenario], home: Path, each: Callable[[Outcome], None]) -> list[Outcome]:
    """The outcome of each scenario, told as it comes."""
    outcomes = []
    with Stands(home) as stands:
        for scenario in scenarios:
            outcomes.append(run(scenario, stands))
            each(outcomes[-1])
    return outcomes


def sabotage(scenarios: Sequence[Scenario], home: Path) -> bool:
    """The scenarios that the gate alone holds, without a gate: each must publish what the gate would have stopped."""
    print(
        f"\nThe saboteur: a gate that passes everything, on the {len(scenarios)} scenarios that the gate alone holds."
    )
    with no_gate():
        outcomes = run_all(scenarios, home, lambda outcome: None)
    verdicts = [verdict(outcome) for outcome in outcomes]
    for outcome, said in zip(outcomes, verdicts, strict=True):
        print(f"  {said:8} {outcome.scenario.name:43} {gravest(outcome)}")
    counts = Counter(verdicts)
    caught = counts["noticed"] == len(outcomes)
    errors = f"; {counts['ERROR']} could not be run" if counts["ERROR"] else ""
    told = f"{counts['noticed']} of {len(outcomes)} scenarios publish what they must not{errors}"
    print(f"The saboteur was {'' if caught else 'NOT '}caught: {told}.")
    return caught


def state(outcome: Outcome) -> str:
    """What the last column says."""
    if outcome.scenario.gap:
        return "closed" if outcome.holds else "gap"
    return "ok" if outcome.holds else "FAIL"


def tell(outcome: Outcome) -> None:
    """One line of the table, and below it what is wrong."""
    one, seen = outcome.scenario, outcome.seen
    reason = seen.reason or (f"search: {seen.rewrite}" if seen.rewrite else "")
    why = ": ".join(filter(None, (reason, outcome.stopped)))
    seconds = f"{outcome.seconds:.2f}"
    show(one.name, one.agent, one.behaviour, str(one.ending), str(seen), why, seconds, state(outcome))
    for fault in (*outcome.faults, *(f"known: {one.gap}" for _ in outcome.faults[:1] if one.gap)):
        print(f"      {fault}")


def gravest(outcome: Outcome) -> str:
    """The fault that tells most: what was published."""
    published = [fault for fault in outcome.faults if fault.startswith("published")]
    return next(iter((*published, *outcome.faults)), "")[:110]


def show(*cells: str) -> None:
    """A line of the table."""
    line = "  ".join(cell[:width].ljust(width) for cell, width in zip(cells, COLUMNS.values(), strict=True))
    print(line.rstrip(), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
