"""Which settings does ankare read from the environment? Nothing else in the package reads it.

Prefix `ANKARE_`; the older `SYSTEMINFORANDE_` spelling of the same names is accepted too. The new prefix wins.

Long because every setting stands here, with what it does: one place to look them up.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from pydantic_settings.sources import EnvSettingsSource

from ankare._revision import running_revision
from ankare.domain.agents import Mode
from ankare.errors import SettingsError
from ankare.llm.address import Reach, checked_url, reach

PREFIX = "ANKARE_"
OLDER_PREFIX = "SYSTEMINFORANDE_"
BASE_URL = PREFIX + "LLM_BASE_URL"
ROUTER_HOST = "router.huggingface.co"
SHORTEST_TOKEN = 20
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(?::[0-9]{1,5})?|https?://\[[0-9a-f:]+\](?::[0-9]{1,5})?")


class Settings(BaseSettings):
    """Everything that can be configured for a run, with its default."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True, validate_default=True)

    home: Path = Field(default=Path(".ankare"), description="The home folder: index, copies of documents, caches.")
    pack: Path | None = Field(default=None, description="A pack folder whose profile is used.")
    semantic: bool = Field(default=True, description="Use the semantic part where it is installed and embedded.")
    enable_agentic_rag: bool = Field(default=False, description="Run the agent chain; needs a model provider.")
    agentic_rag_with_provider: bool = Field(
        default=False, description="Run the chain where a model is configured and ENABLE_AGENTIC_RAG says nothing."
    )
    agentic_rag_mode: Mode = Field(
        default=Mode.REVIEWED_ANSWER,
        description="What the chain may do where it is on: off, shadow (runs, is logged, never shown) or reviewed_answer.",
    )
    enable_llm_synthesis: bool = Field(default=False, description="Let a model rewrite answers behind the gate.")
    max_question_chars: int = Field(default=2000, ge=10, le=20_000, description="Longer questions are a 400.")
    top_k: int = Field(default=8, ge=1, le=50, description="Hits shown by default.")
    log_dir: Path | None = Field(
        default=None, description="Where the service writes its usage log; unset means nowhere."
    )
    threads: int | None = Field(
        default=None,
        ge=1,
        le=64,
        description="Questions that a process works on at once; unset: 1, or 2 with semantics.",
    )
    max_in_flight: int = Field(default=256, ge=1, le=100_000, description="Waiting questions; further ones are a 503.")
    host: str = Field(default="127.0.0.1", description="The address that the service listens on.")
    port: int = Field(default=7860, ge=0, le=65_535, description="The port that the service listens on.")
    frame_ancestors: str = Field(
        default="'self'", pattern=r"^[^;,\r\n]*$", description="Sites that may show the page in a frame (CSP)."
    )
    api_keys: Literal["off", "optional", "required"] = Field(
        default="off", description="Keys of callers (`ankare keys`): off, optional (a key opens more) or required."
    )
    admin_token: SecretStr = Field(
        default=SecretStr(""), description="Opens the library page; at least 20 characters. Unset: there is none."
    )
    metrics_token: SecretStr = Field(
        default=SecretStr(""), description="Opens /metrics, and nothing else; at least 20 characters."
    )
    smoke_key: SecretStr = Field(
        default=SecretStr(""), description="The API key that `ankare smoke` sends; the service does not read it."
    )
    eval_key: SecretStr = Field(
        default=SecretStr(""), description="The API key that `ankare eval run` sends; the service does not read it."
    )
    rate_per_minute: int = Field(
        default=0,
        ge=0,
        le=100_000,
        description="Requests per minute of a key, or without one of an address; 0: no limit.",
    )
    trusted_proxies: str = Field(
        default="", description="Addresses or networks, commas between, whose X-Forwarded-For and -Proto are believed."
    )
    cors_origins: str = Field(
        default="", description="Sites, commas between, whose scripts may call the API with a key: https://example.org"
    )
    max_body_bytes: int = Field(default=100_000, ge=1000, le=10_000_000, description="Larger requests are a 413.")
    max_upload_bytes: int = Field(
        default=100_000_000, ge=1, le=500_000_000, description="Larger files are not taken into the library: a 413."
    )
    max_library_bytes: int = Field(
        default=10_000_000_000, ge=1, description="What the files of the library may take up together; then a 507."
    )
    reader_memory_bytes: int = Field(
        default=2_000_000_000, ge=100_000_000, description="Memory that reading one file may take; then it has failed."
    )
    reader_seconds: float = Field(
        default=40.0,
        ge=1,
        le=3600,
        description="Processor time that reading a small file may take; a large one, or one of many pages, gets more.",
    )
    body_seconds: float = Field(
        default=20.0, gt=0, le=600, description="Time to send a request; slower ones are a 408."
    )
    request_seconds: float = Field(
        default=120.0, gt=0, le=3600, description="Time for a whole request; then it is a 504."
    )
    grace_seconds: int = Field(
        default=20, ge=0, le=600, description="How long answers under way are waited for when the service stops."
    )
    workers: int = Field(default=1, ge=1, le=64, description="Processes that answer.")
    shared_folder: Path | None = Field(
        default=None, description="Where workers of one machine count requests together; `ankare serve` makes one."
    )
    public_url: str = Field(
        default="",
        pattern=r"^(https?://[^\s?#]+)?$",
        description="Where clients reach the service, for links in chats and MCP; unset: links without a host.",
    )
    mcp: bool = Field(default=False, description="Serve MCP at /mcp; needs the extra mcp.")
    mcp_allowed_hosts: str = Field(
        default="",
        description="Hosts beside localhost and PUBLIC_URL that MCP clients may name, with commas between: ankare:7860",
    )
    revision: str = Field(
        default="", description="The deployed revision, shown everywhere; unset: the checkout's commit, or the version."
    )
    log_texts: bool = Field(
        default=False,
        description="Keep questions and answers in logs and spans; else their length and a keyed hash.",
    )
    log_format: Literal["", "text", "json"] = Field(
        default="", description="How the process log is written: text or json; empty: text on a terminal, else json."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="What the process log tells at least: debug, info (each request), warning or error."
    )
    otel: bool = Field(
        default=False, description="Send spans to the OTLP endpoint that OTEL_* variables name; needs the extra otel."
    )
    facts_url: SecretStr = Field(
        default=SecretStr(""),
        description="postgresql://... of the figures; unset: the file facts.db in the home folder.",
    )
    figures_tool_loop: bool = Field(
        default=False, description="Let the model call the look-up of figures; the answer is the same, and slower."
    )
    llm_provider: str = Field(default="", description="none, openai, anthropic or mock; a base URL alone means openai.")
    llm_base_url: str = Field(default="", description="The address of an OpenAI-compatible service.")
    llm_api_key: SecretStr = Field(default=SecretStr(""), description="The key of the model service.")
    llm_model: str = Field(default="", description="The model's name; empty: the provider's own default.")
    llm_timeout_seconds: float = Field(
        default=18.0,
        gt=0,
        le=600,
        description="Time for one call in the look-up of figures; chain and synthesis have AGENTIC_RAG_TIMEOUT_SECONDS.",
    )

    llm_synthesis_model: str = Field(default="", description="The model that rewrites answers; empty: LLM_MODEL.")
    agent1_model: str = Field(default="", description="The model that rewrites the search; empty: LLM_MODEL.")
    agent2_model: str = Field(default="", description="The model that drafts; empty: LLM_MODEL.")
    agent3_model: str = Field(default="", description="The model that reviews; empty: LLM_MODEL.")
    agent_correction_model: str = Field(
        default="", description="The model that corrects; empty: LLM_MODEL. One of 120b is replaced by the default."
    )
    agent_reasoning_effort: Literal["", "low", "medium", "high"] = Field(
        default="high", description="How hard drafting and correcting think; empty: as the model does by itself."
    )
    agentic_rag_max_retrieval_queries: int = Field(
        default=5, ge=1, le=5, description="Most wordings that are searched, the question itself included."
    )
    agentic_rag_max_context_chunks: int = Field(default=8, ge=1, le=12, description="Most chunks that a draft sees.")
    agentic_rag_timeout_seconds: float = Field(
        default=18.0, gt=0, le=600, description="Time for the whole chain, and for a synthesis."
    )
    agentic_rag_require_review: bool = Field(
        default=False, description="Never publish a draft that was not reviewed, not even one that the gate passed."
    )
    grounding_threshold: float = Field(
        default=0.5,
        ge=0.5,
        le=0.95,
        description="Text of a model passes from this score on, 0.5 to 0.95; higher stops more of it.",
    )
    agentic_rag_log_contracts: bool = Field(
        default=False,
        description="Log unreadable replies of models and the sentences that the gate blocked, word for word; needs LOG_DIR.",
    )

    @field_validator("agentic_rag_mode", mode="before")
    @classmethod
    def _unset_mode(cls, value: object) -> object:
        """A variable that is there but empty is one that is not set; case does not matter."""
        return (value.strip().lower() or Mode.REVIEWED_ANSWER) if isinstance(value, str) else value

    @field_validator("log_format", "log_level", "api_keys", mode="before")
    @classmethod
    def _any_case(cls, value: object, info: ValidationInfo) -> object:
        """Case does not matter; a variable that is there but empty is one that is not set."""
        unset = cls.model_fields[str(info.field_name)].default
        return (value.strip().lower() or unset) if isinstance(value, str) else value

    @field_validator("revision", mode="after")
    @classmethod
    def _revision(cls, told: str) -> str:
        return running_revision(told)

    @field_validator("llm_base_url", mode="after")
    @classmethod
    def _base_url(cls, address: str) -> str:
        """Raises SettingsError itself: an error of pydantic would repeat the whole address."""
        return checked_url(address, BASE_URL) if address.strip() else ""

    @field_validator("llm_api_key", mode="after")
    @classmethod
    def _router_key(cls, key: SecretStr, info: ValidationInfo) -> SecretStr:
        """The hosted router of Hugging Face takes the token that its users have set already."""
        if key.get_secret_value() or not is_router(str(info.data.get("llm_base_url", ""))):
            return key
        return SecretStr(os.environ.get("HF_TOKEN", ""))

    @model_validator(mode="after")
    def _agents_come_with_a_provider(self) -> Self:
        """The container image asks for this; what somebody has set, either way, stays."""
        if self.agentic_rag_with_provider and "enable_agentic_rag" not in self.model_fields_set:
            self.__dict__["enable_agentic_rag"] = self.provider_kind != "none"
        return self

    @field_validator("admin_token", "metrics_token", mode="after")
    @classmethod
    def _long_token(cls, token: SecretStr) -> SecretStr:
        stripped = token.get_secret_value().strip()
        if 0 < len(stripped) < SHORTEST_TOKEN:
            raise ValueError(f"at least {SHORTEST_TOKEN} characters are needed, and better random ones")
        return SecretStr(stripped)

    @field_validator("trusted_proxies", mode="after")
    @classmethod
    def _networks(cls, proxies: str) -> str:
        for part in _parts(proxies):
            ip_network(part, strict=False)
        return proxies

    @field_validator("cors_origins", mode="after")
    @classmethod
    def _origins(cls, origins: str) -> str:
        for origin in _parts(origins):
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(f"{origin!r} is not an origin such as https://example.org (exact: no path, no *)")
        return origins

    @model_validator(mode="after")
    def _key_stays_private(self) -> Self:
        if self._key_in_clear() is Reach.PUBLIC:
            raise SettingsError(
                f"{BASE_URL} is http, and the API key would go unencrypted to a host that is not on your own network.",
                "Write https://, or unset ANKARE_LLM_API_KEY.",
            )
        return self

    @property
    def warnings(self) -> tuple[str, ...]:
        """What works, but should not stay so."""
        found = []
        if self._key_in_clear() is Reach.PRIVATE:
            found.append(
                f"{BASE_URL} is http: the API key goes unencrypted over the private network. Write https:// if you can."
            )
        if self.provider_kind != "none" and self.request_seconds <= self.agentic_rag_timeout_seconds:
            found.append(
                "ANKARE_REQUEST_SECONDS is not above ANKARE_AGENTIC_RAG_TIMEOUT_SECONDS: requests may end before their model."
            )
        return tuple(found)

    def _key_in_clear(self) -> Reach | None:
        """How far the key travels unencrypted, None for not at all."""
        asked = self.provider_kind in ("openai", "anthropic") and self.llm_api_key.get_secret_value().strip()
        return reach(self.llm_base_url) if asked and self.llm_base_url.lower().startswith("http:") else None

    @property
    def secrets(self) -> tuple[str, ...]:
        """Whatever no log may hold: keys, and the password of the figures."""
        values = [value.get_secret_value().strip() for _, value in self if isinstance(value, SecretStr)]
        return tuple(filter(None, [*values, _password(self.facts_url.get_secret_value())]))

    @property
    def proxies(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The networks of proxies that are believed."""
        return tuple(ip_network(part, strict=False) for part in _parts(self.trusted_proxies))

    @property
    def origins(self) -> tuple[str, ...]:
        """The sites whose scripts may call the API."""
        return tuple(_parts(self.cors_origins))

    @property
    def provider_kind(self) -> str:
        """Which kind of model provider is configured: "none", "openai", "anthropic" or "mock"."""
        return self.llm_provider.strip().lower() or ("openai" if self.llm_base_url else "none")

    @property
    def wants_a_model(self) -> bool:
        """Is a model to have a part in answers by default?"""
        return self.enable_llm_synthesis or (self.enable_agentic_rag and self.agentic_rag_mode is not Mode.OFF)

    @property
    def facts_location(self) -> str | Path:
        """Where the figures lie: a database address, or a file of the home folder."""
        return self.facts_url.get_secret_value() or self.home / "facts.db"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments win over the environment, the new prefix over the older one."""
        return init_settings, env_settings, EnvSettingsSource(settings_cls, env_prefix=OLDER_PREFIX)


def is_router(url: str) -> bool:
    """Is this the hosted router itself, over an encrypted connection? Any other host that gets its token can misuse it."""
    try:
        parts = urlsplit(url.strip())
        place = (parts.scheme, parts.hostname, parts.port or 443, parts.username)
        return place == ("https", ROUTER_HOST, 443, None)
    except ValueError:
        return False


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _password(url: str) -> str:
    try:
        return urlsplit(url).password or ""
    except ValueError:
        return ""


def load_settings(**given: object) -> Settings:
    """Read the environment; keyword arguments that are not None win.

    Raises SettingsError that names the variable and what it takes.
    """
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        name = PREFIX + ".".join(str(part) for part in first["loc"]).upper()
        shown = "" if name in SECRET else f"It was {first['input']!r}."
        raise SettingsError(f"{name}: {first['msg']}.", shown) from error


def unknown_variables() -> dict[str, str]:
    """Variables with a prefix of ours that set nothing, each with the one that it comes nearest to ("" for none). Variables
    that only our tests read are among them."""
    known = [name.upper() for name in Settings.model_fields]
    found = {}
    for name in sorted(os.environ):
        prefix = next((prefix for prefix in (PREFIX, OLDER_PREFIX) if name.upper().startswith(prefix)), "")
        rest = name.upper().removeprefix(prefix)
        if prefix and rest not in known:
            found[name] = next((prefix + near for near in get_close_matches(rest, known, 1)), "")
    return found


def variable(name: str) -> str:
    """The value of a variable that the caller names, such as that of a key for another service; "" where it is not set."""
    return os.environ.get(name, "")


def as_environment(settings: Settings) -> dict[str, str]:
    """The variables that make `load_settings` in another process give the same settings."""
    values = settings.model_dump(mode="json", exclude_none=True)
    for name, value in settings:
        if isinstance(value, SecretStr):
            values[name] = value.get_secret_value()
    return {PREFIX + name.upper(): str(value) for name, value in values.items()}


def child_environment(settings: Settings, names: Iterable[str]) -> dict[str, str]:
    """The environment for a process of our own that needs only these settings: this one's, less every other setting and so
    less keys and tokens that are none of its business."""
    prefixes = (PREFIX, OLDER_PREFIX)
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith(prefixes)}
    told = as_environment(settings)
    return kept | {PREFIX + name: told[PREFIX + name] for name in names if told.get(PREFIX + name)}


SECRET = frozenset(
    PREFIX + name.upper() for name, field in Settings.model_fields.items() if field.annotation is SecretStr
)
