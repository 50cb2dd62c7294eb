"""Which questions do headings, lists and tables of words answer?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from ankare.domain.document import Chunk, Sentence, UnitKind
from ankare.domain.question import QuestionType
from ankare.evaluation.drafting.asked import FAIR, LIKELY, SURE, first_upper
from ankare.evaluation.drafting.clause import bare
from ankare.evaluation.drafting.draft import Draft, Evidence
from ankare.evaluation.drafting.leads import leads_to
from ankare.evaluation.drafting.speaker import Speaker, quoted
from ankare.evaluation.drafting.steps import of_steps, ordered
from ankare.evaluation.suites.gold import holds

FEWEST_ITEMS, MOST_ITEMS = 3, 14
LONGEST_ITEM = 30
LONGEST_HEADING = 6
ANSWER_SENTENCES = 3
_TERM = re.compile(r"(?P<term>[^.,;:|–?]{2,40}?)(?: –| -|:) (?P<meaning>\S.{9,})")
_PLACEHOLDER = re.compile(r"[\[\]<>{}_…]|\.\.|xx", re.IGNORECASE)


def of_headings(chunk: Chunk, speaker: Speaker, opens: bool) -> Iterator[Draft]:
    """By the heading that a chunk stands under. `opens`: it is the first chunk below it."""
    if not chunk.section or not opens:
        return
    heading, words = speaker.nouns.heading(chunk.section[-1]), speaker.words
    held = _opening(chunk)
    if held is None:
        return
    if heading.endswith(("?", "？")) and len(heading) > 7 and speaker.kind(heading, ""):
        yield speaker.headed(heading, speaker.kind(heading, ""), SURE, held)
    for name, ask in (("heading_how_to", "how_to"), ("heading_how_so", "how_so")):
        found = re.fullmatch(words.raw.get(name, "(?!)"), heading)
        if found and words.asks.get(ask):
            yield speaker.headed(words.asks[ask].format(rest=found[1]), QuestionType.PROCESS, SURE, held)
    if heading.casefold() in words.words("purpose_headings"):
        yield from _of_purpose(heading, held, speaker)
    if words.asks.get("bidden") and chunk.title and held.sentences[0].kind is UnitKind.SENTENCE:
        yield from _of_orders(heading, held, speaker)


def _of_purpose(heading: str, held: Evidence, speaker: Speaker) -> Iterator[Draft]:
    """A section that says what something is for: the document, or what the heading above names."""
    chunk, words = held.chunk, speaker.words
    said = speaker.nouns.definite(heading) if words.code == "sv" else heading.casefold()
    above = speaker.nouns.heading(chunk.section[-2]) if len(chunk.section) > 2 else ""
    thing = quoted(chunk.title, speaker) if len(chunk.section) <= 2 and chunk.title else ""
    if above and _is_name_of_thing(above, speaker):
        thing = speaker.nouns.definite(above) or speaker.nouns.lowered(above)
    if said and thing:
        question = words.asks["purpose_of"].format(heading=said, title=thing)
        yield speaker.headed(question, QuestionType.PURPOSE, LIKELY, held)


def _of_orders(heading: str, held: Evidence, speaker: Speaker) -> Iterator[Draft]:
    """A section that only tells the reader what to do, as a form or a checklist does."""
    passives = [speaker.nouns.bidden(text) for text in held.texts]
    describes = held.texts[0].split(" ", 1)[0].casefold() in speaker.words.words("describing")
    if (
        describes
        and all(passives)
        and 1 <= len(heading.split()) <= LONGEST_HEADING
        and not re.search(r"[:?”\"]", heading)
    ):
        ask = speaker.words.asks["bidden"].format(v=passives[0], heading=heading, title=held.chunk.title)
        planned = heading.casefold().endswith(speaker.words.listed("plan_heads"))
        yield speaker.headed(ask, QuestionType.PLANNING if planned else QuestionType.LIST, FAIR, held)


def _opening(chunk: Chunk) -> Evidence | None:
    """How a chunk begins: some sentences, or a whole list; None where it only asks, or holds places to fill in."""
    first = chunk.sentences[0] if chunk.sentences else None
    if first is None or first.header or first.kind is UnitKind.ROW:
        return None
    alike = [sentence for sentence in chunk.sentences if sentence.kind is first.kind and sentence.group == first.group]
    most = ANSWER_SENTENCES if first.kind is UnitKind.SENTENCE else MOST_ITEMS
    held = Evidence(chunk, tuple(alike[:most]))
    text = " ".join(held.texts)
    ends = text.endswith((".", "!", "。")) or first.kind is UnitKind.ITEM
    return None if "?" in text or _PLACEHOLDER.search(text) or not ends or len(text) < 12 else held


def of_lists(chunk: Chunk, speaker: Speaker) -> Iterator[Draft]:
    """By lists: what announces one, else what its heading names."""
    before: Sentence | None = None
    for (group, kind), members in groupby(chunk.sentences, key=lambda sentence: (sentence.group, sentence.kind)):
        found = tuple(members)
        if kind is UnitKind.ITEM and group:
            yield from _of_list(Evidence(chunk, found), before, speaker)
        before = found[-1] if kind is UnitKind.SENTENCE else None


def _of_list(held: Evidence, before: Sentence | None, speaker: Speaker) -> Iterator[Draft]:
    chunk = held.chunk
    lead = "" if before is None else chunk.sentence_text(before)
    if not _is_list(held, announced=lead.endswith(":")):
        return
    announced = lead or (chunk.section[-1] if chunk.section else "")
    asked = [*_by_lead(announced, held, speaker)] if announced else []
    yield from asked or _by_heading(lead, held, speaker)


def _is_list(held: Evidence, *, announced: bool) -> bool:
    """Things that belong together and can be told apart: no item's words stand within another's."""
    texts = held.texts
    long_enough = sum(len(text.split()) > 1 or len(text) > 9 for text in texts) * 2 > len(texts)
    return (
        FEWEST_ITEMS <= len(texts) <= MOST_ITEMS
        and not any("?" in text or "？" in text or _PLACEHOLDER.search(text) for text in texts)
        and max(len(text.split()) for text in texts) <= LONGEST_ITEM
        and (announced or long_enough)
        and not any(one is not other and holds(one, other) for one in texts for other in texts)
    )


def _by_lead(lead: str, held: Evidence, speaker: Speaker) -> Iterator[Draft]:
    """By the sentence before a list."""
    if speaker.grammar is None:
        plain = lead.rstrip("：:。")
        for one in speaker.words.leads:
            found = one.pattern.fullmatch(plain) if one.pattern else None
            if found is not None:
                yield speaker.draft(one.ask.replace("{1}", found[1]), QuestionType.LIST, SURE, held)
        return
    for asked in leads_to(lead, speaker.grammar):
        if not asked.plural or speaker.nouns.several(asked.plural):
            kind = speaker.kind(asked.question, asked.type)
            yield speaker.draft(asked.question, kind, asked.sure, held)
            return
    yield from _by_actor(lead, held, speaker)


def _by_actor(lead: str, held: Evidence, speaker: Speaker) -> Iterator[Draft]:
    """A party alone before a list of verbs: what it does."""
    grammar, ask = speaker.grammar, speaker.words.asks.get("acts", "")
    plain = lead.rstrip(":. ")
    if grammar is None or not ask or not 1 <= len(plain.split()) <= 3 or not grammar.party(bare(plain.split()[0])):
        return
    if all(grammar.finite(text.split()[0]) for text in held.texts) and grammar.slot(plain) == plain:
        yield speaker.draft(ask.format(s=speaker.nouns.lowered(plain)), QuestionType.LIST, SURE, held)


def _by_heading(lead: str, held: Evidence, speaker: Speaker) -> Iterator[Draft]:
    """By the heading above a list, with that above it, and by a label of its own."""
    asks, thing = speaker.words.asks, _thing(held.chunk.section, speaker)
    label = lead.rstrip(":")
    if lead and (len(label.split()) > 2 or not label.replace(" ", "").isalpha() or lead.endswith(".")):
        return
    if lead:
        if thing and asks.get("label_of"):
            question = asks["label_of"].format(label=speaker.nouns.lowered(label), thing=thing)
            yield speaker.headed(question, speaker.kind(question, "list"), FAIR, held)
        return
    if thing and asks.get("parts_of"):
        form = asks["steps_of"] if ordered(held) else asks["parts_of"]
        question = first_upper(form.format(thing=thing))
        kind = QuestionType.PROCESS if ordered(held) else QuestionType.LIST
        planned = any(head in bare(thing) for head in speaker.words.listed("plan_heads")[:1])
        yield speaker.headed(question, QuestionType.PLANNING if planned else kind, LIKELY, held)
        bidden = all(speaker.nouns.bidden(text) for text in held.texts)
        if (
            bidden
            and asks.get("goes")
            and bare(thing.split()[0])[:-2].endswith(speaker.words.listed("nominal_endings"))
        ):
            yield speaker.headed(asks["goes"].format(thing=thing), QuestionType.PROCESS, LIKELY, held)
    if not thing:
        yield from of_steps(held, speaker)
    yield from _labelled(held, speaker)
    yield from _named(held, speaker)


def _labelled(held: Evidence, speaker: Speaker) -> Iterator[Draft]:
    """A heading that says what the list is of what the heading above names: "Resultat" below "Provdrift"."""
    section, asks = held.chunk.section, speaker.words.asks
    if len(section) < 2 or not asks.get("label_of"):
        return
    label, above = (speaker.nouns.heading(heading) for heading in (section[-1], section[-2]))
    acts = bare(label).endswith(speaker.words.listed("nominal_endings"))
    empty = label.casefold() in speaker.words.words("empty_headings")
    if acts or empty or not label.isalpha() or not _is_name_of_thing(above, speaker):
        return
    thing = speaker.nouns.definite(above) or speaker.nouns.lowered(above)
    question = asks["label_of"].format(label=speaker.nouns.lowered(label), thing=thing)
    yield speaker.headed(question, QuestionType.LIST, FAIR, held)


def _thing(section: Sequence[str], speaker: Speaker) -> str:
    """What the headings name, as it stands after a preposition: "uppföljningen av utbildningsmaterial"; "" where not sure."""
    if not section:
        return ""
    heading = speaker.nouns.heading(section[-1])
    above = speaker.nouns.heading(section[-2]) if len(section) > 1 else ""
    if heading.casefold() in speaker.words.words("empty_headings"):
        return speaker.nouns.definite(above)
    definite = speaker.nouns.definite(heading)
    if not definite:
        return ""
    acts = bare(heading).endswith(speaker.words.listed("nominal_endings"))
    if acts and above and above != heading and _is_name_of_thing(above, speaker):
        return speaker.words.asks["action_of"].format(action=definite, thing=speaker.nouns.lowered(above))
    return definite


def _is_name_of_thing(heading: str, speaker: Speaker) -> bool:
    """Is a heading one noun, or a noun with what it is of, so that "av" may stand before it?"""
    words = heading.split()
    grammar = speaker.grammar
    if grammar is None or not 1 <= len(words) <= 3 or not all(word.replace("-", "").isalpha() for word in words):
        return False
    joined = len(words) == 1 or words[1] in grammar.prepositions
    return joined and not any(map(grammar.finite, words)) and grammar.slot(heading) == heading


def _named(held: Evidence, speaker: Speaker) -> Iterator[Draft]:
    """A heading in the plural, of a document with a title."""
    chunk, asks = held.chunk, speaker.words.asks
    heading = speaker.nouns.heading(chunk.section[-1]) if chunk.section else ""
    words = heading.split()
    if not words or len(words) > LONGEST_HEADING or not asks.get("named_in") or not chunk.title:
        return
    grammar = speaker.grammar
    if grammar is None or not speaker.nouns.plural(words[0]) or grammar.slot(heading) != heading:
        return
    if any(grammar.finite(word) for word in words):
        return
    question = asks["named_in"].format(heading=speaker.nouns.lowered(heading), title=quoted(chunk.title, speaker))
    yield speaker.headed(question, speaker.kind(question, "list"), FAIR, held)


def of_glossaries(chunk: Chunk, speaker: Speaker) -> Iterator[Draft]:
    """By lists and tables that explain words."""
    title = set(re.findall(r"\w+", " ".join((chunk.title, *chunk.section)).casefold()))
    glossary = not title.isdisjoint(speaker.words.words("glossary")) or any(
        word in chunk.title for word in speaker.words.listed("glossary") if speaker.words.code == "zh"
    )
    columns = 0
    for sentence in chunk.sentences:
        text = chunk.sentence_text(sentence)
        if sentence.kind is UnitKind.ROW:
            cells = [cell.strip() for cell in text.split(" | ")]
            if sentence.header:
                meant = len(cells) == 2 and bare(cells[1]) in speaker.words.words("glossary_columns")
                columns = sentence.group if meant else 0
            elif columns == sentence.group and columns and len(cells) == 2:
                yield from _explained(cells[0], Evidence(chunk, (sentence,)), speaker)
        elif glossary and (found := _TERM.match(text)):
            yield from _explained(found["term"].strip(" *"), Evidence(chunk, (sentence,)), speaker)


def _explained(term: str, held: Evidence, speaker: Speaker) -> Iterator[Draft]:
    if 2 <= len(term) <= 40 and len(term.split()) <= 4 and not _PLACEHOLDER.search(held.texts[0]):
        question = speaker.words.asks["means"].format(s=speaker.nouns.lowered(term))
        yield speaker.draft(question, QuestionType.DEFINITION, SURE, held, topic=term)
