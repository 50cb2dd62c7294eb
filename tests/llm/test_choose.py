"""A configuration means one provider, or is an error that says what to set."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from ankare.errors import MissingExtraError, SettingsError
from ankare.llm.choose import make_provider

HERE = "http://localhost:11434/v1"


def made(kind: str = "", base_url: str = "", api_key: str = "", model: str = "", proxy: str = ""):
    return make_provider(kind, base_url=base_url, api_key=api_key, model=model, timeout_seconds=5, proxy=proxy)


@pytest.mark.parametrize(
    ("given", "provider"),
    [
        ({}, "None"),
        ({"kind": "none"}, "None"),
        ({"kind": "none", "base_url": HERE}, "None"),
        ({"kind": "mock"}, "MockProvider()"),
        ({"base_url": HERE}, f"OpenAIProvider('{HERE}', model='openai/gpt-oss-20b')"),
        ({"base_url": f"{HERE}/ ", "model": "m"}, f"OpenAIProvider('{HERE}', model='m')"),
        ({"kind": "OpenAI", "api_key": "k", "model": "m"}, "OpenAIProvider('https://api.openai.com/v1', model='m')"),
        (
            {"kind": "anthropic", "api_key": "k"},
            "AnthropicProvider('https://api.anthropic.com', model='claude-opus-4-8')",
        ),
        (
            {"kind": "anthropic", "api_key": "k", "base_url": "https://gate.example", "model": "m"},
            "AnthropicProvider('https://gate.example', model='m')",
        ),
    ],
)
def test_a_configuration_means_one_provider(given: dict[str, str], provider: str) -> None:
    assert repr(made(**given)) == provider


@pytest.mark.parametrize(
    "given",
    [
        {"kind": "gemini"},
        {"kind": "openai", "model": "m"},
        {"kind": "openai", "api_key": "k"},
        {"kind": "anthropic"},
        {"kind": "anthropic", "api_key": "  "},
        {"base_url": HERE, "api_key": "sk with blanks"},
        {"base_url": HERE, "api_key": "sk-å"},
        {"base_url": HERE, "api_key": "sk\nX-Evil: a"},
        {"base_url": HERE, "proxy": "socks5://localhost:1"},
    ],
)
def test_what_cannot_be_used_is_a_settings_error(given: dict[str, str]) -> None:
    with pytest.raises(SettingsError) as caught:
        made(**given)
    assert caught.value.remedy
    assert "sk" not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "localhost:11434",
        "ftp://host/v1",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://",
        "http:///v1",
        "http://host:99999/v1",
        "http://host:x/v1",
        "http://[::1/v1",
        "http://ho st/v1",
        "http://host/v1\nX: y",
        "http://host/v1?key=a",
        "http://host/v1#a",
        "http://me:secret@host/v1",
        "http://a..b/v1",
        "//host/v1",
    ],
)
@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_base_url_is_an_http_address_without_a_user(kind: str, address: str) -> None:
    with pytest.raises(SettingsError) as caught:
        made(kind, address, "k", "m")
    assert "secret" not in str(caught.value)


def test_a_key_is_trimmed_as_pasting_leaves_it() -> None:
    provider = made("openai", HERE, " sk-abc\n", "m")
    assert provider is not None
    assert provider._service._key == "sk-abc"


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_missing_extra_is_told_when_the_provider_is_made(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"ankare\[llm\]"):
        made(kind, HERE, "k", "m")


def test_a_broken_extra_is_told_when_it_is_first_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ankare.llm.transport", None)
    provider = made("openai", HERE, "k", "m")
    assert provider is not None
    with pytest.raises(MissingExtraError, match=r"ankare\[llm\]"):
        provider.chat([])
