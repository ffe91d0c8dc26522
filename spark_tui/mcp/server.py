"""The tools and kept plans as a server of the official SDK. Calls run in threads, so the loop stays free."""

from __future__ import annotations

import anyio.to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    ListResourcesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceLink,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)

from spark_tui import __version__
from spark_tui.errors import SparkError
from spark_tui.mcp.kept_plans import KeptPlan
from spark_tui.mcp.tools import Tools, ToolSpec, UnknownTool

_DIFF = "text/x-diff"
_INSTRUCTIONS = (
    "Exact edits of Python code. Each refactor_* tool plans an edit of the whole repository and gives its"
    " diff and what it would break; patch_apply writes a plan or a patch. Prefer them to editing by text."
)


def make_server(tools: Tools) -> Server:
    async def list_tools(ctx: ServerRequestContext, params: PaginatedRequestParams | None) -> ListToolsResult:
        del ctx, params
        return ListToolsResult(tools=[_tool(spec) for spec in tools.list_tools()])

    async def call_tool(ctx: ServerRequestContext, params: CallToolRequestParams) -> CallToolResult:
        del ctx
        try:
            out = await anyio.to_thread.run_sync(tools.call, params.name, params.arguments or {})
        except UnknownTool:
            raise MCPError(code=INVALID_PARAMS, message=f"unknown tool {params.name!r}") from None
        content: list[ContentBlock] = [TextContent(type="text", text=_sendable(out.text))]
        if out.plan:
            content.append(_link(tools.plans.find(out.plan)))
        return CallToolResult(
            content=content, structured_content=_all_sendable(out.values), is_error=out.failed
        )

    async def list_resources(
        ctx: ServerRequestContext, params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        del ctx, params
        return ListResourcesResult(resources=[_resource(plan) for plan in tools.plans.all()])

    async def read_resource(
        ctx: ServerRequestContext, params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        del ctx
        try:
            plan = tools.plans.find(str(params.uri))
        except SparkError as error:
            raise MCPError(code=INVALID_PARAMS, message=str(error)) from None
        text = TextResourceContents(uri=plan.uri, mime_type=_DIFF, text=_sendable(plan.patch))
        return ReadResourceResult(contents=[text])

    return Server(
        "spark",
        version=__version__,
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


def _tool(spec: ToolSpec) -> Tool:
    hints = ToolAnnotations(
        read_only_hint=not spec.writes, destructive_hint=spec.writes, open_world_hint=False
    )
    return Tool(name=spec.name, description=spec.description, input_schema=spec.schema, annotations=hints)


def _resource(plan: KeptPlan) -> Resource:
    return Resource(uri=plan.uri, name=f"plan {plan.id}", description=plan.title, mime_type=_DIFF)


def _link(plan: KeptPlan) -> ResourceLink:
    return ResourceLink(type="resource_link", uri=plan.uri, name=f"plan {plan.id}", mime_type=_DIFF)


def _sendable(text: str) -> str:
    """Bytes of a file that are no UTF-8 cannot be sent in JSON; they are shown as marks. The kept plan has
    them."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _all_sendable(value: object) -> object:
    if isinstance(value, str):
        return _sendable(value)
    if isinstance(value, dict):
        return {key: _all_sendable(one) for key, one in value.items()}
    return [_all_sendable(item) for item in value] if isinstance(value, list | tuple) else value
