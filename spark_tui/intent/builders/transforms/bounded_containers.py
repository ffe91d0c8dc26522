"""Containers that are made with a largest size: queues and deques."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import is_meant, pass_argument
from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.pysource.names.type_hints import called_name

_SIZES = {
    **dict.fromkeys(("Queue", "LifoQueue", "PriorityQueue", "JoinableQueue"), "maxsize"),
    "deque": "maxlen",
}


def sized_container(context: Context, said: str) -> Iterator[Built]:
    """The size of a queue or deque, where the variable that is to be limited is made there."""
    size = phrases.number(said)
    spots = []
    for area, _, node in context.find(ast.Assign) if size is not None and context.has("variable") else ():
        shown, value = ast.unparse(node.targets[0]), node.value
        if not isinstance(value, ast.Call) or called_name(value) not in _SIZES:
            continue
        if is_meant(context, shown, shown.rpartition(".")[2]) or is_meant(context, called_name(value)):
            spots.append(Anchor(area, value, 0.95, area.doubts))
    for anchor in weighted(context, spots):
        assert isinstance(anchor.node, ast.Call) and size is not None
        made = pass_argument(context, anchor, _SIZES[called_name(anchor.node)], size)
        yield build_at(anchor, made)
