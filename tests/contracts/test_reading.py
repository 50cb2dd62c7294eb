"""Form is read through, meaning is never made up: which object a reply holds, and why there is none."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ankare.contracts.reading import MAX_REPLY, ObjectFound, read_object, visible_text
from ankare.errors import ContractError

WHOLE = '{"verdict": "reject", "notes": "två fel"}'
VALUE = {"verdict": "reject", "notes": "två fel"}


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (WHOLE, ()),
        (f"\ufeff{WHOLE}\n", ()),
        (f"```json\n{WHOLE}\n```", ("fence",)),
        (f"```\n{WHOLE}", ("fence",)),
        (f"~~~ JSON\n{WHOLE}\n~~~", ("fence",)),
        (f"Här är granskningen:\n{WHOLE}\nHoppas det hjälper!", ("prose",)),
        (f"Mallen {{namn}} är ifylld: {WHOLE}", ("prose",)),
        (f"{WHOLE} :{{", ("prose",)),
        (f"[{WHOLE}]", ("list",)),
        (f"```json\n[\n{WHOLE}\n]\n```", ("fence", "list")),
        (json.dumps(WHOLE), ("double_encoded",)),
        (json.dumps(json.dumps(WHOLE)), ("double_encoded",)),
        (f"```json\n{json.dumps(WHOLE)}\n```", ("fence", "double_encoded")),
        (f'{{"result": {WHOLE}}}', ("envelope",)),
        (f'{{"name": "review", "arguments": {json.dumps(WHOLE)}}}', ("envelope",)),
        (f"<think>Ska jag avslå? {{kanske}}</think>{WHOLE}", ("thought",)),
        ('<think>{"verdict": "approve"}</think>' + WHOLE, ("thought",)),
        (f"Jag tänker först.</think>\n{WHOLE}", ("thought",)),
        ('{"verdict": "approve"} nej, vänta</think>' + WHOLE, ("thought",)),
        (f"<THINKING>hm</THINKING>{WHOLE}", ("thought",)),
        (f"<think>Utan slut ... {WHOLE}", ("thought", "prose")),
        (
            f"<|channel|>analysis<|message|>hm {{x}}<|end|><|start|>assistant<|channel|>final<|message|>{WHOLE}<|return|>",
            ("thought",),
        ),
        (f"analysisWe must reject.assistantfinal{WHOLE}", ("thought",)),
        ('{"verdict": "reject", "notes": "två fel",}', ("trailing_comma",)),
        ('{"verdict": "reject", /* fel */ "notes": "två fel" // slut\n}', ("comment",)),
        ("{“verdict”: “reject”, “notes”: “två fel”}", ("quotes",)),
        ("{'verdict': 'reject', 'notes': 'två fel'}", ("quotes",)),
        ('{"Verdict ": "reject", "NOTES": "två fel"}', ("key_spelling",)),
        ('{"verdict": "reject", "verdict": "reject", "notes": "två fel"}', ("duplicate_key",)),
        ('{"verdict": "reject", "notes": "tv\\u00e5 fel"}', ()),
        (f"{WHOLE}\n{WHOLE}", ("repeated",)),
    ],
)
def test_form_is_read_through(reply: str, told: tuple[str, ...]) -> None:
    found = read_object(reply, ("verdict",))
    assert found.value == VALUE
    assert set(told) <= set(found.repaired)
    assert bool(told) == bool(found.repaired)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("rad ett\nrad två", '"rad ett\nrad två"'),
        ("flik\tja", '"flik\tja"'),
        ("det's", '"det\\\'s"'),
        ("C:\\data", '"C:\\data"'),
        ("😀", '"\\ud83d\\ude00"'),
        ("\ufffd", '"\\ud83d"'),
        ('säg "hej"', '"säg \\"hej\\""'),
        ("taggen <think> i text", '"taggen <think> i text"'),
        ("```", '"```"'),
        (True, "True"),
        (None, "None"),
        (1e3, "1e3"),
        ({"b": [1, [2]]}, '{"b": [1, [2,],],}'),
    ],
)
def test_values_come_through(value: object, written: str) -> None:
    assert read_object(f'{{"a": {written}}}').value == {"a": value}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("\ufeff", "empty"),
        ("\x00", "empty"),
        ("```json\n```", "empty"),
        ("<think>klart</think>", "empty"),
        ("[]", "empty"),
        ("Jag kan tyvärr inte svara.", "not_an_object"),
        ("true", "not_an_object"),
        ('["a", "b"]', "not_an_object"),
        ('"bara en text"', "not_an_object"),
        ("{namn} ska fyllas i", "not_an_object"),
        ("{verdict: approve}", "not_an_object"),
        ("<think>jag tänker och tänker", "truncated"),
        ("<think>" + WHOLE + " eller kanske", "truncated"),
        ("{", "truncated"),
        ('{"verd', "truncated"),
        ('{"verdict"', "truncated"),
        ('{"verdict": ', "truncated"),
        ('{"verdict": "appr', "truncated"),
        ('{"verdict": "approve"', "truncated"),
        ('{"verdict": "approve", "flags": {"grounded": true}', "truncated"),
        ('{"verdict": "approve", "confidence": 0.', "truncated"),
        ('{"verdict": "approve", "grounded": tru', "truncated"),
        ('{"verdict": "approve", "claims": ["a", ', "truncated"),
        ('{"verdict": "approve\\', "truncated"),
        ('{"verdict": "approve\\u00', "truncated"),
        ('{"verdict": "approve", /* inget slut', "truncated"),
        (f"[{WHOLE}, " + '{"verdict": "rej', "truncated"),
        (json.dumps(WHOLE)[:-4], "truncated"),
        ("```json\n" + WHOLE[:-3] + "\n```", "truncated"),
        ('{"verdict": "approve" "notes": ""}', "invalid_json"),
        ('{"verdict": "approve", "notes": "han sa "nej" då"}', "invalid_json"),
        ('{"verdict": approve}', "invalid_json"),
        ('{"verdict": "approve", 3: 4}', "invalid_json"),
        ('{"verdict": 007}', "invalid_json"),
        ('{"verdict": "\\uZZZZ"}', "invalid_json"),
        ('{"verdict": ' + "9" * 5000 + "}", "invalid_json"),
        ('{"verdict": "reject", "x": "a "b"", "y": {"verdict": "approve"}}', "invalid_json"),
        ('{"verdict": "reject", "verdict": "approve"}', "duplicate_key"),
        ('{"verdict": "reject", "Verdict": "approve"}', "duplicate_key"),
        ('{"verdict": true, "verdict": 1}', "duplicate_key"),
        ('{"verdict": "reject"} {"verdict": "approve"}', "ambiguous"),
        ('[{"verdict": "reject"}, {"verdict": "approve"}]', "ambiguous"),
        ('{"a": ' * 30 + "1" + "}" * 30, "too_deep"),
        ('{"a": ' + "[" * 100_000, "too_deep"),
        ("x" * (MAX_REPLY + 1), "too_long"),
        (WHOLE + " " * 5_000_000, "too_long"),
    ],
)
def test_what_cannot_be_read_has_a_reason(reply: str, reason: str) -> None:
    with pytest.raises(ContractError) as caught:
        read_object(reply, ("verdict",))
    assert caught.value.reason == reason
    assert "approve" not in str(caught.value)


def test_an_object_without_the_wanted_keys_is_still_told() -> None:
    assert read_object('{"a": 1}', ("verdict",)).value == {"a": 1}


def test_of_several_objects_the_one_with_the_wanted_keys_counts() -> None:
    found = read_object('Schemat {"type": "object"} ger {"verdict": "reject"}', ("verdict",))
    assert found.value == {"verdict": "reject"}


Reader = Callable[[str], ObjectFound]


def nothing_is_taken_from_cut_replies(read: Reader) -> None:
    """The promise: at whatever character a reply is cut, no object comes out of it."""
    whole = '{"answer": "Det tar två dagar.", "evidence_used": [{"chunk_id": "c1", "claim_supported": "x"}]}'
    for end in range(1, len(whole)):
        try:
            found = read(whole[:end])
        except ContractError as error:
            assert error.reason == "truncated", whole[:end]
        else:
            raise AssertionError(f"taken from a cut reply: {found.value}")


def test_no_part_of_a_cut_reply_is_an_object() -> None:
    nothing_is_taken_from_cut_replies(lambda text: read_object(text, ("answer",)))


def test_a_reader_that_closes_open_brackets_would_be_noticed() -> None:
    def closing(text: str) -> ObjectFound:
        for end in ("", "}", '"}', "]}", '"}]}', "}]}"):
            try:
                return ObjectFound(json.loads(text + end))
            except ValueError:
                continue
        return read_object(text)

    with pytest.raises(AssertionError, match="taken from a cut reply"):
        nothing_is_taken_from_cut_replies(closing)


def test_a_reader_that_takes_the_objects_inside_a_cut_one_would_be_noticed() -> None:
    def inside(text: str) -> ObjectFound:
        start, end = text.rfind("{"), text.rfind("}")
        return ObjectFound(json.loads(text[start : end + 1])) if 0 < start < end else read_object(text)

    with pytest.raises(AssertionError, match="taken from a cut reply"):
        nothing_is_taken_from_cut_replies(inside)


@pytest.mark.parametrize(
    "piece",
    [
        "{",
        "[",
        '{"',
        '{"a":',
        '{"a":{',
        "{'a':\"",
        '"',
        "\\",
        '{"a":"\\',
        "{/*",
        "{//",
        "{//\n",
        "<think>",
        "</think>",
        "```",
        "<|channel|>",
        "{ ",
        "“",
        "{“a”:‘",
        "{}",
        '{"a":1}',
        '{"a":1',
        "assistantfinal",
        '"{',
        "a ",
        '{"a":[1,',
        "-",
        "{-",
        "/*",
        "\n",
    ],
)
def test_the_work_grows_with_the_length_of_the_reply(piece: str) -> None:
    short, long = (piece * (size // len(piece)) for size in (3000, 30_000))
    assert calls(long) < 14 * calls(short) + 500


def calls(text: str) -> int:
    """How many functions are called while a text is read: a measure of work that no clock takes part in."""
    count = 0

    def profile(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        read_object(text, ("verdict",))
    except ContractError:
        pass
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("piece", ["{//", "{/*", "<think>", '{"a":"', "{'", "```", '{"a":[1,2,', "{ ", "</think>"])
def test_the_longest_reply_is_read_to_an_end(piece: str) -> None:
    with pytest.raises(ContractError):
        read_object(piece * (MAX_REPLY // len(piece)), ("verdict",))


def test_fifty_kilobytes_in_one_field_are_read() -> None:
    text = "Lång text. " * 5000
    assert read_object(json.dumps({"answer": text}), ("answer",)).value == {"answer": text}


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abcåäö_", min_size=1, max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text("abcåäö_", min_size=1, max_size=6), JSON, min_size=1, max_size=4), st.booleans())
@settings(max_examples=200, deadline=None)
def test_every_plain_object_is_read_as_json_reads_it(value: dict[str, Any], ascii_only: bool) -> None:
    written = json.dumps(value, ensure_ascii=ascii_only)
    if "\ufffd" in written or any(0xD800 <= ord(char) < 0xE000 for char in written) or "\\ud" in written.lower():
        return
    assert read_object(written).value == json.loads(written)


def test_visible_text_is_what_stands_outside_of_thoughts_and_fences() -> None:
    assert visible_text("<think>hm</think>\n```\nEtt svar.\n```") == "Ett svar."
    assert visible_text('"Ett svar."') == "Ett svar."
    for reply in (WHOLE, "<think>hm", WHOLE[:-1]):
        with pytest.raises(ContractError):
            visible_text(reply)
