"""A suite held against a home: what makes scores wrong is found, and what is right is not spoken of."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ankare.domain.document import Document
from ankare.domain.fact import Fact
from ankare.evaluation.case import Case, Expected, Gold
from ankare.evaluation.suites import check as suite_check
from ankare.evaluation.suites.check import Finding, check_suite, figures_of
from ankare.evaluation.suites.gold import normalise, parts_of
from ankare.evaluation.suites.holdings import Holdings, read_holdings
from ankare.evaluation.suites.suite import suite_of, write_suite
from ankare.profile.load import parse_profile
from ankare.sample import pack_path
from tests.samples import chunk
from tests.service.real import build_home

PROFILE = parse_profile(
    """
[entities.NORTH]
label = "Norr"
[metrics.SALES]
label = "Försäljning"
unit = "KR"
[channels.WEB]
label = "Webb"
""".encode()
)
SALES = Fact("SALES", "NORTH", "", "TOTAL", "FY", "2024", "12.50", "KR", "bok.xlsx", "A1")  # type: ignore[arg-type]


def document(source: str, pages: int = 1, supersedes: tuple[str, ...] = ()) -> Document:
    return Document(source, source, "pdf", "0", source, "sv", pages, supersedes=supersedes)


HELD = Holdings(
    {
        "plan.pdf": document("plan.pdf", 3),
        "folder/roller.md": document("folder/roller.md"),
        "gammal.pdf": document("gammal.pdf"),
        "ny.pdf": document("ny.pdf", supersedes=("gammal.pdf",)),
    },
    (
        chunk("Styrgruppen beslutar om planen. Den gäller i ett år.", source="plan.pdf", page=1),
        chunk("Lokalen bokas av samordnaren.", source="plan.pdf", page=2),
        chunk("Rollen som samordnare är ny. Lokalen bokas av samordnaren.", source="folder/roller.md"),
        chunk("Avgiften är 20 kronor.", source="gammal.pdf"),
        chunk("Avgiften är 20 kronor.", source="ny.pdf"),
    ),
    PROFILE,
    {SALES.key: (SALES,)},
)


def said(*cases: Case, wrong: bool | None = True, held: Holdings = HELD) -> list[str]:
    return [
        f"{finding.field}: {finding.message}"
        for finding in check_suite(suite_of(cases), held)
        if wrong is None or finding.wrong is wrong
    ]


def gold(*golds: Gold) -> Case:
    return Case("a", "Vem beslutar?", answerable=True, gold=golds)


def figure(**fields: str) -> Case:
    return Case("a", "Hur mycket?", expected=(Expected(**fields),))


WRONG = [
    (gold(Gold("plan.docx", (1,))), "gold[0].source: the home does not hold 'plan.docx'; did you mean 'plan.pdf'?"),
    (gold(Gold("roller.md")), "gold[0].source: the home does not hold 'roller.md'; did you mean 'folder/roller.md'?"),
    (gold(Gold("helt_annat.xlsx")), "gold[0].source: the home does not hold 'helt_annat.xlsx'"),
    (gold(Gold("plan.pdf", (1, 4, 9))), "gold[0].pages: plan.pdf has 3 pages, and none numbered 4, 9"),
    (gold(Gold("ny.pdf", (2,))), "gold[0].pages: ny.pdf has 1 page, and none numbered 2"),
    (
        gold(Gold("plan.pdf", (2,), "beslutar om planen")),
        "gold[0].snippet: its words do not stand on page 2 of plan.pdf; they stand in plan.pdf p. 1",
    ),
    (
        gold(Gold("plan.pdf", (3,), "bokas av samordnaren")),
        "gold[0].snippet: its words do not stand on page 3 of plan.pdf; they stand in plan.pdf p. 2, folder/roller.md p. 1",
    ),
    (
        gold(Gold("plan.pdf", (), "rollen som samordnare")),
        "gold[0].snippet: its words do not stand in plan.pdf; they stand in folder/roller.md p. 1",
    ),
    (
        gold(Gold("plan.pdf", (1,), "styrgruppen avgör")),
        "gold[0].snippet: its words do not stand on page 1 of plan.pdf; they stand nowhere in the home",
    ),
    (figure(metric="SALE", entity="NORTH"), "expected[0].metric: the profile knows no metric 'SALE'"),
    (figure(metric="SALES", entity="Söder"), "expected[0].entity: the profile knows no entity 'Söder'"),
    (figure(metric="SALES", channel="SHOP"), "expected[0].channel: the profile knows no channel 'SHOP'"),
    (
        figure(metric="SALES", period="Q3"),
        'expected[0].period: \'Q3\' is no period: write it as "FY2024", "2024H1", "2024T1", "2024Q3" or "2024-03"',
    ),
    (
        figure(metric="försäljning", entity="norr", period="FY2024", value="13"),
        "expected[0].value: 13 is expected, and the home holds 12.50 KR",
    ),
    (
        figure(metric="SALES", entity="NORTH", period="2024", value="12.5", unit="SEK_M"),
        "expected[0].value: 12.5 SEK_M is expected, and the home holds 12.50 KR",
    ),
    (
        figure(metric="SALES", entity="NORTH", period="FY2024"),
        "expected[0].value: no value is expected, and the home holds 12.50 KR",
    ),
    (
        figure(metric="SALES", entity="NORTH", period="FY2024", channel="WEB", value="1"),
        "expected[0].value: the home holds no such figure",
    ),
]


@pytest.mark.parametrize(("case", "told"), WRONG)
def test_what_makes_scores_wrong_is_found(case: Case, told: str) -> None:
    assert said(case) == [told]


RIGHT = [
    gold(Gold("plan.pdf", (1,), "STYRGRUPPEN beslutar om\nplanen")),
    gold(Gold("plan.pdf", (), "bokas av samordnaren"), Gold("folder/roller.md", (1,), "bokas av samordnaren")),
    gold(Gold("plan.pdf", (3,))),
    gold(Gold("plan.pdf", (1, 2), "gäller i ett år. Lokalen bokas")),  # over the end of a page
    figure(metric="SALES", entity="Norr", period="FY2024", value="12.5", unit="KR"),
    figure(metric="SALES", entity="NORTH", period="FY2031"),
    figure(mode="ask_first"),
]


@pytest.mark.parametrize("case", RIGHT)
def test_what_is_right_is_not_spoken_of(case: Case) -> None:
    assert said(case) == []
    assert not [finding for finding in check_suite(suite_of([case]), HELD) if finding.case_id]


def test_a_check_that_passed_over_words_would_let_wrong_gold_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite_check, "holds", lambda text, snippet: True)
    assert sum(not said(case) for case, told in WRONG if "snippet" in told) == 4


def test_words_that_stand_elsewhere_too_are_to_be_looked_at() -> None:
    told = said(gold(Gold("plan.pdf", (2,), "Lokalen bokas av samordnaren")), wrong=False)
    assert told[0].startswith("gold[0].snippet: its words stand in folder/roller.md p. 1 too")
    # an older version that the home knows to be replaced is no place to name
    assert "gold" not in " ".join(said(gold(Gold("ny.pdf", (1,), "avgiften är 20 kronor")), wrong=False))


def test_a_short_name_that_stands_elsewhere_may_stay_short() -> None:
    (told, *_) = said(gold(Gold("plan.pdf", (2,), "samordnaren")), wrong=False)
    assert "name it as gold where it answers the question as well" in told and "else leave it" in told
    assert "more words" not in told


NESTED = [
    # (snippets of one case, those of which it is told that another holds them)
    (["samordnaren", "Lokalen bokas av samordnaren"], [0]),
    (["bokas av samordnaren", "LOKALEN bokas", "Lokalen bokas av samordnaren"], [0, 1]),
    (["samordnaren", "Samordnaren"], []),  # the same words are one thing in two places, as it should be
    (["lokalen", "bokas av samordnaren"], []),
]


@pytest.mark.parametrize(("snippets", "held"), NESTED)
def test_snippets_that_stand_within_each_other_are_told_since_they_count_as_one(
    snippets: list[str], held: list[int]
) -> None:
    case = gold(*(Gold("plan.pdf", (2,), snippet) for snippet in snippets))
    told = [one for one in said(case, wrong=False) if "count as one thing" in one]
    assert [one.split(".")[0] for one in told] == [f"gold[{number}]" for number in held]
    assert all("take more words into the shorter snippet" in one for one in told)
    assert (len(parts_of(case)) < len({normalise(snippet) for snippet in snippets})) is bool(held)


def test_a_page_that_is_named_beside_the_right_one_is_to_be_looked_at() -> None:
    told = said(gold(Gold("plan.pdf", (1, 3), "styrgruppen beslutar")), wrong=False)
    assert told[0].startswith("gold[0].pages: its words stand on page 1, not on 3")


def test_questions_that_ask_the_same_are_found_whatever_their_wording() -> None:
    first = Case("a", "Vilka mål har projektet?", language="sv", gold=(Gold("plan.pdf"),))
    again = replace(first, id="b", question="Vilka är målen för projektet?")
    other = replace(first, id="c", question="Varför har projektet mål?")
    year = replace(first, id="d", question="Vilka mål har projektet 2024?")
    found = [f for f in check_suite(suite_of([first, again, other, year]), HELD) if f.field == "question"]
    assert found == [Finding("b", "question", "it asks what 'a' asks: both count", wrong=False)]
    denied = replace(again, gold=(), answerable=False)
    found = [f for f in check_suite(suite_of([replace(first, answerable=True), denied]), HELD) if f.field == "question"]
    assert [finding.wrong for finding in found] == [True]


def test_drafts_few_cases_and_types_out_of_balance_are_told() -> None:
    held = [
        Case(str(n), f"Fråga {n} om sak {n}?", type="list", gold=(Gold("plan.pdf"),), draft=n < 5) for n in range(29)
    ]
    told = " ".join(said(*held, Case("x", "Annat?", type="time", gold=(Gold("plan.pdf"),)), wrong=False))
    assert (
        "not looked at yet: 5 of 30 cases." in told
        and "without an answer: 0 of 30 cases." in told
        and "time (1)" in told
    )
    assert "are a start" not in told and "are a start" in " ".join(said(*held[:3], wrong=False))
    assert said(Case("x", "Annat?"), wrong=False)[0].startswith("gold: nothing says what would be right")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("check")
    documents = folder / "documents"
    documents.mkdir()
    (documents / "plan.md").write_text("# Plan\n\n## Beslut\n\nStyrgruppen beslutar om planen i maj.\n", "utf-8")
    yield build_home(folder / "home", documents)


def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", "from ankare.cli.main import run; run()", "eval", "check", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_tells_and_its_exit_code_says_whether_scores_can_be_believed(home: Path, tmp_path: Path) -> None:
    right = Case("a", "När beslutas planen?", type="time", gold=(Gold("plan.md", (1,), "i maj"),))
    write_suite([right], tmp_path / "right.jsonl")
    done = run(tmp_path / "right.jsonl", "--home", home)
    assert done.returncode == 0 and "to look at" in done.stdout and "to correct" not in done.stdout, done.stderr
    write_suite([replace(right, id="\u00e5", gold=(Gold("plan.md", (1,), "i juni"),))], tmp_path / "wrong.jsonl")
    done = run(tmp_path / "wrong.jsonl", "--home", home)
    assert done.returncode == 1 and "å, gold[0].snippet: its words do not stand on page 1" in done.stdout
    body = json.loads(run(tmp_path / "wrong.jsonl", "--home", home, "--json").stdout)
    assert body["cases"] == 1 and body["wrong"] == 1 and body["findings"][0]["field"] == "gold[0].snippet"


def test_a_suite_or_a_home_that_cannot_be_read_is_told(home: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"id": "a"}')
    done = run(tmp_path / "bad.jsonl", "--home", home)
    assert done.returncode == 2 and "line 1, question: it is missing" in done.stderr
    write_suite([], tmp_path / "empty.jsonl")
    done = run(tmp_path / "empty.jsonl", "--home", tmp_path / "nowhere")
    assert done.returncode == 2 and "ankare ingest" in done.stderr and "Traceback" not in done.stderr


def test_the_sample_suite_stands_as_it_says(tmp_path: Path) -> None:
    from ankare.evaluation.suites.suite import read_suite
    from ankare.facts.open import open_store
    from ankare.index.home import Home
    from ankare.ingest.figures.load import load_fact_files
    from ankare.ingest.run import ingest
    from ankare.profile.load import load_profile

    pack = pack_path()
    ingest([pack / "documents"], Home(tmp_path), pack=pack)
    store = open_store(tmp_path / "facts.db", load_profile(pack / "profile.toml"))
    load_fact_files([pack / "facts"], store, store.profile)
    store.close()
    suite = read_suite(pack / "suite.jsonl")
    findings = check_suite(suite, read_holdings(tmp_path, figures_of(suite)))
    assert [finding for finding in findings if finding.wrong] == []
