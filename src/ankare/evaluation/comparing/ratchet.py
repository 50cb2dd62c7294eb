"""Has a run fallen below the best that was reached before?

A file beside the code remembers the best mean of each measure, for each path over each suite, and what every question had then.
It only ever goes up by itself; going down takes a person and a reason, and the file keeps both.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from ankare.errors import EvaluationError
from ankare.evaluation.comparing.differences import LEADING
from ankare.evaluation.comparing.quality_gate import Fault, fallen_cases, missing, no_number
from ankare.evaluation.comparing.standing import READER, SEARCH_BY_MEANING, Level, Standing, worse_by
from ankare.evaluation.comparing.surely_worse import TOLERANCE
from ankare.evaluation.measures.scores_file import replace_text
from ankare.evaluation.scored import Better, Measure

MOST_BYTES = 50_000_000
WIDEST = 0.5
"""The largest tolerance: with more, a mark would hold nothing."""
DECIMALS = 9
UNKNOWN = "not told"
_REMEDIES = {
    SEARCH_BY_MEANING: "Prepare it with `ankare embed` and run again; without it, run both times with --no-semantic.",
    READER: "Run it again for the same reader (--as-label, --as-public).",
}
Text = Annotated[str, Field(max_length=1000)]


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Mark(_Kept):
    """The best mean so far, with each question's own; `tolerance` may be set by hand."""

    mean: Annotated[FiniteFloat, Field(ge=0)]
    tolerance: Annotated[FiniteFloat, Field(ge=0, le=WIDEST)] = TOLERANCE
    better: Literal[Better.HIGHER, Better.LOWER] = Better.HIGHER
    at: Text = ""
    revision: Text = ""
    cases: dict[Text, FiniteFloat] = Field(default_factory=dict)


class Entry(_Kept):
    """The marks of one path over one suite, and under which conditions they were reached (see `Standing.conditions`)."""

    suite: Text
    path: Text
    measures: dict[Text, Mark]
    conditions: dict[Text, Text] = Field(default_factory=dict)


class Forced(_Kept):
    """A mark that a person has set down, or taken away (`now`: None), and why."""

    at: Text
    reason: Text
    suite: Text
    path: Text
    measure: Text
    was: FiniteFloat
    now: FiniteFloat | None


class Changed(_Kept):
    """A condition of the marks that a person has changed, and why."""

    at: Text
    reason: Text
    suite: Text
    path: Text
    condition: Text
    was: Text
    now: Text


class Ratchet(_Kept):
    """What a ratchet file holds."""

    format: Literal[1] = 1
    entries: tuple[Entry, ...] = ()
    forced: tuple[Forced, ...] = ()
    changed: tuple[Changed, ...] = ()

    def entry(self, standing: Standing) -> Entry | None:
        """The marks for the path and the suite of a run, None where there are none yet."""
        mine = (standing.suite, standing.path.value)
        return next((entry for entry in self.entries if (entry.suite, entry.path) == mine), None)


def fallen(ratchet: Ratchet, standing: Standing) -> tuple[Fault, ...]:
    """Everything in which a run is below its marks, or cannot be held against them."""
    entry = ratchet.entry(standing)
    if entry is None:
        what = f"the ratchet knows no run by {standing.path.value} over the suite {standing.suite[:12]}"
        remedy = "If the suite was changed on purpose, take it in with --update-ratchet and commit the file."
        return (Fault(standing.label, "", what, remedy),)
    if differing := tuple(_other_conditions(entry.conditions, standing)):
        return differing  # what is measured under others says nothing of the marks
    return tuple(fault for name, mark in entry.measures.items() for fault in _fallen(name, mark, standing))


def _other_conditions(then: Mapping[str, str], standing: Standing) -> Iterator[Fault]:
    for name, was, now in _changes(then, standing.conditions):
        remedy = _REMEDIES.get(name, "Run it again under those of the marks.")
        yield Fault(
            standing.label,
            "",
            f"{name}: {now or UNKNOWN} in this run, {was or UNKNOWN} when the marks were reached",
            f"{remedy} To begin anew under the others: --update-ratchet --force REASON.",
        )


def _changes(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Each condition that differs: its name, as it was, as it is; "" where it is not known."""
    for name in sorted({*then, *now}):
        if then.get(name) != now.get(name):
            yield name, then.get(name, ""), now.get(name, "")


def unfit(standing: Standing) -> tuple[Fault, ...]:
    """Why no mark can be held against a run, or made of it: its answers were not all found in the same way."""
    came_up = standing.conditions.get(SEARCH_BY_MEANING, "")
    if came_up in ("", "no", "yes"):
        return ()
    what = f"{SEARCH_BY_MEANING} had a part in some answers of the run and not in others ({came_up})"
    return (Fault(standing.label, "", what, _REMEDIES[SEARCH_BY_MEANING]),)


def _fallen(name: str, mark: Mark, standing: Standing) -> Iterator[Fault]:
    level = standing.levels.get(name)
    if level is None:
        yield missing(standing, name)
    elif not math.isfinite(level.mean):
        yield no_number(standing, name)
    elif worse_by(level, mark.mean) > mark.tolerance:
        what = f"{name} fell to {level.mean:.4f}; the best was {mark.mean:.4f}, and {mark.tolerance:g} is let by"
        gone = [case_id for case_id in mark.cases if case_id not in level.cases]
        also = f" {len(gone)} questions that counted then do not now." if gone else ""
        remedy = f"Put the questions right, or set the mark down with --update-ratchet --force REASON.{also}"
        yield Fault(
            standing.label, name, what, remedy, fallen_cases(Level(level.measure, mark.mean, mark.cases), level)
        )


# --- moving it


def unmarkable(standing: Standing) -> tuple[Fault, ...]:
    """Why a run may not begin or move marks: without a leading measure they would hold next to nothing."""
    if any(name in LEADING and math.isfinite(level.mean) for name, level in standing.levels.items()):
        return ()
    what = "no leading measure has a value, and marks without one would let anything by"
    return (Fault(standing.label, "", what, "See why its answers failed; run it again with the same --out."),)


def raised(ratchet: Ratchet, standing: Standing, *, tolerance: float = TOLERANCE) -> Ratchet:
    """The ratchet with every mark that the run betters, and with those that it has and the ratchet lacks. No mark goes down.

    Scores of 0 to 1 are held; times, tokens and costs change with the machine and the price list. `tolerance`: of new marks.
    """
    entry = ratchet.entry(standing)
    held = dict(entry.measures) if entry is not None else {}
    for name, level in _held(standing):
        old = held.get(name)
        if old is None:
            held[name] = _mark(level, tolerance, standing)
        elif worse_by(level, old.mean) < 0:
            held[name] = _mark(level, old.tolerance, standing)
    conditions = dict(standing.conditions if entry is None else entry.conditions)
    return _with(ratchet, Entry(suite=standing.suite, path=standing.path.value, measures=held, conditions=conditions))


def forced(ratchet: Ratchet, standing: Standing, reason: str) -> Ratchet:
    """The ratchet with the marks where the run stands, whichever way that is, and under its conditions; what went down and what
    changed is kept with the reason.

    Raises EvaluationError without a reason.
    """
    if not reason.strip():
        raise EvaluationError("A mark is set down for a reason only.", 'Write --force "why".')
    entry = ratchet.entry(standing)
    old = dict(entry.measures) if entry is not None else {}
    levels = dict(_held(standing))
    marks = {
        name: _mark(level, old[name].tolerance if name in old else TOLERANCE, standing)
        for name, level in levels.items()
    }
    lowered = tuple(
        Forced(
            at=standing.at,
            reason=reason.strip()[:1000],
            suite=standing.suite,
            path=standing.path.value,
            measure=name,
            was=mark.mean,
            now=marks[name].mean if name in marks else None,
        )
        for name, mark in old.items()
        if name not in levels or worse_by(levels[name], mark.mean) > 0
    )
    conditions = dict(standing.conditions)
    moved = _with(ratchet, Entry(suite=standing.suite, path=standing.path.value, measures=marks, conditions=conditions))
    changed = () if entry is None else tuple(_changed(entry, standing, reason))
    return moved.model_copy(update={"forced": (*ratchet.forced, *lowered), "changed": (*ratchet.changed, *changed)})


def _changed(entry: Entry, standing: Standing, reason: str) -> Iterator[Changed]:
    for name, was, now in _changes(entry.conditions, standing.conditions):
        yield Changed(
            at=standing.at,
            reason=reason.strip()[:1000],
            suite=entry.suite,
            path=entry.path,
            condition=name,
            was=was,
            now=now,
        )


def _held(standing: Standing) -> Iterator[tuple[str, Level]]:
    for name, level in standing.levels.items():
        if _is_score(level.measure) and math.isfinite(level.mean):
            yield name, level


def _is_score(measure: Measure) -> bool:
    return not measure.unit and measure.better is not Better.NEITHER


def _mark(level: Level, tolerance: float, standing: Standing) -> Mark:
    better: Literal[Better.HIGHER, Better.LOWER] = (
        Better.LOWER if level.measure.better is Better.LOWER else Better.HIGHER
    )
    cases = {case_id: round(value, DECIMALS) for case_id, value in level.cases.items()}
    mean = round(level.mean, DECIMALS)
    return Mark(mean=mean, tolerance=tolerance, better=better, at=standing.at, revision=standing.revision, cases=cases)


def _with(ratchet: Ratchet, entry: Entry) -> Ratchet:
    others = tuple(one for one in ratchet.entries if (one.suite, one.path) != (entry.suite, entry.path))
    ordered = sorted((*others, entry), key=lambda one: (one.suite, one.path))
    return ratchet.model_copy(update={"entries": tuple(ordered)})


# --- the file


def read_ratchet(path: Path) -> Ratchet:
    """The ratchet of a file. Raises EvaluationError for one that is not there or is none."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise EvaluationError(f"{path} is not there.", "Begin it with --update-ratchet.") from None
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read: {error.strerror or error}.") from error
    if len(data) > MOST_BYTES:
        raise EvaluationError(f"{path} is larger than {MOST_BYTES // 1_000_000} MB.", "Begin a new one.")
    try:
        return _sound(Ratchet.model_validate_json(data), path)
    except (ValidationError, RecursionError) as error:
        raise EvaluationError(
            f"{path} is no ratchet: {_first(error)}.", "Put back the one that was committed."
        ) from error


def _sound(ratchet: Ratchet, path: Path) -> Ratchet:
    """Raises EvaluationError for a ratchet that a hand has made to hold nothing."""
    places = [(entry.suite, entry.path) for entry in ratchet.entries]
    if len(set(places)) < len(places):
        fault = "two entries are of one path and suite"
    elif any(not set(entry.measures).intersection(LEADING) for entry in ratchet.entries):
        fault = "an entry has no mark of a leading measure"
    else:
        return ratchet
    raise EvaluationError(f"{path} is no ratchet: {fault}.", "Put back the one that was committed.")


def _first(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return "nested too deeply"
    fault = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, fault['loc']))[:200]} {fault['msg']}".strip()


def write_ratchet(ratchet: Ratchet, path: Path) -> None:
    """Put the file in place in one step, its lines in a stable order, so that a change is read as one. Raises OSError."""
    told = ratchet.model_dump(mode="json")
    replace_text(path, json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
