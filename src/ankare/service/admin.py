"""Who may change what is held? Whoever has the admin token of this service, or a key with the admin flag."""

from __future__ import annotations

import hmac

from fastapi import Request

from ankare.service.caller import Caller, caller_of
from ankare.service.problem import ProblemError
from ankare.settings import Settings

ADMIN_PATHS = ("/library", "/api/admin")
"""The page and the routes that change what is held. They and what lies under them are closed to everyone else."""
TOKEN_NAME = "admin-token"  # noqa: S105 - a name for logs
NOT_THERE = "There is no such address."


def is_admin_path(path: str) -> bool:
    """Does a path belong to the library?"""
    return any(path == place or path.startswith(place + "/") for place in ADMIN_PATHS)


def require_admin(request: Request) -> Caller:
    """The caller, who may change what is held. Raises ProblemError: 404 where nobody may here, 401 without, 403 with a key."""
    caller = caller_of(request.scope)
    if caller.admin:
        return caller
    if caller.name:
        raise ProblemError(403, "This key may not change what is held: it needs the admin flag.")
    settings: Settings = request.app.state.desk.settings
    if not settings.admin_token.get_secret_value():
        raise ProblemError(404, NOT_THERE)
    if opens(settings, sent_key(request)):
        return Caller(TOKEN_NAME, admin=True)
    raise ProblemError(401, "The library needs the admin token, or a key with the admin flag.")


def opens(settings: Settings, sent: str) -> bool:
    """Is this the admin token? Compared in constant time; nothing is where none is set."""
    token = settings.admin_token.get_secret_value()
    return bool(token) and hmac.compare_digest(token.encode(), sent.encode("utf-8", "surrogateescape"))


def sent_key(request: Request) -> str:
    """What a request gives as its key in a header: Authorization: Bearer, or X-API-Key; "" for nothing."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    return value.strip() if scheme.lower() == "bearer" else request.headers.get("x-api-key", "").strip()
