"""The tools that a request offers to a model, and the calls that the model makes of them.

A backend yields `ToolCallStarted`, `ToolArguments` and `ToolCallEnded` only for a request that offers tools.
Calls of one answer may overlap; their ids tell them apart. What was called and answered goes back to the
model as the `ToolStep`s of the next request.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

_DECODER = json.JSONDecoder(strict=False)
_SHORT = 200
"""Characters of an output that is never left out."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model is told of it. `schema` is the JSON schema of its arguments, an object."""

    name: str
    description: str
    schema: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True)
class ToolCall:
    """A whole call. `arguments` is the JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str

    @property
    def object(self) -> dict[str, Any]:
        """The arguments as an object, which protocols want even where the model wrote something else."""
        try:
            text = self.arguments.removeprefix("{}").lstrip()  # some servers begin with it
            found, _ = _DECODER.raw_decode(text or "{}")
        except (ValueError, RecursionError):
            found = self.arguments
        return found if isinstance(found, dict) else {"arguments": found}

    @cached_property
    def object_text(self) -> str:
        """The arguments as the model wrote them, or as text of an object: servers read what they get back."""
        try:
            if isinstance(json.loads(self.arguments), dict):
                return self.arguments
        except (ValueError, RecursionError):
            pass
        return json.dumps(self.object, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What the model is told about the call `id`. `failed` where the tool could not do it."""

    id: str
    text: str
    failed: bool = False


@dataclass(frozen=True)
class ToolStep:
    """One answer with calls, and what came back. Every call has a result, in the order of the calls."""

    text: str
    """What the model wrote beside the calls."""
    calls: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...]

    @cached_property
    def output_chars(self) -> int:
        return sum(len(result.text) for result in self.results)

    @cached_property
    def without_outputs(self) -> ToolStep:
        """A word about each output in its place; a short one stays."""
        return replace(self, results=tuple(map(_left_out, self.results)))


def _left_out(result: ToolResult) -> ToolResult:
    if len(result.text) <= _SHORT:
        return result
    return replace(
        result, text=f"({len(result.text):,} characters, left out to save room: call again if needed)"
    )
