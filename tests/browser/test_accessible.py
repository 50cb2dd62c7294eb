"""axe-core finds nothing serious in any state of the page, light or dark, wide or narrow."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.conftest import Visit

pytestmark = pytest.mark.slow
Opener = Callable[..., Visit]
MEMBERS = "/?q=Vilka ingår i styrgruppen?"


def understood(seen: Visit) -> None:
    seen.page.fill("#follow-up", "och 2023?")
    seen.page.press("#follow-up", "Enter")
    seen.page.wait_for_selector(".ak-understood")


def why(seen: Visit) -> None:
    seen.page.click("#down")
    seen.page.wait_for_selector(".ak-reasons")


def source(seen: Visit) -> None:
    seen.page.locator("#answer .ak-cite").first.click()
    seen.page.wait_for_selector("[class*=ak-frame]:not(.ak-waiting)")


def cell(seen: Visit) -> None:
    seen.page.locator("#answer .ak-cite").first.click()
    seen.page.wait_for_selector(".ak-excerpt mark")


def earlier(seen: Visit) -> None:
    seen.ask("Vem får uttala sig för medierna?")
    seen.page.click("#earlier > summary")


def empty(seen: Visit) -> None:
    seen.page.click("#ask")
    seen.page.wait_for_selector("#fault")


def nothing(seen: Visit) -> None:
    """The state as it was opened."""


STATES = {
    "start": ("/", nothing),
    "fault": ("/", empty),
    "answer": (MEMBERS, nothing),
    "source": (MEMBERS, source),
    "table": ("/?q=Vilka risker finns?", nothing),
    "figures": ("/?q=omsättning per kvartal 2024", nothing),
    "cell": ("/?q=omsättning per kvartal 2024", cell),
    "refusal": ("/?q=Vad tycker styrgruppen om glass?", nothing),
    "choices": ("/?q=Hur mycket var det 2024?", nothing),
    "debug": ("/?debug=true&q=Vem får uttala sig för medierna?", nothing),
    "problem": ("/?debug=kanske&q=Vem?", nothing),
    "understood": ("/?q=Vad var omsättningen i Norge 2024?", understood),
    "why": (MEMBERS, why),
    "earlier": (MEMBERS, earlier),
}


@pytest.fixture
def base_url(sample_url: str) -> str:
    return sample_url


@pytest.mark.parametrize("state", STATES)
def test_no_state_has_a_serious_finding(visit: Opener, state: str) -> None:
    path, reach = STATES[state]
    seen = visit(path)
    reach(seen)
    for scheme in ("light", "dark"):
        seen.page.emulate_media(color_scheme=scheme)
        assert findings(seen) == []


@pytest.mark.parametrize("state", ["start", "source", "figures", "debug"])
def test_neither_has_a_phone(visit: Opener, state: str) -> None:
    path, reach = STATES[state]
    seen = visit(path, width=360, height=740)
    reach(seen)
    assert findings(seen) == []
    seen.quiet()


def test_the_saboteur_is_found(visit: Opener) -> None:
    seen = visit("/")
    seen.page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<button></button><img src=\"/x\">')"
    )
    assert {finding[0] for finding in findings(seen)} == {"button-name", "image-alt"}


def test_the_page_has_one_heading_of_the_first_level_and_its_landmarks(visit: Opener) -> None:
    seen = visit(MEMBERS)
    assert seen.page.locator("h1").count() == 1
    tree = seen.page.locator("body").aria_snapshot()
    for landmark in ("banner", "main", "navigation", "complementary"):
        assert f"- {landmark}" in tree
    assert tree.count("- main") == 1


def findings(seen: Visit) -> list[tuple[str, str]]:
    """What axe-core calls serious or critical, with the elements."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    seen.page.wait_for_timeout(250)
    found = axe.run(seen.page).response["violations"]
    return [
        (one["id"], str([node["html"][:160] for node in one["nodes"]]))
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
