"""`ankare serve`: how does the service start?"""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from ankare.errors import MissingExtraError, SettingsError

if TYPE_CHECKING:
    from ankare.settings import Settings

MEASURES_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Where worker processes write what they measure, so that one of them can tell the sum."""
INTERRUPTED = 130
NEEDED = ("fastapi", "uvicorn", "gradio", "prometheus_client", "orjson", "httptools")


def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on.")] = None,
    home: Annotated[Path | None, typer.Option(help="The home folder.")] = None,
    pack: Annotated[Path | None, typer.Option(help="A pack whose profile is used instead of the home's.")] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=64, help="Processes that answer.", show_default="ANKARE_WORKERS, or 1")
    ] = None,
) -> None:
    """Serve the API and the web page."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise MissingExtraError(f"The service needs {', '.join(missing)}.", "Install it: pip install 'ankare[serve]'.")
    from ankare.settings import load_settings

    settings = load_settings(host=host, port=port, home=home, pack=pack, workers=workers)
    _require_free(settings)
    typer.echo(f"ankare: http://{settings.host}:{settings.port}  (home: {settings.home}; stop with Ctrl-C)")
    _warn_without_index(settings)
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGINT, _give_up)
    _run(settings)


def _require_free(settings: Settings) -> None:
    """Raises SettingsError where the address cannot be used, before anything slow has been done."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        where = f"{settings.host}:{settings.port}"
        raise SettingsError(f"{where} cannot be listened on: {error.strerror}.", "Choose another --port.") from error


def _warn_without_index(settings: Settings) -> None:
    from ankare.errors import HomeError
    from ankare.index.home import Home

    try:
        Home(settings.home).manifest()
    except HomeError as error:
        typer.echo(f"ankare: {error} The service starts, and answers as soon as there is an index.", err=True)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """Being told to stop is no failure. The server handles the signal while it runs, and hands it on here afterwards."""
    raise SystemExit(0)


def _give_up(number: int, frame: FrameType | None) -> NoReturn:
    """Ctrl-C while the parts are loaded. An exception would come out of the middle of foreign code, which may make another of
    it; nothing has been begun yet that would have to be ended."""
    os._exit(INTERRUPTED)


def _keep_interrupts() -> None:
    """Ctrl-C reaches all processes of a terminal. Here this one alone is told, and tells its workers to end: they inherit that
    the signal is held back, and a thread receives it in place of the one that starts them."""
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it would let the signal through again, when the first worker is started
    Thread(target=Event().wait, daemon=True).start()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _run(settings: Settings) -> None:
    os.environ.update({"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_OFFLINE": "1"})
    import uvicorn

    from ankare.service.door.connection import Connection
    from ankare.service.watch.process_log import set_up_logging

    set_up_logging(settings)
    given: dict[str, Any] = {
        "host": settings.host,
        "port": settings.port,
        "http": Connection,
        "log_config": None,
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,  # the service itself looks at them, and believes only the proxies that it is told of
        "timeout_graceful_shutdown": settings.grace_seconds,
    }
    if settings.workers == 1:
        from ankare.service.app import create_app

        app = create_app(settings)
        _tell_when(app.state.desk.loaded, settings)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        uvicorn.run(app, **given)
        return
    from ankare.service.watch.started import started
    from ankare.settings import as_environment

    signal.signal(signal.SIGINT, signal.default_int_handler)
    with TemporaryDirectory(prefix="ankare-measures-") as folder, _shared(settings) as shared:
        os.environ[MEASURES_FOLDER] = folder  # read by the library when a worker imports it
        os.environ.update(as_environment(shared))
        _keep_interrupts()
        _tell_when(lambda: started(shared.shared_folder) >= settings.workers, settings)
        uvicorn.run("ankare.service.app:app_from_environment", factory=True, workers=settings.workers, **given)


def _tell_when(all_started: Callable[[], bool], settings: Settings) -> None:
    """Say so once all processes answer: until then whatever stands in front of them finds nobody."""
    from ankare.service.watch.started import wait_until

    def wait() -> None:
        wait_until(all_started, settings.host, settings.port)
        who = "" if settings.workers == 1 else f" ({settings.workers} workers answer)"
        typer.echo(f"ankare: ready{who}")

    Thread(target=wait, daemon=True).start()


@contextmanager
def _shared(settings: Settings) -> Iterator[Settings]:
    """The settings, with a folder in which the workers count requests together."""
    from ankare.service.watch.started import forget_started

    if settings.shared_folder is not None:
        forget_started(settings.shared_folder)  # of an earlier start: in a container, each has the same number
        yield settings
        return
    with TemporaryDirectory(prefix="ankare-rates-") as folder:
        yield settings.model_copy(update={"shared_folder": Path(folder)})
