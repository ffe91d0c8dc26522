"""Calls that count with `collections.Counter` in place of a dictionary that is counted up by hand."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.builders.collections.default_dicts import dictionaries, spelled, uses_of
from spark_tui.intent.building.building import Built, builder
from spark_tui.intent.building.rewritten import Rewritten, build_together, is_meant
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.pysource.syntax.walking import find_nodes

_STARTS = ("{}", "dict()", "defaultdict(int)", "collections.defaultdict(int)")


@builder("pattern.counter")
def counter(context: Context) -> Iterator[Built]:
    found: list[Rewritten] = []
    for area, source, root in context.trees():
        for goal, value in dictionaries(source, root, _STARTS):
            shown = ast.unparse(goal)
            if not is_meant(context, shown, shown.rpartition(".")[2]):
                continue
            inside = source.class_of(source.function_of(goal) or goal) if "." in shown else None
            scope = inside or source.function_of(goal) or root
            uses = [item for item in uses_of(source, scope, shown) if item.start == "0"]
            plain = [node for node in find_nodes(scope, ast.AugAssign) if _is_raised(node, shown)]
            counted = "defaultdict" in ast.unparse(value) or all(
                literal_type(one.value) == "int" for one in plain
            )
            if not uses and not (plain and counted):
                continue
            name = spelled(context, area, "Counter")
            by_one = all(use.new.endswith("+= 1") or not use.new for use in uses)
            if not by_one and not context.has("variable"):
                continue
            found.append(Rewritten(area, value, f"{name}()"))
            found += [Rewritten(area, use.node, use.new) for use in uses]
    yield from build_together(context, found, "dictionary that is counted up")


def _is_raised(node: ast.AugAssign, name: str) -> bool:
    """Whether a statement counts an entry up."""
    goal = node.target if isinstance(node.op, ast.Add) else None
    return isinstance(goal, ast.Subscript) and ast.unparse(goal.value) == name
