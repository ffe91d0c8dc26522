"""Members that classes of a changed file no longer have."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.repository import Repository


def lost_members(
    before: Repository, after: Repository, path: str
) -> Iterator[tuple[str, ast.ClassDef, set[str]]]:
    """The classes of a file with the members that they no longer have, as the classes are now."""
    if path not in after.index.modules.paths:
        return
    old, new = before.index.source(path), after.index.source(path)
    for name, nodes in old.classes.items():
        now = new.classes[name][-1] if name in new.classes else None
        if now is None or old.segment(nodes[-1]) == new.segment(now):
            continue
        had = {each for one in nodes for each in before.classes.own_members(ClassValue(path, one))}
        lost = had - set(after.classes.own_members(ClassValue(path, now)))
        if lost:
            yield name, now, lost
