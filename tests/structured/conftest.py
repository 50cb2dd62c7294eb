"""A small group with figures, for the tests of the structured channel."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from ankare.domain.fact import Fact
from ankare.facts.sqlite import SqliteFactStore
from ankare.profile.load import parse_profile
from ankare.profile.model import Profile

REFERENCE = date(2025, 5, 20)
PROFILE = """
[home]
company = "ACME Group"
entity = "ACME_GROUP"
language = "sv"
languages = ["sv", "en", "zh"]
[entities.ACME_GROUP]
label = "ACME-koncernen"
labels = {en = "the ACME group", zh = "ACME集团"}
aliases = ["koncernen", "the group", "集团"]
[entities.ACME_CN]
label = "ACME Kina"
labels = {en = "ACME China"}
aliases = ["Kina", "China", "中国内地", "中国"]
geography = "CN"
[entities.ACME_HK]
label = "ACME Hongkong"
labels = {en = "ACME Hong Kong"}
aliases = ["Hongkong", "Hong Kong", "香港"]
geography = "HK"
[entities.ACME_SE]
label = "ACME Sverige"
aliases = ["Sverige", "SE"]
[metrics.REVENUE]
label = "Omsättning"
labels = {en = "Revenue"}
aliases = ["omsättning", "intäkter", "revenue", "营收"]
unit = "USD_M"
[metrics.PROFIT]
label = "Vinst"
labels = {en = "Profit"}
aliases = ["profit", "vinst", "利润"]
unit = "USD_M"
[metrics.ROE]
label = "Räntabilitet"
aliases = ["ROE"]
unit = "%"
[metrics.EMPLOYEES]
label = "Antal anställda"
labels = {en = "Employees"}
aliases = ["anställda", "employees", "headcount", "员工人数"]
unit = "st"
[channels.AGENCY]
label = "Agentur"
aliases = ["agentur", "agency", "代理"]
[external_entities]
"Jing An" = ["竞安", "中国竞安", "jingan", "jing an"]
"Axo" = ["axo"]
"""


@pytest.fixture(scope="session")
def profile() -> Profile:
    return parse_profile(PROFILE.encode())


@pytest.fixture(scope="session")
def store(profile: Profile) -> Iterator[SqliteFactStore]:
    store = SqliteFactStore(":memory:", profile)
    store.init_schema()
    store.add_facts(FACTS)
    yield store
    store.close()


def fact(metric: str, entity: str, period_type: str, period: str, value: str, unit: str = "USD_M", **more: str) -> Fact:
    """A fact of the small group."""
    channel, doc = more.pop("channel", "TOTAL"), more.pop("doc", "Bokslut.xlsx")
    locator = more.pop("locator", f"Blad1!{metric[0]}{entity[-1]}{period[-2:]}")
    return Fact(metric, entity, "", channel, period_type, period, value, unit, doc, locator, **more)  # type: ignore[arg-type]


FACTS = (
    fact("REVENUE", "ACME_CN", "FY", "2022", "1100"),
    fact("REVENUE", "ACME_CN", "FY", "2023", "1200.5"),
    fact("REVENUE", "ACME_CN", "FY", "2024", "1320.5"),
    fact("REVENUE", "ACME_CN", "HY", "2024H1", "610.125"),
    fact("REVENUE", "ACME_CN", "HY", "2024H1", "200", channel="AGENCY", locator="Blad1!A1"),
    fact("REVENUE", "ACME_HK", "FY", "2023", "300"),
    fact("REVENUE", "ACME_HK", "FY", "2024", "310.25"),
    fact("REVENUE", "ACME_HK", "FY", "2024", "311", doc="Press.csv", locator="row 2"),
    fact("REVENUE", "ACME_GROUP", "FY", "2024", "2000"),
    fact("PROFIT", "ACME_CN", "FY", "2023", "-10"),
    fact("PROFIT", "ACME_CN", "FY", "2024", "-12.5"),
    fact("PROFIT", "ACME_HK", "FY", "2024", "5", review_status="pending"),
    fact("ROE", "ACME_CN", "FY", "2023", "12", "%"),
    fact("ROE", "ACME_CN", "FY", "2024", "15", "%"),
    fact("EMPLOYEES", "ACME_CN", "FY", "2024", "1450", "st"),
)
