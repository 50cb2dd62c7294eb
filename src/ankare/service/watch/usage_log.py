"""What was asked, and how did it go? JSON lines in `log_dir`, where a folder is configured.

    usage.jsonl      a line per question, whether it was answered or ended in an error
    shadow.jsonl     a line per question that the chain answered in the shadow of the control path
    contracts.jsonl  a line per reply that could not be read, and per text that the gate blocked, where these are kept

The first two hold no text of a question or an answer unless `texts` is set; the third is there to keep texts, and only where
that was asked for. A full disk costs log lines, never an answer. Shadows and broken replies are told to the process log too,
at debug level.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ankare.cite.links import Links
from ankare.cite.markdown import Rendered
from ankare.domain.agents import AgentRun, Pipeline, finish_word
from ankare.domain.grounding import Grounding
from ankare.domain.reply import Reply
from ankare.service.watch.json_lines import MAX_BYTES, JsonLines
from ankare.service.watch.redaction import Redaction
from ankare.service.watch.shadow_record import shadow_record
from ankare.service.watch.usage_records import USAGE
from ankare.settings import Settings

__all__ = ["CONTRACTS", "MAX_BYTES", "MAX_RAW", "SHADOW", "USAGE", "JsonLines", "LogRules", "Logs"]

LOG = logging.getLogger("ankare.service")
SHADOW, CONTRACTS = "shadow.jsonl", "contracts.jsonl"
MAX_RAW = 200_000
"""Characters of a reply that are kept; longer ones are not read either."""


@dataclass(frozen=True, slots=True)
class LogRules:
    """What may be kept. `refused`: what models wrote and nobody was shown. `texts`: questions and answers."""

    refused: bool = False
    texts: bool = False


class Logs:
    """All logs of one folder; None keeps none."""

    def __init__(self, folder: Path | None, rules: LogRules | None = None, secrets: Iterable[str] = ()) -> None:
        self.rules = rules or LogRules()
        self.redaction = Redaction(secrets, MAX_RAW)
        self.usage = JsonLines(folder, USAGE, self.redaction)
        self.shadow = JsonLines(folder, SHADOW, self.redaction)
        self.contracts = JsonLines(folder, CONTRACTS, self.redaction)
        self.kept = folder is not None

    @classmethod
    def of(cls, settings: Settings) -> Logs:
        """The logs that the settings name."""
        rules = LogRules(settings.agentic_rag_log_contracts, settings.log_texts)
        return cls(settings.log_dir, rules, settings.secrets)

    def keep_agents(self, question: str, reply: Reply, rendered: Rendered, links: Links) -> None:
        """What the chain would have answered, replies that could not be read, and sentences that the gate blocked."""
        if reply.shadow is not None and (self.kept or LOG.isEnabledFor(logging.DEBUG)):
            record = self.redaction.value(shadow_record(reply, rendered, links, texts=self.rules.texts))
            self.shadow.write(**({"question": question} if self.rules.texts else {}), **record)
            LOG.debug("in the shadow of an answer: %s", json.dumps(record, ensure_ascii=False))
        for ran in filter(None, (reply.pipeline, reply.shadow.pipeline if reply.shadow else None)):
            for refused in refused_lines(ran) if self.rules.refused else ():
                self.contracts.write(question=question, **refused)
                LOG.debug(
                    "what a model wrote and nobody was shown: %s",
                    json.dumps(self.redaction.value(refused), ensure_ascii=False),
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
