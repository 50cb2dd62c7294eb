"""Which verdicts does an answer need, and what is asked for each?

The statements are those of the deterministic measures, one sentence each, so that both can be held against each other
sentence by sentence: of the answer for faithfulness, of the gold (where it has no words, of the reference answer) for
context recall. Each context is one verdict for context precision, the whole answer one for relevance. A measure asks
nothing where it does not apply.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ankare.evaluation.captured import Capture, CitedSpan, Context, Response, Run
from ankare.evaluation.case import Case
from ankare.evaluation.judging.prompts import (
    MEASURES,
    Messages,
    answer_messages,
    context_messages,
    judge_prompt,
    statement_messages,
)
from ankare.evaluation.measures.answer_statements import (
    answer_context,
    answer_language,
    claimed,
    language_of_case,
    sentences_said,
)
from ankare.evaluation.measures.paths import aside
from ankare.evaluation.measures.support import passage
from ankare.evaluation.suites.gold import parts_of

MOST_STATEMENTS = 40
"""Statements of one answer that are judged; as many as the details of the scores show."""


@dataclass(frozen=True, slots=True)
class Task:
    """One verdict to be asked for. `part`: which statement or context, from 0; `of`: how many the measure needs."""

    measure: str
    case_id: str
    repeat: int
    part: int
    of: int
    messages: Messages

    def key(self, model: str) -> str:
        """What a verdict is kept under: the model, the prompt and every word that it is shown."""
        told = [model, judge_prompt(self.measure).label, self.measure, self.messages]
        return hashlib.sha256(json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()

    @property
    def characters(self) -> int:
        """Of all that the model is shown."""
        return sum(len(message["content"]) for message in self.messages)


def tasks_of(
    run: Run, measures: Collection[str] = MEASURES, limit: int | None = None, *, asides: bool = False
) -> tuple[Task, ...]:
    """What is to be asked of a run: of answers that took its path, with `asides` of all that came back.

    `limit`: so many answers that there is anything to ask of, drawn by a hash of their cases, so that a higher limit asks for
    the same ones and more.
    """
    cases = {case.id: case for case in run.suite}
    answers = [one for one in run.captures if one.response and one.case_id in cases and (asides or not aside(one))]
    asked = [(_drawn(one), tasks) for one in answers if (tasks := list(_tasks(cases[one.case_id], one, measures)))]
    last = sorted(drawn for drawn, _ in asked)[:limit][-1:]
    return tuple(task for drawn, tasks in asked if [drawn] <= last for task in tasks)


def wanted_statements(case: Case, response: Response) -> tuple[str, ...]:
    """What a right answer says, statement by statement: the gold's words, else the sentences of the reference."""
    snippets = tuple(part.snippets[0] for part in parts_of(case) if part.snippets)
    if snippets:
        return snippets[:MOST_STATEMENTS]
    code = passage(case.reference_answer, language_of_case(case, response)).code
    return tuple(one.text for one in sentences_said(case.reference_answer, code))[:MOST_STATEMENTS]


def _drawn(one: Capture) -> str:
    return hashlib.sha256(f"{one.case_id}\0{one.repeat}".encode()).hexdigest()


def _tasks(case: Case, capture: Capture, measures: Collection[str]) -> Iterator[Task]:
    response = capture.response
    if response is None:
        return
    for measure, ask in _ASK.items():
        if measure in measures:
            asked = ask(case, response)
            for part, messages in asked.items():
                yield Task(measure, case.id, capture.repeat, part, len(asked), messages)


def _faithfulness(case: Case, response: Response) -> dict[int, Messages]:
    """The statements of the answer, each against the contexts and what it cites beside them."""
    if not response.answered:
        return {}
    code, contexts = answer_language(case, response), _told(answer_context(response))
    asked: dict[int, Messages] = {}
    committed = [one for one in claimed(case, response) if one.committed][:MOST_STATEMENTS]
    for part, one in enumerate(committed):
        texts = [*contexts, *_beside(one.evidence, contexts)]
        if texts:
            asked[part] = statement_messages("faithfulness", case.question, one.said.text, texts, code)
    return asked


def _beside(evidence: Sequence[CitedSpan], contexts: Sequence[Context]) -> list[Context]:
    """What is cited and stands in none of the contexts."""
    cited = [Context("", span.source, span.pages, span.text) for span in evidence if span.text.strip()]
    return [one for one in cited if not any(one.text in context.text for context in contexts)]


def _answer_relevance(case: Case, response: Response) -> dict[int, Messages]:
    said = "\n".join(statement.text for statement in response.statements)
    return {0: answer_messages(case.question, said)} if response.answered and said.strip() else {}


def _context_precision(case: Case, response: Response) -> dict[int, Messages]:
    """Each context whose text is told, by its place in the ranking."""
    reference = case.reference_answer.strip() or "\n".join(wanted_statements(case, response))
    if not reference:
        return {}
    code = language_of_case(case, response)
    return {
        place: context_messages(case.question, reference, context, code)
        for place, context in enumerate(answer_context(response))
        if context.text.strip()
    }


def _context_recall(case: Case, response: Response) -> dict[int, Messages]:
    contexts, code = _told(answer_context(response)), language_of_case(case, response)
    if not contexts:
        return {}
    return {
        part: statement_messages("context_recall", case.question, statement, contexts, code)
        for part, statement in enumerate(wanted_statements(case, response))
    }


def _told(contexts: Sequence[Context]) -> list[Context]:
    return [context for context in contexts if context.text.strip()]


_ASK: Mapping[str, Callable[[Case, Response], dict[int, Messages]]] = {
    "faithfulness": _faithfulness,
    "answer_relevance": _answer_relevance,
    "context_precision": _context_precision,
    "context_recall": _context_recall,
}
