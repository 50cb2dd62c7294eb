"""Writes src/ankare/service/api/openapi_examples.json: what the service answers over the sample pack, shortened.

    python -m tests.service.make_openapi_examples

`tests/service/test_openapi.py` says when it is to be written anew.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

import ankare.service.api
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.sample import pack_path
from ankare.service.app import create_app
from ankare.settings import Settings

FILE = Path(ankare.service.api.__file__).with_name("openapi_examples.json")
ASK = {"question": "Vem fattar gallringsbeslutet?"}
CHAT = {"model": "ankare", "messages": [{"role": "user", "content": ASK["question"]}]}
CALLS: tuple[tuple[str, str, dict[str, Any] | None], ...] = (
    ("POST", "/api/ask", ASK),
    ("POST", "/api/search", {"query": "styrgrupp", "top_k": 2}),
    (
        "POST",
        "/api/understand",
        {"previous": "Vad var omsättningen 2024?", "question": "och 2023?", "reference_date": "2025-05-20"},
    ),
    ("POST", "/v1/chat/completions", CHAT),
    ("GET", "/v1/models", None),
    ("GET", "/v1/models/ankare", None),
    ("GET", "/health", None),
    ("GET", "/ready", None),
)
ALIKE: dict[str, Any] = {
    "answer_id": "5a0b7c1de2f34968a1b2c3d4e5f60718",
    "id": "chatcmpl-7d1f0c2b9e8a4f5c8b6a1d2e3f405162",
    "created": 1_764_500_000,
    "timing_ms": 4.2,
    "timings_ms": {"interpret": 0.5, "retrieve": 1.6, "gate": 0.1, "answer": 1.1},
    "revision": "1a2b3c4",
    "started": "2026-01-01T00:00:00Z",
}
SHORT = {"top_results": 1, "hits": 1, "claims": 2, "boxes": 1}


@contextmanager
def sample_service(**chosen: Any) -> Iterator[TestClient]:
    """A client of the service over the sample pack."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        ingest([], Home(home), pack=pack_path(), workers=1)
        app = create_app(Settings(home=home, semantic=False, **chosen), page=False)
        with TestClient(app, raise_server_exceptions=False) as client:
            app.state.desk.engine()
            yield client


def answers(client: TestClient) -> dict[str, Any]:
    """What the service answers, by "METHOD path" as the document names it."""
    found = {}
    for method, path, body in CALLS:
        answer = client.request(method, path, json=body)
        assert answer.status_code == 200, answer.text
        found[f"{method} {'/v1/models/{model}' if path.startswith('/v1/models/') else path}"] = answer.json()
    return found


def shortened(value: Any) -> Any:
    """The answer with few of what it has many of, and nothing in it that is different each time."""
    if isinstance(value, list):
        return [shortened(item) for item in value]
    if not isinstance(value, dict):
        return value
    told = {}
    for name, item in value.items():
        item = item[: SHORT[name]] if name in SHORT and isinstance(item, list) else item
        told[name] = ALIKE[name] if name in ALIKE and isinstance(item, type(ALIKE[name])) and item else shortened(item)
        if name == "text" and isinstance(item, str) and len(item) > 160:
            told[name] = item[:160] + " …"
    return told


def main() -> None:
    """Write the file."""
    with sample_service() as client:
        found = {call: {"200": shortened(answer)} for call, answer in answers(client).items()}
    FILE.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
