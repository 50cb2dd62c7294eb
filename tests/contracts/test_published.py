"""The published schemas are those of the models, and say what the contracts say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from ankare.contracts import correction, draft, review, rewrite
from ankare.contracts.published import CONTRACTS, published_schemas, stored_schemas, write_schemas

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def text(**limits: int) -> dict[str, Any]:
    return {"type": "string", **limits}


def texts(count: int, length: int, **limits: int) -> dict[str, Any]:
    return {"type": "array", "maxItems": count, "items": text(maxLength=length), **limits}


def words(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def closed(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "required": required, "properties": properties}


FLAG = {"type": "boolean"}
EXPECTED = {
    "RetrievalRewriteResult": closed(
        [
            "original_question",
            "retrieval_queries",
            "must_keep_focus",
            "semantic_terms",
            "negative_constraints",
            "confidence",
        ],
        original_question=text(minLength=1),
        retrieval_queries={
            "type": "array",
            "minItems": 1,
            "maxItems": 5,
            "items": closed(
                ["query", "purpose"],
                query=text(minLength=1, maxLength=180),
                purpose=words("literal", "swedish_inflection", "synonym", "compound", "broader_context"),
            ),
        },
        must_keep_focus=texts(6, 80, minItems=1),
        semantic_terms={
            "type": "array",
            "maxItems": 12,
            "items": closed(
                ["surface", "normalized_family", "kind"],
                surface=text(maxLength=60),
                normalized_family=text(maxLength=60),
                kind=words("lemma", "inflection", "synonym", "compound", "spelling_variant"),
            ),
        },
        negative_constraints=texts(6, 120),
        confidence={"type": "number", "minimum": 0, "maximum": 1},
    ),
    "EvidenceAnswerResult": closed(
        [
            "original_question",
            "answer",
            "answer_scope",
            "evidence_used",
            "unsupported_or_uncertain",
            "source_coverage",
            "grounding_notes",
        ],
        original_question=text(minLength=1),
        answer=text(maxLength=2200),
        answer_scope=words("direct", "partial_due_to_thin_evidence", "insufficient_evidence"),
        evidence_used={
            "type": "array",
            "minItems": 1,
            "maxItems": 8,
            "items": closed(
                ["chunk_id", "source", "claim_supported"],
                chunk_id=text(),
                source=text(),
                pages={"type": "array", "items": {"type": ["integer", "string"]}},
                claim_supported=text(maxLength=220),
            ),
        },
        unsupported_or_uncertain=texts(6, 180),
        source_coverage=closed(
            ["uses_retrieved_chunks", "answers_original_question", "ignores_metadata_as_facts"],
            uses_retrieved_chunks=FLAG,
            answers_original_question=FLAG,
            ignores_metadata_as_facts=FLAG,
        ),
        grounding_notes=text(maxLength=600),
    ),
    "GroundingReviewResult": closed(
        [
            "verdict",
            "answers_original_question",
            "grounded_in_sources",
            "drift_from_original_question",
            "metadata_leakage",
            "unsupported_claims",
            "required_action",
            "review_notes",
        ],
        verdict=words("approve", "revise_minor", "reject"),
        answers_original_question=FLAG,
        grounded_in_sources=FLAG,
        drift_from_original_question=FLAG,
        metadata_leakage=FLAG,
        unsupported_claims=texts(8, 180),
        required_action=words(
            "publish", "publish_after_minor_revision", "fallback_to_extractive", "ask_for_more_evidence"
        ),
        minor_revision=text(maxLength=2200),
        review_notes=text(maxLength=700),
    ),
    "CorrectionResult": closed(
        ["answer", "evidence_used"],
        answer=text(maxLength=2200),
        evidence_used={
            "type": "array",
            "maxItems": 8,
            "items": closed(["chunk_id", "claim_supported"], chunk_id=text(), claim_supported=text(maxLength=220)),
        },
    ),
}


def in_any_order(node: Any) -> Any:
    """A schema without the order of what has none."""
    if isinstance(node, dict):
        return {key: sorted(value) if key == "required" else in_any_order(value) for key, value in node.items()}
    return [in_any_order(item) for item in node] if isinstance(node, list) else node


@pytest.mark.parametrize("title", EXPECTED)
def test_a_published_schema_says_what_the_contract_says(title: str) -> None:
    schema = {"$schema": DIALECT, "title": title, **EXPECTED[title]}
    assert in_any_order(published_schemas()[title]) == in_any_order(schema)


def test_the_files_are_what_the_models_make() -> None:
    assert set(published_schemas()) == set(EXPECTED)
    assert stored_schemas() == published_schemas()


def test_writing_the_files_again_changes_nothing(tmp_path: Path) -> None:
    write_schemas(tmp_path)
    stored = Path(rewrite.__file__).parent / "schemas"
    assert {f.name: f.read_text("utf-8") for f in tmp_path.iterdir()} == {
        f.name: f.read_text("utf-8") for f in stored.iterdir()
    }


@pytest.mark.parametrize("wire", [rewrite.WIRE_SCHEMA, draft.WIRE_SCHEMA, review.WIRE_SCHEMA, correction.WIRE_SCHEMA])
def test_what_a_service_is_sent_is_closed_and_its_lists_end(wire: dict[str, Any]) -> None:
    def held(node: Any) -> None:
        if isinstance(node, list):
            for item in node:
                held(item)
        if not isinstance(node, dict):
            return
        assert set(node) <= {"type", "enum", "items", "maxItems", "properties", "required", "additionalProperties"}
        assert ("maxItems" in node) == (node.get("type") == "array")
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert sorted(node["required"]) == sorted(node["properties"])
            held(list(node["properties"].values()))
        held(node.get("items"))

    held(wire)


@pytest.mark.parametrize(
    ("wire", "published"),
    [
        (rewrite.WIRE_SCHEMA, "RetrievalRewriteResult"),
        (draft.WIRE_SCHEMA, "EvidenceAnswerResult"),
        (review.WIRE_SCHEMA, "GroundingReviewResult"),
        (correction.WIRE_SCHEMA, "CorrectionResult"),
    ],
)
def test_a_model_may_write_as_many_items_as_the_contract_takes(wire: dict[str, Any], published: str) -> None:
    contract = EXPECTED[published]["properties"]
    lists = {name: part["maxItems"] for name, part in wire["properties"].items() if part["type"] == "array"}
    assert lists
    assert lists == {name: contract[name]["maxItems"] for name in lists}


def test_the_model_is_not_asked_for_what_the_application_owns() -> None:
    asked = set(draft.WIRE_SCHEMA["properties"])
    assert asked == {"answer", "answer_scope", "evidence_used", "unsupported_or_uncertain"}
    assert set(draft.WIRE_SCHEMA["properties"]["evidence_used"]["items"]["properties"]) == {
        "chunk_id",
        "claim_supported",
    }


@pytest.mark.parametrize("model", CONTRACTS)
def test_contracts_are_closed(model: type[BaseModel]) -> None:
    with pytest.raises(ValidationError):
        model.model_validate({"surplus": 1})
