"""Following the choices that a question is given, as far as they lead."""

from __future__ import annotations

import re
from collections.abc import Callable

from ankare.channels.answer_question import AgentResult

_STEPS = 3
_GAP = re.compile(r"  | [?,]|,,|^[ ,]|[ ,]$")


def followed(question: str, ask: Callable[[str], AgentResult], asked: tuple[str, ...] = ()) -> None:
    """Assert that every choice of a question has no gap and leads to a figure, or to another question that is asked back and
    whose choices do."""
    result = ask(question)
    back = result.clarification.question
    assert len(asked) <= _STEPS and (not back or back not in asked), (question, asked)
    if asked and not back:
        assert any(found["status"] == "found" for found in result.tool_results), (question, result.answer)
        return
    for option in result.clarification.narrowing_options:
        assert not _GAP.search(option.question) and not _GAP.search(option.label), option
        followed(option.question, ask, (*asked, back or question))
