"""What is each agent told, and in which version?

A prompt is a file `<language>/<agent>.md`: the system's part, a line `---`, the user's part with places `{{name}}` for what
differs from question to question. `{{rules}}` stands for the rules that all who write answers share.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ankare.domain.agents import Agent

LANGUAGES = ("sv", "en")
FALLBACK = "en"
"""For questions in other languages; its rules ask for the language of the question."""
_PLACE = re.compile(r"\{\{(\w+)\}\}")
_SEPARATOR = "\n---\n"


@dataclass(frozen=True, slots=True)
class Prompt:
    """What one agent is told. `digest` is of both parts, so a changed file shows even where nobody changed the version."""

    agent: str
    language: str
    version: str
    digest: str
    system: str
    user: str

    @property
    def label(self) -> str:
        """Version and digest, for the metadata: "2026-11-30.1+sv.5f1c20ab"."""
        return f"{self.version}+{self.language}.{self.digest}"

    def messages(self, **texts: str) -> list[dict[str, str]]:
        """System and user message; each place gets its text, in one pass, so that no text can open another place.

        Raises KeyError for a place without a text."""
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": filled(self.user, texts)},
        ]


def prompt(agent: Agent | str, language: str) -> Prompt:
    """The prompt of an agent ("rewrite", "draft", "review", "correction", "synthesis"); in English for a language without one.
    Raises FileNotFoundError for an unknown agent."""
    name = agent.name.lower() if isinstance(agent, Agent) else agent
    return _prompt(name, language if language in LANGUAGES else FALLBACK)


def filled(template: str, texts: Mapping[str, str]) -> str:
    """The template with its places filled, and lines that stay empty left out."""
    text = _PLACE.sub(lambda place: texts[place[1]], template)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


@cache
def _prompt(agent: str, language: str) -> Prompt:
    folder = files("ankare.answer.prompts")
    version = folder.joinpath("version.txt").read_text("utf-8").strip()
    rules = folder.joinpath(language, "rules.md").read_text("utf-8").strip()
    written = folder.joinpath(language, f"{agent}.md").read_text("utf-8")
    system, _, user = written.replace("{{rules}}", rules).partition(_SEPARATOR)
    digest = hashlib.sha256(f"{system}{_SEPARATOR}{user}".encode()).hexdigest()[:8]
    return Prompt(agent, language, version, digest, system.strip(), user.strip())
