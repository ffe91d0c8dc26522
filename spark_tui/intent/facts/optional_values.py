"""Which values of a function may be None: results of lookups, of regular expressions, of functions."""

from __future__ import annotations

import ast

from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, names_in, root_name, walk

_MATCHES = ("match", "search", "fullmatch")
_LOOKUPS = ("getenv", "get", "find_spec", "which")


def optional(source: Source, root: ast.AST) -> dict[str, tuple[ast.AST, ...]]:
    """The names of a function or loop that may be None, each with what it was made from."""
    inside = root if isinstance(root, Function) else source.function_of(root)
    out: dict[str, tuple[ast.AST, ...]] = {}
    for parameter in parameters(inside) if inside is not None else ():
        default = default_of(inside, parameter.arg) if inside is not None else None
        if isinstance(default, ast.Constant) and default.value is None:
            out[parameter.arg] = ()
    for node in walk(inside or root):
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) else None
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if value is None or not isinstance(target, ast.Name | ast.Attribute):
            continue
        if may_be_none(source, value):
            out[ast.unparse(target)] = (value,)
    return out


def unasked(source: Source, node: ast.Compare) -> list[str]:
    """The sides of a comparison that may be None, where no `if` in front asks for them."""
    function = source.function_of(node)
    tests = [one.test for one in find_nodes(function, ast.If) if one.lineno < node.lineno] if function else []
    known = optional(source, function) if function is not None else {}
    asked = {name for test in tests for name in names_in(test)}
    known |= dict.fromkeys(_of_emptied(source, function), ()) if function is not None else {}
    fields, shown = _emptied_fields(source), {ast.unparse(one) for test in tests for one in walk(test)}
    return [
        side
        for side, one in ((ast.unparse(one), one) for one in (node.left, *node.comparators))
        if side in known.keys() - asked
        or (
            isinstance(one, ast.Attribute)
            and one.attr in fields
            and side not in shown | _asked_beside(source, node)
        )
    ]


def _asked_beside(source: Source, node: ast.AST) -> set[str]:
    """What the conditions ask that a comparison stands in: `x and x == y`, `... if x`."""
    around = [one for one in source.ancestors(node) if isinstance(one, ast.expr | ast.comprehension)]
    rules = [test for one in around for test in getattr(one, "ifs", ())]
    rules += [one.test for one in around if isinstance(one, ast.IfExp)]
    rules += [part for one in around if isinstance(one, ast.BoolOp) for part in one.values]
    return {ast.unparse(part) for rule in rules if rule is not node for part in walk(rule)}


def _emptied_fields(source: Source) -> set[str]:
    """The attributes that classes of a file set to None, or to a parameter that is None by default."""
    out: set[str] = set()
    for node in walk(source.tree):
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        goal = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if value is None or not isinstance(goal, ast.Name | ast.Attribute):
            continue
        inside = source.function_of(node)
        default = (
            default_of(inside, value.id) if isinstance(value, ast.Name) and inside is not None else value
        )
        none = isinstance(default, ast.Constant) and default.value is None
        if none and (isinstance(goal, ast.Attribute) or source.class_of(goal) is not None):
            out.add(goal.attr if isinstance(goal, ast.Attribute) else goal.id)
    return out


def _of_emptied(source: Source, function: Function) -> set[str]:
    """What the loops of a function take from collections of which the file sets entries to None, or asks
    whether they are None: `for seat in seats`, where there is `seats[0] = None`."""
    emptied = {
        root_name(entry.value, ast.Attribute, ast.Subscript)
        for node in walk(source.tree)
        for entry in _beside_none(node)
        if isinstance(entry, ast.Subscript)
    }
    loops = [node for node in walk(function) if isinstance(node, ast.For | ast.comprehension)]
    found: set[str] = set()
    for loop in sorted(loops, key=lambda node: node.target.lineno):
        last = loop.target.elts[-1] if isinstance(loop.target, ast.Tuple) else loop.target
        if isinstance(last, ast.Name) and names_in(loop.iter) & (emptied | found):
            found.add(last.id)
    return found


def _beside_none(node: ast.AST) -> list[ast.expr]:
    """What a statement sets to None, or a comparison compares with None."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return sides if any(isinstance(one, ast.Constant) and one.value is None for one in sides) else []
    value = node.value if isinstance(node, ast.Assign) else ast.Constant(0)
    none = isinstance(value, ast.Constant) and value.value is None
    return node.targets if isinstance(node, ast.Assign) and none else []


def may_be_none(source: Source, value: ast.expr) -> bool:
    """Whether a call gives None in some cases."""
    if not isinstance(value, ast.Call):
        return False
    if is_match(value):
        return True
    called = ast.unparse(value.func) if isinstance(value.func, ast.Name | ast.Attribute) else ""
    last = called.rpartition(".")[2]
    if called == "next" or last == "pop":
        given = value.args[1] if len(value.args) == 2 else None
        return isinstance(given, ast.Constant) and given.value is None
    if last in _LOOKUPS and len(value.args) == 1 and not value.keywords:
        return not _of_module(source, called) or last in ("getenv", "which")
    return any(
        isinstance(definition, Function) and definition.name == last and _gives_none(source, definition)
        for definition in source.definitions
    )


def is_match(value: ast.AST | None) -> bool:
    """Whether a value is what a regular expression finds."""
    return (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _MATCHES
    )


def _of_module(source: Source, called: str) -> bool:
    """Whether a call is one of a module that is imported: `requests.get`."""
    first, _, rest = called.partition(".")
    imports = [statement for statement in source.statements if isinstance(statement, ast.Import)]
    return rest.count(".") == 0 and any(
        (name.asname or name.name) == first for imported in imports for name in imported.names
    )


def _gives_none(source: Source, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function returns a value, and in another case None."""
    own = [inner for inner in find_nodes(node, ast.Return) if source.function_of(inner) is node]
    empty = [inner for inner in own if inner.value is None or ast.unparse(inner.value) == "None"]
    return bool(empty) and len(empty) < len(own)
