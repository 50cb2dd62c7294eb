"""Only ingested documents are handed out, nothing in them runs, and the cited sentence is marked on its page."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from ankare.cite.pages import MARKER
from ankare.service.api.sources import disposition
from tests.service.conftest import Service


def test_a_pdf_is_shown_in_the_browser(service: Service) -> None:
    chunk = service.chunks[0]
    answer = service.client.get(f"/sources/{chunk.document_id}")
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"] == (
        "inline; filename=\"plan _.pdf\"; filename*=UTF-8''plan%20%C3%A5.pdf"
    )
    assert answer.content.startswith(b"%PDF")


def test_html_of_a_document_never_runs(service: Service) -> None:
    answer = service.client.get(f"/sources/{service.chunks[1].document_id}")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["content-security-policy"].startswith("sandbox")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert b"<script>" in answer.content


def test_an_office_document_is_downloaded(service: Service) -> None:
    answer = service.client.get(f"/sources/{service.chunks[2].document_id}")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["content-type"].endswith("wordprocessingml.document")


@pytest.mark.parametrize(
    "path",
    [
        "d000",
        "../../etc/passwd",
        "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/etc/passwd",
        "plan%20%C3%A5.pdf",
        "d1/pages",
        "%00",
        "x" * 3000,
    ],
)
def test_nothing_else_is_handed_out(service: Service, path: str) -> None:
    answer = service.client.get(f"/sources/{path}")
    assert answer.status_code in (400, 404)
    assert b"root:" not in answer.content


@pytest.mark.parametrize(
    "name", ['a"b.pdf', "a\r\nSet-Cookie: x=1.pdf", "å/ä;ö.pdf", "🎉.pdf", "", "a\\b.pdf", "\ud800.pdf"]
)
def test_no_file_name_breaks_out_of_its_header(name: str) -> None:
    header = disposition("inline", name)
    assert header.isascii()
    assert "\r" not in header
    assert "\n" not in header
    assert header.count('"') == 2
    assert "\\" not in header


def picture_of(service: Service, query: str, page: str = "1") -> tuple[int, Image.Image | dict[str, object]]:
    answer = service.client.get(f"/sources/{service.chunks[0].document_id}/pages/{page}.png{query}")
    if answer.status_code != 200:
        return answer.status_code, answer.json()
    assert answer.headers["content-type"] == "image/png"
    return 200, Image.open(io.BytesIO(answer.content)).convert("RGB")


def test_the_cited_sentence_is_marked_on_its_page(service: Service) -> None:
    source = service.client.post("/api/ask", json={"question": "Vilka etapper?"}).json()["sources"][0]
    answer = service.client.get(source["page_image"])
    image = Image.open(io.BytesIO(answer.content)).convert("RGB")
    assert image.getpixel((440, 172)) == MARKER
    _, unmarked = picture_of(service, "")
    assert isinstance(unmarked, Image.Image)
    assert unmarked.getpixel((440, 172)) == (255, 255, 255)


def test_only_the_cited_sentence_is_marked(service: Service) -> None:
    chunk = service.chunks[0]
    second = chunk.sentences[1]
    _, image = picture_of(service, f"?claim={chunk.id}:{second.start}-{second.end}")
    assert isinstance(image, Image.Image)
    assert image.getpixel((440, 172)) == (255, 255, 255)
    assert image.getpixel((440, 208)) == MARKER


@pytest.mark.parametrize(
    ("page", "query", "status"),
    [
        ("3", "", 404),
        ("0", "", 400),
        ("-1", "", 400),
        ("ett", "", 400),
        ("99999999999", "", 400),
        ("1", "?claim=unknown:1-2", 404),
        ("1", "?claim=" + "c:1-2," * 100, 400),
        ("1", "?claim=c:5-2", 400),
        ("1", "?claim=c:x-y", 400),
        ("1", "?claim=../../etc/passwd", 400),
        ("1", "?claim=" + "x" * 30_000, 400),
    ],
)
def test_a_wrong_page_or_mark_is_told(service: Service, page: str, query: str, status: int) -> None:
    found, told = picture_of(service, query, page)
    assert found == status
    assert isinstance(told, dict)
    assert told["detail"]


def test_a_passage_of_another_document_is_not_marked(service: Service) -> None:
    found, _ = picture_of(service, f"?claim={service.chunks[1].id}:0-5")
    assert found == 404


def test_a_format_without_pages_has_no_picture(service: Service) -> None:
    answer = service.client.get(f"/sources/{service.chunks[2].document_id}/pages/1.png")
    assert answer.status_code == 404
    assert "docx" in answer.json()["detail"]
