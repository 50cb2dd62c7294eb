"""What was asked, and how did it go? JSON lines in `log_dir`, where a folder is configured.

    usage.jsonl      a line per question
    shadow.jsonl     a line per question that the chain answered in the shadow of the control path
    contracts.jsonl  a line per reply of a model that could not be read, where these are kept

The logs hold the question as it was asked: whoever configures them decides who may read them. A full disk costs log lines,
never an answer. Shadows and broken replies are told to the process log too, at debug level.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from ankare.cite.links import Links
from ankare.cite.markdown import Rendered
from ankare.domain.agents import AgentRun, Pipeline, finish_word
from ankare.domain.reply import Reply
from ankare.service.shadow_record import shadow_record

LOG = logging.getLogger("ankare.service")
USAGE, SHADOW, CONTRACTS = "usage.jsonl", "shadow.jsonl", "contracts.jsonl"
MAX_BYTES = 50_000_000
MAX_RAW = 200_000
"""Characters of a reply that are kept; longer ones are not read either."""


class Logs:
    """All logs of one folder; None keeps none."""

    def __init__(self, folder: Path | None) -> None:
        self.usage = JsonLines(folder, USAGE)
        self.shadow = JsonLines(folder, SHADOW)
        self.contracts = JsonLines(folder, CONTRACTS)
        self._kept = folder is not None

    def keep_agents(self, question: str, reply: Reply, rendered: Rendered, links: Links) -> None:
        """What the chain would have answered, and replies that could not be read."""
        if reply.shadow is not None and (self._kept or LOG.isEnabledFor(logging.DEBUG)):
            record = shadow_record(reply, rendered, links)
            self.shadow.write(question=question, **record)
            LOG.debug("in the shadow of an answer: %s", json.dumps(record, ensure_ascii=False))
        for run in unread(reply.pipeline) + unread(reply.shadow.pipeline if reply.shadow else None):
            line = contract_line(run)
            self.contracts.write(question=question, **line)
            LOG.debug("a reply that broke its contract: %s", json.dumps(line, ensure_ascii=False))


def contract_line(run: AgentRun) -> dict[str, object]:
    """A reply that could not be read, word for word, with all that can explain it. But for `raw` and the counts of tokens,
    nothing in it is the service's own: the model is the one that was asked for."""
    return {
        "agent": run.agent.value,
        "model": run.model,
        "reason": run.reason,
        "fault": run.fault,
        "finish_reason": finish_word(run.finish_reason),
        "completion_tokens": run.usage.completion_tokens if run.usage else None,
        "max_tokens": run.max_tokens,
        "suspected_truncation": run.suspected_truncation,
        "prompt_version": run.prompt_version,
        "raw": run.raw[:MAX_RAW],
    }


def unread(record: Pipeline | None) -> list[AgentRun]:
    """The calls whose replies were kept."""
    return [run for run in record.agents if run.raw] if record else []


class JsonLines:
    """Appends lines to one file. Safe for many threads. `folder` None keeps nothing."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self._path = None if folder is None else folder / name
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
