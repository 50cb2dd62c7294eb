"""How do figures look in a terminal, and as JSON?"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ankare.domain.fact import TOTAL, Fact, FactKey, written
from ankare.facts.protocol import Conflict, StoredFact

_PLAIN_WIDTH = 160
_STYLES = {"approved": "green", "pending": "yellow", "rejected": "red"}


def stored_body(stored: StoredFact) -> dict[str, Any]:
    """A figure as JSON; the value is a decimal in a string."""
    return {
        "id": stored.id,
        **_key_body(stored.fact.key),
        "geography": stored.fact.geography,
        **_source_body(stored.fact),
    }


def conflict_body(conflict: Conflict) -> dict[str, Any]:
    """A conflict as JSON: its key, and what each source says."""
    facts = [{"id": stored.id, **_source_body(stored.fact)} for stored in conflict.facts]
    return {**_key_body(conflict.key), "facts": facts}


def _key_body(key: FactKey) -> dict[str, Any]:
    return {
        "metric": key.metric_code,
        "entity": key.entity,
        "period_type": key.period_type,
        "period": key.period,
        "channel": key.channel,
    }


def _source_body(fact: Fact) -> dict[str, Any]:
    return {
        "value": written(fact.value),
        "unit": fact.unit,
        "source": {"doc": fact.source_doc_id, "locator": fact.source_locator},
        "review_status": str(fact.review_status),
        "confidence": None if fact.confidence is None else written(fact.confidence),
        "valid_as_of": fact.valid_as_of,
        "ingested_at": fact.ingested_at,
        "source_file": fact.source_file,
        "source_file_hash": fact.source_file_hash,
    }


def write_json(name: str, rows: Iterable[dict[str, Any]]) -> None:
    """An object with one list, row by row: there may be more than fit in memory."""
    sys.stdout.write(f'{{"{name}": [')
    for number, row in enumerate(rows):
        sys.stdout.write((",\n " if number else "\n ") + json.dumps(row))
    sys.stdout.write("\n]}\n")


def show_facts(found: Iterator[StoredFact], *, none: str, limit: int = 0) -> int:
    """A table of figures, of at most `limit` rows (0: all), or the sentence `none`. Gives how many were shown."""
    shown = list(islice(found, limit or None))
    if not shown:
        _console().print(Text(none))
        return 0
    table = _table("Id", "Metric", "Entity", "Period", "Channel", "Value", "Unit", "Source", "Status")
    for stored in shown:
        fact = stored.fact
        table.add_row(str(stored.id), *_key_cells(fact.key), *_value_cells(fact), _status(fact))
    _console().print(table)
    if next(found, None) is not None:
        _console().print(Text(f"Only the first {limit} are shown; --limit 0 shows all."))
    return len(shown)


def show_conflicts(found: Iterable[Conflict]) -> None:
    """A table with a block of rows for each figure that has several values."""
    table = _table("Id", "Metric", "Entity", "Period", "Channel", "Value", "Unit", "Source", "As of")
    count = 0
    for count, conflict in enumerate(found, 1):  # noqa: B007 - counted for the last line
        for number, stored in enumerate(conflict.facts):
            key = _key_cells(conflict.key) if number == 0 else [Text("")] * 4
            as_of = Text(stored.fact.valid_as_of)
            table.add_row(
                str(stored.id), *key, *_value_cells(stored.fact), as_of, end_section=stored is conflict.facts[-1]
            )
    if not count:
        _console().print(Text("No conflicts: no figure has approved values that differ."))
        return
    _console().print(table)
    told = "1 figure has" if count == 1 else f"{count} figures have"
    _console().print(Text(f"{told} several values. Take one back: ankare facts review ID rejected"))


def _key_cells(key: FactKey) -> list[Text]:
    channel = "" if key.channel == TOTAL else key.channel
    return [Text(_one_line(part)) for part in (key.metric_code, key.entity, key.period, channel)]


def _value_cells(fact: Fact) -> list[Text]:
    source = ", ".join(part for part in (fact.source_doc_id, fact.source_locator) if part)
    return [Text(_one_line(part)) for part in (written(fact.value), fact.unit, source)]


def _status(fact: Fact) -> Text:
    return Text(fact.review_status, style=_STYLES[fact.review_status])


def _table(*names: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    for name in names:
        number = name in ("Id", "Value")
        table.add_column(name, justify="right" if number else "left", no_wrap=number, overflow="fold")
    return table


def _console() -> Console:
    return Console(width=None if sys.stdout.isatty() else _PLAIN_WIDTH, highlight=False)


def _one_line(text: str) -> str:
    """A text that cannot move the terminal's cursor."""
    return "".join(sign if sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)
