"""What a job has to say about a file, each reader is told in their own language, with codes and values for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.service.library.jobs import Job, JobState
from ankare.service.library.remarks import job_body
from tests.service.librarian import ADMIN, FIGURES, Librarian, opened, pack_of


@pytest.fixture(scope="module")
def librarian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Librarian]:
    folder = tmp_path_factory.mktemp("remarks")
    ingest([pack_of(folder / "pack")], Home(folder / "home"), workers=1)
    with opened(folder / "home") as somebody:
        yield somebody


def remarks_on(librarian: Librarian, name: str, lang: str) -> list[dict[str, Any]]:
    """The remarks on a file in the newest job, in a language."""
    job = librarian.get("jobs", lang=lang)["jobs"][0]
    (file,) = [file for file in job["report"]["files"] if file["source"].endswith(name)]
    found: list[dict[str, Any]] = file["remarks"]
    return found


REFUSED = {
    "sv": (
        "fel.csv har 1 fel, så ingenting av den togs in.",
        "rad 2: värde: 'tolv' är inget tal: ta bort raden, eller skriv värdet",
        "Rätta det och lägg till filen igen.",
    ),
    "en": (
        "fel.csv has 1 fault, so nothing of it was taken in.",
        "row 2: value: 'tolv' is no number: leave the row out, or write the value",
        "Correct it and add the file again.",
    ),
}


@pytest.mark.parametrize("lang", REFUSED)
def test_a_bad_row_is_told_in_the_readers_language_with_place_field_and_remedy(librarian: Librarian, lang: str) -> None:
    librarian.take_in("fel.csv", FIGURES.format("tolv"), replace="true")
    head, remedy = remarks_on(librarian, "fel.csv", lang)
    assert (head["text"], head["rows"], remedy["text"]) == (REFUSED[lang][0], [REFUSED[lang][1]], REFUSED[lang][2])
    assert (head["language"], head["code"], remedy["code"]) == (lang, "refused", "do_correct")
    (row,) = head["values"]["rows"]
    assert (row["code"], row["values"]["place"]) == ("at", "row 2")
    what = row["values"]["what"]["values"]
    assert (what["field"]["code"], what["what"]["code"]) == ("field_value", "number_missing")
    assert what["what"]["values"]["text"] == "'tolv'"


def test_a_browser_that_asks_in_no_language_of_ours_gets_english(librarian: Librarian) -> None:
    librarian.take_in("fel.csv", FIGURES.format("tolv"), replace="true")
    told = librarian.client.get("/api/admin/jobs", headers={**ADMIN, "Accept-Language": "fi"}).json()
    assert told["jobs"][0]["report"]["files"][0]["remarks"][0]["language"] == "en"
    told = librarian.client.get("/api/admin/jobs", headers={**ADMIN, "Accept-Language": "sv"}).json()
    assert told["jobs"][0]["report"]["files"][0]["remarks"][0]["language"] == "sv"


def test_conflicts_and_skipped_files_are_told_in_swedish(librarian: Librarian) -> None:
    librarian.take_in("ena.csv", FIGURES.format(5))
    librarian.take_in("andra.csv", FIGURES.format(7))
    assert [told["text"] for told in remarks_on(librarian, "andra.csv", "sv")] == [
        "1 siffra motsägs av en annan källa; se ”Siffror att ta ställning till”"
    ]
    librarian.take_in("dold.csv", "namn;ort\nAnna;Lund\n")
    librarian.take_in("dold.csv", "namn;ort\n" + "A" * 1_000_001, replace="true")
    assert [told["text"] for told in remarks_on(librarian, "dold.csv", "sv")] == [
        "En rad i filen har fler än 1\u00a0000\u00a0000 tecken.",
        "Kontrollera dess citattecken.",
        "Det som lästs ur den tidigare står kvar.",
    ]


def test_a_document_that_was_read_before_keeps_its_codes(librarian: Librarian) -> None:
    librarian.take_in("tom.md", "<!-- -->\n")
    librarian.done(librarian.delete("files/tom.md"))
    librarian.take_in("tom.md", "<!-- -->\n")
    assert [told["text"] for told in remarks_on(librarian, "tom.md", "sv")] == ["ingen text hittades"]


def job_with(**file: Any) -> Job:
    whole = {"source": "a.csv", "status": "failed", "chunks": 0, "pages": 0, "pages_without_text": [], "facts": 0}
    report = {"files": [{**whole, **file}], "version": "v", "built": False, "documents": 0, "chunks": 0, "facts": 0}
    return Job("1", JobState.FINISHED, report=json.loads(json.dumps(report)))


OLD = {
    "a job of an earlier ankare": {},
    "codes that nobody knows": {"remarks": [{"code": "of_another", "values": {"n": 1}, "text": "The lake is frozen."}]},
    "values that do not fit": {"remarks": [{"code": "csv_nul", "values": {}, "text": "The lake is frozen."}]},
    "a text": {"remarks": ["The lake is frozen."]},
    "values of another form": {"remarks": [{"code": "csv_nul", "values": 4, "text": "The lake is frozen."}]},
}


@pytest.mark.parametrize("file", OLD.values(), ids=OLD)
def test_what_has_no_words_in_the_readers_language_shows_its_text_as_english(file: dict[str, Any]) -> None:
    body = job_body(job_with(message="The lake is frozen.", **file), "sv")
    assert body.report is not None
    (told,) = body.report.files[0].remarks
    assert (told.text, told.language) == ("The lake is frozen.", "en")


def test_a_job_without_anything_to_say_has_no_remarks() -> None:
    report = job_body(job_with(message=""), "sv").report
    assert report is not None
    assert report.files[0].remarks == []
