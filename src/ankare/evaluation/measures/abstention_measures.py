"""Was a question answered where it can be, and not answered where it cannot?

To ask back is not to answer. What did not come back is neither right nor wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ankare.evaluation.captured import Response
from ankare.evaluation.case import Case
from ankare.evaluation.scored import Family, Measure, Outcome, Scored

CORRECT = "abstention_correct"
ASK_FIRST, OUTSIDER = "ask_first", "out_of_scope_entity"
MEASURES = (Measure(CORRECT, Family.ABSTENTION, of_path=False),)


def measured(case: Case, response: Response) -> tuple[Mapping[str, float], Mapping[str, object]]:
    """(values, details) of `MEASURES`: 1 where the question was answered exactly if it should have been.

    Nothing for a case of which nobody has said whether it can be answered.
    """
    wanted = to_be_answered(case)
    if wanted is None:
        return {}, {}
    told = {"to_be_answered": wanted, "answered": response.answered, "reason": response.refusal_reason}
    return {CORRECT: float(response.answered is wanted)}, {CORRECT: told}


def to_be_answered(case: Case) -> bool | None:
    """Should the question be answered? Not where something has to be asked back first; None where nobody has said."""
    if any(expected.mode in (ASK_FIRST, OUTSIDER) for expected in case.expected):
        return False
    if case.answerable is not None or not case.expected:
        return case.answerable
    return any(expected.value for expected in case.expected)


@dataclass(frozen=True, slots=True)
class Abstention:
    """How refusing went over a run, "refused" being what is looked for; a question asked back counts as refused.

    `right`: refused, and rightly so. `needless`: refused, though it can be answered. `missed`: answered, though it cannot be.
    `answered`: answered, and it can be. Shares are None where there is nothing to divide by.
    """

    right: int = 0
    needless: int = 0
    missed: int = 0
    answered: int = 0

    @property
    def precision(self) -> float | None:
        """The share of the refusals that were right."""
        return _share(self.right, self.right + self.needless)

    @property
    def recall(self) -> float | None:
        """The share of what cannot be answered that was refused."""
        return _share(self.right, self.right + self.missed)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both (van Rijsbergen 1979), None where there was nothing to refuse and nothing refused."""
        return _share(2 * self.right, 2 * self.right + self.needless + self.missed)


def abstention_of(rows: Iterable[Scored]) -> Abstention:
    """Count over rows, each repeat for itself. Rows without `abstention_correct` are left out, and so all failures."""
    counts = {"right": 0, "needless": 0, "missed": 0, "answered": 0}
    for row in rows:
        if CORRECT in row.values:
            refused, correct = row.outcome is not Outcome.ANSWERED, row.values[CORRECT] == 1.0
            counts[_NAMES[refused, correct]] += 1
    return Abstention(**counts)


_NAMES = {(True, True): "right", (True, False): "needless", (False, False): "missed", (False, True): "answered"}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
