"""Which answers are people to rate, in which order, and under which ids?

All of what came back, or a sample of so many questions: stratified by type and by how the first run's answer ended, each
stratum its share (by largest remainders) and, where there is room, at least one. Of every run the same questions are taken, so
that runs stay comparable, and of a question that was asked several times the first answer. What stands apart from its path
stays in and is told; where nothing came back, nothing can be rated.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ankare.errors import BadInputError
from ankare.evaluation.captured import Capture, Conditions, Response, Run
from ankare.evaluation.case import Case
from ankare.evaluation.measures.paths import FAILED, aside
from ankare.evaluation.measures.score import outcome
from ankare.evaluation.scored import Outcome

_ID = 12


@dataclass(frozen=True, slots=True)
class Item:
    """One answer to rate. `id`: in its sheet; `plain`: the one that its run alone gives, another one where the sheet is blind.
    `run`: see `run_id`; `aside`: why it does not count for its path, "" where it does."""

    id: str
    plain: str
    run: str
    run_name: str
    case: Case
    repeat: int
    response: Response
    outcome: Outcome
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """The items in the order in which they are shown. `id`: of the sheet, another one for other items.

    `asides`: how many of them stand apart, by reason; `failed`: how many answers never came, by reason; `cases`: questions in
    the sheet, `total`: answers that there were to choose from, `repeats`: answers to the same questions, asked again, that were
    left out before. `blind`: nothing in the sheet says which run an item is of.
    """

    id: str
    items: tuple[Item, ...]
    asides: Mapping[str, int] = field(default_factory=dict)
    failed: Mapping[str, int] = field(default_factory=dict)
    cases: int = 0
    total: int = 0
    repeats: int = 0
    blind: bool = False

    def key(self) -> dict[str, object]:
        """Which run and case each id means, as JSON values."""
        told = {
            item.id: {
                "item": item.plain,
                "run": item.run,
                "name": item.run_name,
                "case": item.case.id,
                "repeat": item.repeat,
            }
            for item in self.items
        }
        return {"sheet": self.id, "items": told}


def run_id(conditions: Conditions) -> str:
    """A short name for a run that stays the same wherever its folder lies."""
    told = (conditions.path.value, conditions.suite_digest, conditions.name, conditions.started, conditions.base_url)
    return _digest("run", *told)


def item_id(run: str, case_id: str, repeat: int, response: Response, salt: str = "") -> str:
    """The id of an answer. Another text is another item: a rating is never counted for an answer that was not read."""
    return _digest("item", salt, run, case_id, str(repeat), response.question, response.markdown)


def select(
    runs: Sequence[Run],
    *,
    sample: int | None = None,
    seed: int = 0,
    blind: bool = False,
    on_path: bool = False,
    all_repeats: bool = False,
) -> Selection:
    """The answers of these runs. `sample`: so many questions; `on_path`: without those that stand apart from their path;
    `all_repeats`: every answer to a question that was asked several times, else the first that there is.

    Blind: the order is drawn, and the ids are other ones than those that a run alone gives. Raises BadInputError where nothing
    is left to rate, for a sample below 1, and for the same run twice.
    """
    if sample is not None and sample < 1:
        raise BadInputError(f"A sample of {sample} is none.", "Give --sample 1 or more.")
    ids = [run_id(run.conditions) for run in runs]
    if len(set(ids)) < len(ids):
        raise BadInputError("The same run is named twice.", "Name each run once.")
    chance, salt = random.Random(seed), f"blind:{seed}" if blind else ""
    every = [item for run in runs for item in _items(run, salt) if not (on_path and item.aside)]
    found = every if all_repeats else _firsts(every)
    kept = found if sample is None else _sampled(found, sample, chance)
    if not kept:
        raise BadInputError("There is no answer to rate.", "Capture the run first, or leave --on-path out.")
    if blind:
        chance.shuffle(kept)
    return Selection(
        id=_digest("sheet", *sorted(item.id for item in kept)),
        items=tuple(kept),
        asides=_counted(item.aside for item in kept),
        failed=_counted(
            aside(one).removeprefix(f"{FAILED}:") for run in runs for one in run.captures if not one.response
        ),
        cases=len({item.case.id for item in kept}),
        total=len(found),
        repeats=len(every) - len(found),
        blind=blind,
    )


def items_of(run: Run) -> dict[str, Item]:
    """Every answer of a run by its id, as a sheet that is not blind has it."""
    return {item.id: item for item in _items(run, "")}


def _items(run: Run, salt: str) -> list[Item]:
    own, name, cases = run_id(run.conditions), run.conditions.name, {case.id: case for case in run.suite}
    return [
        _item(own, name or run.conditions.path.value, cases[one.case_id], one, one.response, salt)
        for one in run.captures
        if one.response is not None and one.case_id in cases
    ]


def _item(own: str, name: str, case: Case, capture: Capture, response: Response, salt: str) -> Item:
    plain = item_id(own, case.id, capture.repeat, response)
    shown = item_id(own, case.id, capture.repeat, response, salt) if salt else plain
    return Item(shown, plain, own, name, case, capture.repeat, response, outcome(response), aside(capture))


# --- sampling


def _firsts(items: Iterable[Item]) -> list[Item]:
    """Of each run and question the answer that was asked for first."""
    first: dict[tuple[str, str], Item] = {}
    for item in items:
        held = first.setdefault((item.run, item.case.id), item)
        if item.repeat < held.repeat:
            first[item.run, item.case.id] = item
    return list(first.values())


def _sampled(items: Sequence[Item], sample: int, chance: random.Random) -> list[Item]:
    """The answers to so many questions, the same ones of each run."""
    strata: dict[Hashable, list[str]] = defaultdict(list)
    first: set[str] = set()
    for item in items:
        if item.case.id not in first:
            first.add(item.case.id)
            strata[item.case.type, item.outcome].append(item.case.id)
    drawn: set[str] = set()
    for stratum, share in shares({name: len(held) for name, held in strata.items()}, sample).items():
        drawn.update(chance.sample(strata[stratum], share))
    return [item for item in items if item.case.id in drawn]


def shares(sizes: Mapping[Hashable, int], wanted: int) -> dict[Hashable, int]:
    """How many of each stratum. In proportion to its size, by largest remainders; where there is room for all strata, none is
    left out. Together `wanted`, or all that there is."""
    whole = sum(sizes.values())
    wanted = min(wanted, whole)
    given = dict.fromkeys(sizes, 1 if wanted >= len(sizes) else 0)
    exact = {name: wanted * size / whole for name, size in sizes.items()} if whole else {}
    while sum(given.values()) < wanted:
        short = [name for name in sizes if given[name] < sizes[name]]
        given[max(short, key=lambda name: exact[name] - given[name])] += 1
    return given


def _counted(reasons: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(reason for reason in reasons if reason).items()))


def _digest(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:_ID]
