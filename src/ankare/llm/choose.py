"""Which provider does a configuration mean? Nothing is read from the environment and nothing is connected to."""

from __future__ import annotations

from ankare.errors import SettingsError
from ankare.llm.anthropic_messages import DEFAULT_ANTHROPIC_MODEL, AnthropicProvider
from ankare.llm.mock import MockProvider
from ankare.llm.openai_compatible import DEFAULT_OPENAI_MODEL, OPENAI_URL, OpenAIProvider
from ankare.llm.options import ConfigurableProvider
from ankare.llm.service import Link

KINDS = ("none", "openai", "anthropic", "mock")


def make_provider(
    kind: str, *, base_url: str, api_key: str, model: str, timeout_seconds: float, proxy: str = ""
) -> ConfigurableProvider | None:
    """The provider of this kind, None for "none". A kind that is not given ("") is "openai" with a base URL, else "none".

    "" for `base_url` and `model` means the kind's own. Raises SettingsError for an unknown kind, an address that is not
    http(s), a key that is missing where it is needed; MissingExtraError where the extra `llm` is not installed.
    """
    kind = kind.strip().lower() or ("openai" if base_url else "none")
    if kind not in KINDS:
        raise SettingsError(f"{kind!r} is no kind of model provider.", f"Known are {', '.join(KINDS)}.")
    if kind == "none":
        return None
    if kind == "mock":
        return MockProvider()
    if not api_key.strip() and (kind == "anthropic" or not base_url):
        raise SettingsError(f"The model provider {kind} needs an API key.", "Set ANKARE_LLM_API_KEY.")
    link = Link(proxy=proxy)
    if kind == "anthropic":
        return AnthropicProvider(
            api_key, model or DEFAULT_ANTHROPIC_MODEL, base_url or None, timeout_seconds=timeout_seconds, link=link
        )
    if not base_url and not model:
        raise SettingsError("The model provider openai needs a model or a base URL.", "Set ANKARE_LLM_MODEL.")
    return OpenAIProvider(
        base_url or OPENAI_URL, api_key, model or DEFAULT_OPENAI_MODEL, timeout_seconds=timeout_seconds, link=link
    )
