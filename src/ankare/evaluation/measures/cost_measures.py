"""How long did a question take, and how many tokens and how much money?

Of every response, whichever way it took: what is paid for a fallback is paid. What nobody told is missing, and never 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from ankare.evaluation.captured import AgentCall, AnswerPath, Capture, Response
from ankare.evaluation.measures.prices import Prices
from ankare.evaluation.scored import Better, Family, Measure

CURRENCY = "currency"
"""The unit of `cost` where no table of prices says which currency it is."""
_TOKENS = ("prompt_tokens", "completion_tokens", "total_tokens")
MEASURES = (
    Measure("wall_ms", Family.COST, Better.LOWER, "ms", of_path=False),
    *(Measure(name, Family.COST, Better.LOWER, "tokens", of_path=False) for name in _TOKENS),
    Measure("model_calls", Family.COST, Better.LOWER, "calls", of_path=False),
    Measure("cost", Family.COST, Better.LOWER, CURRENCY, of_path=False),
)

_NO_MODEL = ("", "none")
_SKIPPED, _TIMEOUT, _CORRECTION = "skipped", "timeout", "agent4"


def measured(
    capture: Capture, response: Response, prices: Prices | None = None
) -> tuple[Mapping[str, float], Mapping[str, object]]:
    """(values, details) of `MEASURES`. `details["total_tokens"]`: is the sum complete, and what did each agent use?

    Tokens are those of everything that models were asked for the response, the chain in the shadow of an answer included.
    Without a model they are 0; where some call did not tell its own there is no sum. `cost`: with prices, where the model
    of every call is in them; else `details["cost"]` says what lacked.
    """
    calls = [call for call in response.chain.calls if call.status != _SKIPPED]
    values: dict[str, float] = {"wall_ms": capture.wall_ms, "model_calls": float(_calls(response, calls))}
    tokens = _tokens(capture, response, calls)
    if tokens is not None:
        values |= dict(zip(_TOKENS, map(float, (*tokens, sum(tokens))), strict=True))
    details: dict[str, object] = {
        "wall_ms": {"steps": dict(response.timings_ms), "server": response.ms, "shadow": response.chain.ms},
        "total_tokens": {"complete": tokens is not None, "agents": _by_agent(calls)},
        "model_calls": {
            "corrected": any(call.agent == _CORRECTION for call in calls),
            "suspected_truncations": sum(call.truncated for call in calls),
        },
    }
    if prices is not None:
        cost, why = _cost(response, calls, tokens, prices)
        details["cost"] = {"currency": prices.currency, "missing": why}
        if cost is not None:
            values["cost"] = float(cost)
    return values, details


def _calls(response: Response, calls: Sequence[AgentCall]) -> int:
    """How many times a model was asked: as the server counted, or as the chain tells, whichever is more (a server counts
    those that were answered, and not those of a chain in the shadow)."""
    return max(response.model_calls, len(calls))


def _tokens(capture: Capture, response: Response, calls: Sequence[AgentCall]) -> tuple[int, int] | None:
    """(prompt, completion), None where some call did not tell."""
    if any(call.status == _TIMEOUT and call.prompt_tokens is None for call in calls):
        return None  # it may have used some
    if capture.path is AnswerPath.SHADOW and response.chain.shadow:
        beside = _sum(calls)
        own = _own(response, [])
        return None if beside is None or own is None else (beside[0] + own[0], beside[1] + own[1])
    return _own(response, calls)


def _own(response: Response, calls: Sequence[AgentCall]) -> tuple[int, int] | None:
    """Those that the answer itself took."""
    if not response.tokens_complete:
        return None
    if response.prompt_tokens is not None and response.completion_tokens is not None:
        return response.prompt_tokens, response.completion_tokens
    if calls:
        return _sum(calls)
    return (0, 0) if response.model in _NO_MODEL else None


def _sum(calls: Sequence[AgentCall]) -> tuple[int, int] | None:
    prompt = completion = 0
    for call in calls:
        if call.prompt_tokens is None or call.completion_tokens is None:
            if call.status == "error":
                continue  # never answered
            return None
        prompt, completion = prompt + call.prompt_tokens, completion + call.completion_tokens
    return prompt, completion


def _by_agent(calls: Sequence[AgentCall]) -> dict[str, dict[str, object]]:
    """Per agent: calls, milliseconds, tokens (None where one call did not tell), how each call ended."""
    told: dict[str, dict[str, object]] = {}
    for agent in dict.fromkeys(call.agent for call in calls):
        own = [call for call in calls if call.agent == agent]
        tokens = _sum(own)
        told[agent] = {
            "calls": len(own),
            "ms": round(sum(call.ms or 0.0 for call in own), 3),
            "prompt_tokens": tokens and tokens[0],
            "completion_tokens": tokens and tokens[1],
            "statuses": [call.status for call in own],
        }
    return told


def _cost(
    response: Response, calls: Sequence[AgentCall], tokens: tuple[int, int] | None, prices: Prices
) -> tuple[Decimal | None, list[str]]:
    """The cost, or None and what lacked: "tokens", or models that the table does not know."""
    if tokens is None:
        return None, ["tokens"]
    used = [(call.model, call.prompt_tokens or 0, call.completion_tokens or 0) for call in calls]
    rest = (tokens[0] - sum(one[1] for one in used), tokens[1] - sum(one[2] for one in used))
    if rest != (0, 0):
        used.append((_asked(response, calls), *rest))  # asked again, or by no agent that is told of
    if min(rest) < 0:
        return None, ["tokens"]  # the parts are more than the whole
    used = [one for one in used if one[1] or one[2]]
    known = [prices.cost(*one) for one in used]
    unknown = sorted({model or "?" for (model, *_), cost in zip(used, known, strict=True) if cost is None})
    return (None, unknown) if unknown else (sum((cost for cost in known if cost is not None), Decimal(0)), [])


def _asked(response: Response, calls: Sequence[AgentCall]) -> str:
    """The model behind tokens that no call tells: the only one that there was, else the one that wrote the answer."""
    models = {call.model for call in calls}
    return models.pop() if len(models) == 1 else response.model
