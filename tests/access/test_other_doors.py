"""A secret shows through no door: streams, chats, MCP, the page, Gradio's call, feedback, the library, operation."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import formatdate
from pathlib import Path

import anyio
import pytest
from mcp import Client, MCPError

from ankare.cli import mcp as cli_mcp
from ankare.domain.access import OWNER, PUBLIC, Access
from ankare.service.crew import Crew
from ankare.service.shelf import HomeShelf
from ankare.settings import Settings
from tests.access import other_doors as doors
from tests.access.seen import read
from tests.access.test_not_there import UNLABELLED_BOARD, ids
from tests.access.world import (
    BOARD_FILES,
    DRIFT,
    MOTEN,
    PUBLIC_FILES,
    QUESTIONS,
    WAYS,
    Reader,
    Service,
    at_once,
    built,
    serving,
    take_in,
    write,
)

ASKED = QUESTIONS[::4]
Door = Callable[[Reader], list[object]]


@dataclass(frozen=True)
class Doors:
    """Every door by its name, as a function of who comes to it. `documents`: each with a chunk of it."""

    documents: list[tuple[str, str]]

    @classmethod
    def to(cls, *homes: Path) -> Doors:
        """The doors to all that some homes hold."""
        return cls(ids(*homes))

    def all(self) -> dict[str, Door]:
        return {
            "streams": lambda reader: [doors.streamed(reader, question) for question in ASKED],
            "the page": lambda reader: [doors.on_the_page(reader, question) for question in ASKED],
            "chats": doors.chatted,
            "MCP": lambda reader: doors.told_to_programs(reader, ASKED, self.documents),
            "what stands there": doors.standing,
            "the library": lambda reader: doors.turned_away(reader, self.documents),
            "feedback": lambda reader: doors.thanked(reader, ["0" * 32]),
            "measures": doors.measured,
        }

    def seen(self, reader: Reader, *names: str) -> dict[str, list[object]]:
        """What a reader sees who comes to one after the other; without names to all."""
        return {name: door(reader) for name, door in self.all().items() if not names or name in names}


@contextmanager
def open_to_all(home: Path) -> Iterator[Service]:
    """A service with every door that there is."""
    tokens = {"admin_token": "a-token-for-the-library", "metrics_token": doors.METRICS_TOKEN}
    with serving(home, page=True, mcp=True, **tokens) as service:
        yield service


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that never held a secret."""
    return built(tmp_path_factory.mktemp("plain"), PUBLIC_FILES)


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with secrets of two labels."""
    return at_once(tmp_path_factory.mktemp("secret"))


@pytest.fixture(scope="module")
def through(plain: Path, secret: Path) -> Doors:
    """The doors to all that both homes hold."""
    return Doors.to(plain, secret)


KEYED = ("what stands there", "chats", "the library", "measures")
"""Where a key is looked at in another way."""
Seen = dict[str, list[object]]


@pytest.fixture(scope="module")
def expected(plain: Path, through: Doors) -> tuple[Seen, Seen]:
    """What a reader without a key sees of the home without secrets, and then one whose key opens nothing."""
    with open_to_all(plain) as service:
        return through.seen(service.reader()), through.seen(service.reader("nobody"), *KEYED)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_no_door_shows_a_secret(
    tmp_path: Path, way: Callable[[Path], Path], through: Doors, expected: tuple[Seen, Seen]
) -> None:
    with open_to_all(way(tmp_path)) as service:
        assert differing(through.seen(service.reader()), expected[0]) == []
        assert differing(through.seen(service.reader("nobody"), *KEYED), expected[1]) == []


def differing(one: Seen, other: Seen) -> list[str]:
    assert one.keys() == other.keys()
    return [name for name in one if one[name] != other[name]]


@pytest.fixture(scope="module")
def service(secret: Path) -> Iterator[Service]:
    with open_to_all(secret) as service:
        yield service


def test_nothing_is_left_of_what_another_reader_asked(
    service: Service, through: Doors, expected: tuple[Seen, Seen]
) -> None:
    """Whoever may see the secrets asks through every door first; caches and sessions are those of one process."""
    names = [name for name in through.all() if name != "measures"]
    assert "konvertibler" in repr(through.seen(service.reader("board", "legal"), *names))
    assert differing(through.seen(service.reader(), *names), {name: expected[0][name] for name in names}) == []


def test_the_secrets_are_there_through_each_door_that_answers(service: Service, through: Doors) -> None:
    """What the comparison looks at holds the secret, where it may be seen."""
    board = service.reader("board")
    question = "Hur finansieras uppköpet av Zirkonbolaget?"
    for told in (doors.streamed(board, question), doors.on_the_page(board, question)):
        assert "konvertibler" in repr(told)
    told = doors.told_to_programs(board, [question], through.documents)
    assert "konvertibler" in repr(told) and "1500" in repr(told)
    assert "Projekt Nordstjärnan" in repr(told[-len(through.documents) :])
    assert "1 500" in repr(doors.chatted(board)).replace("\\xa0", " ")


def test_thanks_for_feedback_do_not_tell_which_answers_there_are(service: Service) -> None:
    board, reader = service.reader("board"), service.reader()
    answer = str(board.ask("Hur finansieras uppköpet av Zirkonbolaget?")["answer_id"])
    assert doors.thanked(reader, [answer]) == doors.thanked(reader, ["0" * 32])


@pytest.mark.parametrize(("labels", "statuses"), [((), {401, 303}), (("board",), {403}), (("nobody",), {403})])
def test_the_library_says_no_in_one_way(
    service: Service, through: Doors, labels: tuple[str, ...], statuses: set[int]
) -> None:
    """Usage, feedback, documents and jobs, by any id: what a reader's key sees of them is that it may not."""
    told = doors.turned_away(service.reader(*labels), through.documents)
    assert {answer[0] for _way, answer in told} == statuses  # type: ignore[misc, has-type]


def test_no_file_of_the_home_is_handed_out(service: Service) -> None:
    no_file_is_handed_out(service)


def no_file_is_handed_out(service: Service) -> None:
    """A file that is there is the same as one that is not, by whatever address."""
    reader = service.reader()
    held = [*sorted((service.home / "originals").iterdir())[:4], service.home / "keys.json", service.home / "facts.db"]
    assert all(path.is_file() for path in held if path.name != "keys.json")
    there = doors.fetched(reader, [str(path) for path in held])
    assert there == doors.fetched(reader, [str(path.with_name("0" * len(path.name))) for path in held])


def test_a_reader_with_a_label_sees_a_home_of_what_it_opens(tmp_path: Path, service: Service) -> None:
    home = built(tmp_path, PUBLIC_FILES, UNLABELLED_BOARD)
    names, same = ("streams", "the page", "chats", "MCP"), Doors.to(home, service.home)
    with open_to_all(home) as other:
        assert differing(same.seen(service.reader("board"), *names), same.seen(other.reader(), *names)) == []


def test_the_age_of_the_index_is_that_of_what_is_seen(tmp_path: Path) -> None:
    home = at_once(tmp_path)
    shelf = HomeShelf(home)
    before = shelf.of(PUBLIC).built()
    assert before > 0
    take_in(write(tmp_path / "docs", {"styrelse/ny.md": "# Ny\n\nNyheten är hemlig.\n"}), home)
    assert shelf.of(PUBLIC).built() == before < shelf.of(OWNER).built()


def test_the_time_of_a_source_does_not_tell_of_a_secret_copy(tmp_path: Path) -> None:
    """The same bytes lay in the home under a label, and get a public name later."""
    docs = write(tmp_path / "docs", {"dold/access.toml": 'label = "board"', "dold/plan.md": DRIFT, "moten.md": MOTEN})
    home = take_in(docs, tmp_path / "home")
    for original in home.originals.iterdir():
        os.utime(original, (1e9, 1e9))
    take_in(write(docs, {"plan.md": DRIFT}), home.path)
    shelf = HomeShelf(home.path).of(PUBLIC)
    with open_to_all(home.path) as service:
        for document in (one for one in home.open_current().documents.values() if not one.access):
            headers = service.reader().open("GET", f"/sources/{document.id}").headers
            assert (headers["etag"], headers["last-modified"]) == (
                f'"{document.sha256}"',
                formatdate(shelf.built(), usegmt=True),
            )


def test_a_home_of_secrets_alone_is_an_empty_one(tmp_path: Path) -> None:
    """To its readers without a label; that there is an index is no secret."""
    empty = write(tmp_path / "a" / "docs", PUBLIC_FILES)
    take_in(empty, tmp_path / "a" / "home")
    for name in PUBLIC_FILES:
        (empty / name).unlink()
    take_in(empty, tmp_path / "a" / "home")
    hidden = built(tmp_path / "b", BOARD_FILES)
    same = Doors.to(hidden)
    with open_to_all(tmp_path / "a" / "home") as one, open_to_all(hidden) as other:
        names = ("streams", "MCP", "what stands there", "the library", "measures")
        assert differing(same.seen(one.reader(), *names), same.seen(other.reader(), *names)) == []


# `ankare mcp`, which serves one reader of this machine.


def conversation(home: Path, access: Access, through: Doors) -> list[object]:
    """All that a program gets of `ankare mcp` with the eyes of a reader, as the server in it says it."""
    crew = Crew(1)

    async def talk() -> list[object]:
        settings = Settings(home=home, semantic=False, revision="r1")
        async with Client(cli_mcp._server(settings, access, crew, crew)) as client:
            told: list[object] = [await client.list_tools(), await client.list_resources()]
            for question in (*ASKED[:4], *ASKED[-4:]):
                told.append(await client.call_tool("ask", {"question": question, "reference_date": doors.DAY}))
                told.append(await client.call_tool("search", {"query": question}))
            told += [await client.call_tool("query_metric", dict(figure)) for figure in doors.FIGURES]
            told += [await text_of(client, document) for document, _chunk in through.documents]
            return told

    try:
        return [read(str(one)) for one in anyio.run(talk)]
    finally:
        crew.close()


async def text_of(client: Client, document: str) -> object:
    try:
        return await client.read_resource(f"ankare://sources/{document}")
    except MCPError as error:
        return error


def test_a_program_that_reads_as_the_public_sees_no_secret(plain: Path, secret: Path, through: Doors) -> None:
    assert conversation(plain, PUBLIC, through) == conversation(secret, PUBLIC, through)
    assert "1500" in repr(conversation(secret, OWNER, through))
