"""What is said to each agent about this question?

One function per agent, each gives the messages of a chat: the instructions, and the question with all that the agent may see,
each between its tags. Every text is bounded; chunks are cut at the ends of sentences.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ankare.answer.prompts.excerpts import Allowance, excerpts
from ankare.answer.prompts.fence import Fence, PromptChunk, disarmed
from ankare.answer.prompts.templates import prompt
from ankare.contracts.fields import one_line
from ankare.contracts.rewrite import Rewrite

DRAFT = Allowance(chunk=1200, total=7200)
REVIEW = Allowance(chunk=700, total=4200)
CORRECTION = Allowance(chunk=900, total=5400)
SYNTHESIS = Allowance(chunk=700, total=4200)
MAX_TITLES = 6
MAX_TITLE = 90
MAX_LINE = 300
MAX_REASON = 900
MAX_DRAFT = 4000

Messages = list[dict[str, str]]


def rewrite_messages(question: str, titles: Sequence[str], diagnosis: str, language: str) -> Messages:
    """Agent 1: the question, the best titles (navigation, not content) and a line on how the first search went."""
    shown = "\n".join(one_line(title)[:MAX_TITLE] for title in titles[:MAX_TITLES] if title.strip())
    fence = Fence.around((question, shown, diagnosis))
    return prompt("rewrite", language).messages(
        question=fence.block("question", question),
        question_json=json.dumps(disarmed(one_line(question)), ensure_ascii=False),
        titles=fence.block("titles", shown),
        diagnosis=disarmed(one_line(diagnosis)[:MAX_LINE]) or "-",
    )


def draft_messages(question: str, rewrite_summary: str, evidence: Sequence[PromptChunk], language: str) -> Messages:
    """Agent 2: the question, what was searched, the chunks."""
    shown = excerpts(evidence, question, DRAFT, language)
    fence = _fence(shown, question, rewrite_summary)
    return prompt("draft", language).messages(
        question=fence.block("question", question),
        summary=disarmed(one_line(rewrite_summary)[:MAX_LINE]) or "-",
        evidence=fence.chunks(shown),
    )


def review_messages(question: str, draft: str, evidence: Sequence[PromptChunk], language: str = "sv") -> Messages:
    """Agent 3: the question, the draft, and excerpts of the chunks that it cites."""
    shown = excerpts(evidence, f"{draft}\n{question}", REVIEW, language)
    fence = _fence(shown, question, draft)
    return prompt("review", language).messages(
        question=fence.block("question", question),
        draft=fence.block("draft", draft[:MAX_DRAFT]),
        evidence=fence.chunks(shown),
    )


def correction_messages(
    question: str, draft: str, reason: str, evidence: Sequence[PromptChunk], language: str = "sv"
) -> Messages:
    """Agent 4: the question, the draft that was turned down, why, and the evidence that counts."""
    shown = excerpts(evidence, f"{question}\n{draft}", CORRECTION, language)
    fence = _fence(shown, question, draft, reason)
    return prompt("correction", language).messages(
        question=fence.block("question", question),
        draft=fence.block("draft", draft[:MAX_DRAFT]),
        reason=fence.block("reason", reason[:MAX_REASON]),
        evidence=fence.chunks(shown),
    )


def synthesis_messages(question: str, answer: str, evidence: Sequence[PromptChunk], language: str = "sv") -> Messages:
    """The synthesis: the question, the answer of the control path, and the chunks that it was taken from."""
    shown = excerpts(evidence, answer, SYNTHESIS, language)
    fence = _fence(shown, question, answer)
    return prompt("synthesis", language).messages(
        question=fence.block("question", question),
        draft=fence.block("answer", answer[:MAX_DRAFT]),
        evidence=fence.chunks(shown),
    )


def rewrite_summary(rewrite: Rewrite, accepted: Sequence[str]) -> str:
    """What agent 2 is told of the search, on one line: the focus, and the wordings that were accepted."""
    return json.dumps({"focus": rewrite.must_keep_focus[:3], "searched": list(accepted)[:3]}, ensure_ascii=False)


def _fence(chunks: Sequence[PromptChunk], *texts: str) -> Fence:
    return Fence.around([*texts, *(part for chunk in chunks for part in (chunk.title, chunk.section, chunk.text))])
