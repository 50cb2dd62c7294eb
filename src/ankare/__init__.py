"""ankare answers questions from your own documents and figures, with page or cell, or says that they do not hold the answer.

    from ankare import open_engine
    from ankare.settings import load_settings

    reply = open_engine(load_settings(home="my-home")).ask("Vem beslutar?")

or, over a store of figures and a model of your own, `answer_question` (see `ankare.channels.answer_question`).

Names are imported when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ankare._version import __version__

if TYPE_CHECKING:
    from ankare.channels.answer_question import AgentResult, answer_question
    from ankare.channels.figures import NarrativePassage
    from ankare.domain.answer import Answer, Refusal
    from ankare.domain.clarification import ClarificationResult
    from ankare.domain.fact import Fact, FactKey, Period
    from ankare.domain.figures import FigureAnswer
    from ankare.domain.reply import Reply
    from ankare.engine import Engine
    from ankare.errors import AnkareError, BadInputError, HomeError, ProviderError, QuestionError
    from ankare.facts.postgres import PostgresFactStore
    from ankare.facts.sqlite import SqliteFactStore
    from ankare.gate.security import SecurityGate
    from ankare.llm.anthropic_messages import AnthropicProvider
    from ankare.llm.mock import MockProvider
    from ankare.llm.openai_compatible import OpenAIProvider
    from ankare.llm.protocol import ChatCompletion, LLMProvider
    from ankare.llm.scripted import ScriptedProvider
    from ankare.profile.load import load_profile
    from ankare.profile.model import Profile
    from ankare.structured.clarify import clarify_scope
    from ankare.structured.intent import ParsedIntent, RuleIntentParser, parse_intent
    from ankare.structured.query_tools import QueryResult, execute_query_metric
    from ankare.structured.tool_schema import build_query_metric_tool_anthropic, build_query_metric_tool_openai
    from ankare.wiring import open_engine

_WHERE = {
    "AgentResult": "ankare.channels.answer_question",
    "AnkareError": "ankare.errors",
    "Answer": "ankare.domain.answer",
    "AnthropicProvider": "ankare.llm.anthropic_messages",
    "BadInputError": "ankare.errors",
    "ChatCompletion": "ankare.llm.protocol",
    "ClarificationResult": "ankare.domain.clarification",
    "Engine": "ankare.engine",
    "Fact": "ankare.domain.fact",
    "FactKey": "ankare.domain.fact",
    "FigureAnswer": "ankare.domain.figures",
    "HomeError": "ankare.errors",
    "LLMProvider": "ankare.llm.protocol",
    "MockProvider": "ankare.llm.mock",
    "NarrativePassage": "ankare.channels.figures",
    "OpenAIProvider": "ankare.llm.openai_compatible",
    "ParsedIntent": "ankare.structured.intent",
    "Period": "ankare.domain.fact",
    "PostgresFactStore": "ankare.facts.postgres",
    "Profile": "ankare.profile.model",
    "ProviderError": "ankare.errors",
    "QueryResult": "ankare.structured.query_tools",
    "QuestionError": "ankare.errors",
    "Refusal": "ankare.domain.answer",
    "Reply": "ankare.domain.reply",
    "RuleIntentParser": "ankare.structured.intent",
    "ScriptedProvider": "ankare.llm.scripted",
    "SecurityGate": "ankare.gate.security",
    "SqliteFactStore": "ankare.facts.sqlite",
    "answer_question": "ankare.channels.answer_question",
    "build_query_metric_tool_anthropic": "ankare.structured.tool_schema",
    "build_query_metric_tool_openai": "ankare.structured.tool_schema",
    "clarify_scope": "ankare.structured.clarify",
    "execute_query_metric": "ankare.structured.query_tools",
    "load_profile": "ankare.profile.load",
    "open_engine": "ankare.wiring",
    "parse_intent": "ankare.structured.intent",
}

__all__ = [
    "AgentResult",
    "AnkareError",
    "Answer",
    "AnthropicProvider",
    "BadInputError",
    "ChatCompletion",
    "ClarificationResult",
    "Engine",
    "Fact",
    "FactKey",
    "FigureAnswer",
    "HomeError",
    "LLMProvider",
    "MockProvider",
    "NarrativePassage",
    "OpenAIProvider",
    "ParsedIntent",
    "Period",
    "PostgresFactStore",
    "Profile",
    "ProviderError",
    "QueryResult",
    "QuestionError",
    "Refusal",
    "Reply",
    "RuleIntentParser",
    "ScriptedProvider",
    "SecurityGate",
    "SqliteFactStore",
    "__version__",
    "answer_question",
    "build_query_metric_tool_anthropic",
    "build_query_metric_tool_openai",
    "clarify_scope",
    "execute_query_metric",
    "load_profile",
    "open_engine",
    "parse_intent",
]


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'ankare' has no attribute {name!r}")
