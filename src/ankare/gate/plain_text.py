"""How does a text read without its decoration: fences, marks of headings, emphasis, lines of a table?

Marks of list items stay, since they tell how the text is built; the cells of a row stay divided by " | ". What may be meant as
it stands is left: "5 * 3 * 2", "Plan_v2_final", "> 5 %".
"""

from __future__ import annotations

import re

_FENCE = re.compile(r"\s{0,8}(?:```+|~~~+)[ \t]{0,4}[\w+.-]{0,20}[ \t]{0,8}")
_HEADING = re.compile(r"\s{0,3}#{1,6}[ \t]+")
_MOST_CLOSING = 6
_QUOTE = re.compile(r"\A\s{0,3}(?:>[ \t]?){1,5}(?![ \t]?[\d=])")
_TASK = re.compile(r"\A(\s{0,20}[-*+] )\[[ xX]\] ")
_EMPHASIS = (
    re.compile(r"(?<![\w*\\])\*\*\*(?=[^\s*])([^*\n]{0,1000}?[^\s*])\*\*\*(?![\w*])"),
    re.compile(r"(?<![*\\])\*\*(?=[^\s*])([^*\n]{0,1000}[^\s*]|[^\s*])\*\*(?!\*)"),
    re.compile(r"(?<![\w_\\])__(?=[^\s_])([^\n_]{0,1000}[^\s_]|[^\s_])__(?![\w_])"),
    re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]{0,1000}[^\s*]|[^\s*])\*(?![\w*])"),
    re.compile(r"(?<![\w_\\])_(?=[^\s_])([^\n_]{0,1000}[^\s_]|[^\s_])_(?![\w_])"),
    re.compile(r"(?<!`)`([^`\n]{1,500})`(?!`)"),
)
_ESCAPED = re.compile(r"\\([*_#`])|(?<=\d)\\([.)])|^(\s{0,20})\\([-+>])", re.MULTILINE)


def plain_text(text: str) -> str:
    """The text without decoration; one without any comes back as it is."""
    lines = text.split("\n")
    kept = [plain for line in lines if (plain := _plain_line(line)) is not None]
    bare = "\n".join(kept)
    for pattern in _EMPHASIS:
        bare = pattern.sub(r"\1", bare)
    bare = _ESCAPED.sub(lambda match: "".join(group or "" for group in match.groups()), bare)
    return text if bare == text else re.sub(r"\n{3,}", "\n\n", bare).strip()


def _plain_line(line: str) -> str | None:
    """The line, None for one that is decoration alone."""
    if _is_rule(line) or _FENCE.fullmatch(line):
        return None
    heading = _HEADING.match(line)
    if heading is not None:
        line = _without_closing(line[heading.end() :].rstrip(" \t"))
    line = _TASK.sub(r"\1", _QUOTE.sub("", line))
    stripped = line.strip()
    if len(stripped) > 2 and stripped[0] == stripped[-1] == "|":
        return stripped.strip("| \t")
    return line


def _without_closing(heading: str) -> str:
    """A heading without the marks that may close it ("Budget ##")."""
    bare = heading.rstrip("#")
    closed = 0 < len(heading) - len(bare) <= _MOST_CLOSING and bare.endswith((" ", "\t"))
    return bare.rstrip(" \t") if closed else heading


def _is_rule(line: str) -> bool:
    """A line across the page, under a heading or under the head of a table."""
    marks = set(line.strip())
    if len(marks) == 1 and line.strip()[0] in "-=*_~":
        return len(line.strip()) >= 3
    spaced = line.replace(" ", "")
    if len(spaced) >= 3 and len(set(spaced)) == 1 and spaced[0] in "-*_":
        return True
    return bool(marks) and marks <= set("|-: \t") and "|" in marks and "--" in line
