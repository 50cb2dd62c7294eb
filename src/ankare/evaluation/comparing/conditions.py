"""What was different between two runs, apart from what they scored?

A difference in scores can be laid to one change of conditions. With several, nobody knows which of them it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ankare.errors import EvaluationError
from ankare.evaluation.captured import Conditions
from ankare.evaluation.scored import ScoredRun
from ankare.evaluation.suites.suite import digest_of

LONGEST = 200
"""Characters of a value that are told."""
SOFTWARE = "software"
_NONE = "-"


@dataclass(frozen=True, slots=True)
class Change:
    """A condition that differs. `cause`: may answers differ for it? Machine and address change times at most."""

    name: str
    base: str
    other: str
    cause: bool = True


def changes_between(base: Conditions, other: Conditions) -> tuple[Change, ...]:
    """Every condition that differs, causes first. Version and revision of ankare are one condition."""
    sides = [dict(_conditions(one)) for one in (base, other)]
    names = [*sides[0], *(name for name in sides[1] if name not in sides[0])]
    differ = [name for name in names if sides[0].get(name) != sides[1].get(name)]
    found = [
        Change(name, _shown(sides[0].get(name)), _shown(sides[1].get(name)), _may_cause(name, differ))
        for name in differ
    ]
    return tuple(sorted(found, key=lambda change: not change.cause))


_NO_CAUSES = ("environment.", "base_url", "repeats")
_IN_USE = "_in_use"
_OF_PATH = ("settings.agentic_rag_mode",)
"""Settings that a path brings with it."""


def _may_cause(name: str, differ: Sequence[str]) -> bool:
    """What came of a setting or of the path is no second cause beside it."""
    follows = name.endswith(_IN_USE) and name.removesuffix(_IN_USE) in differ
    return not (name.startswith(_NO_CAUSES) or follows or (name in _OF_PATH and "path" in differ))


def _conditions(held: Conditions) -> Iterator[tuple[str, object]]:
    yield "path", held.path.value
    yield SOFTWARE, ", ".join(filter(None, (held.ankare_version, *held.revisions)))
    yield "index_versions", ", ".join(held.index_versions)
    yield from _flat("settings", held.settings)
    yield "base_url", held.base_url
    yield "repeats", held.repeats
    yield from _flat("environment", held.environment)


def _flat(name: str, held: object) -> Iterator[tuple[str, object]]:
    """One condition for each value, however deep it lies."""
    if isinstance(held, Mapping):
        for key, value in held.items():
            yield from _flat(f"{name}.{key}", value)
    else:
        yield name, held


def _shown(value: Any) -> str:
    text = _NONE if value is None or value == "" else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def mixed(held: Conditions) -> bool:
    """Did several revisions or versions of the index answer within one run?"""
    return len(held.revisions) > 1 or len(held.index_versions) > 1


def in_both(base: ScoredRun, other: ScoredRun) -> Callable[[str], bool]:
    """Which cases are the same question with the same answer for both?

    All of them, where the suites are the same. Raises EvaluationError where no case is, or where nobody can tell.
    """
    if base.conditions.suite_digest == other.conditions.suite_digest:
        return lambda case_id: True
    if base.suite is None or other.suite is None:
        raise EvaluationError(
            "The runs asked different suites, and their cases are not at hand to be compared.",
            "Keep suite.jsonl in the folders of the runs, or run both over the same suite.",
        )
    digests = [{case.id: digest_of([case]) for case in run.suite or ()} for run in (base, other)]
    same = {case_id for case_id, digest in digests[0].items() if digests[1].get(case_id) == digest}
    if not same:
        raise EvaluationError(
            "The runs have no case in common: same id, same question, same answer.", "Run both over the same suite."
        )
    return same.__contains__
