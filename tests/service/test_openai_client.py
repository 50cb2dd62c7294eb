"""The clients that other people use work against a running service: the `openai` package, and an MCP client."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import openai
import pytest
from fastapi import FastAPI
from mcp import Client

from ankare.service.app import create_app
from ankare.service.problem import ProblemError
from ankare.settings import Settings
from tests.service.live import listening
from tests.service.real import build_home, write_documents
from tests.service.scripted import ScriptedEngine, ScriptedShelf

QUESTION: list[Any] = [{"role": "user", "content": "Vem bokar lokalen?"}]
UNKNOWN: list[Any] = [{"role": "user", "content": "Vilken färg har brandbilen?"}]
ANSWER = "Projektledaren bokar lokalen i god tid."


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("live")
    home = build_home(folder / "home", write_documents(folder / "documents"))
    chosen = Settings(home=home, semantic=False, mcp=True, public_url="https://svar.example.org")
    with listening(create_app(chosen, page=False)) as base:
        yield base


@contextmanager
def client_of(base: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{base}/v1", api_key="none", max_retries=0) as client:
        yield client


@pytest.fixture
def client(address: str) -> Iterator[openai.OpenAI]:
    with client_of(address) as opened:
        yield opened


def test_the_models_are_listed(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["ankare", "ankare-extractive"]
    assert client.models.retrieve("ankare").owned_by == "ankare"


def test_an_answer_has_its_citations_in_both_forms(client: openai.OpenAI) -> None:
    answer = client.chat.completions.create(model="ankare", messages=QUESTION, temperature=0.3, seed=7, user="a")
    message = answer.choices[0].message
    assert message.content is not None
    assert message.content.startswith(ANSWER)
    assert message.annotations
    cited = message.annotations[0].url_citation
    assert message.content[cited.start_index : cited.end_index] == f"[[1]]({cited.url})"
    assert cited.url.startswith("https://svar.example.org/sources/")
    assert cited.title.startswith("plan")
    assert answer.usage is not None
    assert answer.usage.total_tokens == 0
    assert answer.model_extra is not None
    assert answer.model_extra["ankare"]["answered"] is True


def test_a_refusal_is_no_error(client: openai.OpenAI) -> None:
    answer = client.chat.completions.create(model="ankare", messages=UNKNOWN, extra_body={"language": "en"})
    assert answer.choices[0].finish_reason == "stop"
    assert answer.model_extra is not None
    assert (answer.model_extra["ankare"]["answered"], answer.model_extra["ankare"]["language"]) == (False, "en")


def test_a_stream_joins_to_the_answer(client: openai.OpenAI) -> None:
    whole = client.chat.completions.create(model="ankare", messages=QUESTION).choices[0].message.content
    chunks = list(
        client.chat.completions.create(
            model="ankare", messages=QUESTION, stream=True, stream_options={"include_usage": True}
        )
    )
    assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices) == whole
    assert chunks[0].choices[0].delta.role == "assistant"
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-2].model_extra is not None
    assert chunks[-2].model_extra["ankare"]["sources"][0]["source"] == "plan.pdf"
    assert chunks[-1].usage is not None
    assert chunks[-1].choices == []


def test_the_accumulating_stream_of_the_package_works(client: openai.OpenAI) -> None:
    with client.chat.completions.stream(model="ankare", messages=QUESTION) as stream:
        for _ in stream:
            pass
        content = stream.get_final_completion().choices[0].message.content
    assert content is not None
    assert content.startswith(ANSWER)


def test_the_asynchronous_client_works(address: str) -> None:
    async def talk() -> tuple[str | None, str]:
        async with openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0) as client:
            whole = await client.chat.completions.create(model="ankare-extractive", messages=QUESTION)
            pieces = []
            async for chunk in await client.chat.completions.create(model="ankare", messages=QUESTION, stream=True):
                pieces += [choice.delta.content or "" for choice in chunk.choices]
            return whole.choices[0].message.content, "".join(pieces)

    whole, joined = anyio.run(talk)
    assert whole == joined


def test_errors_are_those_that_the_package_knows(client: openai.OpenAI) -> None:
    create = client.chat.completions.create
    with pytest.raises(openai.NotFoundError) as missing:
        create(model="gpt-4o", messages=QUESTION)
    assert (missing.value.code, missing.value.param) == ("model_not_found", "model")
    with pytest.raises(openai.BadRequestError) as several:
        create(model="ankare", messages=QUESTION, n=3)
    assert several.value.param == "n"
    with pytest.raises(openai.BadRequestError) as blank:
        create(model="ankare", messages=[{"role": "user", "content": " "}], stream=True)
    assert blank.value.param == "messages.0.content"
    with pytest.raises(openai.NotFoundError):
        client.embeddings.create(model="ankare", input="x")


def overloaded(folder: Path) -> FastAPI:
    return create_app(Settings(home=folder, max_in_flight=1), ScriptedEngine(), ScriptedShelf(folder), page=False)


def test_overload_is_told_with_a_time_to_come_back(tmp_path: Path) -> None:
    app = overloaded(tmp_path)
    with (
        listening(app) as base,
        client_of(base) as client,
        app.state.desk.turnstile,
        pytest.raises(openai.InternalServerError) as busy,
    ):
        client.chat.completions.create(model="ankare", messages=QUESTION)
    assert busy.value.status_code == 503
    assert int(busy.value.response.headers["retry-after"]) >= 1


def test_whoever_goes_away_in_the_middle_of_a_stream_frees_the_place(tmp_path: Path) -> None:
    app, held = overloaded(tmp_path), threading.Event()
    engine = app.state.desk.engine()
    usual = engine.ask

    def slow(question: str, **given: Any) -> Any:
        given["on_step"]("draft")
        held.wait(10)
        return usual(question, **given)

    with listening(app) as base, client_of(base) as client:
        engine.ask = slow
        stream = client.chat.completions.create(model="ankare", messages=QUESTION, stream=True)
        assert next(iter(stream)).choices[0].delta.role == "assistant"
        stream.close()
        held.set()
        engine.ask = usual
        answered = client.with_options(max_retries=8).chat.completions.create(model="ankare", messages=QUESTION)
    assert answered.choices


@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28"])
def test_an_mcp_client_that_goes_away_frees_the_place(tmp_path: Path, version: str) -> None:
    engine, held, begun = ScriptedEngine(), threading.Event(), threading.Event()
    chosen = Settings(home=tmp_path, max_in_flight=1, mcp=True)
    app = create_app(chosen, engine, ScriptedShelf(tmp_path), page=False)
    usual, ended = engine.ask, threading.Event()

    def slow(question: str, **given: Any) -> Any:
        begun.set()
        held.wait(30)
        ended.set()
        return usual(question, **given)

    engine.ask = slow  # type: ignore[method-assign]
    asked = {"name": "ask", "arguments": {"question": "Hej?"}}
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    calling = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {**asked, "_meta": meta}}
    body = json.dumps(calling).encode()
    with listening(app) as base:
        port = int(base.rsplit(":", 1)[1])
        with socket.create_connection(("127.0.0.1", port)) as client:
            lines = (
                "POST /mcp HTTP/1.1",
                "Host: localhost",
                "Content-Type: application/json",
                "Accept: application/json, text/event-stream",
                f"MCP-Protocol-Version: {version}",
                "Mcp-Method: tools/call",
                "Mcp-Name: ask",
                f"Content-Length: {len(body)}",
                "",
                "",
            )
            client.sendall("\r\n".join(lines).encode() + body)
            assert begun.wait(30)
        # The thread is still held; the place at the turnstile must not be.
        place = app.state.desk.turnstile
        for _ in range(300):
            with suppress(ProblemError), place:
                break
            time.sleep(0.1)
        else:
            raise AssertionError("the place is still taken")
        assert not ended.is_set()
        held.set()


def test_an_mcp_client_asks_the_service(address: str) -> None:
    async def talk(mode: str) -> tuple[list[str], str, Any]:
        async with Client(f"{address}/mcp", mode=mode) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            result = await client.call_tool("ask", {"question": "Vem bokar lokalen?"})
            return tools, result.content[0].text, result.structured_content

    for mode in ("legacy", "auto"):
        tools, text, fields = anyio.run(talk, mode)
        assert tools == ["ask", "search", "query_metric"]
        assert text.startswith(ANSWER)
        assert "https://svar.example.org/sources/" in text
        assert fields["answered"] is True
