"""Chains of ifs on one value become `match` statements, or lookups in a dictionary."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.families.statements.chains import read_chains
from spark_tui.codemods.plan import Refused
from spark_tui.intent.building.building import Built, build_at, builder, call
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, names_in


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
            made = call(context.reading.intent, place=place)
            table = _table_named(context, source) if context.reading.intent == "if_to_lookup" else ""
            kept = call("if_to_lookup", place=place, name=table) if table else made
            works = table and not isinstance(kept.plan(context.repo), Refused)
            yield build_at(area, kept if works else made, weight=weight)
    if not count:
        raise Unresolved(reason or "no if there has an elif that compares the same value", nothing=not reason)


def _table_named(context: Context, source: Source) -> str:
    """The constant that an instruction names and the file does not have: *a COMMANDS dict*."""
    said = re.findall(r"(?<!\w)[A-Z][A-Z_]{2,}(?!\w)", context.situation.instruction)
    return next((name for name in said if name not in names_in(source.tree)), "")
