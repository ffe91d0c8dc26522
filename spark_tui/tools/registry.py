"""Tools by name: described to a model by the signatures of their functions, and called with its arguments.

A tool is a function whose first parameter is the `ToolContext`:

    def read_file(
        context: ToolContext,
        path: Annotated[str, "relative to the root"],
        first: Annotated[int, "first line, from 1"] = 1,
    ) -> Outcome:
        \"\"\"Read lines of a file.\"\"\"

Its name, first sentence and parameters become the schema; a parameter without a default is required.
"""

from __future__ import annotations

import difflib
import inspect
import json
import re
import types
import typing
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from threading import Event as StopFlag
from typing import Annotated, Any

from spark_tui.edits.code_words import meant
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import SparkError
from spark_tui.tools.overlay import Overlay
from spark_tui.tools.permission import Permissions

_JSON_TYPES: dict[Any, str] = {str: "string", int: "integer", bool: "boolean", dict: "object"}


class Stopped(Exception):
    """The person stopped the turn while a tool worked."""


class WrongArguments(ValueError):
    """The arguments do not fit the tool; the message says which and why."""


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What the model is told, and in a few words what was done. `failed`: the tool could not do it."""

    text: str
    summary: str
    failed: bool = False


Piece = str | tuple[Hunk, ...]
"""What a tool gives while it works: text for the model, or hunks for the person, with ids of their own."""


@dataclass(slots=True)
class ToolContext:
    """What a call works on. `parts` are what a session brings for single tools, by name."""

    files: Overlay
    stop: StopFlag
    parts: Mapping[str, Any] = field(default_factory=dict)
    permissions: Permissions = field(default_factory=Permissions)

    def look(self) -> None:
        """Raises Stopped once the person stopped the turn. Called between pieces of work."""
        if self.stop.is_set():
            raise Stopped


Function = Callable[
    ..., "ToolOutcome | Generator[str, None, ToolOutcome] | Generator[Piece, None, ToolOutcome]"
]


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call. One that `streams` proposes hunks while its arguments arrive, and is
    called by the turn itself."""

    name: str
    description: str
    schema: Mapping[str, Any]
    function: Function
    streams: bool = False
    foreign: bool = False
    """Another program's, which checks the arguments: the function takes them as one mapping."""

    def values(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments in the types of the schema; the same again for what this returned. Raises
        WrongArguments."""
        if self.foreign:
            known = self.schema.get("properties")
            return {
                name: _meant(value, known.get(name) if isinstance(known, Mapping) else None)
                for name, value in given.items()
            }
        properties: Mapping[str, Any] = self.schema["properties"]
        # Optional ones are left out as null where a server wants all of them.
        given = {name: value for name, value in given.items() if value is not None}
        # Models have learned other names for the same.
        given = {**{meant(name, properties): value for name, value in given.items()}, **given}
        given = {name: value for name, value in given.items() if name == meant(name, properties)}
        if self.streams and all(name in given for name in self.schema["required"]):
            # Its edit may be made already: one argument more, as `replace_all`, leaves it as it is.
            given = {name: value for name, value in given.items() if name in properties}
        for name in given:
            if name not in properties:
                near = difflib.get_close_matches(name, properties, 1, 0.5)
                hint = f"; did you mean {near[0]!r}?" if near else f"; it takes {', '.join(properties)}"
                raise WrongArguments(f"{self.name} has no argument {name!r}{hint}")
        missing = [name for name in self.schema["required"] if name not in given]
        if missing:
            raise WrongArguments(f"{self.name} needs {' and '.join(map(repr, missing))}")
        return {name: _fitted(name, value, properties[name]) for name, value in given.items()}


def tool_of(function: Function, *, streams: bool = False) -> Tool:
    hints = typing.get_type_hints(function, include_extras=True)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
        properties[name] = _property(hints[name])
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
    schema = {"type": "object", "properties": properties, "required": required}
    description = " ".join((inspect.getdoc(function) or "").split())
    return Tool(function.__name__.rstrip("_"), description, schema, function, streams)


class Registry:
    """The tools of a session."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self.tools = {tool.name: tool for tool in tools}

    def get(self, name: str) -> Tool | None:
        return self.tools.get(name)

    def name_of(self, called: str) -> str:
        """The tool that a call names, also in the words of another program: `functions.edit:0`, `Edit`."""
        bare = called.partition("<|")[0]  # some servers leave a tag behind it
        parts = [part.lower() for part in re.split(r"[.:/\s]+", bare) if part and not part.isdigit()]
        found = [name for name in self.tools if name.lower() in parts]
        meant = len(found) == 1 and found[0].lower() == parts[-1]  # `edit.undo` is none of them
        return found[0] if meant and called not in self.tools else called

    def unknown(self, name: str) -> ToolOutcome:
        """What a model is told that called a tool which is not there."""
        near = difflib.get_close_matches(name, self.tools, 1, 0.5)
        hint = f"Did you mean {near[0]}?" if near else f"There are {', '.join(self.tools)}."
        return ToolOutcome(f"no tool {name[:80]!r}. {hint}", "no such tool", failed=True)

    def call(
        self, name: str, given: Mapping[str, Any], context: ToolContext
    ) -> Generator[Piece, None, ToolOutcome]:
        """Run a tool. Gives its text as it comes, and hunks; what it raises on purpose is its outcome.
        Raises Stopped."""
        tool = self.tools.get(name)
        if tool is None:
            outcome = self.unknown(name)
        else:
            try:
                values = tool.values(given)
                made = tool.function(context, values) if tool.foreign else tool.function(context, **values)
                if isinstance(made, types.GeneratorType):
                    return typing.cast(ToolOutcome, (yield from made))
                outcome = typing.cast(ToolOutcome, made)
            except WrongArguments as error:
                outcome = ToolOutcome(str(error), "wrong arguments", failed=True)
            except SparkError as error:
                outcome = ToolOutcome(str(error), error.what, failed=True)
        yield outcome.text
        return outcome


def _property(hint: Any) -> dict[str, Any]:
    help_text = ""
    if typing.get_origin(hint) is Annotated:
        hint, help_text = typing.get_args(hint)[:2]
    if typing.get_origin(hint) is list:
        made: dict[str, Any] = {"type": "array", "items": _property(typing.get_args(hint)[0])}
    else:
        made = {"type": _JSON_TYPES[typing.get_origin(hint) or hint]}
    return {**made, "description": help_text} if help_text else made


def _fitted(name: str, value: Any, wanted: Mapping[str, Any]) -> Any:
    """The value in the type of the schema. What models write for it is taken: `"3"` for 3, one value for a
    list of one."""
    kind = wanted["type"]
    if kind == "array":
        value = _meant(value, wanted)
        values = value if isinstance(value, list) else [value]
        return [_fitted(name, item, wanted["items"]) for item in values]
    if kind == "string" and isinstance(value, str):
        return value
    if kind == "boolean" and (isinstance(value, bool) or value in ("true", "false")):
        return value in (True, "true")
    if kind == "integer" and not isinstance(value, bool):
        if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
            return int(value)
        if isinstance(value, str) and value.strip().removeprefix("-").isdecimal() and len(value) < 20:
            return int(value)
    if kind == "object" and isinstance(value := _meant(value, wanted), dict):
        return value
    raise WrongArguments(f"{name!r} must be {_A[kind]}, not {str(value)[:60]!r}")


_PYTHON_TYPES: dict[Any, Any] = {
    "array": list,
    "object": dict,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


def _meant(value: Any, wanted: Any) -> Any:
    """The value, read where it is the text of what the schema wants; models write `"3"` for 3."""
    kind = wanted.get("type") if isinstance(wanted, Mapping) else None
    if not isinstance(value, str) or not isinstance(kind, str) or kind not in _PYTHON_TYPES:
        return value
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read if isinstance(read, _PYTHON_TYPES[kind]) else value


_A = {"string": "a string", "integer": "a whole number", "boolean": "true or false", "object": "an object"}
