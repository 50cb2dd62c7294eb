"""A suite: every fault is told with its line and field, and what is written is read back the same."""

import json
import os
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ankare.errors import EvaluationError, SuiteError
from ankare.evaluation.case import Case, Expected, Gold
from ankare.evaluation.suites import suite as suite_module
from ankare.evaluation.suites.suite import digest_of, read_suite, suite_of, write_suite
from ankare.sample import pack_path

GOOD = {"id": "a", "question": "Vad är en beslutspunkt?"}


def refused(tmp_path: Path, *lines: object) -> SuiteError:
    path = tmp_path / "suite.jsonl"
    path.write_bytes(
        b"\n".join(line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=True).encode() for line in lines)
    )
    with pytest.raises(SuiteError) as told:
        read_suite(path)
    assert str(path) in told.value.message
    return told.value


FAULTS = [
    # (what a line holds, the fault's field and how it goes on)
    ({"question": "x"}, "id: it is missing. Give each case"),
    ({"id": "a"}, "question: it is missing. Write what is asked"),
    ({**GOOD, "id": 7}, "id: it is a number, not a text. Put it in quotes"),
    ({**GOOD, "id": ""}, "id: it is empty"),
    ({**GOOD, "id": " a"}, "id: it has white space around it"),
    ({**GOOD, "id": "a\u202eb"}, "id: it has white space around it or signs that cannot be seen"),
    ({**GOOD, "id": "a" * 121}, "id: it has more than 120 characters"),
    ({**GOOD, "question": " \t"}, "question: The question is empty"),
    ({**GOOD, "question": None}, "question: it is null, not a text"),
    ({**GOOD, "question": "x" * 2001}, "question: The question has 2001 characters, at most 2000"),
    ({**GOOD, "question": "half \ud800"}, "question: The question holds half a character"),
    ({**GOOD, "answerble": True}, 'answerble: there is no such field. Did you mean "answerable"?'),
    ({**GOOD, "zzz": 1}, "zzz: there is no such field. Known are id, question, type"),
    ({**GOOD, "answerable": "true"}, "answerable: it is a text, not true or false"),
    ({**GOOD, "answerable": 1}, "answerable: it is a number, not true or false"),
    ({**GOOD, "type": ["list"]}, "type: it is a list, not a text"),
    ({**GOOD, "language": "se"}, "language: 'se' is not known here. Known are sv, en, zh"),
    ({**GOOD, "language": "sv-SE"}, "language: 'sv-SE' is not known here"),
    ({**GOOD, "reference_date": "2025-13-01"}, "reference_date: '2025-13-01' is no date"),
    ({**GOOD, "reference_date": "20250520"}, "reference_date: '20250520' is no date"),
    ({**GOOD, "reference_date": "0001-01-01"}, "reference_date: '0001-01-01' is no date from 1950"),
    ({**GOOD, "reference_date": 2025}, "reference_date: it is a number"),
    ({**GOOD, "draft": "yes"}, "draft: it is a text, not true or false"),
    ({**GOOD, "notes": "x" * 20_001}, "notes: it has more than 20000 characters"),
    ({**GOOD, "gold": {"source": "a.pdf"}}, "gold: it is an object, not a list. Write ["),
    ({**GOOD, "gold": ["a.pdf"]}, "gold[0]: it is a text, not an object"),
    ({**GOOD, "gold": [{"pages": [1]}]}, "gold[0].source: it is missing. Name the document"),
    ({**GOOD, "gold": [{"source": ""}]}, "gold[0].source: it is empty"),
    ({**GOOD, "gold": [{"source": "a", "pages": 5}]}, "gold[0].pages: it is a number, not a list. Write [5]"),
    ({**GOOD, "gold": [{"source": "a", "pages": [0]}]}, "gold[0].pages[0]: there is no page 0. Pages count from 1"),
    ({**GOOD, "gold": [{"source": "a", "pages": [1, -2]}]}, "gold[0].pages[1]: there is no page -2"),
    ({**GOOD, "gold": [{"source": "a", "pages": ["5"]}]}, "gold[0].pages[0]: it is a text, not a page's number"),
    ({**GOOD, "gold": [{"source": "a", "pages": [2.5]}]}, "gold[0].pages[0]: it is a number, not a page's number"),
    ({**GOOD, "gold": [{"source": "a", "pages": [True]}]}, "gold[0].pages[0]: it is true or false"),
    ({**GOOD, "gold": [{"source": "a", "page": [5]}]}, 'gold[0].page: there is no such field. Did you mean "pages"?'),
    ({**GOOD, "gold": [{"source": "a", "snippet": "...!"}]}, "gold[0].snippet: it holds no word"),
    ({**GOOD, "gold": [{"source": "a"}] * 201}, "gold: it has more than 200 entries"),
    ({**GOOD, "expected": "12"}, "expected: it is a text, not a list"),
    ({**GOOD, "expected": {}}, "expected[0]: it says nothing"),
    ({**GOOD, "expected": {"value": 12.5}}, "expected[0].value: it is a number, not a text. Put it in quotes"),
    ({**GOOD, "expected": {"value": "12,5"}}, "expected[0].value: '12,5' is no decimal number. Write it as a plain"),
    ({**GOOD, "expected": {"value": "1 320"}}, "expected[0].value: '1 320' is no decimal"),
    ({**GOOD, "expected": {"value": "NaN"}}, "expected[0].value: 'NaN' is no decimal"),
    (
        {**GOOD, "expected": [{"metric": "A"}, {"valeu": "1"}]},
        'expected[1].valeu: there is no such field. Did you mean "v',
    ),
    ({**GOOD, "expected": {"mode": "ask"}}, "expected[0].mode: 'ask' is not known here. Known are"),
    ({**GOOD, "expected": {"status": "gone"}}, "expected[0].status: 'gone' is not known here"),
    ({**GOOD, "expected": {"value": "1", "mode": "ask_first"}}, "expected[0].mode: ask_first gives no figure"),
    ({**GOOD, "expected": {"value": "1", "status": "not_found"}}, "expected[0].status: not_found, and a value"),
    ({**GOOD, "expected": {"metric": "A", "status": "found"}}, "expected[0].status: found, and no value"),
    ({**GOOD, "answerable": False, "gold": [{"source": "a"}]}, "gold: the question is said to have no answer"),
    (
        {**GOOD, "answerable": False, "reference_answer": "ja"},
        "reference_answer: the question is said to have no answer",
    ),
    ({**GOOD, "answerable": False, "expected": {"value": "1"}}, "expected: the question is said to have no answer"),
    ({**GOOD, "answerable": True, "expected": {"metric": "A"}}, "answerable: true, but no figure is expected"),
    (["a"], ": it holds a list, no object"),
    (b"{", ": no JSON at column 2"),
    (b"# a remark", ': a remark is no case. Write it in the field "notes"'),
    (b"// a remark", ": a remark is no case"),
    (b'{"id": "a", "question": "x", "id": "b"}', "id: it stands twice in one object"),
    (b'{"id": "a", "question": "x", "draft": NaN}', ": no JSON that can be read: NaN is no number"),
    (b"[" * 60_000, ": no JSON that can be read"),
    (b'{"id": "a", "question": "bl\xe5"}', ": byte 28 is no UTF-8. Save the file as UTF-8"),
    (b'{"id": "a", "question": "' + b"x" * 200_000 + b'"}', ": it is longer than 200 kB"),
]


@pytest.mark.parametrize(("line", "told"), FAULTS)
def test_a_fault_is_told_with_its_line_its_field_and_what_to_do(tmp_path: Path, line: object, told: str) -> None:
    error = refused(tmp_path, {**GOOD, "id": "first"}, b"", line)
    assert len(error.faults) == 1, error.faults
    (fault,) = error.faults
    assert fault.startswith(f"line 3{told}" if told.startswith(":") else f"line 3, {told}"), fault
    assert fault in error.message and fault.rstrip("?").count(". ") >= 1  # what is wrong, then what to do


def test_every_fault_of_a_file_is_told_at_once(tmp_path: Path) -> None:
    error = refused(tmp_path, {"id": 1, "question": ""}, GOOD, {**GOOD, "gold": [{"pages": [0]}]})
    assert [fault.split(":")[0] for fault in error.faults] == [
        "line 1, id",
        "line 1, question",
        "line 3, gold[0].source",
        "line 3, gold[0].pages[0]",
    ]
    assert "has 4 faults" in error.message and isinstance(error, EvaluationError)


def test_many_faults_are_counted_and_the_first_twenty_told(tmp_path: Path) -> None:
    error = refused(tmp_path, *[{"id": f"c{number}", "question": ""} for number in range(33)])
    assert len(error.faults) == 33 and error.message.count("\n") == 21 and error.message.endswith("and 13 more")


def test_an_id_stands_once(tmp_path: Path) -> None:
    error = refused(tmp_path, GOOD, {**GOOD, "id": "b"}, {**GOOD, "question": "another"})
    assert error.faults == ("line 3, id: 'a' is the id of line 1 already. Give each case its own id.",)


def test_a_file_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite_module, "MAX_CASES", 2)
    error = refused(tmp_path, *[{**GOOD, "id": str(number)} for number in range(3)])
    assert "at most 2 cases" in error.message
    monkeypatch.setattr(suite_module, "MAX_BYTES", 10)
    assert "larger than" in refused(tmp_path, GOOD).message


@pytest.mark.parametrize("make", [lambda path: None, lambda path: path.mkdir()])
def test_no_file_is_told(tmp_path: Path, make: object) -> None:
    path = tmp_path / "suite.jsonl"
    make(path)  # type: ignore[operator]
    with pytest.raises(SuiteError, match="cannot be read"):
        read_suite(path)


def test_a_mark_of_byte_order_windows_line_ends_and_empty_lines_are_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    line = json.dumps(GOOD, ensure_ascii=False).encode()
    path.write_bytes(b"\xef\xbb\xbf" + line + b"\r\n\r\n   \r\n" + line.replace(b'"a"', b'"b"'))
    suite = read_suite(path)
    assert [case.id for case in suite] == ["a", "b"] and suite.name == "mine"


def test_an_empty_file_is_a_suite_without_cases(tmp_path: Path) -> None:
    path = tmp_path / "suite.jsonl"
    path.write_bytes(b"")
    assert len(read_suite(path)) == 0


def test_the_sample_suite_reads_as_it_is_written(tmp_path: Path) -> None:
    suite = read_suite(pack_path() / "suite.jsonl")
    assert len(suite) == 70 and {case.language for case in suite} == {"sv", "en", "zh"}
    write_suite(suite, tmp_path / "suite.jsonl")
    assert read_suite(tmp_path / "suite.jsonl") == suite


def test_the_suite_of_an_empty_pack_reads() -> None:
    assert len(read_suite(pack_path().parent / "empty" / "suite.jsonl")) == 0


def test_null_is_as_good_as_nothing(tmp_path: Path) -> None:
    path = tmp_path / "suite.jsonl"
    nothing = dict.fromkeys(
        ("type", "answerable", "reference_answer", "gold", "expected", "language", "notes", "draft")
    )
    path.write_text(json.dumps({**GOOD, **nothing}))
    assert read_suite(path).cases == (Case(**GOOD),)


def test_one_expected_figure_is_a_list_of_one(tmp_path: Path) -> None:
    figure = {"value": "-3.60", "metric": "PROFIT", "unit": "SEK_M", "channel": "DIRECT"}
    path = tmp_path / "suite.jsonl"
    path.write_text(
        "\n".join(json.dumps({**GOOD, "id": str(n), "expected": e}) for n, e in enumerate([figure, [figure]]))
    )
    one, listed = read_suite(path)
    assert one.expected == listed.expected == (Expected(**figure),)


texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=60)
names = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=20).filter(str.isprintable)
optional = st.one_of(st.just(""), names)
golds = st.builds(
    Gold,
    source=names,
    pages=st.lists(st.integers(1, 900), max_size=3).map(tuple),
    snippet=st.one_of(st.just(""), texts.map(lambda text: f"ord {text}")),
)
figures = st.builds(
    Expected,
    value=st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=3).map(str),
    unit=optional,
    metric=names,
    entity=optional,
    period=optional,
    channel=optional,
)
cases = st.builds(
    Case,
    id=names,
    question=texts.map(lambda text: f"Vad {text}?"),
    type=optional,
    answerable=st.sampled_from([True, None]),
    reference_answer=texts,
    gold=st.lists(golds, max_size=3).map(tuple),
    expected=st.lists(figures, max_size=3).map(tuple),
    language=st.sampled_from(["", "sv", "en", "zh"]),
    reference_date=st.one_of(st.none(), st.dates(date(1950, 1, 1), date(2150, 12, 31))),
    draft=st.booleans(),
    notes=texts,
)
suites = st.lists(cases, max_size=5, unique_by=lambda case: case.id)


@settings(max_examples=150, deadline=None)
@given(suites)
def test_whatever_is_written_is_read_back_equal(tmp_path_factory: pytest.TempPathFactory, held: list[Case]) -> None:
    path = tmp_path_factory.mktemp("suite") / "suite.jsonl"
    write_suite(held, path)
    suite = read_suite(path)
    assert suite == suite_of(held, "suite")
    # other readers of lines than ours see the same lines
    assert [json.loads(line)["id"] for line in path.read_text("utf-8").splitlines()] == [case.id for case in held]


@settings(max_examples=100, deadline=None)
@given(st.lists(cases, min_size=2, max_size=4, unique_by=lambda case: case.id), st.randoms())
def test_the_digest_is_of_what_is_asked_and_what_would_be_right(held: list[Case], random: object) -> None:
    other = [
        replace(
            case,
            notes="looked at",
            type="list",
            draft=not case.draft,
            question=f"  {case.question.replace(' ', '   ')}",
            gold=case.gold[::-1],
        )
        for case in held
    ]
    random.shuffle(other)  # type: ignore[attr-defined]
    assert digest_of(held) == digest_of(other)
    for changed in (
        {"question": held[0].question + " annat"},
        {"answerable": False},
        {"gold": (*held[0].gold, Gold("another.pdf"))},
        {"expected": (*held[0].expected, Expected("17", metric="M"))},
        {"reference_answer": held[0].reference_answer + " annat"},
        {"reference_date": date(1951, 1, 2) if held[0].reference_date != date(1951, 1, 2) else None},
    ):
        assert digest_of([replace(held[0], **changed), *held[1:]]) != digest_of(held), changed


def test_a_figure_written_otherwise_is_the_same_figure() -> None:
    one, other = (Case("a", "x", expected=(Expected(value),)) for value in ("318.0", "318"))
    assert digest_of([one]) == digest_of([other])


@pytest.mark.parametrize(
    "case",
    [
        Case("a", ""),
        Case("", "x"),
        Case("a", "x", language="xx"),
        Case("a", "x", expected=(Expected("12,5"),)),
        Case("a", "\ud800"),
        Case("a", "x", gold=(Gold("", (1,)),)),
        Case("a", "x", gold=(Gold("a", (0,)),)),
        Case("a", "x", answerable=False, reference_answer="ja"),
    ],
)
def test_what_could_not_be_read_is_not_written(tmp_path: Path, case: Case) -> None:
    path = tmp_path / "suite.jsonl"
    path.write_text("kept")
    with pytest.raises(SuiteError):
        write_suite([case], path)
    assert path.read_text() == "kept" and [*tmp_path.iterdir()] == [path]


def test_a_write_that_fails_leaves_the_old_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "suite.jsonl"
    write_suite([Case("old", "x")], path)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_suite([Case("new", "x")], path)
    assert [case.id for case in read_suite(path)] == ["old"] and [*tmp_path.iterdir()] == [path]


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "suite.jsonl")
    for path in (tmp_path / "suite.jsonl", Path("/dev/zero")):
        with pytest.raises(SuiteError, match=r"no regular file.*Name a suite"):
            read_suite(path)
