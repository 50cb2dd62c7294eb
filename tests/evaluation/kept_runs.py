"""Small runs as they lie on disk: cases, bodies and folders that a test chooses word by word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ankare.evaluation.asking.response import response_of
from ankare.evaluation.asking.run_folder import Answers, capture_line, keep_suite, read_run, write_conditions
from ankare.evaluation.captured import AnswerPath, Capture, Conditions, Failure, FailureKind, Run
from ankare.evaluation.case import Case, Gold
from ankare.evaluation.suites.suite import suite_of

BOARD = "Styrgruppen har fem ledamöter. Den sammanträder var fjärde vecka."
MONEY = "Projektets budget är två miljoner kronor."
HOLIDAY = "Semester söks senast den 15 april."


def body(
    question: str,
    *statements: str,
    contexts: Sequence[str] = (BOARD, MONEY),
    answered: bool = True,
    markdown: str = "",
    **more: Any,
) -> dict[str, Any]:
    """What a server would answer: each statement cites page 3 of a.pdf, the words themselves where a context has them."""
    whole = "\n".join(contexts)
    claims = [
        {
            "text": text,
            "form": "text",
            "evidence": [
                {
                    "text": text if text in whole else "".join(contexts[:1]),
                    "source": "a.pdf",
                    "pages": [3],
                    "chunk_id": "c0",
                }
            ],
        }
        for text in statements
    ]
    said = " ".join(f"{text} [[1]](/sources/a#page=3)" for text in statements) or "Det framgår inte av underlaget."
    return {
        "question": question,
        "answer_markdown": markdown or (f"{said}\n\n### Källor\n\n1. [A, s. 3](/sources/a#page=3)" if claims else said),
        "answered": answered,
        "answer_origin": "extractive" if answered else "refusal",
        "language": "sv",
        "route": "narrative",
        "model": "none",
        "claims": claims,
        "sources": [{"number": 1, "source": "a.pdf", "pages": [3], "chunk_id": "c0"}] if claims else [],
        "retrieval": {
            "top_results": [
                {"chunk_id": f"c{n}", "source": "a.pdf", "pages": [3 + n], "text": text, "title": "A"}
                for n, text in enumerate(contexts)
            ]
        },
        **more,
    }


CASES = (
    Case("board", "Hur många ledamöter har styrgruppen?", "fact", True, "Fem ledamöter.", language="sv"),
    Case(
        "money",
        "Vad är projektets budget?",
        "fact",
        True,
        "Två miljoner kronor.",
        (Gold("a.pdf", (4,), MONEY),),
        language="sv",
    ),
    Case("holiday", "När söks semester?", "plan", True, HOLIDAY, language="sv"),
    Case("moon", "Hur långt är det till månen?", "outside", False, language="sv"),
)
BODIES: Mapping[str, dict[str, Any]] = {
    "board": body(CASES[0].question, "Styrgruppen har fem ledamöter."),
    "money": body(CASES[1].question, MONEY, "Den betalas av staten.", contexts=(BOARD, MONEY)),
    "holiday": body(CASES[2].question, HOLIDAY, contexts=(HOLIDAY, BOARD)),
    "moon": body(CASES[3].question, answered=False),
}


def write_run(
    folder: Path,
    *,
    name: str = "control",
    cases: Sequence[Case] = CASES,
    bodies: Mapping[str, dict[str, Any]] = BODIES,
    repeats: int = 1,
    path: AnswerPath = AnswerPath.CONTROL,
) -> Run:
    """A run in a folder, as it is read again. A case without a body failed."""
    folder.mkdir(parents=True, exist_ok=True)
    suite = suite_of(tuple(cases), "suite")
    keep_suite(folder, suite)
    write_conditions(folder, Conditions(path, suite.digest, "suite", name=name, started="2026-01-01T00:00:00Z"))
    answers = Answers(folder)
    for case in cases:
        for repeat in range(repeats):
            answers.append(capture_line(capture(case.id, bodies.get(case.id), repeat, path)))
    answers.close()
    return read_run(folder)


def capture(
    case_id: str, told: dict[str, Any] | None, repeat: int = 0, path: AnswerPath = AnswerPath.CONTROL
) -> Capture:
    """One answer, or a time-out where there is no body."""
    if told is None:
        return Capture(case_id, repeat, path, "2026-01-01T00:00:00Z", 9.0, failure=Failure(FailureKind.TIMEOUT, "late"))
    return Capture(case_id, repeat, path, "2026-01-01T00:00:00Z", 12.0, response=response_of(told), body=told)
