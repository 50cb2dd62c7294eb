"""Does an answer read as if a person had written it with care? Flags of what reads badly, and how long it is.

Of every statement, then of the answer: 1 where any statement has the fault. Deterministic, and made to be right where they
speak: what a flag does not see it does not tell (see docs/measures.md for how often they are right).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ankare.evaluation.captured import Response, Statement
from ankare.evaluation.case import Case
from ankare.evaluation.measures.language_cues import Cues, cues_of, plainly, words_of
from ankare.evaluation.measures.language_fragments import fragments
from ankare.evaluation.measures.language_repetition import repetitions
from ankare.evaluation.scored import Better, Family, Measure

FRAGMENT, OPENING, REPETITION = "fragment", "mechanical_opening", "repetition"
MEASURES = (
    *(Measure(name, Family.LANGUAGE, Better.LOWER) for name in (FRAGMENT, OPENING, REPETITION)),
    Measure("sentence_words", Family.LANGUAGE, Better.NEITHER, "words"),
    Measure("answer_words", Family.LANGUAGE, Better.NEITHER, "words"),
)
_TEXT = "text"
_OTHERWISE = "en"
_FEWEST_ASKED = 3


def measured(case: Case, response: Response) -> tuple[Mapping[str, float], Mapping[str, object]]:
    """(values, details) of `MEASURES` for what is said of the documents; nothing where nothing is.

    `details` of a flag: the statements that have the fault, by their number from 0, and what shows it. `sentence_words`: the
    mean over sentences of running text, absent where there are none; `answer_words`: of all statements.
    """
    statements = response.statements
    if not statements:
        return {}, {}
    cues = cues_of(response.language) or cues_of(_OTHERWISE)
    assert cues is not None  # noqa: S101 - there are cues for English
    found: dict[str, list[object]] = {
        FRAGMENT: [{"statement": number, "why": why} for number, why in fragments(statements, cues)],
        OPENING: [{"statement": number, "words": words} for number, words in _openings(case, statements, cues)],
        REPETITION: list(repetitions(statements, cues.code)),
    }
    values = {name: float(bool(told)) for name, told in found.items()}
    words = [(statement.form, len(words_of(statement.text))) for statement in statements]
    sentences = [count for form, count in words if form == _TEXT]
    if sentences:
        values["sentence_words"] = sum(sentences) / len(sentences)
    values["answer_words"] = float(sum(count for _, count in words))
    return values, {name: told for name, told in found.items() if told}


def _openings(case: Case, statements: Sequence[Statement], cues: Cues) -> Iterator[tuple[int, str]]:
    """Sentences that open by habit. Words that the cited evidence opens with, too, are the source's."""
    for number, statement in enumerate(statements):
        if statement.form != _TEXT:
            continue
        words = cues.opening(statement.text) or (_gives_back(case.question, statement.text) if number == 0 else "")
        if words and not any(words in plainly(span.text) for span in statement.evidence):
            yield number, words


def _gives_back(question: str, text: str) -> str:
    """The question, where the answer begins with all of it."""
    asked, said = words_of(question), words_of(text)
    same = len(asked) >= _FEWEST_ASKED and said[: len(asked)] == asked
    return " ".join(asked) if same else ""
