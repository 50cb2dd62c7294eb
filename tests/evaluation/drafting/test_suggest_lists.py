"""Lists and steps: what announces them or stands above them is asked, whatever the format that they are written in."""

from collections.abc import Iterator
from pathlib import Path

import docx
import pytest

from ankare.evaluation.case import Case
from ankare.evaluation.drafting.suggest import Wish, suggest
from ankare.evaluation.suites.gold import parts_of
from ankare.evaluation.suites.holdings import read_holdings
from tests.service.real import build_home

BLOCKS = [
    # (heading, what announces the list or "", numbered?, its items)
    ("Provet", "Provet består av:", False, ["skruv", "mutter", "bricka"]),
    ("Utlåning", "Varje elev får låna följande verktyg:", False, ["en hammare", "en såg", "ett vattenpass"]),
    (
        "Årsmöte",
        "Vid årsmötet behandlas följande frågor:",
        False,
        ["val av styrelse", "budget för året", "nya motioner"],
    ),
    ("Kranen", "Så monterar du en kran:", True, ["Stäng vattnet.", "Gänga på kranen.", "Kontrollera tätningen."]),
    ("Rengöring av pumpen", "", True, ["Dra ur sladden.", "Skölj filtret.", "Torka av höljet."]),
    ("Vid läckage", "", True, ["Stäng ventilen.", "Ring jouren.", "Lägg ut trasor."]),
    ("Läckage i källaren", "", True, ["Stäng huvudventilen.", "Ring fastighetsjouren.", "Pumpa ut vattnet."]),
    ("Cleaning the boiler", "", True, ["Switch off the power.", "Drain the water.", "Brush the burner."]),
]
ASKED = {
    "Vad består provet av?": "list",
    "Vilka verktyg får varje elev låna?": "list",
    "Vilka frågor behandlas vid årsmötet?": "list",
    "Hur monterar du en kran?": "process",
    "Vilka steg ingår i rengöringen av pumpen?": "process",
    "Vad ska man göra vid läckage?": "process",
    "Vilka steg beskrivs under rubriken ”Läckage i källaren”?": "process",
}


def as_markdown(path: Path, title: str) -> None:
    lines = [f"# {title}"]
    for heading, lead, numbered, items in BLOCKS:
        marks = [f"{number}." if numbered else "-" for number in range(1, len(items) + 1)]
        lines += ["", f"## {heading}", "", *([lead, ""] if lead else [])]
        lines += [f"{mark} {item}" for mark, item in zip(marks, items, strict=True)]
    path.with_suffix(".md").write_text("\n".join(lines), "utf-8")


def as_html(path: Path, title: str) -> None:
    parts = [f"<h1>{title}</h1>"]
    for heading, lead, numbered, items in BLOCKS:
        kind = "ol" if numbered else "ul"
        listed = "".join(f"<li>{item}</li>" for item in items)
        parts.append(f"<h2>{heading}</h2>" + (f"<p>{lead}</p>" if lead else "") + f"<{kind}>{listed}</{kind}>")
    page = f'<html lang="sv"><head><title>{title}</title></head><body>{"".join(parts)}</body></html>'
    path.with_suffix(".html").write_text(page, "utf-8")


def as_docx(path: Path, title: str) -> None:
    document = docx.Document()
    document.add_heading(title, 0)
    for heading, lead, numbered, items in BLOCKS:
        document.add_heading(heading, 1)
        if lead:
            document.add_paragraph(lead)
        for item in items:
            document.add_paragraph(item, style="List Number" if numbered else "List Bullet")
    document.save(str(path.with_suffix(".docx")))


@pytest.fixture(scope="module", params=[as_markdown, as_html, as_docx])
def drafted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Case]]:
    folder = tmp_path_factory.mktemp("lists")
    (folder / "documents").mkdir()
    request.param(folder / "documents" / "handledning", "Handledning")
    held = read_holdings(build_home(folder / "home", folder / "documents"))
    yield {case.question: case for case in suggest(held, Wish(count=200, types=("list", "process"))).cases}


@pytest.mark.parametrize(("question", "kind"), ASKED.items())
def test_an_announced_list_and_numbered_steps_are_asked_in_every_format(
    drafted: dict[str, Case], question: str, kind: str
) -> None:
    assert question in drafted, list(drafted)
    assert drafted[question].type == kind
    assert len(parts_of(drafted[question])) == 3 and drafted[question].reference_answer.count(";") == 2


ENGLISH = """# Guide for visitors

The exhibition is free of charge. Never touch the machines. In an emergency, call 112.

Groups of more than twelve people must report their route to the guard before they leave.

## Cleaning the boiler

1. Switch off the power.
2. Drain the water.
3. Brush the burner.

The museum lends the following:

- audio guides
- wheelchairs
- folding chairs
"""


def test_an_english_page_gives_english_drafts_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "guide.md").write_text(ENGLISH, "utf-8")
    held = read_holdings(build_home(tmp_path / "home", tmp_path / "documents"))
    found = suggest(held, Wish(count=60, languages=("en",)))
    assert {
        "Is the exhibition free of charge?",
        "What should you do in an emergency?",
        "How do you clean the boiler?",
        "What does the museum lend?",
    } <= {case.question for case in found.cases if case.answerable}
    assert {case.language for case in found.cases} == {"en"}


def test_items_that_stand_within_each_other_are_no_list_of_separate_things(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    text = "# Blankett\n\nBlanketten ska innehålla:\n\n- namn\n- namn på vårdnadshavare\n- adress\n"
    (tmp_path / "documents" / "a.md").write_text(text, "utf-8")
    held = read_holdings(build_home(tmp_path / "home", tmp_path / "documents"))
    assert suggest(held, Wish(types=("list",))).cases == ()
