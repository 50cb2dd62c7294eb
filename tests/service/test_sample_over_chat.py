"""Over the sample pack: follow-ups in a chat, choices where something is asked back, the states of a figure over MCP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from jsonschema import validate

from ankare.service.mcp.schemas import AskOutput, MetricOutput
from tests.service.make_openapi_examples import sample_service

SPOKEN = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def sample() -> Iterator[TestClient]:
    with sample_service(mcp=True) as client:
        client.base_url = "http://localhost"  # type: ignore[assignment]
        yield client


def chat(client: TestClient, *questions: str) -> dict[str, Any]:
    """The answer to the last question of a chat in which the model has claimed things that are not so."""
    turns: list[dict[str, str]] = []
    for question in questions:
        turns += [{"role": "user", "content": question}, {"role": "assistant", "content": "Omsättningen var 1 SEK."}]
    answer = client.post("/v1/chat/completions", json={"model": "ankare", "messages": turns[:-1]})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


@pytest.mark.parametrize(
    ("questions", "asked", "value"),
    [
        (["Vad var omsättningen 2024?", "och 2023?"], "Vad var omsättningen 2023?", "2206.5"),
        (
            ["Vad var omsättningen 2024?", "och 2023?", "och rörelseresultatet?"],
            "Vad var rörelseresultatet 2023?",
            "217.4",
        ),
        (["Vem leder styrgruppen?", "Vad var omsättningen 2024?"], "Vad var omsättningen 2024?", "2240.5"),
    ],
)
def test_a_follow_up_is_asked_as_it_is_understood(
    sample: TestClient, questions: list[str], asked: str, value: str
) -> None:
    body = chat(sample, *questions)
    assert body["ankare"]["question"] == asked
    assert body["ankare"]["facts"][0]["value"] == value
    assert body["ankare"]["understood"] is (asked != questions[-1])
    alone = sample.post("/api/ask", json={"question": asked}).json()
    assert body["choices"][0]["message"]["content"].endswith(alone["answer_markdown"])


def test_what_is_asked_back_comes_with_choices_in_the_text(sample: TestClient) -> None:
    body = chat(sample, "Vad var omsättningen 2024 för Volvo?")
    clarification = body["ankare"]["clarification"]
    assert (body["ankare"]["answered"], clarification["mode"]) == (False, "ask_first")
    for option in clarification["narrowing_options"]:
        assert option["question"] in body["choices"][0]["message"]["content"]


def call(client: TestClient, tool: str, arguments: dict[str, str]) -> dict[str, Any]:
    """What a tool gives over MCP."""
    params = {"name": tool, "arguments": arguments}
    calling = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    result: dict[str, Any] = client.post("/mcp", json=calling, headers=SPOKEN).json()["result"]
    return result


@pytest.mark.parametrize(
    "question", ["Vad var omsättningen 2024?", "Vad var omsättningen 2024 för Volvo?", "Vem leder styrgruppen?"]
)
def test_answers_from_figures_and_documents_fit_what_the_tool_promises(sample: TestClient, question: str) -> None:
    result = call(sample, "ask", {"question": question})
    validate(result["structuredContent"], AskOutput.model_json_schema())
    assert result["content"][0]["text"] == result["structuredContent"]["answer_markdown"]


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        ({"metric": "omsättning", "period": "2024"}, "found", "2024: 2\u00a0240,5\u00a0MSEK ("),
        ({"metric": "REVENUE", "period": "FY2024", "entity": "BVT"}, "found", "2024: 2\u00a0240,5\u00a0MSEK ("),
        ({"metric": "omsättning", "period": "1999"}, "not_found", "Perioder som finns: 2024, "),
        ({"metric": "xyz", "period": "2024"}, "unrecognized_param", "Omsättning (REVENUE)"),
        ({"metric": "omsättning", "period": "nyss"}, "unrecognized_param", "period"),
        ({"metric": "omsättning", "period": "2024", "entity": "Volvo"}, "unrecognized_param", "entity"),
        ({"metric": "omsättning", "period": "2024", "channel": "Volvo"}, "unrecognized_param", "channel"),
    ],
)
def test_a_figure_is_found_or_not_held_or_a_name_is_not_known(
    sample: TestClient, arguments: dict[str, str], status: str, told: str
) -> None:
    result = call(sample, "query_metric", arguments)
    validate(result["structuredContent"], MetricOutput.model_json_schema())
    assert result["structuredContent"]["status"] == status
    assert told in result["content"][0]["text"]
    assert (result["structuredContent"].get("value") is not None) is (status == "found")


def test_codes_stay_in_the_fields_of_a_figure_and_out_of_its_text(sample: TestClient) -> None:
    found = call(sample, "query_metric", {"metric": "omsättning", "period": "2024"})
    fields = found["structuredContent"]
    assert (fields["value"], fields["unit"], fields["period"]) == ("2240.5", "SEK_M", "FY2024")
    missed = call(sample, "query_metric", {"metric": "omsättning", "period": "1999"})
    assert "FY2024" in missed["structuredContent"]["choices"]
    for text in (found["content"][0]["text"], missed["content"][0]["text"]):
        assert "FY" not in text and "SEK_M" not in text
