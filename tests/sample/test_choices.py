"""Promises of the sample pack's figures: every choice that a question is given leads somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from tests.structured.follow import followed

from ankare.channels.answer_question import answer_question
from ankare.facts.sqlite import SqliteFactStore
from ankare.ingest.figures.load import load_fact_files
from ankare.llm.mock import MockProvider
from ankare.profile.load import load_profile
from ankare.sample import pack_path
from ankare.sample.generate.check_suite import FIGURE, read_suite

PROFILE = load_profile(pack_path() / "profile.toml")
CASES = [
    *((case["question"], case["reference_date"]) for case in read_suite(pack_path()) if case["type"] == FIGURE),
    *((f"Vad var {metric.label}?", day) for metric in PROFILE.metrics for day in ("2025-03-01", "2026-11-30")),
    *((f"{entity.label} 2024: hur mycket?", "2025-03-01") for entity in PROFILE.entities),
    *((f"{metric.label} utan Norge 2024", "2025-03-01") for metric in PROFILE.metrics),
    *((f"{metric.label} via postorder 2024", "2025-03-01") for metric in PROFILE.metrics),
]


@pytest.fixture(scope="module")
def store() -> Iterator[SqliteFactStore]:
    store = SqliteFactStore(":memory:", PROFILE)
    store.init_schema()
    load_fact_files([pack_path() / "facts"], store, PROFILE)
    yield store
    store.close()


@pytest.mark.parametrize(("question", "day"), CASES)
def test_every_choice_leads_to_a_figure(question: str, day: str, store: SqliteFactStore) -> None:
    reference = date.fromisoformat(day)
    followed(question, lambda asked: answer_question(asked, store, MockProvider(), reference_date=reference))
