"""One test that applies to each of several names: *src or dst is not in UNITS*."""

from __future__ import annotations

import ast

from spark_tui.intent.facts.boolean_values import takes_bool
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import walk

_OF_A_VALUE = (ast.In, ast.NotIn, ast.Is, ast.IsNot)


def apply_to_each(code: str, root: ast.AST | None, text: str) -> str:
    """`a or b not in c`, as people say it, with the test of both: `a not in c or b not in c`. A name that is
    true or false in the code at hand stays a test of its own."""
    tree = ast.parse(code, mode="eval").body
    if not isinstance(tree, ast.BoolOp) or not isinstance(tree.op, ast.Or) or root is None:
        return code
    *first, last = tree.values
    if isinstance(last, ast.UnaryOp) and isinstance(last.op, ast.Not) and text != code:
        subject, form = last.operand, "not {}"
    elif isinstance(last, ast.Compare) and isinstance(last.ops[0], _OF_A_VALUE):
        shown = ast.unparse(last.left)
        subject, form = last.left, f"{{}}{code[code.rindex(f'{shown} ') + len(shown) :]}"
    else:
        return code
    names = [node.id for node in (*first, subject) if isinstance(node, ast.Name)]
    if len(names) <= len(first) or set(names) & _flags(root):
        return code
    return " or ".join(form.format(name) for name in names)


def _flags(root: ast.AST) -> set[str]:
    """The names that are set to true or false in code, also by default."""
    found = set()
    for node in walk(root):
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.Assign) and isinstance(value, ast.Constant) and isinstance(value.value, bool):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node, Function):
            found |= {parameter.arg for parameter in parameters(node) if takes_bool(node, parameter.arg)}
    return found
