"""Which words of a question tell how it is meant: cue words as the packs write them, verbs in any form, words of measure?

And which names of metrics stand there with a word inside that changes nothing ("how many pupils **are there** in primary
school" names "pupils in primary school")?
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ankare.language.packs import named_lists
from ankare.language.word_forms import verb_forms
from ankare.structured.glossary import MEASURE, METRIC, Glossary, inflected_cues
from ankare.structured.phrases import Found, Word, fold, longest

_STOPS = re.compile(r"[,.;:?!()，。；：？！（）]")
_ASKS_HOW_MUCH = re.compile("[多几]")


def find_cues(folded: str, tokens: Sequence[Word], glossary: Glossary, language: str) -> list[Found]:
    """The cue words of a folded text whose words are `tokens`, the longest where they overlap."""
    exact = glossary.cues(language).find(folded, tokens=tokens)
    verbs = [found for found in _inflected(tokens, language) if not found.kind.startswith(MEASURE)]
    return longest([*exact, *verbs]) if verbs else exact


def find_measures(folded: str, tokens: Sequence[Word], glossary: Glossary, language: str) -> list[Found]:
    """The words of measure of a folded text; the kind of each is the name of its list."""
    words = [found for found in _inflected(tokens, language) if found.kind.startswith(MEASURE)]
    return longest([*glossary.measures(language).find(folded, tokens=tokens), *words])


def is_asking(measure: Found, text: str, tokens: Sequence[Word], cues: Sequence[Found], language: str) -> bool:
    """Does a word of measure only say what is asked ("how much did it **cost**"), or may it be a noun ("revenue and cost")?"""
    word = text[measure.start : measure.end]
    if language == "zh":
        return _ASKS_HOW_MUCH.search(word) is not None
    if " " in word:
        return True
    if language == "sv":
        return bool(verb_forms(fold(word), "sv"))
    before = [token.form for token in tokens if token.end <= measure.start][-1:]
    counted = any(cue.kind == "numeric" and cue.end <= measure.start for cue in cues)
    return counted and before[0] not in named_lists(language, "intent")["before_nouns"]


def with_gaps(found: list[Found], text: str, tokens: Sequence[Word], glossary: Glossary, language: str) -> list[Found]:
    """The names of a text, with those of metrics that hold a word which changes nothing; the longest where they overlap."""
    if language == "zh":
        known = any(name.kind == METRIC for name in found)
        more = [] if known else _across_runs(text, glossary)
    else:
        more = _across_words(text, tokens, glossary, language)
    return longest([*found, *more]) if more else found


def _inflected(tokens: Sequence[Word], language: str) -> list[Found]:
    return [Found(word.start, word.end, kind, "") for word in tokens for kind in inflected_cues(word.form, language)]


def _across_words(text: str, tokens: Sequence[Word], glossary: Glossary, language: str) -> list[Found]:
    inside = named_lists(language, "intent")["inside_names"]
    passed = [word for word in tokens if word.form in inside or "neutral" in inflected_cues(word.form, language)]
    if not passed:
        return []
    kept = [word for word in tokens if word not in passed]
    return [
        name
        for name in glossary.names.find(fold(text), text, kept)
        if name.kind == METRIC
        and any(name.start < word.start and word.end < name.end for word in passed)
        and not _STOPS.search(text, name.start, name.end)
    ]


def _across_runs(text: str, glossary: Glossary) -> list[Found]:
    """The same where words are not divided: what may stand inside is cut out of text and names, and the places are counted
    back."""
    inside = re.compile("|".join(map(re.escape, named_lists("zh", "intent")["inside_names"])))
    folded = fold(text)
    gone = {place for match in inside.finditer(folded) for place in range(*match.span())}
    places = [place for place in range(len(folded)) if place not in gone]
    thin = "".join(folded[place] for place in places)
    found = []
    for metric in glossary.profile.metrics if gone else ():
        for name in {inside.sub("", fold(name)) for name in metric.names}:
            at = thin.find(name) if len(name) > 1 and not name.isascii() else -1
            if at >= 0:
                found.append(Found(places[at], places[at + len(name) - 1] + 1, METRIC, metric.code))
    return [
        name
        for name in found
        if any(name.start < place < name.end for place in gone) and not _STOPS.search(text, name.start, name.end)
    ]
