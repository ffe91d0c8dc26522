"""Chains of ifs on one value become `match` statements, or lookups in a dictionary."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.families.statements.chains import read_chains
from spark_tui.intent.building.building import Built, build_at, builder, call
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.pysource.syntax.walking import find_nodes


@builder("if_to_match", "if_to_lookup")
def chain_of_ifs(context: Context) -> Iterator[Built]:
    wanted = key(plain_name(context.text("variable")))
    reason = ""
    count = 0
    for area, source, root in context.trees():
        ifs = sorted(find_nodes(root, ast.If), key=lambda one: one.lineno)
        chains, refused = read_chains(source, ifs)
        reason = reason or str(next(iter(refused), ""))
        named = [one for one in chains if wanted and key(ast.unparse(one.subject)) == wanted]
        for one in named or chains:
            count += 1
            place = f"{area.path}:{one.node.lineno}"
            weight = context.near_node(area.path, one.node) / max(len(named or chains), 1)
            yield build_at(area, call(context.reading.intent, place=place), weight=weight)
    if not count:
        raise Unresolved(reason or "no if there has an elif that compares the same value", nothing=not reason)
