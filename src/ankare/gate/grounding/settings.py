"""How much does each signal count against a sentence, and from which score on is it supported?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        # what is said and not found
        "unsaid": 1.5,
        "unsaid_share": 1.0,
        "predicate_unsaid": 0.3,
        "missing_unanswered": 0.3,
        "sibling": 1.6,
        "borrowed": 1.7,
        "context": 0.15,
        "residual_near": 0.05,
        # values and names
        "value_wrong": 3.0,
        "value_borrowed": 3.0,
        "value_crossed": 1.0,
        "value_unbound": 1.6,
        "name_unknown": 3.0,
        "name_crossed": 3.0,
        "name_unbound": 1.6,
        # negation
        "polarity_odd": 2.0,
        "parity_close": 2.5,
        "parity_odd": 0.3,
        "without_odd": 1.5,
        "negation_dropped": 1.6,
        "opposed": 3.0,
        "negation_widened": 1.6,
        "contrast_turned": 1.6,
        # who does what to whom, before and after
        "role_swapped": 3.0,
        "role_conflict": 1.7,
        "role_unnamed": 2.0,
        "role_exchanged": 0.5,
        "verb_as_noun": 1.0,
        "object_conflict": 1.7,
        "order_clash": 2.0,
        # how strongly, how many, within which bounds
        "modal": 2.0,
        "all_new": 3.0,
        "all_new_against": 1.0,
        "most_new": 1.7,
        "many_new": 1.7,
        "quantifier_clash": 3.0,
        "quantifier_lost": 1.6,
        "bound_clash": 3.0,
        "bound_dropped": 1.6,
        "bound_added": 1.6,
        "restriction_lost": 1.6,
        "exclusive_new": 3.0,
        "superlative_new": 1.6,
        # signs and small words
        "sign_new": 3.0,
        "particle": 1.6,
        "measured_by": 1.6,
        "time_side": 1.6,
        "weakened": 1.6,
        "apart": 1.6,
        "past_new": 1.6,
        # causes, conditions, empty sentences
        "cause_new": 3.0,
        "condition_lost": 1.6,
        "condition_clause_lost": 1.6,
        "question_new": 1.0,
        "empty_frame": 3.0,
    }
)
BIAS = 1.45


@dataclass(frozen=True)
class GroundingSettings:
    """Weights of what speaks against a sentence, each 0 or more, and the threshold on how likely it is entailed.

    Checked by `benchmarks/calibrate_grounding.py`: a threshold of 0.5 stops 0.99 of the unsupported development claims, 0.98 of
    unseen ones, and 0.99 of those with a changed number, name or negation. A higher threshold stops more and passes less.
    `enough`: from this score on no further chunk is looked at.
    """

    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)
    bias: float = BIAS
    threshold: float = 0.5
    enough: float = 0.7

    def score(self, signals: Mapping[str, float]) -> float:
        """How likely a sentence with these signals is entailed, 0 to 1."""
        odds = self.bias - sum(weight * signals.get(name, 0.0) for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))
