"""What does a domain profile say? Frozen values; `ankare.profile.load` reads them from profile.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from types import MappingProxyType

LANGUAGES = ("sv", "en", "zh")
"""The languages that questions may be asked in: those that have a language pack."""
SOURCE_TYPES = ("pdf", "docx", "pptx", "xlsx", "html", "md", "txt", "csv")


def _nothing() -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType({})


def _no_labels() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class HomeRules:
    """Whose documents these are. `language` is the default answer language, `languages` the accepted ones."""

    company: str = ""
    entity: str = ""
    language: str = "sv"
    languages: tuple[str, ...] = LANGUAGES


@dataclass(frozen=True, slots=True)
class Named:
    """Something with a code, a label, labels in other languages and further names."""

    code: str
    label: str
    aliases: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=_no_labels)

    def label_in(self, language: str) -> str:
        """The label for a reader of this language."""
        return self.labels.get(language, self.label)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that a question or a table may use, the code first."""
        return tuple(dict.fromkeys((self.code, self.label, *self.labels.values(), *self.aliases)))


@dataclass(frozen=True, slots=True)
class Entity(Named):
    """An organisation or a part of one that figures are about."""

    geography: str = ""


@dataclass(frozen=True, slots=True)
class Metric(Named):
    """Something that is measured, and in which unit.

    `format` says how a table writes shares: "percent" (12 is 12 %), "fraction" (0.12 is 12 %), or "" where both are looked at.
    """

    unit: str = ""
    format: str = ""


@dataclass(frozen=True, slots=True)
class Channel(Named):
    """A way of selling or working that figures are split by."""


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
    aliases. Both in the order of the file. `examples`: questions to show a new user. `path`: the file that it was read from,
    "" where it was made otherwise; two profiles that say the same are equal wherever they lie.
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
    path: str = field(default="", compare=False, repr=False)

    def entity(self, code: str) -> Entity | None:
        """The entity of a code."""
        return next((entity for entity in self.entities if entity.code == code), None)

    def metric(self, code: str) -> Metric | None:
        """The metric of a code."""
        return next((metric for metric in self.metrics if metric.code == code), None)

    def channel(self, code: str) -> Channel | None:
        """The channel of a code; the channel of undivided figures has none unless the profile lists it."""
        return next((channel for channel in self.channels if channel.code == code), None)
