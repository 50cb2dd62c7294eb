"""How much does each signal count against a sentence, and from which score on is it supported?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

_GRAVE = (
    "value_wrong",
    "value_borrowed",
    "value_crossed",
    "name_unknown",
    "name_crossed",
    "polarity_odd",
    "without_odd",
    "role_swapped",
    "role_conflict",
    "role_unnamed",
    "object_conflict",
    "modal",
    "all_new",
    "quantifier_clash",
    "exclusive_new",
    "bound_clash",
    "superlative_new",
    "cause_new",
    "empty_frame",
    "question_new",
)
WEIGHTS: Mapping[str, float] = MappingProxyType({**dict.fromkeys(_GRAVE, 4.0), "unsaid": 2.5})


@dataclass(frozen=True)
class GroundingSettings:
    """Weights of what speaks against a sentence, each 0 or more, and the threshold on the probability that it is entailed.

    Calibrated by `benchmarks/calibrate_grounding.py`; the threshold stops 0.97 of the unsupported development sentences.
    """

    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)
    bias: float = 2.0
    threshold: float = 0.5

    def score(self, signals: Mapping[str, float]) -> float:
        """How likely a sentence with these signals is entailed, 0 to 1."""
        odds = self.bias - sum(weight * signals.get(name, 0.0) for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))
