"""The sample suite in the shadow: what would the chain have changed, and does every reader get the control path's answer?

pytest tests/sample/test_shadow.py -s      # prints a line per question
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.model_server import Seen, answers, model_server

from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.sample import pack_path
from ankare.sample.generate.check_suite import FIGURE, read_suite
from ankare.service.app import create_app
from ankare.settings import Settings

ASKED = [case for case in read_suite(pack_path()) if case["type"] != FIGURE]
ITS_OWN = ("answer_id", "agentic_pipeline", "timing_ms", "timings_ms")
"""What tells of the shadow, or of the clock."""
CHUNK = re.compile(r"<(c\d+) key=[^>]*>[^\n]*\n(.*?)\n\n<", re.DOTALL)
INVENTED = "Detta kostar 731 000 kronor."
EVERY = 3
"""Each question of so many gets an invention from the model."""


def _model(seen: Seen) -> str:
    """Searches for what was asked, copies a sentence of the first text, invents something now and then, approves all."""
    prompt = seen.prompt
    if '"verdict"' in prompt:
        return json.dumps({"verdict": "approved"})
    chunks = CHUNK.findall(prompt)
    if not chunks:
        return json.dumps({"queries": []})
    name, text = chunks[0]
    sentence = next(
        (line for line in re.split(r"(?<=[.!?])\s+|\n+", text) if len(line) > 30 and line.endswith(".")), ""
    )
    invents = sum(map(ord, sentence)) % EVERY == 0
    answer = f"{sentence} {INVENTED}" if invents else sentence
    used = [{"chunk_id": name, "claim_supported": sentence}]
    return json.dumps({"answer": answer, "answer_scope": "direct", "evidence_used": used})


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "home"
    ingest([pack_path() / "documents"], Home(folder), pack=pack_path())
    return folder


def _asked(settings: Settings, **flags: bool) -> list[dict[str, Any]]:
    with TestClient(create_app(settings, page=False)) as client:
        told = []
        for case in ASKED:
            answer = client.post("/api/ask", json={"question": case["question"], **flags})
            assert answer.status_code == 200, answer.text
            told.append(answer.json())
        return told


def _shown(body: dict[str, Any]) -> bytes:
    return json.dumps({key: value for key, value in body.items() if key not in ITS_OWN}).encode()


def test_the_suite_in_the_shadow_is_answered_as_without_it_and_recorded(home: Path, tmp_path: Path) -> None:
    control = _asked(Settings(home=home, semantic=False))
    with model_server() as server:
        server.does(answers(_model))
        shadowed = _asked(
            Settings(
                home=home,
                semantic=False,
                log_dir=tmp_path,
                log_texts=True,
                agentic_rag_mode="shadow",
                llm_provider="openai",
                llm_base_url=f"{server.url}/v1",
                llm_api_key="sk-Test",
                agentic_rag_timeout_seconds=120,
            ),
            enable_agentic_rag=True,
        )
    assert [_shown(body) for body in shadowed] == [_shown(body) for body in control]
    records = [json.loads(line) for line in (tmp_path / "shadow.jsonl").read_text("utf-8").splitlines()]
    assert [record["question"] for record in records] == [case["question"] for case in ASKED]
    for case, record in zip(ASKED, records, strict=True):
        changes = record["differences"]
        print(  # noqa: T201
            f"{case['id']:20} {record['pipeline']['final_status']:10} {record['pipeline']['fallback_reason'] or '':24}"
            f" same_text={changes['same_text']!s:5} +{len(changes['sources_added'])} -{len(changes['sources_removed'])}"
            f" characters {changes['characters']:+d}"
        )
    assert INVENTED not in "".join(record["shadow"]["answer"] or "" for record in records)
    approved = [record for record in records if record["pipeline"]["final_status"] == "approved"]
    stopped = [record for record in records if record["pipeline"]["fallback_reason"] == "agent2_grounding_failed"]
    assert len(approved) > len(ASKED) / 4, "a model that copies is approved"
    assert stopped, "a model that invents is not"
    assert any(not record["differences"]["same_text"] for record in approved), "and the records tell what would change"
