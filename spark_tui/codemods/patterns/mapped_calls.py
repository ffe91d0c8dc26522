"""Calls of a loop's item that a comprehension makes by `map`, or names in its condition by `:=`."""

from __future__ import annotations

import ast

from spark_tui.codemods.checks.oldest_python import too_old
from spark_tui.codemods.patterns.hole_needs import Holes, is_set_by_functions
from spark_tui.codemods.plan import Refusal
from spark_tui.pysource.inference.values import FunctionValue
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.syntax.walking import root_of, walk

_LONGEST_CALL = 40
_PLAIN = (ast.Name, ast.Constant, ast.Attribute)


def need_mapped(at: Holes) -> None:
    """Refuse what may be another function for the next item, or end `map` by StopIteration."""
    node, text = at.found[0].node, at.found[0].text
    owner = root_of(node, ast.Attribute) if node is not None else None
    if node is None or not isinstance(owner, ast.Name) or is_set_by_functions(at, owner):
        raise Refusal(f"{text} may be another function for each item")
    values = at.repo.infer.values(at.source.path, node, at.scope)
    functions = [value.node for value in values if isinstance(value, FunctionValue)]
    if last_name(node) in ("next", "__next__") or any(map(_may_stop, functions)):
        raise Refusal(f"{text} may raise StopIteration, which would end the list")


def need_short_call(at: Holes) -> None:
    """Refuse what does not read well in a condition: all but a short call of plain arguments."""
    node, text = at.found[0].node, at.found[0].text
    given = [*node.args, *(one.value for one in node.keywords)] if isinstance(node, ast.Call) else []
    plain = all(isinstance(one, _PLAIN) for one in given)
    if not isinstance(node, ast.Call) or not plain or len(text) > _LONGEST_CALL or "\n" in text:
        raise Refusal(f"{text} does not read well in a condition")
    if reason := too_old(at.repo, 8, ":="):
        raise Refusal(reason)


def _may_stop(function: ast.AST) -> bool:
    """Whether a function lets StopIteration out, as far as its own lines show."""
    for node in walk(function):
        if isinstance(node, ast.Name) and node.id == "StopIteration":
            return True
        if called_name(node) in ("next", "__next__") and isinstance(node, ast.Call) and len(node.args) < 2:
            return True
    return False
