"""How does a text stand in a prompt as data, so that nothing in it can pass for anything else?

Everything from outside (question, evidence, a draft) stands between tags that carry a key. The key is a digest of all that is
fenced, so no document can hold it; and whatever looks like a tag or a control token of a chat format loses its brackets.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ankare.contracts.fields import clean_text, one_line

_TAG = re.compile(r"<(?=[<>/!|?\w])")
_NO_TAGS = str.maketrans("<>", "‹›")
_TAG_END = re.compile(r"(?<=[\w\"'/|<>-])>")
_TURN = re.compile(r"\[(/?(?:INST|SYS|SYSTEM|USER|ASSISTANT))\]", re.IGNORECASE)
_KEY_LENGTH = 8
MAX_PLACE = 120


@dataclass(frozen=True, slots=True)
class PromptChunk:
    """A chunk as a model sees it: under a short alias, with the text that it may use. Title and section show where it stands.

    `language`: that of the text; "" for the language of the prompt."""

    alias: str
    title: str
    section: str
    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Fence:
    """The tags of one prompt. Made for all the texts that are to stand in it, by `Fence.around`."""

    key: str

    @classmethod
    def around(cls, texts: Sequence[str]) -> Fence:
        """A fence whose key stands in none of the texts."""
        digest = hashlib.sha256("\x1f".join(texts).encode("utf-8", "replace")).hexdigest()
        keys = (digest[start : start + _KEY_LENGTH] for start in range(len(digest)))
        return cls(next((key for key in keys if not any(key in text for text in texts)), digest))

    def block(self, name: str, text: str) -> str:
        """The text as the content of a tag."""
        return f'<{name} key="{self.key}">\n{disarmed(text)}\n</{name} key="{self.key}">'

    def chunks(self, chunks: Sequence[PromptChunk]) -> str:
        """The chunks as evidence, each opened by a tag with its alias."""
        parts = [f'<evidence key="{self.key}">']
        for chunk in chunks:
            parts.append(f'<{chunk.alias} key="{self.key}"> ({_place(chunk)})\n{disarmed(chunk.text)}')
        return "\n\n".join([*parts, f'</evidence key="{self.key}">'])


def fence(chunks: Sequence[PromptChunk]) -> str:
    """Chunks as fenced evidence, with a key of their own."""
    return Fence.around([text for chunk in chunks for text in (chunk.title, chunk.section, chunk.text)]).chunks(chunks)


def disarmed(text: str) -> str:
    """The text without anything that opens or closes a tag, a turn of a chat, or is invisible. Words and figures stay."""
    return _TURN.sub(r"(\1)", _TAG_END.sub("›", _TAG.sub("‹", clean_text(text))))


def _place(chunk: PromptChunk) -> str:
    parts = (disarmed(one_line(part)).translate(_NO_TAGS) for part in (chunk.title, chunk.section) if part.strip())
    return " › ".join(part[:MAX_PLACE] for part in parts)
