"""The syntax of a file in which an edit wrote something, and what words mean there."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from spark_tui.intent.conditions.likely_tests import find_likely_tests
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Situation
from spark_tui.intent.context.visible import Visible
from spark_tui.intent.context.written_lines import LineChange
from spark_tui.intent.values.converters.of_slots import CONVERTERS, SlotWords
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import walk_lines
from spark_tui.pysource.tree_comparison import parse_statement

SECOND = 0.4
"""How likely the one before the last of several places is meant."""


class NodeRewrite(NamedTuple):
    """A node, what stands in its place, how likely that is, and what was guessed."""

    node: ast.AST
    code: str
    weight: float
    doubts: tuple[str, ...] = ()
    last: ast.AST | None = None
    """The last of several statements."""


class WrittenSyntax:
    """The syntax of a file in which an edit wrote something."""

    def __init__(self, reading: Reading, situation: Situation, path: str, found: list[LineChange]) -> None:
        self.reading = reading
        self.path = path
        self.situation = situation
        self.repo = situation.behind
        self.source: Source = self.repo.index.source(path)
        self._found = found
        self.context = Context(
            reading, replace(situation, repo=self.repo, path=path), names_of(self.repo, path)
        )

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """The characters of the tokens that were written."""
        return [
            (item.offset(token.start, self.source), item.offset(token.end, self.source))
            for item in self._found
            for token in item.written()
        ]

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """The nodes in which something was written, in the order of the text."""
        tree = self.source.tree
        if tree is None:
            return []
        lines = {line for item in self._found for line in range(item.at + 1, item.at + len(item.new) + 1)}
        near = walk_lines(tree, sorted(lines))
        found = [node for node in near if hasattr(node, "lineno") and self._is_written(node)]
        return sorted(found, key=self.source.span)

    def _is_written(self, node: ast.AST) -> bool:
        low, high = self.source.span(node)
        # The places are in the order of the text: the last that begins inside is the last to end.
        at = bisect_right(self.places, high - 1, key=lambda item: item[0]) - 1
        return at >= 0 and low < self.places[at][1]

    def is_whole(self, node: ast.AST) -> bool:
        """Whether a node begins and ends with what was written."""
        low, high = self.source.span(node)
        return any(low == start for start, _ in self.places) and any(high == end for _, end in self.places)

    def replaced(self, statement: ast.stmt) -> str:
        """The statement of its kind that stood in the place of one on a single line; empty where none did."""
        lines = [one.old[0].strip() for one in self._found if one.at == statement.lineno - 1 and one.old]
        was = parse_statement(lines[0]) if lines and statement.lineno == statement.end_lineno else None
        return lines[0] if type(was) is type(statement) else ""

    def new_items(self, node: ast.AST) -> list[int]:
        """Which of the items of a display or condition were written."""
        return [at for at, pair in enumerate(items_of(node)) if all(map(self.is_whole, pair))]

    @property
    def instruction(self) -> str:
        return self.situation.instruction

    def said(self, slot: str) -> str:
        """The words of a slot."""
        spans = self.reading.slots.get(slot, ())
        return spans[-1].text if spans else ""

    def start(self, slot: str) -> int:
        """Where the words of a slot begin in the instruction; -1 where they are not of it."""
        spans = self.reading.slots.get(slot, ())
        return spans[-1].start if spans else -1

    def saying(self, slot: str, text: str) -> WrittenSyntax:
        """The same with other words in a slot."""
        span = Span(-1, -1, text)
        reading = replace(self.reading, slots={**self.reading.slots, slot: (span,)})
        return WrittenSyntax(reading, self.situation, self.path, self._found)

    def visible(self, node: ast.AST) -> Visible:
        """The names that can be used where a node stands."""
        return self.context.visible(self.path, node)

    def read(self, slot: str, converter: str, node: ast.AST, which: int = -1) -> list[Option]:
        """What the words of a slot mean as code where a node stands."""
        spans = self.reading.slots.get(slot, ())
        if not spans:
            return []
        parent = self.source.parents.get(node)
        called = parent.arg or "" if isinstance(parent, ast.keyword) else ""
        anchor = Anchor(Area(self.path, node), node, words={"called": called}, extra={"old": node})
        return CONVERTERS[converter](SlotWords(self.context, spans[which], anchor))

    def message(self, node: ast.AST) -> list[Option]:
        """The text of an error; words without quotes may be a value."""
        spans = self.reading.slots.get("message", ())
        return self.read("message", "message" if spans and spans[-1].quoted else "value", node)[:1]

    def guessed(self, slot: str, node: ast.AST) -> list[Option]:
        """The likeliest tests that the words of a slot may mean where a node stands."""
        known = self.context
        context = Context(self.reading, replace(known.situation, guessing=True), known.names)
        anchor = Anchor(Area(self.path, node), node, extra={"old": node})
        spans = self.reading.slots.get(slot, ())
        return find_likely_tests(context, spans[-1], anchor) if spans else []

    def called(self, slot: str) -> str | None:
        """The code of a slot with the arguments after it, where it has some."""
        spans = self.reading.slots.get(slot, ())
        if not spans:
            return None
        behind = self.instruction[spans[-1].end :] if spans[-1].start >= 0 else ""
        code = spans[-1].text.strip("`")
        brackets = "" if "(" in code else behind[: behind.find(")") + 1]
        whole = code + brackets if brackets.startswith("(") else code
        return whole if "(" in whole and parsed(whole) is not None else None

    def is_old(self, node: ast.AST) -> bool:
        """Whether a node is what the follow-up names as the old thing, where it names one."""
        old = [span.text.strip("`'\"") for span in self.reading.slots.get("old", ())]
        code = self.source.segment(node)
        return not old or any(item and item in code for item in old)

    def rewritten(self, *rewrites: NodeRewrite) -> str:
        """The text with other code in the place of nodes, and of a dotted name wherever it was written."""
        text, source, spans = self.source.text, self.source, dict[tuple[int, int], str]()
        for rewrite in rewrites:
            node, last = rewrite.node, rewrite.last
            same = isinstance(node, ast.Attribute) and last is None
            like = [inner for inner in self.nodes if same and source.segment(inner) == source.segment(node)]
            for item in like or [node]:
                low, high = source.span(item)
                spans[low, high if last is None else source.span(last)[1]] = rewrite.code
        for (low, high), code in sorted(spans.items(), reverse=True):
            text = text[:low] + code + text[high:]
        return text


def with_items(source: Source, node: ast.AST, spans: Sequence[tuple[int, int]], texts: Sequence[str]) -> str:
    """The code of a display or condition with other items in the places of its own."""
    (low, high), code = source.span(node), ""
    for text, (start, end) in zip(texts, spans, strict=True):
        code += source.text[low:start] + text
        low = end
    return code + source.text[low:high]


def items_of(node: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    """The items of a display, call or condition, each with the node that begins and the one that ends it."""
    if isinstance(node, ast.Dict):
        return [(key or value, value) for key, value in zip(node.keys, node.values, strict=True)]
    if isinstance(node, ast.Call):
        return [(item, item) for item in (*node.args, *node.keywords)]
    items = getattr(node, "values" if isinstance(node, ast.BoolOp) else "elts", ())
    return [(item, item) for item in items]
