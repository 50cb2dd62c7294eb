"""Runs to report on: a base and another, one question better, one worse, one that fell back, and one full of hostile text."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ankare.evaluation.asking.run_folder import read_conditions, write_conditions
from ankare.evaluation.captured import AnswerPath
from ankare.evaluation.case import Case, Expected, Gold
from ankare.evaluation.report.told import Report
from ankare.evaluation.report.write import read_report
from tests.evaluation.kept_runs import BOARD, CASES, HOLIDAY, MONEY, body, write_run

EVIL = (
    "</script><script>document.title='owned'</script><img src=x onerror=document.title='owned'> <!-- ]]> "
    "\u2028\u202eexe.gpj\u2066 =1+1 `code` **bold** [x](javascript:alert(1)) | a | b"
)
"""Text that would be markup, a script, another line, a formula or a link, wherever it is let."""
EVIL_CASE = Case(
    "=cmd|' /C calc'!A0",
    f"Vad gäller? {EVIL}",
    '"><b>typ',
    True,
    f"Svar {EVIL}",
    (Gold("<i>elak</i>.pdf", (1,), f"Stycke {EVIL}"),),
    (Expected("1", "<u>", "m&m"),),
    language="sv",
)
BASE_URL = "https://svar.example"
PICTURE = "/sources/a/pages/3.png?claim=c0:0-10"
GROUNDING = {
    "passed": True,
    "sentences": [
        {"text": "Styrgruppen har fem ledamöter.", "supported": True, "reason": None, "evidence": []},
        {"text": None, "supported": False, "reason": "number_mismatch", "evidence": []},
    ],
}
AGENTS = [
    {
        "agent": "agent2",
        "model": "en-modell",
        "status": "ok",
        "ms": 812.4,
        "usage": {"prompt_tokens": 900, "completion_tokens": 120},
    },
    {"agent": "agent3", "model": "en-modell", "status": "unavailable", "reason": "agent3_invalid_json", "ms": 40.0},
]


def chain(origin: str, final: str, reason: str | None = None) -> dict[str, Any]:
    return {
        "enabled": True,
        "answer_origin": origin,
        "final_status": final,
        "review_status": "approved" if final == "approved" else "not_run",
        "fallback_reason": reason,
        "agents": copy.deepcopy(AGENTS),
        "grounding": GROUNDING,
    }


def bodies(other: bool) -> dict[str, dict[str, Any]]:
    """What either run answers. The other leaves the base's path for a chain."""
    gate = {"relevance_supported": True, "relevance_reason": "covered", "probability": 0.91, "coverage": 1.0}
    found = {
        "board": body(CASES[0].question, "Styrgruppen har fem ledamöter."),
        "money": body(CASES[1].question, MONEY),
        "holiday": body(CASES[2].question, HOLIDAY, contexts=(HOLIDAY, BOARD)),
        "moon": body(CASES[3].question, answered=False),
        EVIL_CASE.id: body(EVIL_CASE.question, f"Det gäller {EVIL}", contexts=(f"Text före. Det gäller {EVIL}", EVIL)),
    }
    if other:
        found["money"] = body(CASES[1].question, "Budgeten är nio miljarder dollar.")
        found["moon"] = body(CASES[3].question, "Månen är långt borta.")
        for case_id, told in found.items():
            fell = case_id == "holiday"
            told["agentic_pipeline"] = chain(
                "fallback" if fell else "agent2_reviewed",
                "fallback" if fell else "approved",
                "agent2_grounding_failed" if fell else None,
            )
            told["answer_origin"] = told["agentic_pipeline"]["answer_origin"]
            told["model"] = "en-modell"
            told["llm_usage"] = {"prompt_tokens": 900, "completion_tokens": 120, "calls": 2, "complete": True}
    for told in found.values():
        told["retrieval"] |= gate
        for source in told["sources"]:
            source["page_image"] = PICTURE
    return found


def folders(
    root: Path, *, cases: Sequence[Case] = (*CASES, EVIL_CASE), repeats: int = 1, more: Mapping[str, Any] | None = None
) -> list[Path]:
    """The folders of both runs, with all cases; of `more` cases the bodies."""
    made = []
    for name, other in (("Utan modell", False), ("Kedja", True)):
        folder = root / name
        path = AnswerPath.AGENTIC if other else AnswerPath.CONTROL
        write_run(folder, name=name, cases=cases, bodies=bodies(other) | (more or {}), repeats=repeats, path=path)
        told = replace(read_conditions(folder), base_url=BASE_URL, settings={"semantic": not other})
        write_conditions(folder, told)
        made.append(folder)
    return made


def report(root: Path, **given: Any) -> Report:
    """The report of both runs."""
    chosen = {name: given.pop(name) for name in ("cases", "repeats", "more") if name in given}
    return read_report(folders(root, **chosen), now=lambda: datetime(2026, 1, 2, 3, 4, tzinfo=UTC), **given)
