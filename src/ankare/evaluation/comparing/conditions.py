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
    made_from = [_made_from(one) for one in (base, other)]
    told = all(made_from)
    sides = [
        {**(made if told else {}), **dict(_conditions(one))} for made, one in zip(made_from, (base, other), strict=True)
    ]
    names = [*sides[0], *(name for name in sides[1] if name not in sides[0])]
    differ = [name for name in names if sides[0].get(name) != sides[1].get(name)]
    found = [
        Change(
            INDEX_OF_UNKNOWN if name == INDEX and not told else name,
            _shown(sides[0].get(name)),
            _shown(sides[1].get(name)),
            _may_cause(name, differ),
        )
        for name in differ
    ]
    return tuple(sorted(found, key=lambda change: not change.cause))


INDEX, MEANING = "index_versions", "by_meaning"
INDEX_OF_UNKNOWN = "index_versions (documents or profile)"
"""The index differs, and nobody told what it was made from."""
DOCUMENTS, PROFILE = "documents", "profile"
_NO_CAUSES = ("environment.", "base_url", "repeats")
_FOLLOWS = {
    "settings.agentic_rag_mode": ("path",),
    "settings.semantic_in_use": ("settings.semantic", MEANING),
    MEANING: ("settings.semantic",),
    INDEX: (DOCUMENTS, PROFILE),
}
"""What comes of another condition is no second cause beside it."""
_OF_THE_START = frozenset({"index_version", "warming_ms", DOCUMENTS, PROFILE})
"""Of the environment: what other conditions tell, and what is in no answer."""


def _may_cause(name: str, differ: Sequence[str]) -> bool:
    return not (name.startswith(_NO_CAUSES) or any(one in differ for one in _FOLLOWS.get(name, ())))


def _conditions(held: Conditions) -> Iterator[tuple[str, object]]:
    yield "path", held.path.value
    yield SOFTWARE, ", ".join(filter(None, (held.ankare_version, *held.revisions)))
    yield INDEX, ", ".join(held.index_versions)
    yield MEANING, ", ".join(held.by_meaning)
    yield from _flat("settings", held.settings)
    yield "base_url", held.base_url
    yield "repeats", held.repeats
    about = {name: value for name, value in held.environment.items() if name not in _OF_THE_START}
    yield from _flat("environment", about)


def _made_from(held: Conditions) -> dict[str, object]:
    """The documents and the profile, where they are known for all answers: one version of the index gave them."""
    told = {name: held.environment[name] for name in (DOCUMENTS, PROFILE) if name in held.environment}
    return told if len(told) == 2 and len(held.index_versions) == 1 else {}


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


def meaning(held: Conditions) -> str:
    """How far search by meaning had a part in a run's answers: "no", "partly", "yes", several of them with commas; "" where
    nobody can tell."""
    if held.by_meaning:
        return ", ".join(held.by_meaning)
    in_use = held.settings.get("semantic_in_use")  # a suite of figures alone, or a run from before it was told
    return {True: "yes", False: "no"}.get(in_use, "") if isinstance(in_use, bool) else ""


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
