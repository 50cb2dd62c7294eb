"""What was asked, and how did it go? JSON lines in `log_dir`, where a folder is configured.

    usage.jsonl      a line per question
    shadow.jsonl     a line per question that the chain answered in the shadow of the control path
    contracts.jsonl  a line per reply that could not be read, and per text that the gate blocked, where these are kept

The logs hold the question as it was asked: whoever configures them decides who may read them. A full disk costs log lines,
never an answer. Shadows and broken replies are told to the process log too, at debug level.
"""

from __future__ import annotations

import fcntl
import json
import logging
from collections.abc import Iterable
from datetime import UTC, datetime
from io import SEEK_END, FileIO
from pathlib import Path
from threading import Lock

from ankare.cite.links import Links
from ankare.cite.markdown import Rendered
from ankare.domain.agents import AgentRun, Pipeline, finish_word
from ankare.domain.grounding import Grounding
from ankare.domain.reply import Reply
from ankare.service.redaction import Redaction
from ankare.service.shadow_record import shadow_record

LOG = logging.getLogger("ankare.service")
USAGE, SHADOW, CONTRACTS = "usage.jsonl", "shadow.jsonl", "contracts.jsonl"
MAX_BYTES = 50_000_000
MAX_RAW = 200_000
"""Characters of a reply that are kept; longer ones are not read either."""


class Logs:
    """All logs of one folder; None keeps none. `refused`: what models wrote and nobody was shown is kept too."""

    def __init__(self, folder: Path | None, refused: bool = False, secrets: Iterable[str] = ()) -> None:
        self._redaction = Redaction(secrets, MAX_RAW)
        self.usage = JsonLines(folder, USAGE, self._redaction)
        self.shadow = JsonLines(folder, SHADOW, self._redaction)
        self.contracts = JsonLines(folder, CONTRACTS, self._redaction)
        self._kept = folder is not None
        self._refused = refused

    def keep_agents(self, question: str, reply: Reply, rendered: Rendered, links: Links) -> None:
        """What the chain would have answered, replies that could not be read, and sentences that the gate blocked."""
        if reply.shadow is not None and (self._kept or LOG.isEnabledFor(logging.DEBUG)):
            record = self._redaction.value(shadow_record(reply, rendered, links))
            self.shadow.write(question=question, **record)
            LOG.debug("in the shadow of an answer: %s", json.dumps(record, ensure_ascii=False))
        for ran in filter(None, (reply.pipeline, reply.shadow.pipeline if reply.shadow else None)):
            for refused in refused_lines(ran) if self._refused else ():
                self.contracts.write(question=question, **refused)
                LOG.debug(
                    "what a model wrote and nobody was shown: %s",
                    json.dumps(self._redaction.value(refused), ensure_ascii=False),
                )


def refused_lines(record: Pipeline) -> list[dict[str, object]]:
    """A line for each reply that was kept because it could not be read, and one for a text that the gate blocked."""
    lines = [contract_line(run) for run in record.agents if run.raw]
    if record.grounding is not None and not record.grounding.passed:
        lines.append(grounding_line(record, record.grounding))
    return lines


def grounding_line(record: Pipeline, grounding: Grounding) -> dict[str, object]:
    """What the gate blocked, sentence by sentence: its words, the reason, what did not agree, the score."""
    return {
        "kind": "grounding",
        "fallback_reason": record.reason,
        "reason": None if grounding.reason is None else str(grounding.reason),
        "sentences": [
            {
                "text": verdict.text,
                "reason": None if verdict.reason is None else str(verdict.reason),
                "detail": verdict.detail,
                "score": round(verdict.score, 4),
            }
            for verdict in grounding.sentences
            if not verdict.supported
        ],
    }


def contract_line(run: AgentRun) -> dict[str, object]:
    """A reply that could not be read, word for word, with all that can explain it. But for `raw` and the counts of tokens,
    nothing in it is the service's own: the model is the one that was asked for."""
    return {
        "kind": "contract",
        "agent": run.agent.value,
        "model": run.model,
        "reason": run.reason,
        "fault": run.fault,
        "finish_reason": finish_word(run.finish_reason),
        "completion_tokens": run.usage.completion_tokens if run.usage else None,
        "max_tokens": run.max_tokens,
        "suspected_truncation": run.suspected_truncation,
        "prompt_version": run.prompt_version,
        "raw": run.raw,
    }


class JsonLines:
    """Appends lines to one file. Safe for many threads and processes. `folder` None keeps nothing."""

    def __init__(self, folder: Path | None, name: str, redaction: Redaction) -> None:
        self._redaction = redaction
        self._path = None if folder is None else folder / name
        self._lock = Lock()
        self._failing = False

    def write(self, **line: object) -> None:
        """Append one line with the time in UTC."""
        if self._path is None:
            return
        told = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), **self._redaction.value(line)}
        text = json.dumps(told, ensure_ascii=False)
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
        line = f"{text}\n".encode("utf-8", "backslashreplace")
        with path.open("a+b", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            rest = line if _ends_whole(file) else b"\n" + line
            while rest:
                rest = rest[file.write(rest) :]


def _ends_whole(file: FileIO) -> bool:
    """Is nothing, or a whole line, at the end of the file? A full disk or a killed process leaves half a line."""
    if not file.seek(0, SEEK_END):
        return True
    file.seek(-1, SEEK_END)
    return file.read(1) == b"\n"
