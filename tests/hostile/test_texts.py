"""Whatever a model writes, decides or wraps its reply in, nothing is published that the documents do not say."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile import documents, forms, texts, verdicts
from tests.hostile.models import KEY, LIE, writes
from tests.hostile.pack import QUESTION
from tests.hostile.run import run
from tests.hostile.saboteur import no_gate, stopped_by_the_gate, verdict
from tests.hostile.scenario import MODELS, Scenario
from tests.hostile.stand import Stands, stand
from tests.hostile.table import TABLE
from tests.model_server import refuses, says

MINE = (*texts.SCENARIOS, *verdicts.SCENARIOS, *documents.SCENARIOS, *forms.SCENARIOS)


@pytest.mark.parametrize("scenario", MINE, ids=[scenario.name for scenario in MINE])
def test_no_unsupported_sentence_is_published(scenario: Scenario, holds: Callable[[Scenario], None]) -> None:
    holds(scenario)


@pytest.mark.parametrize("lie", ["one lie among truths", "a script", "a picture that carries data away", "a negation"])
def test_a_stream_holds_nothing_of_a_text_that_was_stopped(lie: str, stands: Stands) -> None:
    scenario = next(scenario for scenario in TABLE if scenario.name == f"agent2: {lie}")
    asked = stands.of(scenario)
    control = asked.plain(scenario.question).body["answer_markdown"]
    asked.does(scenario.does)
    told = asked.ask(scenario.question, "text/event-stream", enable_agentic_rag=True).text
    pieces = [json.loads(line)["text"] for line in re.findall(r"^event: text\ndata: (.*)$", told, re.MULTILINE)]
    assert "".join(pieces) == control
    assert not [poison for poison in (*scenario.poison, "beslutar inte") if poison in told]


def test_the_logs_hold_neither_a_stopped_text_nor_the_key(home: Path, tmp_path: Path) -> None:
    with stand(home, {"log_dir": tmp_path}) as asked:
        for behaviour in (writes(LIE), says(f'{{"answer": "{LIE}'), refuses(402, code=KEY, message=LIE)):
            asked.does({"m2": behaviour})
            asked.ask(QUESTION, enable_agentic_rag=True)
    logged = "".join(file.read_text("utf-8") for file in tmp_path.iterdir())
    assert "agent2_grounding_failed" in logged
    assert "agent2_invalid_json" in logged
    assert "400 000" not in logged
    assert KEY not in logged


def test_the_table_has_every_agent_many_times_and_no_row_twice() -> None:
    names = Counter(scenario.name for scenario in TABLE)
    agents = Counter(scenario.agent for scenario in TABLE)
    assert max(names.values()) == 1
    assert min(agents[agent] for agent in MODELS) >= 40


def test_without_the_gate_every_text_that_it_holds_is_published(home: Path) -> None:
    held = [scenario for scenario in TABLE if stopped_by_the_gate(scenario)]
    with no_gate(), Stands(home) as stands:
        others = {one.name: said for one in held if (said := verdict(run(one, stands))) != "noticed"}
    assert len(held) >= 60
    assert others == {}
