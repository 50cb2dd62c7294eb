"""What a document may cost: what is far beyond any document is refused before it is read, and an honest large one is read
in steps that grow with its length.

No time is asserted. Work is counted where it can be; the rest would not end in this life if it grew as it once did.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest

from ankare.domain.document import Block, BlockKind, Extraction
from ankare.errors import DocumentError
from ankare.ingest import archive, blocks, docx_styles, html_visibility, packing, read_text, sections
from ankare.ingest.chunk import ChunkOrigin, chunk_document
from ankare.ingest.readers import read_document, source_type_of
from ankare.ingest.work import Task, settings_of, work
from ankare.language.languages import get_language
from tests.ingest.making import extraction, heading, paragraph, row

NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SENTENCE = "Varje rad har text som ingen annan rad har. "


def read(path: Path) -> Extraction:
    return read_document(path, source_type_of(path), str.isalpha)


def word(path: Path, body: str, **others: str) -> Path:
    """A Word file with this body; `others`: parts below word/ that take the place of those of the template."""
    docx.Document().save(str(path))
    with zipfile.ZipFile(path) as template:
        parts = {name: template.read(name) for name in template.namelist()}
    parts["word/document.xml"] = f"<w:document {NAMESPACE}><w:body>{body}</w:body></w:document>".encode()
    parts |= {f"word/{name}.xml": text.encode() for name, text in others.items()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as out:
        for name, content in parts.items():
            out.writestr(name, content)
    return path


def said(text: str, style: str = "") -> str:
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}<w:r><w:t>{text}</w:t></w:r></w:p>"


def test_a_word_file_of_far_too_many_elements_is_refused_before_it_is_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = word(tmp_path / "tung.docx", "<w:p/>" * 60_000)
    monkeypatch.setitem(archive.MAX_NODES, "docx", 50_000)
    monkeypatch.setattr(docx, "Document", lambda _path: pytest.fail("it was parsed"))
    with pytest.raises(DocumentError, match="50,000 XML elements") as told:
        read(path)
    assert told.value.remedy == "Split it into several files."


@pytest.mark.parametrize("written", ['<w:p w:a="1"/>', "<w:p w:a='1'/>"])
def test_attributes_are_counted_like_elements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setitem(archive.MAX_NODES, "docx", 50_000)
    with pytest.raises(DocumentError, match="XML elements"):
        read(word(tmp_path / "a.docx", written * 30_000))


def test_a_file_of_far_too_many_parts_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_PARTS", 20)
    with pytest.raises(DocumentError, match="parts; at most 20"):
        read(word(tmp_path / "a.docx", said("x"), **{f"extra{n}": "<x/>" for n in range(30)}))


def test_a_refused_file_is_told_with_its_name_and_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(archive.MAX_NODES, "docx", 100)
    path = word(tmp_path / "tung.docx", said("x") * 100)
    told = work(Task("avtal/tung.docx", path, tmp_path / "home", settings_of(("sv",)), ("sv",)))
    assert told.source == "avtal/tung.docx"
    assert "Split it into several files." in told.failed


def test_an_honest_book_is_far_within_the_bounds(tmp_path: Path) -> None:
    """A hundred pages of it: a twentieth of 2,000 takes no more than a twentieth of what is allowed."""
    page = said("Ett avsnitt", "Heading1") + said(SENTENCE * 8) * 6
    path = word(tmp_path / "bok.docx", page * 100)
    archive.refuse_too_many_nodes(path, "docx")
    with zipfile.ZipFile(path) as whole:
        signs = whole.read("word/document.xml")
    assert (signs.count(b"<") + signs.count(b"=")) * 20 < archive.MAX_NODES["docx"]
    found = read(path)
    assert len(found.blocks) * 20 < blocks.MAX_BLOCKS
    assert sum(len(block.text) for block in found.blocks) * 20 < blocks.MAX_SIGNS


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "Ett stycke.\n\n" * 300),
        ("a.txt", "Ett stycke.\n\n" * 300),
        ("a.html", "<html><body>" + "<p>Ett stycke." * 300),
        ("a.csv", "a;b\n" * 300),
    ],
)
def test_any_format_has_a_bound_of_blocks_and_one_of_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setattr(blocks, "MAX_BLOCKS", 200)
    with pytest.raises(DocumentError, match="200 paragraphs and rows"):
        read(tmp_path / name)
    monkeypatch.undo()
    monkeypatch.setattr(blocks, "MAX_SIGNS", 500)
    with pytest.raises(DocumentError, match="500 characters"):
        read(tmp_path / name)


def test_a_style_is_read_once_however_many_paragraphs_have_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    read_style = docx_styles.Styles._read

    def counted(self: docx_styles.Styles, name: str) -> docx_styles.ParagraphStyle:
        taken.append(name)
        return read_style(self, name)

    monkeypatch.setattr(docx_styles.Styles, "_read", counted)
    read(word(tmp_path / "a.docx", said("x", "Heading1") * 500))
    assert taken == ["Heading1"]


def test_a_chain_of_styles_is_followed_only_as_far_as_word_allows(tmp_path: Path) -> None:
    chain = "".join(
        f'<w:style w:type="paragraph" w:styleId="s{n}"><w:name w:val="s{n}"/><w:basedOn w:val="s{n + 1}"/></w:style>'
        for n in range(3000)
    )
    path = word(tmp_path / "a.docx", said("Text.", "s0"), styles=f"<w:styles {NAMESPACE}>{chain}</w:styles>")
    assert [block.text for block in read(path).blocks] == ["Text."]
    style = docx_styles.Styles(docx.Document(str(path))).of_paragraph(docx.Document(str(path)).element.body[0])
    assert len(style.chain) <= 20


def test_a_footnote_stands_once_however_often_it_is_named(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("Text.")
    document.save(str(tmp_path / "a.docx"))
    with zipfile.ZipFile(tmp_path / "a.docx") as archived:
        parts = {name: archived.read(name) for name in archived.namelist()}
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    rels = parts["word/_rels/document.xml.rels"].decode()
    rels = rels.replace(
        "</Relationships>", f'<Relationship Id="rId99" Type="{kind}" Target="footnotes.xml"/></Relationships>'
    )
    parts["word/_rels/document.xml.rels"] = rels.encode()
    types = parts["[Content_Types].xml"].decode()
    override = '<Override PartName="/word/footnotes.xml" ContentType="application/xml"/></Types>'
    parts["[Content_Types].xml"] = types.replace("</Types>", override).encode()
    parts["word/footnotes.xml"] = (
        f'<w:footnotes {NAMESPACE}><w:footnote w:id="1">{said("Noten.")}</w:footnote></w:footnotes>'.encode()
    )
    reference = '<w:p><w:r><w:t>Se.</w:t><w:footnoteReference w:id="1"/></w:r></w:p>'
    body = f"<w:document {NAMESPACE}><w:body>{reference * 50}</w:body></w:document>"
    parts["word/document.xml"] = body.encode()
    with zipfile.ZipFile(tmp_path / "a.docx", "w") as out:
        for name, content in parts.items():
            out.writestr(name, content)
    assert [block.text for block in read(tmp_path / "a.docx").blocks].count("Noten.") == 1


def test_a_number_beyond_what_word_counts_to_is_written_in_figures(tmp_path: Path) -> None:
    level = (
        '<w:lvl w:ilvl="0"><w:start w:val="900000000"/><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="%1."/></w:lvl>'
    )
    lists = (
        f'<w:numbering {NAMESPACE}><w:abstractNum w:abstractNumId="1">{level}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>'
    )
    item = (
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>Ett.</w:t></w:r></w:p>'
    )
    assert read(word(tmp_path / "a.docx", item, numbering=lists)).blocks[0].marker == "900000000."


@pytest.mark.parametrize(
    "blocks_of",
    [
        lambda: [row(f"a | b{n}", header=True) for n in range(3000)],
        lambda: [*(heading(f"Rubrik {n}") for n in range(2999)), paragraph(f"{SENTENCE} 2999")],
        lambda: [paragraph(f"Ord {n}.") for n in range(3000)],
    ],
    ids=["header rows", "headings", "short paragraphs"],
)
def test_cutting_looks_back_only_so_far_whatever_must_stay_together(
    monkeypatch: pytest.MonkeyPatch, blocks_of: Callable[[], list[Block]]
) -> None:
    looks: list[int] = []
    cost = packing._size_cost

    def counted(words: int) -> float:
        looks.append(words)
        return cost(words)

    monkeypatch.setattr(packing, "_size_cost", counted)
    chunks = chunk_document(extraction(*blocks_of()), ChunkOrigin("d", "a.txt", "t", "sv"), get_language("sv"))
    assert max(looks) <= packing.FURTHEST + packing.LIMIT
    assert max(sections.count_words(chunk.text) for chunk in chunks) <= packing.FURTHEST + packing.LIMIT
    assert "2999" in chunks[-1].text


def test_lists_of_terms_in_lists_of_terms_are_read_once_each(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<html><body>" + "<dl><dt>a<dd>" * 9 + "b", "utf-8")
    assert read(tmp_path / "a.html").blocks[0].text.count("b") == 1
    (tmp_path / "b.html").write_text("<html><body>" + "<dl><dt>a<dd>" * 60 + "b", "utf-8")
    with pytest.raises(DocumentError, match="nested too deeply"):
        read(tmp_path / "b.html")


def test_terms_in_groups_are_terms_of_their_list(tmp_path: Path) -> None:
    page = "<html><body><dl><div><dt>Avtal<dd>Ett löfte.</div><div><dt>Vite<dd>En bot.</div></dl>"
    (tmp_path / "a.html").write_text(page, "utf-8")
    assert [block.text for block in read(tmp_path / "a.html").blocks] == ["Avtal | Ett löfte.", "Vite | En bot."]


def test_rules_for_other_classes_cost_an_element_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_visibility, "MAX_FITTINGS", 1000)
    rules = "".join(f".c{n} {{ display: none }}" for n in range(5000))
    page = f"<html><head><style>{rules}</style></head><body>" + "<p class=d>Syns.</p>" * 50 + "<p class=c7>Gömd.</p>"
    (tmp_path / "a.html").write_text(page, "utf-8")
    assert {block.text for block in read(tmp_path / "a.html").blocks} == {"Syns."}


def test_a_page_of_far_too_many_rules_is_refused_and_never_shown_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html_visibility, "MAX_FITTINGS", 1000)
    page = "<html><head><style>" + "p{display:none}" * 500 + "</style></head><body>" + "<p>Gömd.</p>" * 50
    (tmp_path / "a.html").write_text(page, "utf-8")
    with pytest.raises(DocumentError, match="style rules"):
        read(tmp_path / "a.html")


@pytest.mark.parametrize(
    ("sheet", "shown"),
    [
        ("p.a{display:none}", False),
        ("@media print { p.a { display:none } p { color:red } } p.b { display:none }", True),
        ("@import url(x.css); p.a { display:none }", False),
        ("/* p { display:block } */ .a { display:none }", False),
        (".a { display:none } /* never closed .a { display:block }", False),
        (".a { display:none } p { display:block }", True),
        ("p { display:block } .a { display:none }", False),
        ("@font-face { font-family:x } h1, .a, h2 { visibility:hidden }", False),
        ("a" * 200_000, True),
        ("@" * 200_000, True),
        ("@a{b{c}" * 50_000, True),
        ("/*" * 200_000, True),
    ],
)
def test_the_rules_of_a_page_are_read_in_one_pass(tmp_path: Path, sheet: str, shown: bool) -> None:
    page = f"<html><head><style>{sheet}</style></head><body><p class=a>Stycket.</p><p>Annat.</p></body></html>"
    (tmp_path / "a.html").write_text(page, "utf-8")
    assert ("Stycket." in [block.text for block in read(tmp_path / "a.html").blocks]) is shown


@pytest.mark.parametrize(("behind", "hidden"), [("", True), ("background:navy", False)])
def test_what_stands_around_white_text_is_looked_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behind: str, hidden: bool
) -> None:
    looks: list[object] = []
    has_colour = html_visibility._has_colour

    def counted(node: object) -> bool:
        looks.append(node)
        return has_colour(node)

    monkeypatch.setattr(html_visibility, "_has_colour", counted)
    page = f"<html><body><div style='{behind}'>" + "<div>" * 200 + "<b style=color:white>Vit.</b> " * 300
    (tmp_path / "a.html").write_text(page, "utf-8")
    found = read(tmp_path / "a.html")
    assert bool(found.hidden_text) is hidden
    assert bool(found.blocks) is not hidden
    assert len(looks) < 300 * 2 + 200 * 2


def test_an_item_of_very_many_paragraphs_is_put_together_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<html><body><ul><li>" + "<p>ett</p>" * 20_000 + "</ul><p>Slut.", "utf-8")
    found = read(tmp_path / "a.html").blocks
    assert [block.kind for block in found] == [BlockKind.ITEM, BlockKind.PARAGRAPH]
    assert found[0].text.split() == ["ett"] * 20_000
    assert found[0].pieces[0].end == len(found[0].text)


def test_a_list_stands_no_deeper_than_can_be_shown(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<html><body>" + "<ul><li>x" * 300, "utf-8")
    assert max(block.level for block in read(tmp_path / "a.html").blocks) == blocks.MAX_LEVEL


def test_no_line_looks_at_all_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counted(list[str]):
        looked = 0

        def __getitem__(self, place: Any) -> Any:
            Counted.looked += 1
            assert not isinstance(place, slice), "a copy of the lines for each line"
            return super().__getitem__(place)

    text = "- punkt\n- punkt\n\n1 Rubrik\n\nText.\n\n\n\n" * 300
    reader = read_text._TextReader(text.splitlines())
    reader.lines = Counted(reader.lines)
    assert len(reader.read().blocks) == 1200
    assert Counted.looked < 30 * len(reader.lines)


@pytest.mark.parametrize(
    "text", ["," * 5000, 'a,b\n"' + "a\n" * 3000, "a,b\n" * 50 + "x" * 5000], ids=["cells", "open", "line"]
)
def test_a_row_that_never_ends_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(read_text, "MAX_ROW_SIGNS", 2000)
    (tmp_path / "a.csv").write_text(text, "utf-8")
    with pytest.raises(DocumentError, match="quotation marks"):
        read(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("front", "title"), [('"Avtal"', "Avtal"), ("'Avtal' ", "Avtal"), ("Avtal", "Avtal"), (" " * 100_000 + "x", "x")]
)
def test_the_title_of_front_matter(tmp_path: Path, front: str, title: str) -> None:
    (tmp_path / "a.md").write_text(f"---\ntitle: {front}\n---\nText.", "utf-8")
    assert read(tmp_path / "a.md").title == title
