"""Did a run ask all that it was to ask?

A run over part of its suite has the same suite and the same digest as the whole one, and its means are those of the part.
"""

from __future__ import annotations

from collections import Counter

from ankare.evaluation.scored import ScoredRun


def lacking(run: ScoredRun) -> tuple[str, ...]:
    """Each case of the suite, and each repeat of it, that has no row: no answer, no refusal and no failure. Named by the case,
    repeats after the first with their number. Nothing where the suite is not known."""
    held = {(row.case_id, row.repeat) for row in run.rows}
    wanted = ((case.id, repeat) for repeat in range(max(1, run.conditions.repeats)) for case in run.suite or ())
    return tuple(
        case_id if not repeat else f"{case_id} ({repeat + 1})"
        for case_id, repeat in wanted
        if (case_id, repeat) not in held
    )


def stray(run: ScoredRun) -> tuple[str, ...]:
    """The cases of rows that are not of the suite, or of which one repeat stands there twice."""
    known = None if run.suite is None else {case.id for case in run.suite}
    times = Counter((row.case_id, row.repeat) for row in run.rows)
    found = (
        case_id for (case_id, _), count in times.items() if count > 1 or (known is not None and case_id not in known)
    )
    return tuple(dict.fromkeys(found))


def drafts(run: ScoredRun) -> frozenset[str]:
    """The cases of the suite that nobody has looked at. Nothing where the suite is not known."""
    return frozenset(case.id for case in run.suite or () if case.draft)


def suite_fault(run: ScoredRun) -> str:
    """Why nobody can say what was to be asked; "" where somebody can."""
    if run.suite is None:
        return "the suite that it was asked is not kept beside its answers"
    if run.suite.digest != run.conditions.suite_digest:
        return "the suite beside its answers is not the one that it was asked"
    return ""
