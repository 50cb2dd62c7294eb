"""How is profile.toml read, and what is wrong with it where it cannot be?

Loaded explicitly, never at import, so several profiles can live in one process.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from ankare.domain.fact import TOTAL
from ankare.errors import ProfileError
from ankare.profile.lines import bare_key, line_of
from ankare.profile.model import (
    LANGUAGES,
    SOURCE_TYPES,
    Channel,
    DocumentRules,
    Entity,
    HomeRules,
    Metric,
    Profile,
    RelatedPage,
)
from ankare.profile.names import plain_name
from ankare.regular_file import read_regular

PROFILE_NAME = "profile.toml"
_OTHER_SPELLINGS = {"htm": "html", "markdown": "md", "text": "txt"}
_SYNTAX_PLACE = re.compile(r"\(at line (\d+), column \d+\)")
_KEYS: Mapping[str, tuple[str, ...]] = {
    "home": ("company", "entity", "language", "languages"),
    "entities": ("label", "labels", "aliases", "geography"),
    "metrics": ("label", "labels", "aliases", "unit", "format"),
    "channels": ("label", "labels", "aliases"),
    "documents": ("allowed_types", "allowed_urls", "base_url"),
    "related_pages": ("when_source", "label", "url"),
    "questions": ("examples",),
}
FORMATS = ("", "percent", "fraction")
_SECTIONS = (*_KEYS, "external_entities", "synonyms")


def load_profile(path: Path) -> Profile:
    """Read a profile. Raises ProfileError that names file and line for everything that is wrong with it."""
    try:
        data = read_regular(path)
    except OSError as error:
        raise ProfileError(
            f"{path} cannot be read: {error.strerror or error}.", "Check the path of the pack."
        ) from error
    return replace(parse_profile(data, str(path)), path=str(path))


def parse_profile(data: bytes, name: str = PROFILE_NAME) -> Profile:
    """The profile in these bytes; `name` is what errors call the file. Raises ProfileError."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ProfileError(f"{name}, line {line}: not UTF-8.", "Save the file as UTF-8.") from error
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(error, text, name) from error
    except RecursionError as error:
        raise ProfileError(f"{name}: brackets are nested too deep.", "Write plain lists and tables.") from error
    return _Reader(text, name).profile(raw)


def _syntax_error(error: Exception, text: str, name: str) -> ProfileError:
    found = _SYNTAX_PLACE.search(str(error))
    line = int(found[1]) if found else text.count("\n") + 1
    lines = text.splitlines()
    key = bare_key(lines[line - 1]) if line <= len(lines) else None
    if key is not None:
        return ProfileError(
            f"{name}, line {line}: the key {key} has letters that TOML allows only in quotes.", f'Write "{key}".'
        )
    reason = _SYNTAX_PLACE.sub("", str(error)).strip()
    return ProfileError(f"{name}, line {line}: {reason}.", "Correct the TOML on that line.")


class _Reader:
    """Turns the parsed file into a Profile and knows on which line each thing stands."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name

    def profile(self, raw: Mapping[str, Any]) -> Profile:
        self.known(raw, _SECTIONS, ())
        related = self.tables(raw.get("related_pages", []))
        result = Profile(
            home=self.home(self.table(raw, "home")),
            entities=tuple(
                Entity(code, *self.labelled("entities", code, item), geography=self.string(item, "geography", where))
                for code, item, where in self.coded(raw, "entities")
            ),
            metrics=tuple(
                Metric(
                    code,
                    *self.labelled("metrics", code, item),
                    unit=self.string(item, "unit", where),
                    format=self.format(item, where),
                )
                for code, item, where in self.coded(raw, "metrics")
            ),
            channels=tuple(
                Channel(code, *self.labelled("channels", code, item)) for code, item, _ in self.coded(raw, "channels")
            ),
            external_entities=self.word_lists(raw, "external_entities"),
            documents=self.documents(self.table(raw, "documents")),
            related_pages=related,
            synonyms=self.word_lists(raw, "synonyms"),
            examples=self.strings(self.table(raw, "questions"), "examples", ("questions",)) or (),
        )
        self.home_entity_is_listed(result)
        self.names_differ(result)
        return result

    def home(self, raw: Mapping[str, Any]) -> HomeRules:
        where = ("home",)
        default = HomeRules()
        languages = self.strings(raw, "languages", where)
        language = self.string(raw, "language", where) or (languages or (default.language,))[0]
        accepted = languages or default.languages
        for code in accepted:
            if code not in LANGUAGES:
                remedy = f"Known are {', '.join(LANGUAGES)}."
                raise self.error(where, "languages", f"there is no language {code!r}.", remedy)
        if language not in accepted:
            raise self.error(where, "language", f"the language {language!r} is not among languages.", "Add it there.")
        return HomeRules(self.string(raw, "company", where), self.string(raw, "entity", where), language, accepted)

    def documents(self, raw: Mapping[str, Any]) -> DocumentRules:
        where = ("documents",)
        types = self.strings(raw, "allowed_types", where)
        if types is not None:
            types = tuple(_OTHER_SPELLINGS.get(kind.lower().lstrip("."), kind.lower().lstrip(".")) for kind in types)
            for kind in types:
                if kind not in SOURCE_TYPES:
                    raise self.error(
                        where, "allowed_types", f"unknown type {kind!r}.", f"Known are {', '.join(SOURCE_TYPES)}."
                    )
        urls = self.strings(raw, "allowed_urls", where) or ()
        for url in urls:
            if not url.lower().startswith(("http://", "https://")):
                raise self.error(where, "allowed_urls", f"{url!r} is no web address.", "Start it with https://.")
        return DocumentRules(types, urls, self.string(raw, "base_url", where))

    def tables(self, raw: Any) -> tuple[RelatedPage, ...]:
        where = ("related_pages",)
        if not isinstance(raw, list) or not all(isinstance(item, dict) for item in raw):
            raise self.error(where, None, "related_pages is not a list of tables.", "Write [[related_pages]].")
        pages = []
        for item in raw:
            self.known(item, _KEYS["related_pages"], where)
            values = [self.string(item, key, where) for key in _KEYS["related_pages"]]
            if not all(values):
                raise self.error(where, None, "a related page lacks a value.", "Give when_source, label and url.")
            pages.append(RelatedPage(*values))
        return tuple(pages)

    def coded(self, raw: Mapping[str, Any], section: str) -> list[tuple[str, Mapping[str, Any], tuple[str, ...]]]:
        found: list[tuple[str, Mapping[str, Any], tuple[str, ...]]] = []
        for code, item in self.table(raw, section).items():
            where = (section, code)
            if not isinstance(item, dict):
                raise self.error((section,), code, f"{code} is not a table.", f"Write [{section}.{code}].")
            self.known(item, _KEYS[section], where)
            found.append((code, item, where))
        return found

    def labelled(
        self, section: str, code: str, item: Mapping[str, Any]
    ) -> tuple[str, tuple[str, ...], Mapping[str, str]]:
        where = (section, code)
        labels = item.get("labels", {})
        if not isinstance(labels, dict) or not all(isinstance(text, str) and text.strip() for text in labels.values()):
            raise self.error(where, "labels", "labels is not a table of texts.", 'Write labels = {en = "..."}.')
        said = MappingProxyType({language: text.strip() for language, text in labels.items()})
        return self.string(item, "label", where) or code, self.strings(item, "aliases", where) or (), said

    def format(self, item: Mapping[str, Any], where: Sequence[str]) -> str:
        value = self.string(item, "format", where)
        if value not in FORMATS:
            raise self.error(where, "format", f"unknown format {value!r}.", 'Write "percent" or "fraction".')
        return value

    def word_lists(self, raw: Mapping[str, Any], section: str) -> Mapping[str, tuple[str, ...]]:
        table = self.table(raw, section)
        return MappingProxyType({key: self.strings(table, key, (section,)) or () for key in table})

    def table(self, raw: Mapping[str, Any], section: str) -> Mapping[str, Any]:
        value = raw.get(section, {})
        if not isinstance(value, dict):
            raise self.error((), section, f"{section} is not a table.", f"Write [{section}].")
        if section in ("home", "documents", "questions"):
            self.known(value, _KEYS[section], (section,))
        return value

    def string(self, raw: Mapping[str, Any], key: str, where: Sequence[str]) -> str:
        value = raw.get(key, "")
        if not isinstance(value, str):
            raise self.error(where, key, f"{key} is not a text.", "Put it in quotes.")
        return value.strip()

    def strings(self, raw: Mapping[str, Any], key: str, where: Sequence[str]) -> tuple[str, ...] | None:
        value = raw.get(key)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
            raise self.error(where, key, f"{key} is not a list of texts.", f'Write {key} = ["one", "two"].')
        return tuple(item.strip() for item in value)

    def known(self, raw: Mapping[str, Any], keys: Sequence[str], where: Sequence[str]) -> None:
        for key in raw:
            if key not in keys:
                kind: Literal["section", "key"] = "key" if where else "section"
                raise self.error(where, key, f"unknown {kind} {key!r}.", f"Known here are {', '.join(keys)}.")

    def home_entity_is_listed(self, profile: Profile) -> None:
        code = profile.home.entity
        if code and code not in {entity.code for entity in profile.entities}:
            raise self.error(("home",), "entity", f"the home entity {code} is not listed.", f"Add [entities.{code}].")

    def names_differ(self, profile: Profile) -> None:
        """No two codes may share a name, whatever they stand for, nor a code and an outsider; one code may repeat its own.

        Names are compared as questions are read: in any case, width and spacing.
        """
        outsiders = [(key, (key, *names), "external_entities") for key, names in profile.external_entities.items()]
        home = [(entity.code, entity.names, "entities") for entity in profile.entities]
        if profile.home.company and profile.home.entity:
            home.append((profile.home.entity, (profile.home.company,), "home"))
        metrics = [(metric.code, metric.names, "metrics") for metric in profile.metrics]
        channels = [(channel.code, channel.names, "channels") for channel in profile.channels]
        for code, names, section in channels:
            reserved = next((name for name in names if plain_name(name) == plain_name(TOTAL)), None)
            if reserved is not None:
                where, key = self.place_of(section, code, reserved)
                raise self.error(
                    where, key, f"{reserved!r} stands for what is not split by channel.", "Choose another name."
                )
        self.each_means_one([*home, *outsiders, *metrics, *channels])

    def each_means_one(self, items: Sequence[tuple[str, Sequence[str], str]]) -> None:
        owner: dict[str, tuple[str, str]] = {}
        for code, names, section in items:
            own = (code, "entities" if section == "home" else section)
            for name in names:
                first = owner.setdefault(plain_name(name), own)
                if first != own:
                    where, key = self.place_of(section, code, name)
                    remedy = "Let each name mean one thing."
                    raise self.error(where, key, f"{name!r} names both {first[0]} and {code}.", remedy)

    def place_of(self, section: str, code: str, name: str) -> tuple[tuple[str, ...], str | None]:
        """The table and key in which a name stands."""
        if section == "external_entities":
            return (section,), code
        if section == "home":
            return (section,), "company"
        lines = self.text.splitlines()
        for key in ("aliases", "label", "labels"):
            line = lines[line_of(self.text, (section, code), key) - 1] if lines else ""
            if name in line:
                return (section, code), key
        return (section, code), "aliases" if name != code else None

    def error(self, where: Sequence[str], key: str | None, message: str, remedy: str) -> ProfileError:
        return ProfileError(f"{self.name}, line {line_of(self.text, where, key)}: {message}", remedy)
