"""Does an answer speak to the question: of its subject, of little else, and in the form that was asked for?

    relevance = fit * 2 * coverage * focus / (coverage + focus)

`coverage` is the recall of the question's subject in the answer, `focus` the precision of the answer's sentences with regard
to it, joined as in the F measure (van Rijsbergen 1979); `fit` halves what has not the form that was asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from operator import mul

from ankare.domain.question import QuestionType
from ankare.evaluation.captured import CitedSpan, Context, Response
from ankare.evaluation.case import Case
from ankare.evaluation.measures.answer_form import form_asked, form_fit
from ankare.evaluation.measures.answer_statements import MOST_SHOWN, Claimed, answer_context, question_said, shown
from ankare.evaluation.measures.said import CHINESE, ContentWord, Said, said, wording
from ankare.evaluation.measures.support import RELATED, Passage, passage
from ankare.gate.grounding.words import verb_form
from ankare.language.languages import get_language

IN_HEADING = 0.8
"""What a word of the subject is worth that only the title or section of a cited place has: lists seldom repeat it."""
NEARBY = 0.5
"""What it is worth where only the passage around the cited words has it."""
ALIKE = 0.8
"""From this likeness on an unknown word of the question is read as one of the answer (Ratcliff and Obershelp 1988)."""
VERB = 0.5
"""What a verb of the question weighs beside its other words."""
_PART = 0.5


@dataclass(frozen=True, slots=True)
class _Place:
    """What stands above and around the words that a sentence cites."""

    headings: tuple[Said, ...]
    passages: tuple[Passage, ...]


def relevance_of(case: Case, response: Response, claims: Sequence[Claimed]) -> tuple[float, object]:
    """The relevance of an answer's sentences, 0 to 1, with what it stands on. 0 where none claims anything."""
    asked = question_said(case, response)
    subject = subject_of(asked)
    weights = [_weight(word, asked.code) for word in subject]
    committed = [one for one in claims if one.committed]
    judged = [one for one in claims if not one.said.text.rstrip().endswith(":")] or committed
    places = [_place(one, response) for one in judged]
    worths = [_credits(subject, one, place, asked) for one, place in zip(judged, places, strict=True)]
    spoken = [_weighted(worth, weights) for worth in worths]
    coverage = max(spoken, default=0.0)
    bears = [bearing(one, coverage) for one in spoken]
    focus = _mean(bears)
    bearing_most = [one for one, worth in zip(judged, bears, strict=True) if one.committed and worth == 1.0]
    fit, wanted = form_fit(asked, bearing_most, [heading for place in places for heading in place.headings])
    value = fit * 2 * coverage * focus / (coverage + focus) if committed and coverage + focus else 0.0
    return value, {
        "coverage": round(coverage, 4),
        "focus": round(focus, 4),
        "fit": fit,
        "asked_for": wanted,
        "subject": {
            word.text: round(max(column), 4) for word, column in zip(subject, zip(*worths, strict=True), strict=False)
        },
        "statements": [
            {"text": shown(one.said.text), "bears": round(worth, 4)} for one, worth in zip(judged, bears, strict=True)
        ][:MOST_SHOWN],
    }


def subject_of(asked: Said) -> tuple[ContentWord, ...]:
    """The content words of a question, less those that never show a subject alone; all of them where no other is there."""
    if asked.code == CHINESE:
        return asked.words
    language = get_language(asked.code)
    return tuple(word for word in asked.words if not language.analyze(word.text).generic) or asked.words


def _credits(subject: Sequence[ContentWord], one: Claimed, place: _Place, asked: Said) -> list[float]:
    """Of each word of the subject, how far a sentence speaks of it; an excuse and an echo speak of nothing."""
    says = one.committed and not _echoes(one.said, asked)
    return [_credit(word, one, place) if says else 0.0 for word in subject]


def _echoes(one: Said, asked: Said) -> bool:
    """Does a sentence say nothing but what the question says, and neither yes nor no to it?"""
    if form_asked(asked.code, asked.text) is QuestionType.EXISTENCE:
        return False
    if bool(one.denied) != bool(asked.denied) or wording(one.code, "yes_no").match(one.text.casefold()):
        return False
    told = {amount.text for amount in asked.amounts}
    return all(not w.terms.isdisjoint(asked.terms) for w in one.words) and all(a.text in told for a in one.amounts)


def _credit(word: ContentWord, one: Claimed, place: _Place) -> float:
    own = _held(word, one.said) or _misspelled(word, one.said)
    if own == 1.0:
        return own
    above = max((_held(word, heading) for heading in place.headings), default=0.0)
    around = float(any(not word.terms.isdisjoint(near.terms) for near in place.passages))
    return max(own, IN_HEADING * above, NEARBY * around)


def _held(word: ContentWord, sentence: Said) -> float:
    """1 for a word in any form, less for one that the sentence says otherwise, or holds a part of."""
    if not word.terms.isdisjoint(sentence.terms):
        return 1.0
    if (word.parts and word.parts <= sentence.terms) or not word.senses.isdisjoint(sentence.gives):
        return RELATED
    return _PART if word.parts and not word.parts.isdisjoint(sentence.terms) else 0.0


def _misspelled(word: ContentWord, sentence: Said) -> float:
    """1 for a word that the language does not know and that the sentence has in another spelling."""
    if sentence.code == CHINESE or get_language(sentence.code).is_word(word.text):
        return 0.0
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(word.text.casefold())
    for other in sentence.words:
        matcher.set_seq1(other.text.casefold())
        if matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE:
            return 1.0
    return 0.0


def _weighted(worths: Sequence[float], weights: Sequence[float]) -> float:
    """How much of the subject a sentence speaks of; all of a subject without words."""
    total = sum(weights)
    return sum(map(mul, worths, weights)) / total if total else 1.0


def bearing(spoken: float, most: float) -> float:
    """How far a sentence bears on the subject: fully where it speaks of at least half as much of it as the one that speaks of
    most, else as far as it comes on the way there."""
    return min(1.0, 2 * spoken / most) if most else 0.0


def _weight(word: ContentWord, code: str) -> float:
    """A verb weighs half: what is done is said in more ways than what it is done to."""
    return VERB if code != CHINESE and verb_form(word.text.casefold(), code)[2] else 1.0


def _place(one: Claimed, response: Response) -> _Place:
    found = [context for span in one.evidence for context in _cited(span, response)]
    return _Place(
        _headings(found, one.said.code),
        tuple(passage(context.text, one.said.code) for context in found if context.text),
    )


def _headings(found: Sequence[Context], code: str) -> tuple[Said, ...]:
    return tuple(said(text, code) for context in found for text in (context.section, context.title) if text.strip())


def _cited(span: CitedSpan, response: Response) -> list[Context]:
    """The contexts that a span stands in: by their id, else by source and page."""
    contexts = (*answer_context(response), *response.context)
    if span.chunk_id:
        found = [one for one in contexts if one.chunk_id == span.chunk_id]
        if found:
            return found[:1]
    return [one for one in contexts if one.source == span.source and {*one.pages} & {*span.pages}][:2]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
