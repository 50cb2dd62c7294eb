"""Which settings do agents have, under which names, and what becomes of wrong ones?"""

from __future__ import annotations

from pathlib import Path

import pytest

from ankare.cli.doctor import examine
from ankare.domain.agents import Agent, Mode
from ankare.errors import SettingsError
from ankare.llm.mock import MockProvider
from ankare.settings import Settings, as_environment, is_router, load_settings
from ankare.wiring import cast_from, documents_of

NAMES = {
    "ENABLE_AGENTIC_RAG": ("enable_agentic_rag", "true", True),
    "AGENTIC_RAG_MODE": ("agentic_rag_mode", "shadow", Mode.SHADOW),
    "ENABLE_LLM_SYNTHESIS": ("enable_llm_synthesis", "1", True),
    "LLM_SYNTHESIS_MODEL": ("llm_synthesis_model", "m", "m"),
    "AGENT1_MODEL": ("agent1_model", "m", "m"),
    "AGENT2_MODEL": ("agent2_model", "m", "m"),
    "AGENT3_MODEL": ("agent3_model", "m", "m"),
    "AGENT_CORRECTION_MODEL": ("agent_correction_model", "m", "m"),
    "AGENT_REASONING_EFFORT": ("agent_reasoning_effort", "low", "low"),
    "AGENTIC_RAG_MAX_RETRIEVAL_QUERIES": ("agentic_rag_max_retrieval_queries", "3", 3),
    "AGENTIC_RAG_MAX_CONTEXT_CHUNKS": ("agentic_rag_max_context_chunks", "4", 4),
    "AGENTIC_RAG_TIMEOUT_SECONDS": ("agentic_rag_timeout_seconds", "30", 30.0),
    "AGENTIC_RAG_REQUIRE_REVIEW": ("agentic_rag_require_review", "true", True),
    "AGENTIC_RAG_LOG_CONTRACTS": ("agentic_rag_log_contracts", "true", True),
}


@pytest.mark.parametrize("prefix", ["ANKARE_", "SYSTEMINFORANDE_"])
@pytest.mark.parametrize("name", NAMES)
def test_every_setting_is_read_under_both_prefixes(monkeypatch: pytest.MonkeyPatch, prefix: str, name: str) -> None:
    field, written, expected = NAMES[name]
    assert getattr(Settings(), field) != expected
    monkeypatch.setenv(prefix + name, written)
    assert getattr(load_settings(), field) == expected


def test_without_settings_agents_are_off_and_publish_once_switched_on() -> None:
    settings = Settings()
    assert (settings.enable_agentic_rag, settings.enable_llm_synthesis) == (False, False)
    assert settings.agentic_rag_mode is Mode.REVIEWED_ANSWER
    assert (settings.agentic_rag_timeout_seconds, settings.agentic_rag_require_review) == (18.0, False)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("AGENTIC_RAG_MODE", "on"),
        ("AGENTIC_RAG_MAX_RETRIEVAL_QUERIES", "0"),
        ("AGENTIC_RAG_MAX_RETRIEVAL_QUERIES", "6"),
        ("AGENTIC_RAG_MAX_CONTEXT_CHUNKS", "13"),
        ("AGENTIC_RAG_TIMEOUT_SECONDS", "0"),
        ("AGENTIC_RAG_TIMEOUT_SECONDS", "soon"),
        ("AGENTIC_RAG_REQUIRE_REVIEW", "perhaps"),
        ("AGENT_REASONING_EFFORT", "very"),
    ],
)
def test_a_wrong_setting_is_told_by_its_name(monkeypatch: pytest.MonkeyPatch, name: str, written: str) -> None:
    monkeypatch.setenv("ANKARE_" + name, written)
    with pytest.raises(SettingsError, match=f"ANKARE_{name}.*{written!r}"):
        load_settings()


@pytest.mark.parametrize("written", ["", " ", "Reviewed_Answer", "SHADOW"])
def test_an_empty_mode_is_an_unset_one_and_case_does_not_matter(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("ANKARE_AGENTIC_RAG_MODE", written)
    assert load_settings().agentic_rag_mode.value == (written.strip().lower() or "reviewed_answer")


def test_worker_processes_get_the_same_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(agentic_rag_mode=Mode.SHADOW, agent2_model="m", agentic_rag_require_review=True)
    for name, value in as_environment(settings).items():
        monkeypatch.setenv(name, value)
    assert load_settings() == settings


def test_models_that_are_not_named_are_the_providers_own() -> None:
    named = Settings(llm_base_url="http://127.0.0.1:9/v1", llm_model="house", agent3_model="reviewer")
    cast = cast_from(named)
    assert (cast[Agent.DRAFT].shown, cast[Agent.REVIEW].shown) == ("house", "reviewer")
    assert cast_from(Settings(llm_base_url="http://127.0.0.1:9/v1"))[Agent.DRAFT].shown == "openai/gpt-oss-20b"
    assert cast_from(Settings(llm_provider="anthropic"))[Agent.DRAFT].shown.startswith("claude")


def test_settings_reach_the_chain() -> None:
    settings = Settings(
        agentic_rag_mode=Mode.SHADOW,
        agentic_rag_max_retrieval_queries=3,
        agentic_rag_max_context_chunks=4,
        agentic_rag_timeout_seconds=30,
        agentic_rag_require_review=True,
        agentic_rag_log_contracts=True,
    )
    channel = documents_of(settings, MockProvider())
    assert channel.mode is Mode.SHADOW
    assert channel.chain is not None
    limits = channel.chain.settings
    assert (limits.queries, limits.context, limits.seconds) == (3, 4, 30.0)
    assert limits.require_review
    assert limits.log_contracts


def test_a_correction_by_120b_is_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    documents_of(Settings(agent_correction_model="openai/gpt-oss-120b"), MockProvider())
    assert [record.levelname for record in caplog.records if "120b" in record.message] == ["WARNING"]


@pytest.mark.parametrize(
    ("given", "state", "found"),
    [
        ({}, "ok", "off by default"),
        ({"enable_agentic_rag": True, "agentic_rag_mode": "off"}, "ok", "AGENTIC_RAG_MODE=off"),
        ({"enable_agentic_rag": True}, "missing", "no model is configured"),
        ({"enable_agentic_rag": True, "llm_provider": "mock"}, "ok", "mode reviewed_answer, 18 s; agent1 mock"),
        (
            {"enable_llm_synthesis": True, "llm_provider": "mock", "agent_correction_model": "x-120b"},
            "note",
            "agent4 openai/gpt-oss-20b",
        ),
    ],
)
def test_doctor_tells_who_takes_part(tmp_path: Path, given: dict[str, object], state: str, found: str) -> None:
    (check,) = [one for one in examine(Settings(home=tmp_path, **given)) if one.name == "agents"]  # type: ignore[arg-type]
    assert check.state == state
    assert found in check.found


SET = "hf_not_for_others"


@pytest.mark.parametrize(
    "url",
    [
        "https://router.huggingface.co/v1",
        "https://router.huggingface.co",
        "https://ROUTER.huggingface.co:443/v1",
    ],
)
def test_the_router_gets_the_token_that_its_users_have_set(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("HF_TOKEN", SET)
    assert load_settings(llm_base_url=url).llm_api_key.get_secret_value() == SET
    assert load_settings(llm_base_url=url, llm_api_key="own").llm_api_key.get_secret_value() == "own"


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/router.huggingface.co",
        "https://evil.example/?to=https://router.huggingface.co/v1",
        "https://evil.example/#router.huggingface.co",
        "https://router.huggingface.co.evil.example/v1",
        "https://router.huggingface.co@evil.example/v1",
        "https://evil-router.huggingface.co/v1",
        "https://a.router.huggingface.co/v1",
        "https://evil.example\\@router.huggingface.co/v1",
        "https://router.huggingface.co\\.evil.example/v1",
        "https://someone@router.huggingface.co/v1",
        "https://router.huggingface.co:8443/v1",
        "https://router.huggingface.co:x/v1",
        "https://[router.huggingface.co/v1",
        "http://router.huggingface.co/v1",
        "router.huggingface.co/v1",
        "//router.huggingface.co/v1",
        "",
    ],
)
def test_no_other_address_gets_the_token(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("HF_TOKEN", SET)
    assert not is_router(url)
    try:
        settings = load_settings(llm_base_url=url)
    except SettingsError:
        return
    assert settings.llm_api_key.get_secret_value() == ""


@pytest.mark.parametrize(("seconds", "warned"), [(100, False), (120, True), (300, True)])
def test_a_chain_that_may_outlast_its_request_is_warned_of(seconds: int, warned: bool) -> None:
    settings = load_settings(llm_provider="mock", agentic_rag_timeout_seconds=seconds)
    assert any("REQUEST_SECONDS" in warning for warning in settings.warnings) is warned
