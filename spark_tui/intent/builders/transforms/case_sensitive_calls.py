"""Calls that tell upper and lower case apart again."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, call, place
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.syntax.walking import find_nodes

CASED = ("lower", "upper", "casefold")
TOLD_APART = re.compile(
    r"\b(?<!not )(?:be|becomes?|made|make\s+\S+)\s+case[- ]sensitive\b|\bcase\s+(?:should\s+)?matters?\b",
    re.IGNORECASE,
)


def tell_apart(context: Context) -> Iterator[Built]:
    """The opposite: nothing is made upper or lower case any more."""
    made = False
    for area, source, root in context.trees():
        calls = []
        for node in sorted(find_nodes(root, ast.Call), key=source.span, reverse=True):
            function, stmt = node.func, source.parents.get(node)
            if not isinstance(function, ast.Attribute) or function.attr not in CASED or node.args:
                continue
            value = source.segment(function.value)
            if isinstance(stmt, ast.Assign) and source.segment(stmt.targets[0]) == value:
                calls.append(call("delete_statements", place=place(context, Anchor(area, stmt))))
            else:
                calls.append(replace_code(context, Anchor(area, node), value))
        if calls:
            made = True
            doubts = (*area.doubts, assumed("all that is made upper or lower case was assumed to be meant"))
            yield Built(tuple(calls), 0.9 * area.weight, doubts)
    if not made:
        raise Unresolved("nothing ignores upper and lower case there", nothing=context.has("function"))
