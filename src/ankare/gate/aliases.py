"""Where in a text might the name of a body outside the home begin?

Names are read as texts are, so that both meet in one skeleton. All of them stand in one pattern, built as a tree of their
letters, so that a text without any of them costs one pass.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ankare.errors import ProfileError
from ankare.gate.folding import View, view_of

_DRAWN = (("m", "rn"), ("w", "vv"), ("d", "cl"))
"""Two letters side by side that look like one."""
_SPELLED = (("å", "aa"), ("ä", "ae"), ("ö", "oe"), ("ø", "oe"), ("ü", "ue"))
"""How letters are written on keyboards that lack them."""
_MOST_DRAWN = 4


@dataclass(frozen=True, slots=True)
class Alias:
    """One way to write `name`: its letters as read, the words that they are written in (`written`, as words are compared),
    and before which letters a new word begins (`breaks`). `as_given`: it stands so in the profile."""

    name: str
    letters: str
    written: tuple[str, ...]
    breaks: frozenset[int]
    as_given: bool = True
    spaceless: bool = False


class AliasIndex:
    """Every alias of every name, to be looked for at once."""

    def __init__(self, external_entities: Mapping[str, Sequence[str]]) -> None:
        self._by_skeleton: dict[str, list[Alias]] = defaultdict(list)
        for name, aliases in external_entities.items():
            for written in dict.fromkeys([name, *aliases]):
                for skeleton, alias in _forms(name, written):
                    self._by_skeleton[skeleton].append(alias)
        self._lengths = sorted({len(skeleton) for skeleton in self._by_skeleton}, reverse=True)
        self.pattern = re.compile(_tree(sorted(self._by_skeleton)) if self._by_skeleton else r"(?!)")

    def candidates(self, view: View) -> Iterator[tuple[int, Iterable[Alias]]]:
        """Each letter at which aliases begin by their skeletons, with those aliases, longest first."""
        skeleton = view.skeleton
        position = 0
        while (match := self.pattern.search(skeleton, position)) is not None:
            start = match.start()
            found = (self._by_skeleton.get(skeleton[start : start + length], ()) for length in self._lengths)
            yield start, [alias for aliases in found for alias in aliases]
            position = start + 1


def _forms(name: str, written: str) -> Iterator[tuple[str, Alias]]:
    """An alias as given, then as it may be drawn or spelled. Raises ProfileError for one without a letter or digit."""
    given = _alias(name, written, as_given=True)
    yield given
    seen = {given[1].letters}
    for other in [*_drawn(written.casefold()), _respelled(written.casefold())]:
        skeleton, alias = _alias(name, other, as_given=False)
        if alias.letters not in seen:
            seen.add(alias.letters)
            yield skeleton, alias


def _alias(name: str, written: str, *, as_given: bool) -> tuple[str, Alias]:
    view = view_of(written)
    if not view.letters:
        raise ProfileError(
            f"The alias {written!r} of the external entity {name!r} has no letter or digit.",
            "Remove it or write it out.",
        )
    breaks = frozenset(index for index, gap in enumerate(view.gaps) if gap and index)
    words = tuple(view.written(first, last) for first, last in view.words)
    spaceless = all(view.is_spaceless(index) for index in range(len(view.letters)))
    return view.skeleton, Alias(name, view.letters, words, breaks, as_given, spaceless)


def _drawn(written: str) -> Iterator[str]:
    """With any of its letters drawn as two ("Tallrno"); all or none of them where there are many."""
    doubles = dict(_DRAWN)
    ways = [(char, doubles[char]) if char in doubles else (char,) for char in written]
    count = sum(len(way) > 1 for way in ways)
    if count <= _MOST_DRAWN:
        yield from map("".join, product(*ways))
    else:
        yield "".join(way[-1] for way in ways)


def _respelled(written: str) -> str:
    for letter, letters in _SPELLED:
        written = written.replace(letter, letters)
    return written


def _tree(words: Sequence[str]) -> str:
    """A pattern for any of some sorted words, in which common beginnings are tried once."""
    groups: dict[str, list[str]] = defaultdict(list)
    ends = False
    for word in words:
        if word:
            groups[word[0]].append(word[1:])
        else:
            ends = True
    if ends or not groups:
        return ""
    branches = [re.escape(letter) + _tree(rests) for letter, rests in groups.items()]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"
