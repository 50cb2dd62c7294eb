"""Did an answer really take the way that was asked for, and if not, what did it do instead?

Only an answer that took its intended path tells something of that path. The answer that a chain falls back on is as good as
the control path's, and says nothing of the chain.
"""

from __future__ import annotations

from collections.abc import Mapping

from ankare.domain.agents import Origin, Reason
from ankare.evaluation.captured import AnswerPath, Capture, Chain, Response
from ankare.evaluation.scored import Better, Family, Measure

FIGURES, REFUSED_BEFORE_MODEL, REFUSED = "figures", "refused_before_model", "refused"
NOT_RUN, WRONG_PATH = "not_run", "wrong_path"
FAILED, FALLBACK = "failed", "fallback"
UNTOLD = "untold"

MEASURES = (
    Measure("fallback", Family.PATH, Better.LOWER, of_path=False),
    Measure("approved", Family.PATH, of_path=False),
)

_STRUCTURED, _COMPOSITE, _BY_FIGURES, _REFUSAL = "structured", "composite", "figures", "refusal"
_BY_CHAIN = frozenset(
    origin.value for origin in (Origin.REVIEWED, Origin.MINOR_REVISION, Origin.CORRECTED, Origin.UNREVIEWED)
)
_NOBODY_ASKED = frozenset({Reason.NOT_CONFIGURED.value, Reason.MODE_OFF.value})
_FINAL_FALLBACK, _FINAL_APPROVED = "fallback", "approved"


def aside(capture: Capture) -> str:
    """Why an answer does not count for its path; "" where it does.

    "failed:<kind>": nothing came back. "figures": the structured channel answered alone. "not_run": no model is configured,
    or its part is switched off. "refused_before_model": the evidence does not cover the subject, so no model was asked.
    "refused": a model was asked, a refusal came of it. "fallback:<reason>": what a model wrote was not published. "wrong_path":
    another way than the one asked for, or a body that contradicts itself about it. A refusal of the control path counts: to
    refuse is a part of that path.
    """
    if capture.response is None:
        return f"{FAILED}:{capture.failure.kind.value if capture.failure else UNTOLD}"
    response = capture.response
    if _by_figures_alone(response):
        return FIGURES
    if capture.path is AnswerPath.CONTROL:
        return "" if _untouched(response) else WRONG_PATH
    if response.chain.fallback_reason in _NOBODY_ASKED:
        return NOT_RUN
    return _OF_MODELS[capture.path](response)


def _by_figures_alone(response: Response) -> bool:
    """Did the structured channel answer or ask back, with nothing from the documents beside it?"""
    told = response.route == _STRUCTURED or response.origin == _BY_FIGURES
    return told and not response.statements


def _untouched(response: Response) -> bool:
    """Did no model have a part in it?"""
    chain = response.chain
    by_model = {response.origin, chain.origin} & {*_BY_CHAIN, Origin.SYNTHESIS.value, Origin.FALLBACK.value}
    asked = chain.calls or response.model_calls or response.prompt_tokens or response.completion_tokens
    return not (chain.enabled or chain.shadow or chain.fallback_reason or asked or by_model)


def _agrees(response: Response) -> bool:
    """Is the text that a model wrote what was answered, as all of the body says? Beside figures it is theirs in part."""
    chain = response.chain
    published = chain.final_status != _FINAL_FALLBACK and not chain.fallback_reason
    whole = response.origin == chain.origin or (response.origin == _BY_FIGURES and response.route == _COMPOSITE)
    return response.answered and published and whole


def _of_synthesis(response: Response) -> str:
    chain = response.chain
    if chain.enabled or chain.shadow or chain.origin in _BY_CHAIN:
        return WRONG_PATH
    if response.origin == _REFUSAL:
        return REFUSED if chain.calls else REFUSED_BEFORE_MODEL
    if chain.origin == Origin.SYNTHESIS:
        return "" if _agrees(response) else WRONG_PATH
    return _fell_back(chain)


def _of_chain(response: Response) -> str:
    chain = response.chain
    if chain.shadow or chain.origin == Origin.SYNTHESIS:
        return WRONG_PATH
    if chain.origin in _BY_CHAIN:
        return "" if _agrees(response) else WRONG_PATH
    if chain.fallback_reason == Reason.THIN_EVIDENCE:
        return REFUSED_BEFORE_MODEL
    if response.origin == _REFUSAL and not chain.fallback_reason:
        return REFUSED if chain.calls else REFUSED_BEFORE_MODEL
    return _fell_back(chain)


def _of_shadow(response: Response) -> str:
    """The answer is the control path's; what has to have come through is the chain beside it."""
    chain = response.chain
    if not chain.shadow:
        return WRONG_PATH if chain.calls or chain.origin in {*_BY_CHAIN, Origin.SYNTHESIS} else NOT_RUN
    if chain.fallback_reason == Reason.THIN_EVIDENCE:
        return REFUSED_BEFORE_MODEL
    if response.origin in {*_BY_CHAIN, Origin.SYNTHESIS, Origin.FALLBACK}:
        return WRONG_PATH
    if chain.shadow_answered and chain.origin in _BY_CHAIN:
        return "" if chain.final_status != _FINAL_FALLBACK and not chain.fallback_reason else WRONG_PATH
    return _fell_back(chain)


_OF_MODELS = {
    AnswerPath.SYNTHESIS: _of_synthesis,
    AnswerPath.AGENTIC: _of_chain,
    AnswerPath.SHADOW: _of_shadow,
}


def _fell_back(chain: Chain) -> str:
    """Why what a model was to write was not published. No model asked and no reason told: nobody set out on the way."""
    if chain.fallback_reason:
        return f"{FALLBACK}:{chain.fallback_reason}"
    return f"{FALLBACK}:{UNTOLD}" if chain.calls or chain.final_status == _FINAL_FALLBACK else NOT_RUN


def measured(capture: Capture, response: Response) -> tuple[Mapping[str, float], Mapping[str, object]]:
    """(values, details) of `MEASURES`: of every response whose path was to have a model, and was set out on.

    A question that the figures or a refusal settled before any model is neither a fallback nor an approval. `approved` is
    the reviewer's approval of the text as it was drafted, or the gate's of a synthesis.
    """
    why = aside(capture)
    if capture.path is AnswerPath.CONTROL or why in (FIGURES, REFUSED_BEFORE_MODEL, WRONG_PATH):
        return {}, {}
    chain = response.chain
    values = {
        "fallback": float(why != ""),
        "approved": float(why == "" and chain.final_status == _FINAL_APPROVED),
    }
    told = {
        "final_status": chain.final_status,
        "review_status": chain.review_status,
        "origin": chain.origin,
        "reason": chain.fallback_reason,
    }
    return values, {"approved": told}
