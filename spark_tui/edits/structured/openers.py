"""How edits that are written as data begin: a bracket or a tag at the beginning of a line."""

from __future__ import annotations

from spark_tui.edits.code_words import tags
from spark_tui.edits.formats.block_openers import BlockOpener, Opened, ProseState
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.structured.blocks import JsonBlock, TagBlock, tag_pattern
from spark_tui.edits.structured.edit_writer import DataEditWriter


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
        return any(one.startswith(name) or _begins(name, one) for one in self._names)

    def open(self, line: str, situation: ProseState, emitter: HunkEmitter) -> Opened | None:
        found = self._pattern.match(line)
        if not found or (situation.fenced and situation.info not in ("", "xml")):
            return None
        path = situation.path(emitter.exists)
        return TagBlock(self.writer, path, found["tag"], found["attributes"]), (line,)


def _begins(text: str, name: str) -> bool:
    return text.startswith(name) and text[len(name) : len(name) + 1] in ("", " ", ">", "=", "\t")
