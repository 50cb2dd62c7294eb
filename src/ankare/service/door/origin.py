"""Did another site's page send this request in its visitor's name?

A browser adds the cookie by itself, whoever wrote the page that makes it send. SameSite=Strict keeps it away from other sites;
here is the second lock. A browser says with Sec-Fetch-Site (Fetch Metadata) where a request comes from, and no script can
change that; older ones, and those on plain http, say it with Origin.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.types import Scope

from ankare.service.door.address import behind_proxy, header
from ankare.service.door.identity import LOGIN, LOGOUT, sent_cookie
from ankare.service.problem import ProblemError

HARMLESS = ("GET", "HEAD", "OPTIONS")
OURS = ("same-origin", "none")
DEFAULT_PORTS = {"http": 80, "https": 443}


def refuse_foreign(scope: Scope) -> None:
    """Raises ProblemError (403) where a request that changes something comes with the cookie from another site. Logging in
    and out needs no cookie to be misused."""
    if scope["method"] in HARMLESS:
        return
    if (scope["path"] in (LOGIN, LOGOUT) or sent_cookie(scope)) and is_foreign(scope):
        raise ProblemError(403, "This was sent by a page of another site.")


def is_foreign(scope: Scope) -> bool:
    """Does a request say that it comes from another site? One that says nothing comes from no browser."""
    site = header(scope, b"sec-fetch-site").strip().lower()
    if site:
        return site not in OURS
    origin = header(scope, b"origin").strip()
    return bool(origin) and _place(origin) not in _own_places(scope)


def _own_places(scope: Scope) -> set[tuple[str, int]]:
    hosts = [header(scope, b"host")]
    if behind_proxy(scope):
        hosts.append(header(scope, b"x-forwarded-host").rpartition(",")[2].strip())
    # The scheme is told by a trusted proxy only, so either default port is ours where none is written.
    return {_place(f"{scheme}://{host}") for host in hosts if host for scheme in DEFAULT_PORTS}


def _place(origin: str) -> tuple[str, int]:
    """Host and port; ("", 0) for what is no origin, such as "null"."""
    try:
        parts = urlsplit(origin)
        return (parts.hostname or "", parts.port or DEFAULT_PORTS.get(parts.scheme, 0))
    except ValueError:
        return ("", 0)
