"""What does whoever runs ankare have to know when a model was to take part in an answer, and could not?

One line: what failed, with the host and the status that end users are not told, what was answered instead, and what to do.
"""

from __future__ import annotations

from ankare.cite.pipeline import RunFlags
from ankare.domain.agents import FinalState, Pipeline, Reason
from ankare.domain.reply import Reply

NOT_CONFIGURED = (
    "The answer was made without a model: none is configured. Set ANKARE_LLM_BASE_URL or ANKARE_LLM_PROVIDER."
)


def model_trouble(reply: Reply, flags: RunFlags) -> str:
    """The line for one question; "" where the model's service answered whenever it was asked, or was not to be asked."""
    return no_model(reply, flags) or service_trouble(reply)


def no_model(reply: Reply, flags: RunFlags) -> str:
    """The line for a question that asks for a model where none is set."""
    told = reply.pipeline is not None and reply.pipeline.reason == Reason.NOT_CONFIGURED
    wanted = (flags.agentic or flags.synthesis) and flags.provider == "none"
    return NOT_CONFIGURED if told or wanted else ""


def service_trouble(reply: Reply) -> str:
    """The line for calls that were not answered."""
    record = reply.shadow.pipeline if reply.shadow else reply.pipeline
    if record is None or not record.troubles:
        return ""
    agents = ", ".join(dict.fromkeys(agent.value for agent, _ in record.troubles))
    last = record.troubles[-1][1]
    return f"{_outcome(reply, record)} {last.message.rstrip('.')} ({agents}: {last}). {last.remedy}".rstrip()


def _outcome(reply: Reply, record: Pipeline) -> str:
    if reply.shadow is not None:
        return "In the shadow of an answer, a model gave no reply."
    if record.final is FinalState.FALLBACK:
        return "The answer was made without a model."
    return "A model gave no reply, and the answer was made without its part."
