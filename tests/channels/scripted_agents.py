"""A small corpus from the real ingest, agents that say what a test wants, and a gate that a child could judge by."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ankare.answer.cast import cast_of
from ankare.channels.agentic import AgentChain, ChainSettings
from ankare.channels.corpus import OpenCorpus
from ankare.channels.narrative import NarrativeChannel
from ankare.domain.access import OWNER
from ankare.domain.answer import Citation
from ankare.domain.document import Chunk
from ankare.domain.evidence import Hit
from ankare.domain.grounding import Grounding, SentenceVerdict, Ungrounded
from ankare.domain.question import Question
from ankare.gate.relevance import RelevanceGate
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.language.languages import get_language
from ankare.llm.protocol import Usage
from ankare.llm.retry import Clock
from ankare.llm.scripted import Reply, ScriptedProvider, completion
from ankare.wiring import corpus_source

QUESTION = "Vem beslutar om budgeten?"
OFF_TOPIC = "Vilket bordtennisgummi är bäst?"
DECIDES = "Styrgruppen beslutar om budgeten."
LEADS = "Projektledaren bokar lokalen i god tid."
INVENTED = "Budgeten är 4 miljoner kronor."
DOCUMENTS = {
    "plan.md": f"# Plan\n\n## Beslut\n\n{DECIDES} {LEADS}\n\n## Flytt\n\nArkivet flyttas i maj.\n",
    "roller.md": "# Roller\n\n## Styrgruppen\n\nStyrgruppen består av fyra ledamöter. Gruppen möts varje månad.\n\n"
    "## Projektledaren\n\nProjektledaren ansvarar för tidplanen och bokar lokaler.\n",
    "ekonomi.md": "# Ekonomi\n\n## Budget\n\nBudgeten följs upp varje kvartal. Avvikelser rapporteras till ledningen.\n",
}
USAGE = Usage(100, 20, 120)


def build_home(folder: Path) -> Home:
    """A home of three documents, read in."""
    documents = folder / "documents"
    documents.mkdir(parents=True)
    for name, text in DOCUMENTS.items():
        (documents / name).write_text(text, encoding="utf-8")
    home = Home(folder / "home")
    ingest([documents], home, workers=1)
    return home


def build_corpus(folder: Path) -> OpenCorpus:
    """The same home, opened."""
    return corpus_source(build_home(folder)).load(OWNER)


@dataclass
class SpiedCorpus:
    """A corpus that remembers what was searched, wording by wording."""

    inner: OpenCorpus
    searched: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def retrieve(self, question: Question, top_k: int) -> tuple[Hit, ...]:
        self.searched.append(question.text)
        return self.inner.retrieve(question, top_k)


class WordForWordGate:
    """A sentence is supported where a chunk holds it word for word. Stands in for the real gate where a test is about the
    chain, and never passes what the real one would not."""

    def __init__(self) -> None:
        self.judged: list[tuple[str, tuple[str, ...]]] = []

    def judge(
        self, text: str, cited: Sequence[Chunk], *, pool: Sequence[Chunk] = (), question: str = "", language: str = "sv"
    ) -> Grounding:
        chunks = tuple(cited) or tuple(pool)
        self.judged.append((text, tuple(chunk.source for chunk in cited)))
        verdicts = tuple(_verdict(part, chunks) for part in re.split(r"(?<=[.!?])\s+", text.strip()) if part)
        passed = bool(verdicts) and all(verdict.supported for verdict in verdicts)
        return Grounding(passed, verdicts, None if passed else Ungrounded.NOT_ENTAILED)


def _verdict(sentence: str, chunks: Sequence[Chunk]) -> SentenceVerdict:
    for chunk in chunks:
        start = chunk.text.find(sentence)
        if start >= 0:
            end = start + len(sentence)
            places = next((s.places for s in chunk.sentences if s.start <= start < s.end), ())
            return SentenceVerdict(sentence, True, citations=(Citation(chunk, start, end, places),), score=1.0)
    return SentenceVerdict(sentence, False, Ungrounded.NOT_ENTAILED, detail="not word for word")


class BlindGate(WordForWordGate):
    """The saboteur: passes everything, on whatever evidence there is."""

    def judge(
        self, text: str, cited: Sequence[Chunk], *, pool: Sequence[Chunk] = (), question: str = "", language: str = "sv"
    ) -> Grounding:
        first = (tuple(cited) or tuple(pool))[0]
        sentence = first.sentences[0]
        citation = Citation(first, sentence.start, sentence.end, sentence.places)
        return Grounding(True, (SentenceVerdict(text, True, citations=(citation,), score=1.0),))


def said(value: object, usage: Usage | None = USAGE, **more: Any) -> Reply:
    """A reply of a model: an object as JSON, a text as it is."""
    return completion(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), usage=usage, **more)


def rewrite(*queries: str, question: str = QUESTION, confidence: float = 0.9) -> Reply:
    """Agent 1."""
    return said(
        {
            "original_question": question,
            "retrieval_queries": [{"query": query, "purpose": "synonym"} for query in queries],
            "must_keep_focus": ["beslut"],
            "semantic_terms": [],
            "negative_constraints": [],
            "confidence": confidence,
        }
    )


def cites(fragment: str, answer: str, *, scope: str = "direct", agent: str = "draft") -> Callable[..., Reply]:
    """An agent that writes `answer` and cites the chunk in its prompt that holds `fragment`."""

    def reply(messages: Sequence[Any], _tools: object) -> Reply:
        evidence = [{"chunk_id": alias_of(messages, fragment), "claim_supported": answer}]
        more = {"answer_scope": scope, "unsupported_or_uncertain": []} if agent == "draft" else {}
        return said({"answer": answer, "evidence_used": evidence, **more})

    return reply


def draft(answer: str, *ids: str, scope: str = "direct") -> Reply:
    """Agent 2 with the ids as they are given."""
    evidence = [{"chunk_id": one, "claim_supported": answer} for one in ids]
    return said({"answer": answer, "answer_scope": scope, "evidence_used": evidence, "unsupported_or_uncertain": []})


def alias_of(messages: Sequence[Any], fragment: str) -> str:
    """The name under which a prompt shows the chunk that holds a text."""
    prompt = messages[-1]["content"]
    opened = re.findall(r'<(c\d+) key="[0-9a-f]+">', prompt[: prompt.index(fragment, prompt.index("<evidence"))])
    return str(opened[-1])


def review(verdict: str = "approve", revision: str = "", *unsupported: str) -> Reply:
    """Agent 3."""
    good = verdict == "approve"
    return said(
        {
            "verdict": verdict,
            "answers_original_question": True,
            "grounded_in_sources": good,
            "drift_from_original_question": False,
            "metadata_leakage": False,
            "unsupported_claims": list(unsupported),
            "minor_revision": revision,
            "review_notes": "" if good else "Det saknas stöd.",
        }
    )


GOOD = (rewrite("beslut om budget"), cites(DECIDES, DECIDES), review())
"""Three agents that do what they should."""


def chain_of(
    replies: Sequence[Reply], gate: WordForWordGate | None = None, clock: Clock | None = None, **settings: Any
) -> tuple[AgentChain, ScriptedProvider]:
    """A chain whose models follow a script."""
    provider = ScriptedProvider(replies)
    control = NarrativeChannel(RelevanceGate(), get_language)
    models = settings.pop("models", {})
    chain = AgentChain(
        control,
        gate or WordForWordGate(),
        provider,
        cast_of(models, "openai/gpt-oss-20b", "high"),
        ChainSettings(**settings),
        clock or Clock(),
    )
    return chain, provider
