"""Forms of a condition: of an item in the place of all that a loop goes through, empty but for blanks."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.situation import Option
from spark_tui.intent.followups.written.syntax import WrittenSyntax
from spark_tui.pysource.syntax.walking import names_in


def of_items(written: WrittenSyntax, node: ast.AST, options: list[Option]) -> list[Option]:
    """The tests of what a loop goes through as tests of its items, where one of these is tested already."""
    if not isinstance(node, ast.expr):
        return options
    for loop in written.source.ancestors(node):
        if (
            isinstance(loop, ast.For)
            and isinstance(loop.target, ast.Name)
            and isinstance(loop.iter, ast.Name)
        ):
            item, held = loop.target.id, re.compile(rf"(?<![\w.]){loop.iter.id}(?!\w)")
            if item in names_in(node) and loop.iter.id not in names_in(node):
                options = [replace(one, text=held.sub(item, one.text)) for one in options]
    return options


def of_other_name(written: WrittenSyntax, node: ast.expr) -> list[Option]:
    """The same test of something else, where only that is said, and what it stands for."""
    old, new = written.said("old").strip("`'\""), written.said("condition").strip("`'\"")
    trees = [parsed(text) for text in (old, new)]
    if not all(isinstance(tree, ast.Name | ast.Attribute) for tree in trees):
        return []
    visible = written.visible(node)
    if not all(visible.knows(name) for name in names_in(trees[1])):
        return []
    code = written.source.segment(node)
    other = re.sub(rf"(?<![\w.]){re.escape(old)}(?!\w)", new, code)
    return [Option(other)] if other != code else []


def other_form_of(code: str, was: str) -> str:
    """What is meant by words that say what stands there already: empty as it is, or but for blanks."""
    if code != was or not code.startswith("not "):
        return code
    return code.removesuffix(".strip()") if code.endswith(".strip()") else code


def end_of_range(node: ast.expr, code: str) -> tuple[ast.expr, str] | None:
    """The end of a range that a comparison of the same thing gives anew, and its code."""
    chain = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else node
    other = parsed(code)
    if not isinstance(chain, ast.Compare) or len(chain.ops) != 2 or not isinstance(other, ast.Compare):
        return None
    if len(other.ops) != 1 or ast.dump(other.left) != ast.dump(chain.comparators[0]):
        return None
    ends = {
        ast.Lt: chain.comparators[1],
        ast.LtE: chain.comparators[1],
        ast.Gt: chain.left,
        ast.GtE: chain.left,
    }
    end = ends.get(type(other.ops[0]))
    return (end, ast.unparse(other.comparators[0])) if end is not None else None
