"""The cited sentence is marked on its page, and a wrong page is told."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from ankare.cite.pages import LONGEST_SIDE, MARKER, PagePictures, page_png
from ankare.domain.document import Box
from ankare.errors import DocumentError
from tests.service.scripted import tiny_pdf

BOX = Box(72, 108, 300, 124)


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    path = tmp_path / "plan.pdf"
    path.write_bytes(tiny_pdf(["Etapperna", "Planera"]))
    return path


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def test_the_box_is_yellow_and_the_print_in_it_stays_black(pdf: Path) -> None:
    image = opened(page_png(pdf, 1, [BOX], 2.0))
    assert image.size == (1190, 1684)
    assert image.getpixel((590, 230)) == MARKER
    assert image.getpixel((590, 300)) == (255, 255, 255)
    assert image.crop((144, 216, 600, 248)).getchannel("B").getextrema()[0] < 40


def test_a_page_without_marks_is_as_printed(pdf: Path) -> None:
    assert opened(page_png(pdf, 2, [])).getpixel((10, 10)) == (255, 255, 255)


def test_boxes_outside_the_page_do_no_harm(pdf: Path) -> None:
    wild = [Box(-50, -50, -10, -10), Box(0, 0, 9999, 9999), Box(300, 10, 200, 5)]
    assert opened(page_png(pdf, 1, wild, 1.0)).getpixel((590, 840)) == MARKER


def test_a_huge_page_is_drawn_smaller(pdf: Path) -> None:
    assert max(opened(page_png(pdf, 1, [], 40.0)).size) <= LONGEST_SIDE + 1


@pytest.mark.parametrize("page", [0, 3, -1])
def test_a_page_that_is_not_there_is_told(pdf: Path, page: int) -> None:
    with pytest.raises(DocumentError, match="has no page"):
        page_png(pdf, page, [])


def test_a_broken_file_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "trasig.pdf"
    broken.write_bytes(b"%PDF-1.7 slut")
    with pytest.raises(DocumentError, match=r"trasig\.pdf"):
        page_png(broken, 1, [])


def test_many_threads_get_the_same_picture(pdf: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: page_png(pdf, 1, [BOX]), range(16)))) == 1


def test_the_latest_pictures_are_kept_within_bounds(pdf: Path) -> None:
    pictures = PagePictures(max_bytes=1)
    first = pictures.png("sha", pdf, 1, [BOX])
    assert pictures.png("sha", pdf, 1, [BOX]) is first
    pictures.png("sha", pdf, 2, [])
    assert pictures.png("sha", pdf, 1, [BOX]) is not first
