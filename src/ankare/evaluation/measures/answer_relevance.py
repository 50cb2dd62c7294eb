"""Does an answer speak to the question: of its subject, of little else, and in the form that was asked for?

    relevance = fit * 2 * coverage * focus / (coverage + focus)

`coverage` is the recall of the question's subject in the answer, `focus` the precision of the answer's words with regard to it,
joined as in the F measure (van Rijsbergen 1979); `fit` halves what has not the form that was asked for. A question that cannot
be answered has none: that it was answered is what the measure of refusals judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from operator import mul

from ankare.domain.question import QuestionType
from ankare.evaluation.captured import CitedSpan, Context, Response
from ankare.evaluation.case import Case
from ankare.evaluation.measures.abstention_measures import to_be_answered
from ankare.evaluation.measures.answer_form import form_asked, form_fit
from ankare.evaluation.measures.answer_spoken import TEXT, is_short, leads, length, repeated, spoken
from ankare.evaluation.measures.answer_statements import MOST_SHOWN, Claimed, answer_context, question_said, shown
from ankare.evaluation.measures.said import CHINESE, ContentWord, Said, said, wording
from ankare.evaluation.measures.support import RELATED, Passage, passage
from ankare.gate.grounding.words import verb_form
from ankare.language.kinds import asking_stretches
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
class _Judged:
    """A sentence of an answer. `says`: what of it counts, None for nothing; `borrows`: does it take from what stands above and
    around the words that it cites?"""

    one: Claimed
    says: Said | None
    borrows: bool
    headings: tuple[Said, ...]
    passages: tuple[Passage, ...]


def relevance_of(case: Case, response: Response, claims: Sequence[Claimed]) -> tuple[float, object] | None:
    """The relevance of an answer's sentences, 0 to 1, with what it stands on. 0 where none claims anything, None where the
    question should not have been answered."""
    if to_be_answered(case) is False:
        return None
    asked = question_said(case, response)
    subject = subject_of(asked)
    weights = [_weight(word, asked.code) for word in subject]
    judged = _judged(claims, response, asked)
    worths = [[_credit(word, one) for word in subject] for one in judged]
    spoken_of = [_weighted(worth, weights) if one.says else 0.0 for one, worth in zip(judged, worths, strict=True)]
    coverage = max(spoken_of, default=0.0)
    bears = [bearing(one, coverage) for one in spoken_of]
    focus = _weighted(bears, [max(1, length(one.one)) for one in judged]) if judged else 0.0
    bearing_most = [one.one for one, worth in zip(judged, bears, strict=True) if one.one.committed and worth == 1.0]
    fit, wanted = form_fit(asked, bearing_most, [heading for one in judged for heading in one.headings])
    committed = any(one.committed for one in claims)
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
            {"text": shown(one.one.said.text), "bears": round(worth, 4)}
            for one, worth in zip(judged, bears, strict=True)
        ][:MOST_SHOWN],
    }


def subject_of(asked: Said) -> tuple[ContentWord, ...]:
    """The content words of a question, less those that never show a subject alone and those that only say what kind of thing is
    asked for ("how long"); all of them where no other is there."""
    if asked.code == CHINESE:
        return asked.words
    language = get_language(asked.code)
    asking = _only_asking(asked)
    return (
        tuple(word for word in asked.words if word.text not in asking and not language.analyze(word.text).generic)
        or asked.words
    )


def _only_asking(asked: Said) -> set[str]:
    """The words of a question that stand only where it says what kind of thing it asks for."""
    stretches = asking_stretches(asked.code, asked.text)
    inside: set[str] = set()
    outside: set[str] = set()
    for token in get_language(asked.code).tokens(asked.text):
        within = any(start <= token.start and token.end <= end for start, end in stretches)
        (inside if within else outside).add(token.text)
    return inside - outside


def _judged(claims: Sequence[Claimed], response: Response, asked: Said) -> list[_Judged]:
    """The sentences that are judged: all but those that only lead into a list, where there are others."""
    rows = list(zip(claims, leads(claims), repeated(claims), strict=True))
    kept = [row for row in rows if not row[0].said.text.rstrip().endswith(":")] or [
        row for row in rows if row[0].committed
    ]
    return [_sentence(one, lead, said_before, response, asked) for one, lead, said_before in kept]


def _sentence(one: Claimed, lead: Said | None, said_before: bool, response: Response, asked: Said) -> _Judged:
    """An excuse, an echo, and what was said before say nothing. An item takes from what stands above it, and so does a sentence
    that shares a content word with the question, or that is too short to say anything without it."""
    says = None if said_before or not one.committed or _echoes(one.said, asked) else spoken(one)
    borrows = says is not None and (one.form != TEXT or is_short(one) or not asked.terms.isdisjoint(says.terms))
    found = [context for span in one.evidence for context in _cited(span, response)]
    headings = _headings(found, one.said.code) + ((lead,) if lead is not None else ())
    around = tuple(passage(context.text, one.said.code) for context in found if context.text)
    return _Judged(one, says, borrows, headings, around)


def _echoes(one: Said, asked: Said) -> bool:
    """Does a sentence say nothing but what the question says, and neither yes nor no to it?"""
    if form_asked(asked.code, asked.text) is QuestionType.EXISTENCE:
        return False
    if bool(one.denied) != bool(asked.denied) or wording(one.code, "yes_no").match(one.text.casefold()):
        return False
    told = {amount.text for amount in asked.amounts}
    return all(not w.terms.isdisjoint(asked.terms) for w in one.words) and all(a.text in told for a in one.amounts)


def _credit(word: ContentWord, one: _Judged) -> float:
    """How far a sentence speaks of a word of the subject."""
    if one.says is None:
        return 0.0
    own = _held(word, one.says) or _misspelled(word, one.says)
    if own == 1.0 or not one.borrows:
        return own
    above = max((_held(word, heading) for heading in one.headings), default=0.0)
    around = float(any(not word.terms.isdisjoint(near.terms) for near in one.passages))
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
    """The weighted mean; 1 of nothing, so that a sentence speaks of all of a subject without words."""
    total = sum(weights)
    return sum(map(mul, worths, weights)) / total if total else 1.0


def bearing(spoken: float, most: float) -> float:
    """How far a sentence bears on the subject: fully where it speaks of at least half as much of it as the one that speaks of
    most, else as far as it comes on the way there."""
    return min(1.0, 2 * spoken / most) if most else 0.0


def _weight(word: ContentWord, code: str) -> float:
    """A verb weighs half: what is done is said in more ways than what it is done to. A compound is a noun, though it may end as
    a verb does ("telefonloggar")."""
    return VERB if code != CHINESE and not word.parts and verb_form(word.text.casefold(), code)[2] else 1.0


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
