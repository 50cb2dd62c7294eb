"""However the service of a model fails, the answer comes within its time, says why, and the next question is answered."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from tests.hostile import services
from tests.hostile.pack import AFTERWARDS, QUESTION
from tests.hostile.scenario import Scenario
from tests.hostile.stand import Response, Stands, hanging, until
from tests.model_server import stall

MINE = services.SCENARIOS
AT_ONCE = 6


@pytest.mark.parametrize("scenario", MINE, ids=[scenario.name for scenario in MINE])
def test_a_service_that_fails_harms_nobody(scenario: Scenario, holds: Callable[[Scenario], None]) -> None:
    holds(scenario)


def test_plain_questions_are_answered_while_models_stall(stands: Stands) -> None:
    stand = stands.of(services.EVERYTHING_STALLS)
    stand.does({"m1": stall, "m2": stall})
    answers: list[Response] = []
    asking = [
        threading.Thread(target=lambda: answers.append(stand.ask(QUESTION, enable_agentic_rag=True)))
        for _ in range(AT_ONCE)
    ]
    for thread in asking:
        thread.start()
    stand.models.wait_until_asked(AT_ONCE)
    plain = stand.ask(AFTERWARDS)
    waiting = len(answers)
    for thread in asking:
        thread.join()
    assert (plain.status, plain.body["answered"], waiting) == (200, True, 0)
    assert {answer.body["answer_origin"] for answer in answers} == {"fallback"}
    assert until(lambda: not hanging())
