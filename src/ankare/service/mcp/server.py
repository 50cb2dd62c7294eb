"""How does ankare speak MCP (the Model Context Protocol)? Tools that only read, behind the same desk as the API.

Whatever goes wrong in a tool is told in its result, so that the model that called it can read it and go on; a fault of ours
without its inner details.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from mcp.types import Tool as ToolDescription
from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request

from ankare._version import __version__
from ankare.service.caller import Caller
from ankare.service.crew import Crew
from ankare.service.desk import Desk
from ankare.service.mcp.schemas import RESOURCE
from ankare.service.mcp.tools import TOOLS, Tool, document_text
from ankare.service.problem import problem_of
from ankare.service.watch.slip import Slip, with_slip

INSTRUCTIONS = (
    "ankare answers from documents and figures that its owner has chosen, and says so when they do not hold the answer. "
    "Pass on what it says with the citations, and do not fill in what it refuses."
)
READS_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
Context = ServerRequestContext[Any, Any]


def make_server(
    desk: Desk, crew: Crew, patient: Crew, caller: Callable[[Context], Caller], finders: Crew | None = None
) -> Server[Any]:
    """The server. `crew` answers without a model, `patient` waits for one; `finders` does what needs no figures, None: the crew
    does. `caller` tells who asks."""
    serving = _Serving(desk, crew, patient, finders or crew, caller)
    return Server(
        "ankare",
        version=_version(desk.settings.revision),
        title="ankare",
        instructions=INSTRUCTIONS,
        on_list_tools=serving.list_tools,
        on_call_tool=serving.call_tool,
        on_list_resources=serving.list_resources,
        on_list_resource_templates=serving.list_templates,
        on_read_resource=serving.read_resource,
    )


@dataclass(frozen=True, slots=True)
class _Serving:
    desk: Desk
    crew: Crew
    patient: Crew
    finders: Crew
    caller: Callable[[Context], Caller]

    async def list_tools(self, context: Context, page: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_description(tool) for tool in TOOLS])

    async def call_tool(self, context: Context, call: CallToolRequestParams) -> CallToolResult:
        tool = next((tool for tool in TOOLS if tool.name == call.name), None)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"There is no tool {call.name[:80]!r}.")
        try:
            arguments = tool.arguments.model_validate(call.arguments or {})
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            return _failed(f"{'.'.join(map(str, first['loc']))}: {first['msg']}.")
        waits = tool.may_wait and self.desk.settings.wants_a_model
        crew = self.patient if waits else self.crew if tool.figures else self.finders
        place = self.desk.turnstile.of(waits=waits)
        try:
            caller = self.caller(context)
            slip = Slip("mcp" if tool.may_wait else "", lambda: caller.name)  # other tools bring no question
            with with_slip(slip), place:
                told = await crew.run_while(_gone(context), tool.answer, self.desk, arguments, caller)
        except ClientDisconnect:
            return _failed("Nobody waits for the answer any more.")
        except Exception as error:
            return _failed(json.loads(bytes(problem_of(error).body))["detail"])
        return CallToolResult(content=[TextContent(text=told.text)], structured_content=told.fields)

    async def list_resources(self, context: Context, page: PaginatedRequestParams | None) -> ListResourcesResult:
        return ListResourcesResult(resources=[])

    async def list_templates(
        self, context: Context, page: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        template = ResourceTemplate(
            uri_template=RESOURCE + "{id}",
            name="source",
            title="A cited document",
            description="The text of a document, by the id that the sources of an answer name.",
            mime_type="text/plain",
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(self, context: Context, call: ReadResourceRequestParams) -> ReadResourceResult:
        uri = str(call.uri)
        try:
            if not uri.startswith(RESOURCE):
                raise KeyError(uri)
            caller, wanted = self.caller(context), uri.removeprefix(RESOURCE)
            text = await self.finders.run(document_text, self.desk, wanted, caller)
        except KeyError:
            raise MCPError(INVALID_PARAMS, "There is no such source.") from None
        return ReadResourceResult(contents=[TextResourceContents(uri=call.uri, text=text, mime_type="text/plain")])


def _version(revision: str) -> str:
    """Version and revision, as a client shows them: "1.2.0+4f2a91c", and once where they are the same."""
    return __version__ if revision in ("", __version__) else f"{__version__}+{revision}"


def _description(tool: Tool) -> ToolDescription:
    return ToolDescription(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.arguments.model_json_schema(),
        output_schema=tool.output.model_json_schema(),
        annotations=READS_ONLY,
    )


def _failed(why: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=why)], is_error=True)


def _gone(context: Context) -> Callable[[], Any]:
    """Has the client of this call gone? Over stdio it ends a call by saying so, which cancels it."""
    if isinstance(context.request, Request):
        return context.request.is_disconnected

    async def never() -> bool:
        return False

    return never
