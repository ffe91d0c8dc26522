"""Fixes of lists and tables that hold less than is taken from them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built, call, place
from spark_tui.intent.context.anchors import Anchor, same_tree
from spark_tui.intent.fixes.seen_error import Seen
from spark_tui.pysource.syntax.walking import walk


def last_of_table(at: Seen) -> Iterator[Built]:
    """`TABLE[level]` of a constant takes its last item where there are not so many."""
    for one in at.nodes(ast.Subscript):
        index, table = one.slice, ast.unparse(one.value)
        if isinstance(index, ast.Name) and table.isupper() and isinstance(one.ctx, ast.Load):
            new = f"min({index.id}, len({table}) - 1)"
            yield at.spliced(*at.source.span(index), new, 0.6, "the last item was assumed to be all beyond")


def before_the_end(at: Seen) -> Iterator[Built]:
    """`items[n - i]` with `n = len(items)` and i from 0: `items[n - i - 1]`."""
    for one in at.nodes(ast.Subscript):
        index, owner = one.slice, ast.unparse(one.value)
        if not isinstance(index, ast.BinOp) or not isinstance(index.op, ast.Sub):
            continue
        around = [*at.source.ancestors(one)]
        loops: list[ast.For | ast.comprehension] = [each for each in around if isinstance(each, ast.For)]
        loops += [each for outer in around for each in getattr(outer, "generators", ())]
        zero = any(same_tree(each.target, index.right) and _from_zero(each.iter) for each in loops)
        within = at.source.function_of(one) or at.source.tree
        sizes = {f"len({owner})"} | {
            ast.unparse(each.targets[0])
            for each in walk(within)
            if isinstance(each, ast.Assign) and ast.unparse(each.value) == f"len({owner})"
        }
        if zero and ast.unparse(index.left) in sizes:
            yield at.swap(index, f"{at.source.segment(index)} - 1", 0.95)


def _from_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "range" and len(node.args) == 1


def chosen_of_none(at: Seen) -> Iterator[Built]:
    """Of too few no more are chosen than there are, and of none nothing."""
    for one in at.nodes(ast.Call):
        name, statement = ast.unparse(one.func).rpartition(".")[2], at.source.statement(one)
        if name == "sample" and len(one.args) == 2:
            many, count = (at.source.segment(each) for each in one.args)
            made = at.swap(one.args[1], f"min({count}, len({many}))", 0.9)
            yield replace(made, doubts=("fewer are chosen if there are not enough",))
        elif name == "choice" and len(one.args) == 1 and statement is not None:
            code = f"if not {at.source.segment(one.args[0])}:\n    return None"
            spot = place(at.context, Anchor(at.area, statement))
            guard = call("insert_statements", place=spot, code=code, side="before")
            if at.source.function_of(one) is not None:
                yield Built((guard,), 0.8 * at.area.weight, ("the value returned then was made up",))
