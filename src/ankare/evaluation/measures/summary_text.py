"""How is a summary of a run written: as JSON for programs, as Markdown for people?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ankare.cite.escape import cell, unlinked
from ankare.evaluation.measures.abstention_measures import Abstention
from ankare.evaluation.measures.scores_file import replace_text
from ankare.evaluation.measures.summary import Group, Level, Summary

FILE = "summary.json"
_NONE = "–"


def write_summary(summary: Summary, folder: Path) -> Path:
    """Write `summary.json` into the run's folder and return the file. Raises OSError."""
    path = folder / FILE
    replace_text(path, json.dumps(summary_json(summary), ensure_ascii=False, indent=1) + "\n")
    return path


def summary_json(summary: Summary) -> dict[str, Any]:
    """The summary as plain JSON values; what is not known is null."""
    conditions = summary.conditions
    return {
        "name": conditions.name,
        "path": conditions.path.value,
        "suite": conditions.suite_name,
        "suite_digest": conditions.suite_digest,
        "repeats": conditions.repeats,
        "overall": _group_json(summary.overall),
        "types": {name: _group_json(group) for name, group in summary.types.items()},
        "languages": {name: _group_json(group) for name, group in summary.languages.items()},
        "asides": dict(summary.asides),
        "failures": dict(summary.failures),
        "models": asdict(summary.models),
    }


def _group_json(group: Group) -> dict[str, Any]:
    return {
        "cases": group.cases,
        "answers": group.answers,
        "counted": group.counted,
        "outcomes": dict(group.outcomes),
        "measures": {name: _level_json(level) for name, level in group.levels.items()},
        "abstention": abstention_json(group.abstention),
    }


def _level_json(level: Level) -> dict[str, Any]:
    told = {name: value for name, value in asdict(level).items() if name != "measure"}
    return {"unit": level.measure.unit, "better": level.measure.better.value, **told}


def abstention_json(abstention: Abstention) -> dict[str, Any]:
    """The counts with precision, recall and F1, null where there is nothing to divide by."""
    shares = {name: getattr(abstention, name) for name in ("precision", "recall", "f1")}
    return {**asdict(abstention), **shares}


def summary_markdown(summary: Summary) -> str:
    """The summary as Markdown: the measures, what stood apart, refusing, types of question."""
    return "\n".join(_lines(summary)) + "\n"


def _lines(summary: Summary) -> Iterator[str]:
    overall, conditions = summary.overall, summary.conditions
    yield f"## {_text(conditions.name or conditions.suite_name or 'Run')} ({conditions.path.value})"
    yield ""
    yield f"{overall.cases} questions, {overall.answers} answers, of which {overall.counted} took the path."
    yield ""
    yield "| measure | mean | n | between questions | within a question |"
    yield "|---|---:|---:|---:|---:|"
    for name, level in overall.levels.items():
        cells = (shown(level.mean, level), str(level.n), _spread(level.deviation, level), _spread(level.within, level))
        yield f"| {name} | " + " | ".join(cells) + " |"
    yield ""
    yield refusing(overall.abstention)
    if summary.asides or summary.failures:
        yield ""
        yield from _apart(summary)
    if len(summary.types) > 1:
        yield ""
        yield from _by_type(summary.types)


def _apart(summary: Summary) -> Iterator[str]:
    """What does not count for the path, and what did not come back."""
    yield "| stood apart | answers |"
    yield "|---|---:|"
    for why, number in [*summary.asides.items(), *((f"failed: {kind}", n) for kind, n in summary.failures.items())]:
        yield f"| {_text(why)} | {number} |"


def _by_type(types: Mapping[str, Group]) -> Iterator[str]:
    """One row per type, with the shares that most types have."""
    names = [name for name in TOLD_BY_TYPE if any(name in group.levels for group in types.values())]
    yield "| type | questions | " + " | ".join(names) + " |"
    yield "|---|---:|" + "---:|" * len(names)
    for kind, group in types.items():
        cells = (
            shown(group.levels[name].mean, group.levels[name]) if name in group.levels else _NONE for name in names
        )
        yield f"| {_text(kind)} | {group.cases} | " + " | ".join(cells) + " |"


TOLD_BY_TYPE = (
    "faithfulness",
    "fact_recall",
    "fact_precision",
    "ndcg_at_10",
    "citation_recall",
    "abstention_correct",
    "figure_exact",
)


def refusing(abstention: Abstention) -> str:
    """Precision, recall and F1 of refusing, with what they are counted from."""
    shares = (abstention.precision, abstention.recall, abstention.f1)
    told = (f"{name} {_NONE if share is None else f'{share:.3f}'}" for name, share in zip(_SHARES, shares, strict=True))
    return (
        f"Refusing: {', '.join(told)} ({abstention.right} rightly, {abstention.needless} needlessly refused, "
        f"{abstention.missed} answered that cannot be)."
    )


_SHARES = ("precision", "recall", "F1")


def shown(value: float, level: Level) -> str:
    """A value in the unit of its measure, short enough for a table."""
    unit = level.measure.unit
    if not unit:
        return f"{value:.3f}"
    digits = 0 if value == 0 or abs(value) >= 100 else 1 if abs(value) >= 1 else 5
    return f"{value:,.{digits}f} {unit}"


def _spread(value: float | None, level: Level) -> str:
    return _NONE if value is None else shown(value, level)


def _text(told: str) -> str:
    """A text of a file as one cell, which calls nobody and links nowhere."""
    return unlinked(cell("".join(sign if sign.isprintable() else " " for sign in told)))
