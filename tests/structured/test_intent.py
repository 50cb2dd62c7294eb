"""How are questions about figures read?"""

from __future__ import annotations

import pytest

from ankare.profile.model import Profile
from ankare.structured.intent import ROUTE_COMPOSITE, ROUTE_NARRATIVE, ROUTE_STRUCTURED, ParsedIntent, parse_intent
from tests.structured.conftest import REFERENCE

FY24 = ("FY", "2024")


def read(question: str, profile: Profile) -> ParsedIntent:
    return parse_intent(question, REFERENCE, profile=profile)


@pytest.mark.parametrize(
    ("question", "metric", "entity", "period", "channel"),
    [
        ("中国内地FY2024的REVENUE是多少", "REVENUE", "ACME_CN", FY24, "TOTAL"),
        ("Vad var omsättningen i Kina 2024?", "REVENUE", "ACME_CN", FY24, "TOTAL"),
        ("Intäkternas storlek i Kina förra året", "REVENUE", "ACME_CN", FY24, "TOTAL"),
        ("Kinas omsättning 2024", "REVENUE", "ACME_CN", FY24, "TOTAL"),
        ("Kina-omsättningen 2024", "REVENUE", "ACME_CN", FY24, "TOTAL"),
        ("koncernens vinst i fjol", "PROFIT", "ACME_GROUP", FY24, "TOTAL"),
        ("What were the group's revenues last year?", "REVENUE", "ACME_GROUP", FY24, "TOTAL"),
        ("How many employees did China have in 2024?", "EMPLOYEES", "ACME_CN", FY24, "TOTAL"),
        ("agenturens omsättning i Kina första halvåret 2024", "REVENUE", "ACME_CN", ("HY", "2024H1"), "AGENCY"),
        ("香港去年营收", "REVENUE", "ACME_HK", FY24, "TOTAL"),
        ("ROE:n för Kina 2024", "ROE", "ACME_CN", FY24, "TOTAL"),
        ("ＲＥＶＥＮＵＥ Kina ２０２４", "REVENUE", "ACME_CN", FY24, "TOTAL"),
        ("Omsa\u0308ttning Kina 2024", "REVENUE", "ACME_CN", FY24, "TOTAL"),
        ("ACME Groups omsättning 2024", "REVENUE", "ACME_GROUP", FY24, "TOTAL"),
        ("REVENUE ACME_CN FY2024", "REVENUE", "ACME_CN", FY24, "TOTAL"),
    ],
)
def test_the_four_slots(
    question: str, metric: str, entity: str, period: tuple[str, str], channel: str, profile: Profile
) -> None:
    found = read(question, profile)
    assert (found.metric, found.entity, found.period, found.channel) == (metric, entity, period, channel)
    assert found.route == ROUTE_STRUCTURED
    assert not found.qualifier and not found.unknown_entity and not found.unknown_channel


@pytest.mark.parametrize(
    "question",
    [
        "Var ligger Monroe?",
        "profiteering is a crime",
        "Ta taxan hem",
        "Vill du se planen?",
        "Kinaresan blev av",
        "rovaxoner i fält",
    ],
)
def test_a_name_inside_another_word_is_no_match(question: str, profile: Profile) -> None:
    found = read(question, profile)
    assert (found.metric, found.entity, found.external_entity) == (None, None, None)


def test_a_short_name_in_capitals_counts_only_in_capitals(profile: Profile) -> None:
    assert read("Omsättning SE 2024", profile).entity == "ACME_SE"
    assert read("Kan jag se omsättning 2024", profile).entity is None


@pytest.mark.parametrize(
    ("question", "route"),
    [
        ("Varför minskade vinsten i Kina 2024?", ROUTE_COMPOSITE),
        ("Explain the revenue of China in 2024", ROUTE_COMPOSITE),
        ("为什么中国2024年利润下降？", ROUTE_COMPOSITE),
        ("Hur många skrivare finns det?", ROUTE_STRUCTURED),
        ("Vem beslutar om planen?", ROUTE_NARRATIVE),
        ("What is a steering group?", ROUTE_NARRATIVE),
        ("什么是指导小组？", ROUTE_NARRATIVE),
    ],
)
def test_the_route(question: str, route: str, profile: Profile) -> None:
    assert read(question, profile).route == route


def test_every_match_by_position_and_without_repeats(profile: Profile) -> None:
    found = read("Vinst och omsättning för Hongkong, Kina och Hongkong 2024 och 2023", profile)
    assert found.metrics == ("PROFIT", "REVENUE")
    assert found.entities == ("ACME_HK", "ACME_CN")
    assert found.periods == (("FY", "2024"), ("FY", "2023"))


@pytest.mark.parametrize(
    ("question", "qualifier"),
    [
        ("omsättning utan Kina 2024", "utan Kina"),
        ("omsättning exklusive Hongkong 2024", "exklusive Hongkong"),
        ("profit per share in China 2024", "per share"),
        ("omsättning per anställd i Kina 2024", "per anställd"),
        ("revenue excluding VAT in China 2024", "excluding VAT"),
        ("不含香港2024年营收", "不含香港"),
        ("2024年营收香港除外", "香港除外"),
        ("中国2024年每股利润", "每股"),
        ("operating profit China 2024", "operating profit"),
        ("justerad omsättning Kina 2024", "justerad omsättning"),
        ("中国2024年毛利润", "毛利润"),
        ("利润率2024年中国", "利润率"),
    ],
)
def test_what_changes_the_meaning_is_kept(question: str, qualifier: str, profile: Profile) -> None:
    assert read(question, profile).qualifier == qualifier


def test_an_excluded_entity_is_not_the_entity(profile: Profile) -> None:
    assert read("omsättning utan Kina 2024", profile).entity is None
    assert read("不含香港2024年营收", profile).entity is None


@pytest.mark.parametrize(
    ("question", "entity"),
    [
        ("omsättning i Brasilien 2024", "Brasilien"),
        ("omsättningen för brasilien 2024", "brasilien"),
        ("What was revenue in Brazil in 2024?", "Brazil"),
        ("巴西2024年的营收是多少", "巴西"),
    ],
)
def test_an_unknown_entity_is_told(question: str, entity: str, profile: Profile) -> None:
    found = read(question, profile)
    assert found.entity is None and found.unknown_entity == entity


@pytest.mark.parametrize(
    ("question", "channel"),
    [
        ("omsättning Kina via webben 2024", "webben"),
        ("revenue China through brokers 2024", "brokers"),
        ("omsättning i kanalen Butik för Kina 2024", "Butik"),
        ("revenue in the web channel China 2024", "web"),
        ("中国2024年网络渠道营收", "网络"),
    ],
)
def test_an_unknown_channel_is_told(question: str, channel: str, profile: Profile) -> None:
    assert read(question, profile).unknown_channel == channel


def test_a_stray_number_is_no_period(profile: Profile) -> None:
    assert read("Hade koncernen fler än 1850 anställda?", profile).periods == ()


def test_a_time_without_granularity_is_no_year(profile: Profile) -> None:
    found = read("omsättning Kina 15 mars 2024", profile)
    assert found.period is None and found.unreadable_period == "15 mars 2024"


def test_reading_is_the_same_for_every_profile_in_the_process(profile: Profile) -> None:
    from dataclasses import replace

    other = replace(profile, metrics=profile.metrics[1:])
    assert read("omsättning Kina 2024", other).metric is None
    assert read("omsättning Kina 2024", profile).metric == "REVENUE"


@pytest.mark.parametrize(
    ("question", "count", "first"),
    [
        ("omsättning per kvartal i Kina 2024", 4, ("QUARTER", "2024Q1")),
        ("quarterly revenue China 2024", 4, ("QUARTER", "2024Q1")),
        ("omsättning månadsvis Kina 2023 och 2024", 24, ("MONTH", "2023-01")),
        ("中国2024年每半年营收", 2, ("HY", "2024H1")),
        ("omsättning per år Kina 2023 och 2024", 2, ("FY", "2023")),
    ],
)
def test_a_year_may_be_asked_for_in_steps(question: str, count: int, first: tuple[str, str], profile: Profile) -> None:
    found = read(question, profile)
    assert (len(found.periods), found.period, found.qualifier, found.entity) == (count, first, None, "ACME_CN")


@pytest.mark.parametrize(
    "question", ["vinst efter skatt Kina 2024", "profit before tax China 2024", "税后利润中国2024年"]
)
def test_before_and_after_something_is_another_metric(question: str, profile: Profile) -> None:
    assert read(question, profile).qualifier


@pytest.mark.parametrize(
    "question",
    [
        "högst omsättning 2024",
        "budgeterad omsättning Kina 2024",
        "average revenue China 2023 and 2024",
        "sammanlagd omsättning för Kina och Hongkong 2024",
        "combined revenue of China and Hong Kong in 2023",
        "中国2024年平均营收",
        "中国和香港2024年营收合计",
    ],
)
def test_ranks_means_sums_and_plans_are_other_figures(question: str, profile: Profile) -> None:
    assert read(question, profile).qualifier


def test_a_total_of_one_thing_is_that_thing(profile: Profile) -> None:
    assert read("Kinas sammanlagda omsättning 2024", profile).qualifier is None
    assert read("中国2024年营收合计", profile).qualifier is None


@pytest.mark.parametrize(
    ("question", "metric"),
    [
        ("Vad var omsätningen i Kina 2024?", "REVENUE"),
        ("What was the revnue in China 2024?", "REVENUE"),
        ("anstälda Kina 2024", "EMPLOYEES"),
    ],
)
def test_a_misspelt_metric_is_asked_about_and_never_taken_for_granted(
    question: str, metric: str, profile: Profile
) -> None:
    found = read(question, profile)
    assert found.metric is None and found.near_metrics == (metric,) and found.route == ROUTE_STRUCTURED


@pytest.mark.parametrize("question", ["Vem ansvarar för utbildningen 2024?", "Hur många lokaler behövs?"])
def test_words_of_the_language_are_not_misspelt_metrics(question: str, profile: Profile) -> None:
    assert read(question, profile).near_metrics == ()


@pytest.mark.parametrize(
    "question",
    [
        "all but China revenue 2024",
        "all revenue but China 2024",
        "omsättning ej Kina 2024",
        "omsättning icke Kina 2024",
        "koncernens omsättning, dock ej Kina, 2024",
        "omsättning Kina undantaget 2024",
        "omsättning med Kina borträknat 2024",
        "koncernens omsättning om Kina tas bort 2024",
        "omsättning i koncernen 2024 excluding China",
        "revenue of the group 2024 exklusive Kina",
        "集团2024年营收 utan Kina",
        "koncernens omsättning 2024 不含中国",
        "omsättning Kina inte 2023",
        "omsättning alla bolag ej Kina 2024",
        "hälften av omsättningen i Kina 2024",
        "double the revenue in China in 2024",
        "中国2024年营收的一半",
        "hur stor del av omsättningen 2024 kom från Kina",
        "omsättning Kina H1 2024 minus Q1 2024",
        "omsättning utan Kina och Hongkong 2024",
        "goal of revenue China 2024",
    ],
)
def test_no_exclusion_and_no_part_is_overlooked(question: str, profile: Profile) -> None:
    assert read(question, profile).qualifier


@pytest.mark.parametrize(
    ("question", "entity", "period"),
    [
        ("China2023年营收", "ACME_CN", ("FY", "2023")),
        ("Hong Kong2024年3月营收", "ACME_HK", ("MONTH", "2024-03")),
        ("香港和China2024年营收", "ACME_HK", FY24),
        ("omsättning 2024koncernen", "ACME_GROUP", FY24),
    ],
)
def test_a_name_and_a_year_may_be_written_together(
    question: str, entity: str, period: tuple[str, str], profile: Profile
) -> None:
    found = read(question, profile)
    assert (found.metric, found.entity, found.period) == ("REVENUE", entity, period)


@pytest.mark.parametrize(
    "question",
    [
        "omsättning Kina marz 2024",
        "revenue China Febuary 2024",
        "tredje kvartlet 2024 omsättning Kina",
        "omsättning Kina 20024",
    ],
)
def test_a_misspelt_time_is_not_widened(question: str, profile: Profile) -> None:
    found = read(question, profile)
    assert found.period is None and found.unreadable_period


@pytest.fixture(scope="module")
def look_alikes() -> Profile:
    from ankare.profile.load import parse_profile

    text = (
        '[home]\nentity = "A"\nlanguages = ["sv", "en"]\n[entities.A]\nlabel = "Norden"\n[entities.B]\nlabel = "Nord"\n'
    )
    return parse_profile((text + '[metrics.Z]\nlabel = "Return"\n[metrics.Y]\nlabel = "Returns"\n').encode())


@pytest.mark.parametrize(
    ("question", "metric", "entity"),
    [
        ("return Nord 2024", "Z", "B"),
        ("returns Norden 2024", "Y", "A"),
        ("Return Nord 2024", "Z", "B"),
    ],
)
def test_of_two_names_the_one_that_stands_there_counts(
    question: str, metric: str, entity: str, look_alikes: Profile
) -> None:
    found = read(question, look_alikes)
    assert (found.metric, found.entity) == (metric, entity)


def test_a_form_of_two_names_is_asked_about(look_alikes: Profile) -> None:
    found = read("return Nordens 2024", look_alikes)
    assert found.entity is None and found.unknown_entity == "Nordens"


@pytest.mark.parametrize(
    "question",
    [
        "Nya anställda Kina 2024",
        "New employees China 2024",
        "Part-time employees in China 2024",
        "Other revenue China 2024",
        "Minst omsättning 2024",
        "2024年中国营收占比",
        "I don't want revenue, I want profit for China 2023",
        "anställda med utländsk bakgrund Kina 2024",
        "Totala intäkter för alla bolag 2024",
    ],
)
def test_what_restricts_a_metric_is_not_overlooked(question: str, profile: Profile) -> None:
    assert read(question, profile).qualifier


@pytest.mark.parametrize(
    "question",
    [
        "Hur många anställda registrerades i Kina 2024?",
        "How much revenue was reported in China in 2024?",
        "Vilken omsättning hade vårt bolag i Kina under 2024?",
        "Show me our total revenue for China in 2024, please",
        "Kan du ta fram den totala omsättningen för Kina 2024?",
        "请问我们公司中国2024年的营收是多少？",
        "中國2024年營收",
        "omsättning i Kina vid utgången av 2024",
    ],
)
def test_how_people_ask_is_no_qualifier(question: str, profile: Profile) -> None:
    found = read(question, profile)
    assert (found.qualifier, found.entity, found.period) == (None, "ACME_CN", FY24)


@pytest.mark.parametrize(
    "question",
    [
        "anställda över 65 år i Kina 2024",
        "Hur många av de anställda i Kina är chefer 2024?",
        "omsättning för lärare i Kina 2024",
        "Hur mycket budgeterades för omsättning i Kina 2024?",
        "Vad är helårsprognosen för omsättning i Kina 2024?",
        "omsättning i Kina och Brasilien 2024",
    ],
)
def test_a_part_of_what_is_counted_is_asked_about(question: str, profile: Profile) -> None:
    assert read(question, profile).qualifier


def test_what_entities_are_called_stands_for_each_of_them() -> None:
    from ankare.profile.load import parse_profile

    text = '[home]\nentity = "K"\n[entities.K]\nlabel = "Staden"\n[entities.S]\nlabel = "Socialförvaltningen"\n'
    text += '[entities.U]\nlabel = "Utbildningsförvaltningen"\n[metrics.N]\nlabel = "Nettokostnad"\n'
    found = parse_intent("Nettokostnad per förvaltning 2024", REFERENCE, profile=parse_profile(text.encode()))
    assert found.entities == ("S", "U") and found.qualifier is None


def test_a_fall_is_no_season(profile: Profile) -> None:
    found = read("Did China's revenue fall in 2024?", profile)
    assert found.change and found.period == FY24
