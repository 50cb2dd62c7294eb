"""Under what is a run made, and may a run that was begun under this go on under that?

What answers depend on has to be the same, else one file would hold two runs. A new revision or index may come up while a
server is asked: that is kept and told, since it is nobody's mistake and explains what it explains.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from ankare._version import __version__
from ankare.cite.escape import plain
from ankare.errors import EvaluationError
from ankare.evaluation.asking.asker import Told
from ankare.evaluation.asking.meaning import with_meaning
from ankare.evaluation.captured import AnswerPath, Conditions, Json, Response
from ankare.evaluation.case import Suite

_SHOWN = 60
RESUMED = "resumed"
"""In the environment: where and when a run went on that was begun elsewhere, a list."""


def conditions_of(
    suite: Suite,
    told: Told,
    path: AnswerPath,
    repeats: int,
    name: str = "",
    about: Mapping[str, Any] | None = None,
    note: str = "",
) -> Conditions:
    """The conditions of a run that begins now. `about`: what is to stand in the environment beside the machine."""
    return Conditions(
        path=path,
        suite_digest=suite.digest,
        suite_name=suite.name,
        base_url=told.base_url,
        name=name,
        started=now(),
        repeats=repeats,
        ankare_version=__version__,
        settings=json.loads(json.dumps(dict(told.settings))),
        environment={**environment(), **{key: value for key, value in told.about.items() if value}, **(about or {})},
        note=note,
    )


def environment() -> dict[str, Any]:
    """The machine, as far as it makes answers slow or fast; nothing that names it."""
    return {
        "python": platform.python_version(),
        "platform": f"{sys.platform} {platform.machine()}",
        "cpus": os.cpu_count(),
    }


def resumed(recorded: Conditions, fresh: Conditions, folder: str) -> Conditions:
    """The recorded conditions, for the run to go on. A note that is given now takes the place of an earlier one. Raises
    EvaluationError that tells what differs."""
    differences = list(_differences(recorded, fresh))
    if differences:
        raise EvaluationError(
            f"{folder} holds a run under other conditions: {'; '.join(differences)}.",
            "Name another --out, or ask as it was asked before.",
        )
    went_on = {"at": fresh.started, **fresh.environment, "ankare_version": fresh.ankare_version}
    history = [*recorded.environment.get(RESUMED, ()), went_on]
    environment_now = {**recorded.environment, RESUMED: history}
    return replace(recorded, finished="", environment=environment_now, note=fresh.note or recorded.note)


def _differences(recorded: Conditions, fresh: Conditions) -> Iterator[str]:
    """What has to be alike and is not, each as it was and as it would be now."""
    for what in ("path", "suite_digest", "base_url", "repeats"):
        before, after = getattr(recorded, what), getattr(fresh, what)
        if before != after:
            yield _difference(what, before, after)
    for name in sorted({*recorded.settings, *fresh.settings}):
        before, after = recorded.settings.get(name), fresh.settings.get(name)
        if before != after:
            yield _difference(name, before, after)


def _difference(what: str, before: object, after: object) -> str:
    if what == "suite_digest":
        return "another suite, or other cases of it"
    return f"{what} was {_short(before)}, is {_short(after)}"


def _short(value: object) -> str:
    shown = str(value) if isinstance(value, str) else json.dumps(value)
    shown = plain(shown)
    return (shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…") or "unset"


def faults_of(conditions: Conditions) -> Iterator[str]:
    """The fields of conditions that were read whose values nothing could be made of. Raises RecursionError."""
    if not _is_address(conditions.base_url):
        yield "base_url"
    for field in ("settings", "environment"):
        for name, value in getattr(conditions, field).items():
            if not _is_finite(value):
                yield plain(f"{field}.{name[:_SHOWN]}")
    history = conditions.environment.get(RESUMED, [])
    if not (isinstance(history, list) and all(isinstance(one, Mapping) for one in history)):
        yield f"environment.{RESUMED}"


def _is_address(url: str) -> bool:
    try:
        urlsplit(url).port  # noqa: B018 - reading it is the check
    except ValueError:
        return False
    return True


def _is_finite(held: object) -> bool:
    """Can every number in it be reckoned with?"""
    if isinstance(held, Mapping):
        return all(map(_is_finite, held.values()))
    if isinstance(held, list | tuple):
        return all(map(_is_finite, held))
    return not isinstance(held, int | float) or abs(held) <= sys.float_info.max


def answered_by(conditions: Conditions, response: Response, body: Json) -> Conditions:
    """The conditions with the revision, the version of the index and the part of search by meaning that an answer tells, each
    where it first came up."""
    revisions = _with(conditions.revisions, response.revision)
    versions = _with(conditions.index_versions, response.index_version)
    meaning = with_meaning(conditions.by_meaning, body)
    if (revisions, versions, meaning) == (conditions.revisions, conditions.index_versions, conditions.by_meaning):
        return conditions
    return replace(conditions, revisions=revisions, index_versions=versions, by_meaning=meaning)


def _with(known: tuple[str, ...], told: str) -> tuple[str, ...]:
    return known if not told or told in known else (*known, told)


def now() -> str:
    """The time, in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
