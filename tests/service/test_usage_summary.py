"""Every figure of a summary is what an independent count of the same lines gives, whatever stands between the lines."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ankare.service.watch import usage_feedback, usage_reading, usage_refused
from ankare.service.watch.usage_collect import summarise_usage
from ankare.service.watch.usage_counting import DistinctSample, Frequent, Quantiles, Tally, clean
from ankare.service.watch.usage_period import period_of
from ankare.service.watch.usage_reading import UsageReading
from ankare.service.watch.usage_summary import Totals, UsageSummary
from tests.service.usage_lines import call, line, write_log

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
QUESTIONS = (
    ("Vad kostar en parkeringsplats?", ("parkeringsplats",)),
    ("Hur söker jag parkering?", ("parkering",)),
    ("Får jag ha hund på kontoret?", ("hund",)),
    ("Vem godkänner semester?", ()),
)


def summary(folder: Path, home: Path | None = None, **told: Any) -> UsageSummary:
    return summarise_usage([folder], home, period_of(**{"zone": "UTC", "now": NOW, **told}))


def lines(seed: int = 1, count: int = 2000, *, texts: bool = True) -> list[dict[str, Any]]:
    """Questions of 80 days before now, of every kind."""
    drawn = random.Random(seed)
    return [one_line(drawn, texts=texts) for _ in range(count)]


def one_line(drawn: random.Random, *, texts: bool) -> dict[str, Any]:
    moment = NOW - timedelta(seconds=drawn.randrange(80 * 86_400))
    outcome = drawn.choice(["answered"] * 6 + ["refused"] * 3 + ["clarification", "error"])
    reasons = {
        "refused": ["subject_not_covered", "no_hits"],
        "clarification": ["ask_first"],
        "error": ["overloaded", "500"],
    }
    question, missing = drawn.choice(QUESTIONS)
    told: dict[str, Any] = {"question": question, "missing": list(missing), "answer": "Svar."} if texts else {}
    agents = [
        call(
            f"agent{n}",
            drawn.uniform(5, 4000),
            drawn.choice([None, (100 * n, 10 * n)]),
            drawn.choice(["ok", "invalid"]),
        )
        for n in range(1, drawn.choice([1, 1, 3, 4]))
    ]
    return line(
        moment,
        outcome=outcome,
        reason=drawn.choice(reasons.get(outcome, [None])),
        channel=drawn.choice(["api", "page", "mcp"]),
        key=drawn.choice(["", "a", "b"]),
        language=drawn.choice(["sv", "en"]),
        route=drawn.choice(["narrative", "structured"]),
        question_type=drawn.choice(["list", "general"]),
        partial=drawn.random() < 0.1,
        question_key=f"key of {question}",
        ms=round(drawn.lognormvariate(3, 1), 3),
        steps_ms={"retrieve": round(drawn.expovariate(0.1), 3)},
        agentic={
            "mode": "reviewed_answer" if agents else None,
            "agents": agents,
            "review_status": "not_run",
            "final_status": drawn.choice(["approved", "fallback", "corrected"]) if agents else "not_run",
            "fallback_reason": drawn.choice([None, "agent3_reject"]) if agents else None,
        },
        answer_id=f"{drawn.randrange(2**64):032x}",
        **told,
    )


# An independent count.


def within(found: list[dict[str, Any]], since: datetime, until: datetime) -> list[dict[str, Any]]:
    return [one for one in found if since <= datetime.fromisoformat(one["time"]) < until]


def counted(found: list[dict[str, Any]]) -> dict[str, Any]:
    """The totals of lines, without quantiles and thumbs."""
    calls = [one for told in found for one in told["agentic"]["agents"]]
    of = Counter(one["outcome"] for one in found)
    final = Counter(one["agentic"]["final_status"] for one in found)
    return {
        "questions": len(found),
        "answered": of["answered"],
        "refused": of["refused"],
        "asked_back": of["clarification"],
        "errors": of["error"],
        "overloaded": sum(one["reason"] == "overloaded" for one in found),
        "partial": sum(one["partial"] for one in found),
        "chains": len(found) - final["not_run"],
        "approved": final["approved"],
        "fallbacks": final["fallback"],
        "calls": len(calls),
        "silent": sum(one["usage"] is None for one in calls),
        "prompt_tokens": sum(one["usage"]["prompt_tokens"] for one in calls if one["usage"]),
        "completion_tokens": sum(one["usage"]["completion_tokens"] for one in calls if one["usage"]),
    }


def exact(totals: Totals) -> dict[str, Any]:
    return {name: value for name, value in asdict(totals).items() if name not in ("p50_ms", "p95_ms", "up", "down")}


def near(told: float | None, numbers: list[float], share: float) -> bool:
    """Is this the quantile, to one per cent and the rounding to three digits?"""
    if not numbers:
        return told is None
    want = float(np.quantile(numbers, share, method="lower"))
    return told is not None and abs(told - want) <= 0.0151 * want


@pytest.fixture(scope="module")
def made() -> list[dict[str, Any]]:
    return lines()


@pytest.fixture(scope="module")
def told(made: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> UsageSummary:
    return summary(write_log(tmp_path_factory.mktemp("log"), made))


@pytest.fixture(scope="module")
def wanted(made: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return within(made, datetime(2026, 2, 19, tzinfo=UTC), NOW)


def test_totals_are_those_of_a_plain_count(told: UsageSummary, wanted: list[dict[str, Any]]) -> None:
    assert exact(told.totals) == counted(wanted)
    assert (told.log.records, told.log.broken, told.log.with_texts) == (len(wanted), 0, len(wanted))
    times = [one["ms"] for one in wanted if one["outcome"] != "error"]
    assert near(told.totals.p50_ms, times, 0.5) and near(told.totals.p95_ms, times, 0.95)


def test_the_period_before_is_as_long_and_counted_alike(told: UsageSummary, made: list[dict[str, Any]]) -> None:
    since = datetime(2026, 2, 19, tzinfo=UTC)
    assert told.before is not None
    before = within(made, since - (NOW - since), since)
    assert exact(told.before) == counted(before)
    change = next(one for one in told.changes if one.figure == "questions")
    assert (change.now, change.before) == (told.totals.questions, len(before))
    assert change.share == round(told.totals.questions / len(before) - 1, 4)


def test_each_day_is_counted_by_itself(told: UsageSummary, wanted: list[dict[str, Any]]) -> None:
    assert len(told.pieces) == 30
    for piece in told.pieces:
        start = datetime.fromisoformat(piece.start)
        day = within(wanted, start, start + timedelta(days=1))
        assert exact(piece.totals) == counted(day)
        assert near(piece.totals.p50_ms, [one["ms"] for one in day if one["outcome"] != "error"], 0.5)
        used = Counter(one["agent"] for said in day for one in said["agentic"]["agents"])
        assert {agent.agent: agent.calls for agent in piece.agents} == dict(used)


@pytest.mark.parametrize(
    ("kinds", "name"),
    [
        ("channels", "channel"),
        ("languages", "language"),
        ("routes", "route"),
        ("types", "question_type"),
        ("keys", "key"),
    ],
)
def test_kinds_are_counted_by_outcome(told: UsageSummary, wanted: list[dict[str, Any]], kinds: str, name: str) -> None:
    for kind in getattr(told, kinds):
        of = counted([one for one in wanted if one[name] == kind.name])
        assert {
            field: getattr(kind, field) for field in ("questions", "answered", "refused", "asked_back", "errors")
        } == {field: of[field] for field in ("questions", "answered", "refused", "asked_back", "errors")}
    assert sum(kind.questions for kind in getattr(told, kinds)) == len(wanted)


@pytest.mark.parametrize(
    ("counts", "outcome"), [("refusals", "refused"), ("asked_back", "clarification"), ("errors", "error")]
)
def test_reasons_are_counted(told: UsageSummary, wanted: list[dict[str, Any]], counts: str, outcome: str) -> None:
    of = Counter(one["reason"] for one in wanted if one["outcome"] == outcome)
    assert {one.name: one.count for one in getattr(told, counts)} == dict(of)


def test_agents_steps_and_what_came_of_chains_are_counted(told: UsageSummary, wanted: list[dict[str, Any]]) -> None:
    for agent in told.agents:
        calls = [one for said in wanted for one in said["agentic"]["agents"] if one["agent"] == agent.agent]
        sums = [
            sum(one["usage"][name] for one in calls if one["usage"]) for name in ("prompt_tokens", "completion_tokens")
        ]
        assert [agent.calls, agent.prompt_tokens, agent.completion_tokens] == [len(calls), *sums]
        assert agent.silent == sum(one["usage"] is None for one in calls)
        assert agent.failed == sum(one["status"] == "invalid" for one in calls)
        assert near(agent.p95_ms, [one["ms"] for one in calls], 0.95)
    (step,) = told.steps
    assert (step.step, step.count) == ("retrieve", len(wanted))
    assert near(step.p50_ms, [one["steps_ms"]["retrieve"] for one in wanted], 0.5)
    final = Counter(one["agentic"]["final_status"] for one in wanted if one["agentic"]["agents"])
    assert {one.name: one.count for one in told.final_states} == dict(final)
    reasons = Counter(one["agentic"]["fallback_reason"] for one in wanted if one["agentic"]["fallback_reason"])
    assert {one.name: one.count for one in told.fallback_reasons} == dict(reasons)


def test_repeated_and_refused_questions_are_counted(told: UsageSummary, wanted: list[dict[str, Any]]) -> None:
    asked = Counter(one["question"] for one in wanted)
    refused = Counter(one["question"] for one in wanted if one["outcome"] == "refused")
    assert {one.text: (one.questions, one.refused) for one in told.repeats.most} == {
        text: (count, refused[text]) for text, count in asked.items()
    }
    assert (told.repeats.different, told.repeats.questions, told.repeats.missed) == (4, len(wanted), 0)
    found = told.unanswered
    assert (found.questions, found.with_text, found.sample) == (sum(refused.values()), sum(refused.values()), 1.0)
    assert sum(one.questions for one in found.subjects) == sum(refused.values())
    parking = next(one for one in found.subjects if one.different == 2)
    assert parking.questions == refused[QUESTIONS[0][0]] + refused[QUESTIONS[1][0]]
    assert parking.askers == 2
    assert set(parking.examples) == {QUESTIONS[0][0], QUESTIONS[1][0]}


def test_saboteur_one_line_less_is_another_summary(
    made: list[dict[str, Any]], told: UsageSummary, tmp_path: Path
) -> None:
    gone = next(n for n, one in enumerate(made) if one["time"] > "2026-02-20" and one["outcome"] == "refused")
    other = summary(write_log(tmp_path, made[:gone] + made[gone + 1 :]))
    assert other.totals != told.totals and other.unanswered != told.unanswered and other.refusals != told.refusals


# Laws.


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10**6), count=st.integers(0, 120), by=st.sampled_from(["hour", "day", "week"]), data=st.data()
)
def test_pieces_add_up_to_the_whole(tmp_path: Path, seed: int, count: int, by: str, data: st.DataObject) -> None:
    zone = data.draw(
        st.sampled_from(["UTC", "Europe/Stockholm", "Asia/Kathmandu", "Australia/Lord_Howe", "America/Havana"])
    )
    found = summary(write_log(tmp_path, lines(seed, count)), by=by, zone=zone)
    for name, value in exact(found.totals).items():
        assert sum(getattr(piece.totals, name) for piece in found.pieces) == value, name
    for kinds in (found.channels, found.languages, found.routes, found.types, found.keys):
        assert sum(kind.questions for kind in kinds) == found.totals.questions
    assert sum(one.count for one in found.refusals) == found.totals.refused == found.unanswered.questions


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_lines_counts_for_nothing(tmp_path: Path, seed: int) -> None:
    made = lines(seed, 200)
    first = summary(write_log(tmp_path / "a", made))
    random.Random(seed).shuffle(made)
    second = summary(write_log(tmp_path / "b", made))
    assert first == second


@given(st.lists(st.floats(0.01, 1e9), min_size=1, max_size=300), st.sampled_from([0.0, 0.5, 0.95, 1.0]))
def test_quantiles_are_right_to_one_per_cent(numbers: list[float], share: float) -> None:
    sketch = Quantiles()
    for number in numbers:
        sketch.add(number)
    assert near(sketch.at(share), numbers, share)


@given(st.lists(st.text("abcdef", min_size=1, max_size=2), max_size=300), st.integers(1, 5))
def test_what_is_frequent_is_never_counted_too_often_nor_missed(things: list[str], most: int) -> None:
    counts: Frequent[str] = Frequent(most)
    for thing in things:
        counts.add(thing)
    told, real = dict(counts.counts()), Counter(things)
    assert len(told) <= 2 * most
    for thing, count in real.items():
        assert count - counts.missed <= told.get(thing, 0) <= count
    assert counts.missed * most <= len(things)


@given(st.sets(st.integers(), max_size=300), st.integers(1, 40))
def test_a_sample_of_different_things_is_the_same_in_any_order(things: set[int], most: int) -> None:
    samples = []
    for ordered in (sorted(things), sorted(things, reverse=True)):
        sample: DistinctSample[int] = DistinctSample(most)
        for thing in ordered:
            sample.put(str(thing), thing)
        samples.append((sample.share, dict(sorted(sample.items().items()))))
    assert samples[0] == samples[1]
    share, held = samples[0]
    assert len(held) <= most and (share == 1) == (len(things) <= most)


def test_names_from_a_log_are_few_and_clean() -> None:
    tally = Tally(3)
    for n in range(10):
        tally.add(f"name\x1b[31m\u202e{n}" + "x" * 1000)
    assert dict(tally.counts())["other"] == 7
    assert all(name.isprintable() and len(name) <= 80 for name, _ in tally.counts())
    assert clean("vanlig") == "vanlig"


# Bounds.


def test_more_refused_questions_than_are_held_are_sampled_and_the_frequent_ones_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usage_refused, "MOST_ASKED", 50)
    monkeypatch.setattr(usage_refused, "MOST_OFTEN", 20)
    refused = {"outcome": "refused", "reason": "no_hits"}
    once = [
        line(NOW - timedelta(hours=n % 400 + 1), question=f"Vad är x{n}y?", question_key=f"q{n}", **refused)
        for n in range(600)
    ]
    often = [
        line(NOW - timedelta(hours=n + 1), question="Var är gymmet?", question_key="gym", **refused) for n in range(300)
    ]
    mixed = [one for pair in zip(once[:300], often, strict=True) for one in pair] + once[300:]
    found = summary(write_log(tmp_path, mixed)).unanswered
    assert found.sample < 1 and found.questions == 900
    gym = next(one for one in found.subjects if "gymmet" in one.terms)
    assert gym.questions == 300


def test_a_summary_stays_small_however_many_names_there_are(tmp_path: Path) -> None:
    made = [
        line(
            NOW - timedelta(minutes=n + 1),
            channel=f"c{n}",
            key=f"k{n}",
            steps_ms={f"s{n}": 1.0},
            outcome="refused",
            reason=f"r{n}",
            question_key=f"q{n}",
            agentic={"agents": [call(f"a{n}")], "final_status": f"f{n}", "fallback_reason": f"b{n}"},
        )
        for n in range(1500)
    ]
    found = summary(write_log(tmp_path, made))
    assert len(json.dumps(asdict(found))) < 200_000
    assert max(len(found.channels), len(found.keys)) <= 201 and len(found.agents) <= 13 and len(found.steps) <= 41
    assert sum(one.questions for one in found.channels) == 1500 == sum(one.count for one in found.refusals)


# What is read.

HOSTILE = (
    '{"time": "2026-03-19T10:00:00.000+00:00", "outcome": "refused", "reason": "<script>", "question": "<b>x</b>\\u0000"}',
    '{"time": "2026-03-19T10:00:00.000+00:00", "outcome": "answered", "ms": 1e308, "steps_ms": {"a": -5, "b": 1e14}}',
    '{"time": "2026-03-19T10:00:00.000+00:00", "outcome": "error", "count": 999999999999999, "reason": "overloaded"}',
    '{"time": "2026-03-19T10:00:00.000+00:00", "outcome": "answered", "agentic": {"agents": [{"agent": "\\ud800", "ms": -1}]}}',
    '{"time": "2026-03-19T10:00:00.000+00:00", "outcome": "answered", "key": "' + "k" * 100_000 + '"}',
)
BROKEN = (
    "",
    "{",
    "[" * 100_000,
    '{"time": "2026-03-19T10:00:00.000+00:00"}',
    '{"time": "never", "outcome": "answered"}',
    '{"time": "9999-12-31T23:59:59+00:00", "outcome": "answered"}',
    '{"time": "0001-01-01T00:00:00+14:00", "outcome": "answered"}',
    "\x00\x01\x02",
    '{"time": "2026-03-19T10:00:00.000+00:00", "outcome": ["answered"]}',
)


def test_hostile_lines_are_read_or_counted_as_broken(tmp_path: Path) -> None:
    whole = line(NOW - timedelta(hours=1))
    found = summary(write_log(tmp_path, [whole, *HOSTILE, *BROKEN, whole]))
    assert found.log.records == 2 + len(HOSTILE)
    assert found.log.broken == len(BROKEN) - 1, "an empty line is none"
    assert found.totals.errors == 999_999_999_999_999
    json.dumps(asdict(found)).encode()


def test_a_line_without_end_takes_no_memory_and_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage_reading, "MOST_LINE", 10_000)
    found = summary(write_log(tmp_path, ["x" * 1_000_000, line(NOW - timedelta(hours=1)), "y" * 50_000]))
    assert (found.log.records, found.log.broken) == (1, 2)


def test_a_line_that_is_being_written_is_neither_read_nor_broken(tmp_path: Path) -> None:
    folder = write_log(tmp_path, [line(NOW - timedelta(hours=1))])
    with (folder / "usage.jsonl").open("a") as file:
        file.write('{"time": "2026-03-')
    found = summary(folder)
    assert (found.log.records, found.log.broken) == (1, 0)


def test_what_is_written_while_the_log_is_read_is_left_for_the_next_time(tmp_path: Path) -> None:
    folder = write_log(tmp_path, [line(NOW), line(NOW)])
    seen = 0
    for _ in UsageReading([folder], NOW - timedelta(days=1)):
        seen += 1
        with (folder / "usage.jsonl").open("a") as file:
            file.write(json.dumps(line(NOW)) + "\n")
    assert seen == 2
    assert len(list(UsageReading([folder], NOW - timedelta(days=1)))) == 4


def test_files_that_were_set_aside_belong_to_the_log_and_older_ones_are_passed_over(tmp_path: Path) -> None:
    for name, days in (
        ("usage.20260101T000000000000Z.old.jsonl", 80),
        ("usage.20260310T000000000000Z.old.jsonl", 11),
        ("usage.jsonl", 1),
    ):
        write_log(tmp_path, [line(NOW - timedelta(days=days))], name)
    found = summary(tmp_path, since="2026-03-01")
    assert found.totals.questions == 2
    assert found.before is not None and found.log.begins.startswith("2025-12-30")


def test_several_folders_are_one_log(tmp_path: Path) -> None:
    folders = [write_log(tmp_path / name, [line(NOW - timedelta(hours=n))]) for n, name in enumerate("ab", start=1)]
    found = summarise_usage(folders, None, period_of(zone="UTC", now=NOW))
    assert found.totals.questions == 2


def test_a_log_that_begins_within_the_time_before_is_not_compared_with(tmp_path: Path) -> None:
    found = summary(write_log(tmp_path, [line(NOW - timedelta(days=31)), line(NOW - timedelta(days=1))]))
    assert (found.before, found.changes) == (None, ())
    assert found.log.begins.startswith("2026-02-17")


def test_a_clock_that_jumps_back_costs_no_question(tmp_path: Path) -> None:
    moments = [NOW - timedelta(hours=hours) for hours in (5, 3, 9, 1, 400, 2)]
    found = summary(write_log(tmp_path, map(line, moments)))
    assert found.totals.questions == 6
    assert {p.start[:10]: p.totals.questions for p in found.pieces if p.totals.questions} == {
        "2026-03-20": 5,
        "2026-03-03": 1,
    }


def test_an_empty_log_and_none_at_all_are_told_apart(tmp_path: Path) -> None:
    period = period_of(zone="UTC", now=NOW)
    empty = summarise_usage([write_log(tmp_path, [])], None, period)
    none = summarise_usage([], None, period)
    assert (empty.log.kept, none.log.kept) == (True, False)
    assert empty.totals == none.totals and empty.totals.questions == 0
    assert len(empty.pieces) == 30


def test_reading_ends_when_its_time_is_up(tmp_path: Path) -> None:
    write_log(tmp_path, [line(NOW - timedelta(days=2))] * 2000, "usage.20260319T000000000000Z.old.jsonl")
    write_log(tmp_path, [line(NOW - timedelta(days=1))] * 500)
    ticks: Iterator[int] = iter(range(100))
    reading = UsageReading([tmp_path], NOW - timedelta(days=3), seconds=3.5, clock=lambda: float(next(ticks)))
    read = [moment for moment, _ in reading]
    assert not reading.complete
    assert read[:500] == [(NOW - timedelta(days=1)).timestamp()] * 500, "the newest come first"
    assert 500 < len(read) < 2500


def test_one_line_for_many_counts_as_many(tmp_path: Path) -> None:
    many = line(NOW - timedelta(hours=1), outcome="error", reason="overloaded", count=40, channel="", ms=0)
    found = summary(write_log(tmp_path, [many, line(NOW - timedelta(hours=1))]))
    assert (found.totals.questions, found.totals.errors, found.totals.overloaded) == (41, 40, 40)
    assert found.pieces[-1].totals.questions == 41


def test_look_ups_of_figures_are_calls_too(tmp_path: Path) -> None:
    used = {"agents": {"figures": {"prompt_tokens": 50, "completion_tokens": 5, "calls": 3, "calls_without_usage": 1}}}
    found = summary(write_log(tmp_path, [line(NOW - timedelta(hours=1), llm_usage=used)]))
    (agent,) = found.agents
    assert (agent.agent, agent.calls, agent.silent, agent.prompt_tokens) == ("figures", 3, 1, 50)
    assert agent.p50_ms is None


# Texts.


def test_without_texts_the_same_question_is_known_again_and_nothing_more(tmp_path: Path) -> None:
    found = summary(write_log(tmp_path, lines(3, 400, texts=False)))
    assert found.unanswered.subjects == () and found.unanswered.with_text == 0
    assert sum(one.questions for one in found.unanswered.untold) == found.totals.refused
    assert {one.question_type for one in found.unanswered.untold} <= {"list", "general"}
    assert [one.text for one in found.repeats.most] == [None] * 4


@pytest.fixture
def thumbs(tmp_path: Path) -> Callable[..., Path]:
    """A home with feedback."""

    def kept(*said: dict[str, Any]) -> Path:
        folder = tmp_path / "home"
        write_log(folder / "feedback", said, "feedback.jsonl")
        return folder

    return kept


def thumb(n: int, hours: float, rating: str, **more: Any) -> dict[str, Any]:
    moment = (NOW - timedelta(hours=hours)).isoformat(timespec="milliseconds")
    return {"time": moment, "answer_id": f"{n:032x}", "rating": rating, **more}


def test_feedback_is_joined_with_the_questions(tmp_path: Path, thumbs: Callable[..., Path]) -> None:
    made = [
        line(
            NOW - timedelta(hours=30),
            answer_id=f"{n:032x}",
            route=route,
            question_type=kind,
            outcome=outcome,
            reason=None,
        )
        for n, route, kind, outcome in (
            (1, "narrative", "list", "answered"),
            (2, "narrative", "general", "refused"),
            (3, "structured", "general", "answered"),
        )
    ]
    home = thumbs(
        thumb(1, 29, "up"),
        thumb(2, 28, "down", reason="should_have_answered", comment="Den\x1b[31m <b>finns</b>"),
        thumb(3, 27, "up"),
        thumb(3, 3, "down", reason="wrong"),
        thumb(8, 2, "down", reason="wrong", outcome="answered", route="composite"),
        thumb(9, 2, "up"),
        thumb(10, 40 * 24, "down"),
        thumb(11, -1, "down"),
        {"rating": "up"},
    )
    found = summary(write_log(tmp_path / "log", [line(NOW - timedelta(days=70)), *made]), home)
    told = found.feedback
    assert (told.up, told.down, told.joined) == (2, 3, 4)
    assert (found.totals.up, found.totals.down) == (2, 3)
    assert found.before is not None and found.before.down == 1
    assert {one.name: one.count for one in told.reasons} == {"should_have_answered": 1, "wrong": 2}
    assert {one.name: (one.up, one.down) for one in told.routes} == {
        "narrative": (1, 1),
        "structured": (0, 1),
        "composite": (0, 1),
    }
    assert {one.name: (one.up, one.down) for one in told.types} == {"list": (1, 0), "general": (0, 2)}
    assert {one.name: (one.up, one.down) for one in told.outcomes} == {"answered": (1, 2), "refused": (0, 1)}
    (comment,) = told.comments
    assert comment.comment == "Den [31m <b>finns</b>" and comment.outcome == "refused"
    assert sum(p.totals.up + p.totals.down for p in found.pieces) == 5


def test_more_thumbs_than_are_held_are_told(
    tmp_path: Path, thumbs: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usage_feedback, "MOST_THUMBS", 5)
    home = thumbs(*(thumb(n, 20 - n, "up") for n in range(8)))
    told = summary(write_log(tmp_path / "log", []), home).feedback
    assert (told.up, told.left_out) == (5, 3)
