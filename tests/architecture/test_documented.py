"""The guides name every setting, part, status and reason that there is, and show what the gate really says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pydantic import SecretStr

from ankare.answer.cast import PARTS, SYNTHESIS, Part
from ankare.cli.gate import Asked, answer
from ankare.domain.agents import Agent, FinalState, Mode, Origin, Reason, ReviewState, RunStatus, fault_of
from ankare.domain.grounding import Ungrounded
from ankare.retrieve.rewrites import Unfit
from ankare.settings import Settings

ROOT = Path(__file__).parents[2]
AGENTS = (ROOT / "docs/agents-and-models.md").read_text("utf-8")
GATE = (ROOT / "docs/grounding-gate.md").read_text("utf-8")
GUIDES = (ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").glob("*.md")))


def explained(guide: str) -> set[str]:
    """The names in the first cells of the guide's tables."""
    return {name for row in re.findall(r"^\| (`[^|]*) \|", guide, re.M) for name in re.findall(r"`([^`]+)`", row)}


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_stands_in_the_guide_with_its_default(name: str) -> None:
    default = Settings.model_fields[name].default
    value = default.get_secret_value() if isinstance(default, SecretStr) else default
    shown = str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
    written = "unset" if value in (None, "") else f"`{shown}`"
    assert f"| `{name.upper()}` | {written} |" in AGENTS


@pytest.mark.parametrize("reason", [*Reason, *(fault_of(agent, "invalid_json") for agent in Agent)])
def test_every_reason_is_explained(reason: str) -> None:
    assert str(reason) in explained(AGENTS)


@pytest.mark.parametrize("state", [*Mode, *Origin, *RunStatus])
def test_every_mode_origin_and_status_is_explained(state: str) -> None:
    assert str(state) in explained(AGENTS)


@pytest.mark.parametrize("state", [*FinalState, *ReviewState, *Unfit])
def test_every_other_word_of_the_metadata_is_named(state: str) -> None:
    assert f"`{state}`" in AGENTS


@pytest.mark.parametrize("part", [*PARTS.values(), SYNTHESIS], ids=lambda part: part.agent.value)
def test_the_parts_are_those_of_the_cast(part: Part) -> None:
    row = next(line for line in AGENTS.splitlines() if line.startswith(f"| `{part.agent.value}` | "))
    assert f"| `{part.shown}` | {part.temperature} | {part.max_tokens} | {part.weight} |" in row


@pytest.mark.parametrize("reason", Ungrounded)
def test_every_reason_of_the_gate_is_explained(reason: str) -> None:
    assert str(reason) in explained(GATE)


EXAMPLES = [json.loads(line) for line in re.findall(r'^\{"claim": .*\}$', GATE, re.M) if '"detail"' in line]
EVIDENCE = " ".join(re.findall(r"it is: \*(.*?)\*$", GATE, re.M))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["reason"])
def test_the_gate_says_what_the_guide_says(example: dict[str, str]) -> None:
    row = answer(Asked(example["claim"], (EVIDENCE,), example.get("question", ""), "sv"))
    assert (row["supported"], row["reason"], row["detail"]) == (False, example["reason"], example["detail"])


def test_each_reason_of_the_gate_has_an_example() -> None:
    assert {example["reason"] for example in EXAMPLES} == set(Ungrounded) - {Ungrounded.GATE_ERROR}


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_links_lead_somewhere(guide: Path) -> None:
    text = guide.read_text("utf-8")
    for target, heading in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", text):
        linked = (guide.parent / target) if target else guide
        assert linked.exists(), target
        if heading:
            headings = re.findall(r"^#+ (.*)$", linked.read_text("utf-8"), re.M)
            assert heading in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in headings}
