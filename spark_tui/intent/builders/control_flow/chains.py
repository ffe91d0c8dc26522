"""Chains of ifs on one value become `match` statements, or lookups in a dictionary."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.families.statements.chains import Chain, links, read_chain
from spark_tui.codemods.plan import Refusal
from spark_tui.codemods.rewriting.evaluation import is_elif
from spark_tui.intent.building.building import Built, build_at, builder, call
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes


@builder("if_to_match", "if_to_lookup")
def chain_of_ifs(context: Context) -> Iterator[Built]:
    wanted = key(plain_name(context.text("variable")))
    reason = ""
    count = 0
    for area, source, root in context.trees():
        chains, why = _chains(source, root)
        reason = reason or why
        named = [one for one in chains if wanted and key(ast.unparse(one.subject)) == wanted]
        for one in named or chains:
            count += 1
            place = f"{area.path}:{one.node.lineno}"
            weight = context.near_node(area.path, one.node) / max(len(named or chains), 1)
            yield build_at(area, call(context.reading.intent, place=place), weight=weight)
    if not count:
        raise Unresolved(reason or "no if there has an elif that compares the same value", nothing=not reason)


def _chains(source: Source, root: ast.AST) -> tuple[list[Chain], str]:
    """The chains in some code, and why one is none."""
    out: list[Chain] = []
    seen: set[ast.If] = set()
    reason = ""
    for node in sorted(find_nodes(root, ast.If), key=lambda one: one.lineno):
        if node in seen or is_elif(source, node):
            continue
        try:
            chain = read_chain(source, node)
        except Refusal as error:
            reason = reason or (str(error) if len(links(source, node)) > 1 else "")
            continue
        if len(chain.branches) > 1:
            seen |= {branch.node for branch in chain.branches}
            out.append(chain)
    return out, reason
