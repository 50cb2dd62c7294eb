"""How is the one tool described to a model? Derived from the profile, so that no company stands in the code."""

from __future__ import annotations

from typing import Any

from ankare.domain.fact import TOTAL, Period
from ankare.language.periods import period_code
from ankare.profile.model import Profile

TOOL_NAME = "query_metric"
PARAMETERS = ("metric", "entity", "period", "channel")


def build_query_metric_tool_openai(profile: Profile) -> dict[str, Any]:
    """The tool in the chat-completions format, with the profile's codes and names as what may be asked for."""
    return {"type": "function", "function": {**_described(profile), "parameters": _schema(profile)}}


def build_query_metric_tool_anthropic(profile: Profile) -> dict[str, Any]:
    """The tool in the format of the Messages API."""
    return {**_described(profile), "input_schema": _schema(profile)}


def _described(profile: Profile) -> dict[str, str]:
    whose = f" of {profile.home.company}" if profile.home.company else ""
    return {
        "name": TOOL_NAME,
        "description": f"Looks up one stored figure{whose}. The result is found, not_found or unrecognized_param; "
        "never answer with a figure that it did not give.",
    }


def _schema(profile: Profile) -> dict[str, Any]:
    def listed(items: tuple[Any, ...]) -> str:
        return ", ".join(f"{item.code} ({item.label})" for item in items) or "none"

    example = period_code(Period("FY", "2024"))
    return {
        "type": "object",
        "properties": {
            "metric": {"type": "string", "description": f"One of: {listed(profile.metrics)}."},
            "entity": {"type": "string", "description": f"One of: {listed(profile.entities)}."},
            "period": {"type": "string", "description": f"For example {example}, 2024H1, 2024Q3 or 2024-03."},
            "channel": {"type": "string", "description": f"{TOTAL}, or one of: {listed(profile.channels)}."},
        },
        "required": list(PARAMETERS[:3]),
        "additionalProperties": False,
    }
