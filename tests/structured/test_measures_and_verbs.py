"""What a question measures by, which verb it uses and which of several it asks for decide what is asked: tables of cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import pytest

from ankare import MockProvider, answer_question
from ankare.channels import figures
from ankare.channels.answer_question import AgentResult
from ankare.channels.figures import NarrativePassage
from ankare.domain.fact import Fact
from ankare.facts.sqlite import SqliteFactStore
from ankare.profile.load import parse_profile
from ankare.structured import intent as reading

REFERENCE = date(2026, 5, 20)
PROFILE = parse_profile(
    """
[home]
company = "Granvik kommun"
entity = "GRANVIK"
language = "sv"
languages = ["sv", "en", "zh"]
[entities.GRANVIK]
label = "Granvik"
[entities.NORTH]
label = "Norra distriktet"
labels = {en = "the northern district", zh = "北区"}
aliases = ["norra distriktet", "northern district"]
[entities.SOUTH]
label = "Södra distriktet"
labels = {en = "the southern district", zh = "南区"}
aliases = ["södra distriktet", "southern district"]
[metrics.PUPILS]
label = "Elever i grundskolan"
labels = {en = "Pupils in primary school", zh = "小学的学生"}
unit = "PERSONS"
[metrics.INCOME]
label = "Intäkter"
labels = {en = "Revenue", zh = "营收"}
unit = "SEK_M"
[metrics.COST]
label = "Kostnad per elev"
labels = {en = "Cost per pupil", zh = "生均支出"}
unit = "SEK"
[metrics.MEALS]
label = "Skolmåltider"
labels = {en = "School meals", zh = "校餐"}
unit = "SEK_K"
[metrics.PEOPLE]
label = "Folkmängd"
labels = {en = "Population", zh = "人口"}
aliases = ["invånare", "inhabitants"]
unit = "PERSONS"
[metrics.TAX]
label = "Skattesats"
labels = {en = "Tax rate", zh = "税率"}
unit = "%"
[metrics.TIME]
label = "Handläggningstid"
labels = {en = "Processing time", zh = "办理时长"}
unit = "dagar"
[metrics.LORRY]
label = "Sopbilar"
labels = {en = "Lorries", zh = "垃圾车"}
unit = "ton"
""".encode()
)


def fact(metric: str, entity: str, period: str, value: str, **more: str) -> Fact:
    unit = next(one.unit for one in PROFILE.metrics if one.code == metric)
    doc = more.get("doc", "Bok.xlsx")
    return Fact(metric, entity, "", "TOTAL", "FY", period, value, more.get("unit", unit), doc, f"A!{period}")  # type: ignore[arg-type]


HELD = (
    *(fact("PUPILS", "GRANVIK", year, value) for year, value in (("2023", "1760"), ("2024", "1790"))),
    *(fact("COST", "GRANVIK", year, value) for year, value in (("2023", "121000"), ("2024", "125000"))),
    fact("MEALS", "GRANVIK", "2024", "9100"),
    fact("TIME", "GRANVIK", "2024", "31"),
    fact("LORRY", "GRANVIK", "2024", "12"),
    *(fact("TAX", "GRANVIK", year, value) for year, value in (("2023", "21.3"), ("2024", "21.5"), ("2025", "21.9"))),
    *(fact("PEOPLE", one, "2024", value) for one, value in (("GRANVIK", "9000"), ("NORTH", "4100"), ("SOUTH", "4900"))),
    *(fact("PEOPLE", one, "2025", value) for one, value in (("GRANVIK", "9010"), ("NORTH", "4105"), ("SOUTH", "4905"))),
    *(fact("INCOME", one, "2024", value) for one, value in (("GRANVIK", "100"), ("NORTH", "40"), ("SOUTH", "60.5"))),
    *(fact("INCOME", one, "2023", value) for one, value in (("GRANVIK", "90"), ("NORTH", "50"))),
    *(fact("INCOME", one, "2022", "70") for one in ("GRANVIK", "NORTH", "SOUTH")),
    fact("INCOME", "SOUTH", "2022", "71", doc="Press.csv"),
    *(fact("INCOME", one, "2021", "70") for one in ("GRANVIK", "NORTH")),
    fact("INCOME", "SOUTH", "2021", "70000", unit="SEK_K"),
)  # fmt: skip


@pytest.fixture(scope="module")
def held() -> Iterator[SqliteFactStore]:
    store = SqliteFactStore(":memory:", PROFILE)
    store.init_schema()
    store.add_facts(HELD)
    yield store
    store.close()


class Silent:
    """Documents that have nothing to say."""

    def retrieve(self, question: str) -> Sequence[NarrativePassage]:
        return ()


def ask(question: str, store: SqliteFactStore) -> AgentResult:
    return answer_question(question, store, MockProvider(), reference_date=REFERENCE, narrative_retriever=Silent())


def told(result: AgentResult) -> list[str]:
    """What was looked up."""
    keys = [one.key for one in result.tool_results if one.key is not None]
    return [f"{key.metric_code} {key.entity} {key.period}" for key in keys]


UNFIT = [
    ("Hur mycket kostade en elev i grundskolan 2024?", "COST"),
    ("Hur mycket kostar elever i grundskolan 2024?", "COST"),
    ("Vad har elever i grundskolan kostat 2024?", "COST"),
    ("Vad var elevkostnaden för elever i grundskolan 2024?", "COST"),
    ("Hur mycket betalades för elever i grundskolan 2024?", "COST"),
    ("Vad tjänade invånarna 2024?", "INCOME"),
    ("Hur dyra var eleverna i grundskolan 2024?", "COST"),
    ("Hur många kronor är elever i grundskolan 2024?", "COST"),
    ("Hur många procent elever i grundskolan 2024?", "TAX"),
    ("Hur länge gick eleverna i grundskolan 2024?", "TIME"),
    ("Hur lång tid tog invånarna 2024?", "TIME"),
    ("Hur mycket väger eleverna i grundskolan 2024?", "LORRY"),
    ("Hur tunga är invånarna 2024?", "LORRY"),
    ("Hur gamla är eleverna i grundskolan 2024?", "TIME"),
    ("How much did a pupil in primary school cost in 2024?", "COST"),
    ("What was the price of pupils in primary school in 2024?", "COST"),
    ("What did inhabitants earn in 2024?", "INCOME"),
    ("How much was paid for pupils in primary school in 2024?", "COST"),
    ("How long were pupils in primary school in 2024?", "TIME"),
    ("How heavy were the inhabitants in 2024?", "LORRY"),
    ("2024年小学的学生花费多少？", "COST"),
    ("2024年人口多少钱？", "INCOME"),
    ("2024年小学的学生多重？", "LORRY"),
    ("2024年人口要多久？", "TIME"),
]


@pytest.mark.parametrize(("question", "first"), UNFIT)
def test_a_measure_that_does_not_fit_is_asked_back_and_fitting_metrics_come_first(
    question: str, first: str, held: SqliteFactStore
) -> None:
    result = ask(question, held)
    assert (result.clarification.mode, told(result)) == ("ask_first", [])
    options = result.clarification.narrowing_options
    assert [line.split()[0] for line in told(ask(options[0].question, held))] == [first]
    for option in options:
        assert ask(option.question, held).answered, option.question


class Prices(Silent):
    """Documents that tell a price."""

    def retrieve(self, question: str) -> Sequence[NarrativePassage]:
        return (NarrativePassage("En elev i grundskolan kostar 8 kronor om dagen.", "Taxa.pdf", "1"),)


def test_without_a_time_the_documents_may_tell_what_no_metric_does(held: SqliteFactStore) -> None:
    def asked(question: str) -> AgentResult:
        return answer_question(question, held, MockProvider(), reference_date=REFERENCE, narrative_retriever=Prices())

    assert asked("Hur mycket kostar en elev i grundskolan?").route == "narrative"
    assert asked("Hur mycket kostade en elev i grundskolan 2024?").clarification.mode == "ask_first"


def test_a_reading_that_overlooks_measures_fails_it(held: SqliteFactStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "unfit", lambda *_: None)
    answered = [question for question, _ in UNFIT if ask(question, held).answered]
    assert len(answered) > len(UNFIT) // 3


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Hur mycket kostade skolmåltider 2024?", "MEALS GRANVIK 2024"),
        ("Hur mycket kostar skolmåltiderna 2024?", "MEALS GRANVIK 2024"),
        ("Vad kostade skolmåltiderna 2024 i kronor?", "MEALS GRANVIK 2024"),
        ("Hur mycket pengar var intäkterna 2024?", "INCOME GRANVIK 2024"),
        ("Hur lång var handläggningstiden 2024?", "TIME GRANVIK 2024"),
        ("Hur mycket väger sopbilarna 2024?", "LORRY GRANVIK 2024"),
        ("How much did school meals cost in 2024?", "MEALS GRANVIK 2024"),
        ("How long was the processing time in 2024?", "TIME GRANVIK 2024"),
        ("How much do lorries weigh in 2024?", "LORRY GRANVIK 2024"),
        ("2024年校餐多少钱？", "MEALS GRANVIK 2024"),
        ("2024年办理时长多久？", "TIME GRANVIK 2024"),
    ],
)
def test_a_measure_that_fits_is_answered(question: str, found: str, held: SqliteFactStore) -> None:
    result = ask(question, held)
    assert result.answered and told(result) == [found]
    assert "inte vägts in" not in result.answer and "not taken into account" not in result.answer


@pytest.mark.parametrize(
    "question", ["Vad var intäkter och lön 2024?", "What was revenue and cost in 2024?", "2024年营收和成本是多少？"]
)
def test_a_noun_of_the_same_kind_is_not_passed_over(question: str, held: SqliteFactStore) -> None:
    result = ask(question, held)
    said = ("inte vägts in", "not taken into account", "未被考虑")
    assert result.clarification.mode == "ask_first" or any(one in result.answer for one in said)


@pytest.mark.parametrize(
    "question",
    [
        "Hur många elever finns i grundskolan 2024?",
        "Hur många elever är det i grundskolan 2024?",
        "Hur många elever fanns det i grundskolan 2024?",
        "Hur många elever har funnits i grundskolan 2024?",
        "Hur många elever går i grundskolan 2024?",
        "How many pupils are there in primary school in 2024?",
        "How many pupils were in primary school in 2024?",
        "How many pupils have there been in primary school in 2024?",
        "2024年小学有多少学生？",
    ],
)
def test_a_word_that_changes_nothing_hides_no_name(question: str, held: SqliteFactStore) -> None:
    assert told(ask(question, held)) == ["PUPILS GRANVIK 2024"]


@pytest.mark.parametrize(
    "question", ["Hur många elever slutade i grundskolan 2024?", "How many pupils, and are there in primary school?"]
)
def test_another_word_or_a_stop_ends_a_name(question: str, held: SqliteFactStore) -> None:
    assert told(ask(question, held)) == []


def test_a_name_without_its_period_is_not_refused_flat(held: SqliteFactStore) -> None:
    result = ask("Hur många elever finns i grundskolan?", held)
    assert result.route == "structured" and result.clarification.narrowing_options[0].label == "2024"


@pytest.mark.parametrize("verb", ["bor", "bodde", "har bott", "lever", "levde"])
def test_the_forms_of_a_verb_are_treated_alike(verb: str, held: SqliteFactStore) -> None:
    result = ask(f"Hur många invånare {verb} i norra distriktet 2024?", held)
    assert told(result) == ["PEOPLE NORTH 2024"] and verb.split()[-1] in result.answer


@pytest.mark.parametrize("verb", ["live", "lived", "are living", "have lived", "reside"])
def test_the_forms_of_an_english_verb_are_treated_alike(verb: str, held: SqliteFactStore) -> None:
    assert told(ask(f"How many inhabitants {verb} in the northern district in 2024?", held)) == ["PEOPLE NORTH 2024"]


@pytest.mark.parametrize(
    "question",
    [
        "Hur många invånare flyttar från norra distriktet 2024?",
        "Hur många invånare flyttade från norra distriktet 2024?",
        "Hur många invånare i norra distriktet dog 2024?",
        "How many inhabitants moved from the northern district in 2024?",
        "How many inhabitants arrive in the northern district in 2024?",
    ],
)
def test_a_verb_that_makes_another_figure_is_asked_back_in_every_form(question: str, held: SqliteFactStore) -> None:
    assert ask(question, held).clarification.mode == "ask_first"


CHANGES = [
    *(f"Hur mycket {verb} skattesatsen 2025?" for verb in ("höjdes", "höjs", "ökade", "ökar", "steg", "sänktes", "sjönk")),
    *(f"Hur mycket har skattesatsen {verb} 2025?" for verb in ("höjts", "sänkts", "ökat", "minskat", "växt", "ändrats")),
    "Hur förändrades skattesatsen 2025?",
    "Hur mycket högre blev skattesatsen 2025?",
    "How much higher was the tax rate in 2025?",
    "Hur har skattesatsen utvecklats 2025?",
    *(f"How much did the tax rate {verb} in 2025?" for verb in ("rise", "grow", "change", "drop", "fall", "shrink")),
    *(f"How much was the tax rate {verb} in 2025?" for verb in ("raised", "cut", "lowered", "reduced", "increased")),
    "By how much has the tax rate been rising in 2025?",
    *(f"2025年税率{verb}了多少？" for verb in ("提高", "上调", "下调", "增长", "下降", "上涨", "改变")),
]  # fmt: skip


@pytest.mark.parametrize("question", CHANGES)
def test_a_verb_of_change_with_one_period_means_the_difference_from_the_one_before(
    question: str, held: SqliteFactStore
) -> None:
    result = ask(question, held)
    assert told(result) == ["TAX GRANVIK 2024", "TAX GRANVIK 2025"]
    assert "0,4" in result.answer or "0.4" in result.answer
    assert any(said in result.answer for said in ("året före", "the year before", "上年同期"))


@pytest.mark.parametrize(
    ("question", "periods"),
    [
        ("Hur har skattesatsen förändrats sedan 2023?", 3),
        ("Hur mycket har skattesatsen höjts sedan 2024?", 2),
        ("How much has the tax rate been raised since 2023?", 3),
        ("2023年以来税率提高了多少？", 3),
    ],
)
def test_a_change_over_a_span_is_told_from_its_first_to_its_last(
    question: str, periods: int, held: SqliteFactStore
) -> None:
    result = ask(question, held)
    assert len(told(result)) == periods and ("0,4" in result.answer or "0.6" in result.answer or "0,6" in result.answer)


RANKS = [
    ("Vilket bolag hade högst intäkter 2024?", ["GRANVIK", "SOUTH", "NORTH"]),
    ("Vilken enhet hade lägst intäkter 2024?", ["NORTH", "SOUTH", "GRANVIK"]),
    ("Vilket distrikt hade störst intäkter 2024?", ["SOUTH", "NORTH"]),
    ("Vem hade de minsta intäkterna 2024?", ["NORTH", "SOUTH", "GRANVIK"]),
    ("Vilket distrikt har flest invånare?", ["SOUTH", "NORTH"]),
    ("Which entity had the highest revenue in 2024?", ["GRANVIK", "SOUTH", "NORTH"]),
    ("Which district had the lowest revenue in 2024?", ["NORTH", "SOUTH"]),
    ("2024年哪个实体的营收最高？", ["GRANVIK", "SOUTH", "NORTH"]),
    ("2024年哪家的营收最低？", ["NORTH", "SOUTH", "GRANVIK"]),
]


@pytest.mark.parametrize(("question", "order"), RANKS)
def test_a_rank_is_told_with_every_row_where_all_are_held(
    question: str, order: list[str], held: SqliteFactStore
) -> None:
    result = ask(question, held)
    labels = {one.code: one.label_in(result.language) for one in PROFILE.entities}
    places = [result.answer.index(labels[code]) for code in order]
    assert result.answered and places == sorted(places) and len(told(result)) == len(order)


def test_a_ranking_that_is_not_put_in_order_fails_it(held: SqliteFactStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "in_order", lambda results, rank: tuple(one.key for one in results))
    labels = {one.code: one.label for one in PROFILE.entities}
    answer = ask("Vilken enhet hade lägst intäkter 2024?", held).answer
    assert answer.index(labels["GRANVIK"]) < answer.index(labels["NORTH"])


@pytest.mark.parametrize(
    "question",
    [
        "Vilket bolag hade högst intäkter 2023?",  # one is missing
        "Vilket bolag hade högst intäkter 2022?",  # one has two values
        "Vilket bolag hade högst intäkter 2021?",  # one is in another unit
        "Vilket år var intäkterna högst?",
        "Vilken produkt hade högst intäkter 2024?",
        "Vilket bolag i Finland hade högst intäkter 2024?",
        "Högst intäkter 2024",
        "Vilket bolag hade högst intäkter i norra distriktet 2024?",
        "Which year had the highest revenue?",
        "Which company had the highest revenue in 2023?",
        "2023年哪个公司的营收最高？",
        "哪年的营收最高？",
    ],
)
def test_a_rank_that_cannot_be_told_is_asked_back(question: str, held: SqliteFactStore) -> None:
    result = ask(question, held)
    assert result.clarification.mode == "ask_first" and told(result) == []
    for option in result.clarification.narrowing_options:
        assert ask(option.question, held).answered, option.question


def test_all_of_them_is_the_first_choice_and_tells_what_is_missing(held: SqliteFactStore) -> None:
    for question, missing in (
        ("Vilket bolag hade högst intäkter 2023?", "Södra distriktet, 2023: ingen uppgift"),
        ("Which company had the highest revenue in 2023?", "the southern district, 2023: no figure"),
        ("2023年哪个公司的营收最高？", "南区，2023年：没有数据"),
    ):
        first = ask(question, held).clarification.narrowing_options[0]
        result = ask(first.question, held)
        assert len(told(result)) == 3 and missing in result.answer


NEWEST = [
    ("Hur stor är kostnaden per elev?", "Det senaste som finns är 2024", "2024"),
    ("Kostnad per elev 2026?", "Det senaste som finns är 2024", "2024"),
    ("Kostnad per elev första kvartalet 2025", "Det senaste som finns är 2024", "2024"),
    ("What is the cost per pupil?", "The newest one held is for 2024", "2024"),
    ("生均支出是多少？", "现有的最新数据是2024年的", "2024年"),
]


@pytest.mark.parametrize(("question", "said", "label"), NEWEST)
def test_what_is_held_instead_is_said_at_once_and_one_click_away(
    question: str, said: str, label: str, held: SqliteFactStore
) -> None:
    result = ask(question, held)
    first = result.clarification.narrowing_options[0]
    assert not result.answered and said in result.answer and first.label == label
    assert told(ask(first.question, held)) == ["COST GRANVIK 2024"] and ask(first.question, held).answered


@pytest.mark.parametrize(
    "question", ["Kostnad per elev första halvåret 2024", "Skolmåltider för norra distriktet 2024"]
)
def test_nothing_newer_is_named_where_the_year_is_held_or_nothing_is(question: str, held: SqliteFactStore) -> None:
    result = ask(question, held)
    assert not result.answered and "senaste som finns" not in result.answer
