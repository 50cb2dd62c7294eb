"""What does a profile teach about the words of a question? Built once per profile, then only looked up."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache

from ankare.domain.fact import Period
from ankare.gate.security import SecurityGate
from ankare.language.inflection import base_forms
from ankare.language.languages import get_language
from ankare.language.packs import named_lists, word_set
from ankare.language.periods import period_label
from ankare.language.word_forms import verb_forms, word_forms
from ankare.profile.model import Named, Profile
from ankare.profile.names import Names
from ankare.structured.phrases import Phrases, fold
from ankare.structured.tool_schema import ToolTexts

METRIC, ENTITY, CHANNEL = "metric", "entity", "channel"
_KEPT = 16
_REMEMBERED = 20_000
_SHORT = 4
_COMMON_ZIPF = 4.0
MEASURE = "measure "
_VERBS, _STRICT = "verbs ", ("filler", "neutral")
_SHORTEST_END = 4
"""Letters of a word of measure that counts as the end of a longer one, too ("elevkostnad")."""
_CHANGERS = ("exclusion", "exclusion_after", "ratio", "changing")
_SHORTEST_MISSPELT = 4
_SHORTEST_KIND = 4
_LONG_YEAR = re.compile(r"(?:19|20)\d{3}")
_NEAR_A_TIME = 0.75
_NEAR = 0.82
"""Ratcliff/Obershelp similarity from which on a word counts as misspelt: one or two letters of ten."""


class Glossary:
    """The names and cue words that questions to one profile are read with. Safe for many threads."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        rules = profile.home
        self.languages = tuple(dict.fromkeys((rules.language, *rules.languages)))
        self.gate = SecurityGate(profile.external_entities, rules.company, languages=self.languages)
        self._cues: dict[str, Phrases] = {}
        self._measures: dict[str, Phrases] = {}
        names = Names(profile)
        self._exact = {METRIC: names.metric, ENTITY: names.entity, CHANNEL: names.channel}

    @cached_property
    def names(self) -> Phrases:
        """Every name of a metric, an entity or a channel."""
        found = Phrases(self.languages)
        for kind, items in (
            (METRIC, self.profile.metrics),
            (ENTITY, self.profile.entities),
            (CHANNEL, self.profile.channels),
        ):
            self._add(found, kind, items)
        home = self.profile.home
        if home.company and home.entity:
            found.add(home.company, ENTITY, home.entity)
        return found

    def spoken_first(self, language: str) -> tuple[str, ...]:
        """The accepted languages, that of the question before the others."""
        return (language, *(code for code in self.languages if code != language))

    @cached_property
    def every(self) -> Mapping[str, tuple[str, ...]]:
        """The codes of every entity and channel."""
        return {
            ENTITY: tuple(entity.code for entity in self.profile.entities),
            CHANNEL: tuple(channel.code for channel in self.profile.channels),
        }

    def entities_called(self, word: str) -> tuple[str, ...]:
        """The entities whose labels hold a word ("förvaltning": "Socialförvaltningen", ...), where at least two do."""
        forms = {form.split(":")[-1] for form in base_forms(fold(word), self.languages)}
        stems = [form for form in forms if len(form) >= _SHORTEST_KIND]
        labels = {e.code: [fold(label) for label in (e.label, *e.labels.values())] for e in self.profile.entities}
        codes = tuple(code for code, said in labels.items() if any(stem in label for stem in stems for label in said))
        return codes if len(codes) > 1 else ()

    @cached_property
    def tool_texts(self) -> ToolTexts:
        """What the tool is described with that a model looks figures up by."""
        return ToolTexts(self.profile)

    def cues(self, language: str) -> Phrases:
        """The wordings of questions about figures in a language; the kind of what is found is the name of the pack's list.

        What changes the meaning is known in every accepted language: people mix them.
        """
        known = self._cues.get(language)
        if known is None:
            known = Phrases(())
            for code in self.spoken_first(language):
                for name, phrases in _cue_lists(code).items():
                    for phrase in phrases:
                        if code == language or (name in _CHANGERS and _tells_its_language(phrase)):
                            known.add(phrase, name, "", inflected=False)
            self._cues[language] = known
        return known

    def measures(self, language: str) -> Phrases:
        """The wordings of a language that ask for a measure, as written; the kind of what is found is the name of the list."""
        known = self._measures.get(language)
        if known is None:
            known = Phrases(())
            for name, phrases in named_lists(language, "intent").items():
                for phrase in phrases if name.startswith(MEASURE) else ():
                    known.add(phrase, name, "", inflected=False)
            self._measures[language] = known
        return known

    def code(self, kind: str, name: str) -> str | None:
        """The code that the whole of a text names, in any inflected form; None where it names none or several."""
        known = self._exact[kind](name)
        if known is not None:
            return known
        codes = {found.code for found in self.names.whole(name) if found.kind == kind}
        return codes.pop() if len(codes) == 1 else None

    def near_metric(self, word: str, language: str) -> str | None:
        """The metric that a word was probably meant to name: its verb ("omsatte" for "omsättning"), or a misspelt form.

        None for any other word of the language.
        """
        folded = fold(word)
        if len(folded) < _SHORTEST_MISSPELT:
            return None
        terms = get_language(language).analyze(folded).terms
        related = next(
            (self._metric_terms[language, term] for term in terms if (language, term) in self._metric_terms), None
        )
        if related is not None or get_language(language).is_word(folded):
            return related
        near = get_close_matches(folded, self._metric_names, n=1, cutoff=_NEAR)
        return self._metric_names[near[0]] if near else None

    def nearly_a_time(self, word: str, language: str) -> bool:
        """Is this no word of the language, but nearly one of its words for months and other times? Or a year too long?"""
        folded = fold(word)
        if _LONG_YEAR.fullmatch(folded):
            return True
        if len(folded) < _SHORTEST_MISSPELT or not folded.isalpha() or get_language(language).is_word(folded):
            return False
        return bool(get_close_matches(folded, _time_words(language), n=1, cutoff=_NEAR_A_TIME))

    @cached_property
    def _metric_terms(self) -> dict[tuple[str, str], str]:
        """The search terms of metrics' names of one word, in which verbs meet their nouns."""
        found: dict[tuple[str, str], str] = {}
        for name, code in self._metric_names.items():
            for language in self.languages:
                if name.isalpha() and language != "zh":
                    for term in get_language(language).analyze(name).terms:
                        found.setdefault((language, term), code)
        return found

    @cached_property
    def _metric_names(self) -> dict[str, str]:
        return {fold(name): metric.code for metric in self.profile.metrics for name in metric.names}

    def _add(self, found: Phrases, kind: str, items: Iterable[Named]) -> None:
        for item in items:
            for name in item.names:
                found.add(name, kind, item.code, capitals=self._needs_capitals(name))

    def _needs_capitals(self, name: str) -> bool:
        """A short name in capitals ("SE", "IT") that is also an everyday word counts only where it is written so."""
        if not (name.isupper() and name.isascii() and len(name) <= _SHORT):
            return False
        word = name.lower()
        return any(
            word in word_set(code, "stop") or get_language(code).frequency(word) >= _COMMON_ZIPF
            for code in self.languages
            if code != "zh"
        )


def _cue_lists(code: str) -> dict[str, tuple[str, ...]]:
    """The lists of cue words that are found as they are written, without those that count only beside others."""
    lists = named_lists(code, "intent").items()
    return {name: phrases for name, phrases in lists if name not in _NO_CUES and not name.startswith((_VERBS, MEASURE))}


_NO_CUES = ("times", "inside_names", "which_time", "before_nouns")


@lru_cache(_REMEMBERED)
def inflected_cues(word: str, language: str) -> tuple[str, ...]:
    """The lists that a case-folded word is in by one of its forms: those of verbs, without that word ("change"), and those of
    words of measure."""
    found = []
    for name, listed in named_lists(language, "intent").items():
        kind = name.removeprefix(_VERBS)
        if kind != name:
            forms = verb_forms(word, language) if kind in _STRICT else word_forms(word, language)
            found += [kind] * (not forms.isdisjoint(listed))
        elif name.startswith(MEASURE) and _is_or_ends(word, listed, language):
            found.append(name)
    return tuple(found)


def _is_or_ends(word: str, listed: Iterable[str], language: str) -> bool:
    """Is the word a form of one that is listed, or of a compound that ends in one?"""
    forms = word_forms(word, language)
    if not forms.isdisjoint(listed):
        return True
    ends = tuple(one for one in listed if len(one) >= _SHORTEST_END and " " not in one)
    return language == "sv" and any(form.endswith(ends) for form in forms)


def _tells_its_language(phrase: str) -> bool:
    """Is it long enough, or of a script, that it is hardly a word of another language?"""
    return len(phrase) >= _SHORT or not phrase.isascii()


@cache
def _time_words(language: str) -> tuple[str, ...]:
    """The words that a language has for months, quarters and other times."""
    labels = [period_label(Period(kind, value), language) for kind, value in _NAMED_TIMES]
    words = {word for label in labels for word in re.findall(r"[^\W\d_]{4,}", fold(label))}
    return tuple(sorted(words | set(named_lists(language, "intent").get("times", ()))))


_NAMED_TIMES = (
    *(("MONTH", f"2024-{month:02d}") for month in range(1, 13)),
    ("TERTIAL", "2024T1"),
    ("QUARTER", "2024Q1"),
    ("HY", "2024H1"),
)
_lock = threading.Lock()
_built: dict[int, Glossary] = {}


def glossary_of(profile: Profile) -> Glossary:
    """The glossary of a profile, built on first use and kept for the profiles that were used last."""
    known = _built.get(id(profile))
    if known is not None and known.profile is profile:
        return known
    with _lock:
        while len(_built) >= _KEPT:
            del _built[next(iter(_built))]
        _built[id(profile)] = made = Glossary(profile)
        return made
