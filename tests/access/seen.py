"""What is there to see of a response? All of it, but for what differs from request to request: times and random names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from httpx import Response

_CHANGING = {"date", "x-request-id", "last-modified"}
_LENGTHS = {"content-length"}
"""Of a text with times in it."""
_OF_THE_REQUEST = re.compile(r"answer_id|request_id|event_id|created|instance|app_id|(?:.*_)?ms")
_CHANGES = [
    (re.compile(r"\b(chatcmpl-|plot-)?[0-9a-f]{32}\b|\bplot-[0-9a-f]{12}"), "ID"),
    (re.compile(r"\b\d+(?:[.,]\d+)?[  ]ms\b"), "ms"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?(?:\+00:00| UTC|Z)?"), "TIME"),
    (re.compile(r"(nonce[-=]\"?)[\w-]{24}"), r"\1NONCE"),
    (re.compile(r'"app_id":\s*\d+'), '"app_id":0'),
]
_QUIET = re.compile(r": still working|event: heartbeat")
_TAKEN = re.compile(r"(?:_seconds_(?:bucket|sum)|_created|_age_seconds|_start_time_seconds)[{ ]")


def seen(answer: Response) -> list[object]:
    """Status, headers and body."""
    kind = answer.headers.get("content-type", "")
    headers = {name: plain(value) for name, value in answer.headers.items() if name not in _CHANGING}
    if not kind.startswith(("text/", "application/json", "application/problem+json")):
        return [answer.status_code, headers, answer.content]
    for name in _LENGTHS:
        headers.pop(name, None)
    return [answer.status_code, headers, read(answer.text)]


def read(text: str) -> object:
    """A text, or the JSON in it, or its events, without what changes."""
    if text.startswith(("event:", "data:", ":")):
        return list(_events(text))
    try:
        return json.dumps(plain(json.loads(text)), ensure_ascii=False, sort_keys=True)
    except ValueError:
        return plain(text)


def plain(value: Any) -> Any:
    """Without what differs from request to request. Which steps took a time stays."""
    if isinstance(value, dict):
        return {name: _of(name, item) for name, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, str):
        for pattern, put in _CHANGES:
            value = pattern.sub(put, value)
    return value


def counted(text: str) -> list[str]:
    """The lines of /metrics, but for those that tell how long something took and when it was."""
    return [line for line in text.splitlines() if line.startswith("#") or not _TAKEN.search(line)]


def _of(name: str, item: Any) -> Any:
    if not _OF_THE_REQUEST.fullmatch(name) or item is None:
        return plain(item)
    return sorted(item) if isinstance(item, dict) else "..."


def _events(text: str) -> Iterator[object]:
    """Each event with its data; comments and heartbeats come when something takes long."""
    for event in filter(None, text.split("\n\n")):
        if not _QUIET.match(event):
            yield [
                read(line.removeprefix("data: ")) if line.startswith("data: ") else line for line in event.split("\n")
            ]
