"""One reading in one situation: its slots, areas, and what words mean there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from spark_tui.intent.context import areas
from spark_tui.intent.context.described_names import is_english
from spark_tui.intent.context.lookup import Names, split_name
from spark_tui.intent.context.situation import Area, Situation
from spark_tui.intent.context.visible import Visible
from spark_tui.intent.words import phrases
from spark_tui.intent.words.phrases import singular
from spark_tui.intent.words.readings import CODE, Reading, Span
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import NodeT, find_nodes

_STEM = 5
_MOST_PLACES, _MOST_RENAMED, _MOST_EVERYWHERE = 6, 40, 3000


class Context:
    """What the building of calls may ask. `names` is shared between the readings of one instruction."""

    def __init__(self, reading: Reading, situation: Situation, names: Names | None = None) -> None:
        self.reading = reading
        self.situation = situation
        self.repo = situation.repo
        self.names = names or Names(situation.repo, situation.path)
        self._visible: dict[tuple[str, int], Visible] = {}

    def span(self, slot: str) -> Span | None:
        found = self.reading.slots.get(slot, ())
        return found[0] if found else None

    def text(self, slot: str) -> str:
        found = self.span(slot)
        return found.text.strip() if found is not None else ""

    def has(self, slot: str) -> bool:
        found = self.span(slot)
        return found is not None and bool(found.text if found.quoted else found.text.strip())

    def beside_slots(self) -> str:
        """The instruction without the words of the slots, and of what is left out."""
        text = self.situation.instruction
        for item in (span for span in self.reading.held if span.start >= 0):
            text = text[: item.start] + " " * (item.end - item.start) + text[item.end :]
        return text

    def quote(self, span: Span) -> str:
        """The quote in which a span stands in the instruction: `'`, `"`, a backtick, or nothing."""
        if not span.quoted:
            return ""
        if span.start < 0:
            return "`" if span.start == CODE else '"'
        text = self.situation.instruction
        around = (*text[span.start : span.start + 1], *text[max(span.start - 1, 0) : span.start])
        found = next((item for item in around if item in "'\"`“”‘’«„»"), '"')
        return found if found in "'`" else '"'

    @property
    def placed(self) -> bool:
        """Whether it is said where something is to be done: a function, a line, a selection."""
        return bool(self.reading.slots.get("function") or self.situation.line or self.situation.selection)

    @property
    def everywhere(self) -> bool:
        """Whether all places are meant: it is said, also before what is to be replaced (`all uses of x`) or a
        class (`in all methods of Table`), or a name stands for several (`ValueErrors`, `is_*`)."""
        named = [span.text.strip("`") for span in self.reading.spans]
        several = (
            singular(text) != text or (text.endswith("*") and text[:-1].isidentifier()) for text in named
        )
        numbers = self.placed and any(phrases.is_plural_number(item) for item in named)
        before = (
            word
            for slot in ("old", "class")
            for span in self.reading.slots.get(slot, ())
            for word in re.findall(r"\w+", self.situation.instruction[: max(span.start, 0)])[-3:]
        )
        said = any(phrases.is_said("every", word) for word in before)
        return self.reading.everywhere or said or numbers or any(several)

    def means_all(self, count: int) -> bool:
        """Whether so many places are meant: all of them, both, three."""
        other_words = [text.lower() for text in re.findall(r"\w+", self.beside_slots())]
        both = count == 2 and any(phrases.is_said("both", item) for item in other_words)
        return (
            self.everywhere
            or both
            or re.search(r"(?<!\w)[45]\d\ds(?!\w)", self.beside_slots()) is not None  # the 404s
            or any(phrases.lookup("numbers", item) == str(count) for item in other_words)
        )

    @property
    def most_places(self) -> int:
        """How many places are tried."""
        if not self.everywhere:
            return _MOST_PLACES
        return _MOST_RENAMED if self.reading.intent == "rename" else _MOST_EVERYWHERE

    @cached_property
    def near(self) -> list[str]:
        """The qualified names of the definitions around the cursor, the innermost first."""
        return areas.near_names(self.repo, self.situation)

    @cached_property
    def named(self) -> list[Area]:
        """The areas that are named. The file that something moves to is none."""
        reading = self.reading
        if reading.intent == "move_definition":
            slots = {slot: spans for slot, spans in reading.slots.items() if slot != "file"}
            reading = replace(reading, slots=slots)
        return areas.find_named_areas(reading, self.situation, self.names)

    @property
    def areas(self) -> list[Area]:
        """The areas that are named, or else the open file."""
        return self.named or areas.find_implied_areas(self.situation)

    def trees(self) -> Iterator[tuple[Area, Source, ast.AST]]:
        """The areas in files of the repository that parse, each with its source and its node."""
        for area in self.areas:
            source = self.source(area.path) if area.path in self.repo.index.paths else None
            root = (area.node or source.tree) if source is not None else None
            if source is not None and root is not None:
                yield area, source, root

    def find(self, kind: type[NodeT]) -> Iterator[tuple[Area, Source, NodeT]]:
        """The nodes of one kind in these areas, in the order of `walk`."""
        return (
            (area, source, node) for area, source, root in self.trees() for node in find_nodes(root, kind)
        )

    def source(self, path: str) -> Source:
        return self.repo.index.source(path)

    def visible(self, path: str, node: ast.AST | None) -> Visible:
        found = (path, id(node))
        if found not in self._visible:
            english = is_english(self.situation.instruction)
            self._visible[found] = Visible(self.repo, path, node, english)
        return self._visible[found]

    def lines(self) -> tuple[int, int] | None:
        """The selected lines, or that of the cursor; from 1."""
        if self.situation.selection:
            return self.situation.selection
        return (self.situation.cursor, self.situation.cursor) if self.situation.cursor else None

    def nearness(self, path: str, first: int, last: int, function: ast.AST | None) -> float:
        """How well a place fits where a person is: best in the selection, then in its function."""
        lines = self.lines()
        if lines is None or path != self.situation.path:
            return 1.0
        if lines[0] <= last and first <= lines[1]:
            return 12.0
        if function is not None and self.near:
            return 6.0 if self.source(path).qualname(function) in self.near else 1.0
        return 1.0

    def near_node(self, path: str, node: ast.AST | None) -> float:
        """How well a node fits where a person is."""
        line = getattr(node, "lineno", None)
        if node is None or line is None:
            return 1.0
        source = self.source(path)
        return self.nearness(path, line, source.last_line(node), source.function_of(node))

    @cached_property
    def _spoken(self) -> frozenset[str]:
        """The words of the instruction that fill no slot, as far as they may be names."""
        taken = {word for span in self.reading.spans for word in split_name(span.text)}
        spoken = {word[:_STEM] for word in split_name(self.situation.instruction) if len(word) > 3}
        return frozenset(spoken - {item[:_STEM] for item in taken})

    def overlap(self, path: str, node: ast.AST) -> float:
        """How many words of the instruction, besides those of slots, stand in the statement of a node."""
        source = self.source(path)
        statement = source.statement(node) or node
        text = source.segment(statement)[:400] if not isinstance(statement, Function) else ""
        around = self.enclosing(path, node)
        text += f" {around.name}" if around is not None else ""
        return float(min(len(self._spoken & {word[:_STEM] for word in split_name(text)}), 3))

    def enclosing(self, path: str, node: ast.AST) -> Function | None:
        if isinstance(node, Function):
            return node
        return self.source(path).function_of(node)
