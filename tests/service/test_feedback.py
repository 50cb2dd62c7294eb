"""A thumb is on the disk before its giver is thanked, tells nobody which answers there are, and leaves as a harmless table."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from ankare.cli.main import app as command
from ankare.errors import HomeMissingError
from ankare.service.app import create_app
from ankare.service.problem import ProblemError
from ankare.service.watch import feedback
from ankare.service.watch.feedback import (
    NAMES,
    FeedbackRecord,
    FeedbackStore,
    Rating,
    Why,
    harmless,
    moment,
    read_feedback,
    write_csv,
)
from ankare.service.watch.redaction import Redaction
from ankare.settings import Settings
from tests.service.conftest import Service
from tests.service.scripted import ScriptedEngine, ScriptedShelf

ID = "0123456789abcdef0123456789abcdef"
TOKEN = "the-token-of-the-library"  # noqa: S105 - of this test


def give(service: Service, **said: Any) -> int:
    answer = service.client.post("/api/feedback", json={"answer_id": ID, "rating": "up", **said})
    assert answer.status_code != 204 or answer.content == b""
    return answer.status_code


def test_feedback_carries_what_is_known_of_its_answer(service: Service, tmp_path: Path) -> None:
    body = service.client.post("/api/ask", json={"question": "Det saknas"}).json()
    assert give(service, answer_id=body["answer_id"], rating="down", reason="should_have_answered") == 204
    (record,) = read_feedback(tmp_path)
    assert (record.rating, record.reason) == ("down", "should_have_answered")
    assert (record.outcome, record.outcome_reason) == ("refused", "subject_not_covered")
    assert (record.channel, record.route, record.origin) == ("api", "narrative", "refusal")
    assert (record.index_version, record.revision) == ("v1", "abc123")
    assert (record.comment, record.question) == ("", "")


def test_an_answer_that_nobody_knows_is_thanked_for_alike(service: Service, tmp_path: Path) -> None:
    known = service.client.post("/api/ask", json={"question": "Vilka etapper finns?"}).json()["answer_id"]
    answers = [service.client.post("/api/feedback", json={"answer_id": i, "rating": "up"}) for i in (known, ID)]
    assert [answer.status_code for answer in answers] == [204, 204]
    assert {answer.content for answer in answers} == {b""}
    assert [record.outcome for record in read_feedback(tmp_path)] == ["answered", ""]


def test_a_comment_and_a_question_are_kept_where_they_were_sent(service: Service, tmp_path: Path) -> None:
    assert give(service, comment="  Sista steget saknas. ", question="Vilka etapper finns?") == 204
    (record,) = read_feedback(tmp_path)
    assert (record.comment, record.question) == ("Sista steget saknas.", "Vilka etapper finns?")


@pytest.mark.parametrize("reason", Why)
@pytest.mark.parametrize("rating", Rating)
def test_every_rating_and_reason_is_taken(service: Service, rating: str, reason: str) -> None:
    assert give(service, rating=rating, reason=reason) == 204


@pytest.mark.parametrize(
    "said",
    [
        {"answer_id": "x"},
        {"answer_id": ID.upper()},
        {"answer_id": f"{ID}\n"},
        {"answer_id": None},
        {"answer_id": "../" + ID},
        {"rating": "sideways"},
        {"rating": 1},
        {"reason": "because"},
        {"comment": "x" * 2001},
        {"comment": 5},
        {"question": "x" * 2001},
        {"unknown": 1},
    ],
    ids=str,
)
def test_anything_else_is_400_and_kept_nowhere(service: Service, tmp_path: Path, said: dict[str, object]) -> None:
    assert give(service, **said) == 400
    assert list(read_feedback(tmp_path)) == []


def test_no_key_is_kept_and_half_a_character_breaks_nothing(service: Service, tmp_path: Path) -> None:
    comment = r"Authorization: Bearer hf_unknownToken.123== a\ud800b"
    said = f'{{"answer_id": "{ID}", "rating": "up", "comment": "{comment}"}}'
    assert service.client.post("/api/feedback", content=said).status_code in (204, 400)
    assert give(service, comment="Bearer hf_unknownToken.123==") == 204
    out = io.StringIO()
    write_csv(read_feedback(tmp_path), out)
    out.getvalue().encode("utf-8")
    held = (tmp_path / "feedback/feedback.jsonl").read_text("utf-8")
    assert "hf_unknownToken" not in held
    assert "***" in held


def test_thumbs_are_counted(service: Service) -> None:
    give(service)
    give(service, rating="down", reason="wrong")
    shown = service.client.get("/metrics").text
    assert 'ankare_feedback_total{rating="up",reason="none"} 1.0' in shown
    assert 'ankare_feedback_total{rating="down",reason="wrong"} 1.0' in shown


def test_a_home_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    store = FeedbackStore(tmp_path / "home", Redaction((), 100))
    with pytest.raises(HomeMissingError):
        store.keep(FeedbackRecord(ID, "up"))
    assert list(tmp_path.iterdir()) == []


def test_a_full_folder_turns_feedback_away_and_loses_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedback, "MOST_BYTES", 2000)
    monkeypatch.setattr(feedback, "PART_BYTES", 500)
    store, kept = FeedbackStore(tmp_path, Redaction((), 100)), 0
    with pytest.raises(ProblemError) as caught:
        while True:
            store.keep(FeedbackRecord(ID, "up", comment=str(kept)))
            kept += 1
    assert (caught.value.status, caught.value.retry_after) == (503, 3600)
    assert [record.comment for record in read_feedback(tmp_path)] == [str(n) for n in range(kept)]


def test_feedback_that_cannot_be_written_is_not_thanked_for(service: Service, tmp_path: Path) -> None:
    (tmp_path / "feedback").write_text("in the way")
    assert give(service) == 503


def test_processes_keep_every_thumb(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from ankare.service.watch.feedback import FeedbackRecord, FeedbackStore\n"
        "from ankare.service.watch.redaction import Redaction\n"
        "store = FeedbackStore(Path(sys.argv[1]), Redaction((), 100))\n"
        f"for n in range(50): store.keep(FeedbackRecord('{ID}', 'up'))"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert len(list(read_feedback(tmp_path))) == 150


# Reading and export.


def test_lines_that_are_no_feedback_are_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "feedback"
    folder.mkdir()
    whole = json.dumps({"time": "2026-01-31T10:00:00+00:00", "answer_id": ID, "rating": "up"})
    (folder / "feedback.jsonl").write_text(
        "\n".join([whole, "[]", "{", '{"time": 5}', '{"time": "x"}', whole]), "utf-8"
    )
    assert len(list(read_feedback(tmp_path))) == 2
    assert len(list(read_feedback(tmp_path, moment("2026-01-31")))) == 2
    assert list(read_feedback(tmp_path, moment("2026-02-01"))) == []


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\n=1", "|x", "%x", "=cmd|' /C calc'!A0", "＝1", "\r=1"]


def dangerous(text: str) -> bool:
    """Would a spreadsheet work this out? It drops blanks before the sign."""
    return text.strip()[:1] in set("=+-@|%＝") or text[:1] in set("\t\r\n")


@pytest.mark.parametrize("said", FORMULAS)
def test_no_cell_is_a_formula(said: str) -> None:
    out = io.StringIO()
    write_csv([FeedbackRecord(ID, "up", comment=said)], out)
    head, row = csv.reader(io.StringIO(out.getvalue(), newline=""))
    assert tuple(head) == NAMES
    assert not any(map(dangerous, row))
    assert row[NAMES.index("comment")].lstrip("'") == said


@pytest.mark.parametrize("said", FORMULAS)
def test_saboteur_a_cell_as_it_was_sent_is_found(said: str) -> None:
    assert dangerous(said)


@pytest.mark.parametrize("said", ["Bra", "5 - 3", "a=b", "", "e@x.se", "’=1"])
def test_other_texts_stay_as_they_are(said: str) -> None:
    assert harmless(said) == said


def test_the_command_exports_both_forms(service: Service, tmp_path: Path) -> None:
    give(service, comment="=1+1", rating="down")
    run = CliRunner()
    told = run.invoke(command, ["feedback", "export", "--home", str(tmp_path)])
    assert json.loads(told.stdout)["comment"] == "=1+1"
    told = run.invoke(
        command, ["feedback", "export", "--home", str(tmp_path), "--format", "csv", "--since", "2020-01-01"]
    )
    rows = list(csv.DictReader(io.StringIO(told.stdout)))
    assert [row["comment"] for row in rows] == ["'=1+1"]
    assert run.invoke(command, ["feedback", "export", "--home", str(tmp_path), "--since", "2100-01-01"]).stdout == ""
    assert run.invoke(command, ["feedback", "export", "--since", "yesterday"]).exit_code == 2


def admin_service(tmp_path: Path) -> TestClient:
    settings = Settings(home=tmp_path, admin_token=TOKEN)
    return TestClient(create_app(settings, ScriptedEngine(), ScriptedShelf(tmp_path), page=False))


@pytest.mark.parametrize(
    ("headers", "status"),
    [({}, 401), ({"Authorization": "Bearer wrong"}, 401), ({"Authorization": f"Bearer {TOKEN}"}, 200)],
)
def test_feedback_is_shown_to_admins_alone(tmp_path: Path, headers: dict[str, str], status: int) -> None:
    client = admin_service(tmp_path)
    for comment in ("a", "b", "c"):
        client.post("/api/feedback", json={"answer_id": ID, "rating": "up", "comment": comment})
    answer = client.get("/api/admin/feedback", params={"limit": 2}, headers=headers)
    assert answer.status_code == status
    if status == 200:
        body = answer.json()
        assert [one["comment"] for one in body["feedback"]] == ["a", "b"]
        assert body["more"] is True
        assert client.get("/api/admin/feedback?since=x", headers=headers).status_code == 400


def test_without_an_admin_token_there_is_no_such_list(service: Service) -> None:
    assert service.client.get("/api/admin/feedback").status_code == 404
