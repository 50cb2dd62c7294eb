"""How does a model rewrite an answer that was taken from the documents, without adding to it?

    the answer without a model -> synthesis -> grounding gate -> the rewritten answer, or the one that was there

The model sees what the answer says and the chunks that it cites; the gate judges against these chunks alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ankare.answer.asking import AgentFailedError, Asking
from ankare.answer.cast import Cast
from ankare.answer.synthesis import ask_for_synthesis
from ankare.channels.publishing import TextGate
from ankare.channels.readiness import Readiness
from ankare.channels.way import Clock, Way
from ankare.domain.agents import FinalState, Origin, Pipeline, Reason
from ankare.domain.answer import Answer
from ankare.domain.document import Chunk
from ankare.domain.grounding import Grounding
from ankare.domain.reply import Reply
from ankare.llm.budget import Budget, current_token
from ankare.llm.protocol import LLMProvider
from ankare.llm.retry import Clock as Time


@dataclass(frozen=True)
class Synthesizer:
    """The recipe with its parts. Safe for many threads. `readiness`: what is read before the time of a synthesis begins."""

    gate: TextGate
    provider: LLMProvider
    cast: Cast
    seconds: float = 18.0
    log_contracts: bool = False
    time: Time = field(default_factory=Time)
    readiness: Readiness | None = None

    def rewrite(self, reply: Reply, way: Way) -> Reply:
        """The reply with its answer rewritten, or as it is with the reason why not; a refusal is never rewritten.

        Raises ProviderServiceError for the key and the quota, CallCancelledError when nobody waits any longer.
        """
        answer = reply.outcome
        if not isinstance(answer, Answer):
            return reply
        clock = Clock(way.on_step, list(reply.timings))
        cited = cited_chunks(answer)
        if self.readiness is not None and cited:
            self.readiness.see_to(cited[0], reply.question.language)
        asking = Asking(self.provider, self.cast, Budget(self.seconds, self.time), self.log_contracts)
        grounding: Grounding | None = None
        try:
            with clock.step("synthesis"):
                text = ask_for_synthesis(asking, reply.question, answer, cited).answer
            current_token().check()
            with clock.step("grounding"):
                grounding = self.gate.judge(text, cited, question=reply.question.text, language=reply.question.language)
            reason = None if grounding.passed else Reason.SYNTHESIS_NOT_GROUNDED.value
        except AgentFailedError as failed:
            reason = failed.reason
        if reason is None and grounding is not None:
            rewritten = replace(answer, claims=grounding.claims())
            record = self._record(asking, cited, grounding, Origin.SYNTHESIS, FinalState.APPROVED, None)
            return replace(reply, outcome=rewritten, pipeline=record, timings=tuple(clock.timings))
        record = self._record(asking, cited, grounding, Origin.EXTRACTIVE, FinalState.FALLBACK, reason)
        return replace(reply, pipeline=record, timings=tuple(clock.timings))

    def _record(
        self,
        asking: Asking,
        cited: tuple[Chunk, ...],
        grounding: Grounding | None,
        origin: Origin,
        final: FinalState,
        reason: str | None,
    ) -> Pipeline:
        return Pipeline(
            mode=None,
            origin=origin,
            agents=tuple(asking.runs),
            context=tuple(cited),
            final=final,
            reason=reason,
            grounding=grounding,
            usage=asking.usage(),
            usage_by_agent=asking.usage_by_agent(),
        )


def cited_chunks(answer: Answer) -> tuple[Chunk, ...]:
    """The chunks that an answer cites, in the order in which they are first cited."""
    found = {citation.chunk.id: citation.chunk for claim in answer.claims for citation in claim.citations}
    return tuple(found.values())
