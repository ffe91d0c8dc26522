"""When code means the same inside of a comprehension or generator, and in a loop; and calls of the item that
`map` makes."""

from __future__ import annotations

import ast

from spark_tui.codemods.checks.oldest_python import too_old
from spark_tui.codemods.patterns.hole_needs import Holes, is_set_by_functions
from spark_tui.codemods.plan import Refusal
from spark_tui.pysource.inference.values import FunctionValue
from spark_tui.pysource.names.type_hints import called_name, last_name, names_within
from spark_tui.pysource.syntax.walking import root_of, walk
from spark_tui.pysource.words import word_set

_OF_FUNCTION = word_set("super locals vars dir")
_OF_CALLERS = word_set("_getframe currentframe stack extract_stack print_stack")
_LONGEST_CALL = 40
_PLAIN = (ast.Name, ast.Constant, ast.Attribute)


def refuse_await(at: Holes) -> None:
    """Refuse what stands for another function, or sets a name, inside of a comprehension."""
    kinds = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
    for item in at.found:
        if item.node is not None and any(isinstance(node, kinds) for node in ast.walk(item.node)):
            raise Refusal("await, yield and := mean something else in a comprehension")
        # What the outermost loop goes through is evaluated outside of the comprehension.
        asks = item.node is not None and item is not at.match.holes.get("_s") and asks_for_function(item.node)
        if asks:
            raise Refusal("super() and locals() mean another function in a comprehension")


def asks_for_function(node: ast.AST) -> bool:
    """Whether code asks for the function around it, which is another one inside of a comprehension."""
    calls = [one for one in ast.walk(node) if isinstance(one, ast.Call)]
    named = (isinstance(one.func, ast.Name) and one.func.id in _OF_FUNCTION and not one.args for one in calls)
    return any(named) or any(last_name(one.func) in _OF_CALLERS for one in calls)


def refuse_stop(at: Holes) -> None:
    """Refuse `next(it)`, which ends a loop and its function where nothing is left."""
    for item in at.found:
        calls = ast.walk(item.node) if item.node is not None else ()
        if any(called_name(one) == "next" and len(getattr(one, "args", ())) == 1 for one in calls):
            raise Refusal("where next() finds nothing, a generator fails with another error")


def refuse_kept(at: Holes) -> None:
    """Refuse where a function that is made in a round reads the target of the loop later, when something else
    may have set it."""
    scopes = at.repo.index.scopes(at.source.path)
    low, high = at.span
    for name in sorted(names_within(at.found[0].node) if at.found[0].node is not None else ()):
        uses = scopes.by_name.get(name, ())
        inner = (one.scope.node for one in uses if low <= one.span[0] < high)
        kept = any(isinstance(one, ast.Lambda | ast.GeneratorExp) for one in inner)
        outside = (one for one in uses if one.role.binds and not low <= one.span[0] < high)
        if kept and any(one.scope is at.scope for one in outside):
            raise Refusal(f"a function reads {name} later, which is set elsewhere too")


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
