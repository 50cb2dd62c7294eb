"""A service with keys, and somebody in front of its doors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient

from ankare.domain.access import OWNER, Access
from ankare.domain.reply import Reply
from ankare.service.app import create_app
from ankare.service.door.keys import add_key
from ankare.settings import Settings
from tests.service.scripted import ScriptedEngine, ScriptedShelf

TOKEN = "the-token-of-the-administrator"  # noqa: S105
QUESTION = {"question": "Vilka etapper finns?"}
ADDRESS = "203.0.113.7"


@dataclass
class SeenEngine(ScriptedEngine):
    """Remembers for whom it answered."""

    readers: list[Access] = field(default_factory=list)

    def ask(self, question: str, *, access: Access = OWNER, **given: Any) -> Reply:
        self.readers.append(access)
        return super().ask(question, access=access, **given)


@dataclass
class Doors:
    """A running service and what leads into it."""

    app: FastAPI
    engine: SeenEngine
    home: Path
    client: TestClient

    def key(self, name: str = "Anna", **given: Any) -> str:
        """A new key, as its holder sends it."""
        return add_key(self.home, name, **given)[1]

    def ask(self, key: str = "", **headers: str) -> Any:
        """A question, with a key or without."""
        sent = {"Authorization": f"Bearer {key}"} if key else {}
        return self.client.post("/api/ask", json=QUESTION, headers={**sent, **headers})

    def at(self, address: str) -> TestClient:
        """A client at another address."""
        return TestClient(self.app, raise_server_exceptions=False, client=(address, 40_000), follow_redirects=False)


@contextmanager
def doors(home: Path, *, page: bool = False, **settings: Any) -> Iterator[Doors]:
    """A service in front of a client that has no key yet."""
    home.mkdir(parents=True, exist_ok=True)
    engine = SeenEngine()
    app = create_app(Settings(home=home, **settings), engine, ScriptedShelf(home), page=page)
    client = TestClient(app, raise_server_exceptions=False, client=(ADDRESS, 40_000), follow_redirects=False)
    with client:
        yield Doors(app, engine, home, client)


YESTERDAY = date(2020, 1, 1)
