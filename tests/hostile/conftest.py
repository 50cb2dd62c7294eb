"""One home for all scenarios, and the services that they are asked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.hostile.pack import build_home
from tests.hostile.run import run
from tests.hostile.scenario import Scenario
from tests.hostile.stand import Stands


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_home(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def stands(home: Path) -> Iterator[Stands]:
    with Stands(home) as opened:
        yield opened


@pytest.fixture
def holds(stands: Stands) -> Callable[[Scenario], None]:
    """Runs a scenario, and fails with everything that is wrong."""

    def check(scenario: Scenario) -> None:
        outcome = run(scenario, stands)
        if scenario.gap and not outcome.holds:
            pytest.xfail(scenario.gap)
        assert outcome.faults == (), f"{scenario.name}, seen: {outcome.seen}"

    return check
