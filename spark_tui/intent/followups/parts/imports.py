"""Imports that an edit wrote or removed, where a part of the edit is left out: what is used is imported."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import LineChange, Lines, texts_for
from spark_tui.pysource.tree_comparison import parse_statement


def with_its_imports(
    found: Sequence[LineChange], otherwise: Mapping[LineChange, Lines | None], situation: Situation
) -> dict[LineChange, Lines | None]:
    """The changes of an edit that are made otherwise, with those of its imports: what only the rest used that
    is left out is not imported, and what is used again is imported again."""
    out = dict(otherwise)
    before = situation.before
    if before is None:
        return out
    rest = [
        change for change in found if change not in otherwise and any(map(_bound, (*change.old, *change.new)))
    ]
    texts = texts_for(found, otherwise, before) if rest else {}
    words = {path: _words(text or "") for path, text in texts.items()}
    for item in rest:
        used = words[item.path]
        was_used = _words(situation.behind.index.text(item.path) or "")
        written = [_importing(line, used | (_bound(line) - was_used)) for line in item.new]
        there = {name for line in written for name in _bound(line)}
        again = [_importing(line, used - was_used - there) for line in item.old if _bound(line)]
        kept = [new for new, line in zip(written, item.new, strict=True) if new or not line]
        kept += [line for line in again if line]
        if tuple(kept) != item.new:
            out[item] = tuple(kept) if any(line.strip() for line in kept) or item.old else None
    return out


def only_imports(change: LineChange) -> bool:
    """Whether a change is of lines that import something, and of no others."""
    lines = [line for line in (*change.old, *change.new) if line.strip()]
    return bool(lines) and all(map(_bound, lines))


@lru_cache(maxsize=16)
def _words(text: str) -> frozenset[str]:
    """The words of the lines of a file that import nothing."""
    lines = (line for line in text.splitlines() if not _bound(line))
    return frozenset(word for line in lines for word in re.findall(r"\w+", line))


def _bound(line: str) -> frozenset[str]:
    """The names that a line imports."""
    return frozenset(name for _, name in _names(line))


def _names(line: str) -> Iterator[tuple[ast.alias, str]]:
    """What a line imports, each with the name that it binds."""
    if not re.match(r"\s*(?:import|from)\s", line):
        return
    node = parse_statement(line.strip())
    if isinstance(node, ast.Import | ast.ImportFrom):
        for name in node.names:
            yield name, (name.asname or name.name).partition(".")[0]


def _importing(line: str, kept: Set[str]) -> str:
    """An import line cut down to the names in `kept`: empty if none is left. Other lines are unchanged."""
    found = list(_names(line))
    rest = [one for one, name in found if name in kept or name == "*"]
    if len(rest) == len(found):
        return line
    head = re.match(r"(?:.*\s)?import\s+", line)
    names = (f"{item.name} as {item.asname}" if item.asname else item.name for item in rest)
    return (head[0] if head else "") + ", ".join(names) if rest else ""
