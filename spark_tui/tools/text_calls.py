"""Tool calls as text, for a model that takes no schemas: how they are described, and read while they arrive.

    <tool name="edit">
    {"path": "cart.py", "old": "qty", "new": "quantity"}
    </tool>

The marks stand alone on their lines. Whatever way the text is cut, the calls are the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from spark_tui.events import ToolArguments, ToolCallEnded, ToolCallStarted
from spark_tui.tools.registry import Tool

_OPENING = re.compile(r"""<tool name=["']?([\w.:/-]{1,100})["']?>\s*""")
_START, _END = "<tool name=", "</tool>"

TextPiece = str | ToolCallStarted | ToolArguments | ToolCallEnded


def described(tools: Iterable[Tool]) -> str:
    parts = [
        "You may call tools. Write a call on lines of its own, its arguments as one JSON object, then stop:",
        '<tool name="read_file">\n{"path": "shop/cart.py", "first": 1}\n</tool>',
        "What comes back is in the next message. The tools:",
    ]
    for tool in tools:
        properties: Mapping[str, Any] = tool.schema.get("properties", {})
        required = tool.schema.get("required", ())
        arguments = [
            f"  {name} ({one.get('type', 'any')}{'' if name in required else ', optional'})"
            + (f": {one['description']}" if "description" in one else "")
            for name, one in properties.items()
            if isinstance(one, Mapping)
        ]
        parts.append("\n".join([f"{tool.name}: {tool.description}", *arguments]))
    return "\n\n".join(parts)


class TextCalls:
    """Divides a stream of text into text and calls. Ids count on from `first`."""

    def __init__(self, first: int = 1) -> None:
        self._next = first
        self._id = ""
        self._line = ""
        """A line that may become a mark."""
        self._at_start = True
        self.called = False
        """Whether a call is complete."""
        self.went_on = False
        """Whether text follows a complete call: the model answers for the tool."""

    def feed(self, text: str) -> Iterator[TextPiece]:
        """The pieces of the next characters."""
        for piece in text.splitlines(keepends=True) if "\n" in text else [text]:
            yield from self._piece(piece)

    def finish(self) -> Iterator[TextPiece]:
        """The text is complete. A call whose closing mark is missing ends here."""
        if self._line:
            yield from self._end_line(self._line)
            self._line = ""
        if self._id:
            yield from self._end_call()

    def _piece(self, piece: str) -> Iterator[TextPiece]:
        if self._at_start or self._line:
            line = self._line + piece
            if _may_be_mark(line, inside=bool(self._id)):
                self._line = "" if line.endswith("\n") else line
                self._at_start = line.endswith("\n")
                if self._at_start:
                    yield from self._end_line(line)
                return
            self._line, piece = "", line
        self._at_start = piece.endswith("\n")
        if piece:
            yield self._plain(piece)

    def _end_line(self, line: str) -> Iterator[TextPiece]:
        found = _OPENING.fullmatch(line)
        if self._id and line.strip() == _END:
            yield from self._end_call()
        elif not self._id and found is not None:
            self._id = f"text-{self._next}"
            self._next += 1
            yield ToolCallStarted(self._id, found[1])
        else:
            yield self._plain(line)

    def _end_call(self) -> Iterator[TextPiece]:
        yield ToolCallEnded(self._id)
        self._id, self.called = "", True

    def _plain(self, text: str) -> TextPiece:
        if self._id:
            return ToolArguments(self._id, text)
        self.went_on = self.went_on or (self.called and bool(text.strip()))
        return text


def _may_be_mark(line: str, *, inside: bool) -> bool:
    mark = _END if inside else _START
    bare = line.rstrip("\n")
    if len(bare) <= len(mark):
        return mark.startswith(bare.rstrip()) and (bool(bare.strip()) or not line)
    return bare.startswith(mark) and len(bare) < 130
