"""Do these letters name the body, or do they only look like it?

A place where the letters of an alias stand in a row, whatever lies between them, names the body unless a rule speaks
against it. `NameReader.end_of` holds the rules in the order in which they are tried:

1. **Letters.** Each must be the alias's own letter as a reader sees it, or a digit that looks like it (0/o, 1/i/l, 2/z, 3/e,
   4/a, 5/s, 6/g, 7/t, 8/b, 9/g) where the place holds a letter too and the alias three or more; a capital I is read as l
   beside small letters, a small l as I at the start of a word or beside capitals.
2. **Beginning.** It begins with a word of the text: after anything that is no letter, after a digit, where a capital follows
   a small letter. An ending after an apostrophe or colon ("we're") is no name by itself. An alias of five letters or more
   may also follow common words without a space ("frågaomnordvik").
3. **End.** It ends with a word of the text, before a digit or a capital, or before an ending: the genitive s, the definite
   endings of Swedish, the rest of a closed compound ("Nordvikkoncernens": a word of at least three letters, four after an
   alias of four or fewer). A whole that is a word of its own is none of these: for compounds and definite forms one that
   stands in a dictionary as more than a name or is frequent (Zipf 3; "merkantil" is no compound of Mer), for the genitive a
   frequent word that is commoner than the alias or, in small letters, a plural, passive or entry of its own ("eras").
4. **Other words.** What is written otherwise than the alias and is an ordinary word as it stands is that word ("rör" is not
   the alias Ror, "modern" not Modem drawn with rn, "1st" not Ist). Where only marks or spaces of the alias are left out, the
   word must be common and in small letters ("eon" and "HM" are E.ON and H&M, "inside" is not In Side).
5. **Spaces inside.** Words that together spell the alias count, unless each of them is so common in one language that they
   may meet by chance (Zipf 4.5: "för ex" is not Forex, "nord vik" is Nordvik). A single letter is never such a word, but for
   "a" and "i" in front of another and an ending after an apostrophe or colon ("Sweden's to" is not Sto); nor is a word with
   a capital inside a sentence ("Face book"). A mark or symbol between letters without a space ("face*book") always counts,
   but for punctuation of clauses, an abbreviation ("t.ex") and a hyphenated word of a dictionary. Breaks that the alias
   itself has are free.
6. **Chinese.** Every place counts, with anything in between, but for one case: it is broken once, by punctuation of
   clauses or a new line, and common words end before and begin after the break ("其中，安全" is not 中安).
"""

from __future__ import annotations

from collections.abc import Sequence

from ankare.gate.aliases import Alias
from ankare.gate.folding import CLAUSE, LINE, LONGEST_WORD, MARK, POINT, SPACE, View
from ankare.gate.ordinary import FREQUENT, OrdinaryWords
from ankare.language.lookalikes import DIGIT_READINGS
from ankare.language.packs import word_set

_SHORTEST_SWAPPED = 3
_SHORT_ALIAS, _REST_AFTER_SHORT, _REST = 4, 4, 3
_SHORTEST_GLUED = 5
_LONGEST_CHINESE = 4
_HYPHENS = "-\u2010\u2011"


class NameReader:
    """Reads names in texts by the rules above, with the words of the accepted languages. Safe for many threads."""

    def __init__(self, languages: Sequence[str]) -> None:
        self._words = OrdinaryWords(languages)
        packs = [code for code in languages if code in ("sv", "en")]
        self._clitics = frozenset[str]().union(*(word_set(code, "clitics") for code in packs))
        self._definite = word_set("sv", "clitics") - {"s"} if "sv" in packs else frozenset[str]()

    def end_of(self, view: View, start: int, alias: Alias) -> int | None:
        """Where the name that begins at letter `start` ends (the letter after it, with its ending), None if it is no name."""
        end = start + len(alias.letters)
        if not _spells(view, start, alias):
            return None
        if alias.spaceless:
            return end if self._is_one_name(view, start, end) else None
        odd = [place for place in _breaks(view, start, end) if place - start not in alias.breaks]
        if odd:
            return self._joined_end(view, start, end, alias, odd)
        return None if self._is_clitic(view, start) else self._whole_end(view, start, end, alias)

    def _whole_end(self, view: View, start: int, end: int, alias: Alias) -> int | None:
        """For letters that are divided as the alias is, or less."""
        first, last = view.word(start)[0], view.word(end - 1)[1]
        if first == start and last == end:
            return None if self._is_another_word(view, start, end, alias) else end
        if first < start and not self._begins_inside(view, first, start, alias):
            return None
        return self._after(view, start, end, alias)

    def _after(self, view: View, start: int, end: int, alias: Alias) -> int | None:
        """Where the name ends, by what follows in its last word."""
        first, last = view.word(end - 1)
        if last - first > LONGEST_WORD:
            return end if last == end or _ends_here(view, end) else None
        rest = view.written(end, last) if last > end else ""
        wholes = {view.written(begin, last) for begin in (first, start) if first <= start}  # none for an alias of words
        if rest == "s" and first >= start:
            capital = _has_capital(view, start, end)
            own = any(self._words.is_more_than_genitive(whole, whole[:-1], capital=capital) for whole in wholes)
            return None if own else last
        if any(self._is_own_word(whole, alias) for whole in wholes - set(alias.written)):
            return None
        if rest == "s" or rest in self._definite:
            return last
        return end if not rest or _ends_here(view, end) or self._is_compound(rest, alias, *wholes) else None

    def _joined_end(self, view: View, start: int, end: int, alias: Alias, odd: Sequence[int]) -> int | None:
        """For letters with breaks that the alias does not have."""
        words = _words(view, start, end)
        if words is None or view.word(start)[0] != start or self._meets_by_chance(view, start, end, odd, words):
            return None
        last = view.word(end - 1)[1]
        if last == end or _ends_here(view, end):
            return end
        rest = view.written(end, last)
        if rest == "s":
            return last
        own = self._words.known(words[-1]) or self._words.is_swedish(words[-1])
        short = len(alias.letters) <= _SHORT_ALIAS and len(words[0]) > 1
        if own or (short and self._words.neighbours(words[:-1])) or not self._is_compound(rest, alias):
            return None
        return end

    def _meets_by_chance(self, view: View, start: int, end: int, odd: Sequence[int], words: Sequence[str]) -> bool:
        """Are these innocent neighbours?"""
        written = view.written(start, end) if view.ends[end - 1] - view.at[start] <= LONGEST_WORD else ""
        if self._words.is_abbreviation(written) or self._words.is_abbreviation(f"{written}."):
            return True
        if any(view.gaps[place] & MARK and not view.gaps[place] & (SPACE | LINE) for place in odd):
            return any(hyphen in written for hyphen in _HYPHENS) and self._words.known(written)
        others = words[1:] if self._is_clitic(view, start) else words
        return self._words.neighbours(others) and not _has_capital(view, start, end)

    def _is_own_word(self, whole: str, alias: Alias) -> bool:
        """Is the alias with what follows a word of its own, not a form or compound of the name?"""
        if self._words.known(whole):
            return True
        zipf = self._words.zipf(whole)
        if zipf >= FREQUENT or len(alias.letters) > _SHORT_ALIAS:
            return zipf >= FREQUENT
        named = "".join(alias.written)
        return zipf > 0 and (self._words.known(named) or zipf >= self._words.zipf(named))

    def _is_compound(self, rest: str, alias: Alias, *wholes: str) -> bool:
        """Is this the rest of a word that is written together and begins with the alias?

        `wholes`: that word, which may be a compound of other parts ("doktorand-studier" is none of Doktor).
        """
        size = len(alias.letters)
        if len(rest) < (_REST_AFTER_SHORT if size <= _SHORT_ALIAS else _REST):
            return False
        if any(self._words.parts_elsewhere(whole, rest) for whole in wholes):
            return False
        return self._words.closes_compound(rest) or (size >= _SHORTEST_GLUED and self._words.splits(rest))

    def _begins_inside(self, view: View, first: int, start: int, alias: Alias) -> bool:
        """May the name begin in the middle of this word, which begins at `first`?"""
        if _begins_anew(view, start):
            return True
        if len(alias.letters) < _SHORTEST_GLUED or start - first > LONGEST_WORD:
            return False
        return self._words.splits(view.written(first, start))

    def _is_clitic(self, view: View, start: int) -> bool:
        """Is the word here an ending of the word before it ("Sweden's", "figure(s)")?"""
        first, last = view.word(start)
        if first != start or not start or last - first > LONGEST_WORD:
            return False
        between = view.text[view.ends[start - 1] : view.at[start]][:2]
        return between in ("'", "\u2019", ":", "(") and view.written(first, last) in self._clitics

    def _is_another_word(self, view: View, start: int, end: int, alias: Alias) -> bool:
        """Is it an ordinary word that is not written as the alias is? A common one where only the division differs."""
        words = _words(view, start, end)
        if words is None or (alias.as_given and words == list(alias.written)):
            return False
        if alias.as_given and "".join(words) == "".join(alias.written):
            return all(map(self._words.common, words)) and not _has_capital(view, start, end)
        return all(map(self._words.ordinary, words))

    def _is_one_name(self, view: View, start: int, end: int) -> bool:
        """For scripts without spaces: does nothing show that a clause ends inside?"""
        breaks = _breaks(view, start, end)
        if len(breaks) != 1 or view.gaps[breaks[0]] & (MARK | POINT) or not view.gaps[breaks[0]] & (CLAUSE | LINE):
            return True
        return not (self._ends_word(view, start, breaks[0]) and self._begins_word(view, breaks[0], end))

    def _ends_word(self, view: View, start: int, place: int) -> bool:
        """Does a common Chinese word end before `place` that is no shorter than the part of the name before it?"""
        first = max(view.words[view.word_of[place - 1]][0], place - _LONGEST_CHINESE)
        return any(self._words.is_chinese_word(view.letters[begin:place]) for begin in range(first, start + 1))

    def _begins_word(self, view: View, place: int, end: int) -> bool:
        """Does one begin at `place` that is no shorter than the part of the name after it?"""
        last = min(view.words[view.word_of[place]][1], place + _LONGEST_CHINESE)
        return any(self._words.is_chinese_word(view.letters[place:stop]) for stop in range(end, last + 1))


def _spells(view: View, start: int, alias: Alias) -> bool:
    """Do the letters from `start` on read as those of the alias?"""
    swapped = 0
    for place, meant in enumerate(alias.letters, start):
        seen = view.letters[place]
        if seen == meant:
            continue
        if meant in DIGIT_READINGS.get(seen, ""):
            swapped += 1
        elif not _is_capital_i_or_small_l(view, place, start, start + len(alias.letters), seen + meant):
            return False
    return not swapped or (len(alias.letters) >= _SHORTEST_SWAPPED and swapped < len(alias.letters))


def _is_capital_i_or_small_l(view: View, place: int, start: int, end: int, pair: str) -> bool:
    """Is an I drawn for an l, or an l for an I?"""
    if pair == "il":
        return view.raw(place).isupper() and any(view.raw(other).islower() for other in range(start, end))
    if pair == "li":
        begins = view.word(place)[0] == place
        return view.raw(place).islower() and (begins or any(view.raw(other).isupper() for other in range(start, end)))
    return False


def _breaks(view: View, start: int, end: int) -> list[int]:
    """The letters before which a word begins, within a place."""
    return [place for place in range(start + 1, end) if view.gaps[place]]


def _words(view: View, start: int, end: int) -> list[str] | None:
    """The whole words that a place touches, as written; None where one is too long to be a word."""
    spans = view.words[view.word_of[start] : view.word_of[end - 1] + 1]
    if any(last - first > LONGEST_WORD for first, last in spans):
        return None
    return [view.written(first, last) for first, last in spans]


def _begins_anew(view: View, place: int) -> bool:
    """Does a name begin here without a space: after a digit, or with a capital after a small letter?"""
    before, after = view.raw(place - 1), view.raw(place)
    return (before.isdigit() and not after.isdigit()) or (before.islower() and after.isupper())


def _ends_here(view: View, place: int) -> bool:
    """Has a name ended before this letter: before a digit, or before a capital after a small letter?"""
    before, after = view.raw(place - 1), view.raw(place)
    return (after.isdigit() and not before.isdigit()) or (before.islower() and after.isupper())


def _has_capital(view: View, start: int, end: int) -> bool:
    """Is a letter of this place a capital that no sentence start, the English I or a text in capitals explains?"""
    if not view.has_small_letters:
        return False
    capitals = [place for place in range(start, end) if view.raw(place).isupper()]
    if capitals[:1] == [start] and (not start or view.gaps[start] & (CLAUSE | LINE | POINT) or view.raw(start) == "I"):
        capitals = capitals[1:]
    return bool(capitals)
