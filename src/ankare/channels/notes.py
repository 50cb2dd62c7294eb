"""What does a reader have to be told beside the answer: what the evidence lacks, its language, its version?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ankare.answer.forms import statement
from ankare.answer.units import Material
from ankare.domain.answer import Claim
from ankare.domain.document import Document
from ankare.domain.evidence import Hit, Relevance
from ankare.domain.question import Question, QuestionType
from ankare.gate.coverage import Subject
from ankare.language.dictionary import is_verb_form
from ankare.language.kinds import asked_kind, holds_kind, kind_stretches
from ankare.messages import messages

WEAK_SHARE = 0.35


def weakly_held(subject: Subject, relevance: Relevance, claims: Iterable[Claim] = ()) -> tuple[str, ...]:
    """The words of the question that its evidence lacks, where they weigh enough for the user to be told. Not those that only
    ask for a kind of thing ("vad kostar") where a claim holds such a thing."""
    code, text = subject.question.language, subject.question.text
    kind = asked_kind(code, text)
    given = kind is not None and any(holds_kind(code, kind, claim.text) for claim in claims)
    asking = kind_stretches(code, text) if given else ()
    lacked = [word for word in subject.words if word.word.text in relevance.missing]
    told = [w for w in lacked if not any(start <= w.word.start < end for start, end in asking)]
    weight = sum(word.weight for word in told)
    return tuple(word.word.text for word in told) if weight > WEAK_SHARE * subject.total_weight else ()


def language_note(question: Question, claims: tuple[Claim, ...]) -> list[str]:
    """The answer quotes documents in another language than the question: which one."""
    texts = messages(question.language)
    others = sorted({c.chunk.language for claim in claims for c in claim.citations} - {question.language})
    names = [texts[f"language.{code}"] for code in others if f"language.{code}" in texts]
    return [texts["note.other_language"].format(language=", ".join(names))] if names else []


def missing_note(question: Question, missing: tuple[str, ...]) -> list[str]:
    """The answer rests on less than the whole question: without which words."""
    if not missing:
        return []
    note = messages(question.language)["note.words_missing"]
    return [note.format(missing=listed_words(missing, question.language))]


def definition_note(material: Material, claims: tuple[Claim, ...]) -> list[str]:
    """A definition was asked for and the evidence only uses the word: say so."""
    if material.question.type is not QuestionType.DEFINITION or statement.defines(material, claims):
        return []
    return [messages(material.question.language)["note.no_definition"]]


def version_notes(
    question: Question, claims: tuple[Claim, ...], hits: Iterable[Hit], documents: Mapping[str, Document]
) -> list[str]:
    """Where an older and a newer version of a document both speak to the question: which one is cited, and since when."""
    cited = {c.chunk.document_id for claim in claims for c in claim.citations}
    found = cited | {hit.chunk.document_id for hit in hits}
    notes = []
    for newer in sorted((documents[d] for d in cited if d in documents), key=lambda d: d.source):
        older = [documents[d] for d in sorted(found) if d in documents and documents[d].source in newer.supersedes]
        if older and newer.valid_from:
            note = messages(question.language)["note.newer_version"]
            names = [_named(newer, question.language), _named(older[0], question.language)]
            notes.append(note.format(title=names[0], date=newer.valid_from, older=names[1]))
    return notes


def _named(document: Document, language: str) -> str:
    """A document's title, with its version where it has one."""
    if not document.version:
        return document.title
    return messages(language)["note.versioned"].format(title=document.title, version=document.version)


def telling_words(question: Question, relevance: Relevance) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of a question that are covered, and those that are missing, without its verbs ("ligger"), which name no topic;
    with them where there is nothing else."""
    covered, missing = (
        tuple(word for word in words if not is_verb_form(word.casefold(), question.language))
        for words in (relevance.covered, relevance.missing)
    )
    return (covered, missing) if covered or missing else (relevance.covered, relevance.missing)


def listed_words(words: Iterable[str], language: str) -> str:
    """Words in quotation marks, as a list in running text."""
    quote = messages(language)["note.quoted"]
    quoted = [quote.format(word=word) for word in dict.fromkeys(words)]
    if len(quoted) < 2:
        return "".join(quoted)
    return messages(language)["note.and"].format(first=", ".join(quoted[:-1]), last=quoted[-1])
