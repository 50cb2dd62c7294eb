"""What a model writes beside its answer is cut off or found, in whatever spelling, and clean prose is left alone."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from importlib.resources import files

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ankare.gate import leakage
from ankare.gate.leakage import Cleaned, clean, file_names
from ankare.gate.source_sections import Stripped
from ankare.language.packs import named_lists

BEFORE = "Projektledaren ansvarar för planen."
AFTER = "Driften ska starta den 3 maj."

HEADINGS = [
    "Källor",
    "Källor:",
    "KÄLLOR",
    "källor :",
    "**Källor**",
    "**Källor:**",
    "**Källor**:",
    "__Källor__",
    "*Källor*",
    "***Källor***",
    "# Källor",
    "## Källor:",
    "###### Källor ######",
    "#### **Källor**",
    "> **Källor**",
    "Källor\n------",
    "Källor\n======",
    "---\nKällor",
    "📚 Källor",
    "📚 **Källor:**",
    "🔗 Källor 🔗",
    "➡️ Källor",
    "5. Källor",
    "5) **Källor**",
    "IV. Källor",
    "K ä l l o r",
    "K Ä L L O R:",
    "**K ä l l o r**",
    "Ｋällor：",
    "Kallor:",
    "[Källor]",
    "(Källor)",
    "“Källor”",
    "Källor (3 st):",
    "Källor –",
    "- Källor:",
    "Källa:",
    "Källa",
    "Källorna:",
    "Källförteckning",
    "Källhänvisningar:",
    "Källor och referenser",
    "Använda källor:",
    "Källor som använts i svaret:",
    "Referenser",
    "**Referenser:**",
    "Referenslista",
    "Hänvisningar:",
    "Fotnoter",
    "Relaterade hemsidor",
    "Länkar:",
    "Sources",
    "**Sources:**",
    "## Sources used",
    "SOURCES CITED:",
    "References",
    "Reference list:",
    "Bibliography",
    "Further reading:",
    "来源",
    "来源：",
    "**参考资料**",
    "## 参考文献",
    "出处:",
    "<h3>Källor</h3>",
    "<b>Källor:</b>",
    '<p class="x"><strong>Källor</strong></p>',
    "Käl\u00adlor",
]
LISTS = {
    "bullets": "- Handbok.pdf, s. 5\n- Testplan, avsnitt 3.2",
    "stars": "* Handbok.pdf\n* [Testplan](https://example.org/plan.pdf)",
    "numbers": "1. Handbok för införande, sidan 5\n2. Testplan.pdf",
    "brackets": "[1] Handbok.pdf, s. 5\n[2] Testplan.pdf, s. 12",
    "names": "Handbok för införande\nTestplan",
    "ids": "c1, c2",
    "hex": "- 9f86d081884c7d65\n- 2c26b46b68ffc68f",
    "spaced": "\n- Handbok.pdf\n\n- Testplan.pdf",
    "quotes": '- [c1] "Projektledaren ska godkänna planen." (Handbok.pdf, s. 5)',
    "html": "<ul>\n<li>Handbok.pdf</li>\n</ul>",
    "urls": "https://example.org/handbok.pdf#page=5",
    "none": "",
}


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_list_of_sources_goes_in_every_spelling_of_its_heading(heading: str) -> None:
    for references in (LISTS["bullets"], LISTS["none"]):
        got = clean(f"{BEFORE}\n\n{heading}\n{references}")
        assert (got.text, got.leaks) == (BEFORE, ())
        assert got.removed


@pytest.mark.parametrize("references", LISTS.values(), ids=LISTS.keys())
@pytest.mark.parametrize("heading", ["Källor", "**Källor:**", "## Sources", "来源："])
def test_a_list_of_sources_goes_whatever_stands_in_it(heading: str, references: str) -> None:
    got = clean(f"{BEFORE}\n\n{heading}\n{references}")
    assert (got.text, got.leaks) == (BEFORE, ())


@pytest.mark.parametrize("references", LISTS.values(), ids=LISTS.keys())
@pytest.mark.parametrize("heading", ["Källor", "**Källor:**", "### Referenser", "📚 Sources:"])
def test_only_the_section_goes_and_what_follows_is_judged(heading: str, references: str) -> None:
    got = clean(f"{BEFORE}\n\n{heading}\n{references}\n\n{AFTER}\n\n- Planen ska godkännas av styrgruppen.")
    assert got.text == f"{BEFORE}\n\n{AFTER}\n\n- Planen ska godkännas av styrgruppen."


def test_a_claim_is_not_hidden_by_a_heading_before_it() -> None:
    assert clean(f"Källor\n\n{AFTER}").text == AFTER
    assert clean(f"Källor:\n- Handbok.pdf\n{AFTER}").text == AFTER
    assert AFTER in clean(f"Källor:\n- Handbok.pdf\n- {AFTER}").text
    assert clean(f"Källor: Handbok.pdf\n\n## Slutsats\n{AFTER}").text == f"Slutsats\n{AFTER}"


@pytest.mark.parametrize(
    "written",
    [
        f"{BEFORE} Källor: c1, c2",
        f"{BEFORE}\nKällor: c1, c2",
        f"{BEFORE}\n**Källor:** Handbok.pdf, s. 5; Testplan.pdf, s. 2",
        f"{BEFORE}\nKälla: Handbok för införande, kap. 3",
        f"{BEFORE}\n*Källa: Handbok för införande*",
        f"{BEFORE} **Källa:** Handbok.pdf s. 5.",
        f"{BEFORE} (källa: fil.pdf, s. 5)",
        f"{BEFORE} (Källa: SCB 2023)",
        f"{BEFORE} (se källa 2)",
        f"{BEFORE} (c1, c2)",
        f"{BEFORE} (Handbok.pdf, s. 5)",
        f"{BEFORE} [Handbok.pdf, sid. 5–6]",
        f"{BEFORE} [1]",
        f"{BEFORE} [1][2]",
        f"{BEFORE}[1, 2]",
        f"{BEFORE}[1–3]",
        f"{BEFORE} [^1]",
        f"{BEFORE} [c3]",
        f"{BEFORE} [c1; c2]",
        f"{BEFORE} [källa 1]",
        f"{BEFORE} 【1†source】",
        f"{BEFORE} 【4:2†Handbok.pdf】",
        f"{BEFORE} [9f86d081884c7d65]",
        f"{BEFORE}\n\n[1] Handbok.pdf, s. 5\n[2] Testplan.pdf",
        f"{BEFORE}\n\n[^1]: Handbok.pdf, s. 5",
        f"{BEFORE} (source: manual.pdf, p. 5)",
        f"{BEFORE} Sources: c1, c2",
        f"{BEFORE} – Källa: Handbok.pdf",
        f"{BEFORE} Källor c1, c2",
        f"{BEFORE} (Källor: [1], [2])",
        f"{BEFORE} (källa [1])",
        f"{BEFORE}**Källor:** Handbok.pdf",
        f"{BEFORE}\n\nKällor c1, c2",
        f"{BEFORE}\nKälla: [Handbok, s. 5](handbok.pdf#page=5)",
        f"{BEFORE}\n*Källor: Handbok (s. 5), Testplan (s. 12)*",
        f"{BEFORE}\n\nSvaret bygger på följande källor:\n- Handbok.pdf, s. 5\n- Testplan.pdf",
        f"{BEFORE}\n\n| Källa | Sida |\n|---|---|\n| Handbok.pdf | 5 |\n| Testplan.pdf | 12 |",
        f"{BEFORE}\n\n¹ Handbok.pdf, s. 5",
        f"{BEFORE}\n\nUnderlag: c1, c2",
        f"{BEFORE}\n\nc1, c2",
        f"{BEFORE}\n\nSource(s): manual.pdf, p. 5",
        f"{BEFORE}\n\nRef: Handbok.pdf s. 5",
        f"{BEFORE}\n\nKällor: saknas",
        f"{BEFORE}\n\nKälla: Handbok för införande, kap. 3\nKälla: Testplan, kap. 1",
        f"{BEFORE}\n\n来源：手册.pdf，第5页",
    ],
)
def test_marks_of_citations_go(written: str) -> None:
    got = clean(written)
    assert (got.text, got.leaks) == (BEFORE, ())
    assert got.removed


def test_citations_go_in_the_middle_too() -> None:
    written = f"Planen gäller [1] i 30 dagar (källa: fil.pdf, s. 5), inte längre [c2]. Källa: fil.pdf, s. 5. {AFTER}"
    assert clean(written).text == f"Planen gäller i 30 dagar, inte längre. {AFTER}"


PROSE = [
    "Källor ska anges i rapporten.",
    "Källor: de ska alltid anges i rapporten.",
    "Källan till felet är en trasig kabel.",
    "Källor för krav samlas in av beställaren.",
    "Referenser krävs för alla anbud.",
    "Referensgruppen består av fem personer: chefer, användare och drift.",
    "Sources must be named in the report.",
    "References are checked before the contract is signed.",
    "Länkar öppnas i ett nytt fönster.",
    "Projektet har följande källor:\n- Intervjuer med användare\n- Befintliga avtal",
    "Ursprung (källa) anges för varje krav.",
    "Krav: avsnitt 3 och 4.",
    "Tid: kl. 8\nPlats: sal c\nAnsvarig: projektledaren",
    "Avtalet omfattar följande:\n- Syfte\n- Källor\n- Tidplan",
    "Innehåll:\n1. Bakgrund\n2. Referenser\n3. Tidplan",
    "Svaret är 5 % (fem procent) av 1 200 kr, dvs. 60 kr.",
    "Om a < b och b > c gäller villkoret; annars x <= 3.",
    "Om a <b gäller det, liksom 3<5 och x<y.",
    "Q&A-sidan, R&D och AT&T nås via e-post.",
    "En http-statuskod, t.ex. 404, visas av JavaScript: ett språk för webben.",
    "Mallen Plan_v2.pdf (se Bilaga_1.docx) fylls i före start.",
    "Enligt avsnitt 3.2 (s. 14) ska planen godkännas.",
    "Agenten ringer kunden. Kontakta din agent 2 dagar före resan.",
    "Försäkringen säljs av en agent. Två agenter räcker.",
    "An agent may call. Ask your agent two weeks before.",
    "Data: 5 st. Fil: 3. Tel: 2 per rum.",
    "Kl. 08:30–16:45 gäller 50/50, och/eller 1:2, se punkt 3.a.",
    "Temperaturen är -5 °C ± 2 °C, 3 × 4 = 12, 5 * 3 * 2 = 30 och m².",
    "”Citat” och 'apostrof' samt [sic] och {mängd} och [0, 1].",
    "Vitamin C3, nivå C1 och modell X-15 i Excel-bladet.",
    "ISBN 978-91-0-012345-6, org.nr 556677-8899 och tel. 08-123 456 78.",
    "Kontakta support@example.org eller ring 08-12 34 56.",
    'Rubriken "Syfte": här skriver du varför.',
    "Filen ligger i C:\\temp\\ny och på \\\\server\\drift.",
    "Verdict and confidence are ordinary words, and so is approve.",
    "- Punkt ett\n- Punkt två\n\n1. Steg ett\n2. Steg två",
    "> 5 procent av kunderna svarade.",
    "Namn | Värde\nA | 1",
    "Den 3 maj 2024–2025 #1 i världen, 100 % rätt!",
    "Familjen 👨‍👩‍👧 och ❤️ och 1️⃣ är emoji.",
    "系统切换由项目负责人决定，共30天。",
    "\n  Text med luft omkring.  \n",
]


@pytest.mark.parametrize("prose", PROSE)
def test_clean_prose_comes_back_as_it_is(prose: str) -> None:
    assert clean(prose) == Cleaned(prose)


WORDS = [
    *("projektet", "planen", "ska", "godkännas", "av", "styrgruppen", "innan", "driften", "startar", "i", "maj", "och"),
    *("källor", "källan", "anges", "enligt", "t.ex.", "avtalet", "the", "plan", "is", "approved", "by", "management"),
    *("before", "go-live", "e.g.", "with", "references", "to", "sources", "agent", "data", "http-statuskod", "Q&A"),
    *("R&D", "e-post", "5", "%", "12,5", "1", "200", "kr", "(fem)", "3.2", "a", "<", "b", ">", "§5", "C++", ".NET"),
    *("och/eller", "08:30", "Plan_v2.pdf", '"citat"', "–", "svar:", "(se", "nedan)", "[sic]", "*", "m.m.", "~", "#"),
]


@given(st.lists(st.sampled_from(WORDS), min_size=5, max_size=40), st.sampled_from([".", "!", "?", " (1)."]))
def test_words_in_any_order_come_back_as_they_are(words: list[str], end: str) -> None:
    prose = "Därför " + " ".join(words) + end
    assume(
        "agent 1" not in prose and ") käll" not in prose and ") sources" not in prose and ") references" not in prose
    )
    assert clean(prose) == Cleaned(prose)


@given(
    st.text(max_size=300)
    | st.lists(st.sampled_from("aK<>[](){}*_`\"':/.%&;#|\\\n 1å源\u200b"), max_size=80).map("".join)
)
def test_nothing_makes_it_raise(text: str) -> None:
    assert isinstance(clean(text), Cleaned)


def test_the_chapters_of_the_sample_have_no_leak() -> None:
    """Real prose: every paragraph of the sample's documents, Swedish and English."""
    folder = files("ankare.sample").joinpath("pack", "documents")
    texts = [file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith((".md", ".txt"))]
    paragraphs = [part for text in texts for part in text.split("\n\n") if not part.startswith(("#", "|", "<", "---"))]
    assert len(paragraphs) > 50
    assert [(part, clean(part).leaks) for part in paragraphs if clean(part).leaks] == []


LEAKS = {
    "field": [
        "Svaret bygger på evidence_used.",
        "original_question: Vad gäller?",
        "Enligt answer_scope är svaret direkt.",
        "Fältet originalQuestion saknas.",
        "ORIGINAL_QUESTION och claim\\_supported.",
        "ori**ginal**_question",
        "orig\u200binal_question",
        "оriginal_question",
        "Status: agent2_invalid_json.",
        "verdict: approved",
        "Confidence: 0.82",
        "partial_due_to_thin_evidence",
        "字段evidence_used。",
    ],
    "agent": [
        "Agent 2 har skrivit svaret.",
        "agent2 säger att planen gäller.",
        "Agent-3 godkände.",
        "AGENT_4",
        "Agent nr 1 sökte.",
        "Agent två har granskat.",
        "Granskningsagenten har godkänt utkastet.",
        "The review agent approved it.",
        "Agents: agent one asks.",
        "Аgent 2 har granskat.",
        "审核智能体已批准。",
        "由智能体2完成。",
        "由Agent 2完成。",
    ],
    "json": [
        '{"answer": "Ja."}',
        '{"answer": "Planen gäll',
        'Här är svaret: {"a": 1}',
        '"answer": "Planen gäller',
        "{'answer': 'Ja'}",
        '["Planen", "Driften"]',
        'gäller i 30 dagar."}',
        "Svar:\n{\n}",
        "Planen gäller.\n}]",
        '[{"x"',
        "Planen g\\u00e4ller.",
        "Planen gäller.\\n\\nDriften startar.",
        '```json\n{"answer": "Ja"}\n```',
        'Planen sa \\"ja\\".',
        '{ answer: "Ja" }',
    ],
    "html": [
        "Planen <b>gäller</b>.",
        "Planen gäller.<br>",
        "Rad<br/>rad",
        "<p>Planen gäller.",
        "</div>",
        "<svar>Planen gäller.</svar>",
        "<!-- dolt -->",
        "Å&auml;ndå &nbsp; &#228; &#xE4;",
        "&lt;b&gt;",
        "<img src=x",
        "<x-y z='1'>",
        "<?xml version='1.0'?>",
        "%3Cb%3Efet%3C/b%3E",
    ],
    "script": [
        "<script>alert(1)</script>",
        "<script",
        "<iframe src='//evil.example'>",
        "<svg/onload=alert(1)>",
        "se javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        "java\u200bscript:alert(1)",
        "vbscript:x",
        "data:text/html;base64,AAAA",
        "<a onclick=x>",
    ],
    "image": ["![logga](https://evil.example/x.png)", "![](x.png)", "![a](data:image/png;base64,AA)"],
    "link": [
        "Se [mallen](https://evil.example/mall).",
        "Se [mallen](mall.pdf#page=5).",
        "Se [mallen](//evil.example).",
        "Se [mallen][mall] och\n\n[mall]: https://evil.example",
        "så\n[ref]: /x",
        "Se <https://evil.example>.",
        "Se https://evil.example/x.",
        "Se HTTPS://EVIL.EXAMPLE.",
        "Se ftp://evil.example.",
        "Se www.evil.com/x.",
        "Se evil.com/x.",
        "Se evil-site.com nu.",
        "见evil-site.com。",
        "见www.evil.com/x。",
        "//evil.example/x",
        "ｈｔｔｐｓ：／／evil.example",
        "httрs://evil.example",
        "ht\u200btps://evil.example",
        "https%3A%2F%2Fevil.example",
        "https%253A%252F%252Fevil.example",
        "hxxps://evil.example",
        "evil[.]com",
        "https[:]//evil.example",
        "[a](https://evil.example",
    ],
    "mail": ["mailto:a@b.se", "<a@b.se>", "[mejla](mailto:a@b.se)", "tel:0812345678"],
    "id": [
        "Enligt 9f86d081884c7d65 gäller planen.",
        "Enligt c3 gäller planen.",
        "Se chunk 3.",
        "Det stöds av c1 och c4.",
        "Stöd: c1 visar att planen gäller.",
        "chunk c2 och chunk-12",
        "Chunk 9f86d081",
        "见9f86d081884c7d65。",
        "123e4567-e89b-12d3-a456-426614174000",
    ],
    "prompt": [
        "<think>Hm.",
        "Hm.</think> Planen gäller.",
        "<|im_start|>assistant",
        "<|channel|>final<|message|>Planen gäller.",
        "assistantfinal Planen gäller.",
        "[INST] Svara [/INST]",
        "### Instruction: svara",
        "Reasoning: high",
        '<evidence key="9f86d081">',
        "Som AI-modell kan jag inte svara.",
        "Som en språkmodell vet jag inte.",
        "As an AI language model, I cannot.",
        "Min systemprompt säger nej.",
        "作为一个AI，我不能回答。",
        'SLOTS: {"metric": "A"}',
    ],
    "invisible": [
        "Planen\u200b gäller.",
        "Planen \u202eräläg\u202c.",
        "\u2066Planen\u2069",
        "Pla\u2060nen",
        "Planen\ufeff gäller",
        "Planen\U000e0041\U000e0042",
        "Pla\u3164nen",
        "Pla\ufe0fnen",
        "Z\u0300\u0301\u0302a",
        "a\u200db",
    ],
    "control": ["Planen\x00 gäller.", "Planen\x1b[31m", "Planen\x07", "Planen\x85", "Planen\ue000", "Planen\ud800"],
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in LEAKS.items() for text in texts])
def test_a_leak_is_found(kind: str, text: str) -> None:
    for written in (text, f"{BEFORE} {text}", f"{text}\n\n{AFTER}"):
        assert kind in {leak.kind for leak in clean(written).leaks}, clean(written)


@pytest.mark.parametrize(
    "name", ["RetrievalRewriteResult", "EvidenceAnswerResult", "GroundingReviewResult", "CorrectionResult"]
)
def test_every_name_of_a_contract_is_known(name: str) -> None:
    schema = json.loads(files("ankare.contracts").joinpath("schemas", f"{name}.json").read_text("utf-8"))
    names = {name, *_names(schema)}
    known = {*named_lists("und", "leakage")["fields"], *named_lists("und", "leakage")["keys"], "verdict", "confidence"}
    assert {field for field in names if field.casefold() not in known} == set()


def _names(schema: object) -> set[str]:
    if isinstance(schema, list):
        return {name for part in schema for name in _names(part)}
    if not isinstance(schema, dict):
        return set()
    named = set(schema.get("properties", {})) | {value for value in schema.get("enum", ()) if "_" in str(value)}
    return named | {name for part in schema.values() for name in _names(part)}


def test_a_leak_is_told_once_and_shortened() -> None:
    leaks = clean("Agent 2. " * 500 + "<b>" + "x" * 5000).leaks
    assert [leak.kind for leak in leaks].count("agent") == 1
    assert all(len(leak.text) <= 80 for leak in leaks)
    many = clean(" ".join(f"https://evil{n}.example" for n in range(500))).leaks
    assert 1 <= len(many) <= 20


OWNED = ("https://example.org/mallar", "https://example.org/Plan.pdf")


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("Se [Mallar](https://example.org/mallar).", "Se Mallar."),
        ("Se [Mallar](https://example.org/mallar/#topp).", "Se Mallar."),
        ("Se https://example.org/mallar.", "Se https://example.org/mallar."),
        ("Se HTTPS://Example.org/Plan.pdf#page=5", "Se HTTPS://Example.org/Plan.pdf#page=5"),
    ],
)
def test_a_link_that_the_index_owns_is_none(written: str, text: str) -> None:
    assert clean(written, allowed_urls=OWNED) == Cleaned(text)
    assert clean(written).leaks


@pytest.mark.parametrize(
    "written",
    [
        "https://example.org/mallar/annat",
        "https://example.org/",
        "https://example.org.evil.example/mallar",
        "https://example.org@evil.example/mallar",
        "https://ехample.org/mallar",
        "https://example.org/plan.pdf",
        "ftp://example.org/mallar",
        "[Mallar](javascript:alert(1)//https://example.org/mallar)",
        "[Mallar](https://example.org/mallar?u=https://evil.example)",
        "![Mallar](https://example.org/mallar)",
    ],
)
def test_an_address_that_only_looks_like_an_owned_one_is_a_leak(written: str) -> None:
    assert clean(f"Se {written} nu.", allowed_urls=OWNED).leaks


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("**Planen** gäller *i* __30__ dagar.", "Planen gäller i 30 dagar."),
        ("# Svar\nPlanen gäller.", "Svar\nPlanen gäller."),
        ("Svar\n====\nPlanen gäller.", "Svar\nPlanen gäller."),
        ("```\nPlanen gäller.\n```", "Planen gäller."),
        ("~~~text\nPlanen gäller.\n~~~", "Planen gäller."),
        ("> Planen gäller.\n> Den löper.", "Planen gäller.\nDen löper."),
        ("- **Steg**: börja\n- `kod` här", "- Steg: börja\n- kod här"),
        ("1. **Ett**\n2. *Två*", "1. Ett\n2. Två"),
        ("| Namn | Värde |\n|---|:--:|\n| A | 1 |", "Namn | Värde\nA | 1"),
        ("- [ ] Planera\n- [x] Besluta", "- Planera\n- Besluta"),
        ("Ett\n\n---\n\nTvå", "Ett\n\nTvå"),
        ("Plan\\_v2 och 1\\. start", "Plan_v2 och 1. start"),
        ("Fil Plan_v2_final.pdf och *obligatoriskt", "Fil Plan_v2_final.pdf och *obligatoriskt"),
        ("Rad ett\r\nRad två", "Rad ett\nRad två"),
    ],
)
def test_decoration_goes_and_the_marks_of_lists_stay(written: str, text: str) -> None:
    assert clean(written) == Cleaned(text)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Se Plan_v2.pdf och Bilaga-1.docx.", ("Plan_v2.pdf", "Bilaga-1.docx")),
        ("Filen (rapport.2024.xlsx) finns.", ("rapport.2024.xlsx",)),
        ("Mallar/Kallelse.PDF", ("Mallar/Kallelse.PDF",)),
        ("Driften startar t.ex. i maj, se avsnitt 3.2.", ()),
        ("Node.js och ASP.NET och pdf.", ()),
        ("https://example.org/a.pdf", ()),
        ("Åtgärdslista_2.csv", ("Åtgärdslista_2.csv",)),
    ],
)
def test_names_of_files_are_spotted(text: str, names: tuple[str, ...]) -> None:
    assert file_names(text) == names


LONG: dict[str, Callable[[], str]] = {
    "unclosed": lambda: "".join(part * 30_000 for part in ("![](", "(källa: ", "`a", "<", "{", "_a", "a.", "a-", "&a")),
    "repeated": lambda: "".join(
        part * 20_000 for part in ("Källor\n", "K ä l l o r ", "- a\n", "```\n", "|-", "agent ", "来源")
    ),
    "spaces": lambda: " " * 1_000_000,
    "lines": lambda: "\n" * 1_000_000,
    "brackets": lambda: "[" * 1_000_000,
    "braces": lambda: "{" * 1_000_000,
    "tags": lambda: "<a " * 333_333,
    "stars": lambda: "*" * 1_000_000,
    "bold": lambda: "**a " * 250_000,
    "quotes": lambda: '"a":' * 250_000,
    "schemes": lambda: "a://" * 250_000,
    "hex": lambda: "0a" * 500_000,
    "percents": lambda: "%25" * 333_333,
    "zero widths": lambda: "a\u200b" * 500_000,
    "inline": lambda: "Ja. Källa: " * 90_000,
    "hashes": lambda: "# " * 500_000,
    "noise": lambda: "".join(random.Random(7).choices("aK<>[](){}*_`\"':/.%&;#|\\\n 1å源\u200b", k=1_000_000)),
    "prose": lambda: f"{BEFORE} {AFTER}\n" * 16_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("long", LONG.values(), ids=LONG.keys())
def test_a_megabyte_of_anything_ends(long: Callable[[], str]) -> None:
    """A pattern that backtracks would not end before the test run is stopped."""
    assert isinstance(clean(long()), Cleaned)


def test_a_filter_that_lets_everything_through_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """The saboteurs: no leak is looked for, no source is cut off."""
    monkeypatch.setattr(leakage, "leaks_in", lambda *_: iter(()))
    for kind, texts in LEAKS.items():
        with pytest.raises(AssertionError):
            test_a_leak_is_found(kind, texts[0])
    monkeypatch.setattr(leakage, "strip_sources", lambda text, languages: Stripped(text, ()))
    for heading in HEADINGS:
        with pytest.raises(AssertionError):
            test_a_list_of_sources_goes_in_every_spelling_of_its_heading(heading)


def test_a_filter_that_cuts_every_line_with_the_word_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """The saboteur: whatever names sources goes."""

    def greedy(text: str, languages: object) -> Stripped:
        return Stripped("\n".join(line for line in text.split("\n") if "källor" not in line.lower()), ())

    monkeypatch.setattr(leakage, "strip_sources", greedy)
    with pytest.raises(AssertionError):
        test_clean_prose_comes_back_as_it_is("Källor ska anges i rapporten.")
