"""What did models have to do with a reply, as JSON?

No text of a model stands here that the gate has not passed: a blocked sentence is told by its place and its reason alone. What
a model proposed for the search is told, since it is searched and never shown as an answer.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from ankare.domain.agents import AgentRun, Pipeline, Reason, TokenSum, finish_word
from ankare.domain.answer import Answer, Citation
from ankare.domain.document import Chunk
from ankare.domain.grounding import Grounding, SentenceVerdict
from ankare.domain.reply import Reply, Shadow

Json = dict[str, object]
NOT_RUN = "not_run"
FIGURES = "figures"


@dataclass(frozen=True, slots=True)
class RunFlags:
    """How one call is to be answered, after body, URL and environment have had their say. `provider`: the kind of model
    provider that is configured."""

    debug: bool = False
    agentic: bool = False
    synthesis: bool = False
    provider: str = "none"


def pipeline_body(reply: Reply, flags: RunFlags) -> Json:
    """The field `agentic_pipeline`: of the chain that published, or that ran in the shadow of the answer."""
    record = reply.shadow.pipeline if reply.shadow else reply.pipeline
    if record is None:
        return {**_not_run(flags), "warnings": _fell_back(reply)}
    return {
        "enabled": flags.agentic,
        "mode": record.mode.value if record.mode else None,
        "agents": [run_body(run) for run in record.agents],
        "accepted_rewrites": [asdict(rewrite) for rewrite in record.accepted],
        "rejected_rewrites": [asdict(rewrite) for rewrite in record.rejected],
        "rewrite_reason": record.rewrite_reason,
        "original_question": reply.question.text,
        "retrieval_queries": list(record.queries),
        "retrieval_query_count": len(record.queries),
        "context_chunk_ids": [chunk.id for chunk in record.context],
        "context_chunk_count": len(record.context),
        "context": [_passage_body(chunk) for chunk in record.context] if flags.debug else None,
        "evidence_ids_used": list(record.cited),
        "answer_scope": record.scope or None,
        "review_status": record.review.value,
        "final_status": record.final.value,
        "answer_origin": record.origin.value,
        "escalation": record.escalation,
        "fallback_reason": record.reason,
        "agentic_fallback_retrieval_used": record.fallback_retrieval,
        "grounding": grounding_body(record.grounding, shown=reply.shadow is None),
        "usage": sum_body(record.usage),
        "warnings": [
            *record.warnings,
            *(f"{agent.value}: no reply ({trouble})" for agent, trouble in record.troubles),
            *_fell_back(reply),
        ],
        "shadow": shadow_body(reply.shadow),
    }


def _fell_back(reply: Reply) -> list[str]:
    why = reply.figures.fell_back if reply.figures else ""
    return [f"{FIGURES}: looked up without the model ({why})"] if why else []


def _passage_body(chunk: Chunk) -> Json:
    """A chunk that the draft was written from, as a hit is told: whoever asks for details sees what the model saw."""
    return {
        "chunk_id": chunk.id,
        "source": chunk.source,
        "pages": list(chunk.pages),
        "title": chunk.title,
        "section": " › ".join(chunk.section),
        "text": chunk.text,
    }


def _not_run(flags: RunFlags) -> Json:
    """No model was to have a part: nobody asked for one, or there is none."""
    missing = (flags.agentic or flags.synthesis) and flags.provider == "none"
    return {
        "enabled": flags.agentic,
        "mode": None,
        "agents": [],
        "accepted_rewrites": [],
        "rejected_rewrites": [],
        "rewrite_reason": None,
        "original_question": None,
        "retrieval_queries": [],
        "retrieval_query_count": 0,
        "context_chunk_ids": [],
        "context_chunk_count": 0,
        "context": None,
        "evidence_ids_used": [],
        "answer_scope": None,
        "review_status": NOT_RUN,
        "final_status": "fallback" if missing else NOT_RUN,
        "answer_origin": None,
        "escalation": None,
        "fallback_reason": Reason.NOT_CONFIGURED.value if missing else None,
        "agentic_fallback_retrieval_used": False,
        "grounding": None,
        "usage": None,
        "warnings": [],
        "shadow": None,
    }


def run_body(run: AgentRun) -> Json:
    """One call of an agent. What the model wrote is not in it."""
    return {
        "agent": run.agent.value,
        "role": run.agent.role,
        "model": run.model,
        "status": run.status.value,
        "reason": run.reason,
        "fault": run.fault or None,
        "ms": run.milliseconds,
        "usage": None if run.usage is None else asdict(run.usage),
        "finish_reason": finish_word(run.finish_reason),
        "suspected_truncation": run.suspected_truncation,
        "attempts": run.attempts,
        "structured_output": run.structured,
        "prompt_version": run.prompt_version,
        "temperature": run.temperature,
        "max_tokens": run.max_tokens,
    }


def usage_body(record: Pipeline | None, figures: TokenSum | None = None) -> Json | None:
    """The field `llm_usage`: of the answer, per agent and in all. None where no model was asked for the answer.

    `figures`: what the model used that looks figures up, told under that name.
    """
    used = [(agent.value, tokens) for agent, tokens in record.usage_by_agent] if record and record.usage else []
    total = record.usage if record else None
    if figures is not None:
        used.append((FIGURES, figures))
        total = figures if total is None else total.plus(figures)
    if total is None:
        return None
    return {**(sum_body(total) or {}), "agents": {name: sum_body(tokens) for name, tokens in used}}


def sum_body(total: TokenSum | None) -> Json | None:
    """Tokens of several calls; what no service told is null."""
    return None if total is None else asdict(total)


def grounding_body(grounding: Grounding | None, *, shown: bool = True) -> Json | None:
    """The gate's verdict on the text that was to be published, sentence by sentence; with its words where it is `shown`."""
    if grounding is None:
        return None
    return {
        "passed": grounding.passed,
        "reason": None if grounding.reason is None else str(grounding.reason),
        "removed": len(grounding.removed),
        "sentences": [_sentence_body(verdict, shown and grounding.passed) for verdict in grounding.sentences],
    }


def _sentence_body(verdict: SentenceVerdict, shown: bool) -> Json:
    return {
        "text": verdict.text if shown else None,
        "supported": verdict.supported,
        "reason": None if verdict.reason is None else str(verdict.reason),
        "score": round(verdict.score, 4),
        "evidence": [_span_body(citation) for citation in verdict.citations],
    }


def _span_body(citation: Citation) -> Json:
    return {"chunk_id": citation.chunk.id, "start": citation.start, "end": citation.end, "pages": list(citation.pages)}


def shadow_body(shadow: Shadow | None) -> Json | None:
    """What a shadow run would have stood on; `answered` is null where it broke off. Its text is for the log alone."""
    if shadow is None:
        return None
    outcome = shadow.outcome
    cited = [c for claim in outcome.claims for c in claim.citations] if isinstance(outcome, Answer) else []
    places = dict.fromkeys((c.chunk.source, page) for c in cited for page in c.pages)
    return {
        "answered": None if outcome is None else isinstance(outcome, Answer),
        "sources": [{"source": source, "pages": [page]} for source, page in places],
        "cited_chunk_ids": list(dict.fromkeys(c.chunk.id for c in cited)),
        "ms": shadow.milliseconds,
    }
