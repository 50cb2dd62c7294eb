"""Lines of a usage log, made up, as the service writes them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def line(moment: datetime, *, agents: int = 0, final: str = "approved", **told: Any) -> dict[str, Any]:
    """One question. `agents`: how many were asked; what is `told` stands in place of the usual."""
    names = [f"agent{n}" for n in range(1, agents + 1)]
    return {
        "time": moment.astimezone(UTC).isoformat(timespec="milliseconds"),
        "answer_id": "",
        "channel": "api",
        "key": "",
        "outcome": "answered",
        "reason": None,
        "question_key": "",
        "question_chars": 20,
        "language": "sv",
        "route": "narrative",
        "origin": "extractive",
        "index_version": "v1",
        "revision": "abc123",
        "question_type": "general",
        "partial": False,
        "sources": 1,
        "steps_ms": {"interpret": 1.0, "retrieve": 5.0},
        "ms": 20.0,
        "agentic": {
            "mode": "reviewed_answer" if agents else None,
            "agents": [call(name) for name in names],
            "review_status": "approved" if agents else "not_run",
            "final_status": final if agents else "not_run",
            "fallback_reason": "agent3_reject" if final == "fallback" else None,
        },
        "llm_usage": None,
        **told,
    }


def call(
    agent: str, ms: float = 900.0, tokens: tuple[int, int] | None = (700, 90), status: str = "ok"
) -> dict[str, Any]:
    """One call of an agent."""
    usage = None if tokens is None else {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return {"agent": agent, "role": "r", "model": "m", "status": status, "ms": ms, "usage": usage}


def write_log(folder: Path, lines: Iterable[dict[str, Any] | str], name: str = "usage.jsonl") -> Path:
    """A log of these lines in a folder; gives the folder. What is a text stands as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in lines]
    (folder / name).write_text("".join(f"{text}\n" for text in texts), "utf-8", newline="")
    return folder
