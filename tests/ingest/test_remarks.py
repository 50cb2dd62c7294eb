"""Whatever ingest tells of a file can be told in every language, from one code."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import ankare.ingest
from ankare.ingest.facts import FIELDS
from ankare.ingest.figures.cells import Missing
from ankare.ingest.work import Task, work
from ankare.language.numbers import NumberFault
from ankare.messages import languages, messages
from ankare.messages.remarks import (
    Remark,
    both,
    listed,
    parts_of,
    remark,
    remark_from_json,
    remark_to_json,
    said,
    some,
    translated,
)

SOURCE = Path(ankare.ingest.__file__).parent
ENDINGS = ("_page", "_one")
TOLD = ("DocumentError", "FactFileError")
"""Errors whose texts reach the report on a file."""
BUILT = {
    "field_": FIELDS,
    "fields_": ("metric", "entity", "channel"),
    "number_": tuple(fault for fault in NumberFault if fault not in (NumberFault.EMPTY, NumberFault.LONG)),
}
"""Codes that are put together, by what they begin with, and with what."""
CHOSEN = {
    "cells.py": [str(kind.value) for kind in Missing],
    "amounts.py": ["two_numbers_comma", "two_numbers_point"],
    "assemble.py": ["share_or_percent", "share_or_percent_beside"],
}
"""Codes that a module chooses among by a variable."""


def remarks_in(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "remark":
            yield node


def codes_in(path: Path, tree: ast.AST) -> dict[str, set[str] | None]:
    """Every code that a module can give, with the names of its values; None where they are not known."""
    found: dict[str, set[str] | None] = {}
    for call in remarks_in(tree):
        names = {str(keyword.arg) for keyword in call.keywords}
        code = call.args[0]
        if isinstance(code, ast.Constant):
            found[code.value] = names
        elif isinstance(code, ast.JoinedStr):
            (start, _) = code.values
            assert isinstance(start, ast.Constant), ast.dump(code)
            found.update(dict.fromkeys((f"{start.value}{end}" for end in BUILT[start.value]), names))
        else:
            found.update(dict.fromkeys(CHOSEN.get(path.name, ()), names))
    return found


def every_code() -> dict[str, set[str] | None]:
    found: dict[str, set[str] | None] = {"both": {"first", "second"}, "list": {"parts"}, "and_more": {"shown", "more"}}
    for path in sorted(SOURCE.rglob("*.py")):
        found.update(codes_in(path, ast.parse(path.read_text(encoding="utf-8"))))
    return found


def held(language: str) -> dict[str, str]:
    return {key.partition(".")[2]: text for key, text in messages(language).items() if key.startswith("load.")}


def plain(code: str) -> str:
    for ending in ENDINGS:
        code = code.removesuffix(ending)
    return code


def missing(codes: dict[str, set[str] | None], texts: dict[str, str]) -> list[str]:
    """Codes without a text, and texts that ask for what their code does not give."""
    wrong = [code for code in codes if code not in texts]
    for name, text in texts.items():
        wanted = {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}
        given = codes.get(name if name in codes else plain(name))
        wrong += [name] if given is not None and not wanted <= given else []
    return wrong


@pytest.mark.parametrize("language", languages())
def test_every_code_that_ingest_can_give_has_its_text_in_every_language(language: str) -> None:
    codes, texts = every_code(), held(language)
    assert len(codes) > 250
    assert missing(codes, texts) == []
    assert {plain(name) for name in texts} - {plain(code) for code in codes} == set(), "a text that nothing says"


@pytest.mark.parametrize("language", languages())
def test_the_walk_fails_when_one_text_is_missing_or_asks_for_too_much(language: str) -> None:
    codes, texts = every_code(), held(language)
    assert missing(codes, {name: text for name, text in texts.items() if name != "csv_nul"}) == ["csv_nul"]
    assert missing(codes, {**texts, "csv_nul": "{row} {column}"}) == ["csv_nul"]


def bare(tree: ast.AST) -> list[str]:
    """Errors with a sentence of their own in place of a remark."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    return [
        ast.unparse(call)
        for call in calls
        if call.func.id in TOLD  # type: ignore[attr-defined]
        and any(isinstance(part, ast.JoinedStr | ast.Constant) for part in call.args)
    ]


def test_no_error_about_a_file_is_worded_where_it_is_raised() -> None:
    for path in SOURCE.rglob("*.py"):
        assert bare(ast.parse(path.read_text(encoding="utf-8"))) == [], path
    assert bare(ast.parse('raise DocumentError("The file is odd.", remark("do_split"))'))


CASES = [
    (remark("csv_nul", row="4"), "sv", "Rad 4 innehåller ett NUL-tecken."),
    (remark("at", place="row 12", what=remark("value_missing")), "sv", "rad 12: värde saknas: ta bort raden"),
    (remark("refused", name="a.csv", faults=remark("faults", count=1), rows=("x",)), "en", "a.csv has 1 fault, so"),
    (remark("file_large", size=1234567, most=10), "sv", "1\u00a0234\u00a0567"),
    (remark("file_large", size=1234567, most=10), "en", "1,234,567"),
    (remark("columns_unused", columns=some(["a", "b", "c"], 2)), "sv", "a, b och 1 till"),
    (remark("columns_unused", columns=some(["a", "b"], 2)), "zh", "a, b"),
    (both(remark("file_empty"), remark("do_save_again")), "sv", "Filen är tom. Spara dokumentet igen."),
    (listed((remark("no_text"), "", remark("no_text"))), "en", "no text was found; no text was found"),
    ("The lake is frozen.", "sv", "The lake is frozen."),
    (Remark("A newer kind.", "of_a_newer_ankare", {"row": 4}), "sv", "A newer kind."),
    (Remark("Too few values.", "csv_nul", {}), "sv", "Too few values."),
]


@pytest.mark.parametrize(("told", "language", "text"), CASES)
def test_a_remark_is_said_in_the_readers_language_or_as_it_is(told: str, language: str, text: str) -> None:
    assert text in said(told, language)


@pytest.mark.parametrize("told", [case[0] for case in CASES])
def test_a_remark_comes_back_from_json_as_it_was(told: str) -> None:
    back = remark_from_json(remark_to_json(told))
    assert back == told
    assert [said(back, language) for language in languages()] == [said(told, language) for language in languages()]


def test_a_readers_page_gives_no_advice_about_commands() -> None:
    for told in (remark("do_correct", count=2), remark("do_correct", count=1), remark("in_conflict", figures="2")):
        assert "ankare facts" in told or "--skip-bad" in told
        for language in languages():
            shown = translated(told, language, page=True)
            assert shown is not None and "--" not in shown and "ankare facts" not in shown


def test_remarks_put_together_are_told_one_by_one() -> None:
    first, second, third = remark("file_empty"), remark("do_split"), remark("no_text")
    assert list(parts_of(listed((both(first, second), third)))) == [first, second, third]
    assert [getattr(part, "code", "") for part in parts_of(both(first, "plain"))] == ["file_empty", ""]
    assert list(parts_of("")) == []


def test_a_remark_keeps_its_code_on_the_way_out_of_a_reading_process(tmp_path: Path) -> None:
    import pickle

    path = tmp_path / "tom.pdf"
    path.write_bytes(b"")
    task = Task("tom.pdf", path, tmp_path / "home", (), ("sv",))
    failed = pickle.loads(pickle.dumps(work(task))).failed  # noqa: S301 - our own bytes
    assert said(failed, "sv") == "Filen är tom. Spara dokumentet igen, eller ta bort filen."
