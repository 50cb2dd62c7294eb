"""Drafts from a home: gold that stands word for word, spread, the same every time, and fewer rather than wrong ones."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ankare.domain.fact import FactKey
from ankare.evaluation.drafting import suggest as suggest_module
from ankare.evaluation.drafting.corpus import Corpus
from ankare.evaluation.drafting.draft import TYPES
from ankare.evaluation.drafting.suggest import Suggestion, Wish, shares, suggest
from ankare.evaluation.suites.check import check_suite
from ankare.evaluation.suites.gold import holds, normalise
from ankare.evaluation.suites.holdings import Holdings, read_holdings
from ankare.evaluation.suites.suite import read_suite, suite_of, write_suite
from ankare.facts.open import open_store
from ankare.index.home import Home
from ankare.ingest.figures.load import load_fact_files
from ankare.ingest.run import ingest
from ankare.profile.load import load_profile
from ankare.sample import pack_path
from tests.service.real import build_home


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Holdings]:
    home, pack = tmp_path_factory.mktemp("suggest"), pack_path()
    ingest([pack / "documents"], Home(home), pack=pack)
    store = open_store(home / "facts.db", load_profile(pack / "profile.toml"))
    load_fact_files([pack / "facts"], store, store.profile)
    store.close()
    yield read_holdings(home)


@pytest.fixture(scope="module")
def drafted(held: Holdings) -> Suggestion:
    return suggest(held, Wish(count=60))


def test_every_draft_is_marked_and_its_gold_stands_word_for_word(held: Holdings, drafted: Suggestion) -> None:
    for case in drafted.cases:
        assert case.draft and case.question and case.type in TYPES and case.language in ("sv", "en", "zh")
        assert bool(case.gold or case.expected) or case.answerable is False
        for gold in case.gold:
            assert gold.snippet in held.text_of(gold.source, gold.pages) and gold.source not in held.superseded
            assert holds(case.reference_answer, gold.snippet), case
    assert [finding for finding in check_suite(suite_of(drafted.cases), held) if finding.wrong] == []


def test_the_reference_answer_is_copied_and_the_question_asked_once(drafted: Suggestion) -> None:
    questions = [normalise(case.question) for case in drafted.cases]
    assert len(set(questions)) == len(questions)
    assert len({case.id for case in drafted.cases}) == len(drafted.cases)


def test_drafts_are_spread_over_types_documents_and_languages(drafted: Suggestion) -> None:
    types = Counter(case.type for case in drafted.cases)
    assert len(types) >= 11 and max(types.values()) <= 12
    assert len({gold.source for case in drafted.cases for gold in case.gold}) >= 7
    assert {case.language for case in drafted.cases} == {"sv", "en", "zh"}
    assert 0.15 < sum(case.answerable is False for case in drafted.cases) / len(drafted.cases) < 0.35


def test_the_same_home_and_seed_give_the_same_and_another_seed_others(held: Holdings, drafted: Suggestion) -> None:
    assert suggest(held, Wish(count=60)).cases == drafted.cases
    assert suggest(held, Wish(count=60, seed=1)).cases != drafted.cases


def test_the_order_of_documents_decides_nothing_but_ties(held: Holdings) -> None:
    turned = replace(held, chunks=tuple(sorted(held.chunks, key=lambda chunk: (chunk.source[::-1], chunk.ordinal))))
    asked = [{case.question for case in suggest(one, Wish(types=("definition",))).cases} for one in (held, turned)]
    assert len(asked[0] & asked[1]) > len(asked[0]) / 2


def test_a_thing_that_the_documents_name_is_not_asked_for_as_unknown(held: Holdings) -> None:
    corpus = Corpus(held)
    assert corpus.lacks("cykeln", "sv") and corpus.lacks("the lighthouse", "en")
    for known in ("styrgruppen", "styrgruppens", "testaren", "the steering committee"):
        assert not corpus.lacks(known, "en" if known.startswith("the") else "sv"), known


def test_figures_are_asked_for_with_what_the_store_holds(held: Holdings, drafted: Suggestion) -> None:
    figures = [case for case in drafted.cases if case.type == "figure"]
    assert len(figures) >= 6
    assert {case.answerable for case in figures} == {True, False}
    for case in figures:
        for expected in case.expected:
            assert bool(expected.value) is case.answerable
            assert expected.status == ("found" if case.answerable else "not_found")


def test_sources_that_disagree_are_all_expected(held: Holdings) -> None:
    key, facts = next((key, facts) for key, facts in held.facts.items() if len({fact.value for fact in facts}) > 1)
    found = suggest(replace(held, facts={key: facts}), Wish(types=("figure",), count=4))
    values = [{expected.value for expected in case.expected} for case in found.cases if case.answerable]
    assert values and all(len(one) == len({fact.value.normalize() for fact in facts}) for one in values)


def test_a_name_that_the_profile_lacks_in_a_language_is_not_made_up(held: Holdings) -> None:
    metrics = tuple(replace(metric, labels={}) for metric in held.profile.metrics)
    found = suggest(replace(held, profile=replace(held.profile, metrics=metrics)), Wish(types=("figure",), count=20))
    assert {case.language for case in found.cases} == {"sv"}


def test_a_period_that_is_not_held_is_the_one_after_the_last(held: Holdings) -> None:
    found = suggest(held, Wish(types=("figure",), count=40))
    for case in (case for case in found.cases if not case.answerable):
        (expected,) = case.expected
        periods = {key.period for key in held.facts if key[:2] == (expected.metric, expected.entity)}
        assert expected.period.removeprefix("FY") not in periods


@pytest.mark.parametrize("kind", TYPES)
def test_one_type_can_be_asked_for_alone(held: Holdings, kind: str) -> None:
    found = suggest(held, Wish(count=4, types=(kind,)))
    assert {case.type for case in found.cases} <= {kind} and len(found.cases) <= 4


def test_one_language_can_be_asked_for_alone(held: Holdings) -> None:
    found = suggest(held, Wish(count=20, languages=("en",)))
    assert found.cases and {case.language for case in found.cases} == {"en"}


def test_fewer_are_told_where_there_are_no_more(held: Holdings) -> None:
    found = suggest(held, Wish(count=400, types=("purpose",)))
    assert 0 < len(found.cases) < 400 and found.short == {"purpose": (len(found.cases), 400)}


@pytest.mark.parametrize("count", [1, 7, 30, 31, 100])
def test_shares_add_up_and_keep_their_proportion(count: int) -> None:
    found = shares(TYPES, count)
    assert sum(found.values()) == count
    assert all(abs(number - suggest_module.SHARES[kind] * count / 39) < 1 for kind, number in found.items())


def test_an_older_version_gives_no_gold(held: Holdings) -> None:
    assert held.superseded
    found = suggest(held, Wish(count=200))
    assert not {gold.source for case in found.cases for gold in case.gold} & held.superseded


def test_what_is_drafted_is_read_back(held: Holdings, drafted: Suggestion, tmp_path: Path) -> None:
    write_suite(drafted.cases, tmp_path / "draft.jsonl")
    assert read_suite(tmp_path / "draft.jsonl").cases == drafted.cases


def test_gold_of_words_that_stand_everywhere_is_no_gold(tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    for number in range(6):
        text = f"# Blad {number}\n\nStyrgruppen beslutar om budgeten.\n\nRegistratorn ansvarar för arkiv nummer {number}.\n"
        (documents / f"blad{number}.md").write_text(text, "utf-8")
    held = read_holdings(build_home(tmp_path / "home", documents))
    found = suggest(held, Wish(count=50, types=("responsibility",)))
    assert not [case for case in found.cases if "budgeten" in case.question]


def test_a_home_with_nothing_to_ask_gives_nothing(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "a.txt").write_text("Utan hel mening", "utf-8")
    found = suggest(read_holdings(build_home(tmp_path / "home", tmp_path / "documents")), Wish(types=("list",)))
    assert found.cases == () and found.short == {"list": (0, 30)}


CHINESE = """# 差旅管理办法

财务部负责审核报销单据。出差申请由部门经理批准。差旅补贴是指出差期间的餐饮和市内交通补助。

如果票据丢失，员工应提交书面说明。报销材料包括申请表、发票、行程单。差旅管理的目的是规范出差行为。
"""


def test_chinese_sentences_are_asked_in_chinese(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "guide.md").write_text(CHINESE, "utf-8")
    found = suggest(read_holdings(build_home(tmp_path / "home", tmp_path / "documents")), Wish(count=30))
    asked = {case.question for case in found.cases}
    assert {"什么是差旅补贴？", "谁负责审核报销单据？", "差旅管理的目的是什么？", "报销材料包括哪些内容？"} <= asked


def test_a_draft_whose_words_stand_in_many_passages_is_passed_over(
    held: Holdings, monkeypatch: pytest.MonkeyPatch
) -> None:
    careful = len([*Corpus(held).drafts()])
    monkeypatch.setattr(Corpus, "specific", lambda self, draft: True)
    assert len([*Corpus(held).drafts()]) >= careful + 5


def test_keys_of_series_are_keys_of_the_store(held: Holdings) -> None:
    assert all(isinstance(key, FactKey) for key in held.facts)
