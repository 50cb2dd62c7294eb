"""Programs that speak MCP get the answers of the API: gated, with citations, within the caller's access, and never a fault."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from fastapi.testclient import TestClient
from jsonschema import validate
from mcp import Client, MCPError
from mcp.types import CallToolResult, TextContent

from ankare._version import __version__
from ankare.domain.access import PUBLIC, Access
from ankare.errors import HomeMissingError, MissingExtraError
from ankare.facts.sqlite import SqliteFactStore
from ankare.profile.load import parse_profile
from ankare.service.app import create_app
from ankare.service.caller import Caller
from ankare.service.crew import Crew
from ankare.service.desk import Desk
from ankare.service.door.keys import add_key
from ankare.service.mcp import mount as mcp_mount
from ankare.service.mcp.mount import allowed
from ankare.service.mcp.server import make_server
from ankare.settings import Settings
from ankare.structured.metric_query import MetricQuery, MetricReply, query_metric
from tests.service.scripted import ScriptedEngine, ScriptedShelf, make_chunk
from tests.structured.conftest import FACTS, PROFILE

QUESTION = "Vilka etapper finns?"


class FigureEngine(ScriptedEngine):
    """Looks figures up in a store that a test gives it."""

    store: Any = None
    seen: Access | None = None

    def query_metric(self, query: MetricQuery, *, access: Access = PUBLIC) -> MetricReply | None:
        self.seen = access
        return None if self.store is None else query_metric(self.store, self.store.profile, query)


def talk(desk: Desk, conversation: Callable[[Client], Awaitable[Any]], caller: Caller | None = None) -> Any:
    """Have a conversation with the server over `desk`, in this process; an error of the protocol is given back."""
    crew = Crew(2)

    async def held() -> Any:
        async with Client(make_server(desk, crew, crew, lambda _: caller or Caller("a key"))) as client:
            try:
                return await conversation(client)
            except MCPError as error:
                return error

    try:
        return anyio.run(held)
    finally:
        crew.close()


def call(desk: Desk, tool: str, arguments: dict[str, Any], caller: Caller | None = None) -> CallToolResult:
    """One call of a tool."""

    async def once(client: Client) -> Any:
        return await client.call_tool(tool, arguments)

    result = talk(desk, once, caller)
    assert isinstance(result, CallToolResult)
    return result


def text_of(result: CallToolResult) -> str:
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return desk_over(tmp_path, FigureEngine())


def desk_over(folder: Path, engine: Any, **chosen: Any) -> Desk:
    settings = Settings(home=folder, log_dir=folder / "log", **chosen)
    return Desk(settings, ScriptedShelf(folder), lambda: engine, engine)


def test_every_tool_only_reads_and_takes_no_path_or_address(desk: Desk) -> None:
    tools = talk(desk, lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == ["ask", "search", "query_metric"]
    for tool in tools:
        assert tool.annotations.read_only_hint is True
        assert tool.annotations.open_world_hint is False
        assert tool.input_schema["additionalProperties"] is False
        assert not {"path", "url", "file", "model", "home"} & set(tool.input_schema["properties"])
        assert tool.output_schema["type"] == "object"


def test_an_answer_is_text_with_citations_and_fields_that_fit_the_schema(desk: Desk) -> None:
    result = call(desk, "ask", {"question": QUESTION})
    assert not result.is_error
    fields = result.structured_content
    assert text_of(result) == fields["answer_markdown"]
    assert "[[1]](/sources/" in text_of(result)
    assert fields["sources"][0]["resource"].startswith("ankare://sources/")
    schemas = {tool.name: tool.output_schema for tool in talk(desk, lambda client: client.list_tools()).tools}
    validate(fields, schemas["ask"])
    validate(call(desk, "search", {"query": "etapper"}).structured_content, schemas["search"])


def test_a_refusal_is_a_result_without_sources(desk: Desk) -> None:
    result = call(desk, "ask", {"question": "Det saknas"})
    assert not result.is_error
    assert (result.structured_content["answered"], result.structured_content["sources"]) == (False, [])


def test_a_question_is_logged_as_one_of_this_channel(desk: Desk, tmp_path: Path) -> None:
    answer_id = call(desk, "ask", {"question": QUESTION}).structured_content["answer_id"]
    line = json.loads((tmp_path / "log" / "usage.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert (line["channel"], line["answer_id"]) == ("mcp", answer_id)


MISUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "a misspelt name": ("ask", {"questio": "x"}, "question"),
    "one name too many": ("ask", {"question": "x?", "home": "/etc"}, "home"),
    "blank": ("ask", {"question": " \u200b"}, "blank"),
    "too long": ("ask", {"question": "x" * 5000}, "too many"),
    "a number": ("ask", {"question": 5}, "question"),
    "no date": ("ask", {"question": "x?", "reference_date": "nyss"}, "reference_date"),
    "an unaccepted language": ("ask", {"question": "x?", "language": "xx"}, "language"),
    "too many hits": ("search", {"query": "x", "top_k": 1000}, "top_k"),
    "a blank query": ("search", {"query": " "}, "blank"),
    "no period": ("query_metric", {"metric": "REVENUE"}, "period"),
    "no figures": ("query_metric", {"metric": "REVENUE", "period": "2024"}, "inga siffror"),
}


@pytest.mark.parametrize(("tool", "arguments", "told"), MISUSED.values(), ids=MISUSED.keys())
def test_a_misuse_is_told_in_the_result(desk: Desk, tool: str, arguments: dict[str, Any], told: str) -> None:
    result = call(desk, tool, arguments)
    assert result.is_error
    assert told in text_of(result)


def test_an_unknown_tool_is_an_error_of_the_protocol(desk: Desk) -> None:
    error = talk(desk, lambda client: client.call_tool("delete", {}))
    assert isinstance(error, MCPError)
    assert "no tool 'delete'" in str(error)


@pytest.mark.parametrize(
    ("error", "told"),
    [(RuntimeError("secret"), "a fault in the service"), (HomeMissingError("Nothing in /secret."), "ankare ingest")],
)
def test_a_fault_is_told_without_inner_details(tmp_path: Path, error: Exception, told: str) -> None:
    class Faulty(ScriptedEngine):
        def ask(self, question: str, **given: Any) -> Any:
            raise error

    result = call(desk_over(tmp_path, Faulty()), "ask", {"question": "Hej?"})
    assert result.is_error
    assert told in text_of(result)
    assert "secret" not in text_of(result)


def test_too_many_at_once_are_turned_away(tmp_path: Path) -> None:
    desk = desk_over(tmp_path, ScriptedEngine(), max_in_flight=1)
    with desk.turnstile:
        assert "Too many" in text_of(call(desk, "ask", {"question": QUESTION}))
    assert not call(desk, "ask", {"question": QUESTION}).is_error


def test_every_tool_sees_what_its_caller_may_see(tmp_path: Path) -> None:
    seen: list[Access] = []

    class Watching(FigureEngine):
        def ask(self, question: str, **given: Any) -> Any:
            seen.append(given["access"])
            return super().ask(question, **given)

        def search(self, query: str, **given: Any) -> Any:
            seen.append(given["access"])
            return super().search(query, **given)

    engine, caller = Watching(), Caller("a key", Access(frozenset({"board"})))
    desk = desk_over(tmp_path, engine)
    call(desk, "ask", {"question": QUESTION}, caller)
    call(desk, "search", {"query": "etapper"}, caller)
    call(desk, "query_metric", {"metric": "x", "period": "2024"}, caller)
    assert {*seen, engine.seen} == {caller.access}


def test_places_are_told_in_the_language_of_the_house(tmp_path: Path) -> None:
    """A page by its word, a row of a file as the page tells it, and of a format without pages none."""
    engine = FigureEngine((make_chunk(), make_chunk(source="råd.md")))
    profile = parse_profile(PROFILE.encode())
    engine.store = SqliteFactStore(":memory:", profile)
    engine.store.init_schema()
    engine.store.add_facts([replace(FACTS[0], source_doc_id="tal.csv", source_locator="row 4")])
    desk, fact = desk_over(tmp_path, engine), FACTS[0]
    found = text_of(call(desk, "search", {"query": "etapper"}))
    assert "1. plan å.pdf, s. 1\n" in found
    assert "2. råd.md\n" in found
    asked = {"metric": fact.metric_code, "period": fact.period, "entity": fact.entity}
    result = call(desk, "query_metric", asked)
    assert "tal.csv, rad 4" in text_of(result)
    assert result.structured_content["source"]["locator"] == "row 4"
    engine.store.close()


def test_a_cited_document_can_be_read_and_nothing_else(desk: Desk) -> None:
    uri = call(desk, "ask", {"question": QUESTION}).structured_content["sources"][0]["resource"]
    contents = talk(desk, lambda client: client.read_resource(uri)).contents
    assert contents[0].text.startswith("# Plan")
    for other in ("ankare://sources/nothing", "ankare://sources/../x", "file:///etc/passwd", "https://example.org"):
        error = talk(desk, lambda client, other=other: client.read_resource(other))
        assert isinstance(error, MCPError)
        assert "no such source" in str(error)


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
SPOKEN = {"Accept": "application/json, text/event-stream"}


def mounted(folder: Path, **chosen: Any) -> TestClient:
    settings = Settings(home=folder, mcp=True, **chosen)
    app = create_app(settings, ScriptedEngine(), ScriptedShelf(folder, (make_chunk(),)), page=False)
    return TestClient(app, base_url="http://localhost:7860")


def test_it_is_not_there_until_it_is_switched_on(tmp_path: Path) -> None:
    app = create_app(Settings(home=tmp_path), ScriptedEngine(), ScriptedShelf(tmp_path), page=False)
    assert TestClient(app).post("/mcp", json=INITIALIZE).status_code == 404


def test_without_the_extra_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_mount, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"ankare\[mcp\]"):
        mounted(tmp_path)


def test_who_does_not_serve_it_does_not_load_it() -> None:
    code = "import sys, ankare.service.app, ankare.cli.mcp; sys.exit('mcp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_service_speaks_json_without_sessions(tmp_path: Path) -> None:
    with mounted(tmp_path, revision="4f2a91c") as client:
        answer = client.post("/mcp", json=INITIALIZE, headers=SPOKEN)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/json"
        assert "mcp-session-id" not in answer.headers
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.json()["result"]["serverInfo"]["name"] == "ankare"
        assert answer.json()["result"]["serverInfo"]["version"] == f"{__version__}+4f2a91c"
        assert client.get("/mcp", headers=SPOKEN).status_code == 405


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "localhost.evil.example:7860"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Host": "svar.example.org"}, 200),
        ({"Host": "svar.example.org", "Origin": "https://svar.example.org"}, 200),
        ({"Host": "ankare:7860"}, 200),
        ({"Host": "127.0.0.1:9999"}, 200),
    ],
)
def test_a_name_that_is_not_ours_is_turned_away(tmp_path: Path, headers: dict[str, str], status: int) -> None:
    with mounted(tmp_path, public_url="https://svar.example.org/a", mcp_allowed_hosts="ankare:7860") as client:
        assert client.post("/mcp", json=INITIALIZE, headers={**SPOKEN, **headers}).status_code == status


def test_a_key_opens_it_and_what_its_holder_may_read(tmp_path: Path) -> None:
    _, sent = add_key(tmp_path, "board", ["board"])
    calling = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "query_metric", "arguments": {"metric": "x", "period": "2024"}},
    }
    with mounted(tmp_path, api_keys="required") as client:
        engine = FigureEngine()
        client.app.state.desk._engine = engine  # type: ignore[attr-defined]
        assert client.post("/mcp", json=calling, headers=SPOKEN).status_code == 401
        assert engine.seen is None
        answer = client.post("/mcp", json=calling, headers={**SPOKEN, "Authorization": f"Bearer {sent}"})
        assert answer.status_code == 200
        assert engine.seen == Access(frozenset({"board"}))


def test_without_a_public_address_only_this_machine_is_named() -> None:
    hosts, origins = allowed(Settings(host="0.0.0.0", port=7860))  # noqa: S104 - nothing listens here
    assert "" not in hosts
    assert all("localhost" in origin or "127.0.0.1" in origin or "[::1]" in origin for origin in origins)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"jsonrpc": "2.0"}', b"\xff", b'{"a":' * 3000])
def test_no_body_whatever_is_a_fault(tmp_path: Path, body: bytes) -> None:
    with mounted(tmp_path) as client:
        headers = {**SPOKEN, "Content-Type": "application/json"}
        assert client.post("/mcp", content=body, headers=headers).status_code in range(200, 500)
