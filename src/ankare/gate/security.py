"""Does the question name a body outside the home, in whatever disguise?

Deterministic, without a model, and with no name but those of the profile. A text is read in every way that its characters
allow (`readings`), its letters are looked at without what lies between them (`folding`), every place where an alias stands in
them is found in one pass (`aliases`), and the rules of `occurrence` tell a name from a word that looks like it. The longest
alias wins where two overlap. What is found is masked with as many spaces, and what is left is screened again, until nothing is
found; a text that yields ever new names is masked whole.

The gate closes when it fails: a question that cannot be screened is refused.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ankare.domain.clarification import NarrowingOption
from ankare.gate.aliases import AliasIndex
from ankare.gate.folding import View, view_of
from ankare.gate.occurrence import NameReader
from ankare.gate.readings import Reading, readings
from ankare.language.languages import detect_language
from ankare.language.lookalikes import SkeletonTable
from ankare.messages import messages

ALLOW = "allow"
OUT_OF_SCOPE = "out_of_scope_entity"

_MOST_PASSES = 8
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SecurityScreen:
    """What was found. `external_entities`: the names in the profile of all bodies, by first position in the text, the first
    also as `external_entity` (None without any); `masked_text`: the text with every hit as spaces, equally long."""

    external_entity: str | None
    masked_text: str
    external_entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SecurityVerdict:
    """`decision` is ALLOW (nothing else is set) or OUT_OF_SCOPE, with a refusal for the user and what may be asked instead.

    `external_entity` is None where the question could not be screened.
    """

    decision: str
    external_entity: str | None
    message: str
    narrowing_options: tuple[NarrowingOption, ...]


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    name: str


class SecurityGate:
    """Screens texts for the external entities of a profile: name to aliases, the name being an alias itself.

    Safe for many threads. Raises ProfileError for an alias without a letter or digit.
    """

    def __init__(
        self,
        external_entities: Mapping[str, Sequence[str]],
        home_company_name: str,
        *,
        languages: Sequence[str] = ("sv", "en", "zh"),
    ) -> None:
        self._home = home_company_name
        self._languages = tuple(languages)
        self._aliases = AliasIndex(external_entities)
        self._names = NameReader(self._languages)
        self._last = ("", SecurityScreen(None, ""))
        self._skeleton = SkeletonTable()

    def screen(
        self, *, raw_question: str, metric: str | None, language: str | None = None, metric_label: str | None = None
    ) -> SecurityVerdict:
        """May this question, as the caller gave it, be answered? Any failure to find out refuses it; never raises.

        `metric` and `metric_label` only word what may be asked instead. `language` None: that of the question
        without the names in it.
        """
        try:
            screen = self.detect(raw_question)
        except Exception as error:
            _LOG.error("the security gate failed and refused the question: %s", type(error).__name__)
            return self._refusal(None, metric_label or metric, language or self._language_of(raw_question))
        if screen.external_entity is None:
            return SecurityVerdict(ALLOW, None, "", ())
        wording = language or self._language_of(screen.masked_text)
        return self._refusal(screen.external_entity, metric_label or metric, wording)

    def detect(self, text: str) -> SecurityScreen:
        """Every external entity that the text names."""
        text_before, screened = self._last
        if text_before == text:  # one question is screened several times on its way
            return screened
        screened = self._detect(text)
        self._last = (text, screened)
        return screened

    def _detect(self, text: str) -> SecurityScreen:
        hits = self._hits(text)
        if not hits:
            return SecurityScreen(None, text)
        found, masked = list(hits), text
        for _ in range(_MOST_PASSES):
            masked = _masked(masked, hits)
            hits = self._hits(masked)
            if not hits:
                break
            found += hits
        else:
            masked = " " * len(text)
        names = tuple(dict.fromkeys(hit.name for hit in sorted(found, key=lambda hit: (hit.start, -hit.end))))
        return SecurityScreen(names[0], masked, names)

    def _hits(self, text: str) -> list[_Hit]:
        """The names in a text in every reading; hits of different readings may overlap."""
        found: list[_Hit] = []
        for reading in readings(text):
            if self._aliases.pattern.search(reading.text.translate(self._skeleton)):
                found += self._hits_of(reading)
        return found

    def _hits_of(self, reading: Reading) -> Iterator[_Hit]:
        """The names in one reading, longest first, none overlapping another."""
        view = view_of(reading.text)
        taken = bytearray(len(view.letters))
        for start, end, name in sorted(self._named(view), key=lambda place: (place[0] - place[1], place[0])):
            if not any(taken[start:end]):
                taken[start:end] = b"\x01" * (end - start)
                yield _Hit(reading.starts[view.at[start]], reading.ends[view.ends[end - 1] - 1], name)

    def _named(self, view: View) -> Iterator[tuple[int, int, str]]:
        """Per place the longest alias that the rules let stand: letters `start:end` and the name."""
        for start, aliases in self._aliases.candidates(view):
            ends = ((self._names.end_of(view, start, alias), alias) for alias in aliases)
            place = next(((start, end, alias.name) for end, alias in ends if end is not None), None)
            if place is not None:
                yield place

    def _refusal(self, external: str | None, metric: str | None, language: str) -> SecurityVerdict:
        texts = messages(language)
        kind = "unchecked" if external is None else "refused" if self._home else "refused_plain"
        message = texts[f"security.{kind}"].format(external=external, home=self._home)
        if not self._home:
            return SecurityVerdict(OUT_OF_SCOPE, external, message, ())
        asked = texts["security.ask_home_question" if metric else "security.ask_home_general"]
        option = NarrowingOption(
            texts["security.ask_home"].format(home=self._home), asked.format(home=self._home, metric=metric)
        )
        return SecurityVerdict(OUT_OF_SCOPE, external, message, (option,))

    def _language_of(self, question: str) -> str:
        default = self._languages[0] if self._languages else ""
        try:
            return detect_language(question, self._languages, default)
        except Exception:
            return default


def _masked(text: str, hits: Sequence[_Hit]) -> str:
    """The text with every hit as spaces."""
    chars = list(text)
    for hit in hits:
        chars[hit.start : hit.end] = " " * (hit.end - hit.start)
    return "".join(chars)
