"""Does a home still answer the questions of its pack's suite? For an index that was built anew, before anybody gets it.

    python deploy/check_suite.py --home HOME --pack PACK [--least 0.8]

A case holds where what can be answered is answered, from a document that the case names where it names any, and what cannot be
is not. Quality is measured elsewhere: this finds an index that is broken.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ankare.domain.answer import Answer
from ankare.domain.reply import Reply
from ankare.engine import Engine
from ankare.errors import AnkareError
from ankare.evaluation.case import Case
from ankare.evaluation.suites.suite import read_suite
from ankare.settings import load_settings
from ankare.wiring import open_engine


def faults(engine: Engine, cases: Sequence[Case]) -> list[str]:
    """One line per case that does not hold."""
    found = []
    for case in cases:
        reply = engine.ask(case.question, reference_date=case.reference_date, agentic=False, synthesis=False)
        fault = _fault(reply, case)
        if fault:
            found.append(f"{case.id}: {fault}: {case.question}")
    return found


def _fault(reply: Reply, case: Case) -> str:
    if case.answerable is not None and reply.answered != case.answerable:
        return "refused" if case.answerable else "answered, but the material does not hold it"
    wanted = {gold.source for gold in case.gold}
    if wanted and isinstance(reply.outcome, Answer):
        cited = {citation.chunk.source for claim in reply.outcome.claims for citation in claim.citations}
        if not wanted & cited:
            return f"answered from {', '.join(sorted(cited))}, not {', '.join(sorted(wanted))}"
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. Exit code 0 where enough cases hold or there are none, 1 where too few hold, 2 where suite or home cannot be
    read."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--home", required=True, type=Path)
    parser.add_argument("--pack", required=True, type=Path)
    parser.add_argument("--least", type=float, default=0.8, help="the share of cases that has to hold, 0 to 1")
    given = parser.parse_args(arguments)
    try:
        cases = read_suite(given.pack / "suite.jsonl").cases
        engine = open_engine(load_settings(home=given.home))
        engine.corpus()  # an index that cannot be read is told without a case too
        found = faults(engine, cases)
    except (AnkareError, OSError) as error:
        print(f"FAILED: {error}", file=sys.stderr)
        return 2
    if not cases:
        print(f"{given.pack / 'suite.jsonl'} has no questions yet: the index can be read, but nothing was asked")
        return 0
    held = 1 - len(found) / len(cases)
    print("\n".join((*found, f"{len(cases) - len(found)} of {len(cases)} cases hold")))
    return 0 if held >= given.least else 1


if __name__ == "__main__":
    sys.exit(main())
