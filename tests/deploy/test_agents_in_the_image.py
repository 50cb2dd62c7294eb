"""In the image agents are on where a model is configured; whatever somebody has set, either way, stays."""

from __future__ import annotations

import pytest

from ankare.settings import as_environment, load_settings

IMAGE = "ANKARE_AGENTIC_RAG_WITH_PROVIDER"
BASE_URL = {"ANKARE_LLM_BASE_URL": "https://models.example/v1"}


@pytest.mark.parametrize(
    ("variables", "on"),
    [
        ({}, False),
        ({IMAGE: "true"}, False),
        ({IMAGE: "true", "ANKARE_LLM_PROVIDER": "none"}, False),
        ({**BASE_URL}, False),
        ({IMAGE: "false", **BASE_URL}, False),
        ({IMAGE: "true", **BASE_URL}, True),
        ({IMAGE: "true", "SYSTEMINFORANDE_LLM_BASE_URL": "https://models.example/v1"}, True),
        ({IMAGE: "true", "ANKARE_LLM_PROVIDER": "mock"}, True),
        ({IMAGE: "true", "ANKARE_ENABLE_AGENTIC_RAG": "false", **BASE_URL}, False),
        ({IMAGE: "true", "SYSTEMINFORANDE_ENABLE_AGENTIC_RAG": "false", **BASE_URL}, False),
        ({IMAGE: "true", "ANKARE_ENABLE_AGENTIC_RAG": "true"}, True),
    ],
    ids=str,
)
def test_agents_come_with_a_provider(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], on: bool) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    settings = load_settings()
    assert settings.enable_agentic_rag is on
    for name, value in as_environment(settings).items():
        monkeypatch.setenv(name, value)
    assert load_settings().enable_agentic_rag is on, "a worker process decides otherwise"
