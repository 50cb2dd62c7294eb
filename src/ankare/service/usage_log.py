"""What was asked, and how did it go? One JSON line per question in `log_dir/usage.jsonl`, where a folder is configured.

The log holds the question as it was asked: whoever configures it decides who may read it. A full disk costs log lines,
never an answer.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

LOG = logging.getLogger("ankare.service")
FILE = "usage.jsonl"
MAX_BYTES = 50_000_000


class UsageLog:
    """Appends lines. Safe for many threads. `folder` None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._path = None if folder is None else folder / FILE
        self._lock = Lock()
        self._failing = False

    def write(self, **line: object) -> None:
        """Append one line with the time in UTC."""
        if self._path is None:
            return
        text = json.dumps({"time": datetime.now(UTC).isoformat(timespec="milliseconds"), **line}, ensure_ascii=False)
        with self._lock:
            try:
                self._append(self._path, text)
                self._failing = False
            except OSError as error:
                if not self._failing:
                    LOG.warning("the usage log %s cannot be written: %s", self._path, error)
                self._failing = True

    def _append(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and path.stat().st_size > MAX_BYTES:
            path.replace(path.with_suffix(".old.jsonl"))
        with path.open("a", encoding="utf-8") as file:
            file.write(text + "\n")
