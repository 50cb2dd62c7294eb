"""Scenarios: a reply in another form than was asked for, at each agent. What can be read is read, and nothing is guessed."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tests.hostile.models import KEY, LIE, REJECTED, cut_at_the_cap, honest, message
from tests.hostile.scenario import (
    APPROVED,
    CORRECTED,
    MODELS,
    SYNTHESIZED,
    UNREVIEWED,
    Ending,
    Scenario,
    not_rewritten,
    uncorrected,
    undrafted,
)
from tests.model_server import Behaviour, refuses, reply, says

AGENT_1_UNREADABLE = Ending(
    final="approved", origin="agent2_reviewed", review="approved", rewrite="agent1_invalid_json"
)
PROSE = "Jag kan tyvärr inte svara på den frågan, men jag hjälper gärna till med något annat i stället."
THOUGHT = f'<think>Budgeten? {{"answer": "{LIE}", "verdict": "reject"}}</think>'

READABLE: Mapping[str, Behaviour] = {
    "in a code fence": honest(lambda text: f"```json\n{text}\n```"),
    "after a thought": honest(lambda text: f"{THOUGHT}\n{text}"),
    "after a thought without its opening": honest(lambda text: f"Jag tänker så här.</think>{text}"),
    "after a thought that is never closed": honest(lambda text: f"<think>Jag tänker så här.\n{text}"),
    "between phrases": honest(lambda text: f"Här är svaret:\n{text}\nHoppas det hjälper!"),
    "as JSON in a string": honest(lambda text: json.dumps(text, ensure_ascii=False)),
    "with trailing commas": honest(lambda text: text[:-1] + ",}"),
    "in a list": honest(lambda text: f"[{text}]"),
    "in an envelope": honest(lambda text: f'{{"result": {text}}}'),
    "with fields that nobody asked for": honest(lambda text: text[:-1] + f', "system": "{LIE}", "publish": true}}'),
    "as a list of parts": message(lambda text: {"content": [{"type": "text", "text": text}]}),
    "with a text for its finish reason": honest(finish_reason=f"{LIE} <script>"),
    "with the key for its finish reason": honest(finish_reason=KEY),
    "without usage": honest(usage=None),
    "with nonsense for usage": honest(
        usage={"prompt_tokens": "many", "completion_tokens": -5, "total_tokens": True, "cost": [1]}
    ),
}
UNTOLD = ("without usage", "with nonsense for usage")
UNREADABLE: Mapping[str, Behaviour] = {
    "broken JSON": honest(lambda text: text.replace('": ', '" ', 1)),
    "cut off at the cap": cut_at_the_cap,
    "cut off without saying so": honest(lambda text: text[: len(text) // 2]),
    "a thought that never ends": says("<think>Jag måste först fundera på vem som kan tänkas besluta om en budget"),
    "nothing": says(""),
    "blanks": says(" \n\t \u00a0\n"),
    "null": says("null"),
    "a list of numbers": says("[1, 2, 3]"),
    "another object": says('{"status": "ok", "data": null}'),
    "deeply nested": says('{"answer":' * 20_000 + "1" + "}" * 20_000),
    "a key twice, with two values": honest(
        lambda text: text[:-1] + f', "answer": "{LIE}", "verdict": "reject", "confidence": 0.1}}'
    ),
    "two objects that differ": honest(
        lambda text: f'{text}\n{{"answer": "{LIE}", "verdict": "reject", "confidence": 0.6}}'
    ),
    "50 kB": says("Budgeten är mycket stor. " * 2_000),
    "a call of a tool": message(
        lambda text: {
            "content": None,
            "tool_calls": [{"id": "1", "type": "function", "function": {"name": "shell", "arguments": text}}],
        }
    ),
    "a refusal": message(lambda text: {"content": None, "refusal": PROSE}),
    "no choice": reply(200, {"id": "1", "model": "a", "choices": []}),
}
NO_REPLY: Mapping[str, Behaviour] = {
    "5 MB": says("Budgeten är mycket stor. " * 200_000),
    "an error that calls itself a success": reply(200, {"error": {"message": "overloaded"}}),
    "a web page": reply(200, "<html><body>Logga in</body></html>", content_type="text/html"),
    "an event stream": reply(200, 'data: {"choices": []}\n\ndata: [DONE]\n\n', content_type="text/event-stream"),
    "400 for everything": refuses(400, code="invalid_request_error"),
    "404": refuses(404, code="model_not_found"),
    "a redirect": reply(302, b"", location="http://127.0.0.1:9/v1/chat/completions"),
}
ENDINGS_OF_READABLE = {
    "agent1": APPROVED,
    "agent2": APPROVED,
    "agent3": APPROVED,
    "agent4": CORRECTED,
    "synthesis": SYNTHESIZED,
}
ENDINGS_OF_UNREADABLE = {
    "agent1": AGENT_1_UNREADABLE,
    "agent2": undrafted("agent2_invalid_json"),
    "agent3": UNREVIEWED,
    "agent4": uncorrected("agent4_invalid_json"),
    "synthesis": not_rewritten("synthesis_invalid_json"),
}
ENDINGS_WITHOUT_REPLY = {
    "agent1": Ending(final="approved", origin="agent2_reviewed", review="approved", rewrite="provider_error"),
    "agent2": undrafted("provider_error"),
    "agent3": UNREVIEWED,
    "agent4": uncorrected("provider_error"),
    "synthesis": not_rewritten("provider_error"),
}


def at_each_agent(behaviours: Mapping[str, Behaviour], endings: Mapping[str, Ending]) -> tuple[Scenario, ...]:
    """A row for every behaviour at every agent."""
    return tuple(
        Scenario(
            name=f"{agent}: {name}",
            agent=agent,
            behaviour=name,
            does={**(REJECTED if agent == "agent4" else {}), MODELS[agent]: behaviour},
            ending=endings[agent],
            poison=("400 000",),
            truncated=agent if name == "cut off at the cap" else "",
            untold=name in UNTOLD,
            synthesis=agent == "synthesis",
        )
        for name, behaviour in behaviours.items()
        for agent in MODELS
    )


PLAIN_TEXT = tuple(
    Scenario(
        name=f"{agent}: prose instead of an object",
        agent=agent,
        behaviour="prose instead of an object",
        does={**(REJECTED if agent == "agent4" else {}), MODELS[agent]: says(PROSE)},
        ending=undrafted("agent2_missing_evidence") if agent == "agent2" else ENDINGS_OF_UNREADABLE[agent],
        poison=(PROSE,),
        synthesis=agent == "synthesis",
    )
    for agent in MODELS
)
SCENARIOS = (
    *at_each_agent(READABLE, ENDINGS_OF_READABLE),
    *at_each_agent(UNREADABLE, ENDINGS_OF_UNREADABLE),
    *at_each_agent(NO_REPLY, ENDINGS_WITHOUT_REPLY),
    *PLAIN_TEXT,
)
