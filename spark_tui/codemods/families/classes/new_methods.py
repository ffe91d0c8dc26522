"""What a new method of a class changes unasked: what Python calls by itself, and what a base has."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from spark_tui.codemods.plan import Unfollowed
from spark_tui.codemods.uses.class_doubts import truth_doubts
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, docstring
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.words import word_set

_FOR_ALL = word_set("__getattr__ __getattribute__ __setattr__ __delattr__ __new__ __init_subclass__")
_ASKS_ITEMS = re.compile(r"__iter__|\bisinstance\([^)]*\b(?:Iterable|Sequence|Collection)\b")


def method_doubts(
    repo: Repository, source: Source, node: ast.ClassDef, method: Function
) -> Iterator[Unfollowed]:
    """Doubts about a method that a class is to get."""
    name, own = method.name, ClassValue(source.path, node)
    above = [one for one in repo.classes.ancestors(own) if one.node is not node]
    known = {member for one in (own, *above) for member in repo.classes.own_members(one)}
    calls = [last_name(call.func) for call in find_nodes(method, ast.Call)]
    reason = ""
    if name == "__eq__" and "__hash__" not in known:
        reason = "with __eq__ and no __hash__ its objects are not hashable"
    elif name in ("__len__", "__bool__") and not known & {"__len__", "__bool__"}:
        yield from truth_doubts(repo, source, node)
    elif name in _FOR_ALL:
        reason = f"Python calls {name} by itself, which changes what its objects do"
    elif name == "__contains__" and "__iter__" in known:
        reason = "`in` asks it now, and not what the object gives one by one"
    elif name not in ("__repr__", "__str__") and "super" not in calls and name not in calls:
        reason = _replaced(repo, node, above, name)
    if reason:
        yield Unfollowed(source.path, node.lineno, reason)
    if name in ("__iter__", "__getitem__") and not known & {"__iter__", "__getitem__"}:
        yield from iterable_doubts(repo, source)


def iterable_doubts(repo: Repository, source: Source) -> Iterator[Unfollowed]:
    """Where it is asked whether an object can be gone through."""
    for path in sorted({source.path, *repo.index.importers(source.path)}):
        if found := _ASKS_ITEMS.search(repo.index.text(path) or ""):
            line = repo.index.source(path).line_number(found.start())
            yield Unfollowed(path, line, "an object that can be gone through is treated in another way here")


def _replaced(repo: Repository, node: ast.ClassDef, above: list[ClassValue], name: str) -> str:
    """What a method takes the place of without calling it; empty where that does nothing."""
    for one in above:
        members = repo.classes.own_members(one).get(name, ())
        if any(not (isinstance(member, Function) and _is_empty(member)) for member in members):
            return f"it takes the place of {name} of {one.node.name}"
    for base in node.bases:
        kind = getattr(builtins, ast.unparse(base), object)
        has = isinstance(kind, type) and getattr(kind, name, None) is not getattr(object, name, None)
        if has and name != "__init__":
            return f"it takes the place of {name} of {kind.__name__}"
    return ""


def _is_empty(method: Function) -> bool:
    """Whether a method is there to be written in a class below."""
    body = [one for one in method.body if one is not docstring(method)]
    empty = all(isinstance(one, ast.Pass | ast.Raise) or _is_dots(one) for one in body)
    return empty or any("abstract" in name for name in decorator_names(method))


def _is_dots(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
