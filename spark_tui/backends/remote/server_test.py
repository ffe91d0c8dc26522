"""Asks a server's model for a word and for a tool call, and measures the first token."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from threading import Event as StopFlag

from spark_tui.backends.base import Backend, FilePart, Request, takes_tools
from spark_tui.backends.tool_calls import ToolSpec
from spark_tui.errors import SparkError
from spark_tui.events import Reasoning, Token, ToolArguments, ToolCallStarted

_TOOL = ToolSpec(
    "add_numbers",
    "Adds two whole numbers.",
    {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
    },
)
_MAX_TOKENS = 512
_EDIT = Request("change LIMIT to 9", (FilePart("limits.py", "LIMIT = 3\n", total_lines=1),))
"""For a model that writes edits only."""


@dataclass(frozen=True, slots=True)
class ServerTest:
    """What a test found. `tools` is None where the model did not answer at all."""

    name: str
    answers: bool
    tools: bool | None = None
    first_token_seconds: float = 0.0
    problem: str = ""
    exit_code: int = 0

    def sentence(self) -> str:
        """For people: `model answers, tools work, 312 ms to first token`."""
        if not self.answers:
            return f"{self.name}: {self.problem}"
        tools = "tools work" if self.tools else "tools do not work"
        note = f" ({self.problem})" if self.problem else ""
        first = f"{self.first_token_seconds * 1000:.0f} ms to first token"
        return f"{self.name}: model answers, {tools}{note}, {first}"


def run_test(backend: Backend) -> ServerTest:
    """Two short requests. Errors of the server are part of what is found."""
    begun, first = time.monotonic(), 0.0
    try:
        backend.format_for(Request(""))
        small = getattr(backend, "small_window", None) is not None
        asked = _EDIT if small else _request("Answer with the one word: ready")
        begun = time.monotonic()
        for event in backend.stream(asked, StopFlag()):
            if isinstance(event, (Token, Reasoning)):
                first = first or time.monotonic() - begun
    except SparkError as error:
        # A test is no turn: nothing of it can be resumed.
        hint = "" if "--resume" in error.hint else error.hint
        problem = f"{error.what}\n  {hint}" if hint else error.what
        return ServerTest(backend.name, False, problem=problem, exit_code=int(error.exit_code))
    try:
        works, problem = _calls_tool(backend), ""
        if not works and not small:
            refused = "the server takes none: they are described in the prompt"
            problem = "the model called none, or a wrong one" if takes_tools(backend) else refused
    except SparkError as error:
        works, problem = False, error.what
    return ServerTest(backend.name, True, works, first, problem)


def _calls_tool(backend: Backend) -> bool:
    if not takes_tools(backend):
        return False
    request = _request(
        "Call the tool add_numbers with a = 2 and b = 3. Answer with the call only.", tools=(_TOOL,)
    )
    name = arguments = ""
    for event in backend.stream(request, StopFlag()):
        if isinstance(event, ToolCallStarted):
            name, arguments = event.name, ""
        elif isinstance(event, ToolArguments):
            arguments += event.text
    try:
        given = json.loads(arguments)
    except ValueError:
        return False
    return name == _TOOL.name and isinstance(given, dict) and {"a", "b"} <= given.keys()


def _request(instruction: str, tools: tuple[ToolSpec, ...] = ()) -> Request:
    return Request(instruction, format="prose", max_tokens=_MAX_TOKENS, tools=tools)
