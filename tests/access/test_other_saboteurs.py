"""A leak in any one door is noticed by what is compared there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp.types import ListResourcesResult, Resource
from starlette.responses import PlainTextResponse

from ankare.channels.corpora import Corpora
from ankare.channels.corpus import OpenCorpus
from ankare.domain.access import OWNER, PUBLIC, Access
from ankare.domain.question import Understood
from ankare.engine import Engine
from ankare.service import app as service_app
from ankare.service.api import ask, operation
from ankare.service.caller import Caller
from ankare.service.chat.routes import Asking
from ankare.service.door import identity
from ankare.service.mcp import server as mcp_server
from ankare.service.mcp import tools as mcp_tools
from ankare.service.page import mount, routes, start
from ankare.service.page.views import Views
from ankare.service.problem import ProblemError
from ankare.service.shelf import HomeShelf
from ankare.service.watch import routes_feedback
from tests.access import other_doors as doors
from tests.access.seen import seen
from tests.access.test_other_doors import Doors, no_file_is_handed_out, open_to_all
from tests.access.world import PUBLIC_FILES, Service, at_once, built, take_in, write

Patch = pytest.MonkeyPatch
ALL = Caller(access=OWNER)
HIDDEN = "Hur finansieras uppköpet av Zirkonbolaget?"


def _everybody_is_the_owner(patch: Patch, where: Any, name: str = "caller_of") -> None:
    patch.setattr(where, name, lambda _given: ALL)


def streams_count_what_is_held(patch: Patch) -> None:
    """The steps of /api/ask tell how much was searched."""
    served = ask._served

    def telling(desk: Any, *given: Any, on_step: Any = None) -> Any:
        if on_step is not None:
            on_step(f"searched-{desk.shelf.chunk_count()}")
        return served(desk, *given, on_step=on_step)

    patch.setattr(ask, "_served", telling)


def chats_count_what_is_held(patch: Patch) -> None:
    """So do the comments in a streamed chat."""
    answer = Asking.answer

    def telling(self: Asking, on_step: Any = None) -> Any:
        if on_step is not None:
            on_step(f"searched-{self.desk.shelf.chunk_count()}")
        return answer(self, on_step)

    patch.setattr(Asking, "answer", telling)


def follow_ups_know_every_word(patch: Patch) -> None:
    """What is read after another question tells how much any document has on it."""
    understand = Engine.understand

    def knowing(self: Engine, previous: str, text: str, **given: Any) -> Understood:
        found = understand(self, previous, text, **given)
        return replace(found, taken_over=(*found.taken_over, str(len(self.search(text, access=OWNER)))))

    patch.setattr(Engine, "understand", knowing)


def the_page_asks_for_all(patch: Patch) -> None:
    """The page's own route forgets who asks."""
    _everybody_is_the_owner(patch, routes)


def the_page_tells_the_version(patch: Patch) -> None:
    """What its script gets names the version on disk."""
    told = routes.told_answer
    patch.setattr(routes, "told_answer", lambda s, desk, *more: {**told(s, desk, *more), "v": desk.shelf.version()})


def views_look_in_all(patch: Patch) -> None:
    """What stands beside an answer tells how many documents there are."""
    common = Views._common

    def counting(self: Views, source: Any) -> dict[str, object]:
        return {**common(self, source), "of": len(self._shelf.of(OWNER).versions())}

    patch.setattr(Views, "_common", counting)


def the_first_page_names_what_is_new(patch: Patch) -> None:
    """The document at / has the titles of documents as examples."""
    patch.setattr(start, "_examples", lambda desk, caller, texts: str(desk.shelf.chunk_count()))


def gradio_forgets_who_calls(patch: Patch) -> None:
    """Its call answers for the owner."""
    _everybody_is_the_owner(patch, mount, "_caller")


def programs_are_all_the_owner(patch: Patch) -> None:
    """MCP forgets who calls."""
    patch.setattr(mcp_server._Serving, "caller", property(lambda self: lambda context: ALL), raising=False)


def resources_are_listed(patch: Patch) -> None:
    """MCP lists the documents that there are."""

    async def listed(self: Any, context: Any, page: Any) -> ListResourcesResult:
        names = self.desk.shelf._current().snapshot.sources
        return ListResourcesResult(resources=[Resource(uri=f"ankare://{name}", name=name) for name in sorted(names)])

    patch.setattr(mcp_server._Serving, "list_resources", listed)


def resources_are_there_for_all(patch: Patch) -> None:
    """MCP reads any document to whoever knows its id."""
    text = mcp_tools.document_text
    patch.setattr(mcp_server, "document_text", lambda desk, wanted, caller: text(desk, wanted, ALL))


def look_ups_offer_every_period(patch: Patch) -> None:
    """MCP's look-up tells which periods are held by anybody."""
    query = Engine.query_metric

    def knowing(self: Engine, asked: Any, *, access: Access = OWNER) -> Any:
        own, all_ = query(self, asked, access=access), query(self, asked, access=OWNER)
        return None if own is None or all_ is None else replace(own, choices=all_.choices)

    patch.setattr(Engine, "query_metric", knowing)


def every_key_opens_the_library(patch: Patch) -> None:
    """Whoever has any key is let in."""
    patch.setattr(identity, "_caller", lambda key: Caller(key.name, key.access, True))


def feedback_says_what_is_known(patch: Patch) -> None:
    """Thanks only for answers that were given."""

    def keep(desk: Any, store: Any, said: Any, caller: Any) -> None:
        if desk.accounts.recent.of(said.answer_id) is None:
            raise ProblemError(404, "There is no such answer.")

    patch.setattr(routes_feedback, "keep", keep)


def measures_are_of_everything(patch: Patch) -> None:
    """/metrics, /health and /ready tell of the whole index."""
    patch.setattr(operation, "_shelf", lambda desk, request: desk.shelf)


def answers_are_counted_by_what_is_hidden(patch: Patch) -> None:
    """A measure tells that a question would have had an answer."""
    answer = Engine.ask

    def counting(self: Engine, question: str, *, access: Access = OWNER, **given: Any) -> Any:
        reply = answer(self, question, access=access, **given)
        more = answer(self, question, access=OWNER, **{**given, "on_step": None})
        return reply if reply.answered == more.answered else replace(reply, timings=(*reply.timings, *more.timings[:1]))

    patch.setattr(Engine, "ask", counting)


def files_are_handed_out(patch: Patch) -> None:
    """An address of the page leads to files of the machine."""
    through_it = mount.PageShell.__call__

    async def call(self: Any, scope: Any, receive: Any, send: Any) -> None:
        path = str(scope.get("path", "")).removeprefix("/page/")
        if path.startswith("/") and Path(path).is_file():
            await PlainTextResponse("There it is.")(scope, receive, send)
        else:
            await through_it(self, scope, receive, send)

    patch.setattr(mount.PageShell, "__call__", call)


def the_largest_corpus_serves_all(patch: Patch) -> None:
    """What was opened for one reader is there for the next."""
    of, opened = Corpora.of, dict[int, OpenCorpus]()

    def kept(self: Corpora, access: Access) -> OpenCorpus:
        found = of(self, access)
        opened[id(self)] = max(found, opened.get(id(self), found), key=lambda corpus: len(corpus.documents))
        return opened[id(self)]

    patch.setattr(Corpora, "of", kept)


def the_description_counts_documents(patch: Patch) -> None:
    """The OpenAPI document says how much is held."""
    describe = service_app.describe

    def counting(app: Any, url: str) -> None:
        app.description = f"Over {app.state.desk.shelf.chunk_count()} passages."
        describe(app, url)

    patch.setattr(service_app, "describe", counting)


# Where each of them shows.

FEW = ("Hur ofta tas säkerhetskopior?", "När avslutas projektet?", HIDDEN, "Vad var omsättningen i Kina 2024?")
Look = Callable[[Service, Doors], object]


def streams(service: Service, through: Doors) -> object:
    return [doors.streamed(service.reader(), question) for question in FEW]


def page(service: Service, through: Doors) -> object:
    return [doors.on_the_page(service.reader(), question) for question in FEW]


def chats(service: Service, through: Doors) -> object:
    return doors.chatted(service.reader())


def programs(service: Service, through: Doors) -> object:
    return doors.told_to_programs(service.reader(), FEW, through.documents)


def standing(service: Service, through: Doors) -> object:
    return doors.standing(service.reader())


def measures(service: Service, through: Doors) -> object:
    reader = service.reader()
    return [reader.ask(HIDDEN)["answered"], doors.measured(reader)]


def library(service: Service, through: Doors) -> object:
    """Only what changes nothing, since this one gets in."""
    return seen(service.reader("nobody").open("GET", "/api/admin/documents"))


def feedback(service: Service, through: Doors) -> object:
    """Of an answer that only a home with the secret has given."""
    found = service.reader("board").ask(HIDDEN)
    return doors.thanked(service.reader(), [found["answer_id"] if found["answered"] else "0" * 32])


def after_another_reader(service: Service, through: Doors) -> object:
    service.reader("board").ask(HIDDEN)
    return [service.reader().ask(question)["answer_markdown"] for question in FEW]


RUNNING: tuple[tuple[Callable[[Patch], None], Look], ...] = (
    (streams_count_what_is_held, streams),
    (chats_count_what_is_held, streams),
    (follow_ups_know_every_word, chats),
    (the_page_asks_for_all, page),
    (the_page_tells_the_version, page),
    (views_look_in_all, page),
    (gradio_forgets_who_calls, page),
    (the_first_page_names_what_is_new, standing),
    (programs_are_all_the_owner, programs),
    (resources_are_there_for_all, programs),
    (look_ups_offer_every_period, programs),
    (every_key_opens_the_library, library),
    (feedback_says_what_is_known, feedback),
)
FROM_THE_START: tuple[tuple[Callable[[Patch], None], Look], ...] = (
    (the_largest_corpus_serves_all, after_another_reader),
    (resources_are_listed, programs),
    (measures_are_of_everything, measures),
    (answers_are_counted_by_what_is_hidden, measures),
    (the_description_counts_documents, standing),
)
"""Those that have to be there when a service begins, or are counted from then on."""


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A home without and one with secrets."""
    folder = tmp_path_factory.mktemp("homes")
    return built(folder / "a", PUBLIC_FILES), at_once(folder / "b")


@pytest.fixture(scope="module")
def two(homes: tuple[Path, Path]) -> Iterator[tuple[Service, Service]]:
    with open_to_all(homes[0]) as one, open_to_all(homes[1]) as other:
        yield one, other


def named(part: object) -> str:
    return getattr(part, "__name__", "")


def both(two: tuple[Service, Service], look: Look) -> list[object]:
    through = Doors.to(two[0].home, two[1].home)
    return [look(service, through) for service in two]


@pytest.mark.parametrize("look", list(dict.fromkeys(look for _saboteur, look in RUNNING)), ids=named)
def test_without_a_saboteur_nothing_is_caught(two: tuple[Service, Service], look: Look) -> None:
    one, other = both(two, look)
    assert one == other


@pytest.mark.parametrize(("saboteur", "look"), RUNNING, ids=named)
def test_a_leak_in_a_door_is_caught(
    two: tuple[Service, Service], saboteur: Callable[[Patch], None], look: Look, monkeypatch: Patch
) -> None:
    saboteur(monkeypatch)
    one, other = both(two, look)
    assert one != other


@pytest.mark.parametrize(("saboteur", "look"), FROM_THE_START, ids=named)
def test_a_leak_that_was_there_from_the_start_is_caught(
    homes: tuple[Path, Path], saboteur: Callable[[Patch], None], look: Look, monkeypatch: Patch
) -> None:
    saboteur(monkeypatch)
    assert differs(homes, look)


@pytest.mark.parametrize("look", list(dict.fromkeys(look for _saboteur, look in FROM_THE_START)), ids=named)
def test_from_the_start_nothing_is_caught(homes: tuple[Path, Path], look: Look) -> None:
    assert not differs(homes, look)


def differs(homes: tuple[Path, Path], look: Look) -> bool:
    with open_to_all(homes[0]) as one, open_to_all(homes[1]) as other:
        found = both((one, other), look)
    return found[0] != found[1]


def test_a_file_that_is_handed_out_is_caught(two: tuple[Service, Service], monkeypatch: Patch) -> None:
    files_are_handed_out(monkeypatch)
    with pytest.raises(AssertionError):
        no_file_is_handed_out(two[1])


def test_an_age_that_any_change_makes_new_is_caught(tmp_path: Path, monkeypatch: Patch) -> None:
    home = at_once(tmp_path)
    monkeypatch.setattr(HomeShelf, "built", lambda self: self._home.current_file.stat().st_mtime)
    before = HomeShelf(home).of(PUBLIC).built()
    take_in(write(tmp_path / "docs", {"styrelse/ny.md": "# Ny\n\nNyheten är hemlig.\n"}), home)
    assert HomeShelf(home).of(PUBLIC).built() != before
