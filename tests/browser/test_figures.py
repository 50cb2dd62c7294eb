"""A person asks for a figure on the page: an answer with its cell, a question back with choices, one click."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.settings import Settings
from tests.browser.conftest import Visit, served

pytestmark = pytest.mark.slow
Opener = Callable[..., Visit]
PROFILE = """
[home]
company = "Hamnbolaget"
entity = "ALL"
languages = ["sv", "en"]
[entities.ALL]
label = "Hela bolaget"
[entities.NORTH]
label = "Norr <img src=x onerror=alert(1)> [x](javascript:alert(2))"
aliases = ["norr"]
[metrics.CALLS]
label = "Antal anlöp"
aliases = ["anlöp"]
unit = "COUNT"
[metrics.INCOME]
label = "Hamnavgifter"
unit = "SEK_K"
[external_entities]
"Kajbolaget" = ["kajbolaget"]
"""
FACTS = """metric,entity,period,value,unit
Antal anlöp,ALL,2023,1200,st
Antal anlöp,ALL,2024,1320,st
Antal anlöp,NORTH,2024,320,st
Hamnavgifter,ALL,2024,"15 400,5",tkr
"""


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service over a real home of figures alone."""
    from ankare.service.app import create_app

    pack, home = tmp_path_factory.mktemp("pack"), tmp_path_factory.mktemp("home")
    (pack / "facts").mkdir()
    (pack / "profile.toml").write_text(PROFILE, encoding="utf-8")
    (pack / "facts" / "hamn.csv").write_text(FACTS, encoding="utf-8")
    ingest([], Home(home / "h"), pack=pack, workers=1)
    with served(create_app(Settings(home=home / "h", semantic=False))) as address:
        yield address


def test_a_figure_is_shown_with_its_place(visit: Opener, pictures: Path | None) -> None:
    seen = visit("/?q=Hur m%C3%A5nga anl%C3%B6p hade hela bolaget 2024%3F")
    seen.says("#answer", "1\u00a0320")
    assert "hamn.csv, rad 3" in seen.text("#answer")
    told = seen.text("#panel").replace("\u00a0", " ").split("\n")
    for name, value in (("Mått", "Antal anlöp"), ("Värde", "1 320"), ("Plats", "rad 3"), ("Granskning", "Godkänd")):
        assert told[told.index(name) + 1] == value
    assert seen.page.locator("#panel a").count() == 0
    assert seen.page.locator("#panel mark").all_inner_texts() == ["1320"]
    assert seen.page.locator("#panel .ak-excerpt tbody tr").count() == 4
    seen.keep(pictures, "figure")
    seen.quiet()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_marked_cell_of_a_table_stands_in_view(visit: Opener, width: int) -> None:
    seen = visit("/?q=Hur m%C3%A5nga anl%C3%B6p hade hela bolaget 2024%3F", width=width)
    seen.says("#answer", "1\u00a0320")
    if width < 1000:
        seen.page.locator("#answer .ak-cite").first.click()
    mark = seen.page.locator(".ak-excerpt mark")
    mark.wait_for()
    seen.page.wait_for_timeout(100)
    cell, table = mark.bounding_box(), seen.page.locator(".ak-excerpt").bounding_box()
    assert cell and table
    assert table["x"] <= cell["x"] and cell["x"] + cell["width"] <= table["x"] + table["width"] <= width
    seen.quiet()


def test_a_choice_answers_with_one_click(visit: Opener, pictures: Path | None) -> None:
    seen = visit("/?reference_date=2025-05-20")
    seen.ask("Hur mycket var det 2024?")
    seen.says("#choices", "Hamnavgifter")
    assert "Vilken uppgift" in seen.text("#answer")
    assert seen.page.locator("#copy, #feedback").count() == 0
    seen.keep(pictures, "choices")
    seen.page.click("#choices button:has-text('Hamnavgifter')")
    seen.says("#answer", "15\u00a0400,5")
    assert seen.page.input_value("#question textarea").startswith("Hamnavgifter")
    seen.quiet()


def test_a_comparison_shows_the_difference(visit: Opener, pictures: Path | None) -> None:
    seen = visit("/?q=J%C3%A4mf%C3%B6r anl%C3%B6p i hela bolaget 2023 och 2024")
    seen.says("#answer", "+120")
    assert seen.page.locator("#answer tbody tr").count() == 2
    seen.keep(pictures, "difference")
    seen.quiet()


def test_an_outsider_is_refused_with_another_choice(visit: Opener) -> None:
    seen = visit("/?q=anl%C3%B6p f%C3%B6r K-a-j-bolaget 2024")
    seen.says("#answer", "Hamnbolaget")
    seen.page.click("#choices button")
    seen.says("#answer", "1\u00a0320")
    seen.quiet()


def test_a_label_of_the_profile_never_runs(visit: Opener) -> None:
    seen = visit("/?q=anl%C3%B6p norr 2024")
    seen.says("#answer", "320")
    assert seen.page.locator("#answer img, #answer script").count() == 0
    assert "<img src=x" in seen.text("#answer")
    seen.quiet()
    seen = visit("/?reference_date=2025-05-20&q=anl%C3%B6p 2024")
    seen.says("#choices", "Norr")
    assert seen.page.locator("#choices img").count() == 0
    seen.quiet()
