"""What does it mean for us that a service did not answer, and who can do something about it?

A service's own words are never passed on: they can hold the question, or the key. Its status and its error code are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ankare.errors import ProviderError, ProviderServiceError

_PAYMENT = 402
_DENIED = (401, 403)
_TIMED_OUT = 408
_TOO_MANY = 429
_REDIRECTS = range(300, 400)
_ERRORS = range(400, 600)
_QUOTA_CODES = frozenset({"insufficient_quota", "billing_error", "billing_hard_limit_reached", "billing_not_active"})
_NO_CREDIT = "credit balance is too low"
"""Anthropic tells an empty account as a 400 without a code of its own; these words are in its message."""
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,59}")

_REMEDIES: Mapping[str, str] = {
    "auth": "Check the API key and what it may use.",
    "quota": "Top up the account that the key belongs to, or use another key.",
    "rate_limited": "Try again later.",
    "server": "Try again later.",
    "timeout": "Try again later, or allow more time.",
    "network": "Check the base URL and the network.",
    "bad_reply": "Check that the base URL is that of the API.",
    "bad_request": "Check the model's name and the base URL.",
}


def fault(place: str, what: str, kind: str, status: int | None = None) -> ProviderError:
    """The error for a service at `place` (host and port) and what happened there."""
    error = ProviderServiceError if kind in ("auth", "quota") else ProviderError
    return error(f"The model service {place} {what}.", _REMEDIES[kind], kind=kind, status=status)


def status_fault(place: str, status: int, body: object, *, location: str = "", secret: str = "") -> ProviderError:
    """The error for a status outside 2xx. `body`: the reply as JSON, or None; `secret` is never repeated."""
    if status in _REDIRECTS:
        return fault(place, f"redirects{_host(location)} ({status}), which is not followed", "bad_request", status)
    code = _code(body, secret)
    return fault(place, f"answered {status}{f' ({code})' if code else ''}", _kind(status, body), status)


def error_in(body: Mapping[str, Any]) -> int | None:
    """The status of an error that came as a success, as some routers send it; 0 where it tells none, None without error."""
    error = body.get("error")
    if not error:
        return None
    code = error.get("code") if isinstance(error, Mapping) else None
    return code if isinstance(code, int) and code in _ERRORS else 0


def _host(location: str) -> str:
    """Where a redirect leads, the host alone: the rest may hold what the request held."""
    try:
        host = urlsplit(location).hostname
    except ValueError:
        host = None
    return f" to {host}" if host else ""


def _kind(status: int, body: object) -> str:
    if status == _PAYMENT or _QUOTA_CODES & set(_codes(body)) or _NO_CREDIT in _message(body).lower():
        return "quota"
    if status in _DENIED:
        return "auth"
    if status == _TIMED_OUT:
        return "timeout"
    if status == _TOO_MANY:
        return "rate_limited"
    return "bad_request" if status < 500 else "server"


def _code(body: object, secret: str) -> str:
    readable = (code for code in _codes(body) if _CODE.fullmatch(code) and not (secret and secret in code))
    return next(readable, "")


def _codes(body: object) -> list[str]:
    """The words by which the service names its error, the narrowest first."""
    return [code for name in ("code", "type") if isinstance(code := _error(body).get(name), str)]


def _message(body: object) -> str:
    message = _error(body).get("message")
    return message if isinstance(message, str) else ""


def _error(body: object) -> Mapping[str, Any]:
    fields = body if isinstance(body, Mapping) else {}
    error = fields.get("error", fields)
    return error if isinstance(error, Mapping) else {}
