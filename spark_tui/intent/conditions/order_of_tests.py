"""Where a test goes that another one needs: `job is not None` stands in front of `job.due < now`."""

from __future__ import annotations

import ast

from spark_tui.intent.conditions.shared_tests import deny
from spark_tui.intent.context.anchors import is_same_expression, parsed
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk

_KINDS = ("isinstance", "hasattr", "callable")
_TAKE_ANY = {*_KINDS, "bool", "id", "repr", "str", "type"}
_ANY = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)


def needed_at(source: Source, test: ast.expr, new: ast.expr, operator: str) -> ast.expr | None:
    """The first operand that fails where a further test, joined by `and` or `or`, is not asked before it."""
    subject = _told_of(new if operator == "and" else parsed(deny(ast.unparse(new))))
    if subject is None:
        return None
    kind = ast.And if operator == "and" else ast.Or
    operands = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, kind) else [test]
    return next((one for one in operands if _needs(source, one, subject)), None)


def _told_of(test: ast.expr | None) -> ast.expr | None:
    """What is there, or of a kind, where a test holds."""
    match test:
        case ast.Compare(one, [ast.IsNot()], [ast.Constant(None)]):
            return one
        case ast.Call(ast.Name(name), [one, *_]) if name in _KINDS:
            return one
        case ast.Name() | ast.Attribute() | ast.Subscript():
            return test
    return None


def _needs(source: Source, test: ast.expr, subject: ast.expr) -> bool:
    """Whether a test does with something what None cannot."""
    uses = [node for node in walk(test) if isinstance(node, ast.expr) and is_same_expression(subject, node)]
    for use in uses:
        match source.parents.get(use):
            case ast.Call(ast.Name(name)) if name in _TAKE_ANY:
                continue
            case ast.Attribute() | ast.Subscript() | ast.Call() | ast.BinOp() | ast.Starred() | ast.Await():
                return True
            case ast.UnaryOp(sign) if not isinstance(sign, ast.Not):
                return True
            case ast.Compare(_, ops) if not all(isinstance(sign, _ANY) for sign in ops):
                return True
    return False
