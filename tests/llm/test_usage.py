"""Tokens are summed as far as they are told; what is missing is missing, never zero."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.llm.protocol import Usage
from ankare.llm.usage import UsageLedger, UsageTotal, suspected_truncation, total_usage

counts = st.none() | st.integers(0, 10_000)
usages = st.none() | st.builds(Usage, counts, counts, counts)


@pytest.mark.parametrize(
    ("told", "total"),
    [
        ([], UsageTotal()),
        ([Usage(3, 2, 5), Usage(10, 1, 11)], UsageTotal(13, 3, 16, 2, 0, True)),
        ([Usage(3, 2, 5), None], UsageTotal(3, 2, 5, 2, 1, False)),
        ([None, None], UsageTotal(None, None, None, 2, 2, False)),
        ([Usage()], UsageTotal(None, None, None, 1, 1, False)),
        ([Usage(0, 0, 0)], UsageTotal(0, 0, 0, 1, 0, True)),
        ([Usage(None, 2, None)], UsageTotal(None, 2, None, 1, 0, False)),
        ([Usage(3, 2, None)], UsageTotal(3, 2, 5, 1, 0, True)),
    ],
)
def test_a_sum_tells_what_it_covers(told: list[Usage | None], total: UsageTotal) -> None:
    assert total_usage(told) == total


@given(st.lists(usages))
def test_missing_is_never_zero(told: list[Usage | None]) -> None:
    total = total_usage(told)
    for name in ("prompt_tokens", "completion_tokens"):
        known = [value for usage in told if usage and (value := getattr(usage, name)) is not None]
        assert getattr(total, name) == (sum(known) if known else None)
    assert total.calls == len(told)
    if total.complete and told:
        assert None not in (total.prompt_tokens, total.completion_tokens, total.total_tokens)
    if None in told:
        assert not total.complete


def test_a_sum_that_takes_missing_for_zero_would_be_noticed() -> None:
    """The saboteur: zero for what is not told."""
    sabotaged = total_usage([usage or Usage(0, 0, 0) for usage in [Usage(3, 2, 5), None]])
    assert sabotaged != total_usage([Usage(3, 2, 5), None])
    assert sabotaged.complete


def test_each_agent_has_its_own_sum() -> None:
    ledger = UsageLedger()
    ledger.add("rewrite", Usage(1, 2, 3))
    ledger.add("draft", None)
    ledger.add("rewrite", Usage(10, 20, 30))
    assert ledger.agents() == ("rewrite", "draft")
    assert ledger.of("rewrite") == UsageTotal(11, 22, 33, 2, 0, True)
    assert ledger.of("draft") == UsageTotal(None, None, None, 1, 1, False)
    assert ledger.of("review") == UsageTotal()
    assert ledger.total() == UsageTotal(11, 22, 33, 3, 1, False)
    assert ledger.of("draft").as_json() == {
        "prompt_tokens": None,
        "completion_tokens": None,
        "total_tokens": None,
        "calls": 1,
        "calls_without_usage": 1,
        "complete": False,
    }


def test_many_threads_enter_into_one_ledger() -> None:
    ledger = UsageLedger()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: ledger.add("draft", Usage(1, 1, 2)), range(500)))
    assert ledger.total() == UsageTotal(500, 500, 1000, 500, 0, True)


@pytest.mark.parametrize(
    ("usage", "cap", "finish_reason", "suspected"),
    [
        (Usage(9, 200, 209), 200, "stop", True),
        (Usage(9, 201, 210), 200, None, True),
        (Usage(9, 199, 208), 200, "stop", False),
        (Usage(9, 199, 208), 200, "length", True),
        (None, 200, "length", True),
        (None, None, "length", True),
        (None, 200, "stop", False),
        (Usage(9, None, None), 200, None, False),
        (Usage(9, 200, 209), None, "stop", False),
    ],
)
def test_a_reply_at_its_cap_was_probably_cut(
    usage: Usage | None, cap: int | None, finish_reason: str | None, suspected: bool
) -> None:
    assert suspected_truncation(usage, cap, finish_reason) is suspected
