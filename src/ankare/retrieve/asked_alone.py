"""What does a word that asks mean when it stands alone: "Varför?" after a question?

After a question that asks for something else in the same way it takes that one's place ("Hur förändrades priset?" gives "Varför
förändrades priset?"); after any other it is asked of the one thing that the question spoke of ("Varför priset i Åby 2024?").
Where there are several, nobody can tell which.
"""

from __future__ import annotations

from ankare.domain.question import Understood
from ankare.gate.grounding.words import closed
from ankare.language.follow_ups import Core, as_question, cue_list, without_end, word_list
from ankare.retrieve.noun_phrases import phrases_of, read_words


def asked_alone(previous: str, core: Core, code: str, subject: str = "") -> Understood | None:
    """The question; None where the text is more than a word that asks. `subject`: what is spoken of, where it is known.

    Both texts are in the language `code`.
    """
    asked = _asking_word(core, code)
    if not asked or previous.casefold().startswith(asked):
        return None
    if code != "zh" and (found := _in_its_place(previous, asked, code)) is not None:
        return found
    thing = subject or _only_thing(previous, code)
    if not thing or (subject and asked != cue_list(code, "reasons")[0]):
        return None
    gap = "" if code == "zh" else " "
    return Understood(as_question(asked + gap + thing, code), True, (thing,))


def _asking_word(core: Core, code: str) -> str:
    """The word that the text is, "" for any other text. All ways to ask for a reason are one."""
    text = without_end(core.words).strip().casefold()
    reasons = cue_list(code, "reasons")
    if text in reasons:
        return reasons[0]
    return text if text in word_list(code, "adverbial") else ""


def _in_its_place(previous: str, asked: str, code: str) -> Understood | None:
    """The question before, asked for that, where its verb follows right after what it asks with."""
    folded = previous.casefold()
    cues = sorted(word_list(code, "adverbial"), key=len, reverse=True)
    first = next((cue for cue in cues if folded.startswith(cue + " ")), None)
    if first is None:
        return None
    after = next((word for word in read_words(previous, code) if word.start > len(first)), None)
    if after is None or not (after.finite or after.norm in closed(code)["finite"]):
        return None
    rest = previous[len(first) :]
    return Understood(as_question(asked + rest, code), True, (without_end(rest).strip(),))


def _only_thing(previous: str, code: str) -> str:
    if code == "zh":
        return ""
    things = [p for p in phrases_of(previous, read_words(previous, code), code) if not (p.asked or p.time)]
    return things[0].words if len(things) == 1 else ""
