"""An engine and a shelf that say what a test wants them to say, over documents that the test wrote."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from threading import Event

from ankare.domain.access import OWNER, Access
from ankare.domain.answer import Answer, Citation, Claim, ClaimForm, NearSection, Refusal
from ankare.domain.document import Box, Chunk, Document, Place, Sentence, UnitKind
from ankare.domain.evidence import Hit, Relevance, ScorePart
from ankare.domain.fact import Fact
from ankare.domain.question import QueryWord, Question, QuestionType, Understood
from ankare.domain.reply import Reply, Timing
from ankare.profile.model import Profile
from ankare.structured.metric_query import MetricQuery, MetricReply

TEXT = "Etapperna är tre. Planera arbetet. Genomför arbetet. Avsluta arbetet. Ansvaret har styrgruppen."
HOSTILE = (
    "<script>alert(1)</script> [klicka](javascript:alert(2)) ![x](//evil.example/p.png) `kod` ${alert(3)} {{7*7}} $$x$$"
)


def tiny_pdf(lines: list[str], pages: int = 2) -> bytes:
    """A PDF with the same lines of Helvetica on every page."""
    shown = " ".join(f"({line}) Tj 0 -24 Td" for line in lines).encode("latin-1")
    stream = b"BT /F1 14 Tf 72 720 Td " + shown + b" ET"
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(pages)).encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[" + kids + b"]/Count " + str(pages).encode() + b">>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for n in range(pages):
        content = str(5 + 2 * n).encode()
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents "
            + content
            + b" 0 R>>"
        )
        objects.append(b"<</Length " + str(len(stream)).encode() + b">>stream\n" + stream + b"\nendstream")
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj".encode() + body + b"endobj\n"
    table = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode() + b"".join(
        b"%010d 00000 n \n" % o for o in offsets
    )
    return out + table + f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>startxref\n{len(out)}\n%%EOF".encode()


def make_chunk(
    text: str = TEXT,
    *,
    source: str = "plan å.pdf",
    page: int = 1,
    title: str = "Plan",
    section: tuple[str, ...] = ("2 Etapper",),
) -> Chunk:
    """A chunk whose sentences end at full stops, each on a line of its own on one page."""
    sentences, start = [], 0
    for number, piece in enumerate(text.split(". ")):
        end = min(len(text), start + len(piece) + 1)
        place = Place(page, (Box(72, 108 + 24 * number, 300, 124 + 24 * number),))
        sentences.append(Sentence(start, end, UnitKind.SENTENCE, (place,)))
        start = end + 1
    kind = source.rsplit(".", 1)[-1]
    return Chunk(
        id="c" + hashlib.sha256(f"{source}{page}{text}".encode()).hexdigest()[:10],
        document_id="d" + hashlib.sha256(source.encode()).hexdigest()[:10],
        source=source,
        source_type=kind,
        title=title,
        section=section,
        pages=(page,),
        text=text,
        language="sv",
        ordinal=0,
        sentences=tuple(sentences),
    )


def cite(chunk: Chunk, number: int = 0) -> Citation:
    """A citation of one sentence of a chunk."""
    sentence = chunk.sentences[number]
    return Citation(chunk, sentence.start, sentence.end, sentence.places)


def claims_of(chunk: Chunk, form: ClaimForm = ClaimForm.TEXT) -> tuple[Claim, ...]:
    """Every sentence of a chunk as a claim."""
    return tuple(Claim(chunk.sentence_text(s), (cite(chunk, n),), form) for n, s in enumerate(chunk.sentences))


def wide_table() -> tuple[Claim, ...]:
    """The rows of a table with eight columns, in a format without pages."""
    names = "Nr | Risk | Sannolikhet | Konsekvens | Riskvärde | Åtgärd | Ansvarig | Klart senast"
    row = "R1 | Leverantören byter nyckelpersoner | 2 | 3 | 6 | Avtalet kräver överlappning | Ledaren | 2030-01-31"
    chunk = make_chunk(f"{names}\n{row}", source="risker.xlsx")
    cells = {"kind": UnitKind.ROW, "places": chunk.sentences[0].places, "group": 1}
    head = Sentence(0, len(names), header=True, **cells)
    chunk = replace(chunk, sentences=(head, Sentence(len(names) + 1, len(chunk.text), **cells)))
    return (Claim(row, (cite(chunk, 1),), ClaimForm.ROW),)


def make_reply(question: str, outcome: Answer | Refusal, hits: tuple[Hit, ...] = (), version: str = "v1") -> Reply:
    """A reply with one word analysed and one step timed."""
    words = (QueryWord(question[:20], 0, min(20, len(question)), ("etapp",)),)
    supported = isinstance(outcome, Answer)
    reason = "covered" if supported else "subject_not_covered"
    relevance = Relevance(supported, reason, ("etapper",) if supported else (), () if supported else ("etapper",), 1.0)
    asked = Question(question, "sv", QuestionType.LIST, words)
    return Reply(asked, outcome, "narrative", hits, relevance, version, (Timing("retrieve", 0.4),))


def hit_of(chunk: Chunk, score: float = 2.5) -> Hit:
    """A hit whose score is one part."""
    return Hit(chunk, score, (ScorePart("bm25", score, 1.0),), score)


def near(chunk: Chunk) -> NearSection:
    """The section of a chunk, as a refusal names it."""
    return NearSection(chunk.section[-1], chunk.title, chunk.document_id)


@dataclass
class ScriptedEngine:
    """Refuses a question with "saknas" in it, shows a table for "tabell", answers any other from its chunks."""

    chunks: tuple[Chunk, ...] = field(default_factory=lambda: (make_chunk(),))
    version: str = "v1"
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    _may_go_on: Event = field(default_factory=Event)
    _has_begun: Event = field(default_factory=Event)

    def __post_init__(self) -> None:
        self._may_go_on.set()

    @contextmanager
    def held(self) -> Iterator[Callable[[], None]]:
        """Questions wait inside the block until what it gives is called."""
        self._may_go_on.clear()
        try:
            yield self._may_go_on.set
        finally:
            self._may_go_on.set()

    def wait_for_a_question(self) -> None:
        assert self._has_begun.wait(10)

    def ask(
        self,
        question: str,
        *,
        language: str | None = None,
        reference_date: date | None = None,
        agentic: bool | None = None,
        synthesis: bool | None = None,
        on_step: Callable[[str], None] | None = None,
        access: Access = OWNER,
    ) -> Reply:
        self.asked.append((question, language))
        self._has_begun.set()
        self._may_go_on.wait(10)
        if "saknas" in question:
            refusal = Refusal(
                "subject_not_covered",
                language or "sv",
                "Materialet ger inget svar på frågan.",
                tuple(map(near, self.chunks[:1])),
            )
            return make_reply(question, refusal, tuple(map(hit_of, self.chunks)), self.version)
        if "tabell" in question:
            return make_reply(question, Answer(QuestionType.LIST, "sv", wide_table()), (), self.version)
        claims = tuple(claim for chunk in self.chunks for claim in claims_of(chunk))
        answer = Answer(QuestionType.LIST, language or "sv", claims)
        return make_reply(question, answer, tuple(map(hit_of, self.chunks)), self.version)

    def search(
        self, query: str, *, top_k: int = 8, language: str | None = None, access: Access = OWNER
    ) -> tuple[Hit, ...]:
        return tuple(hit_of(chunk) for chunk in self.chunks[:top_k])

    def understand(
        self,
        previous: str,
        text: str,
        *,
        language: str | None = None,
        reference_date: date | None = None,
        access: Access = OWNER,
    ) -> Understood:
        """A text that begins with "och" is taken for a follow-up."""
        if not previous or not text.startswith("och "):
            return Understood(text)
        return Understood(f"{previous.rstrip('?')} {text}", True, (previous.rstrip("?"),))

    def query_metric(self, query: MetricQuery, *, access: Access = OWNER) -> MetricReply | None:
        """There are no figures."""
        return None


@dataclass
class ScriptedShelf:
    """Documents in a folder, by the ids that `make_chunk` gives."""

    folder: Path
    chunks: tuple[Chunk, ...] = field(default_factory=lambda: (make_chunk(),))
    rules: Profile = field(default_factory=lambda: replace(Profile(), examples=("Vilka etapper finns?",)))
    name: str = "v1"
    meaning: bool = True
    given_versions: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.documents = {}
        for chunk in self.chunks:
            data = tiny_pdf(chunk.text.split(". ")) if chunk.source_type == "pdf" else chunk.text.encode()
            path = self.folder / f"{chunk.document_id}.{chunk.source_type}"
            path.write_bytes(data)
            sha = hashlib.sha256(data).hexdigest()
            pages = 2 if chunk.source_type == "pdf" else 1
            self.documents[chunk.document_id] = (
                Document(chunk.document_id, chunk.source, chunk.source_type, sha, chunk.title, "sv", pages),
                path,
            )

    def of(self, access: Access) -> ScriptedShelf:
        return self

    def version(self) -> str:
        return self.name

    def chunk_count(self) -> int:
        return len(self.chunks)

    def built(self) -> float:
        return 1.0

    def document(self, document_id: str) -> Document:
        return self.documents[document_id][0]

    def original(self, document_id: str) -> Path:
        return self.documents[document_id][1]

    def excerpt(self, fact: Fact) -> None:
        return None

    def chunk(self, chunk_id: str) -> Chunk:
        return {chunk.id: chunk for chunk in self.chunks}[chunk_id]

    def versions(self) -> Mapping[str, str]:
        return self.given_versions

    def embedded(self) -> bool:
        return self.meaning

    def profile(self) -> Profile:
        return self.rules
