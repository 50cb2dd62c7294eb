"""Which question is a text on its own, after the question before it?

    cues -> figures: slots -> a word that asks, alone -> pointing words -> pieces of a question -> the text as it is

A recipe from top to bottom, without a model. In doubt the text stays as it is: a wrong guess is worse than none. What comes
out is a question like any other: whoever sends it sends it through every gate.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ankare.domain.question import QuestionType, Understood
from ankare.language.detect import detect_language
from ankare.language.follow_ups import Core, as_question, core_of, cue_list
from ankare.language.questions import question_type
from ankare.profile.model import Profile
from ankare.retrieve.asked_alone import asked_alone
from ankare.retrieve.ellipsis import completed, opens_a_clause
from ankare.retrieve.follow_up_chinese import completed_chinese
from ankare.retrieve.noun_phrases import Phrase, phrases_of, read_words
from ankare.retrieve.pointing import pointers, replaced
from ankare.structured.follow_up_figures import FigureContext, figure_context, figure_follow_up, figure_subject
from ankare.structured.glossary import glossary_of

MOST_WORDS = 40
"""A longer text says enough for itself."""


def read_follow_up(
    previous: str, text: str, profile: Profile, language: str | None = None, reference_date: date | None = None
) -> Understood:
    """The question; the text itself, unchanged, wherever it stands on its own or cannot be read as a follow-up."""
    unchanged = Understood(text)
    if len(text.split()) > MOST_WORDS:
        return unchanged
    rules = profile.home
    spoken = detect_language(previous, rules.languages, rules.language)
    code = language or detect_language(text, rules.languages, spoken)
    core = core_of(text, code)
    figures = figure_context(previous, core, glossary_of(profile), code, spoken, reference_date or date.today())
    found = figure_follow_up(figures) if figures is not None else None
    if found is None:
        found = _of_documents(previous, core, code, spoken, figures)
    if found is None or not found.changed or not _keeps_outsiders(found, text, profile):
        return unchanged
    return unchanged if found.question.strip() == text.strip() else found


def _of_documents(
    previous: str, core: Core, code: str, spoken: str, figures: FigureContext | None
) -> Understood | None:
    subject = figure_subject(figures) if figures is not None else ""
    if code == spoken and (alone := asked_alone(previous, core, code, subject)) is not None:
        return alone
    if code == "zh":
        return completed_chinese(previous, core, subject) if spoken == "zh" else None
    if spoken == "zh":
        return None
    pointed = pointers(core.words, code)
    if pointed and pointed[0].end - pointed[0].start >= len(core.words.strip()):
        return None
    if pointed and not (code == spoken and opens_a_clause(read_words(core.words, code), code)):
        things = _things(previous, spoken, subject)
        worded = replaced(core.words, pointed, things if code == spoken else _bare(things), code)
        return None if worded is None else Understood(as_question(worded[0], code), True, worded[1])
    if code == spoken:
        return completed(previous, core, code)
    return _defined(previous, core, code, spoken)


def _things(previous: str, spoken: str, subject: str) -> tuple[Phrase, ...]:
    """What the question before speaks of; after one about figures, the figure."""
    found = phrases_of(previous, read_words(previous, spoken), spoken)
    if not subject:
        return found
    figure = phrases_of(subject, read_words(subject, spoken), spoken)
    return (replace(figure[0], text=subject, start=0, end=len(subject), preposition=""),) if figure else found


def _bare(things: tuple[Phrase, ...]) -> tuple[Phrase, ...]:
    """Things for a text in another language: without an article of their own."""
    return tuple(replace(thing, start=thing.head.start) if thing.shape == "article" else thing for thing in things)


def _defined(previous: str, core: Core, code: str, spoken: str) -> Understood | None:
    """A piece in another language than a question for a definition: the same question in that language."""
    forms = cue_list(code, "definition")
    if not (core.cued and forms) or question_type(previous, spoken) is not QuestionType.DEFINITION:
        return None
    return Understood(as_question(forms[0].format(core.words.strip()), code), True)


def _keeps_outsiders(found: Understood, text: str, profile: Profile) -> bool:
    """Does the question still name every external entity that the text names, so that the gate sees it?"""
    gate = glossary_of(profile).gate
    named = gate.detect(text).external_entities
    return set(named) <= set(gate.detect(found.question).external_entities)
