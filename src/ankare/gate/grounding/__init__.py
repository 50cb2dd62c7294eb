"""The grounding gate: one deterministic judge for every text that a model wrote."""

from ankare.gate.grounding.gate import GroundingGate
from ankare.gate.grounding.settings import GroundingSettings

__all__ = ["GroundingGate", "GroundingSettings"]
