"""How does a program ask, that brings its own store and its own model?

    from ankare import MockProvider, SqliteFactStore, answer_question

    store = SqliteFactStore("facts.db"); store.init_schema()
    result = answer_question("中国内地FY2024的REVENUE是多少", store, MockProvider())

The same recipe as `Engine.ask`: `ankare.channels.figures`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from ankare.channels.figures import FigureChannel, FigureReply, NarrativePassage, NarrativeRetriever
from ankare.domain.answer import Refusal
from ankare.domain.clarification import ClarificationResult
from ankare.domain.figures import FigureAnswer
from ankare.facts.protocol import FactReader
from ankare.gate.screen import screen
from ankare.llm.protocol import LLMProvider
from ankare.messages import messages
from ankare.structured.decompose import QueryDecomposer
from ankare.structured.intent import ROUTE_COMPOSITE, ROUTE_NARRATIVE, IntentParser
from ankare.structured.query_tools import QueryResult, source_of
from ankare.structured.tool_loop import HistoryTurn
from ankare.structured.trace import Trace

MAX_QUESTION_CHARS = 5_000


@dataclass(frozen=True, slots=True)
class AgentResult:
    """What came of a question.

    `answer` names its sources inline, `answer_plain` is the same text without them. `sources`: `{"doc", "locator"}` of every
    fact and passage that the answer stands on. `answered`: something was found; else `answer` refuses or asks back.
    """

    answer: str
    route: str
    clarification: ClarificationResult
    tool_results: tuple[QueryResult, ...]
    sources: list[dict[str, str]]
    answer_plain: str
    answered: bool
    language: str
    trace: Trace


def answer_question(
    question: str,
    store: FactReader,
    provider: LLMProvider,
    *,
    reference_date: date | None = None,
    narrative_retriever: NarrativeRetriever | None = None,
    intent_parser: IntentParser | None = None,
    decomposer: QueryDecomposer | None = None,
    history: Sequence[HistoryTurn] | None = None,
) -> AgentResult:
    """Answer a question about the figures of the store, in the question's language.

    `reference_date`: what relative periods count from, None = today. `history`: earlier turns, shown to the model and to
    nothing else. A failing model is told in the answer (`trace.provider_error`), never raised. Raises QuestionError for an
    unusable question, FactStoreError where the store cannot be read, and lets programming errors of what is given pass.
    """
    text = screen(question, MAX_QUESTION_CHARS)
    channel = FigureChannel(store, store.profile, provider, narrative_retriever, intent_parser, decomposer)
    return result_of(channel.reply(text, reference_date=reference_date, history=history or ()))


def result_of(reply: FigureReply) -> AgentResult:
    """A reply as the library hands it out."""
    answered, cited, plain = _said(reply)
    facts = reply.outcome.facts if isinstance(reply.outcome, FigureAnswer) else ()
    sources = [source_of(fact) for fact in facts]
    sources += [{"doc": passage.doc, "locator": passage.locator} for passage in reply.passages]
    return AgentResult(
        answer=cited,
        route=reply.route,
        clarification=reply.clarification,
        tool_results=reply.results,
        sources=[dict(pair) for pair in dict.fromkeys(tuple(source.items()) for source in sources)],
        answer_plain=plain,
        answered=answered,
        language=reply.language,
        trace=reply.trace,
    )


def _said(reply: FigureReply) -> tuple[bool, str, str]:
    """Whether something was answered, and the text with and without its sources."""
    parts: list[tuple[str, str]] = []
    if isinstance(reply.outcome, FigureAnswer):
        parts.append((reply.outcome.text(cited=True), reply.outcome.text(cited=False)))
    elif isinstance(reply.outcome, Refusal):
        parts.append((reply.outcome.message, reply.outcome.message))
    elif reply.clarification.question:
        parts.append((reply.clarification.question, reply.clarification.question))
    if reply.route in (ROUTE_NARRATIVE, ROUTE_COMPOSITE) and not reply.clarification.question:
        parts.append(_narrative(reply))
    answered = isinstance(reply.outcome, FigureAnswer) or bool(reply.passages)
    return answered, "\n\n".join(cited for cited, _ in parts), "\n\n".join(plain for _, plain in parts)


def _narrative(reply: FigureReply) -> tuple[str, str]:
    """The passages, each with its document; a fixed honest text where there are none."""
    texts = messages(reply.language)
    if not reply.passages:
        nothing = texts["figures.narrative_none" if reply.outcome is None else "figures.documents_none"]
        return nothing, nothing
    cited = [_cited(passage, reply.language) for passage in reply.passages]
    return "\n".join(cited), "\n".join(passage.text for passage in reply.passages)


def _cited(passage: NarrativePassage, language: str) -> str:
    texts = messages(language)
    place = passage.doc
    if passage.locator:
        place = texts["figures.place"].format(doc=passage.doc, locator=passage.locator)
    return texts["figures.passage"].format(text=passage.text, source=texts["figures.source"].format(source=place))
