"""Which model plays which part, and how much time has each agent?"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from ankare.answer.cast import DEFAULT_MODEL, RESERVED, cast_of
from ankare.domain.agents import Agent
from ankare.llm.budget import Budget
from ankare.llm.retry import Clock

FOUR = (Agent.REWRITE, Agent.DRAFT, Agent.REVIEW, Agent.CORRECTION)


@dataclass
class Hand:
    """A clock that is moved by hand."""

    now: float = 0.0

    def clock(self) -> Clock:
        return Clock(monotonic=lambda: self.now)


def test_an_agent_without_a_model_gets_the_providers_own() -> None:
    cast = cast_of({Agent.DRAFT: "drafter"}, "house-model")
    assert [(cast[agent].model, cast[agent].shown) for agent in FOUR[:2]] == [
        ("", "house-model"),
        ("drafter", "drafter"),
    ]


@pytest.mark.parametrize("model", ["openai/gpt-oss-120b", "GPT-OSS-120B", "house-120b-instruct"])
def test_no_model_of_120b_corrects(model: str) -> None:
    cast = cast_of({Agent.CORRECTION: model, Agent.DRAFT: model}, "house-model")
    assert cast[Agent.CORRECTION].model == DEFAULT_MODEL
    assert cast[Agent.DRAFT].model == model
    assert len(cast.warnings) == 1
    assert model in cast.warnings[0]


def test_a_correction_that_would_fall_to_a_provider_of_120b_is_given_to_the_default_too() -> None:
    assert cast_of({}, "openai/gpt-oss-120b")[Agent.CORRECTION].model == DEFAULT_MODEL


@pytest.mark.parametrize("model", ["openai/gpt-oss-20b", "qwen-1120b", "model-12b"])
def test_other_models_correct(model: str) -> None:
    cast = cast_of({Agent.CORRECTION: model}, "house-model")
    assert (cast[Agent.CORRECTION].model, cast.warnings) == (model, ())


def test_those_who_write_think_as_hard_as_configured() -> None:
    for effort in ("high", "low", ""):
        cast = cast_of({}, "m", effort)
        assert [cast[agent].effort for agent in FOUR] == ["", effort, "", effort]


def test_each_agent_gets_its_share_and_no_agent_the_time_of_the_fallback() -> None:
    hand, cast = Hand(), cast_of({}, "m")
    budget = Budget(18.0, hand.clock())
    for agent, part in zip(FOUR, (0.2, 0.5, 0.5, 1.0), strict=True):
        allowed = cast.seconds(agent, budget)
        assert allowed == pytest.approx(min(part * budget.left(), budget.left() - RESERVED))
        hand.now += allowed
    assert budget.left() >= RESERVED - 1e-9


def test_what_an_agent_does_not_use_is_there_for_the_next() -> None:
    hand, cast = Hand(), cast_of({}, "m")
    budget = Budget(18.0, hand.clock())
    hand.now = 0.2
    assert cast.seconds(Agent.DRAFT, budget) == pytest.approx(8.9)


def test_without_time_nobody_is_asked() -> None:
    hand, cast = Hand(), cast_of({}, "m")
    budget = Budget(18.0, hand.clock())
    hand.now = 17.6
    assert all(cast.seconds(agent, budget) == 0.0 for agent in FOUR)
    hand.now = 30.0
    assert all(cast.seconds(agent, budget) == 0.0 for agent in FOUR)


@pytest.mark.parametrize("seconds", [0.01, 0.5, 1.0, 600.0])
def test_no_budget_however_small_gives_more_than_it_has(seconds: float) -> None:
    budget, cast = Budget(seconds, Hand().clock()), cast_of({}, "m")
    assert all(0 < cast.seconds(agent, budget) < seconds for agent in (*FOUR, Agent.SYNTHESIS))
