"""What does the channel make of one question, over a corpus that the test writes down?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ankare.answer.units import Similarity
from ankare.channels.narrative import NarrativeChannel
from ankare.domain.answer import Answer, Refusal
from ankare.domain.document import Chunk, Document
from ankare.domain.evidence import Hit
from ankare.domain.question import Question, QuestionType
from ankare.gate.coverage import Subject
from ankare.gate.relevance import RelevanceGate
from tests.samples import PlainLanguage, chunk, hit, question

LANGUAGE = PlainLanguage(anaphora=(), definition_evidence=("är",), naming_evidence=())


@dataclass
class WrittenCorpus:
    """A corpus of given hits; every word of them is known."""

    hits: tuple[Hit, ...]
    documents: Mapping[str, Document] = field(default_factory=dict)
    language: str = "sv"
    version: str = "v1"

    def interpret(self, text: str, language: str | None) -> Question:
        words = {w for h in self.hits for s in h.chunk.sentences for w in s.terms}
        unknown = [w for w in LANGUAGE.index_terms(text) if w not in words]
        return replace(question(text, QuestionType.GENERAL, unknown=unknown), language=language or self.language)

    def retrieve(self, question: Question, top_k: int) -> tuple[Hit, ...]:
        return self.hits[:top_k]

    def subject(self, question: Question) -> Subject:
        held = {w for h in self.hits for s in h.chunk.sentences for w in s.terms}
        return Subject(question, lambda t: 2 * (t in held), 50, lambda _c, text: frozenset(LANGUAGE.index_terms(text)))

    def following(self, chunk: Chunk) -> Chunk | None:
        return None

    def similarity(self, question: Question) -> Similarity:
        return lambda _chunk, _position: None


CHANNEL = NarrativeChannel(RelevanceGate(), lambda _code: LANGUAGE)
PLAN = chunk("Planen beslutas av styrgruppen.", source="plan.pdf", section=["Beslut"])


def document(source: str, **more: object) -> Document:
    return Document(source, source, "pdf", "00", source.split(".")[0].title(), "sv", 1, **more)  # type: ignore[arg-type]


def test_an_answer_cites_every_claim_and_names_the_index_version() -> None:
    reply = CHANNEL.reply("Vem beslutas planen av", WrittenCorpus((hit(PLAN),)))
    assert isinstance(reply.outcome, Answer)
    assert [claim.text for claim in reply.outcome.claims] == ["Planen beslutas av styrgruppen."]
    assert all(claim.citations for claim in reply.outcome.claims)
    assert reply.index_version == "v1"
    assert [timing.step for timing in reply.timings] == ["interpret", "retrieve", "relevance", "answer"]


def test_a_refusal_says_what_the_material_holds_and_what_not() -> None:
    reply = CHANNEL.reply("Vilket typsnitt har planen", WrittenCorpus((hit(PLAN),)))
    assert isinstance(reply.outcome, Refusal)
    assert "”planen”" in reply.outcome.message
    assert "”typsnitt”" in reply.outcome.message


def test_a_far_question_is_told_which_words_stand_nowhere_and_nothing_near() -> None:
    for hits in ((hit(PLAN),), ()):
        reply = CHANNEL.reply("Hur bakas sockerkaka", WrittenCorpus(hits))
        assert isinstance(reply.outcome, Refusal)
        assert "”sockerkaka” hittades inte i materialets text" in reply.outcome.message
        assert reply.outcome.nearby == ()


def test_words_of_another_language_are_not_said_to_be_missing() -> None:
    """They cannot stand in a text in this one, whatever it is about."""
    reply = CHANNEL.reply("Who bakes sponge cake", WrittenCorpus((hit(PLAN),), language="en"))
    assert isinstance(reply.outcome, Refusal)
    assert "sponge" not in reply.outcome.message


def test_words_that_the_evidence_lacks_are_told_with_the_answer() -> None:
    corpus = WrittenCorpus((hit(PLAN, semantic=0.95),))
    reply = CHANNEL.reply("Vem klubbar planen", corpus)
    assert isinstance(reply.outcome, Answer)
    assert reply.outcome.partial
    assert "”klubbar”" in reply.outcome.note


def test_the_newer_version_of_a_document_is_named_with_its_date() -> None:
    old = chunk("Planen beslutas av ledaren.", source="plan_1.pdf")
    corpus = WrittenCorpus(
        (hit(PLAN), hit(old)),
        {
            "plan.pdf": document("plan.pdf", version="2.0", valid_from="2026-01-01", supersedes=("plan_1.pdf",)),
            "plan_1.pdf": document("plan_1.pdf"),
        },
    )
    reply = CHANNEL.reply("Vem beslutas planen av", corpus)
    assert isinstance(reply.outcome, Answer)
    assert "2026-01-01" in reply.outcome.note
    assert "version 2.0" in reply.outcome.note
    assert {c.chunk.source for claim in reply.outcome.claims for c in claim.citations} == {"plan.pdf"}


def test_an_answer_from_documents_in_another_language_says_so() -> None:
    reply = CHANNEL.reply("Who decides it", WrittenCorpus((hit(PLAN, semantic=0.9),), language="en"))
    assert isinstance(reply.outcome, Answer)
    assert "Swedish" in reply.outcome.note


def test_the_same_question_gets_the_same_reply() -> None:
    corpus = WrittenCorpus((hit(PLAN), hit(chunk("Planen skrivs av ledaren.", source="b.pdf"))))
    first, second = (CHANNEL.reply("Vem skriver planen", corpus) for _ in range(2))
    assert first.outcome == second.outcome


def test_a_word_that_is_only_used_is_not_passed_off_as_defined() -> None:
    class Definitions(WrittenCorpus):
        def interpret(self, text: str, language: str | None) -> Question:
            return replace(super().interpret(text, language), type=QuestionType.DEFINITION)

    used = CHANNEL.reply("Vad är planen", Definitions((hit(chunk("Styrgruppen beslutar varje år i maj om planen.")),)))
    defined = CHANNEL.reply("Vad är planen", Definitions((hit(chunk("Planen är en lista över allt arbete.")),)))
    assert isinstance(used.outcome, Answer)
    assert "definition" in used.outcome.note
    assert isinstance(defined.outcome, Answer)
    assert defined.outcome.note == ""
