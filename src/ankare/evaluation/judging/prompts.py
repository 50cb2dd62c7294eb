"""What is a judge told for each measure, and in which version?

A prompt is a file `prompt_texts/<measure>.md`: the system's part, a line `---`, the user's part with places. One narrow
question each, with one verdict, after RAGAS (Es et al. 2024, arXiv 2309.15217). Whatever comes from outside stands between tags
with a key that none of it can hold, see `ankare.answer.prompts.fence`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from ankare.answer.prompts import Allowance, Fence, Prompt, PromptChunk
from ankare.answer.prompts.excerpts import excerpts
from ankare.evaluation.captured import Context

MEASURES = ("faithfulness", "answer_relevance", "context_precision", "context_recall")
TEXTS = Allowance(chunk=4000, total=32_000)
"""Characters of one context and of all together. Most contexts are shown whole; of a longer one, the sentences that are nearest
to what is judged."""
MOST_QUESTION, MOST_STATEMENT, MOST_ANSWER, MOST_REFERENCE = 2000, 2000, 8000, 4000
_LANGUAGE = "en"
_SEPARATOR = "\n---\n"
Messages = list[dict[str, str]]


def statement_messages(
    measure: str, question: str, statement: str, contexts: Sequence[Context], language: str
) -> Messages:
    """Do the contexts hold the statement? For faithfulness and context recall."""
    shown = _shown(contexts, statement, language)
    fence = _fence(shown, question, statement)
    return judge_prompt(measure).messages(
        question=fence.block("question", question[:MOST_QUESTION]),
        texts=fence.chunks(shown),
        statement=fence.block("statement", statement[:MOST_STATEMENT]),
    )


def context_messages(question: str, reference: str, context: Context, language: str) -> Messages:
    """Was the context useful for the reference answer? For context precision."""
    shown = _shown([context], f"{question}\n{reference}", language)
    fence = _fence(shown, question, reference)
    return judge_prompt("context_precision").messages(
        question=fence.block("question", question[:MOST_QUESTION]),
        reference=fence.block("right_answer", reference[:MOST_REFERENCE]),
        texts=fence.chunks(shown),
    )


def answer_messages(question: str, answer: str) -> Messages:
    """Does the answer speak to the question? For answer relevance."""
    fence = Fence.around((question, answer))
    return judge_prompt("answer_relevance").messages(
        question=fence.block("question", question[:MOST_QUESTION]),
        answer=fence.block("answer", answer[:MOST_ANSWER]),
    )


@cache
def judge_prompt(measure: str) -> Prompt:
    """What a judge of this measure is told; `label` names version and digest. Raises FileNotFoundError for an unknown one."""
    folder = files("ankare.evaluation.judging").joinpath("prompt_texts")
    version = folder.joinpath("version.txt").read_text("utf-8").strip()
    system, _, user = folder.joinpath(f"{measure}.md").read_text("utf-8").partition(_SEPARATOR)
    digest = hashlib.sha256(f"{system}{_SEPARATOR}{user}".encode()).hexdigest()[:8]
    return Prompt(f"judge_{measure}", _LANGUAGE, version, digest, system.strip(), user.strip())


def _shown(contexts: Sequence[Context], about: str, language: str) -> tuple[PromptChunk, ...]:
    chunks = [
        PromptChunk(f"c{number}", context.title or context.source, context.section, context.text)
        for number, context in enumerate(contexts, 1)
        if context.text.strip()
    ]
    return excerpts(chunks, about, TEXTS, language)


def _fence(chunks: Sequence[PromptChunk], *texts: str) -> Fence:
    told = [text for chunk in chunks for text in (chunk.title, chunk.section, chunk.text)]
    return Fence.around((*texts, *told))
