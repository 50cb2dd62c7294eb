"""What comes into the library over HTTP, what does not, and what is left behind when it does not: nothing."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from ankare.facts.sql_store import SqlFactStore
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.service.app import create_app
from ankare.service.library import routes_files
from ankare.service.library import store as library_module
from ankare.settings import Settings
from tests.ingest.making import pdf
from tests.service.librarian import ADMIN, FIGURES, NOTE, TOKEN, Librarian, opened, pack_of
from tests.service.test_library_names import HOSTILE, UNREADABLE_TYPES

PLAN = NOTE.format(title="Flytt", text="Arkivet flyttas i maj.")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    ingest([pack_of(tmp_path / "pack")], Home(folder), workers=1)
    return folder


@pytest.fixture
def librarian(home: Path) -> Iterator[Librarian]:
    with opened(home) as somebody:
        yield somebody


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Librarian]:
    """A service that every test leaves as it found it: its library is empty."""
    folder = tmp_path_factory.mktemp("empty")
    ingest([pack_of(folder / "pack")], Home(folder / "home"), workers=1)
    with opened(folder / "home") as somebody:
        yield somebody


def workbook(rows: list[list[object]]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


# What comes in


def test_the_very_next_question_after_a_job_sees_the_new_document(librarian: Librarian) -> None:
    assert not librarian.ask("När flyttas arkivet?")["answered"]
    told = librarian.take_in("flytt.md", PLAN)
    assert (told["status"], told["chunks"]) == ("added", 1)
    body = librarian.ask("När flyttas arkivet?")
    assert "Arkivet flyttas i maj" in body["answer_markdown"]
    assert librarian.client.get(body["sources"][0]["url"].split("#")[0]).text == PLAN


def test_a_table_goes_where_its_first_row_says(librarian: Librarian) -> None:
    header = ["metric", "entity", "period", "value", "unit"]
    kinds = {
        "siffror.csv": FIGURES.format(7),
        "siffror.xlsx": workbook([header, ["REVENUE", "BOLAG", "2023", 5, "SEK_M"]]),
        "lista.csv": "namn;ort\nAnna;Lund\n",
        "lista.xlsx": workbook([["namn", "ort"], ["Anna", "Lund"]]),
        "trasig.xlsx": b"PK\x03\x04 and nothing else",
    }
    found = {name: librarian.put(name, data).json()["file"]["kind"] for name, data in kinds.items()}
    assert found == {
        "siffror.csv": "figures",
        "siffror.xlsx": "figures",
        "lista.csv": "document",
        "lista.xlsx": "document",
        "trasig.xlsx": "document",
    }
    assert "facts/siffror.csv" in librarian.on_disk()


def test_figures_answer_after_their_job_and_bad_rows_are_told_with_their_place(librarian: Librarian) -> None:
    assert librarian.take_in("omsattning.csv", FIGURES.format("12.5"))["facts"] == 1
    assert "12,5" in librarian.ask("Vad var omsättningen 2024?")["answer_markdown"]
    told = librarian.take_in("fel.csv", FIGURES.format("tolv"))
    assert told["status"] == "failed"
    assert "row 2" in told["message"]


@pytest.mark.parametrize("name", ["kafe\u0301.md", "kaf\u00e9.md", "kaf\u00e9\u00a0nu.md", "kaf\u00e9 nu.md"])
def test_a_file_goes_under_the_name_that_it_came_under(librarian: Librarian, name: str) -> None:
    librarian.done(librarian.put(name, PLAN))
    librarian.done(librarian.delete(f"files/{quote(name)}"))
    assert librarian.on_disk() == []


def test_pages_that_are_images_only_are_told(librarian: Librarian) -> None:
    told = librarian.take_in("skannad.pdf", pdf([["Planen testas av chefen."], []]))
    assert (told["pages"], told["pages_without_text"]) == (2, [2])


def test_a_label_stands_in_the_sidecar_and_goes_with_the_file(librarian: Librarian, home: Path) -> None:
    answer = librarian.put("flytt.md", PLAN, label="HR")
    assert answer.json()["file"]["label"] == "hr"
    assert (home / "library/documents/flytt.md.meta.toml").read_text("utf-8") == 'access = "hr"\n'
    librarian.done(answer)
    assert librarian.get("documents", search="flytt")["documents"][0]["label"] == "hr"
    assert not librarian.ask("När flyttas arkivet?")["answered"]
    librarian.done(librarian.delete("files/flytt.md"))
    assert librarian.on_disk() == []


def test_a_replaced_file_keeps_its_label_unless_another_is_named(librarian: Librarian) -> None:
    librarian.put("flytt.md", PLAN, label="hr")
    kept = librarian.put("flytt.md", PLAN + "Mer.\n", replace="true").json()
    assert (kept["replaced"], kept["file"]["label"]) == (True, "hr")
    assert librarian.put("flytt.md", PLAN, replace="true", label="board").json()["file"]["label"] == "board"
    assert librarian.put("flytt.md", PLAN, replace="true", label="").json()["file"]["label"] == ""
    assert librarian.on_disk() == ["documents/flytt.md"]


def test_a_name_that_is_taken_is_told_and_nothing_is_changed(librarian: Librarian, home: Path) -> None:
    librarian.put("flytt.md", PLAN)
    for name in ("flytt.md", "Flytt.md", "FLYTT.MD"):
        assert librarian.put(name, "annat").status_code == 409
    assert librarian.put("Flytt.md", "annat", replace="true").status_code == 409
    assert (home / "library/documents/flytt.md").read_text("utf-8") == PLAN


def test_a_table_that_becomes_a_document_lies_in_one_place(librarian: Librarian) -> None:
    librarian.put("tabell.csv", FIGURES.format(7), label="hr")
    told = librarian.put("tabell.csv", "namn;ort\nAnna;Lund\n", replace="true").json()
    assert (told["file"]["kind"], told["file"]["label"]) == ("document", "hr")
    assert librarian.on_disk() == ["documents/tabell.csv", "documents/tabell.csv.meta.toml"]


def test_a_link_in_the_library_is_replaced_and_never_written_through(librarian: Librarian, home: Path) -> None:
    victim = home.parent / "victim.txt"
    victim.write_text("mine", "utf-8")
    documents = home / "library/documents"
    documents.mkdir(parents=True)
    (documents / "plan.txt").symlink_to(victim)
    assert librarian.put("plan.txt", "yours").status_code == 409
    assert librarian.put("plan.txt", "yours", replace="true").status_code == 201
    assert (victim.read_text("utf-8"), (documents / "plan.txt").is_symlink()) == ("mine", False)
    (documents / "other.txt").symlink_to(victim)
    assert librarian.delete("files/other.txt").status_code == 202
    assert victim.read_text("utf-8") == "mine"


# What does not


def refused(librarian: Librarian, answer: Any, *statuses: int) -> None:
    assert answer.status_code in statuses, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert librarian.on_disk() == []
    assert librarian.get("jobs")["jobs"] == []


@pytest.mark.parametrize("name", [name for name in HOSTILE.values() if name not in ("", ".", "..", "pl\ud800n.pdf")])
def test_hostile_names_are_refused(empty: Librarian, name: str) -> None:
    refused(empty, empty.put(name, PLAN), 400, *[404] * ("\n" in name))


@pytest.mark.parametrize("name", UNREADABLE_TYPES)
def test_unknown_types_are_refused(empty: Librarian, name: str) -> None:
    refused(empty, empty.put(name, PLAN), 415)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plan.pdf", b"<html>"),
        ("plan.docx", b"%PDF-1.4"),
        ("plan.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        ("plan.txt", b"%PDF-1.4"),
        ("plan.md", b"PK\x03\x04"),
        ("plan.txt", b"MZ\0\0\x01\0"),
        ("plan.csv", b"a\0b"),
    ],
)
def test_a_content_of_another_type_is_refused(empty: Librarian, name: str, content: bytes) -> None:
    refused(empty, empty.put(name, content), 415)


def test_an_empty_file_is_refused(empty: Librarian) -> None:
    refused(empty, empty.put("plan.txt", b""), 400)


@pytest.mark.parametrize("label", ["a b", 'x"\naccess = ""', "../x"])
def test_a_wrong_label_is_refused(empty: Librarian, label: str) -> None:
    refused(empty, empty.put("plan.txt", "text", label=label), 400)


@pytest.mark.parametrize(
    "query",
    ["lable=board", "Label=board", "access=board", "label=board&label=", "label=&label=board", "label%20=board"],
)
def test_a_label_in_doubt_publishes_nothing(empty: Librarian, query: str) -> None:
    refused(empty, empty.client.put(f"/api/admin/files/plan.txt?{query}", content=b"text", headers=ADMIN), 400)


def test_a_saboteur_that_reads_over_what_it_does_not_know_is_caught(
    librarian: Librarian, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes_files, "_refuse_doubt", lambda _: None)
    with pytest.raises(AssertionError):
        test_a_label_in_doubt_publishes_nothing(librarian, "lable=board")


def test_a_file_beyond_the_bound_is_refused_said_or_not(home: Path) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(30):
            yield b"a" * 100_000

    with opened(home, max_upload_bytes=2_000_000) as librarian:
        refused(librarian, librarian.put("plan.txt", b"a" * 2_000_001), 413)
        unsaid = librarian.client.put("/api/admin/files/plan.txt", content=pieces(), headers=ADMIN)
        refused(librarian, unsaid, 413)
        assert librarian.put("plan.txt", b"a" * 2_000_000).status_code == 201


def test_a_full_library_is_told_before_anything_is_sent_and_when_it_fills_up(home: Path) -> None:
    with opened(home, max_library_bytes=1000) as librarian:
        refused(librarian, librarian.put("plan.txt", b"a" * 1001), 507)
        unsaid = librarian.client.put("/api/admin/files/plan.txt", content=iter([b"a" * 1001]), headers=ADMIN)
        refused(librarian, unsaid, 507)
        assert librarian.put("plan.txt", b"a" * 900).status_code == 201
        assert librarian.put("mer.txt", b"a" * 101).status_code == 507


def test_a_full_disk_is_told(librarian: Librarian, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_module, "KEPT_FREE_BYTES", 10**18)
    refused(librarian, librarian.put("plan.txt", "text"), 507)


@pytest.mark.parametrize(("code", "status"), [(errno.ENOSPC, 507), (errno.EROFS, 503), (errno.EACCES, 503)])
def test_a_folder_that_cannot_be_written_is_told(
    librarian: Librarian, monkeypatch: pytest.MonkeyPatch, code: int, status: int
) -> None:
    def fail(self: Any, data: bytes) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(library_module.Incoming, "write", fail)
    refused(librarian, librarian.put("plan.txt", "text"), status)


# Senders that misbehave


async def send(app: Any, messages: list[dict[str, Any]], length: str | None) -> list[dict[str, Any]]:
    """One PUT as a server would hand it on; what comes after the last message never comes."""
    headers = [(b"authorization", ADMIN["Authorization"].encode()), (b"host", b"test")]
    if length is not None:
        headers.append((b"content-length", length.encode()))
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "PUT",
        "scheme": "http",
        "path": "/api/admin/files/plan.txt",
        "raw_path": b"/api/admin/files/plan.txt",
        "query_string": b"",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("test", 80),
        "state": {},
    }
    sent: list[dict[str, Any]] = []
    left = iter(messages)

    async def receive() -> dict[str, Any]:
        message = next(left, None)
        if message is None:
            await asyncio.sleep(3600)
        assert message is not None
        return message

    async def note(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, note)
    return sent


def piece(data: bytes, *, more: bool) -> dict[str, Any]:
    return {"type": "http.request", "body": data, "more_body": more}


GONE = {"type": "http.disconnect"}
BROKEN: dict[str, tuple[list[dict[str, Any]], str | None, int]] = {
    "gone in the middle": ([piece(b"a" * 10, more=True), GONE], "20", 499),
    "gone in the middle of much": ([piece(b"a" * 1_500_000, more=True), GONE], "2000000", 499),
    "gone at once": ([GONE], "20", 499),
    "less than was said": ([piece(b"a" * 10, more=False)], "20", 400),
    "more than was said": ([piece(b"a" * 30, more=False)], "20", 400),
    "no length": ([piece(b"a", more=False)], "-5", 400),
    "a length that is none": ([piece(b"a", more=False)], "1e3", 400),
    "nothing more comes": ([piece(b"a", more=True)], "20", 408),
}


@pytest.mark.parametrize(("messages", "length", "status"), BROKEN.values(), ids=BROKEN)
def test_of_a_broken_upload_nothing_is_left(
    home: Path, messages: list[dict[str, Any]], length: str, status: int
) -> None:
    with opened(home, body_seconds=0.3) as librarian:
        sent = asyncio.run(send(librarian.client.app, messages, length))
        assert sent[0]["status"] == status
        assert librarian.on_disk() == []
        assert librarian.get("jobs")["jobs"] == []


def test_what_a_killed_service_left_of_an_upload_is_swept_away(librarian: Librarian, home: Path) -> None:
    incoming = home / "library/.incoming"
    incoming.mkdir(parents=True)
    (incoming / "abc.pdf").write_bytes(b"half")
    librarian.put("plan.txt", "text")
    assert librarian.on_disk() == ["documents/plan.txt"]


def test_of_many_uploads_of_one_name_at_once_one_goes_in_whole(librarian: Librarian, home: Path) -> None:
    contents = [sign * 300_000 for sign in "abcdef"]
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda text: librarian.put("plan.txt", text).status_code, contents))
    assert sorted(answers) == [201, 409, 409, 409, 409, 409]
    assert (home / "library/documents/plan.txt").read_text("utf-8") in contents
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda text: librarian.put("plan.txt", text, replace="true").status_code, contents))
    assert answers == [201] * 6
    assert (home / "library/documents/plan.txt").read_text("utf-8") in contents
    assert librarian.on_disk() == ["documents/plan.txt"]


def test_a_decompression_bomb_is_told_and_the_service_answers_on(librarian: Librarian) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("word/document.xml", "w", force_zip64=True) as part:
            for _ in range(6):
                part.write(b" " * 10_000_000)
    told = librarian.take_in("bomb.docx", out.getvalue())
    assert told["status"] == "failed"
    assert "unpacks to" in told["message"]
    assert librarian.ask("Vad ska testas varje vecka?")["answered"]


# Who may


ROUTES = [
    ("GET", "documents"),
    ("GET", "facts"),
    ("GET", "conflicts"),
    ("GET", "files"),
    ("PUT", "files/plan.txt"),
    ("DELETE", "files/plan.txt"),
    ("DELETE", "documents/abc"),
    ("DELETE", "facts/abc"),
    ("GET", "jobs"),
    ("POST", "jobs"),
    ("GET", "jobs/abc"),
    ("POST", "facts/review"),
]


@pytest.mark.parametrize(
    "headers", [{}, {"X-API-Key": "wrong"}, {"Authorization": f"Bearer {TOKEN[:-1]}"}, {"Cookie": "x=y"}]
)
def test_without_the_token_nothing_opens(librarian: Librarian, headers: dict[str, str]) -> None:
    for number, (method, path) in enumerate(ROUTES):
        answer = librarian.client.request(method, f"/api/admin/{path}", content=b"{}", headers=headers)
        assert answer.status_code == 401 or (headers and number >= 10 and answer.status_code == 429)
        assert answer.headers["content-type"] == "application/problem+json"
    assert not (librarian.home / "library").exists()


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize("headers", [{}, ADMIN])
def test_without_a_configured_token_there_is_no_library(
    without: TestClient, method: str, path: str, headers: dict[str, str]
) -> None:
    answer = without.request(method, f"/api/admin/{path}", content=b"{}", headers=headers)
    missing = without.request(method, "/api/nothing", headers=headers)
    assert (answer.status_code, answer.json()["detail"]) == (404, missing.json()["detail"])


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A service as it is by default."""
    app = create_app(Settings(home=tmp_path_factory.mktemp("without"), semantic=False), page=False)
    with TestClient(app) as client:
        yield client


def test_another_sites_page_cannot_change_anything_with_the_cookie(librarian: Librarian) -> None:
    cookie = {"Cookie": f"ankare_key={TOKEN}", "Sec-Fetch-Site": "cross-site"}
    assert librarian.client.put("/api/admin/files/plan.txt", content=b"x", headers=cookie).status_code == 403
    assert librarian.client.post("/api/admin/jobs", headers=cookie).status_code == 403
    own = {**cookie, "Sec-Fetch-Site": "same-origin"}
    assert librarian.client.put("/api/admin/files/plan.txt", content=b"x", headers=own).status_code == 201


# What is told, and taken out


def test_an_uploaded_document_is_taken_out_with_its_file(librarian: Librarian) -> None:
    librarian.take_in("flytt.md", PLAN)
    found = librarian.get("documents", search="flytt")["documents"][0]
    assert (found["library"], found["source"], found["type"]) == (True, "flytt.md", "md")
    answer = librarian.delete(f"documents/{found['id']}")
    assert answer.json()["returns"] is False
    assert librarian.done(answer)["report"]["files"][0]["status"] == "removed"
    assert librarian.on_disk() == []
    assert librarian.sources() == ["drift.md"]
    assert not librarian.ask("När flyttas arkivet?")["answered"]


def test_a_document_of_another_folder_is_taken_out_and_comes_back_when_that_is_read(
    librarian: Librarian, home: Path
) -> None:
    found = librarian.get("documents")["documents"][0]
    assert (found["source"], found["library"], found["added"]) == ("drift.md", False, "")
    answer = librarian.delete(f"documents/{found['id']}")
    assert (answer.json()["returns"], "read again" in answer.json()["note"]) == (True, True)
    librarian.done(answer)
    assert librarian.sources() == []
    assert (home.parent / "pack/documents/drift.md").is_file()


def test_everything_can_be_read_again(librarian: Librarian, home: Path) -> None:
    (home.parent / "pack/documents/ny.md").write_text("# Nytt\n\nNytt innehåll.\n", "utf-8")
    librarian.done(librarian.post("jobs", {"everything": False}))
    assert librarian.sources() == ["drift.md"]
    librarian.done(librarian.post("jobs", {"everything": True}))
    assert librarian.sources() == ["drift.md", "ny.md"]


def test_files_of_figures_are_counted_without_reading_them(
    librarian: Librarian, monkeypatch: pytest.MonkeyPatch
) -> None:
    librarian.take_in("ett.csv", FIGURES.format(10))
    monkeypatch.setattr(SqlFactStore, "facts", lambda *_given, **_named: pytest.fail("every figure was read"))
    told = librarian.get("facts")
    assert (told["total"], told["figures"], told["files"][0]["approved"]) == (1, 1, 1)


def test_files_of_figures_are_told_with_their_conflicts_and_taken_out(librarian: Librarian) -> None:
    for name, value in (("ett.csv", 10), ("tva.csv", 12)):
        librarian.take_in(name, FIGURES.format(value))
    files = librarian.get("facts")["files"]
    assert [(file["file"], file["approved"], file["library"]) for file in files] == [
        ("ett.csv", 1, True),
        ("tva.csv", 1, True),
    ]
    conflict = librarian.get("conflicts")["conflicts"][0]
    assert (conflict["metric"], conflict["period"]) == ("REVENUE", "2024")
    stated = {figure["file"]: figure for figure in conflict["stated"]}
    assert [stated[name]["value"] for name in ("ett.csv", "tva.csv")] == ["10", "12"]
    decided = librarian.post("facts/review", {"ids": [stated["ett.csv"]["id"]], "status": "rejected"})
    assert decided.json()["conflicts"] == []
    assert librarian.post("facts/review", {"ids": [10**6], "status": "approved"}).status_code == 404
    librarian.done(librarian.delete(f"facts/{files[1]['id']}"))
    assert [file["file"] for file in librarian.get("facts")["files"]] == ["ett.csv"]


@pytest.mark.parametrize("path", ["documents/unknown", "facts/unknown", "files/unknown.pdf", "files/..%2F..%2Fx"])
def test_what_is_not_there_cannot_be_taken_out(empty: Librarian, path: str) -> None:
    assert empty.delete(path).status_code == 404
    assert empty.get("jobs")["jobs"] == []


def test_no_answer_tells_a_path_of_the_machine(librarian: Librarian, home: Path) -> None:
    librarian.take_in("ett.csv", FIGURES.format(10))
    librarian.take_in("trasig.pdf", b"%PDF-1.4 nothing")
    told = [librarian.get(path) for path in ("documents", "facts", "conflicts", "files", "jobs")]
    assert str(home.parent) not in repr(told)


def test_documents_are_searched_and_paged(librarian: Librarian) -> None:
    librarian.done(librarian.put("flytt.md", PLAN))
    assert librarian.get("documents", search="FLYTT")["total"] == 1
    page = librarian.get("documents", offset="1", limit="1")
    assert (page["total"], [document["source"] for document in page["documents"]]) == (2, ["flytt.md"])
    assert librarian.client.get("/api/admin/documents?limit=0", headers=ADMIN).status_code == 400


# Two workers, and saboteurs


def test_two_workers_see_the_same_jobs_and_start_no_second_process(home: Path) -> None:
    with opened(home) as one, opened(home) as other:
        first = one.put("ett.md", PLAN).json()["job"]["id"]
        answers = [other.put(f"fil{n}.md", PLAN).json()["job"]["id"] for n in range(6)]
        for job_id in {first, *answers}:
            assert one.over(job_id) == other.over(job_id)
        jobs = one.get("jobs")["jobs"]
        assert all(job["state"] == "finished" for job in jobs)
        for earlier, later in zip(jobs[1:], jobs, strict=False):
            assert earlier["ended"] <= later["started"]
        assert len(one.sources()) == 8


def test_a_saboteur_that_writes_in_place_is_caught(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def in_place(self: Any, incoming: Any, target: Path, before: Any, label: str) -> None:
        target.write_bytes(incoming.path.read_bytes())
        incoming.discard()

    monkeypatch.setattr(library_module.Library, "_put", in_place)
    with opened(home) as librarian, pytest.raises(AssertionError):
        test_a_link_in_the_library_is_replaced_and_never_written_through(librarian, home)


def test_a_saboteur_that_forgets_what_was_sent_is_caught(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_module.Incoming, "discard", lambda self: os.close(self._descriptor))
    with pytest.raises(AssertionError):
        test_of_a_broken_upload_nothing_is_left(home, *BROKEN["gone in the middle"])
