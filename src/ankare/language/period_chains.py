"""Which words of time stand beside each other?

Tokens that nothing else interrupts make a stretch; connecting words and signs divide it into runs ("Q1 och Q2 2024"). What each
run says is read in `period_items`, what the runs of a chain lend each other in `period_loans`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ankare.language.period_items import Item, read_run
from ankare.language.period_loans import Chain, kept_items, settle
from ankare.language.period_numbers import Token

_CONNECTORS = "avtT,/-"
RANGES = "tT-"
_TIMES = frozenset("yYEFcMmPpQRSXUVujZAGid")
_GAPS = "DnqkC"
_OPENS = "owLlbfKz"
_GROUP = 3


def read_chains(text: str, tokens: Sequence[Token]) -> list[Chain]:
    """The chains of a folded text, in order, with all that their items lend each other."""
    settled = _without_quantities(text, tokens)
    comparing = any(token.kind == "C" for token in settled)
    timely = (stretch for stretch in _stretches(text, settled) if any(token.kind in _TIMES for token in stretch))
    chains = (_read_stretch(text, stretch, comparing) for stretch in timely)
    return settle(text, [chain for chain in chains if chain.items])


def _without_quantities(text: str, tokens: Sequence[Token]) -> list[Token]:
    """The tokens; a bare year that its neighbours make a quantity or a label is any number ("minst 2000", "2000 kr")."""
    settled = list(tokens)
    for place, token in enumerate(tokens):
        if token.kind not in "yNFc":
            continue
        before = settled[place - 1] if place and _touch(text, settled[place - 1], token) else None
        after = tokens[place + 1] if place + 1 < len(tokens) and _touch(text, token, tokens[place + 1]) else None
        beyond = tokens[place + 2] if place + 2 < len(tokens) else None
        if _is_quantity(token, before, after, beyond):
            settled[place] = token._replace(kind="D")
    return settled


def _is_quantity(token: Token, before: Token | None, after: Token | None, beyond: Token | None) -> bool:
    if before is not None and before.kind in "qD" and (token.kind != "F" or token.type == "MONTH"):
        return True
    if after is None or token.kind in "Fc":
        return False
    if token.kind == "N":
        return after.kind == "k"
    if after.kind == "D":
        return after.end - after.start == _GROUP
    alone = before is None or before.kind in "g" + _CONNECTORS
    plural = after.kind in "Vj" and (beyond is None or beyond.kind not in "NO")
    return alone and (after.kind == "k" or plural)


def _touch(text: str, first: Token, second: Token) -> bool:
    """Does nothing but white space stand between two tokens?"""
    return first.end == second.start or text[first.end : second.start].isspace()


def _stretches(text: str, tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The tokens in groups that nothing else interrupts."""
    stretch: list[Token] = []
    for token in tokens:
        if stretch and (token.kind in _GAPS or not _touch(text, stretch[-1], token)):
            yield stretch
            stretch = []
        if token.kind not in _GAPS:
            stretch.append(token)
    if stretch:
        yield stretch


def _read_stretch(text: str, stretch: Sequence[Token], comparing: bool) -> Chain:
    """The chain of a stretch: runs, and the connectors between them."""
    runs: list[list[Token]] = []
    joiners: list[str] = []
    pending = ""
    run: list[Token] = []
    for place, token in enumerate(stretch):
        if token.kind == "-" and run and _is_hyphen(run[-1], token, stretch[place + 1 : place + 2]):
            continue
        if token.kind in _CONNECTORS:
            run = []
            kind = "v" if token.kind == "t" and comparing and text[token.start] != "~" else token.kind
            pending = kind if not pending or kind != "," else pending
            continue
        if run and token.kind in "yY" and run[-1].kind in "yY":
            run, pending = [], ","
        if not run:
            runs.append(run)
            joiners.append(pending)
            pending = ""
        run.append(token)
    return _read_runs(text, runs, joiners, pending)


def _is_hyphen(before: Token, sign: Token, after: Sequence[Token]) -> bool:
    """Does a dash make one word, as in "mid-2024" and "third-quarter"?"""
    if before.kind in _OPENS:
        return True
    glued = bool(after) and before.end == sign.start and sign.end == after[0].start
    return glued and before.kind in "ON" and after[0].kind in "UVAuj"


def _read_runs(text: str, runs: Sequence[list[Token]], joiners: Sequence[str], tail: str) -> Chain:
    """The chain of these runs; `joiners` stand before them, `tail` after the last."""
    following = [*joiners[1:], tail]
    read = [_read_run(text, run, after) for run, after in zip(runs, following, strict=True)]
    if read[0] is not None and joiners[0] == "T":
        read[0] = read[0]._replace(lost=True)
    if read[-1] is not None and tail == "-" and _OPEN_END.match(text, runs[-1][-1].end):
        read[-1] = read[-1]._replace(lost=True)
    items = tuple(item or _NOTHING for item in read)
    return kept_items(Chain(items, tuple(joiners), tail), [item is not None for item in read])


def _read_run(text: str, run: Sequence[Token], after: str) -> Item | None:
    closed = bool(after) or not _GOES_ON.match(text, run[-1].end)
    return read_run(run[1:] if run[0].kind == "f" and after in _RANGE_SIGNS else run, closed)


_NOTHING = Item(0, 0)
_RANGE_SIGNS = tuple(RANGES)
_GOES_ON = re.compile(r"\s*\w")
_OPEN_END = re.compile(r"-(?!\s*\w)")
