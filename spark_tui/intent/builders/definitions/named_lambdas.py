"""Lambdas that have a name become functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, builder, call
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved


@builder("lambda_to_function")
def lambda_to_function(context: Context) -> Iterator[Built]:
    span = context.span("function")
    wanted = plain_name(span.text) if span is not None else ""
    file = context.span("file")
    paths = [area.path for area in context.areas] if file is not None else []
    path = next(iter(paths), context.situation.path)
    if path not in context.repo.index.paths:
        raise Unresolved("no Python file is open")
    source = context.source(path)
    found = [
        (node, node.targets[0].id)
        for node in source.statements
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Lambda)
        and isinstance(node.targets[0], ast.Name)
    ]
    named = [one for one in found if wanted and key(one[1]) == key(wanted)]
    if not (named or found):
        raise Unresolved("no lambda is assigned to a name there", nothing=True)
    rows = named or found
    for node, name in rows:
        made = call("lambda_to_function", place=f"{path}:{node.lineno}", name=name)
        yield Built((made,), 1.0 / len(rows))
