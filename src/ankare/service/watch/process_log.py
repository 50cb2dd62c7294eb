"""How does the process tell what it does: lines for people, or one JSON object a line for machines?

    {"time": "...", "level": "info", "logger": "ankare.service", "message": "...", "request_id": "...", "exception": "..."}

Everything goes the same way: our own loggers, those of the server and of libraries, warnings, and errors of threads. Keys and
passwords are hidden wherever they stand, in tracebacks too. What a caller wrote is in no line of ours.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TextIO

from ankare.service.watch.redaction import Redaction
from ankare.service.watch.request_id import current
from ankare.settings import Settings

LONGEST = 20_000
"""Characters of a message, and of a traceback."""
FIELDS = "told"
"""Name under which a line is given fields: `LOG.info("request", extra={FIELDS: {"status": 200}})`."""
OURS = ("ankare", "uvicorn")
_SERVER = ("uvicorn", "uvicorn.error", "uvicorn.asgi")
_ADDRESSES = "uvicorn.access"
"""The server's own line for each request, with the address as it was sent: ours tell the route."""


def set_up_logging(settings: Settings, stream: TextIO | None = None) -> None:
    """Send every log line of this process to `stream` (None: standard error), as the settings want it. Called once, by who
    owns the process; libraries tell warnings and worse."""
    where = stream or sys.stderr
    redaction = Redaction(settings.secrets, LONGEST)
    wanted = settings.log_format or ("text" if where.isatty() else "json")
    handler = logging.StreamHandler(where)
    handler.setFormatter(JsonLine(redaction) if wanted == "json" else TextLine(redaction))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    level = getattr(logging, settings.log_level.upper())
    root.setLevel(max(level, logging.WARNING))
    for name in _SERVER:  # a server that was started in this process before may have set them apart
        logger = logging.getLogger(name)
        logger.propagate, logger.disabled, logger.level, logger.handlers[:] = True, False, logging.NOTSET, []
    for name in OURS:
        logging.getLogger(name).setLevel(level)
    addresses = logging.getLogger(_ADDRESSES)
    addresses.propagate, addresses.handlers[:] = False, []  # the server writes none where none would be told
    logging.captureWarnings(True)
    threading.excepthook = _of_a_thread


class JsonLine(logging.Formatter):
    """One JSON object a line."""

    def __init__(self, redaction: Redaction) -> None:
        super().__init__()
        self._redaction = redaction

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        told: dict[str, object] = {
            "time": _moment(record).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
            **_mark(),
            **_fields(record),
        }
        if trace := _trace(self, record):
            told["exception"] = trace
        return json.dumps(self._redaction.value(told), ensure_ascii=False, default=str)


class TextLine(logging.Formatter):
    """A line for people; a traceback stands below it."""

    def __init__(self, redaction: Redaction) -> None:
        super().__init__()
        self._redaction = redaction

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        beside = " ".join(f"{name}={value}" for name, value in {**_fields(record), **_mark()}.items() if value != "")
        said = _message(record).replace("\r", "\\r").replace("\n", "\\n")
        moment = f"{_moment(record):%Y-%m-%d %H:%M:%S}"
        line = f"{moment} {record.levelname:<7} {record.name}: {said}{f'  {beside}' if beside else ''}"
        return self._redaction.text("\n".join(filter(None, (line, _trace(self, record)))))


def _moment(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)


def _message(record: logging.LogRecord) -> str:
    """A message whose arguments do not fit is told as it is: no line is lost for it."""
    try:
        return record.getMessage()
    except (TypeError, ValueError, KeyError):
        return str(record.msg)


def _fields(record: logging.LogRecord) -> Mapping[str, object]:
    told = getattr(record, FIELDS, None)
    return told if isinstance(told, Mapping) else {}


def _mark() -> dict[str, object]:
    mark = current()
    return {name: value for name, value in (("request_id", mark.id), ("trace_id", mark.trace)) if value}


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    told = formatter.formatException(record.exc_info) if record.exc_info and record.exc_info[0] else ""
    return "\n".join(filter(None, (told, record.stack_info)))


def _of_a_thread(told: threading.ExceptHookArgs) -> None:
    if told.exc_value is not None and not isinstance(told.exc_value, SystemExit):
        error = (told.exc_type, told.exc_value, told.exc_traceback)
        logging.getLogger("ankare.service").error("a thread ended in an error", exc_info=error)
