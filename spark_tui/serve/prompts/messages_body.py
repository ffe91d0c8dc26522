"""Translates a body of Anthropic's Messages API into one of chat completions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from spark_tui.pysource.words import word_set
from spark_tui.serve.api_errors import invalid

MEMBERS = word_set("model messages system stream max_tokens temperature stop_sequences tools tool_choice")
"""What has an effect."""
_OWN = frozenset(("system", "messages", "tools", "stop_sequences"))
_SKIPPED = frozenset(("thinking", "redacted_thinking"))


def as_chat(body: Any) -> Any:
    """The same request for chat completions; what has no counterpart keeps its name and is ignored there."""
    if not isinstance(body, dict):
        return body
    out = {name: value for name, value in body.items() if name not in _OWN}
    out["messages"] = [*_system(body.get("system")), *_messages(body.get("messages"))]
    if isinstance(tools := body.get("tools"), list):
        out["tools"] = [_tool(tool) for tool in tools]
    if body.get("stop_sequences"):
        out["stop"] = body["stop_sequences"]
    return out


def _system(given: Any) -> Iterator[dict[str, Any]]:
    if given:
        yield {"role": "system", "content": given}


def _messages(given: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(given, list):
        raise invalid("`messages` must be a list with at least one message", "messages", "invalid_type")
    for at, message in enumerate(given):
        if not isinstance(message, dict):
            raise invalid("a message must be an object", f"messages[{at}]", "invalid_type")
        content = message.get("content")
        if not isinstance(content, list):
            yield message
            continue
        blocks = [block if isinstance(block, dict) else {"type": "text", "text": block} for block in content]
        for block in blocks:
            if block.get("type") == "tool_result":
                result = block.get("content") or ""
                yield {"role": "tool", "tool_call_id": block.get("tool_use_id"), "content": result}
        calls = [_call(block) for block in blocks if block.get("type") == "tool_use"]
        rest = [block for block in blocks if block.get("type") not in _SKIPPED | {"tool_result", "tool_use"}]
        if rest or calls:
            yield {"role": message.get("role"), "content": rest, **({"tool_calls": calls} if calls else {})}


def _call(block: dict[str, Any]) -> dict[str, Any]:
    arguments = json.dumps(block.get("input") or {}, ensure_ascii=False)
    return {
        "id": block.get("id"),
        "type": "function",
        "function": {"name": block.get("name"), "arguments": arguments},
    }


def _tool(tool: Any) -> Any:
    if not isinstance(tool, dict) or "input_schema" not in tool:
        return tool
    function = {"name": tool.get("name"), "parameters": tool["input_schema"]}
    return {"type": "function", "function": function}
