"""The text in which an answer stands, as nodes, and which of them the answer brought.

Comes in: the lines that were shown, the hunks that stand. Goes out: nodes of the text as it is with them, and
texts with changes made. Must not know: messages, engines, ids.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cached_property

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.refactor.source import Change, Function, Source, headers, parameters, parse
from spark_tui.steers.corrected import applied

_PIECE = re.compile(r"\w+|\s+|[^\w\s]")


class Stands:
    """Of one answer. `src` is the text with it, `was` the one without."""

    def __init__(self, lines: Sequence[str], hunks: Sequence[WindowHunk]) -> None:
        self.lines = tuple(lines)
        self.hunks = tuple(sorted(hunks, key=lambda one: (one.first, one.last)))
        now = applied(lines, hunks)
        self.src = Source(now, headers(now))

    @cached_property
    def was(self) -> Source:
        return Source(self.lines, headers(self.lines))

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """The lines of the text as it is that each hunk brought, half-open."""
        out, more = [], 0
        for hunk in self.hunks:
            out.append((hunk.first + more, hunk.first + more + len(hunk.new)))
            more += len(hunk.new) - (hunk.last - hunk.first)
        return out

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where in the text something stands that the lines did not have."""
        out = []
        for hunk, (first, last) in zip(self.hunks, self.places, strict=True):
            one = _PIECE.findall("".join(f"{line}\n" for line in self.lines[hunk.first : hunk.last]))
            two = _PIECE.findall("".join(f"{line}\n" for line in self.src.lines[first:last]))
            ends = [self.src.starts[first]]
            for piece in two:
                ends.append(ends[-1] + len(piece))
            for code, _, _, a, b in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
                if code in ("insert", "replace"):
                    out.append((ends[a], ends[b]))
        return out

    def brought(self, node: ast.AST) -> bool:
        """Whether some of the node is new."""
        low, high = self.src.span(node)
        return any(start < high and low < end for start, end in self.spans)

    def new(self, kind: type[ast.AST] | tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
        """Nodes of a kind of which some is new, in the order of the text."""
        for node in self.src.nodes:
            if isinstance(node, kind) and hasattr(node, "lineno") and self.brought(node):
                yield node

    @cached_property
    def statements(self) -> list[ast.stmt]:
        """Simple statements of which some is new."""
        return [node for node in self.src.statements if not hasattr(node, "body") and self.brought(node)]

    @cached_property
    def made(self) -> list[Function]:
        """Functions that were not there by this name."""
        old = {node.name for node in self.was.functions}
        return [node for node in self.src.functions if node.name not in old]

    @cached_property
    def added(self) -> list[tuple[Function, ast.arg]]:
        """Parameters that their functions did not have."""
        old = {node.name: {one.arg for one in parameters(node)} for node in self.was.functions}
        return [
            (node, one)
            for node in self.src.functions
            for one in parameters(node)
            if node.name in old and one.arg not in old[node.name]
        ]

    def holds(self, made: str) -> bool:
        """Whether another text parses."""
        return parse("".join(f"{line}\n" for line in headers(made.split("\n"))) + made) is not None

    def changed(self, changes: Iterable[Change]) -> str:
        return self.src.changed(changes)


def one(found: Iterable[ast.AST]) -> ast.AST | None:
    """The only one there is."""
    all_of_them = list(found)
    return all_of_them[0] if len(all_of_them) == 1 else None
