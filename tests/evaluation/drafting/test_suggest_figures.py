"""Questions for figures: whole sentences, how many or how large by the unit, with names as they stand inside a sentence."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ankare.domain.fact import Fact
from ankare.evaluation.drafting.figures import figure_drafts
from ankare.evaluation.suites.holdings import Holdings
from ankare.profile.load import parse_profile

PROFILE = """
[home]
language = "sv"
languages = ["sv", "en", "zh"]
[entities.ALL]
label = "Alla distrikt"
labels = {{ en = "All districts", zh = "全部" }}
[entities.NORTH]
label = "Norra Sunnanå"
labels = {{ en = "Northern Sunnanå" }}
[metrics.M]
label = "{sv}"
labels = {{ en = "{en}" }}
unit = "{unit}"
"""

ASKED = [
    # (Swedish label, English label, unit, how it is asked in each)
    ("Medlemmar", "Members", "COUNT", "Hur många medlemmar hade", "How many members did"),
    ("Antal anställda", "Number of employees", "PERSONS", "Hur många anställda hade", "How many employees did"),
    ("Skogsolyckor", "Forest accidents", "st", "Hur många skogsolyckor hade", "How many forest accidents did"),
    (
        "Driftkostnad",
        "Operating cost",
        "SEK_K",
        "Hur stor var driftkostnaden för",
        "How large was the operating cost for",
    ),
    ("Rörelseresultat", "Profit", "SEK_M", "Hur stort var rörelseresultatet för", "How large was the profit for"),
    ("Intäkter", "Fees", "SEK_M", "Hur stora var intäkterna för", "How large were the fees for"),
    ("Vinst per aktie", "EPS", "SEK", "Hur stor var vinsten per aktie för", "How large was the EPS for"),
    ("Årlig qwzx", "Yearly qwzx", "SEK", "Vilket värde hade ”Årlig qwzx” för", "How large was the yearly qwzx for"),
]


def held(sv: str, en: str, unit: str, entity: str) -> Holdings:
    profile = parse_profile(PROFILE.format(sv=sv, en=en, unit=unit).encode())
    fact = Fact("M", entity, "", "TOTAL", "FY", "2024", "12", unit, "bok.xlsx", "A1")  # type: ignore[arg-type]
    return Holdings({}, (), profile, {fact.key: (fact,)})


def asked(holdings: Holdings, code: str) -> Iterator[str]:
    return (one.question for one in figure_drafts(holdings, [code]) if one.held)


@pytest.mark.parametrize(("sv", "en", "unit", "swedish", "english"), ASKED)
def test_a_count_is_asked_how_many_and_an_amount_how_large(
    sv: str, en: str, unit: str, swedish: str, english: str
) -> None:
    figures = held(sv, en, unit, "NORTH")
    have = " have" if english.endswith("did") else ""
    assert [*asked(figures, "sv")] == [f"{swedish} Norra Sunnanå under 2024?"]
    assert [*asked(figures, "en")] == [f"{english} Northern Sunnanå{have} in 2024?"]


def test_a_label_that_is_no_name_stands_in_small_letters() -> None:
    figures = held("Medlemmar", "Members", "COUNT", "ALL")
    assert [*asked(figures, "sv")] == ["Hur många medlemmar hade alla distrikt under 2024?"]
    assert [*asked(figures, "en")] == ["How many members did all districts have in 2024?"]


def test_what_the_profile_has_no_name_for_in_a_language_is_not_asked_there() -> None:
    figures = held("Medlemmar", "Members", "COUNT", "ALL")
    metrics = tuple(replace(metric, labels={}) for metric in figures.profile.metrics)
    assert [*asked(replace(figures, profile=replace(figures.profile, metrics=metrics)), "zh")] == []


def test_every_figure_question_of_the_sample_is_read_as_the_figure_that_it_was_made_for(tmp_path: Path) -> None:
    from ankare.evaluation.suites.holdings import read_holdings
    from ankare.facts.open import open_store
    from ankare.index.home import Home
    from ankare.ingest.figures.load import load_fact_files
    from ankare.ingest.run import ingest
    from ankare.profile.load import load_profile
    from ankare.sample import pack_path

    pack = pack_path()
    ingest([pack / "documents"], Home(tmp_path), pack=pack)
    store = open_store(tmp_path / "facts.db", load_profile(pack / "profile.toml"))
    load_fact_files([pack / "facts"], store, store.profile)
    store.close()
    questions = [one.question for one in figure_drafts(read_holdings(tmp_path), ["sv", "en", "zh"])]
    assert len(questions) > 100 and all(question[-1] in "?？" for question in questions)
    assert all(not question.split(" ")[0].endswith(("för", "of")) for question in questions)
    assert {question.split(" ")[0] for question in questions if question.isascii()} <= {"How", "Hur", "Vilket"}
