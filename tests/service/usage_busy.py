"""A log in which every table of the report on the use has rows, with large numbers and long words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.service.usage_lines import line, write_log

CHANNELS, LANGUAGES, ROUTES = ("api", "page", "chat", "mcp"), ("sv", "en"), ("narrative", "structured", "composite")
TYPES = ("responsibility", "list", "definition", "general")


def busy(root: Path, asked: int = 1200) -> tuple[Path, Path]:
    """The log and the home of a service that was asked so much in a month, and half as much in the one before."""
    now = datetime.now(UTC)
    lines = []
    for n in range(asked * 3 // 2):
        told: dict[str, object] = {
            "channel": CHANNELS[n % 4],
            "language": LANGUAGES[n % 2],
            "route": ROUTES[n % 3],
            "question_type": TYPES[n % 4],
            "key": f"förvaltningsgemensamma-intranätet-{n % 3}" if n % 3 else "",
            "ms": 900.0 + n,
            "answer_id": f"{n:032x}",
            "question": f"Hur beställer kommunledningskontoret verksamhetssystemet {n % 40}?",
            "question_key": f"k{n % 40}",
        }
        if n % 5 == 0:
            told |= {"outcome": "refused", "reason": "subject_not_covered", "missing": [f"parkeringstillstånd{n % 30}"]}
        if n % 7 == 0:
            told |= {"outcome": "error", "reason": "overloaded"}
        if n % 11 == 0:
            told |= {"outcome": "clarification", "reason": "ask_first"}
        if n % 13 == 0:
            told |= {"outcome": "refused", "reason": "no_hits", "question": None, "question_key": f"u{n % 60}"}
        ago = timedelta(minutes=1 + n * 25) if n < asked else timedelta(days=31, minutes=n)
        lines.append(line(now - ago, agents=4 * (n % 2), final="fallback" if n % 6 == 1 else "approved", **told))
    lines.append(line(now - timedelta(days=90)))
    thumbs = [
        {
            "time": (now - timedelta(minutes=n)).isoformat(),
            "answer_id": f"{n:032x}",
            "rating": "down" if n % 3 else "up",
            "reason": "incomplete" if n % 3 else None,
            "comment": "Sista steget saknas, och det står inget om vem som godkänner beställningen.",
        }
        for n in range(200)
    ]
    log = write_log(root / "log", lines)
    write_log(root / "home" / "feedback", thumbs, "feedback.jsonl")
    return log, root / "home"
