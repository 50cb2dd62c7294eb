"""However the service of a model fails, the answer comes within its time, says why, and the next question is answered."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from tests.hostile import services
from tests.hostile.models import HONEST
from tests.hostile.pack import AFTERWARDS, QUESTION
from tests.hostile.scenario import MODELS, Scenario
from tests.hostile.stand import PATIENCE, Response, Stands, hanging, until
from tests.model_server import Behaviour, Line

MINE = services.SCENARIOS
AT_ONCE = 6


def held_until(released: threading.Event) -> Behaviour:
    """The honest reply of whichever model is asked, once that is allowed."""

    def hold(line: Line) -> None:
        released.wait(PATIENCE)
        HONEST[line.request.json["model"]](line)

    return hold


@pytest.mark.parametrize("scenario", MINE, ids=[scenario.name for scenario in MINE])
def test_a_service_that_fails_harms_nobody(scenario: Scenario, holds: Callable[[Scenario], None]) -> None:
    holds(scenario)


def test_plain_questions_are_answered_while_models_stall(stands: Stands) -> None:
    stand = stands.of(services.SCENARIOS[0])
    released = threading.Event()
    stand.does(dict.fromkeys(MODELS.values(), held_until(released)))
    answers: list[Response] = []
    asking = [
        threading.Thread(target=lambda: answers.append(stand.ask(QUESTION, enable_agentic_rag=True)))
        for _ in range(AT_ONCE)
    ]
    for thread in asking:
        thread.start()
    stand.models.wait_until_asked(AT_ONCE)
    plain = stand.ask(AFTERWARDS)
    answered = len(answers)
    released.set()
    for thread in asking:
        thread.join()
    assert (plain.status, plain.body["answered"], answered) == (200, True, 0)
    assert [answer.status for answer in answers] == [200] * AT_ONCE
    assert all(answer.body["answered"] for answer in answers)
    assert until(lambda: not hanging())
