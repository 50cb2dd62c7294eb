"""CSV files as people save them: each row a figure with its row as source, or a fault with its place."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from ankare.domain.fact import FactKey, ReviewStatus
from ankare.errors import FactFileError
from tests.ingest.figures.making import HEADER, PROFILE, csv_file, faults_of, places, read, shown


def test_a_row_is_a_figure_with_its_row_as_source(tmp_path: Path) -> None:
    path = csv_file(tmp_path, f"{HEADER}\nREVENUE,ACME,2024,1320.50,USD_M\n")
    (fact,) = read(path).facts
    assert fact.key == FactKey("REVENUE", "ACME", "FY", "2024", "TOTAL")
    assert (str(fact.value), fact.unit, fact.review_status) == ("1320.50", "USD_M", ReviewStatus.APPROVED)
    assert (fact.source_doc_id, fact.source_locator, fact.source_file) == ("tal.csv", "row 2", str(path))
    assert (fact.source_file_hash, fact.confidence, fact.valid_as_of) == (read(path).sha256, None, "")


@pytest.mark.parametrize(
    "text",
    [
        "metric,entity,period,value,unit\nREVENUE,ACME,2024,1320.5,USD_M\n",
        "metric;entity;period;value;unit\nREVENUE;ACME;2024;1 320,5;USD_M\n",
        "metric\tentity\tperiod\tvalue\tunit\nREVENUE\tACME\t2024\t1 320,5\tUSD_M\n",
        "\ufeffmetric;entity;period;value;unit\r\nREVENUE;ACME;2024;1\u00a0320,5;MUSD\r\n",
        " Metric ; ENTITY;Period;VALUE; unit\n intäkter ;Koncernen; FY2024 ;1320,5; USD million\n",
        'unit,value,period,entity,metric\nUSD_M,"1,320.5",2024,ACME-koncernen,Omsättning\n',
        "sep=;\r\nmetric;entity;period;value;unit\r\nREVENUE;ACME;2024;1320,5;USD_M",
        "nyckeltal;Bolag;period;VÄRDE;enhet;kanal\nOmsättning;koncernen;2024;1320,5;MUSD;\n",
        "mått;företag;period;utfall;unit;anm\nOmsättning;koncernen;2024;1320,5;MUSD;\n",
        "指标,公司,期间,数值,单位\n营收,集团,2024,1320.5,百万美元\n",
        "metric,entity,period,value,unit\n营收,集团,２０２４,１３２０．５,百万美元\n",
        "\n\nmetric,entity,period,value,unit\n,,,,\nREVENUE,ACME,2024,1320.5,USD_M,,\n\n",
    ],
    ids=[
        "comma",
        "semicolon",
        "tab",
        "mark and CRLF",
        "spaces and case",
        "quotes",
        "sep line",
        "Swedish columns",
        "columns of two languages",
        "Chinese columns",
        "Chinese",
        "empty rows",
    ],
)
def test_every_usual_way_to_save_a_table_gives_the_same_figure(text: str, tmp_path: Path) -> None:
    assert shown(read(csv_file(tmp_path, text)).facts) == ["REVENUE ACME 2024 1320.5 USD_M"]


@pytest.mark.parametrize(
    ("written", "period"),
    [
        ("T1 2024", "2024T1"),
        ("2024T2", "2024T2"),
        ("2024 T3", "2024T3"),
        ("tertial 1 2024", "2024T1"),
        ("Första tertialet 2024", "2024T1"),
        ("second tertial of 2024", "2024T2"),
        ("2024年第三个四个月期", "2024T3"),
    ],
)
def test_a_tertial_is_a_period_of_a_row(written: str, period: str, tmp_path: Path) -> None:
    (only,) = read(csv_file(tmp_path, f"metric,entity,period,value,unit\nREVENUE,ACME,{written},1,USD_M\n")).facts
    assert (only.period_type, only.period) == ("TERTIAL", period)


def test_optional_columns_are_read(tmp_path: Path) -> None:
    path = csv_file(
        tmp_path,
        f"{HEADER},channel,source_doc,source_locator,valid_as_of,review_status,confidence,geography\n"
        "REVENUE,Kina,2024Q1,5,USD_M,Agentur,Rapport.pdf,s. 7,2025-02-01,Pending,0.9,HK\n"
        "REVENUE,Kina,2024Q2,6,USD_M,,Rapport.pdf,,,,,\n"
        "REVENUE,Kina,2024Q3,7,USD_M,,,tabell 3,,,,\n",
    )
    first, second, third = read(path).facts
    assert (first.channel, first.geography, first.valid_as_of) == ("AGENCY", "HK", "2025-02-01")
    assert (first.review_status, first.confidence) == (ReviewStatus.PENDING, Decimal("0.9"))
    assert (second.channel, second.geography, second.review_status) == ("TOTAL", "CN", ReviewStatus.APPROVED)
    assert places([first, second, third]) == [("Rapport.pdf", "s. 7"), ("Rapport.pdf", ""), ("tal.csv", "tabell 3")]


def test_rows_are_named_by_the_line_they_begin_on(tmp_path: Path) -> None:
    text = f'{HEADER},note\nREVENUE,ACME,2023,1,USD_M,"two\nlines"\nREVENUE,ACME,2024,2,USD_M,\n'
    found = read(csv_file(tmp_path, text))
    assert [locator for _, locator in places(found.facts)] == ["row 2", "row 4"]
    assert found.notes == ("columns not used: note",)


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("REVENU,ACME,2024,1,USD_M", "row 2: metric: unknown metric 'REVENU'; near it: REVENUE"),
        ("Omsätning,ACME,2024,1,USD_M", "near it: 'Omsättning' (REVENUE)"),
        ("REVENUE,Mars,2024,1,USD_M", "unknown entity 'Mars'; the profile lists ACME, ACME_CN"),
        (",ACME,2024,1,USD_M", "row 2: metric: no metric"),
        ("REVENUE,ACME,,1,USD_M", "row 2: period: no period"),
        ("REVENUE,ACME,i fjol,1,USD_M", "'i fjol' is no period"),
        ("REVENUE,ACME,2024Q5,1,USD_M", "'2024Q5' is no period"),
        ("REVENUE,ACME,2024-03-01,1,USD_M", "is no period"),
        *(
            (
                f"REVENUE,ACME,{tertial},1,USD_M",
                f"period: '{tertial}' is no period: write a year (2024), a half-year (2024H1), a tertial (2024T1),",
            )
            for tertial in ("T4 2024", "2024T4", "1T 2024", "tertialet 2024", "T-1 2024")
        ),
        ("REVENUE,ACME,T1,1,USD_M", "period: 'T1' names no year: write the year with it"),
        ("REVENUE,ACME,2024,,USD_M", "row 2: value: no value"),
        ("REVENUE,ACME,2024,n/a,USD_M", "'n/a' is no number"),
        ("REVENUE,ACME,2024,-,USD_M", "'-' is no number: leave the row out"),
        ("REVENUE,ACME,2024,saknas,USD_M", "'saknas' is no number: leave the row out, or write the value"),
        (
            "REVENUE,ACME,2024,12 kr,USD_M",
            "'12 kr' is no number: write the digits alone; the unit has a place of its own",
        ),
        ("REVENUE,ACME,2024,1e6,USD_M", "exponent"),
        ("REVENUE,ACME,2024,inf,USD_M", "is no number"),
        (
            "REVENUE,ACME,2024,12,%",
            "which is given in USD_M: write a currency, alone or in thousands or millions, such as USD, USD_K",
        ),
        ("MARGIN,ACME,2024,12,pengar", "the unit 'pengar' does not go with MARGIN, which is given in %: write %"),
        ("MARGIN,ACME,2024,12,SEK", "the unit 'SEK' does not go with MARGIN"),
        ("REVENUE,ACME,2024,12 %,USD_M", "a percent, where the unit is USD_M"),
        ("WATER,ACME,2024,12,", "no unit, and the profile gives none for WATER"),
        ("WATER,ACME,2024,12,miljoner", "the unit 'miljoner' names no currency: write, for example, SEK million"),
        ("REVENUE,ACME,2024,1320,5", "'5' is no unit; a value with a decimal comma needs quotes"),
        ("REVENUE,ACME,2024,1320,5,USD_M", "more cells than the header"),
    ],
)
def test_a_bad_row_is_refused_with_its_place_and_the_reason(row: str, fault: str, tmp_path: Path) -> None:
    (found,) = faults_of(csv_file(tmp_path, f"{HEADER}\n{row}\n"))
    assert found.startswith("row 2: ")
    assert fault in found


@pytest.mark.parametrize(
    ("column", "cell", "fault"),
    [
        ("channel", "Butik", "unknown channel 'Butik'; the profile lists AGENCY"),
        ("valid_as_of", "1 feb 2025", "'1 feb 2025' is no date: write it as 2025-02-01"),
        ("valid_as_of", "2025-02-30", "is no date"),
        ("review_status", "ok", "unknown review status 'ok'; known are approved, pending, rejected"),
        ("confidence", "2", "a confidence lies between 0 and 1, not at 2"),
        ("confidence", "high", "'high' is no number"),
        ("source_doc", "x" * 2000, "at most 1,000"),
        ("source_doc", "a\u0007b", "control character"),
    ],
)
def test_a_bad_cell_of_an_optional_column_is_refused(column: str, cell: str, fault: str, tmp_path: Path) -> None:
    (found,) = faults_of(csv_file(tmp_path, f"{HEADER},{column}\nREVENUE,ACME,2024,1,USD_M,{cell}\n"))
    assert found.startswith(f"row 2: {column}: ")
    assert fault in found


def test_all_that_is_wrong_with_a_row_is_told_at_once(tmp_path: Path) -> None:
    found = faults_of(csv_file(tmp_path, f"{HEADER}\nX,Y,Z,n/a,USD_M\n"))
    assert [fault.split(": ")[1] for fault in found] == ["metric", "entity", "period", "value"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "tal.csv: The file is empty."),
        (b"\n\n ,,\n", "tal.csv: There is no table of figures in it"),
        (b"a,b\n1,2\n", "There is no table of figures in it"),
        (b"metric,entity,period,value\nREVENUE,ACME,2024,1\n", "The first row lacks the columns unit."),
        (HEADER.encode(), "There are no figures in it."),
        (b"metric,entity,Metric,period,value,unit\n", "row 1: the column metric is there 2 times."),
        (
            "metric;bolag;period;värde;enhet;nyckeltal\n".encode(),
            "row 1: the columns metric and nyckeltal both name the metric. Keep one of them.",
        ),
        (
            b"nyckeltal;bolag;period;belopp;utfall;enhet\n",
            "row 1: the columns belopp and utfall both name the value.",
        ),
        (
            HEADER.encode() + b"\nREVENUE,ACME,2024,1,kr\xf6\n",
            "Row 2 is not UTF-8 (byte 0xF6). Save it as CSV in UTF-8.",
        ),
        (HEADER.encode() + b"\nREVENUE,ACME,2024,1,\0\n", "Row 2 holds a NUL byte."),
        (HEADER.encode("utf-16"), "The file is in UTF-16. Save it as CSV in UTF-8."),
        (HEADER.encode() + b'\n"REVENUE,ACME,2024,1,kr\n', "Row 2 is not CSV"),
        (b"%PDF-1.7\n", "It is PDF, no table."),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "Office format from before 2007"),
        (b"PK\x03\x04broken", "truncated or damaged"),
    ],
)
def test_a_file_that_is_no_table_is_refused_with_what_to_do(content: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(FactFileError) as told:
        read(csv_file(tmp_path, content))
    assert message in str(told.value)
    assert "tal.csv" in str(told.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FactFileError, match=r"nix\.csv cannot be read: No such file"):
        read(tmp_path / "nix.csv")


def test_the_first_twenty_faults_are_told_and_how_many_more(tmp_path: Path) -> None:
    rows = "\n".join("REVENUE,ACME,2024,n/a,USD_M" for _ in range(30))
    with pytest.raises(FactFileError) as told:
        read(csv_file(tmp_path, f"{HEADER}\n{rows}\n"))
    assert "tal.csv has 30 faults, so nothing of it was taken in. row 2: value" in str(told.value)
    assert "row 21: value" in str(told.value)
    assert "row 22" not in str(told.value)
    assert "; and 10 more." in str(told.value)
    assert len(told.value.faults) == 30


def test_bad_rows_are_skipped_only_on_request(tmp_path: Path) -> None:
    path = csv_file(tmp_path, f"{HEADER}\nREVENUE,ACME,2023,1,USD_M\nREVENUE,ACME,2024,n/a,USD_M\n")
    found = read(path, skip_bad=True)
    assert shown(found.facts) == ["REVENUE ACME 2023 1 USD_M"]
    assert [fault.place for fault in found.faults] == ["row 3"]


def test_a_file_of_bad_rows_only_is_refused_all_the_same(tmp_path: Path) -> None:
    with pytest.raises(FactFileError, match="No row is without a fault"):
        read(csv_file(tmp_path, f"{HEADER}\nREVENUE,ACME,2024,n/a,USD_M\n"), skip_bad=True)


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("USD_M", "USD_M"),
        ("MUSD", "USD_M"),
        ("$m", "USD_M"),
        ("百万美元", "USD_M"),
        ("MSEK", "SEK_M"),
        ("tkr", "SEK_K"),
    ],
)
def test_spellings_of_a_unit_become_one_and_another_currency_is_kept(written: str, stored: str, tmp_path: Path) -> None:
    (fact,) = read(csv_file(tmp_path, f"{HEADER}\nREVENUE,ACME,2024,1,{written}\n")).facts
    assert fact.unit == stored


def test_a_missing_unit_is_the_profiles_and_that_is_told(tmp_path: Path) -> None:
    found = read(csv_file(tmp_path, f"{HEADER}\nREVENUE,ACME,2024,1,\nSTAFF,ACME,2024,12,st\n"))
    assert [fact.unit for fact in found.facts] == ["USD_M", "COUNT"]
    assert found.notes == ("the profile's unit was taken for 1 figure without one",)


def test_more_figures_than_one_file_may_hold_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ankare.ingest.figures.read.MAX_FIGURES", 3)
    rows = "\n".join(f"REVENUE,ACME,{2000 + at},1,USD_M" for at in range(4))
    with pytest.raises(FactFileError, match=r"more than 3 figures\. Split it"):
        read(csv_file(tmp_path, f"{HEADER}\n{rows}\n"))


def test_columns_are_named_in_the_languages_of_the_profile_only(tmp_path: Path) -> None:
    path = csv_file(tmp_path, "nyckeltal;bolag;period;värde;enhet;källa\nREVENUE;ACME;2024;5;MUSD;Bokslut.pdf\n")
    assert places(read(path).facts) == [("Bokslut.pdf", "")]
    english = replace(PROFILE, home=replace(PROFILE.home, language="en", languages=("en",)))
    (fault,) = faults_of(path, profile=english)
    assert "The first row lacks the columns metric, entity, value, unit." in fault


@pytest.mark.parametrize(
    "heading",
    [
        *("Nämnd", "förvaltning", "Verksamhet", "avdelning", "Kommun", "organisation", "dotterbolag"),
        *("Department", "division", "organization", "company", "municipality", "部门", "机构"),
    ],
)
def test_a_part_of_an_organisation_has_many_names_in_a_header(tmp_path: Path, heading: str) -> None:
    path = csv_file(tmp_path, f"metric;{heading};period;value;unit\nREVENUE;ACME;2024;5;MUSD\n")
    assert [fact.entity for fact in read(path).facts] == ["ACME"]


def test_a_column_that_lacks_is_told_with_the_names_that_it_may_have(tmp_path: Path) -> None:
    (fault,) = faults_of(csv_file(tmp_path, "metric;ort;period;value;unit\nREVENUE;ACME;2024;5;MUSD\n"))
    assert "The first row lacks the columns entity." in fault
    assert "entity may be called entity, bolag" in fault and "nämnd" in fault and "department" in fault
    assert "unit may be called" not in fault
