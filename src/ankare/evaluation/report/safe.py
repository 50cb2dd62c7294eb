"""How does text from answers and documents stand in a page, in a block of JSON, in Markdown and in a table, and stay text?

Whatever a model, a document, a question or a server wrote may try to be markup, a script, a formula or a line that reads the
other way around. Here it is made harmless, once for each place that it may stand in.
"""

from __future__ import annotations

import json
import re
from html import escape
from urllib.parse import quote, urlsplit

from ankare.cite.escape import cell as markdown_cell
from ankare.cite.escape import unlinked
from ankare.evaluation.cells import harmless

_LINE = re.compile("[\u2028\u2029\x85]")
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\ufff9-\uffff\ud800-\udfff]")
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_SCRIPT = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
_SLUG = re.compile(r"[\w.-]{1,80}", re.ASCII)
_PICTURE = re.compile(r"/sources/[\w%.~-]+/pages/\d{1,6}\.png(?:\?[\w%&=.,:;~-]*)?", re.ASCII)
SHOWN_TURN = "\ufffd"


def seen(text: str) -> str:
    """The text without characters that cannot be seen; a mark that turns its direction shows as a replacement character, one
    that breaks the line where nobody sees it is a space."""
    return _TURNING.sub(SHOWN_TURN, _UNSEEN.sub("", _LINE.sub(" ", text)))


def html(text: str) -> str:
    """As content or as a quoted attribute of HTML."""
    return escape(seen(text))


def json_block(value: object) -> str:
    """JSON that can stand inside a script element: nothing in it ends the element or begins a comment."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(_SCRIPT)


def cell(text: str) -> str:
    """As a cell of a table that no spreadsheet takes for a formula."""
    return harmless(seen(text))


def markdown(text: str, most: int = 200) -> str:
    """As text of a line or a cell of Markdown, cut where it is long. It names nobody and links nowhere."""
    return unlinked(markdown_cell(shortened(seen(text), most)))


def shortened(text: str, most: int) -> str:
    """At most so many characters, the last of them an ellipsis where something was cut."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def anchor(case_id: str) -> str:
    """The id of a case in the page, the same in every report. What is no plain name is told by its characters."""
    return f"case-{case_id}" if _SLUG.fullmatch(case_id) else f"case-{quote(case_id[:60], safe='')}".replace("%", "_")


def picture(base_url: str, path: object) -> str:
    """The address of a page picture on the server that answered; "" where it is none, or leads to another server."""
    base = urlsplit(base_url) if base_url.startswith(("http://", "https://")) else None
    if base is None or not base.netloc or "@" in base.netloc or not isinstance(path, str):
        return ""
    root = f"{base.scheme}://{base.netloc}"
    local = path.removeprefix(root)
    return base_url.rstrip("/") + local if _PICTURE.fullmatch(local) else ""
