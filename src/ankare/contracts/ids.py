"""Which of the chunks that it was shown does a model mean?

Models write an id with brackets, in capitals, several in one field, and as a mark in the text ("... [c1]", "【c1】"). All of
that is form. What is none of the known ids is unknown, however near it looks.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ankare.contracts.fields import Fields, one_line

MAX_EVIDENCE = 8
MAX_CLAIM = 220
_ROUND = " \t\"'`.,:;()[]{}<>【】«»“”"
_SEPARATOR = re.compile(r"[,;|/\s]+|\boch\b|\band\b")
_MARK = re.compile(r"[ \t\u00a0]?(?:\[([^\[\]\n]{1,60})\]|\(([^()\n]{1,60})\)|【([^【】\n]{1,60})】)")


@dataclass(frozen=True, slots=True)
class EvidenceUse:
    """A chunk, by one of the known ids, and the claim that it is said to support (empty where only the id is given)."""

    chunk_id: str
    claim_supported: str


@dataclass(frozen=True, slots=True)
class EvidenceRead:
    """What was cited: known chunks, each once, and what else was named. `faults`: items that could not be read."""

    uses: tuple[EvidenceUse, ...] = ()
    unknown: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


class KnownIds:
    """The ids that a model was shown."""

    def __init__(self, ids: Collection[str]) -> None:
        self._ids = frozenset(ids)
        self._by_form = {item.casefold(): item for item in ids}

    def resolve(self, written: str) -> tuple[str, ...]:
        """The known ids that a text consists of; none where any part of it is something else."""
        whole = self._by_form.get(written.strip(_ROUND).casefold())
        if whole is not None:
            return (whole,)
        parts = [part for part in _SEPARATOR.split(written) if part.strip(_ROUND)]
        found = [self._by_form.get(part.strip(_ROUND).casefold()) for part in parts]
        return tuple(item for item in found if item) if all(found) else ()

    def without_marks(self, text: str) -> tuple[str, tuple[str, ...]]:
        """The text without citation marks of known ids, and those ids. They count only as they are written: "(C1)" may be a
        word of the text."""
        cited: list[str] = []

        def taken(mark: re.Match[str]) -> str:
            written = next(group for group in mark.groups() if group is not None)
            parts = [part.strip(_ROUND) for part in _SEPARATOR.split(written) if part.strip(_ROUND)]
            found = parts if self._ids.issuperset(parts) else []
            cited.extend(found)
            return "" if found else mark[0]

        return _MARK.sub(taken, text).strip(), tuple(dict.fromkeys(cited))

    def evidence(self, fields: Fields, marked: Iterable[str] = ()) -> EvidenceRead:
        """The field `evidence_used`, then the ids `marked` in the text. Raises ContractError where it is no list."""
        uses: dict[str, str] = {}
        unknown: dict[str, None] = {}
        faults: dict[str, None] = {}
        for item in fields.items("evidence_used"):
            named, claim = _named(item)
            if named is None:
                faults["evidence_item_unreadable"] = None
                continue
            found = self.resolve(named)
            for known in found:
                uses[known] = uses.get(known) or claim
            if not found and len(unknown) < MAX_EVIDENCE:
                unknown[one_line(named)[:60]] = None
        for known in marked:
            uses.setdefault(known, "")
        read = tuple(EvidenceUse(known, claim) for known, claim in uses.items())
        return EvidenceRead(read[:MAX_EVIDENCE], tuple(unknown), tuple(faults))


def _named(item: object) -> tuple[str | None, str]:
    """Id and claim of one item: an object, or the bare id."""
    if isinstance(item, str):
        return (item, "") if item.strip() else (None, "")
    if not isinstance(item, dict) or not isinstance(item.get("chunk_id"), str) or not item["chunk_id"].strip():
        return None, ""
    claim = item.get("claim_supported")
    return item["chunk_id"], one_line(claim)[:MAX_CLAIM] if isinstance(claim, str) else ""
