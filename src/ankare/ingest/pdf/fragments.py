"""Which characters of a page belong together on one line?

A fragment is a run of characters on one baseline without a wide gap. Words come from the gaps between glyphs; where a gap
is neither clearly a space nor clearly none, the lexicon decides.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ankare.ingest.pdf.glyphs import Page

IsWord = Callable[[str], bool]

SURE_SPACE = 0.22
DOUBTFUL_SPACE = 0.05
SPLIT_GAP = 1.35
TRACKING = 0.08
MAX_RULES = 500
HYPHEN = "\ufffe"
DOUBT = "\x1f"
_SPACES = np.array([0x20, 0xA0, 0x09, 0x0A, 0x0D, 0x2002, 0x2003, 0x2007, 0x2009, 0x200A, 0x202F, 0x3000, 0x0B, 0x0C])
_NOTHING = np.array([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00, 0x200E, 0x200F])
_LIGATURES = re.compile("[\ufb00-\ufb06]")
# What symbol fonts put on private code points: bullets, boxes, arrows.
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_CONTROL = re.compile("[\x00-\x1e\x7f\ud800-\udfff]")
_SPECIAL = re.compile("[\x00-\x1f\x7f\xad\ufb00-\ufb06\ue000-\uf8ff\ufffe\ud800-\udfff]")
_DOUBTFUL_WORD = re.compile(r"[^\s\x1f]*(?:\x1f[^\s\x1f]*)+")
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(slots=True)
class Fragment:
    """A run of text on one line. Box in points from the page's top left; `u0, v0, u1, v1` the same in reading direction."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    italic: bool
    angle: int
    style: int
    page: int

    @property
    def middle(self) -> float:
        """The vertical middle."""
        return (self.y0 + self.y1) / 2


def fragments_of(page: Page, is_word: IsWord) -> list[Fragment]:
    """The page's fragments in the order in which the file sets them."""
    if not len(page.codes):
        return []
    keep = ~np.isin(page.codes, _NOTHING)
    blank = np.isin(page.codes, _SPACES)
    inked = np.flatnonzero(keep & ~blank)
    if not len(inked):
        return []
    # A space glyph between two inked ones shows as a jump in the running count of blanks.
    blanks = np.cumsum(blank)[inked]
    spaced = np.diff(blanks) > 0
    soft = page.soft[inked][1:]
    return _runs(page, inked, spaced, soft, is_word)


def _runs(
    page: Page,
    inked: npt.NDArray[np.int64],
    spaced: npt.NDArray[np.bool_],
    soft: npt.NDArray[np.bool_],
    is_word: IsWord,
) -> list[Fragment]:
    style = page.style[inked]
    sizes = np.array([item.size for item in page.styles])[style]
    angles = np.array([item.angle for item in page.styles])[style]
    boxes = page.boxes[inked]
    u0, v0, u1, v1 = _turned(boxes, angles)
    middle = (v0 + v1) / 2
    em = np.maximum(np.maximum(sizes[1:], sizes[:-1]), 0.1)
    gap = (u0[1:] - u1[:-1]) / em
    shift = np.abs(np.diff(middle)) / em
    split = (shift > 0.45) | (gap > SPLIT_GAP) | (gap < -0.8) | (angles[1:] != angles[:-1])
    split |= _crosses_rule(page, boxes, gap, angles)
    gap = _without_tracking(gap, split, spaced)
    space = spaced | (gap >= SURE_SPACE)
    spaces_are_set = bool(spaced.sum() * 20 > len(spaced))
    doubt = ~space & ((gap >= DOUBTFUL_SPACE) & soft | (gap >= 0.1))
    edges = np.flatnonzero(split) + 1
    starts = [0, *edges.tolist()]
    ends = [*edges.tolist(), len(inked)]
    out: list[Fragment] = []
    codes = page.codes[inked]
    marks = np.where(doubt, 0x1F, np.where(space, 0x20, 0))
    text = _interleave(codes, marks)
    width = np.concatenate([[0], np.cumsum(1 + np.concatenate([marks > 0, [False]]))])
    lows = np.minimum.reduceat(boxes, starts, axis=0).tolist()
    highs = np.maximum.reduceat(boxes, starts, axis=0).tolist()
    style_list = style.tolist()
    for (start, end), low, high in zip(zip(starts, ends, strict=True), lows, highs, strict=True):
        piece = text[width[start] : width[end]].strip(" \x1f")
        look = page.styles[_common(style_list, start, end)]
        out.append(
            Fragment(
                _clean(piece, is_word, spaces_are_set), low[0], low[1], high[2], high[3],
                look.size, look.bold, look.italic, look.angle, style_list[start], page.number,
            )
        )  # fmt: skip
    return [fragment for fragment in out if fragment.text]


def _turned(boxes: npt.NDArray[np.float64], angles: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.float64], ...]:
    """The boxes in reading direction: u along the line, v across it, downwards."""
    x0, y0, x1, y1 = boxes.T
    quarter = ((angles + 45) // 90) % 4
    if not quarter.any():
        return x0, y0, x1, y1
    u0 = np.choose(quarter, [x0, y0, -x1, -y1])
    u1 = np.choose(quarter, [x1, y1, -x0, -y0])
    v0 = np.choose(quarter, [y0, -x1, -y1, x0])
    v1 = np.choose(quarter, [y1, -x0, -y0, x1])
    return u0, v0, u1, v1


def _crosses_rule(
    page: Page, boxes: npt.NDArray[np.float64], gap: npt.NDArray[np.float64], angles: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Where an upright rule stands between two characters: they belong to different cells."""
    out = np.zeros(len(gap), dtype=bool)
    rules = [rule for rule in page.rules[:MAX_RULES] if rule[3] - rule[1] > 6 and rule[2] - rule[0] <= 3]
    wide = np.flatnonzero((gap > 0.15) & (gap <= SPLIT_GAP) & (angles[:-1] == 0))
    if not rules or not len(wide):
        return out
    left, top, right, bottom = np.array(rules).T
    middle = (boxes[wide, 1] + boxes[wide, 3]) / 2
    between = (boxes[wide, 2][:, None] <= right + 0.5) & (boxes[wide + 1, 0][:, None] >= left - 0.5)
    beside = (middle[:, None] >= top) & (middle[:, None] <= bottom)
    out[wide] = (between & beside).any(axis=1)
    return out


def _without_tracking(
    gap: npt.NDArray[np.float64], split: npt.NDArray[np.bool_], spaced: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """Gaps less the letter spacing of runs that are set wide ("R U B R I K"), so that only word gaps remain."""
    wide = ~split & ~spaced & (gap > TRACKING)
    if not wide.any():
        return gap
    out = gap.copy()
    edges = [0, *(np.flatnonzero(split) + 1).tolist(), len(gap) + 1]
    total = np.concatenate([[0], np.cumsum(wide)])
    for start, end in pairwise(edges):
        # Set wide means that most of the gaps are: the third quarter of them from above tells the spacing.
        if end - start < 5 or (total[end - 1] - total[start]) * 2 < end - start - 1:
            continue
        inner = sorted(gap[start : end - 1][~spaced[start : end - 1]].tolist())
        out[start : end - 1] -= inner[len(inner) * 3 // 10]
    return out


def _interleave(codes: npt.NDArray[np.int64], marks: npt.NDArray[np.int64]) -> str:
    """The characters with a mark (space or doubt) after those where one is due."""
    both = np.zeros((len(codes), 2), dtype=np.int64)
    both[:, 0] = codes
    both[:-1, 1] = marks
    flat = both.ravel()
    used = np.ones(len(flat), dtype=bool)
    used[1::2] = both[:, 1] > 0
    kept = flat[used].astype(np.uint32)
    kept[((kept >= 0xD800) & (kept <= 0xDFFF)) | (kept > 0x10FFFF) | (kept == 0)] = 0xFFFD
    return kept.tobytes().decode("utf-32-le")


def _common(styles: list[int], start: int, end: int) -> int:
    """The style of most characters of a run; the first of equals."""
    first = styles[start]
    if styles[end - 1] == first and styles[(start + end) // 2] == first:
        return first
    counts: dict[int, int] = {}
    for style in styles[start:end]:
        counts[style] = counts.get(style, 0) + 1
    return max(counts, key=lambda style: (counts[style], -style))


def _clean(text: str, is_word: IsWord, spaces_are_set: bool) -> str:
    if not _SPECIAL.search(text):
        return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)
    if DOUBT in text:
        text = _DOUBTFUL_WORD.sub(lambda found: settle(found.group(), is_word, spaces_are_set), text)
    text = _PRIVATE.sub("•", text)
    text = _LIGATURES.sub(lambda found: unicodedata.normalize("NFKC", found.group()), text)
    if text.endswith("\u00ad"):
        text = text[:-1] + HYPHEN
    text = unicodedata.normalize("NFC", _CONTROL.sub("", text.replace("\u00ad", "")))
    if HYPHEN in text[:-1]:
        text = text[:-1].replace(HYPHEN, "-") + text[-1]
    return text


def settle(text: str, is_word: IsWord, spaces_are_set: bool = False) -> str:
    """Decide whether the parts of `text`, separated by doubtful gaps, are one word or several.

    `spaces_are_set`: the page has space characters between its words, so that a gap without one rather is none.
    """
    parts = [part for part in text.split(DOUBT) if part]
    out = parts[0]
    for part in parts[1:]:
        left = _LETTERS.findall(out)[-1:] if out[-1].isalpha() else []
        right = _LETTERS.match(part)
        if not left or not right:
            out += " " + part if out[-1].isalpha() == part[0].isalpha() else part
            continue
        a, b = left[0].lower(), right.group().lower()
        apart = is_word(a) and is_word(b)
        whole = is_word(a + b) or (not apart and (spaces_are_set or len(b) <= 2))
        out += part if whole else " " + part
    return out
