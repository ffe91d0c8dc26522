"""The statement that gives a name its value: code that uses the name can stand behind it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.context.anchors import Anchor, Search, nodes, parsed
from spark_tui.intent.context.situation import Area
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import names_in

_WEIGHT = 0.5


def binding_of_code(at: Search) -> Iterator[Anchor]:
    """The only assignment, in a function that is named, of a name that the new code uses."""
    tree = parsed(at.context.text("code"))
    if tree is None or not isinstance(at.root, Function):
        return
    used = names_in(tree)
    found = [
        (goal.id, one)
        for one in nodes(at.root, ast.Assign)
        for goal in getattr(one, "targets", ())
        if isinstance(goal, ast.Name) and goal.id in used
    ]
    if len(found) == 1:
        doubt = f"it comes after the line that sets {found[0][0]}"
        yield Anchor(Area(""), found[0][1], weight=_WEIGHT, doubts=(doubt,))
