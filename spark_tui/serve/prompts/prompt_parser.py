"""Parses a client's messages into a `Request`: the last user message is the instruction.

A file in a message is a fence with a path on the line before it or after its language, or an attached file
(`input_file` with `filename` and `file_data`). Where a path occurs twice, the newest text counts.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from spark_tui.backends.base import Exchange, FilePart, lines_of
from spark_tui.serve.api_errors import ApiError, invalid
from spark_tui.serve.prompts.client_tools import printed_file, read_by, root_of, shown_files, without_numbers
from spark_tui.serve.prompts.fenced_files import split_files

_REMINDER = "\n# *SEARCH/REPLACE block* Rules:"
_CONTEXT = re.compile(r"<(\w+)>.*</\1>", re.DOTALL)
"""What a client says of itself in the person's name, as Codex does of its `environment_context`."""
Place = tuple[tuple[int, int], int]
"""Selected lines of a file (zeros: none are) and the line of the cursor (0: not known)."""
_MOST_FILES, _NAMED_CHARS = 1000, 100_000
"""Each file's path is looked for in the beginning of the instruction, on the thread that serves all."""
_TOOL_RESULTS = ("custom_tool_call_output", "function_call_output")


@dataclass(slots=True)
class ParsedPrompt:
    """A conversation as the server understands it. `tool_result` is what a tool said after the last user
    message; `unread` what one said that was to read a file. `root` is the client's folder."""

    instruction: str = ""
    rules: str = ""
    files: tuple[FilePart, ...] = ()
    selection: tuple[int, int] = (0, 0)
    cursor: int = 0
    history: tuple[Exchange, ...] = ()
    tool_result: str | None = None
    ignored: list[str] = field(default_factory=list)
    unread: str = ""
    root: str = ""


@dataclass(frozen=True, slots=True)
class Before:
    """What a previous response leaves behind. `unanswered` is an instruction that was only read."""

    history: tuple[Exchange, ...] = ()
    files: tuple[FilePart, ...] = ()
    unanswered: str = ""


@dataclass(slots=True)
class _Talk:
    """Messages while they are read."""

    rules: list[str] = field(default_factory=list)
    turns: list[tuple[str, list[str]]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    tool_result: str | None = None
    ignored: list[str] = field(default_factory=list)
    unread: str = ""
    calls: dict[str, tuple[str, bool]] = field(default_factory=dict)
    """The file that a call reads, by the call's id (empty for other calls), and whether by a command."""

    def message(self, role: str, text: str, where: str) -> None:
        if role in ("system", "developer"):
            self.rules.append(text)
        elif role == "user":
            self.tool_result, self.unread = None, ""
            self.turns.append((_unquoted(self._without_files(text)), []))
        elif role == "assistant":
            if self.turns:
                self.turns[-1][1].append(text)
        elif role == "tool":
            self.tool_result = text
        else:
            raise invalid(f"unknown role {role[:80]!r}", f"{where}.role")

    def attach(self, path: str, text: str, place: Place | None = None) -> None:
        self.files.pop(path, None)
        self.places.pop(path, None)
        if len(self.files) >= _MOST_FILES:
            raise invalid(f"a prompt may show at most {_MOST_FILES} files", "input", "too_many_files")
        self.files[path] = text
        if place is not None:
            self.places[path] = place

    def _without_files(self, text: str) -> str:
        text, shown = shown_files(text)
        for path, body in shown:
            self.attach(self._within(path), body)
        rest, files = split_files(text)
        for path, body in files:
            self.attach(path, body)
        return rest

    def _within(self, path: str) -> str:
        """A path as it is said in the client's folder."""
        return path.removeprefix(root_of("\n".join(self.rules)) + "/")

    def called(self, call_id: str, arguments: str) -> None:
        """A call that the server made before."""
        self.calls[call_id] = read_by(arguments)

    def tool_said(self, call_id: str, text: str) -> None:
        """The result of a client's tool: a file that it has read, or the outcome of an edit."""
        path, by_command = self.calls.get(call_id, ("", False))
        body = without_numbers(text) if path else None
        if path and by_command and not body:
            body = printed_file(text)
        if body is not None:
            self.attach(self._within(path), body)
            self.tool_result = None
        elif path:
            self.unread = text
        else:
            self.tool_result = text

    def asked(
        self, before: Sequence[Exchange] = (), files_before: Sequence[FilePart] = (), *, warm: bool = False
    ) -> ParsedPrompt:
        turns = [turn for turn in self.turns if turn[0]]
        if not turns and not warm and self.tool_result is None:
            raise invalid("there is no user message with an instruction", "input", "missing_instruction")
        instruction = turns[-1][0] if turns else ""
        context = [message for message, answers in turns[:-1] if not answers and _CONTEXT.fullmatch(message)]
        known, named = set(context), instruction[:_NAMED_CHARS]
        earlier = (
            Exchange(message, "\n".join(answers)) for message, answers in turns[:-1] if message not in known
        )
        history = (*before, *earlier)
        texts = {part.path: part.text for part in files_before}
        for path, text in self.files.items():
            texts.pop(path, None)
            texts[path] = text
        # The newest stands first, one that the person is in before it, and one that the instruction names
        # before that: the first file is the one to edit.
        newest_first = list(texts)[::-1]
        paths = sorted(newest_first, key=lambda path: (path not in named, path not in self.places))
        selection, cursor = self.places.get(paths[0] if paths else "", ((0, 0), 0))
        files = tuple(FilePart(path, texts[path], 1, len(lines_of(texts[path]))) for path in paths)
        rules = "\n\n".join([*self.rules, *context])
        return ParsedPrompt(
            instruction,
            rules,
            files,
            selection,
            cursor,
            history,
            self.tool_result,
            self.ignored,
            self.unread,
            root_of(rules),
        )


def _unquoted(text: str) -> str:
    """The text without the quotes that a command line has put around all of it."""
    bare = text.strip()
    return bare[1:-1] if len(bare) > 2 and bare[0] == bare[-1] == '"' and bare.count('"') == 2 else text


def predicted(prediction: dict[str, Any]) -> str:
    """Predicted output: text, or a list of text parts."""
    content = prediction.get("content", "")
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text", "") if isinstance(part, dict) else part for part in parts]
    if not all(isinstance(text, str) for text in texts):
        raise invalid("`prediction.content` must be text", "prediction.content", "invalid_type")
    return "".join(texts)


def without_reminder(text: str) -> str:
    """The instruction without the rules of its own edit format that aider repeats after each. A model that
    answers in line ranges has no use for them."""
    before, found, _ = text.partition(_REMINDER)
    return before.rstrip("\n") if found else text


def from_responses(
    given: Any, instructions: str, before: Before | None = None, *, warm: bool = False
) -> ParsedPrompt:
    """`input` of the Responses API: a string, or messages and tool items. To `warm` a file needs no
    instruction."""
    talk = _Talk()
    before = before or Before()
    if before.unanswered:
        talk.turns.append((before.unanswered, []))
    if instructions:
        talk.rules.append(instructions)
    if isinstance(given, str):
        talk.message("user", given, "input")
    elif isinstance(given, list):
        for at, item in enumerate(given):
            _item(talk, item, f"input[{at}]")
    else:
        raise invalid("`input` must be a string or a list", "input", "invalid_type")
    return talk.asked(before.history, before.files, warm=warm)


def from_chat(messages: Any) -> ParsedPrompt:
    if not isinstance(messages, list) or not messages:
        raise invalid("`messages` must be a list with at least one message", "messages", "invalid_type")
    talk = _Talk()
    for at, message in enumerate(messages):
        where = f"messages[{at}]"
        if not isinstance(message, dict):
            raise invalid("a message must be an object", where, "invalid_type")
        role = message.get("role")
        if not isinstance(role, str):
            raise invalid("a message needs a role", f"{where}.role", "invalid_type")
        content = message.get("content")
        text = _content(talk, content, f"{where}.content") if content is not None else ""
        if role == "tool":
            talk.tool_said(str(message.get("tool_call_id", "")), text)
            continue
        _note_calls(talk, message.get("tool_calls"))
        talk.message(role, text, where)
    return talk.asked()


def _note_calls(talk: _Talk, calls: Any) -> None:
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            talk.called(str(call.get("id", "")), str(function.get("arguments", "")))


def _item(talk: _Talk, item: Any, where: str) -> None:
    if not isinstance(item, dict):
        raise invalid("an input item must be an object", where, "invalid_type")
    kind = item.get("type", "message")
    if kind == "message":
        role = item.get("role")
        if not isinstance(role, str):
            raise invalid("a message needs a role", f"{where}.role", "invalid_type")
        talk.message(role, _content(talk, item.get("content"), f"{where}.content"), where)
    elif kind == "custom_tool_call":
        talk.message("assistant", str(item.get("input", "")), where)
    elif kind == "function_call":
        talk.called(str(item.get("call_id", "")), str(item.get("arguments", "")))
    elif kind in _TOOL_RESULTS:
        output = item.get("output", "")
        output_text = output if isinstance(output, str) else _content(talk, output, f"{where}.output")
        talk.tool_said(str(item.get("call_id", "")), output_text)
    elif isinstance(kind, str):
        talk.ignored.append(f"{where} ({kind})")
    else:
        raise invalid("`type` must be a string", f"{where}.type", "invalid_type")


def _content(talk: _Talk, content: Any, where: str) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise invalid("content must be a string or a list of parts", where, "invalid_type")
    texts: list[str] = []
    for at, part in enumerate(content):
        if isinstance(part, str):
            texts.append(part)
            continue
        if not isinstance(part, dict):
            raise invalid("a content part must be an object", f"{where}[{at}]", "invalid_type")
        kind = part.get("type")
        if kind in ("text", "input_text", "output_text"):
            text = part.get("text")
            if not isinstance(text, str):
                raise invalid("`text` must be a string", f"{where}[{at}].text", "invalid_type")
            texts.append(text)
        elif kind in ("input_file", "file"):
            talk.attach(*_attached(part, f"{where}[{at}]"))
        else:
            what = f"this server reads text and files, not {str(kind)[:80]!r}"
            raise ApiError(400, "unsupported_content", what, param=f"{where}[{at}]")
    return "\n".join(texts)


def _attached(part: dict[str, Any], where: str) -> tuple[str, str, Place | None]:
    """A file that travels in the message, and where in it the person is, if that is said. One that only has
    an id or an address is not fetched."""
    inner = part.get("file")
    if isinstance(inner, dict):
        part = inner
    name, data = part.get("filename"), part.get("file_data")
    if not isinstance(name, str) or not name or not isinstance(data, str):
        raise invalid("an attached file needs `filename` and `file_data`", where, "invalid_type")
    if data.startswith("data:"):
        _, _, data = data.partition(",")
        try:
            data = base64.b64decode(data, validate=True).decode("utf-8")
        except (binascii.Error, ValueError) as error:
            raise invalid("`file_data` is not base64 of UTF-8 text", f"{where}.file_data") from error
    if "selection" not in part and "cursor" not in part:
        return name, data, None
    lines, cursor = part.get("selection", [0, 0]), part.get("cursor", 0)
    if (
        not isinstance(lines, list)
        or len(lines) != 2
        or not all(map(_is_line, lines))
        or not _is_line(cursor)
    ):
        raise invalid("`selection` must be a first and a last line, `cursor` a line", where, "invalid_type")
    return name, data, ((lines[0], lines[1]), cursor)


def _is_line(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
