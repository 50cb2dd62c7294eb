"""How is the one tool described to a model? Derived from the profile, so that no company stands in the code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ankare.domain.fact import TOTAL, Period
from ankare.language.periods import period_code
from ankare.profile.model import Named, Profile

TOOL_NAME = "query_metric"
PARAMETERS = ("metric", "entity", "period", "channel")


def build_query_metric_tool_openai(profile: Profile) -> dict[str, Any]:
    """The tool in the chat-completions format, with the profile's codes and names as what may be asked for."""
    return ToolTexts(profile).openai()


def build_query_metric_tool_anthropic(profile: Profile) -> dict[str, Any]:
    """The tool in the format of the Messages API."""
    return ToolTexts(profile).anthropic()


class ToolTexts:
    """The descriptions of the tool, put together once; each tool made of them is a new one, that its taker may change."""

    def __init__(self, profile: Profile) -> None:
        whose = f" of {profile.home.company}" if profile.home.company else ""
        self._description = (
            f"Looks up one stored figure{whose}. The result is found, not_found or unrecognized_param; "
            "never answer with a figure that it did not give."
        )
        self._parameters = {
            "metric": f"One of: {_listed(profile.metrics)}.",
            "entity": f"One of: {_listed(profile.entities)}.",
            "period": f"For example {period_code(Period('FY', '2024'))}, 2024H1, 2024T1, 2024Q3 or 2024-03.",
            "channel": f"{TOTAL}, or one of: {_listed(profile.channels)}.",
        }

    def openai(self) -> dict[str, Any]:
        """The tool in the chat-completions format."""
        function = {"name": TOOL_NAME, "description": self._description, "parameters": self._schema()}
        return {"type": "function", "function": function}

    def anthropic(self) -> dict[str, Any]:
        """The tool in the format of the Messages API."""
        return {"name": TOOL_NAME, "description": self._description, "input_schema": self._schema()}

    def _schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {name: {"type": "string", "description": said} for name, said in self._parameters.items()},
            "required": list(PARAMETERS[:3]),
            "additionalProperties": False,
        }


def _listed(items: Sequence[Named]) -> str:
    return ", ".join(f"{item.code} ({item.label})" for item in items) or "none"
