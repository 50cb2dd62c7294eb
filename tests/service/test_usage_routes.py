"""The summary over HTTP: for the admin alone, bounded, described, and the same as that of the command."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from fastapi.testclient import TestClient

from ankare.service.app import create_app
from ankare.service.library import routes_usage
from ankare.service.library.routes_usage import UsageBook
from ankare.service.problem import ProblemError
from ankare.service.watch.usage_collect import summarise_usage
from ankare.service.watch.usage_period import period_of
from ankare.service.watch.usage_summary import UsageSummary
from ankare.settings import Settings
from tests.service.librarian import ADMIN, TOKEN
from tests.service.scripted import ScriptedEngine, ScriptedShelf
from tests.service.usage_lines import line, write_log

ADDRESSES = ("/api/admin/usage", "/library/usage")


def served(tmp_path: Path, **given: Any) -> TestClient:
    chosen = Settings(home=tmp_path, **{"admin_token": TOKEN, "log_dir": tmp_path / "log", **given})
    app = create_app(chosen, ScriptedEngine(), ScriptedShelf(tmp_path), page=False)
    return TestClient(app, raise_server_exceptions=False)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with served(tmp_path) as found:
        yield found


def test_it_tells_what_the_service_has_answered(client: TestClient) -> None:
    answer = client.post("/api/ask", json={"question": "Vilka etapper finns?"}).json()
    client.post("/api/ask", json={"question": "Det saknas"})
    client.post("/api/feedback", json={"answer_id": answer["answer_id"], "rating": "up"})
    told = client.get("/api/admin/usage", headers=ADMIN).json()
    assert {name: told["totals"][name] for name in ("questions", "answered", "refused", "up")} == {
        "questions": 2,
        "answered": 1,
        "refused": 1,
        "up": 1,
    }
    assert told["channels"][0]["name"] == "api"
    assert told["feedback"]["routes"] == [{"name": "narrative", "up": 1, "down": 0}]
    assert told["unanswered"]["subjects"] == [] and len(told["unanswered"]["untold"]) == 1


def test_texts_are_told_only_where_the_log_keeps_them(tmp_path: Path) -> None:
    for kept in (False, True):
        folder = tmp_path / str(kept)
        folder.mkdir()
        with served(folder, log_texts=kept) as client:
            client.post("/api/ask", json={"question": "Det saknas om gymkortet"})
            said = [client.get(address, headers=ADMIN).text for address in ADDRESSES]
            assert ["gymkortet" in text for text in said] == [kept, kept]


@pytest.mark.parametrize("address", ADDRESSES)
def test_it_is_for_the_admin_alone(tmp_path: Path, client: TestClient, address: str) -> None:
    assert client.get(address).status_code == 401
    assert client.get(address, headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert client.get(address, headers=ADMIN).status_code == 200
    assert client.post(address, headers=ADMIN).status_code == 405
    with served(tmp_path, admin_token="") as closed:
        assert closed.get(address, headers=ADMIN).status_code == 404


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    "query",
    [
        "since=soon",
        "since=2026-02-01&until=2026-01-01",
        "by=minute",
        "time_zone=../x",
        "since=2000-01-01&by=hour",
        f"since={'1' * 50}",
    ],
)
def test_a_period_that_there_is_not_is_told(client: TestClient, address: str, query: str) -> None:
    answer = client.get(f"{address}?{query}", headers=ADMIN)
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("application/problem+json")


def test_without_a_log_it_says_what_to_set(tmp_path: Path) -> None:
    with served(tmp_path, log_dir=None) as client:
        assert client.get("/api/admin/usage", headers=ADMIN).json()["log"]["kept"] is False
        assert "ANKARE_LOG_DIR" in client.get("/library/usage?lang=en", headers=ADMIN).text


def test_it_is_the_summary_of_the_command(tmp_path: Path, client: TestClient) -> None:
    day = datetime(2026, 3, 1, 12, tzinfo=UTC)
    write_log(tmp_path / "log", [line(day + timedelta(hours=n), agents=n % 3, ms=n + 1) for n in range(60)])
    query = {"since": "2026-03-01", "until": "2026-03-05", "by": "day", "time_zone": "Europe/Stockholm"}
    told = client.get("/api/admin/usage", params=query, headers=ADMIN).json()
    period = period_of(query["since"], query["until"], query["by"], query["time_zone"])
    assert told == json.loads(json.dumps(asdict(summarise_usage([tmp_path / "log"], tmp_path, period))))


def test_the_fragment_is_of_ours_and_is_not_kept(client: TestClient) -> None:
    answer = client.get("/library/usage?lang=sv", headers=ADMIN)
    assert answer.headers["cache-control"] == "no-store"
    assert "<h3" in answer.text and "<script" not in answer.text and "Överblick" in answer.text


# Lines of others.

ODD: tuple[Any, ...] = (
    "\ud800 word \udfff",
    "\x00\x1b[31m\u202e\x9b\u2028",
    10**30,
    -(10**400),
    1e308,
    float("nan"),
    True,
    [],
    ["\ud800", 5, None],
    {"\ud800": 1},
    {"\ud800": {"\udfff": ["\ud800"]}},
)
FIELDS = (
    *(name for name in line(datetime.now(UTC)) if name != "time"),
    *("question", "missing", "answer", "count", "fallback_reason", "relevance_reason", "coverage", "top_score"),
    *(f"agentic.{name}" for name in ("mode", "agents", "review_status", "final_status", "fallback_reason")),
    *(f"agentic.agents.{name}" for name in ("agent", "role", "model", "status", "reason", "fault", "ms", "usage")),
    *("llm_usage.prompt_tokens", "llm_usage.agents", "llm_usage.agents.figures", "llm_usage.agents.figures.calls"),
)


def with_field(name: str, value: object) -> dict[str, Any]:
    """A refused question whose field, one within another by its dots, holds a value."""
    usual = {"agentic": {"agents": [{"agent": "a", "status": "ok"}]}, "llm_usage": {"agents": {"figures": {}}}}
    told = line(datetime.now(UTC) - timedelta(minutes=5), outcome="refused", question="Parking?", question_key="k")
    told |= {"missing": ["parking"], **usual}
    *way, last = name.split(".")
    inner: Any = told
    for step in way:
        inner = inner[step][0] if step == "agents" and isinstance(inner[step], list) else inner[step]
    inner[last] = value
    return told


def answers(tmp_path: Path, lines: list[dict[str, Any]], name: str = "usage.jsonl") -> list[int]:
    folder = tmp_path / "log"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("".join(json.dumps(one) + "\n" for one in lines), "ascii")
    with served(tmp_path) as client:
        return [client.get(address, headers=ADMIN).status_code for address in ADDRESSES]


@pytest.mark.parametrize("field", FIELDS)
def test_whatever_a_field_holds_the_rest_is_told(tmp_path: Path, field: str) -> None:
    assert answers(tmp_path, [with_field(field, value) for value in ODD for _ in range(2)]) == [200, 200]


def test_halves_of_characters_are_told_as_question_marks(tmp_path: Path, client: TestClient) -> None:
    answers(tmp_path, [with_field("steps_ms", {"\ud800": 1}), with_field("outcome", "\udfff")])
    told = client.get("/api/admin/usage", headers=ADMIN).json()
    assert "?" in {one["step"] for one in told["steps"]}
    assert "?" in {one["name"] for one in told["refusals"]}


def test_a_name_without_a_date_is_read_as_any_other(tmp_path: Path, client: TestClient) -> None:
    lines = [line(datetime.now(UTC) - timedelta(minutes=5))]
    assert answers(tmp_path, lines, "usage.20269999T999999999999Z.old.jsonl") == [200, 200]
    assert client.get("/api/admin/usage", headers=ADMIN).json()["totals"]["questions"] == 1


# Bounds.


class Slow:
    """Counts how often a summary is made, and how many at a time."""

    def __init__(self) -> None:
        self.made = self.now = self.most = 0
        self.let_go = threading.Event()

    def __call__(self, *given: Any, seconds: float) -> UsageSummary:
        self.made += 1
        self.now += 1
        self.most = max(self.most, self.now)
        self.let_go.wait(10)
        self.now -= 1
        return summarise_usage(*given, seconds=seconds)


def test_one_summary_is_made_at_a_time_and_kept_for_a_while(tmp_path: Path) -> None:
    slow, clock = Slow(), [0.0]
    book = UsageBook(Settings(home=tmp_path), clock=lambda: clock[0], summarise=slow)
    asked = [("", "", by, "UTC") for by in ("", "", "hour", "week")]
    threads = [threading.Thread(target=book.summary, args=(one,)) for one in asked]
    for thread in threads:
        thread.start()
    slow.let_go.set()
    for thread in threads:
        thread.join()
    assert (slow.made, slow.most) == (3, 1)
    book.summary(asked[0])
    assert slow.made == 3
    clock[0] = routes_usage.KEPT_SECONDS + 1
    book.summary(asked[0])
    assert slow.made == 4


def test_who_would_wait_long_is_told_to_come_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes_usage, "WAIT_SECONDS", 0.01)
    slow = Slow()
    book = UsageBook(Settings(home=tmp_path), summarise=slow)
    making = threading.Thread(target=book.summary, args=(("", "", "", ""),))
    making.start()
    while not slow.now:
        pass
    with pytest.raises(ProblemError) as told:
        book.summary(("", "", "day", ""))
    slow.let_go.set()
    making.join()
    assert (told.value.status, told.value.retry_after) == (503, routes_usage.RETRY_SECONDS)


def test_few_summaries_are_kept(tmp_path: Path) -> None:
    slow = Slow()
    slow.let_go.set()
    book = UsageBook(Settings(home=tmp_path), summarise=slow)
    for day in range(1, 20):
        book.summary((f"2026-01-{day:02}", "2026-01-31", "", ""))
    assert len(book._kept) == routes_usage.MOST_KEPT


def test_a_log_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    def unreadable(*given: Any, **more: Any) -> UsageSummary:
        raise PermissionError(13, "no")

    with pytest.raises(ProblemError) as told:
        UsageBook(Settings(home=tmp_path), summarise=unreadable).summary(("", "", "", ""))
    assert told.value.status == 503 and str(tmp_path) not in told.value.detail


# The description.


def test_the_example_is_what_the_route_gives(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    content = document["paths"]["/api/admin/usage"]["get"]["responses"]["200"]["content"]["application/json"]
    example = json.loads((files("ankare.service.library") / "usage_example.json").read_text("utf-8"))
    assert content["examples"]["made_up"]["value"] == example and example["totals"]["questions"] > 0
    whole = {**content["schema"], "components": document["components"]}
    for told in (example, client.get("/api/admin/usage", headers=ADMIN).json()):
        jsonschema.Draft202012Validator(whole).validate(told)
    assert set(example) == set(client.get("/api/admin/usage", headers=ADMIN).json())
