"""What would a model answer that copies well and now and then invents, where no model is at hand?

It finds the sentences of the evidence that share most with the question and copies them. Of each five questions it invents
something for one, breaks its JSON for another, and its review sees an invention as often as not: so that every way through
the chain is walked. The same prompt gives the same reply, whoever runs it. It is no measure of any real model.
"""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass

from tests.model_server import Behaviour, Line, Seen, says

INVENTED = {"sv": "Detta kostar 731 000 kronor.", "en": "This costs 731,000 dollars."}
CHARS_PER_TOKEN = 4
MOST_SENTENCES = 3
_PART = re.compile(r"<(question|answer|evidence) key=[^>]*>\n(.*?)\n</\1 key=", re.DOTALL)
_CHUNK = re.compile(r"^<(c\d+) key=[^>]*>[^\n]*\n(.*?)(?=\n\n<c\d+ key=|\Z)", re.DOTALL | re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_WORD = re.compile(r"\w{4,}")
_STEM = 6
_SWEDISH = re.compile(r"[åäöÅÄÖ]|\b(?:och|är|vad|vem|hur|vilka|ska)\b", re.IGNORECASE)


def copying(line: Line) -> None:
    """The model as a behaviour of `tests.model_server`, with usage by the length of prompt and reply."""
    text = speak(line.request)
    prompt, written = len(line.request.prompt) // CHARS_PER_TOKEN, len(text) // CHARS_PER_TOKEN
    usage = {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written}
    behaviour: Behaviour = says(text, usage=usage)
    behaviour(line)


def speak(seen: Seen) -> str:
    """What the model says to a prompt."""
    told = Told.of(seen.prompt)
    if '"verdict"' in seen.prompt:
        return json.dumps({"verdict": told.verdict()})
    if not told.chunks:
        return told.wordings()
    corrects = '"evidence_used"' in seen.prompt and '"answer_scope"' not in seen.prompt
    if told.luck == 1 and not corrects:
        return "{"
    return told.answer(invents=told.luck == 0 and not corrects)


@dataclass(frozen=True, slots=True)
class Told:
    """What a prompt holds: the question, the draft where there is one, and the chunks by their names."""

    question: str
    draft: str
    chunks: dict[str, str]

    @classmethod
    def of(cls, prompt: str) -> Told:
        """Read a prompt."""
        parts = dict(_PART.findall(prompt))
        return cls(parts.get("question", ""), parts.get("answer", ""), dict(_CHUNK.findall(parts.get("evidence", ""))))

    @property
    def luck(self) -> int:
        """0 to 4, the same for the same question."""
        return zlib.crc32(self.question.encode()) % 5

    def wordings(self) -> str:
        """One wording for the search: the question's longer words alone."""
        query = " ".join(_WORD.findall(self.question))
        queries = [{"query": query, "purpose": "literal"}] if query else []
        return json.dumps({"original_question": self.question, "retrieval_queries": queries, "confidence": 0.9})

    def answer(self, *, invents: bool) -> str:
        """The best sentences as a draft, in the order of the evidence."""
        found = self._best()
        sentences = [sentence for _, sentence in found]
        if invents:
            sentences.append(INVENTED["sv" if _SWEDISH.search(self.question) else "en"])
        used = [{"chunk_id": name, "claim_supported": sentence} for name, sentence in found]
        return json.dumps({"answer": " ".join(sentences), "answer_scope": "direct", "evidence_used": used})

    def verdict(self) -> str:
        """A review that sees an invention in every other question."""
        invented = any(text in self.draft for text in INVENTED.values())
        return "rejected" if invented and len(self.question) % 2 else "approved"

    def _best(self) -> list[tuple[str, str]]:
        asked = _stems(self.question)
        sentences = [
            (name, sentence.strip())
            for name, text in self.chunks.items()
            for sentence in _SENTENCE.split(text)
            if len(sentence) > 20 and sentence.strip().endswith(".")
        ]
        ranked = sorted(range(len(sentences)), key=lambda at: (-len(asked & _stems(sentences[at][1])), at))
        return [sentences[at] for at in sorted(ranked[:MOST_SENTENCES])]


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(text.casefold())}
