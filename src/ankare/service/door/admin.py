"""Who may change what is held, and who may look at the measures? Whoever has the admin token of this service, or a key with the
admin flag; at the measures also whoever has the token for them."""

from __future__ import annotations

import hmac

from fastapi import Request
from pydantic import SecretStr

from ankare.service.caller import Caller, caller_of
from ankare.service.door.keys import digest
from ankare.service.problem import ProblemError
from ankare.settings import Settings

LIBRARY = "/library"
ADMIN_PATHS = (LIBRARY, "/api/admin")
"""The page and the routes that change what is held. They and what lies under them are closed to everyone else."""
TOKEN_NAME = "admin-token"  # noqa: S105 - a name for logs
METRICS_PATH = "/metrics"
METRICS_NAME = "metrics-token"
NO_METRICS = "Measures are told to whoever has ANKARE_METRICS_TOKEN, the admin token, or a key with the admin flag."
NOT_THERE = "There is no such address."
NOT_ADMIN = "This key may not change what is held: it needs the admin flag."


def is_admin_path(path: str) -> bool:
    """Does a path belong to the library?"""
    return any(path == place or path.startswith(place + "/") for place in ADMIN_PATHS)


def require_admin(request: Request) -> Caller:
    """The caller, who may change what is held. Raises ProblemError (403) for anybody else: the doorman has looked already, and
    whoever comes this far without the right came by another way."""
    caller = caller_of(request.scope)
    if not caller.admin:
        raise ProblemError(403, NOT_ADMIN)
    return caller


def opens(settings: Settings, sent: str) -> bool:
    """Is this the admin token? Compared in constant time; nothing is where none is set."""
    return _is(settings.admin_token, sent)


def keeps_metrics(settings: Settings) -> bool:
    """Are the measures for some callers alone? Where nobody needs a key for anything, everybody may look."""
    return settings.api_keys != "off" or bool(settings.metrics_token.get_secret_value())


def opens_metrics(settings: Settings, sent: str) -> bool:
    """Is this the token for the measures? Compared in constant time."""
    return _is(settings.metrics_token, sent)


def _is(secret: SecretStr, sent: str) -> bool:
    token = secret.get_secret_value()
    return bool(token) and hmac.compare_digest(digest(token), digest(sent))
