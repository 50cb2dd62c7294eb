"""What did models have to do with a question, told without a word that anybody wrote?

What is kept is named here, field by field: whatever is added to the metadata of an answer stays out until somebody names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ankare.cite.pipeline import Json

PLAIN = (
    "enabled",
    "mode",
    "agents",
    "rewrite_reason",
    "retrieval_query_count",
    "context_chunk_ids",
    "context_chunk_count",
    "evidence_ids_used",
    "review_status",
    "final_status",
    "answer_origin",
    "escalation",
    "fallback_reason",
    "agentic_fallback_retrieval_used",
    "usage",
)
_GROUNDING = ("passed", "reason", "removed")
_SENTENCE = ("supported", "reason", "score")
_SHADOW = ("answered", "cited_chunk_ids", "ms")


def without_texts(told: Mapping[str, Any]) -> Json:
    """The field `agentic_pipeline` of an answer without questions, wordings and sentences: counts, ids, scores and words of
    ours."""
    grounding, shadow = told["grounding"], told["shadow"]
    kept = _only(told, PLAIN)
    if grounding is not None:
        sentences = [_only(sentence, _SENTENCE) for sentence in grounding["sentences"]]
        kept["grounding"] = {**_only(grounding, _GROUNDING), "sentences": sentences}
    if shadow is not None:
        kept["shadow"] = _only(shadow, _SHADOW)
    return kept


def _only(told: Mapping[str, Any], names: tuple[str, ...]) -> Json:
    return {name: told[name] for name in names}
