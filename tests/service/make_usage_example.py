"""Writes src/ankare/service/library/usage_example.json: the summary of a made-up log, for the description of the API.

python -m tests.service.make_usage_example
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import ankare.service.library
from ankare.service.watch.usage_collect import summarise_usage
from ankare.service.watch.usage_period import period_of
from tests.service.usage_lines import line, write_log

FILE = Path(ankare.service.library.__file__).with_name("usage_example.json")
END = datetime(2026, 2, 4, tzinfo=UTC)


def main() -> None:
    """Two days of a small service, and the two before."""
    refused = {"outcome": "refused", "reason": "subject_not_covered", "missing": ["parkeringsplats"], "key": "intranät"}
    told = [line(END - timedelta(days=5))]
    for hour in range(1, 90, 6):
        told.append(
            line(END - timedelta(hours=hour), agents=2, ms=1800 + hour, answer_id=f"{hour:032x}", question_key="9f2c")
        )
    told += [
        line(END - timedelta(hours=3), question="Vad kostar en parkeringsplats?", question_key="51aa", **refused),
        line(END - timedelta(hours=20), question="Hur söker jag parkeringsplats?", question_key="77be", **refused),
        line(END - timedelta(hours=21), outcome="error", reason="overloaded"),
    ]
    thumb = {"time": (END - timedelta(hours=1)).isoformat(), "answer_id": f"{7:032x}", "rating": "down"}
    said = {**thumb, "reason": "incomplete", "comment": "Sista steget saknas."}
    with tempfile.TemporaryDirectory() as folder:
        write_log(Path(folder) / "home" / "feedback", [said], "feedback.jsonl")
        log = write_log(Path(folder) / "log", told)
        period = period_of("2026-02-02", "2026-02-03", "day", "UTC")
        summary = summarise_usage([log], Path(folder) / "home", period)
    FILE.write_text(json.dumps(asdict(summary), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
