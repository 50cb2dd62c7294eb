"""`ankare mcp`: another program on this machine asks over standard input, or at an address; nothing else reaches the line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client, MCPError, StdioServerParameters

from ankare.ingest.chunk import document_id
from tests.cli.test_asking import run
from tests.cli.test_serving import PATIENCE, end, free_port
from tests.service.real import build_home, write_documents

pytestmark = pytest.mark.slow
COMMAND = ["-c", "from ankare.cli.main import run; run()", "mcp"]
ENVIRONMENT = {**os.environ, "ANKARE_SEMANTIC": "false"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mcp")
    return build_home(folder / "home", write_documents(folder / "documents"))


def conversation(server: Any) -> dict[str, Any]:
    """What a client gets of each tool."""

    async def talk() -> dict[str, Any]:
        async with Client(server, read_timeout_seconds=PATIENCE) as client:
            found = {"tools": [tool.name for tool in (await client.list_tools()).tools]}
            for name, tool, arguments in (
                ("answer", "ask", {"question": "Vem bokar lokalen?"}),
                ("refusal", "ask", {"question": "Vilken färg har brandbilen?"}),
                ("hits", "search", {"query": "styrgruppen", "top_k": 1}),
                ("figure", "query_metric", {"metric": "x", "period": "2024"}),
            ):
                found[name] = await client.call_tool(tool, arguments)
            uri = found["answer"].structured_content["sources"][0]["resource"]
            found["document"] = (await client.read_resource(uri)).contents[0].text
            return found

    return anyio.run(talk)


def check(found: dict[str, Any]) -> None:
    assert found["tools"] == ["ask", "search", "query_metric"]
    answer = found["answer"]
    assert "Projektledaren bokar lokalen" in answer.content[0].text
    assert (answer.structured_content["answered"], answer.structured_content["sources"][0]["pages"]) == (True, [1])
    assert found["refusal"].structured_content["answered"] is False
    assert len(found["hits"].structured_content["hits"]) == 1
    assert found["figure"].is_error
    assert "Arkivet flyttas i maj." in found["document"]


def test_a_client_asks_over_standard_input(home: Path) -> None:
    arguments = [*COMMAND, "--home", str(home)]
    check(conversation(StdioServerParameters(command=sys.executable, args=arguments, env=ENVIRONMENT)))


def test_nothing_but_the_protocol_goes_to_standard_output(tmp_path: Path) -> None:
    asked = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "ask", "arguments": {"question": "Vem?"}},
    }
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    lines = [json.dumps(line) for line in (INITIALIZE, ready, asked)]
    command = [sys.executable, *COMMAND, "--home", str(tmp_path / "nothing")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n".join([*lines, "not a message", ""]))
        process.stdin.flush()
        told = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        rest = process.stdout.read()
        assert process.wait(PATIENCE) == 0
    assert [message["id"] for message in told] == [1, 2]
    assert told[1]["result"]["isError"] is True
    assert "ankare ingest" in told[1]["result"]["content"][0]["text"]
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())


@contextmanager
def listening(home: Path) -> Iterator[str]:
    address = f"127.0.0.1:{free_port()}"
    command = [sys.executable, *COMMAND, "--home", str(home), "--http", address]
    process = subprocess.Popen(command, env=ENVIRONMENT)
    try:
        while process.poll() is None:
            try:
                httpx.get(f"http://{address}/", timeout=PATIENCE)
                break
            except httpx.HTTPError:
                continue
        yield f"http://{address}/mcp"
    finally:
        end(process)


def test_a_client_asks_at_an_address_of_this_machine(home: Path) -> None:
    with listening(home) as address:
        check(conversation(address))
        headers = {"Accept": "application/json, text/event-stream", "Host": "evil.example"}
        assert httpx.post(address, json=INITIALIZE, headers=headers).status_code == 421


READERS = {
    "everything": [],
    "its label": ["--as-label", "board"],
    "another": ["--as-label", "legal"],
    "none": ["--as-public"],
}


@pytest.mark.parametrize("options", READERS.values(), ids=READERS.keys())
def test_a_document_is_there_only_for_who_may_read_it(tmp_path: Path, options: list[str]) -> None:
    documents = write_documents(tmp_path / "documents")
    (documents / "secret").mkdir()
    (documents / "secret" / "access.toml").write_text('label = "board"\n', encoding="utf-8")
    (documents / "secret" / "hemligt.md").write_text("# Lön\n\nDirektörens lön är nittio öre.\n", encoding="utf-8")
    home = build_home(tmp_path / "home", documents)
    may = options in ([], ["--as-label", "board"])

    async def talk() -> tuple[Any, Any, Any]:
        command = [*COMMAND, "--home", str(home), *options]
        server = StdioServerParameters(command=sys.executable, args=command, env=ENVIRONMENT)
        async with Client(server, read_timeout_seconds=PATIENCE) as client:
            answer = await client.call_tool("ask", {"question": "Vad är direktörens lön?"})
            hits = await client.call_tool("search", {"query": "direktörens lön", "top_k": 50})
            try:
                document = await client.read_resource(f"ankare://sources/{document_id('secret/hemligt.md')}")
            except MCPError as error:
                document = error
            return answer, hits, document

    answer, hits, document = anyio.run(talk)
    assert answer.structured_content["answered"] is may
    for told in (answer, hits, document):
        assert ("nittio" in repr(told)) is may
        assert ("hemligt" in repr(told)) is may or told is document


def test_what_is_no_label_is_told(tmp_path: Path) -> None:
    done = run("mcp", "--as-label", "a label", "--home", str(tmp_path))
    assert done.returncode == 2
    assert "--as-label" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("place", ["0.0.0.0:8000", "example.org:80", "8000", "127.0.0.1:x", "127.0.0.1:99999"])
def test_only_this_machine_is_served(place: str, tmp_path: Path) -> None:
    done = run("mcp", "--http", place, "--home", str(tmp_path))
    assert done.returncode == 2
    assert "ANKARE_MCP=true" in done.stderr
    assert "Traceback" not in done.stderr
