"""One test that is said of several names: *src or dst is not in UNITS*."""

from __future__ import annotations

import ast

from spark_tui.codemods.rearrange import default_of
from spark_tui.intent.walking import walk
from spark_tui.pysource.source import Function, parameters

_OF_A_VALUE = (ast.In, ast.NotIn, ast.Is, ast.IsNot)


def of_each(code: str, root: ast.AST | None) -> str:
    """`a or b not in c`, as people say it, with the test of both: `a not in c or b not in c`. A name that is
    true or false in the code at hand stays a test of its own."""
    tree = ast.parse(code, mode="eval").body
    if not isinstance(tree, ast.BoolOp) or not isinstance(tree.op, ast.Or):
        return code
    *first, last = tree.values
    if not isinstance(last, ast.Compare) or not isinstance(last.ops[0], _OF_A_VALUE):
        return code
    names = [one.id for one in (*first, last.left) if isinstance(one, ast.Name)]
    if len(names) <= len(first) or root is None or set(names) & _flags(root):
        return code
    rest = code[code.rindex(f"{names[-1]} ") + len(names[-1]) :]
    return " or ".join(f"{one}{rest}" for one in names)


def _flags(root: ast.AST) -> set[str]:
    """The names that code tests by themselves, or whose default is true or false."""
    found = set()
    for one in walk(root):
        tested = [one.test] if isinstance(one, ast.If | ast.While | ast.IfExp) else []
        tested += one.values if isinstance(one, ast.BoolOp) else []
        tested += [one.operand] if isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not) else []
        found |= {each.id for each in tested if isinstance(each, ast.Name)}
        if isinstance(one, Function):
            defaults = {each.arg: default_of(one, each.arg) for each in parameters(one)}
            found |= {
                name
                for name, given in defaults.items()
                if isinstance(given, ast.Constant) and isinstance(given.value, bool)
            }
    return found
