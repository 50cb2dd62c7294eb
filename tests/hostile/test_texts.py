"""Whatever a model writes, decides or wraps its reply in, nothing is published that the documents do not say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile import documents, forms, texts, verdicts
from tests.hostile.run import run
from tests.hostile.saboteur import no_gate, stopped_by_the_gate
from tests.hostile.scenario import MODELS, Scenario
from tests.hostile.stand import Stands
from tests.hostile.table import TABLE

MINE = (*texts.SCENARIOS, *verdicts.SCENARIOS, *documents.SCENARIOS, *forms.SCENARIOS)


@pytest.mark.parametrize("scenario", MINE, ids=[scenario.name for scenario in MINE])
def test_no_unsupported_sentence_is_published(scenario: Scenario, holds: Callable[[Scenario], None]) -> None:
    holds(scenario)


def test_the_table_has_every_agent_many_times_and_no_row_twice() -> None:
    names = Counter(scenario.name for scenario in TABLE)
    agents = Counter(scenario.agent for scenario in TABLE)
    assert max(names.values()) == 1
    assert min(agents[agent] for agent in MODELS) >= 40


def test_without_the_gate_every_scenario_that_it_holds_fails(home: Path) -> None:
    held = [scenario for scenario in TABLE if stopped_by_the_gate(scenario)]
    with no_gate(), Stands(home) as stands:
        missed = [scenario.name for scenario in held if run(scenario, stands).holds]
    assert len(held) >= 60
    assert missed == []
