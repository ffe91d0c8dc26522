"""Find all occurrences of a name in parsable lines that refer to the same thing as the given ones.

Strings and comments are left alone unless one of the given occurrences is in one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.refactor.rename import meanings
from spark_tui.refactor.rename.text import literals
from spark_tui.refactor.source import Function, Source

_ONLY_READ = frozenset({"import", "attribute", "hanging"})
"""Ways in which a name comes to be that do not give it its meaning here."""


@dataclass(frozen=True, slots=True)
class NameOccurrence:
    """One occurrence of a name: line, start column, receiver, and whether it is in a string or comment."""

    line: int
    column: int
    receiver: str | None = None
    literal: bool = False


@dataclass
class NameOccurrences:
    """Of one text. `headers` are lines that it takes in front to be read by itself."""

    lines: Sequence[str]
    headers: Sequence[str] = ()

    def places(self, name: str) -> list[NameOccurrence]:
        """Every occurrence of the whole name, dotted name or number."""
        out: list[NameOccurrence] = []
        offset = 0
        if name not in self._text:
            return out
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        for number, line in enumerate(self.lines):
            for found in word.finditer(line) if name in line else ():
                at = offset + found.start()
                hangs = re.search(r"([\w.]*)\s*\.$", line[: found.start()])
                literal = any(start <= at < end for start, end in self._literals)
                out.append(NameOccurrence(number, found.start(), hangs[1] if hangs else None, literal))
            offset += len(line) + 1
        return out

    def meant(
        self, name: str, known: Collection[NameOccurrence], named: Collection[str] = ()
    ) -> list[NameOccurrence]:
        """Where the same is meant as at the known places. Of functions that have the name as their own, the
        `named` ones count, where there are such."""
        if self._source.tree is None:
            return []
        everywhere = self.places(name)
        if not name.isidentifier():
            in_texts = any(place.literal for place in known)
            return [
                place for place in everywhere if place.receiver is None and (in_texts or not place.literal)
            ]
        found = self._read.meanings(name)
        own = [one for one in found if isinstance(one.owner, Function) and one.owner.name in named]
        hit = [
            one for one in found if any(self._at(place) in {low for low, _ in one.spans} for place in known)
        ]
        if own and any(isinstance(one.owner, Function) for one in hit):
            hit = [
                one for one in hit if not isinstance(one.owner, Function) or one.owner.name in named
            ] or own
        starts = {low for one in hit for low, _ in one.spans}
        texts = any(place.literal for place in known)
        behind = {None, "self", "cls", *(place.receiver for place in known)}
        return [
            place
            for place in everywhere
            if (place.receiver in behind and self._at(place) in starts) or (texts and place.literal)
        ]

    def makes(self, name: str) -> bool:
        """Whether the text gives a name its meaning: assigns it, defines it, takes it."""
        return any(one.how - _ONLY_READ for one in self._read.meanings(name)) or any(
            isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Store)
            for node in self._source.nodes
        )

    def _at(self, place: NameOccurrence) -> int:
        return self._source.starts[place.line] + place.column

    @cached_property
    def _source(self) -> Source:
        return Source(self.lines, self.headers)

    @cached_property
    def _read(self) -> meanings.Meanings:
        return meanings.Meanings(self._source)

    @cached_property
    def _text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def _literals(self) -> list[tuple[int, int]]:
        """Strings and comments, without the expressions in f-strings."""
        return list(literals(self._text))
