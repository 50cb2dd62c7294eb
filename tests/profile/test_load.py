"""What a profile may say, and how each mistake in one is told with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ankare.errors import ProfileError
from ankare.profile.load import load_profile, parse_profile
from ankare.profile.model import Profile, RelatedPage

WHOLE = """
[home]
company = "ACME Group"
entity = "ACME_GROUP"
language = "sv"
languages = ["sv", "en", "zh"]

[entities.ACME_GROUP]
label = "ACME-koncernen"
aliases = ["koncernen", "the group", "集团"]

[entities.ACME_CN]
label = "ACME Kina"
aliases = ["Kina", "中国"]
geography = "CN"

[metrics.REVENUE]
label = "Omsättning"
aliases = ["intäkter"]
unit = "USD_M"

[channels.AGENCY]
aliases = ["agentur"]

[external_entities]
"Jing An" = ["竞安", "jingan"]

[documents]
allowed_types = ["pdf", ".DOCX", "htm"]
allowed_urls = ["https://example.org/plan"]
base_url = "https://example.org/pdfs/"

[[related_pages]]
when_source = "Mallar_*"
label = "Mallar"
url = "https://example.org/mallar"

[synonyms]
helpdesk = ["support", "användarstöd"]
"driftstöd" = ["support"]

[questions]
examples = ["Vad är drift?"]
"""


def test_a_whole_profile() -> None:
    profile = parse_profile(WHOLE.encode())
    assert profile.home.entity == "ACME_GROUP"
    assert [entity.code for entity in profile.entities] == ["ACME_GROUP", "ACME_CN"]
    assert profile.channels[0].label == "AGENCY"
    assert profile.documents.allowed_types == ("pdf", "docx", "html")
    assert profile.synonyms["driftstöd"] == ("support",)
    assert profile.examples == ("Vad är drift?",)


def test_without_a_profile_everything_is_allowed() -> None:
    assert parse_profile(b"") == Profile()
    assert Profile().documents.allows("xlsx")


def test_only_the_types_of_the_profile_are_allowed() -> None:
    rules = parse_profile(WHOLE.encode()).documents
    assert rules.allows("pdf")
    assert not rules.allows("xlsx")


def test_related_pages_fit_by_pattern_in_any_case() -> None:
    page = RelatedPage("Mallar_*", "Mallar", "u")
    assert page.fits("mallar_plan.pdf")
    assert page.fits("under/Mallar_plan.pdf")
    assert not page.fits("plan_Mallar_.pdf")


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ('[synonyms]\ndriftstöd = ["a"]', 2, '"driftstöd"'),
        ("[entities.Malmö]\nlabel = 'M'", 1, '"Malmö"'),
        ("[home]\n\nfirm = 'A'", 3, "firm"),
        ("colour = 'red'", 1, "colour"),
        ("[home]\nentity = 'X'\n[entities.Y]\nlabel='Y'", 2, "X"),
        ("[entities.A]\naliases=['x']\n[entities.B]\naliases=['y',\n'X']", 4, "both A and B"),
        ("[metrics.A]\naliases=['x']\n[metrics.x]\nunit='1'", 3, "both A and x"),
        ("[external_entities]\nA=['x']\nB=['x']", 3, "both A and B"),
        ("[documents]\nallowed_types=['exe']", 2, "exe"),
        ("[documents]\nallowed_urls=['file:///etc/passwd']", 2, "web address"),
        ("[home]\ncompany = 3", 2, "text"),
        ("[home]\nlanguages = 'sv'", 2, "list"),
        ("[home]\nlanguage = 'de'", 2, "de"),
        ("[home]\ncompany = 'A", 2, "TOML"),
        ("[[related_pages]]\nlabel='x'", 1, "when_source"),
        ("synonyms = 3", 1, "table"),
    ],
)
def test_an_error_names_file_line_and_remedy(text: str, line: int, part: str) -> None:
    with pytest.raises(ProfileError) as told:
        parse_profile(text.encode(), "min/profile.toml")
    assert f"min/profile.toml, line {line}:" in told.value.message
    assert part in str(told.value)
    assert told.value.remedy


def test_bytes_that_are_not_utf8_name_the_line() -> None:
    with pytest.raises(ProfileError, match="line 2"):
        parse_profile("[home]\ncompany = 'å'".encode("latin-1"))


def test_a_missing_file_is_a_profile_error(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="cannot be read"):
        load_profile(tmp_path / "profile.toml")


FIGURES = """[home]
company = "Hem AB"
entity = "A"
[entities.A]
aliases = ["Norr"]
[metrics.M]
label = "Mått"
[channels.C]
label = "Kanal"
[external_entities]
"Annat" = ["annan"]
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('label = "Kanal"', 'label = "norr"', 9, "names both A and C"),
        ('label = "Mått"', 'label = "Ｎorr"', 7, "names both A and M"),
        ('["annan"]', '["NORR"]', 11, "names both A and Annat"),
        ('"Hem AB"', '"Annat"', 11, "names both A and Annat"),
        ('aliases = ["Norr"]', 'languages = ["no"]', 5, "unknown key"),
        ('company = "Hem AB"', 'languages = ["sv", "no"]', 2, "no language 'no'"),
        ('label = "Mått"', 'format = "share"', 7, "unknown format"),
        ('label = "Mått"', 'labels = ["x"]', 7, "not a table of texts"),
    ],
)
def test_a_broken_profile_of_figures_is_told_with_its_line(old: str, new: str, line: int, said: str) -> None:
    with pytest.raises(ProfileError) as caught:
        parse_profile(FIGURES.replace(old, new).encode())
    assert f"line {line}:" in str(caught.value) and said in str(caught.value)


def test_the_languages_of_a_profile_are_those_with_a_pack() -> None:
    from ankare.language.languages import LANGUAGE_CODES
    from ankare.profile.model import LANGUAGES

    assert LANGUAGES == LANGUAGE_CODES
