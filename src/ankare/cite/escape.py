"""How is text of a document or a question set in Markdown so that it reads as written and never acts as markup?

Only characters that could act as markup are touched, so that the Markdown still reads well as plain text.
"""

from __future__ import annotations

import re

# Control characters, and the marks that turn the direction of text around and can disguise what a line says.
_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
# No-break spaces stay: a number must not be torn apart at the end of a line.
_SPACE = re.compile(r"[^\S\u00a0\u202f]+")
_ENTITY = re.compile(r"&(?=#?\w{1,32};)")
_INLINE = re.compile(r"[\\`*\[\]~]|(?<!\w)_|_(?!\w)")
# What platforms make a mention, a reference or a link of without any markup: @name, a@b, #1, GH-1, www., http:// and the like.
_CALL = re.compile(
    r"(?<!\\)(?P<whole>(?:\\\\)*)\\?(?P<sign>@|#(?=\d))|(?<=GH)-(?=\d)|(?<=www)\.|:(?=//)|(?<=mailto):|(?<=xmpp):",
    re.IGNORECASE,
)
_BLOCK = re.compile(r"^(?:[#=]|[+-](?=[\s-]|$)|\d{1,9}(?=[.)](?:\s|$)))")


def plain(text: str) -> str:
    """The text on one line, without control characters."""
    return _SPACE.sub(" ", _UNPRINTABLE.sub("", text)).strip()


def markdown(text: str) -> str:
    """The text as Markdown that shows exactly it. It may stand anywhere in a line, also first."""
    text = _INLINE.sub(lambda match: "\\" + match[0], plain(text))
    text = _ENTITY.sub("&amp;", text).replace("<", "&lt;").replace(">", "&gt;")
    return _BLOCK.sub(_stop_block, text)


def cell(text: str) -> str:
    """The text as the content of a cell of a Markdown table."""
    return markdown(text).replace("|", "\\|")


def unlinked(markdown: str) -> str:
    """Escaped Markdown that also calls nobody and links nowhere where it is posted as a comment, and reads as before.

    The sign becomes an entity, for whoever looks at the source, and an empty comment follows it, for platforms that look for
    names and numbers in what they have rendered: there neither a backslash nor an entity is left.
    """
    return _CALL.sub(_uncalled, markdown)


def url(address: str) -> str:
    """The address as the target of a Markdown link: nothing in it can end the link or leave http."""
    if not re.match(r"(?:https?://|/)", address):
        return ""
    return re.sub(r"[^!#$%&*+,./0-9:;=?@A-Za-z_~-]", lambda m: "".join(f"%{b:02X}" for b in m[0].encode()), address)


def _uncalled(match: re.Match[str]) -> str:
    return f"{match['whole'] or ''}&#{ord(match['sign'] or match[0])};<!-- -->"


def _stop_block(match: re.Match[str]) -> str:
    found = match[0]
    # "2024." would start a numbered list: there the full stop has to be escaped, not the figures.
    return found + "\\" if found.isdigit() else "\\" + found
