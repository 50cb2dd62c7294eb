"""Which way does a question to the documents take: without a model, with a rewritten answer, through the chain, or both?

A caller decides whether the chain runs, the operator whether its text may be published. Without a model everything goes the
control path, and says why.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace

from ankare.channels.agentic import AgentChain
from ankare.channels.narrative import Corpus, NarrativeChannel
from ankare.channels.readiness import Readiness
from ankare.channels.synthesized import Synthesizer
from ankare.channels.way import PLAIN, Way
from ankare.domain.agents import FinalState, Mode, Origin, Pipeline, Reason
from ankare.domain.answer import Answer, Refusal
from ankare.domain.cancel import CallCancelledError
from ankare.domain.document import Chunk
from ankare.domain.reply import Reply, Shadow
from ankare.errors import ProviderError

LOG = logging.getLogger("ankare.agents")


@dataclass(frozen=True)
class DocumentChannel:
    """The ways to an answer from documents. `chain`, `synthesis` and `readiness` are None where no model is configured."""

    control: NarrativeChannel
    chain: AgentChain | None = None
    synthesis: Synthesizer | None = None
    mode: Mode = Mode.REVIEWED_ANSWER
    readiness: Readiness | None = None

    def prepare(self, chunk: Chunk) -> None:
        """Read now what the first answer with a model would have to read. `chunk`: any of the index."""
        if self.readiness is not None:
            self.readiness.see_to(chunk, chunk.language)

    def reply(self, text: str, corpus: Corpus, language: str | None = None, way: Way = PLAIN) -> Reply:
        """The reply to a screened question. Raises ProviderServiceError and CallCancelledError; in shadow mode neither."""
        if way.agentic and self.chain is not None and self.mode is Mode.REVIEWED_ANSWER:
            return self.chain.reply(text, corpus, language, way)
        reply = self._controlled(text, corpus, language, way)
        if way.agentic and self.chain is not None and self.mode is Mode.SHADOW:
            return replace(reply, shadow=shadow(self.chain, text, corpus, language, way))
        return reply

    def _controlled(self, text: str, corpus: Corpus, language: str | None, way: Way) -> Reply:
        """The control path, its answer rewritten where that is wanted."""
        reply = self.control.reply(text, corpus, language, way)
        if way.synthesis and self.synthesis is not None:
            return self.synthesis.rewrite(reply, way)
        missing = (way.agentic and self.chain is None) or (way.synthesis and self.synthesis is None)
        if missing:
            return replace(
                reply, pipeline=Pipeline(self.mode, final=FinalState.FALLBACK, reason=Reason.NOT_CONFIGURED.value)
            )
        if way.agentic and self.mode is Mode.OFF:
            return replace(reply, pipeline=Pipeline(self.mode, reason=Reason.MODE_OFF.value))
        return reply


def shadow(chain: AgentChain, text: str, corpus: Corpus, language: str | None, way: Way) -> Shadow:
    """What the chain would have answered. Whatever befalls it is told in the record and in the log, never to the user."""
    started = time.perf_counter()
    run = chain.run(text, corpus, language, way, Mode.SHADOW)
    try:
        reply = run.reply()
    except CallCancelledError:
        raise
    except Exception as error:
        reason = error.kind if isinstance(error, ProviderError) else "chain_error"
        ours = reason == "chain_error"  # a refusal of the service stands in the record, and is told by who asked
        LOG.log(
            logging.WARNING if ours else logging.INFO,
            "the chain broke off in the shadow of an answer: %s",
            error,
            exc_info=ours,
        )
        return Shadow(run.record(Origin.FALLBACK, FinalState.FALLBACK, reason), milliseconds=_since(started))
    assert reply.pipeline is not None  # noqa: S101 - the chain always keeps a record
    outcome = reply.outcome if isinstance(reply.outcome, Answer | Refusal) else None
    return Shadow(reply.pipeline, outcome, reply.hits, _since(started))


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
