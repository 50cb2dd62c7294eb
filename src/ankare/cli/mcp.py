"""`ankare mcp`: how do programs on this machine ask over MCP?

Over standard input and output, as desktop clients start it, or at an address of this machine. Nothing but the protocol goes to
standard output. Other machines are served by `ankare serve` with ANKARE_MCP=true, behind its keys and limits.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ankare.cli.options import DEFAULT_HOME, AsLabelOption, AsPublicOption, HomeOption, reader
from ankare.errors import BadInputError, MissingExtraError

if TYPE_CHECKING:
    from mcp.server import Server

    from ankare.domain.access import Access
    from ankare.service.crew import Crew
    from ankare.settings import Settings

NEEDED = ("mcp", "fastapi", "uvicorn", "prometheus_client", "orjson")
HERE = frozenset({"127.0.0.1", "localhost"})


def mcp(
    home: HomeOption = DEFAULT_HOME,
    pack: Annotated[Path | None, typer.Option(help="A pack whose profile is used instead of the home's.")] = None,
    http: Annotated[
        str, typer.Option("--http", help="Listen at HOST:PORT of this machine instead of standard input.")
    ] = "",
    as_label: AsLabelOption = None,
    as_public: AsPublicOption = False,
) -> None:
    """Answer programs that speak MCP, with the tools ask, search and query_metric."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise MissingExtraError(f"MCP needs {', '.join(missing)}.", "Install it: pip install 'ankare[mcp]'.")
    place, access = _place(http) if http else None, reader(as_label, as_public)
    from ankare.service.crew import PATIENT, Crew
    from ankare.settings import load_settings

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="ankare: %(message)s")
    crews = Crew(1), Crew(PATIENT)
    server = _server(load_settings(home=home, pack=pack), access, *crews)
    try:
        if place is None:
            asyncio.run(_over_stdio(server))
        else:
            _over_http(server, *place)
    finally:
        for crew in crews:
            crew.close()


def _place(given: str) -> tuple[str, int]:
    """Host and port. Raises BadInputError for anything but an address of this machine."""
    host, _, port = given.rpartition(":")
    if host not in HERE or not port.isdecimal() or int(port) > 65_535:
        raise BadInputError(
            f"--http {given}: an address of this machine is needed, like 127.0.0.1:8765.",
            "Whoever reaches it may read everything. To serve other machines, run ankare serve with ANKARE_MCP=true.",
        )
    return host, int(port)


def _server(settings: Settings, access: Access, crew: Crew, patient: Crew) -> Server[Any]:
    from ankare.profile.load import PROFILE_NAME, load_profile
    from ankare.service.caller import Caller
    from ankare.service.desk import Desk
    from ankare.service.mcp.server import make_server
    from ankare.service.shelf import HomeShelf
    from ankare.wiring import open_engine

    profile = None if settings.pack is None else load_profile(settings.pack / PROFILE_NAME)
    desk = Desk(settings, HomeShelf(settings.home, profile), lambda: open_engine(settings))
    return make_server(desk, crew, patient, lambda _: Caller(access=access))


async def _over_stdio(server: Server[Any]) -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _over_http(server: Server[Any], host: str, port: int) -> None:
    """At http://HOST:PORT/mcp; only under names of this machine, so that no page of a browser gets in by a name of its own."""
    import uvicorn

    app = server.streamable_http_app(json_response=True, stateless_http=True, host=host)
    typer.echo(f"ankare: MCP at http://{host}:{port}/mcp (stop with Ctrl-C)", err=True)
    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False, server_header=False)
