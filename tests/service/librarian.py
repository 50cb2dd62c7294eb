"""A service with its library open, and somebody with the admin token."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi.testclient import TestClient

from ankare.service.app import create_app
from ankare.settings import Settings
from tests.ingest.making import folder_of

TOKEN = "a-token-for-tests-of-the-library"  # noqa: S105
ADMIN = {"Authorization": f"Bearer {TOKEN}"}
PROFILE = """
[home]
entity = "BOLAG"
[entities.BOLAG]
label = "Bolaget"
[metrics.REVENUE]
label = "Omsättning"
unit = "SEK_M"
"""
FIGURES = "metric,entity,period,value,unit\nREVENUE,BOLAG,2024,{},SEK_M\n"
NOTE = "# {title}\n\n{text}\n"


@dataclass
class Librarian:
    """Somebody who may change what is held."""

    client: TestClient
    home: Path

    def put(self, name: str, content: bytes | str, **query: str) -> Any:
        data = content.encode() if isinstance(content, str) else content
        return self.client.put(f"/api/admin/files/{quote(name, safe='')}", content=data, params=query, headers=ADMIN)

    def get(self, path: str, **query: str) -> Any:
        answer = self.client.get(f"/api/admin/{path}", params=query, headers=ADMIN)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: object = None) -> Any:
        return self.client.post(f"/api/admin/{path}", json=body, headers=ADMIN)

    def delete(self, path: str) -> Any:
        return self.client.delete(f"/api/admin/{path}", headers=ADMIN)

    def done(self, answer: Any) -> dict[str, Any]:
        """The job that an answer tells of, once it is over."""
        assert answer.status_code in (201, 202), answer.text
        return self.over(answer.json()["job"]["id"])

    def over(self, job_id: str) -> dict[str, Any]:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            job: dict[str, Any] = self.get(f"jobs/{job_id}")
            if job["state"] not in ("queued", "running"):
                return job
            time.sleep(0.1)
        raise AssertionError(f"the job is never over: {job}")

    def take_in(self, name: str, content: bytes | str, **query: str) -> dict[str, Any]:
        """Upload a file and wait until it is read; gives what was told of it."""
        job = self.done(self.put(name, content, **query))
        assert job["state"] == "finished", job
        return next(file for file in job["report"]["files"] if file["source"] == name)

    def ask(self, question: str) -> dict[str, Any]:
        answer = self.client.post("/api/ask", json={"question": question})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def sources(self) -> list[str]:
        return [document["source"] for document in self.get("documents")["documents"]]

    def on_disk(self) -> list[str]:
        """Every file below the library's folder, but its lock."""
        folder = self.home / "library"
        return sorted(
            str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.name != ".lock"
        )


def pack_of(folder: Path) -> Path:
    """A pack with a profile and one document."""
    return folder_of(
        folder, {"profile.toml": PROFILE, "documents/drift.md": "# Drift\n\nDriften ska testas varje vecka.\n"}
    )


@contextmanager
def opened(home: Path, **settings: Any) -> Iterator[Librarian]:
    """A service over a home, with the admin token."""
    chosen = Settings(home=home, semantic=False, **{"admin_token": TOKEN, **settings})
    with TestClient(create_app(chosen, page=False), raise_server_exceptions=False) as client:
        yield Librarian(client, home)
