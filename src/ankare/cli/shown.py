"""How does a text of a file stand on a terminal, so that it can neither steer it nor read other than it is?

A name, a question or a page may hold control characters that move the cursor, marks that turn the direction of a line around
(U+202E), and signs that nobody sees. They are written as JSON writes them where it must: in JSON that means the same to every
program, elsewhere it is seen.
"""

from __future__ import annotations

import json
import re
from typing import Any

# Of Unicode's categories: other controls, formats, surrogates, and the separators of lines and paragraphs.
_UNSEEN = (
    r"\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f"
)
_IN_JSON = re.compile(f"[{_UNSEEN}]")
_IN_TEXT = re.compile(rf"(?![\xad\u200c\u200d])[\x00-\x08\x0b-\x1f{_UNSEEN}]")
"""Soft hyphens and the joiners of scripts and pictures are left: they steer nothing."""


def json_text(value: Any, indent: int | None = None, *, allow_nan: bool = True) -> str:
    """JSON for a terminal or a pipe: letters of any language as they are, what cannot be seen as an escape. Without `allow_nan`
    a number that JSON does not know raises ValueError."""
    return _IN_JSON.sub(_escaped, json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=allow_nan))


def shown(text: object) -> str:
    """A text for people. Its lines and tabs stay."""
    return _IN_TEXT.sub(_escaped, str(text))


def shown_line(text: object) -> str:
    """A text for people, on one line."""
    return " ".join(shown(text).split())


def _escaped(match: re.Match[str]) -> str:
    """As JSON writes it: beyond U+FFFF as a pair."""
    return json.dumps(match[0])[1:-1].replace("\x7f", "\\u007f")
