"""Limits: of rate, of size, of time, of places. What is turned away is told how, and costs little."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message

from ankare.domain.cancel import current_token
from ankare.service.crew import Crew
from ankare.service.door import address
from ankare.service.door.bounds import Bounds
from ankare.service.door.guard import Guard
from ankare.service.door.rates import OwnBuckets, Rates
from ankare.service.problem import ProblemError
from ankare.service.watch.measures import Measures
from ankare.settings import Settings
from tests.service.doors import QUESTION, TOKEN, Doors, doors


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def let_in(rates: Rates, caller: str, per_minute: float, most: int = 1000) -> int:
    return next(n for n in range(most) if rates.take(caller, per_minute))


@given(st.integers(1, 300), st.integers(1, 8))
def test_a_minutes_share_can_be_used_at_once_and_no_more(per_minute: int, workers: int) -> None:
    clock = Clock()
    rates = Rates(workers, clock=clock)
    share = max(1, per_minute // workers)
    assert share <= let_in(rates, "a", per_minute) <= share + 1
    wait = rates.take("a", per_minute)
    assert wait >= 1
    clock.now += wait
    assert rates.take("a", per_minute) == 0


@given(st.lists(st.floats(0, 30), max_size=60), st.integers(1, 60))
def test_no_minute_lets_in_more_than_two_shares(pauses: list[float], per_minute: int) -> None:
    clock = Clock()
    rates = Rates(clock=clock)
    entered = []
    for pause in pauses:
        clock.now += pause
        if not rates.take("a", per_minute):
            entered.append(clock.now)
    assert all(sum(start <= t < start + 60 for t in entered) <= 2 * per_minute + 1 for start in entered)


def test_callers_are_counted_apart_and_a_million_of_them_take_no_more_room() -> None:
    rates = Rates(buckets=OwnBuckets(100))
    assert rates.take("a", 1) == 0
    assert rates.take("a", 1) > 0
    for n in range(10_000):
        assert rates.take(f"other {n}", 1) == 0
    assert len(rates) == 100


@pytest.mark.parametrize(
    ("peer", "forwarded", "trusted", "found"),
    [
        ("198.51.100.1", None, "", "198.51.100.1"),
        ("198.51.100.1", "203.0.113.9", "", "198.51.100.1"),
        ("10.0.0.1", "203.0.113.9", "10.0.0.0/8", "203.0.113.9"),
        ("10.0.0.1", "1.1.1.1, 203.0.113.9", "10.0.0.0/8", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9, 10.0.0.2", "10.0.0.0/8", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9, nonsense", "10.0.0.0/8", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.9:4711", "10.0.0.0/8", "203.0.113.9"),
        ("10.0.0.1", "[2001:db8:1:2:3::4]:4711", "10.0.0.0/8", "2001:db8:1:2::/64"),
        ("10.0.0.1", "", "10.0.0.0/8", "10.0.0.1"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.0/8", "10.0.0.3"),
        ("::ffff:10.0.0.1", "203.0.113.9", "10.0.0.0/8", "203.0.113.9"),
        ("2001:db8:1:2:aaaa::1", None, "", "2001:db8:1:2::/64"),
        ("testclient", None, "", ""),
    ],
)
def test_the_client_is_the_rightmost_address_that_is_no_trusted_proxy(
    peer: str, forwarded: str | None, trusted: str, found: str
) -> None:
    headers = [] if forwarded is None else [(b"x-forwarded-for", forwarded.encode())]
    scope: dict[str, Any] = {"client": (peer, 1), "headers": headers, "scheme": "http"}
    address.settle(scope, Settings(trusted_proxies=trusted).proxies)
    assert address.network_of(scope) == found


def ask_until_refused(opened: Doors, addresses: Iterator[dict[str, str]], most: int = 20) -> int:
    return next((n for n in range(most) if opened.ask(**next(addresses)).status_code == 429), most)


def forged() -> Iterator[dict[str, str]]:
    return iter({"X-Forwarded-For": f"203.0.113.{n}"} for n in range(250))


def assert_forged_addresses_help_nobody(opened: Doors) -> None:
    assert ask_until_refused(opened, forged()) == 5


def test_too_many_requests_are_told_when_to_come_again(tmp_path: Path) -> None:
    with doors(tmp_path, rate_per_minute=5) as opened:
        assert_forged_addresses_help_nobody(opened)
        answer = opened.ask()
        assert answer.json()["code"] == "rate-limited"
        assert 1 <= int(answer.headers["retry-after"]) <= 60
        assert opened.at("198.51.100.9").post("/api/ask", json=QUESTION).status_code == 200
        assert opened.client.get("/health").status_code == 200
        assert 'ankare_rate_limited_total{by="address"} 2.0' in opened.client.get("/metrics").text


def test_believing_everybody_would_be_found_out(tmp_path: Path) -> None:
    with doors(tmp_path, rate_per_minute=5, trusted_proxies="0.0.0.0/0") as opened, pytest.raises(AssertionError):
        assert_forged_addresses_help_nobody(opened)


def test_behind_a_trusted_proxy_each_client_is_counted(tmp_path: Path) -> None:
    with doors(tmp_path, rate_per_minute=5, trusted_proxies="203.0.113.7") as opened:
        clients = iter({"X-Forwarded-For": f"198.51.100.{n}"} for n in range(250))
        assert ask_until_refused(opened, clients) == 20


def test_a_key_has_a_rate_of_its_own_wherever_it_comes_from(tmp_path: Path) -> None:
    with doors(tmp_path, rate_per_minute=3, api_keys="optional") as opened:
        keys = opened.key("few", rate=2), opened.key("usual")
        found = []
        for key in keys:
            sent = {"Authorization": f"Bearer {key}"}
            asked = [opened.at(f"198.51.100.{n}").post("/api/ask", json=QUESTION, headers=sent) for n in range(5)]
            found.append([answer.status_code for answer in asked].count(200))
        assert found == [2, 3]


def test_wrong_keys_are_limited_much_harder_and_a_right_one_is_never_shut_out(tmp_path: Path) -> None:
    with doors(tmp_path, api_keys="optional", admin_token=TOKEN) as opened:
        key = opened.key()
        assert_guessing_is_bounded(opened)
        assert opened.ask(TOKEN).status_code == 429  # not even looked at
        assert opened.ask(key).status_code == 200
        sent = {"Authorization": f"Bearer {TOKEN}"}
        assert opened.at("198.51.100.1").post("/api/ask", json=QUESTION, headers=sent).status_code == 200


def assert_guessing_is_bounded(opened: Doors) -> None:
    statuses = [opened.ask(f"guess number {n} of the token").status_code for n in range(30)]
    assert statuses == [401] * 10 + [429] * 20


def test_unbounded_guessing_would_be_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rates, "wait", lambda *given: 0)
    with doors(tmp_path, api_keys="optional", admin_token=TOKEN) as opened, pytest.raises(AssertionError):
        assert_guessing_is_bounded(opened)


@pytest.mark.parametrize("api_keys", ["off", "required"])
def test_the_token_of_the_library_cannot_be_guessed_at_length(tmp_path: Path, api_keys: str) -> None:
    with doors(tmp_path, api_keys=api_keys, admin_token=TOKEN) as opened:
        found = [
            opened.client.get("/api/admin/documents", headers={"X-API-Key": f"a long guess {n}"}).status_code
            for n in range(12)
        ]
        assert found == [401] * 10 + [429] * 2


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Doors]:
    with doors(tmp_path, max_body_bytes=2000) as opened:
        yield opened


@pytest.mark.parametrize("path", ["/api/ask", "/api/search", "/v1/chat/completions"])
def test_a_body_that_is_too_large_is_refused_told_or_not(small: Doors, path: str) -> None:
    def pieces() -> Iterator[bytes]:
        yield from [b" " * 500] * 10

    for content in (b" " * 5000, pieces()):
        answer = small.client.post(path, content=content, headers={"Content-Type": "application/json"})
        assert answer.status_code == 413
        assert answer.headers["connection"] == "close"
    assert small.client.post("/api/ask", json=QUESTION).status_code == 200


def spoken(app: Any, receive: Callable[[], Any], path: str = "/x", **headers: str) -> list[Message]:
    """What an app sends in answer to a raw request."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "scheme": "http",
        "client": ("198.51.100.1", 1),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    asyncio.run(app(scope, receive, send))
    return sent


async def never() -> Message:
    await asyncio.Event().wait()
    raise AssertionError


def test_a_body_that_never_comes_is_not_waited_for() -> None:
    async def reading(scope: Any, receive: Any, send: Any) -> None:
        await receive()

    sent = spoken(Guard(reading, Measures(), bounds=Bounds(body_seconds=0.01)), never, "/api/ask")
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in [(name.lower(), value) for name, value in sent[0]["headers"]]


def test_an_upload_may_take_long_as_long_as_it_moves() -> None:
    left = [b"x"] * 6

    async def slowly() -> Message:
        await asyncio.sleep(0.04)
        return {"type": "http.request", "body": left.pop(), "more_body": bool(left)}

    async def reading(scope: Any, receive: Any, send: Any) -> None:
        while (await receive())["more_body"]:
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    bounds = Bounds(body_seconds=0.2, larger={"/api/ask": 100})
    assert spoken(Guard(reading, Measures(), bounds=bounds), slowly, "/api/ask")[0]["status"] == 200
    left[:] = [b"x"] * 6
    bounds = Bounds(body_seconds=0.1)
    assert spoken(Guard(reading, Measures(), bounds=bounds), slowly, "/api/ask")[0]["status"] == 408


def test_a_request_that_takes_too_long_ends_and_its_model_calls_with_it() -> None:
    ended = threading.Event()

    def work() -> None:
        token = current_token()
        with token.on_cancel(ended.set):
            ended.wait(30)

    async def run() -> None:
        crew = Crew(1, seconds=0.05)

        async def there() -> bool:
            return False

        with pytest.raises(ProblemError) as told:
            await crew.run_while(there, work)
        assert (told.value.status, told.value.code) == (504, "timed-out")
        crew.close()

    asyncio.run(run())
    assert ended.wait(10)


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_the_time_of_a_request_is_bounded_in_streams_too(tmp_path: Path, accept: str) -> None:
    with doors(tmp_path, request_seconds=0.2) as opened, opened.engine.held():
        answer = opened.ask(Accept=accept)
        assert "timed-out" in answer.text
        assert answer.status_code in (504, 200)  # a stream that has begun can only tell it in an event


def test_beyond_the_places_a_question_is_turned_away_before_it_is_read(tmp_path: Path) -> None:
    with doors(tmp_path, max_in_flight=1) as opened, opened.engine.held() as go_on:
        asking = threading.Thread(target=opened.ask)
        asking.start()
        opened.engine.wait_for_a_question()
        for path in ("/api/ask", "/api/search", "/api/understand", "/v1/chat/completions"):
            sent = spoken(opened.app, never, path)  # its body never comes
            assert sent[0]["status"] == 503
            assert b"retry-after" in {name.lower() for name, _ in sent[0]["headers"]}
        assert opened.client.get("/health").json()["status"] == "ok"
        assert opened.client.get("/ready").status_code == 200
        go_on()
        asking.join(30)
        assert opened.ask().status_code == 200


def test_other_sites_scripts_may_ask_only_where_they_are_named(tmp_path: Path) -> None:
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    with doors(tmp_path / "closed") as closed:
        answer = closed.client.options("/api/ask", headers={"Origin": "https://a.example", **asked})
        assert answer.status_code == 405
        assert "access-control-allow-origin" not in answer.headers
    with doors(tmp_path / "open", cors_origins="https://a.example") as opened:
        for origin, allowed in (("https://a.example", "https://a.example"), ("https://b.example", None)):
            answer = opened.client.options("/api/ask", headers={"Origin": origin, **asked})
            assert answer.headers.get("access-control-allow-origin") == allowed
            answer = opened.ask(Origin=origin)
            assert answer.headers.get("access-control-allow-origin") == allowed
            assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize(
    ("path", "keeping"),
    [
        ("/api/ask", "no-store"),
        ("/health", "no-store"),
        ("/sources/none", "private, no-cache"),
        ("/nothing", "no-store"),
    ],
)
def test_no_cache_hands_one_callers_answer_to_another(tmp_path: Path, path: str, keeping: str) -> None:
    with doors(tmp_path) as opened:
        headers = opened.client.get(path).headers
        assert headers["cache-control"] == keeping
        assert {"Authorization", "Cookie"} <= {part.strip() for part in headers["vary"].split(",")}
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "strict-transport-security" not in headers


def test_over_https_the_browser_is_told_to_stay_there(tmp_path: Path) -> None:
    with doors(tmp_path, trusted_proxies="203.0.113.7") as opened:
        through = {"X-Forwarded-Proto": "https"}
        assert "strict-transport-security" in opened.client.get("/health", headers=through).headers
        assert "strict-transport-security" not in opened.at("8.8.8.8").get("/health", headers=through).headers


def test_a_websocket_is_closed(tmp_path: Path) -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def inside(*given: Any) -> None:
        raise AssertionError

    asyncio.run(Guard(inside, Measures())({"type": "websocket", "path": "/"}, never, send))
    assert sent == [{"type": "websocket.close"}]
