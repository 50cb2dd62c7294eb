"""How does ankare say something to a user in the user's language?

Every text that a user reads stands in a catalogue here, `<language>.toml`, and is found as "table.key":

    messages("sv")["cite.sources"]              -> "Källor"
    messages("sv")["cite.page"].format(page=5)  -> "s. 5"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

FALLBACK = "en"


def messages(language: str) -> Mapping[str, str]:
    """The catalogue of a language; of English where there is none for it. `language` may carry a region ("sv-SE")."""
    code = language.split("-")[0].lower()
    return _catalogue(code if code in languages() else FALLBACK)


@cache
def languages() -> tuple[str, ...]:
    """The languages that have a catalogue, sorted."""
    return tuple(sorted(entry.name[:-5] for entry in files(__name__).iterdir() if entry.name.endswith(".toml")))


def preferred_language(accept: str, among: Iterable[str]) -> str | None:
    """The language of `among` that an Accept-Language header prefers (RFC 9110, 12.5.4), None where it names none."""
    wanted: list[tuple[float, int, str]] = []
    for place, item in enumerate(accept[:500].split(",")):
        match = re.fullmatch(r"\s*([A-Za-z]{1,8})(?:-[\w-]+)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*", item)
        if match:
            wanted.append((-float(match[2] or 1), place, match[1].lower()))
    known = set(among)
    return next((code for quality, _, code in sorted(wanted) if code in known and quality < 0), None)


@cache
def _catalogue(code: str) -> Mapping[str, str]:
    tables = tomllib.loads((files(__name__) / f"{code}.toml").read_text(encoding="utf-8"))
    return MappingProxyType({f"{table}.{key}": text for table, keys in tables.items() for key, text in keys.items()})
