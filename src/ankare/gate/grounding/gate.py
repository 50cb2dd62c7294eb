"""Does the evidence hold every sentence of a text that a model wrote?

    clean -> split -> (each sentence) read -> find the passage that holds it -> weigh what agrees and what does not -> verdict

A sentence is supported by one passage (a chunk): its values, names, negations, modals and roles must agree with sentences
there, and no word of weight may be left that the passage does not say in the same or other words. What speaks against it are
signals on fixed scales (`features`), weighed by a logistic model whose weights can only count against a sentence
(`benchmarks/calibrate_grounding.py`). One unsupported sentence blocks the text, and so does an error in here.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ankare.domain.answer import Citation
from ankare.domain.cancel import CallCancelledError, while_wanted
from ankare.domain.document import Chunk
from ankare.domain.grounding import Grounding, SentenceVerdict, Ungrounded
from ankare.gate.grounding.cues import cue
from ankare.gate.grounding.features import fit
from ankare.gate.grounding.fits import Fit, Passage, claim_terms, plain
from ankare.gate.grounding.reading import Reading, read
from ankare.gate.grounding.settings import GroundingSettings
from ankare.gate.grounding.split import Statement, harmless_lead, lists_of, statements, states
from ankare.gate.grounding.words import NAME, NUMBER, closed
from ankare.gate.leakage import clean, file_names
from ankare.index.recent import Recent
from ankare.language.languages import get_language

MOST_SENTENCES = 60
"""A longer text is no answer; it is blocked."""
LONGEST = 700
"""Characters of a sentence that is read as one. A longer sentence of a draft is not supported; one of the evidence is read in
stretches, cut at a comma where there is one."""
MOST_NAMED = 50
"""Words of names and values in a sentence that is judged."""
MOST_PASSAGES = 3
"""How many of the chunks that share most words with a sentence are looked at closely."""
MUCH = 0.5
"""Chunks that share less of a sentence's terms than this part of what the best one shares are not looked at."""
MOST_HOMES = 3
MOST_NEAR = 8
_passages: Recent[tuple[str, str, tuple[str, ...]], Passage] = Recent(512)


@dataclass(frozen=True)
class GroundingGate:
    """Judges texts against chunks. Pure: the same input gives the same verdict; nothing that it is given makes it raise."""

    settings: GroundingSettings = field(default_factory=GroundingSettings)

    def judge(
        self,
        text: str,
        cited: Sequence[Chunk],
        *,
        pool: Sequence[Chunk] = (),
        question: str = "",
        language: str = "sv",
        allowed_urls: Collection[str] = (),
    ) -> Grounding:
        """Hold a text against the chunks that it cites, or, where it cites none, against the pool.

        `question`: the user's; its words are no evidence. `language`: of the text.
        """
        try:
            return self._judge(text, tuple(cited) or tuple(pool), question, language, allowed_urls)
        except CallCancelledError:
            raise
        except Exception as error:  # a gate that fails must not let anything through
            logging.getLogger(__name__).exception("The grounding gate failed; the text is blocked.")
            verdict = SentenceVerdict(text[:200], False, Ungrounded.GATE_ERROR, detail=type(error).__name__)
            return Grounding(False, (verdict,), Ungrounded.GATE_ERROR)

    def _judge(
        self, text: str, chunks: tuple[Chunk, ...], question: str, language: str, allowed_urls: Collection[str]
    ) -> Grounding:
        cleaned = clean(text, allowed_urls=allowed_urls)
        if cleaned.leaks:
            first = cleaned.leaks[0]
            verdict = SentenceVerdict(
                cleaned.text[:200], False, Ungrounded.LEAKED_INTERNALS, detail=f"{first.kind}: {first.text}"
            )
            return Grounding(False, (verdict,), Ungrounded.LEAKED_INTERNALS, cleaned.removed)
        each = statements(cleaned.text, language)
        if not each or len(each) > MOST_SENTENCES:
            reason = Ungrounded.EMPTY if not each else Ungrounded.NOT_ENTAILED
            return Grounding(False, (SentenceVerdict(cleaned.text[:200], False, reason),), reason, cleaned.removed)
        asked = read(question, language) if question.strip() else None
        once = {statement.text: statement for statement in each}.values()
        verdicts = tuple(self._verdict(statement, chunks, asked, language) for statement in while_wanted(once))
        reasons = [verdict.reason for verdict in verdicts if verdict.reason is not None]
        order = list(Ungrounded)
        return Grounding(not reasons, verdicts, min(reasons, key=order.index) if reasons else None, cleaned.removed)

    def _verdict(
        self, statement: Statement, chunks: tuple[Chunk, ...], asked: Reading | None, language: str
    ) -> SentenceVerdict:
        text = statement.claimed
        if len(text) > LONGEST:
            return _refused(statement, Ungrounded.NOT_ENTAILED, "the sentence is too long to be judged")
        if file_names(text):
            return _refused(statement, Ungrounded.METADATA_AS_FACT, ", ".join(file_names(text)))
        said = [f"{statement.lead} {text}"] if statement.lead else []
        verdict = _refused(statement, Ungrounded.NOT_ENTAILED, "it says nothing")
        for each in (*said, text):
            claim = read(each, language)
            if each is text and said and not (states(claim) and harmless_lead(statement.lead, language)):
                break
            verdict = self._judged(statement, claim, chunks, asked)
            if verdict.supported:
                break
        return verdict

    def _judged(
        self, statement: Statement, claim: Reading, chunks: tuple[Chunk, ...], asked: Reading | None
    ) -> SentenceVerdict:
        if not any(word.weight > 0 or word.kind == NUMBER for word in claim.words):
            return _refused(statement, Ungrounded.NOT_ENTAILED, "it says nothing")
        if not states(claim):
            return _refused(statement, Ungrounded.NOT_ENTAILED, "it is no sentence: it has no verb")
        if sum(word.kind in (NUMBER, NAME) for word in claim.words) > MOST_NAMED:
            return _refused(statement, Ungrounded.NOT_ENTAILED, "it names more than can be judged")
        if asked is not None and _only_asks(claim, asked):
            return _refused(statement, Ungrounded.ONLY_QUESTION_WORDS, "it says what the question says")
        if claim.text.rstrip().endswith("?"):
            return _refused(statement, Ungrounded.NOT_ENTAILED, "it is a question")
        copied = _copied(claim, chunks)
        if copied:
            return SentenceVerdict(statement.text, True, citations=copied, score=1.0, form=statement.form)
        best: tuple[float, Fit, Chunk] | None = None
        for chunk, passage in _nearest(claim, chunks):
            near = passage.likely(claim, MOST_NEAR)
            found = fit(claim, passage, near, passage.likely(claim, MOST_HOMES))
            score = self.settings.score(found.signals)
            if best is None or score > best[0]:
                best = (score, found, chunk)
            if score >= max(self.settings.enough, self.settings.threshold):
                break
        if best is None:
            return _refused(statement, Ungrounded.NOT_ENTAILED, "there is no evidence")
        score, found, chunk = best
        if score < self.settings.threshold:
            return _refused(statement, *_why(found), score)
        return SentenceVerdict(
            statement.text, True, citations=_citations(found, chunk), score=round(score, 4), form=statement.form
        )


def _refused(statement: Statement, reason: Ungrounded, detail: str = "", score: float = 0.0) -> SentenceVerdict:
    return SentenceVerdict(statement.text, False, reason, score=round(score, 4), detail=detail, form=statement.form)


_NOTED = {
    "number_mismatch": Ungrounded.NUMBER_MISMATCH,
    "unit_mismatch": Ungrounded.UNIT_MISMATCH,
    "date_mismatch": Ungrounded.DATE_MISMATCH,
    "name_not_in_evidence": Ungrounded.NAME_NOT_IN_EVIDENCE,
    "negation_flipped": Ungrounded.NEGATION_FLIPPED,
}


def _why(found: Fit) -> tuple[Ungrounded, str]:
    """The reason for a sentence that is not supported: the gravest thing that did not agree."""
    noted = [(_NOTED[kind], detail) for kind, detail in found.notes if kind in _NOTED]
    order = list(Ungrounded)
    if noted:
        reason, detail = min(noted, key=lambda item: order.index(item[0]))
        return reason, detail
    missing = [
        word
        for word in found.claim.words
        if word.weight >= 0.3
        and word.at not in found.context
        and (word.at not in found.chosen or found.chosen[word.at][1].worth < 0.6)
    ]
    heading = frozenset(get_language(found.passage.code).index_terms(found.passage.topic))
    if missing and all(not word.keys.isdisjoint(heading) for word in missing):
        return Ungrounded.METADATA_AS_FACT, ", ".join(word.text for word in missing)
    detail = ", ".join(word.text for word in missing) or "; ".join(detail for _, detail in found.notes)
    return Ungrounded.NOT_ENTAILED, detail


def _only_asks(claim: Reading, asked: Reading) -> bool:
    """Does the sentence say nothing but what the question says?"""
    known = {key for word in asked.words for key in word.keys}
    senses = {sense for each in asked.senses for sense in each if sense[0] == "same"}
    heavy = [word for word in claim.words if word.weight >= 0.3 or word.kind in (NUMBER, NAME)]
    if any(word.norm in closed(claim.code)["negators"] for word in claim.words) or not heavy:
        return False
    opening = next((word.norm for word in claim.words), "")
    if opening in closed(claim.code)["affirmations"]:
        return False
    return all(not word.keys.isdisjoint(known) or not claim.senses[word.at].isdisjoint(senses) for word in heavy)


# --- from chunks to passages


def _passage(chunk: Chunk) -> Passage:
    """A chunk as a passage; sentences are as they stand, with runs of white space made one."""
    key = (chunk.language, chunk.text, (chunk.title, *chunk.section))
    known = _passages.get(key)
    if known is None:
        texts: list[str] = []
        terms: list[frozenset[str]] = []
        owners: list[int] = []
        lists: list[int] = []
        in_list = lists_of(chunk)
        for owner, sentence in enumerate(chunk.sentences):
            text = " ".join(chunk.sentence_text(sentence).split())
            if _orders(text, chunk.language) or text.endswith("?"):
                continue  # neither says anything
            for stretch in _stretches(text):
                texts.append(stretch)
                owners.append(owner)
                lists.append(in_list[owner])
                whole = stretch is text
                terms.append(frozenset(sentence.terms if whole else get_language(chunk.language).index_terms(stretch)))
        known = Passage(texts, chunk.language, terms, ". ".join((chunk.title, *chunk.section)), owners, lists)
        _passages.put(key, known)
    return known


def _orders(text: str, code: str) -> bool:
    """Does a sentence of a document order a model about? Then it is no evidence."""
    pattern = cue(code, "orders")
    return pattern is not None and pattern.search(text.lower()) is not None


def _stretches(text: str) -> list[str]:
    """The text, or stretches of it that are short enough to be read."""
    stretches = []
    while len(text) > LONGEST:
        cut = max(text.rfind(mark, LONGEST // 2, LONGEST) for mark in (",", ";", ":", " ")) + 1 or LONGEST
        stretches.append(text[:cut])
        text = text[cut:]
    return [*stretches, text]


def _nearest(claim: Reading, chunks: Sequence[Chunk]) -> list[tuple[Chunk, Passage]]:
    """The chunks with a sentence that shares most of the claim's terms, best first; none that shares much less."""
    passages = [(chunk, passage) for chunk in chunks if len(passage := _passage(chunk))]
    wanted = claim_terms(claim)
    shared = [max(len(wanted & terms) for terms in passage.terms) for _, passage in passages]
    least = MUCH * max(shared, default=0)
    best = sorted((place for place, held in enumerate(shared) if held >= least), key=lambda n: (-shared[n], n))
    return [passages[place] for place in best[:MOST_PASSAGES]]


def _copied(claim: Reading, chunks: Sequence[Chunk]) -> tuple[Citation, ...]:
    """The citation of a sentence that stands word for word in the first chunk that has it, none where it does not."""
    text = plain(claim.text)
    for chunk in chunks:
        passage = _passage(chunk)
        number = passage.verbatim.get(text)
        if number is not None and passage.code == claim.code:
            sentence = chunk.sentences[passage.owner(number)]
            return (Citation(chunk, sentence.start, sentence.end, sentence.places),)
    return ()


def _citations(found: Fit, chunk: Chunk) -> tuple[Citation, ...]:
    sentences = [chunk.sentences[owner] for owner in dict.fromkeys(map(found.passage.owner, found.used))]
    return tuple(Citation(chunk, s.start, s.end, s.places) for s in sentences)
