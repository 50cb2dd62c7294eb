"""Two kinds of homes: one that never held a secret document, and ones that do; and somebody who looks at them over HTTP."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from fastapi.testclient import TestClient
from gradio.context import Context
from httpx import Response

from ankare.domain.access import Access
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.service.app import create_app
from ankare.service.door.keys import add_key
from ankare.settings import Settings
from tests.access.seen import seen
from tests.ingest.making import pdf

PROFILE = """
[home]
company = "ACME"
entity = "ACME_GROUP"
language = "sv"
languages = ["sv", "en"]

[entities.ACME_GROUP]
label = "koncernen"
aliases = ["koncernen", "ACME"]

[entities.ACME_CN]
label = "Kina"
aliases = ["Kina"]
geography = "CN"

[metrics.REVENUE]
label = "Omsättning"
aliases = ["omsättning", "omsättningen"]
unit = "USD_M"

[metrics.PROFIT]
label = "Vinst"
aliases = ["vinst", "vinsten"]
unit = "USD_M"
"""

DRIFT = """# Driftplan

## Backup

Säkerhetskopior tas varje natt av driftgruppen. Kopiorna förvaras i sex veckor.

## Avbrott

Vid avbrott ringer jouren driftledaren inom femton minuter. Avbrottet antecknas i loggboken.
"""
MOTEN = """# Möten

## Styrgruppen

Styrgruppen består av fyra ledamöter och beslutar om budgeten. Protokoll skrivs av sekreteraren.

## Kallelse

Kallelse till mötet sänds en vecka före. Den som får förhinder lämnar återbud per telefon.
"""
GAMMAL = """# Semesterregler

## Ansökan

Ansökan om semester lämnas till närmaste chef senast i april.
"""
LOKALER = """# Lokaler

## Bokning

Projektledaren bokar lokalen i god tid. Nyckeln förvaras i receptionen. Porten Quorvexen stängs på fredagar.
"""

Files = Mapping[str, str | bytes]
PUBLIC_FILES: Files = {
    "allmänt/drift.md": DRIFT,
    "allmänt/moten.md": MOTEN,
    "allmänt/semester.md": GAMMAL,
    "allmänt/lokaler.md": LOKALER,
    "allmänt/plan.pdf": pdf([["Tidplan", "Arkivet flyttas i maj.", "Projektet avslutas i juni."], ["Bilaga ett."]]),
    "facts/2023.csv": "metric,entity,period,value,unit\nREVENUE,ACME_CN,2023,120,USD_M\nPROFIT,ACME_CN,2023,12,USD_M\n",
}
"""What everybody may read."""

BOARD_FILES: Files = {
    "styrelse/access.toml": 'label = "board"\n',
    # Words that stand nowhere else, and the right form of words that questions misspell.
    "styrelse/fusion.md": "# Fusionsplan\n\n## Uppköp\n\nUppköpet av Zirkonbolaget finansieras med konvertibler. "
    "Sammanslagningen kallas Projekt Nordstjärnan och avslutas i juni.\n",
    # A newer version of something public, the same text as something public, and much of the words of the public.
    "styrelse/semester_ny.md": "# Semesterregler\n\n## Ansökan\n\n"
    "Ansökan om semester lämnas till närmaste chef senast i mars.\n",
    # Nearly a word of the public, and commoner.
    "styrelse/porten.md": "# Porten\n\n" + "Quorvaxen är porten. " * 12 + "\n",
    "styrelse/semester_ny.md.meta.toml": 'supersedes = ["allmänt/semester.md"]\nversion = "2"\nvalid_from = 2025-01-01\n',
    "styrelse/avskrift.md": MOTEN,
    "styrelse/backup.md": "# Backup\n\n"
    + "Backup av styrgruppens backup tas av styrgruppen. Avbrott i backup antecknas.\n\n" * 8,
    "styrelse/hemlig.pdf": pdf([["Hemlig tidplan", "Arkivet rivs i oktober.", "Projektet avslutas i december."]]),
    # Figures: one in conflict, one that is the same, a period and a metric that the public has none of.
    "styrelse/facts/bokslut.csv": "metric,entity,period,value,unit\n"
    "REVENUE,ACME_CN,2023,999,USD_M\nPROFIT,ACME_CN,2023,12,USD_M\n"
    "REVENUE,ACME_CN,2024,1500,USD_M\nREVENUE,ACME_GROUP,2024Q1,70,USD_M\n",
}
LEGAL_FILES: Files = {
    "allmänt/tvist.md": "# Tvisten\n\n## Stämning\n\nTvisten om arrendet avgörs i hovrätten. Stämningen lämnades in i maj.\n",
    "allmänt/tvist.md.meta.toml": 'access = "Legal"\n',
    "facts/hemlig.csv": "metric,entity,period,value,unit\nPROFIT,ACME_CN,2025H1,7,USD_M\n",
    "facts/hemlig.csv.meta.toml": 'access = "legal"\n',
}

QUESTIONS = (
    "Hur ofta tas säkerhetskopior?",
    "Hur länge förvaras kopiorna?",
    "Vem beslutar om budgeten?",
    "Vem beslutar om bugdeten?",
    "När ska ansökan om semester lämnas?",
    "Vad gäller för semester?",
    "Hur lämnar man återbud?",
    "Var förvaras nyckeln?",
    "När flyttas arkivet?",
    "När avslutas projektet?",
    "Vad är backup?",
    "Vilka uppgifter har styrgruppen?",
    # What only secret documents hold, also misspelt, split and joined.
    "Vad kostar uppköpet av Zirkonbolaget?",
    "Vad är Zirkonbolgaet?",
    "Vad är Projekt Nordstjärnan?",
    "Vad är Nordstjrnan?",
    "Hur finansieras uppköpet?",
    "Vad är konvertibler?",
    "Vad är konvertibel finansiering av lokaler?",
    "Vem avgör tvisten om arrendet?",
    "Vad är hovrätten och vem sänder kallelse till mötet?",
    "Vad sägs om fusions planen?",
    "När rivs arkivet?",
    "När stängs Quorvxen?",
    "När stängs Quorvaxen?",
    "What is Projekt Nordstjärnan?",
    # Figures.
    "Vad var omsättningen i Kina 2023?",
    "Vad var omsättningen i Kina 2024?",
    "Vad var vinsten i Kina 2023?",
    "Vad var vinsten i Kina första halvåret 2025?",
    "Vad var omsättningen i koncernen första kvartalet 2024?",
    "Vad var omsättningen i Kina varje år?",
    "Vad var omsättningen?",
    "Vad är vinsten i Kina?",
    "Hur utvecklades omsättningen i Kina från 2023 till 2024?",
    "Varför minskade vinsten i Kina 2023?",
)


def write(folder: Path, *files: Files) -> Path:
    """Put files in a folder; those that are there stay."""
    for name, content in (item for group in files for item in group.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def take_in(docs: Path, home: Path, profile: str = PROFILE) -> Home:
    """Ingest a folder with a profile, by itself that of these tests."""
    pack = home.with_name(f"{home.name}-pack")
    (pack / "documents").mkdir(parents=True, exist_ok=True)
    (pack / "profile.toml").write_text(profile, encoding="utf-8")
    ingest([docs], Home(home), pack=pack, workers=1)
    return Home(home)


def built(place: Path, *files: Files) -> Path:
    """The home of these files, taken in at once."""
    take_in(write(place / "docs", *files), place / "home")
    return place / "home"


# How a home came to hold its secrets.


def secret_later(place: Path) -> Path:
    """The public first, then the secret documents."""
    docs = write(place / "docs", PUBLIC_FILES)
    take_in(docs, place / "home")
    take_in(write(docs, BOARD_FILES, LEGAL_FILES), place / "home")
    return place / "home"


def secret_first(place: Path) -> Path:
    """The secret documents first."""
    docs = write(place / "docs", BOARD_FILES, LEGAL_FILES)
    take_in(docs, place / "home")
    take_in(write(docs, PUBLIC_FILES), place / "home")
    return place / "home"


def secret_changed(place: Path) -> Path:
    """The secret documents change again and again."""
    docs = write(place / "docs", PUBLIC_FILES, BOARD_FILES)
    take_in(docs, place / "home")
    for word in ("konvertibler", "obligationer"):
        write(docs, {"styrelse/fusion.md": f"# Fusion\n\nUppköpet av Zirkonbolaget betalas med {word}.\n"}, LEGAL_FILES)
        take_in(docs, place / "home")
    return place / "home"


def secret_removed(place: Path) -> Path:
    """Nothing secret is left."""
    docs = write(place / "docs", PUBLIC_FILES, BOARD_FILES, LEGAL_FILES)
    take_in(docs, place / "home")
    shutil.rmtree(docs / "styrelse")
    for name in LEGAL_FILES:
        (docs / name).unlink()
    take_in(docs, place / "home")
    return place / "home"


def labelled_later(place: Path) -> Path:
    """All was public once, and then got its labels."""
    docs = write(place / "docs", PUBLIC_FILES, BOARD_FILES, LEGAL_FILES)
    for name in ("styrelse/access.toml", "allmänt/tvist.md.meta.toml", "facts/hemlig.csv.meta.toml"):
        (docs / name).unlink()
    take_in(docs, place / "home")
    take_in(write(docs, BOARD_FILES, LEGAL_FILES), place / "home")
    return place / "home"


def at_once(place: Path) -> Path:
    """Public and secret documents together."""
    return built(place, PUBLIC_FILES, BOARD_FILES, LEGAL_FILES)


WAYS: tuple[Callable[[Path], Path], ...] = (
    at_once,
    secret_later,
    secret_first,
    secret_changed,
    secret_removed,
    labelled_later,
)


HERE = "http://localhost:7860"
"""Where the services of these tests are reached: MCP answers only under names of this machine."""


@dataclass(frozen=True)
class Service:
    """One that runs, and its home."""

    client: TestClient
    home: Path

    def reader(self, *labels: str) -> Reader:
        """Somebody with a key for these labels, or without any key."""
        key = add_key(self.home, f"reader-{uuid4().hex}", labels=labels)[1] if labels else ""
        return Reader(self.client, key)


class Reader:
    """Somebody who asks a service over HTTP, and notes all that can be seen."""

    def __init__(self, client: TestClient, key: str = "") -> None:
        self._client = client
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    def ask(self, question: str, **more: object) -> dict[str, Any]:
        """The body of an answer."""
        found = self._client.post("/api/ask", json={"question": question, **more}, headers=self._headers).json()
        assert isinstance(found, dict)
        return found

    def asked(self, question: str) -> list[object]:
        """All that there is to see of one question."""
        given = {"reference_date": "2026-01-15"}
        return [
            self._seen("POST", "/api/ask", json={"question": question, "debug_mode": True, **given}),
            self._seen("POST", "/api/search", json={"query": question, "top_k": 20}),
            self._seen("POST", "/api/understand", json={"previous": "Vem sköter driften?", "question": question}),
            self._seen("POST", "/v1/chat/completions", json=_chat(question)),
        ]

    def looked(self, document_id: str, chunk_id: str) -> list[object]:
        """All that there is to see of one document."""
        claim = f"?claim={chunk_id}:0-10"
        paths = ("", "/pages/1.png", "/pages/2.png", "/pages/99.png", f"/pages/1.png{claim}", "/pages/x.png")
        return [self._seen("GET", f"/sources/{document_id}{path}") for path in paths]

    def state(self) -> list[object]:
        """What the service tells of itself."""
        return [self._seen("GET", path) for path in ("/health", "/ready")]

    def open(self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **given: Any) -> Response:
        """The response to a request of this reader."""
        return self._client.request(method, path, headers={**self._headers, **(headers or {})}, **given)

    def _seen(self, method: str, path: str, **given: Any) -> list[object]:
        return seen(self.open(method, path, **given))


@contextmanager
def serving(home: Path, *, page: bool = False, **chosen: Any) -> Iterator[Service]:
    """A service over a home; `page` brings what people see in a browser, and takes a second to start."""
    given: dict[str, Any] = {"semantic": False, "api_keys": "optional", "rate_per_minute": 0, "revision": "r1"}
    settings = Settings(home=home, **{**given, **chosen})
    if page:
        Context.id = 0  # Gradio numbers all blocks of a process, and each of these stands for one of its own
    with TestClient(create_app(settings, page=page), base_url=HERE, raise_server_exceptions=False) as client:
        yield Service(client, home)


@contextmanager
def reading(home: Path, *labels: str, **chosen: Any) -> Iterator[Reader]:
    """A service over a home, and a reader with a key for these labels, or without any key."""
    with serving(home, **chosen) as service:
        yield service.reader(*labels)


def access(*labels: str) -> Access:
    """The access of a reader of these labels."""
    return Access(frozenset(labels))


def _chat(question: str) -> dict[str, object]:
    return {"model": "ankare", "messages": [{"role": "user", "content": question}]}
