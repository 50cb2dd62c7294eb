"""What does a domain profile say? Frozen values; `ankare.profile.load` reads them from profile.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from types import MappingProxyType

SOURCE_TYPES = ("pdf", "docx", "pptx", "xlsx", "html", "md", "txt", "csv")


def _nothing() -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class HomeRules:
    """Whose documents these are. `language` is the default answer language, `languages` the accepted ones."""

    company: str = ""
    entity: str = ""
    language: str = "sv"
    languages: tuple[str, ...] = ("sv", "en", "zh")


@dataclass(frozen=True, slots=True)
class Entity:
    """An organisation or a part of one that figures are about."""

    code: str
    label: str
    aliases: tuple[str, ...] = ()
    geography: str = ""


@dataclass(frozen=True, slots=True)
class Metric:
    """Something that is measured, and in which unit."""

    code: str
    label: str
    aliases: tuple[str, ...] = ()
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Channel:
    """A way of selling or working that figures are split by."""

    code: str
    label: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentRules:
    """Which documents may be used. `allowed_types` None means every supported type.

    `base_url`: where the user's browser finds the sources, empty for ankare's own `/sources`.
    """

    allowed_types: tuple[str, ...] | None = None
    allowed_urls: tuple[str, ...] = ()
    base_url: str = ""

    def allows(self, source_type: str) -> bool:
        """May documents of this type be indexed and answered from?"""
        return self.allowed_types is None or source_type in self.allowed_types


@dataclass(frozen=True, slots=True)
class RelatedPage:
    """A page to offer when an answer stands on a source whose name fits `when_source` (shell pattern, any case)."""

    when_source: str
    label: str
    url: str

    def fits(self, source: str) -> bool:
        """Does the pattern fit this source: its whole path or its file name?"""
        pattern = self.when_source.casefold()
        whole = source.casefold()
        return fnmatchcase(whole, pattern) or fnmatchcase(whole.rsplit("/", 1)[-1], pattern)


@dataclass(frozen=True, slots=True)
class Profile:
    """A domain as its owner describes it. The default one allows everything and knows nothing.

    `synonyms`: a word to the words that mean the same; `external_entities`: the name of a body outside the home to its
    aliases. Both in the order of the file. `examples`: questions to show a new user.
    """

    home: HomeRules = field(default_factory=HomeRules)
    entities: tuple[Entity, ...] = ()
    metrics: tuple[Metric, ...] = ()
    channels: tuple[Channel, ...] = ()
    external_entities: Mapping[str, tuple[str, ...]] = field(default_factory=_nothing)
    documents: DocumentRules = field(default_factory=DocumentRules)
    related_pages: tuple[RelatedPage, ...] = ()
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=_nothing)
    examples: tuple[str, ...] = ()
