"""Edits as data outside of a fence: bare JSON, and elements such as `<edit path="a.py">…</edit>`, which begin
with a bracket or a tag at the beginning of a line.

The text is held until the value or the element ends. What turns out to be no edit is prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from spark_tui.edits.code_words import keys, tags
from spark_tui.edits.formats.base import Block
from spark_tui.edits.formats.block_openers import BlockOpener, Opened, ProseState
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.structured.edit_writer import DataEditWriter
from spark_tui.edits.structured.structured_edits import DataEdit, edits_in
from spark_tui.errors import ExitCode
from spark_tui.events import Event, Prose

_LOOKED_AT = 2_000
"""Characters in which bare JSON must have the key of an edit."""
_CHILD = re.compile(
    r"<parameter=(?P<p>\w+)>(?P<pv>.*?)</parameter>"
    r"|<(?:antml:)?parameter\s+name=\"(?P<n>\w+)\"[^>]*>(?P<nv>.*?)</(?:antml:)?parameter>"
    r"|<(?P<t>\w+)>(?P<tv>.*?)</(?P=t)>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_KEY = re.compile(r'"(\w+)"\s*:')


def tag_pattern() -> re.Pattern[str]:
    """A line that begins an element that may hold edits: its name, its attributes, the rest of the line."""
    names = sorted({*tags("edit"), *tags("old")}, key=len, reverse=True)
    joined = "|".join(re.escape(name) for name in names)
    return re.compile(rf"\s*<(?P<tag>{joined})(?P<attributes>(?:[\s=][^>]*)?)>(?P<rest>.*)")


class DataBlock(Block):
    """Holds lines until `ended`, then makes edits of them."""

    def __init__(self, writer: DataEditWriter, path: str) -> None:
        super().__init__(writer.emitter)
        self.writer = writer
        self.path = path
        self.held: list[str] = []
        self.chars = 0

    def line(self, line: str) -> Iterator[Event]:
        self.held.append(line)
        self.chars += len(line) + 1
        if self.chars > self.emitter.max_chars:
            self.done = True
            yield self.emitter.fail(self.path, "the edit is too large", code=ExitCode.REFUSED)
        elif self.ended(line):
            self.done = True
            edits = self.edits()
            if edits:
                yield from self.writer.write(edits)
            else:
                yield from self._release()
        elif self.hopeless():
            self.done = True
            yield from self._release()

    def _release(self) -> Iterator[Event]:
        held, self.held = self.held, []
        yield Prose("".join(line + "\n" for line in held))

    def ended(self, line: str) -> bool:
        raise NotImplementedError

    def edits(self) -> list[DataEdit]:
        raise NotImplementedError

    def hopeless(self) -> bool:
        return False

    def expects_more(self) -> bool:
        """Whether what is held must be an edit that was cut off."""
        return False

    def finish(self) -> Iterator[Event]:
        self.done = True
        if self.expects_more():
            yield self.emitter.cut_off("the text ends inside an edit", self.path)
        yield from self._release()

    def interrupt(self) -> Iterator[Event]:
        yield from ()


class JsonBlock(DataBlock):
    """A value that begins a line, to the bracket that closes it."""

    def __init__(self, writer: DataEditWriter, path: str) -> None:
        super().__init__(writer, path)
        self._depth = 0
        self._string = False
        self._hopeful: bool | None = None

    def ended(self, line: str) -> bool:
        escaped = False
        for mark in line:
            if self._string:
                if escaped:
                    escaped = False
                elif mark == "\\":
                    escaped = True
                elif mark == '"':
                    self._string = False
            elif mark == '"':
                self._string = True
            elif mark in "{[":
                self._depth += 1
            elif mark in "}]":
                self._depth -= 1
        return self._depth <= 0 and not self._string

    def edits(self) -> list[DataEdit]:
        return edits_in("\n".join(self.held), self.path)

    def hopeless(self) -> bool:
        if self._hopeful is None and self.chars > _LOOKED_AT:
            self._hopeful = self.expects_more()
        return self._hopeful is False

    def expects_more(self) -> bool:
        named = {found.lower().replace("_", "") for found in _KEY.findall("\n".join(self.held)[:_LOOKED_AT])}
        return bool(named & keys()["path"]) or bool(named & keys()["several"])


class TagBlock(DataBlock):
    """An element to its closing tag; of a pair (`<search>`, `<replace>`) to that of the second."""

    def __init__(self, writer: DataEditWriter, path: str, tag: str, attributes: str) -> None:
        super().__init__(writer, path)
        self.tag = tag
        self.attributes = attributes.removeprefix("=").strip()
        ends = tags("new") if tag in tags("old") else (tag,)
        self._end = re.compile(rf"</(?:{'|'.join(map(re.escape, ends))})>", re.IGNORECASE)

    def ended(self, line: str) -> bool:
        return self._end.search(line) is not None

    def expects_more(self) -> bool:
        return self.tag not in ("file", "function", "diff", "patch", "find", "old", "before", "original")

    def edits(self) -> list[DataEdit]:
        text = "\n".join(self.held)
        inside = text
        data: dict[str, object] = {}
        if self.tag not in tags("old"):
            begin, end = text.index(">") + 1, text.rfind("</")
            inside = text[begin:end]
            for name, double, single in _ATTRIBUTE.findall(self.attributes):
                data[{"name": "path", "filepath": "path"}.get(name.lower(), name)] = double or single
        if (found := edits_in(inside, str(data.get("path", "")))) and not data.get("path"):
            return found
        children: list[dict[str, Any]] = [{}]
        for key, value in _children(inside):
            if key in children[-1]:
                children.append({})
            if key in tags("edit") and key not in tags("new") and (nested := dict(_children(value))):
                edit = {name: _value(text) for name, text in nested.items()}
                children[-1].setdefault("edits", []).append(edit)
            else:
                children[-1][key] = _value(value)
        known = str(data.get("path") or next((c["path"] for c in children if "path" in c), self.path))
        out: list[DataEdit] = []
        for child in children:
            out += edits_in({**data, **child}, known or self.path)
        if not out and data.get("path") and not any(children):
            key = "content" if self.tag in tags("whole") else "code_edit"
            out = edits_in({**data, key: _value(inside)})
        return out


def _children(text: str) -> list[tuple[str, str]]:
    """The names and texts of the elements in it."""
    return [(c["p"] or c["n"] or c["t"], c["pv"] or c["nv"] or c["tv"] or "") for c in _CHILD.finditer(text)]


def _value(text: str) -> str:
    """Without the line breaks after the opening and before the closing tag."""
    bare = text.strip()
    if bare.startswith("<![CDATA[") and bare.endswith("]]>"):
        text = bare[len("<![CDATA[") : -len("]]>")]
    text = text.removeprefix("\n")
    head, _, tail = text.rpartition("\n")
    return head + "\n" if head and not tail.strip() else text


class JsonOpener(BlockOpener):
    """`{"` or `[{`, outside of fences; the text in a fence is read when the fence closes."""

    def __init__(self, writer: DataEditWriter) -> None:
        self.writer = writer

    def maybe(self, head: str, situation: ProseState) -> bool:  # noqa: ARG002
        bare = "".join(head[:40].split())
        return bare[:1] in ("{", "[") and bare[1:2] in ("", '"' if bare[0] == "{" else "{")

    def open(self, line: str, situation: ProseState, emitter: HunkEmitter) -> Opened | None:
        if situation.fenced or not line.strip() or not self.maybe(line, situation):
            return None
        return JsonBlock(self.writer, situation.path(emitter.exists)), (line,)


class TagOpener(BlockOpener):
    """`<edit path="a.py">` and its like."""

    def __init__(self, writer: DataEditWriter) -> None:
        self.writer = writer
        self._pattern = tag_pattern()
        self._names = tuple({*tags("edit"), *tags("old")})

    def maybe(self, head: str, situation: ProseState) -> bool:  # noqa: ARG002
        bare = head.lstrip()
        if not bare.startswith("<"):
            return False
        name = bare[1:41]
        return any(item.startswith(name) or _begins(name, item) for item in self._names)

    def open(self, line: str, situation: ProseState, emitter: HunkEmitter) -> Opened | None:
        found = self._pattern.match(line)
        if not found or (situation.fenced and situation.info not in ("", "xml")):
            return None
        path = situation.path(emitter.exists)
        return TagBlock(self.writer, path, found["tag"], found["attributes"]), (line,)


def _begins(text: str, name: str) -> bool:
    return text.startswith(name) and text[len(name) : len(name) + 1] in ("", " ", ">", "=", "\t")
