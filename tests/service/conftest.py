from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from ankare.domain.document import Chunk
from ankare.service.app import create_app
from ankare.settings import Settings
from tests.service.scripted import HOSTILE, ScriptedEngine, ScriptedShelf, make_chunk


@dataclass
class Service:
    """A running app over scripted documents."""

    client: TestClient
    app: FastAPI
    engine: ScriptedEngine
    shelf: ScriptedShelf
    chunks: tuple[Chunk, ...]


@pytest.fixture
def chunks() -> tuple[Chunk, ...]:
    return (
        make_chunk(),
        make_chunk(HOSTILE, source='under mapp/el"ak ;å.html', title="Elak <b>titel</b>"),
        make_chunk("Roller finns. Slut.", source="roller.docx"),
    )


@pytest.fixture
def service(tmp_path: Path, chunks: tuple[Chunk, ...]) -> Iterator[Service]:
    engine, shelf = ScriptedEngine(chunks), ScriptedShelf(tmp_path, chunks)
    settings = Settings(home=tmp_path, revision="abc123", max_question_chars=2000, log_dir=tmp_path / "log")
    app = create_app(settings, engine, shelf, page=False)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield Service(client, app, engine, shelf, chunks)
