"""Which names may a file have that comes over a network? None that leads elsewhere, hides something or fails on some system."""

from __future__ import annotations

import unicodedata

import pytest

from ankare.ingest.readers import EXTENSIONS
from ankare.service.library.names import MOST_NAME_BYTES, plain_label, plain_name
from ankare.service.problem import ProblemError

GOOD = [
    ("plan.pdf", "plan.pdf"),
    ("Årsplan 2025 (utkast).DOCX", "Årsplan 2025 (utkast).DOCX"),
    (unicodedata.normalize("NFD", "Årsplan.pdf"), "Årsplan.pdf"),
    ("年度计划.pdf", "年度计划.pdf"),
    ("hårt\u00a0mellanslag.pdf", "hårt mellanslag.pdf"),
    ("plan.exe.pdf", "plan.exe.pdf"),
    ("-rf.md", "-rf.md"),
    ("con1.pdf", "con1.pdf"),
    ("a%2fb.pdf", "a%2fb.pdf"),
    ("å" * 98 + ".pdf", "å" * 98 + ".pdf"),
]
HOSTILE = {
    "parent": "../x.pdf",
    "parent in the middle": "a/../../x.pdf",
    "absolute": "/etc/passwd.txt",
    "windows path": "..\\x.pdf",
    "drive": "C:x.pdf",
    "stream": "plan.pdf:hidden.txt",
    "fullwidth slash": "..\uff0fx.pdf",
    "fraction slash": "a\u2044b.pdf",
    "division slash": "a\u2215b.pdf",
    "big reverse solidus": "a\u29f5b.pdf",
    "fullwidth dots": "\uff0e\uff0e\uff0fx.pdf",
    "nul": "plan.pdf\0.txt",
    "newline": "plan\nb.pdf",
    "escape": "plan\x1b[2J.pdf",
    "bidi override": "plan\u202efdp.txt",
    "bidi isolate": "\u2067plan.pdf",
    "zero width": "pl\u200ban.pdf",
    "byte order mark": "\ufeffplan.pdf",
    "soft hyphen": "pl\u00adan.pdf",
    "line separator": "a\u2028b.pdf",
    "private use": "\ue000.pdf",
    "undecodable": "pl\ufffdn.pdf",
    "surrogate": "pl\ud800n.pdf",
    "hidden": ".plan.pdf",
    "two dots": "..",
    "one dot": ".",
    "fullwidth leading dot": "\uff0eplan.pdf",
    "office lock": "~$plan.docx",
    "leading space": " plan.pdf",
    "trailing dot": "plan.pdf.",
    "trailing dots": "plan.pdf...",
    "trailing space": "plan.pdf ",
    "device": "CON.pdf",
    "device in small letters": "nul.txt",
    "device with two endings": "aux.x.pdf",
    "port": "COM1.pdf",
    "port with superscript": "LPT².pdf",
    "device and space": "prn .pdf",
    "wildcard": "pl*n.pdf",
    "pipe": "a|b.pdf",
    "quote": 'a"b.pdf',
    "markup": "<b>.pdf",
    "too long": "a" * (MOST_NAME_BYTES - 3) + ".pdf",
    "too long in bytes": "å" * 99 + ".pdf",
    "nothing": "",
}
UNREADABLE_TYPES = [
    "plan",
    "plan.exe",
    "plan.pdf.exe",
    "plan.\u0440df",
    "plan.zip",
    "plan.pdf.meta.toml",
    "access.toml",
    "x.js",
]


@pytest.mark.parametrize(("raw", "name"), GOOD)
def test_an_ordinary_name_stays(raw: str, name: str) -> None:
    assert plain_name(raw) == name


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE)
def test_a_name_that_could_do_harm_is_refused(raw: str) -> None:
    with pytest.raises(ProblemError) as refused:
        plain_name(raw)
    assert (refused.value.status, refused.value.field) == (400, "name")
    assert raw not in refused.value.detail or raw in ("", ".", "..")


@pytest.mark.parametrize("raw", UNREADABLE_TYPES)
def test_a_type_that_nothing_reads_is_refused(raw: str) -> None:
    with pytest.raises(ProblemError) as refused:
        plain_name(raw)
    assert refused.value.status == 415


def test_an_old_format_is_refused_with_what_to_save_it_as() -> None:
    with pytest.raises(ProblemError, match=r"save it as \.docx"):
        plain_name("plan.doc")


@pytest.mark.parametrize("suffix", EXTENSIONS)
def test_every_type_that_is_read_is_taken(suffix: str) -> None:
    assert plain_name(f"plan{suffix}") == f"plan{suffix}"


@pytest.mark.parametrize(
    ("raw", "label"), [("", ""), (" ", ""), ("hr", "hr"), ("Board-2", "board-2"), (" legal ", "legal")]
)
def test_a_label_is_kept_in_its_plain_form(raw: str, label: str) -> None:
    assert plain_label(raw) == label


@pytest.mark.parametrize("raw", ["a b", 'x"\naccess = ""', "_being-replaced", "é", "a" * 65, "../x", "a\0"])
def test_what_is_no_label_is_refused(raw: str) -> None:
    with pytest.raises(ProblemError) as refused:
        plain_label(raw)
    assert (refused.value.status, refused.value.field) == (400, "label")
