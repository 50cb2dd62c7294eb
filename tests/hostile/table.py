"""All scenarios, in the order in which they are printed."""

from __future__ import annotations

from tests.hostile import documents, forms, services, texts, verdicts

TABLE = (
    *texts.SCENARIOS,
    *verdicts.SCENARIOS,
    *documents.SCENARIOS,
    *forms.SCENARIOS,
    *services.SCENARIOS,
)
