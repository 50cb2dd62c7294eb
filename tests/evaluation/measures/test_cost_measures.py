"""Are time, tokens and money told as they were, and what nobody told as missing?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ankare.errors import EvaluationError
from ankare.evaluation.captured import AgentCall, AnswerPath, Capture, Chain, Response
from ankare.evaluation.measures.cost_measures import measured
from ankare.evaluation.measures.prices import Prices, read_prices

TABLE = """
[models."a-model"]
prompt = 1.0
completion = 2.0
currency = "USD"

[models."vendor/*"]
prompt = 10
completion = 20
currency = "USD"

[models."vendor/small-*"]
prompt = 0.5
completion = 0.5
currency = "USD"
"""
DRAFT = AgentCall("agent2", "evidence_answer", "a-model", "ok", ms=800.0, prompt_tokens=1000, completion_tokens=200)
REVIEW = AgentCall(
    "agent3", "grounded_review", "a-model", "approved", ms=300.0, prompt_tokens=500, completion_tokens=50
)


@pytest.fixture
def prices(tmp_path: Path) -> Prices:
    return read_prices(written(tmp_path, TABLE))


def written(folder: Path, text: str) -> Path:
    path = folder / "prices.toml"
    path.write_text(text, encoding="utf-8")
    return path


def response(*calls: AgentCall, tokens: tuple[int, int] | None = None, **told: Any) -> Response:
    prompt, completion = tokens or (None, None)
    chain = Chain(enabled=bool(calls), calls=calls)
    facts: dict[str, Any] = {"model_calls": len(calls), "prompt_tokens": prompt, "completion_tokens": completion} | told
    return Response("?", True, "agent2_reviewed" if calls else "extractive", "narrative", chain=chain, **facts)


def values(
    told: Response, prices: Prices | None = None, path: AnswerPath = AnswerPath.AGENTIC
) -> tuple[Mapping[str, float], Mapping[str, Any]]:
    return measured(Capture("one", 0, path, "", 1234.5, told), told, prices)


def test_tokens_of_an_answer_are_those_of_all_its_calls() -> None:
    found, details = values(response(DRAFT, REVIEW, tokens=(1500, 250)))
    assert found == {
        "wall_ms": 1234.5,
        "model_calls": 2.0,
        "prompt_tokens": 1500.0,
        "completion_tokens": 250.0,
        "total_tokens": 1750.0,
    }
    assert details["total_tokens"]["complete"] is True
    assert details["total_tokens"]["agents"]["agent2"]["ms"] == 800.0


def test_an_answer_without_a_model_took_no_tokens() -> None:
    found, _ = values(response(model="none"), path=AnswerPath.CONTROL)
    assert (found["total_tokens"], found["model_calls"]) == (0.0, 0.0)


@pytest.mark.parametrize(
    "silent",
    [
        response(DRAFT, replace(REVIEW, prompt_tokens=None, completion_tokens=None)),
        response(DRAFT, REVIEW, tokens_complete=False),
        response(
            DRAFT, replace(REVIEW, status="timeout", prompt_tokens=None, completion_tokens=None), tokens=(1000, 200)
        ),
        response(model="another-server's-model"),
    ],
)
def test_tokens_that_nobody_told_are_missing_and_never_zero(silent: Response, prices: Prices) -> None:
    found, details = values(silent, prices)
    assert not {"prompt_tokens", "completion_tokens", "total_tokens", "cost"} & set(found)
    assert details["total_tokens"]["complete"] is False
    assert details["cost"]["missing"] == ["tokens"]


def test_a_call_that_was_never_made_or_answered_lacks_nothing() -> None:
    silent = {"prompt_tokens": None, "completion_tokens": None}
    told = response(
        DRAFT, replace(REVIEW, status="error", **silent), replace(REVIEW, agent="agent4", status="skipped", **silent)
    )
    found, details = values(told)
    assert found["total_tokens"] == 1200.0
    assert set(details["total_tokens"]["agents"]) == {"agent2", "agent3"}


def test_a_chain_in_the_shadow_is_paid_for_too() -> None:
    told = response(DRAFT, REVIEW, model_calls=0)
    told = replace(told, origin="extractive", chain=replace(told.chain, shadow=True, shadow_answered=True, ms=1100.0))
    found, details = values(told, path=AnswerPath.SHADOW)
    assert (found["total_tokens"], found["model_calls"]) == (1750.0, 2.0)
    assert details["wall_ms"]["shadow"] == 1100.0


def test_cost_by_hand(prices: Prices) -> None:
    found, details = values(response(DRAFT, REVIEW, tokens=(1500, 250)), prices)
    assert found["cost"] == pytest.approx((1500 * 1.0 + 250 * 2.0) / 1_000_000)
    assert details["cost"] == {"currency": "USD", "missing": []}


def test_without_prices_there_is_no_cost() -> None:
    found, details = values(response(DRAFT, tokens=(1000, 200)))
    assert "cost" not in found and "cost" not in details


def test_a_model_that_the_table_does_not_know_is_told_by_name(prices: Prices) -> None:
    strange = replace(REVIEW, model="unheard-of")
    found, details = values(response(DRAFT, strange, tokens=(1500, 250)), prices)
    assert "cost" not in found
    assert details["cost"]["missing"] == ["unheard-of"]


def test_tokens_of_a_call_that_is_not_told_are_priced_by_the_model_that_was_asked(prices: Prices) -> None:
    asked_twice = response(DRAFT, tokens=(2000, 400))
    assert values(asked_twice, prices)[0]["cost"] == pytest.approx((2000 + 800) / 1_000_000)
    more_than_all = response(DRAFT, tokens=(500, 100))
    assert values(more_than_all, prices)[1]["cost"]["missing"] == ["tokens"]


def test_corrections_and_replies_that_were_cut_off_are_told() -> None:
    _, details = values(response(DRAFT, replace(DRAFT, agent="agent4"), replace(REVIEW, truncated=True)))
    assert details["model_calls"] == {"corrected": True, "suspected_truncations": 1}


def test_a_name_itself_comes_before_patterns_and_long_patterns_before_short(prices: Prices) -> None:
    assert prices.cost("vendor/big", 1_000_000, 0) == 10
    assert prices.cost("vendor/small-1", 1_000_000, 0) == Decimal("0.5")
    assert prices.cost("A-MODEL", 1, 1) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[models.a]\nprompt = -1\ncompletion = 1\ncurrency = 'USD'", "models.a.prompt"),
        ("[models.a]\nprompt = nan\ncompletion = 1\ncurrency = 'USD'", "models.a.prompt"),
        ("[models.a]\nprompt = 1\ncurrency = 'USD'", "models.a.completion"),
        ("[models.a]\nprompt = 1\ncompletion = 1\ncurrency = 'USD'\nfree = true", "models.a.free"),
        ("[models]", "models"),
        ("prompt = ", "is no TOML"),
        (
            "[models.a]\nprompt=1\ncompletion=1\ncurrency='USD'\n[models.b]\nprompt=1\ncompletion=1\ncurrency='SEK'",
            "SEK, USD",
        ),
    ],
)
def test_a_table_that_cannot_be_read_says_where(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(EvaluationError, match=r"prices\.toml") as raised:
        read_prices(written(tmp_path, text))
    assert why in str(raised.value)


def test_a_table_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="cannot be read"):
        read_prices(tmp_path / "none.toml")
