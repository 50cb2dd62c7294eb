"""From ingested files to an answer over HTTP with its page marked, also while the index is replaced."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from PIL import Image

from ankare.service.app import create_app
from ankare.settings import Settings
from tests.service.odd_questions import ODD
from tests.service.real import build_home, write_documents


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "documents")


@pytest.fixture
def home(tmp_path: Path, documents: Path) -> Path:
    return build_home(tmp_path / "home", documents)


@pytest.fixture
def client(home: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(home=home, semantic=False), page=False)) as client:
        yield client


def ask(client: TestClient, question: str) -> dict[str, object]:
    answer = client.post("/api/ask", json={"question": question})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_an_answer_stands_on_a_page_that_can_be_seen(client: TestClient) -> None:
    body = ask(client, "Vem bokar lokalen?")
    assert "Projektledaren bokar lokalen" in str(body["answer_markdown"])
    source = body["sources"][0]  # type: ignore[index]
    assert (source["source"], source["pages"]) == ("plan.pdf", [1])
    assert client.get(source["url"].split("#")[0]).content.startswith(b"%PDF")
    marked = Image.open(io.BytesIO(client.get(source["page_image"]).content)).convert("RGB")
    plain = Image.open(io.BytesIO(client.get(source["page_image"].split("?")[0]).content)).convert("RGB")
    assert marked.size == plain.size
    assert marked.tobytes() != plain.tobytes()


def test_a_source_is_named_with_the_version_from_its_metadata(client: TestClient, home: Path, documents: Path) -> None:
    (documents / "plan.pdf.meta.toml").write_text('title = "Plan"\nversion = "2.0"\n', encoding="utf-8")
    build_home(home, documents)
    assert "[Plan, version 2.0, s. 1" in str(ask(client, "Vem bokar lokalen?")["answer_markdown"])


def test_what_the_documents_do_not_say_is_refused(client: TestClient) -> None:
    body = ask(client, "Vilken färg har brandbilen?")
    assert (body["answered"], body["sources"], body["homepage_links"]) == (False, [], [])


@pytest.mark.parametrize("question", ODD.values(), ids=ODD.keys())
def test_an_odd_question_gets_a_normal_answer(client: TestClient, question: str) -> None:
    body = ask(client, question)
    assert body["answered"] in (True, False)
    assert client.post("/api/search", json={"query": question}).status_code == 200


def test_a_running_service_moves_on_to_a_new_index(client: TestClient, home: Path, documents: Path) -> None:
    assert ask(client, "Var förvaras nyckeln?")["answered"] is False
    before = client.get("/ready").json()["index_version"]
    (documents / "nyckel.md").write_text("# Nyckel\n\nNyckeln förvaras i receptionen.\n", encoding="utf-8")
    build_home(home, documents)
    body = ask(client, "Var förvaras nyckeln?")
    assert "receptionen" in str(body["answer_markdown"])
    assert client.get(body["sources"][0]["url"]).status_code == 200  # type: ignore[index]
    assert client.get("/ready").json()["index_version"] == body["index_version"] != before


def test_a_removed_document_is_no_longer_handed_out(client: TestClient, home: Path, documents: Path) -> None:
    source = ask(client, "Vem bokar lokalen?")["sources"][0]  # type: ignore[index]
    (documents / "plan.pdf").unlink()
    build_home(home, documents)
    assert client.get(source["url"].split("#")[0]).status_code == 404
    assert client.get(source["page_image"]).status_code == 404


def test_no_question_fails_while_the_index_is_replaced(client: TestClient, home: Path, documents: Path) -> None:
    done = threading.Event()

    def replace_index() -> None:
        try:
            for number in range(3):
                text = f"# Skåp {number}\n\nSkåp {number} står i källaren.\n"
                (documents / f"skåp{number}.md").write_text(text, encoding="utf-8")
                build_home(home, documents)
        finally:
            done.set()

    builder = threading.Thread(target=replace_index)
    builder.start()
    versions = set()
    while not done.is_set():
        versions.add(ask(client, "Vem bokar lokalen?")["index_version"])
    builder.join()
    assert ask(client, "Var står skåp 2?")["answered"] is True
    assert len(versions) >= 1


def test_a_service_that_started_too_early_answers_once_there_is_an_index(
    tmp_path: Path, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ankare.service.desk.RETRY_OPEN_SECONDS", 0.0)
    client = TestClient(create_app(Settings(home=tmp_path / "later", semantic=False), page=False))
    assert client.post("/api/ask", json={"question": "Vem bokar lokalen?"}).status_code == 503
    build_home(tmp_path / "later", documents)
    assert ask(client, "Vem bokar lokalen?")["answered"] is True
