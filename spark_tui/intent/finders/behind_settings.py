"""The places after the statement that gives a name its value: only there it can stand."""

from __future__ import annotations

import ast

from spark_tui.intent.context.anchors import Search, nodes
from spark_tui.pysource.syntax.walking import walk


def behind_setting(at: Search, found: list[tuple[float, ast.AST]]) -> list[tuple[float, ast.AST]]:
    """Of places where a name is to stand instead, those after the statement that gives it that value."""
    name = at.context.text("new").strip("`")
    if at.slot != "old" or not name.isidentifier():
        return found
    sets = [
        node for node in nodes(at.root, ast.Assign) if any(ast.unparse(goal) == name for goal in node.targets)
    ]
    first = next((node for node in sets if any(each in walk(node.value) for _, each in found)), None)
    if first is None:
        return found
    suite = at.source.suite(first)
    later = {node for stmt in suite[suite.index(first) + 1 :] for node in walk(stmt)}
    if at.source.function_of(first) is None:  # functions run when all is set
        bodies = (stmt for function in at.source.functions for stmt in function.body)
        later |= {node for body in bodies for node in walk(body)}
    return [(score, one) for score, one in found if one in later]
