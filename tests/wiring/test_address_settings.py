"""A wrong address of a model, or one where the key could be read on the way, is refused before any question is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from ankare.cli.doctor import examine
from ankare.errors import ProviderError, SettingsError
from ankare.llm.openai_compatible import OpenAIProvider
from ankare.settings import Settings, load_settings
from ankare.wiring import open_engine

KEY = "sk-not-to-be-told"


@pytest.mark.parametrize("prefix", ["ANKARE_", "SYSTEMINFORANDE_"])
@pytest.mark.parametrize(
    "address",
    [
        "http://0177.0.0.1:9/v1",
        "http://127.0.0.01:9/v1",
        "http://h/v1?key=SECRET",
        "http://me:SECRET@h/v1",
        "http://h/../v1",
        "https://h/v1/chat/completions",
        "SECRET",
    ],
)
def test_an_address_that_cannot_be_called_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, prefix: str, address: str
) -> None:
    monkeypatch.setenv(prefix + "LLM_BASE_URL", address)
    with pytest.raises(SettingsError, match=r"^ANKARE_LLM_BASE_URL ") as caught:
        load_settings()
    assert caught.value.remedy
    assert "SECRET" not in str(caught.value)


def test_an_empty_address_is_one_that_is_not_set() -> None:
    assert load_settings(llm_base_url=" ").provider_kind == "none"


@pytest.mark.parametrize("address", ["http://model.example/v1", "HTTP://8.8.8.8/v1", "http://127.0.0.1.example/v1"])
@pytest.mark.parametrize("kind", ["", "openai", "anthropic"])
def test_the_key_never_goes_in_clear_to_a_public_host(address: str, kind: str) -> None:
    with pytest.raises(SettingsError, match=r"ANKARE_LLM_BASE_URL.*unencrypted") as caught:
        load_settings(llm_base_url=address, llm_api_key=KEY, llm_provider=kind)
    assert "https://" in caught.value.remedy
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "key", "kind"),
    [
        ("https://model.example/v1", KEY, ""),
        ("http://model.example/v1", "", ""),
        ("http://model.example/v1", " ", ""),
        ("http://model.example/v1", KEY, "none"),
        ("http://model.example/v1", KEY, "mock"),
        ("http://127.0.0.1:11434/v1", KEY, ""),
        ("http://localhost:11434/v1", KEY, ""),
        ("http://[::1]:11434/v1", KEY, ""),
    ],
)
def test_where_no_one_can_listen_nothing_is_said(address: str, key: str, kind: str) -> None:
    assert load_settings(llm_base_url=address, llm_api_key=key, llm_provider=kind).warnings == ()


@pytest.mark.parametrize("address", ["http://vllm:8000/v1", "http://192.168.1.7/v1", "http://gpu.local/v1"])
def test_a_private_network_is_allowed_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, address: str
) -> None:
    settings = Settings(home=tmp_path, semantic=False, llm_base_url=address, llm_api_key=KEY)
    open_engine(settings)
    assert [r.levelname for r in caplog.records if "unencrypted" in r.message] == ["WARNING"]
    (check,) = [one for one in examine(settings) if one.name == "model"]
    assert (check.state, "unencrypted" in check.remedy) == ("note", True)
    assert KEY not in caplog.text + str(check)


def test_an_address_that_the_library_alone_refuses_is_an_error_of_the_provider() -> None:
    provider = OpenAIProvider("http://127.0.0.1:9/v1", "", "m")
    provider._service.base_url = "http://0177.0.0.1:9/v1"
    with pytest.raises(ProviderError) as caught:
        provider.chat([])
    assert caught.value.kind == "bad_request"


@pytest.mark.parametrize("written", ["0.01", "1e-300", "0.4999", "0.9501", "1", "nan", "inf", "-1"])
def test_a_threshold_under_which_false_text_passes_is_refused(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("ANKARE_GROUNDING_THRESHOLD", written)
    with pytest.raises(SettingsError, match=r"ANKARE_GROUNDING_THRESHOLD.*0\.(5|95)\b"):
        load_settings()


@pytest.mark.parametrize("written", ["0.5", "0.95"])
def test_a_threshold_may_be_stricter(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("ANKARE_GROUNDING_THRESHOLD", written)
    assert load_settings().grounding_threshold == float(written)
