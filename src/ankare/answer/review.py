"""Agent 3: does the draft answer the question, by the chunks that it cites? And may its revision stand?

A revision takes away or makes clear. One that says something new is not a revision of what was reviewed, however true it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ankare.answer.aliases import Aliased
from ankare.answer.asking import Asking, Reading, Request
from ankare.answer.prompts import prompt, review_messages
from ankare.contracts.draft import AnswerScope, Draft
from ankare.contracts.review import WIRE_SCHEMA, Review, read_review
from ankare.domain.agents import Agent, RunStatus
from ankare.domain.document import Chunk
from ankare.domain.question import Question
from ankare.language.protocol import Language, Token

MOST_NEW_WORDS = 2
"""Content words of a revised sentence that the draft need not have: what a clarification needs."""
LEAST_KNOWN = 2 / 3
"""Share of a revised sentence's content words that the draft has."""
_FIGURE = re.compile(r"\d+(?:[.,:/\u00a0 -]?\d+)*")


def ask_for_review(asking: Asking, question: Question, draft: Draft, cited: Sequence[Chunk]) -> Review:
    """The verdict on a draft, by the chunks that it cites and no others. Raises as `Asking.ask`."""
    messages = review_messages(question.text, _told(draft), Aliased(cited).shown, question.language)
    return asking.ask(
        Request(Agent.REVIEW, messages, prompt(Agent.REVIEW, question.language).label, WIRE_SCHEMA), _read
    )


def _told(draft: Draft) -> str:
    """The draft with its scope and doubts, which are the reviewer's to weigh."""
    doubts = [f"- {doubt}" for doubt in draft.uncertain]
    scope = [draft.scope.value] if draft.scope.value and (doubts or draft.scope is not AnswerScope.DIRECT) else []
    return "\n".join((draft.answer, *(["", *scope, *doubts] if scope or doubts else [])))


def _read(said: str) -> Reading[Review]:
    review = read_review(said)
    return Reading(review, RunStatus(review.verdict.value))


def adds_nothing(revision: str, draft: str, language: Language) -> bool:
    """Does every sentence of the revision say no more than the draft says? A figure or a name that the draft lacks is new."""
    held = frozenset(language.index_terms(draft))
    figures = frozenset(_figures(draft))
    return all(
        figures.issuperset(_figures(sentence)) and _is_held(sentence, held, language)
        for sentence in (revision[start:end] for start, end in language.sentences(revision))
    )


def _is_held(sentence: str, held: frozenset[str], language: Language) -> bool:
    content = [token for token in language.tokens(sentence) if not language.analyze(token.text).stop]
    new = [token for token in content if held.isdisjoint(language.index_terms(token.text))]
    if any(_is_name(token, language) for token in new):
        return False
    return len(new) <= MOST_NEW_WORDS and len(content) - len(new) >= LEAST_KNOWN * len(content)


def _is_name(token: Token, language: Language) -> bool:
    return token.text[:1].isupper() and not language.is_word(token.norm)


def _figures(text: str) -> list[str]:
    """The figures of a text, however they are grouped ("1 250" and "1250" are the same)."""
    return [re.sub(r"[\u00a0 ]", "", found) for found in _FIGURE.findall(text)]
