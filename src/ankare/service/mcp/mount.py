"""How is MCP served at /mcp of the service (streamable HTTP, stateless, JSON answers)?

Behind the same guard, keys and limits as the API. A page in a browser that has a name of its own for this address (DNS
rebinding) is turned away: only the hosts that the settings name are served.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ankare.errors import MissingExtraError
from ankare.service.caller import ANONYMOUS, Caller, caller_of
from ankare.service.crew import Crew
from ankare.service.desk import Desk
from ankare.service.problem import problem
from ankare.settings import Settings

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from ankare.service.mcp.server import Context

PATH = "/mcp"
LOCAL = ("localhost", "127.0.0.1", "[::1]")


class McpMount:
    """The address /mcp. Answers while `running`."""

    def __init__(self, desk: Desk, crew: Crew, patient: Crew, finders: Crew) -> None:
        self._parts = desk, crew, patient, finders
        self._manager: StreamableHTTPSessionManager | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if self._manager is None:
            await problem(503, "The service is starting or ending.", retry_after=1)(scope, receive, send)
            return
        await self._manager.handle_request(scope, receive, send)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Open for as long as the block runs."""
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
        from mcp.server.transport_security import TransportSecuritySettings

        from ankare.service.mcp.server import make_server

        desk, crew, patient, finders = self._parts
        server = make_server(desk, crew, patient, _caller, finders)
        hosts, origins = allowed(desk.settings)
        self._manager = StreamableHTTPSessionManager(
            server,
            json_response=True,
            stateless=True,
            security_settings=TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins),
            max_request_body_size=desk.settings.max_body_bytes,
        )
        try:
            async with self._manager.run():
                yield
        finally:
            self._manager = None


def _caller(context: Context) -> Caller:
    return ANONYMOUS if context.request is None else caller_of(context.request.scope)


def add_mcp(
    app: FastAPI, desk: Desk, crew: Crew, patient: Crew, finders: Crew
) -> Callable[[], AbstractAsyncContextManager[None]]:
    """Put the address on the app, where the settings ask for it; gives what has to be open while the app runs.

    Raises MissingExtraError where the extra is not installed.
    """
    if not desk.settings.mcp:
        return nullcontext
    require_mcp()
    mount = McpMount(desk, crew, patient, finders)
    app.router.routes.append(Route(PATH, mount, methods=None, include_in_schema=False))
    return mount.running


def require_mcp() -> None:
    """Raises MissingExtraError."""
    if find_spec("mcp") is None:
        raise MissingExtraError("MCP needs the package mcp.", "Install it: pip install 'ankare[mcp]'.")


def allowed(settings: Settings) -> tuple[list[str], list[str]]:
    """The hosts that a client may name, and the origins that a page may come from: this machine, the public address, and
    whatever else is set."""
    public = urlsplit(settings.public_url)
    named = [host.strip() for host in settings.mcp_allowed_hosts.split(",") if host.strip()]
    hosts = [*LOCAL, *(f"{host}:*" for host in LOCAL), f"{settings.host}:{settings.port}", *named]
    origins = [f"http://{host}{port}" for host in LOCAL for port in ("", ":*")]
    if public.netloc:
        hosts.append(public.netloc)
        origins.append(f"{public.scheme}://{public.netloc}")
    return hosts, origins
