"""What has to be minded before a comparison is believed?

A note is a code with its figures; the catalogues of messages hold its words (`compare.note_<code>`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ankare.evaluation.comparing.complete import lacking
from ankare.evaluation.comparing.conditions import meaning, mixed
from ankare.evaluation.comparing.differences import CLEAR, LEADING, Difference, Verdict
from ankare.evaluation.measures.values import Basis, unusable
from ankare.evaluation.scored import Outcome, ScoredRun

if TYPE_CHECKING:
    from ankare.evaluation.comparing.compare import Pair

TIME = "wall_ms"
HARDER = 0.05
"""By how much the base's mean on what dropped out has to be lower to be told."""
SHOWN = 5
"""Names that are told of a longer list."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something to mind. `warning`: may the result be wrong or mislead for it?"""

    code: str
    told: Mapping[str, str] = field(default_factory=dict)
    warning: bool = True


def notes_on(pair: Pair, base: ScoredRun, other: ScoredRun) -> tuple[Note, ...]:
    """Everything to mind of a pair, warnings first."""
    found = [
        *_of_suites(pair, base, other),
        *_of_conditions(pair, base, other),
        *_of_answers(pair, base, other),
        *_of_dropped(pair),
        *_of_chance(pair),
    ]
    return tuple(sorted(found, key=lambda note: not note.warning))


def _of_suites(pair: Pair, base: ScoredRun, other: ScoredRun) -> Iterator[Note]:
    if base.conditions.suite_digest != other.conditions.suite_digest:
        asked = len({row.case_id for run in (base, other) for row in run.rows})
        yield Note("suites_differ", {"shared": str(pair.questions), "asked": str(asked)})
    for label, run in ((pair.base, base), (pair.other, other)):
        if gone := lacking(run):
            yield Note("incomplete", {"run": label, "n": str(len(gone)), "names": _named(gone)})


def _of_conditions(pair: Pair, base: ScoredRun, other: ScoredRun) -> Iterator[Note]:
    causes = [change.name for change in pair.conditions if change.cause]
    if len(causes) > 1:
        yield Note("several_conditions", {"n": str(len(causes)), "names": _named(causes)})
    elif causes:
        yield Note("one_condition", {"name": causes[0]}, warning=False)
    else:
        yield Note("no_condition", warning=False)
    for label, run in ((pair.base, base), (pair.other, other)):
        if mixed(run.conditions):
            yield Note("mixed_versions", {"run": label})
        if "," in meaning(run.conditions) or meaning(run.conditions) == "partly":
            yield Note("mixed_meaning", {"run": label})


def _of_answers(pair: Pair, base: ScoredRun, other: ScoredRun) -> Iterator[Note]:
    for label, run in ((pair.base, base), (pair.other, other)):
        failed = {row.case_id for row in run.rows if row.outcome is Outcome.FAILED}
        if failed:
            yield Note("failed", {"run": label, "n": str(len(failed)), "names": _named(sorted(failed))})
        for measure, cases in unusable(run).items():
            yield Note("no_number", {"run": label, "measure": measure, "names": _named(cases)})
    if pair.partly:
        yield Note("partly_dropped", {"n": str(len(pair.partly)), "names": _named(pair.partly)}, warning=False)


def _of_dropped(pair: Pair) -> Iterator[Note]:
    if not pair.dropped:
        return
    yield Note("dropped", {"n": str(len(pair.dropped)), "questions": str(pair.questions)}, warning=False)
    for one in pair.selection:
        if one.kept - one.dropped > HARDER:
            told = {"measure": one.measure, "dropped": f"{one.dropped:.3f}", "kept": f"{one.kept:.3f}", "n": str(one.n)}
            yield Note("dropped_harder", told)
    for measure in LEADING:
        path, served = pair.measure(measure), pair.measure(measure, Basis.SERVED)
        if path is None or path.verdict not in CLEAR:
            continue
        if served is not None and served.verdict is not path.verdict:
            yield Note("served_differs", {"measure": measure, "served": f"{served.difference:+.3f}"})
        elif could_turn(path, served):
            yield Note("could_turn", {"measure": measure, "n": str((served or path).one_sided)})


def could_turn(path: Difference, served: Difference | None) -> bool:
    """Would a clear result vanish if every question without a value on one side had gone the other way by a whole point?

    Only for scores of 0 to 1. The largest and the smallest mean that missing values allow (Manski 1990).
    """
    seen = served or path
    return not path.unit and seen.one_sided > 0 and abs(seen.difference) * seen.n <= seen.one_sided


def _of_chance(pair: Pair) -> Iterator[Note]:
    looked = [one for one in pair.measures if one.verdict is not Verdict.TOO_FEW]
    if len(looked) > 1:
        yield Note("many_measures", {"n": str(len(looked))}, warning=False)
    if any(one.measure == TIME and one.verdict in CLEAR for one in pair.measures):
        yield Note("times", warning=False)
    noisy = [one.measure for one in pair.measures if one.within_noise and one.verdict in CLEAR]
    if noisy:
        yield Note("within_noise", {"names": _named(noisy)}, warning=False)


def _named(names: Iterable[str]) -> str:
    held = list(names)
    rest = f", … ({len(held)})" if len(held) > SHOWN else ""
    return ", ".join(held[:SHOWN]) + rest
