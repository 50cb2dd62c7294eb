"""Who does what a passive says is done: how is it said in the active, and which words name the agent?

"Inköp beslutas av styrelsen" is asked as "Vem beslutar om inköp?", which is how people ask. Only where the active form is sure.
"""

from __future__ import annotations

from dataclasses import dataclass

from ankare.evaluation.drafting.clause import Clause, Grammar, bare
from ankare.language.dictionary import in_dictionary, is_verb_form
from ankare.language.languages import get_language

MOST_AGENT_WORDS = 4


@dataclass(frozen=True, slots=True)
class Agent:
    """What stands before and after the word that names an agent. `party`: is it one that can decide something?"""

    before: str
    after: str
    party: bool


def agent_of(clause: Clause, grammar: Grammar) -> Agent | None:
    """The agent of a passive; None where the clause has none."""
    before, found, after = f" {clause.rest} ".partition(f" {grammar.words.raw['agent']} ")
    if not found or not suffers(clause, grammar):
        return None
    words = grammar.slot(after.strip()).split()
    party = 1 <= len(words) <= MOST_AGENT_WORDS and any(map(grammar.party, words))
    return Agent(before.strip(), after.strip(), party)


def suffers(clause: Clause, grammar: Grammar) -> bool:
    """Is something done to the subject?"""
    first, *more = map(bare, clause.rest.split() or [""])
    if grammar.words.code == "sv":
        return is_passive(clause.verb) or (clause.verb in grammar.words.words("modals") and is_passive(first))
    modal = clause.verb in grammar.words.words("modals") and first == "be"
    participle = (more or [""])[0] if modal else first
    return (modal or clause.verb in ("is", "are")) and participle.endswith(("ed", "en", "t", "ne", "wn", "de", "ld"))


def is_passive(verb: str) -> bool:
    """Is this Swedish verb form a passive, by its ending?"""
    return verb.endswith("s") and verb not in ("finns", "måste", "behövs", "krävs", "saknas")


def active(clause: Clause, before: str, grammar: Grammar) -> tuple[str, str] | None:
    """The active form of a passive, with a modal verb and a particle that belong to it, and what else stood before the agent.

    None where the form is not sure.
    """
    modal = clause.verb if clause.verb in grammar.words.words("modals") else ""
    words = before.split()
    if grammar.words.code == "en":
        participle = words[1:2] if modal else words[:1]
        form = _english(bare(participle[0]) if participle else "", infinitive=bool(modal))
        more = words[2:] if modal else words[1:]
    else:
        form = _swedish(words[0] if modal and words else clause.verb, infinitive=bool(modal))
        more = words[1:] if modal else words
    if not form:
        return None
    particle = more.pop(0) if more and bare(more[0]) in grammar.words.words("particles") else ""
    joined = grammar.words.raw.get("active_prepositions", {}).get(_lemma(form, grammar.words.code), "")
    return " ".join(filter(None, (modal, form, particle, joined))), " ".join(more)


def _swedish(passive: str, *, infinitive: bool) -> str:
    """ "beslutas" -> "beslutar", "utses" -> "utser", "körs" -> "kör"; an infinitive only loses its s."""
    stem = passive.casefold().removesuffix("s")
    if infinitive:
        return stem if stem.endswith(("a", "e", "o", "å", "ö")) else ""
    forms = [f"{stem}r"] if stem.endswith(("a", "e", "o", "å", "ö")) else [f"{stem}er", stem]
    found = [form for form in forms if form.endswith("r") and _same_verb(form, passive.casefold())]
    return found[0] if len(found) == 1 else ""


def _same_verb(one: str, other: str) -> bool:
    language = get_language("sv")
    return in_dictionary(one, "sv") and not set(language.analyze(one).terms).isdisjoint(language.analyze(other).terms)


def _english(participle: str, *, infinitive: bool) -> str:
    """ "removed" -> "removes", or "remove" after a modal verb."""
    import simplemma

    lemma = str(simplemma.lemmatize(participle, lang="en")) if participle else ""
    if not lemma or lemma == participle or not (is_verb_form(lemma, "en") or participle.endswith("ed")):
        return ""
    if infinitive:
        return lemma
    if lemma.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{lemma}es"
    return f"{lemma[:-1]}ies" if lemma.endswith("y") and lemma[-2:-1] not in "aeiou" else f"{lemma}s"


def _lemma(form: str, code: str) -> str:
    return (get_language(code).analyze(form).terms or ("",))[0]
