"""What does a platform make a link or a mention of, where Markdown is posted as a comment?"""

from __future__ import annotations

import html
import re

from markdown_it import MarkdownIt

CALLS = (
    "@octocat @org/team a@evil.example #1 org/x#2 GH-3 https://evil.example/x www.evil.example mailto:b@evil.example"
)
"""Text that calls people and leads elsewhere, without any markup."""
_CALLED = r"(?i)@[\w-]|\w@\S|#\d|gh-\d|www\.\S|\w://|(?:mailto|xmpp):\S"
_RENDERER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def called(markdown: str) -> list[str]:
    """Whom and what it calls once it is rendered: no piece of text between two tags or comments may hold a name, a number or
    an address; elements that lead elsewhere are told too."""
    rendered = _RENDERER.render(markdown)
    pieces = re.split(r"<[^>]*>", rendered)
    found = [hit for piece in pieces for hit in re.findall(_CALLED, html.unescape(piece))]
    return found + re.findall(r"<(?:a|img)\b|href=|src=", rendered)


def reads(markdown: str) -> str:
    """What somebody reads."""
    return html.unescape(re.sub(r"<[^>]*>", "", _RENDERER.render(markdown)))
