"""What a variable is set to, where its type becomes another one."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from spark_tui.codemods.plan import Edit, Unfollowed
from spark_tui.codemods.rewriting.edits import read_expression, swap_expression
from spark_tui.codemods.uses.callsites import HARMLESS, call_sites, find_parameter_readers
from spark_tui.pysource.inference.known_types import BUILTIN_TYPES, COLLECTIONS
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.words import word_set

_WIDER = frozenset((("int", "float"), ("bool", "int"), ("bool", "float")))
_READ_TYPES = frozenset(("get_type_hints", "get_annotations", "signature", "getfullargspec"))
_BY_TYPES = word_set(
    "register validate_call validate_arguments typechecked beartype inject get post put patch delete"
    " websocket command callback tool dispatch multimethod"
)
"""Decorators that choose, convert or check by the types of parameters."""
_BY_RESULT = word_set("validate_call typechecked beartype get post put patch delete")
"""Decorators that convert or check by the type of the result."""


def new_factory(source: Source, statement: ast.AnnAssign, hint: str) -> list[Edit]:
    """The change of `field(default_factory=list)` where the type is a set from then on."""
    factory, kind = _factory(statement.value), _outer(hint)
    if factory is None or kind not in COLLECTIONS or factory.id == kind:
        return []
    return [swap_expression(source, factory, kind)]


def unfit_value(source: Source, statement: ast.Assign | ast.AnnAssign, hint: str) -> list[Unfollowed]:
    """That the literal that a variable is set to is of another type."""
    value, kind = statement.value, _outer(hint)
    given = type(value.value).__name__ if isinstance(value, ast.Constant) else type(value).__name__.lower()
    if kind not in BUILTIN_TYPES or given not in BUILTIN_TYPES or given == kind or (given, kind) in _WIDER:
        return []
    shown = ast.unparse(value) if value is not None else ""
    return [Unfollowed(source.path, statement.lineno, f"{shown} is not of type {kind}")]


def lost_methods(repo: Repository, statement: ast.AnnAssign, hint: str) -> list[Unfollowed]:
    """Uses that what a field is made of from then on does not have: `append` of a set."""
    factory, kind = _factory(statement.value), _outer(hint)
    called = statement.target.id if isinstance(statement.target, ast.Name) else ""
    if factory is None or kind not in COLLECTIONS or factory.id == kind or not called:
        return []
    has = dir(getattr(builtins, kind))
    return [
        Unfollowed(path, use.node.lineno, f"{ast.unparse(use.node)} is not of type {kind}")
        for path in sorted(repo.index.files_with(called))
        for use in repo.index.scopes(path).attributes
        if last_name(use.node.value) == called and use.node.attr not in has
    ]


def _outer(hint: str) -> str:
    """The class that a type is of: `list` of `list[str]`."""
    tree = read_expression(hint)
    tree = tree.value if isinstance(tree, ast.Subscript) else tree
    return tree.id if isinstance(tree, ast.Name) else ""


def _factory(value: ast.expr | None) -> ast.Name | None:
    """The builtin class that makes the default of a field."""
    options = value.keywords if isinstance(value, ast.Call) and last_name(value.func) == "field" else []
    made = [one.value for one in options if one.arg == "default_factory"]
    return next((one for one in made if isinstance(one, ast.Name) and one.id in COLLECTIONS), None)


def read_types(
    repo: Repository, source: Source, node: Function, *, kept: bool = False, result: bool = False
) -> Iterator[Unfollowed]:
    """Where the types are read: by a decorator of the function, or `get_type_hints(function)`. Where types
    are `kept`, only a decorator that works by them counts, or by that of the `result`."""
    working = _BY_RESULT if result else _BY_TYPES
    for one, name in zip(node.decorator_list, decorator_names(node), strict=True):
        if name in working or (not kept and name not in HARMLESS):
            yield Unfollowed(source.path, one.lineno, f"the decorator {name or 'here'} may read the types")
    if not kept:
        yield from find_parameter_readers(repo, call_sites(repo, [(source.path, node)]).values)
    for path in sorted(repo.index.files_with(node.name)):
        for call in repo.index.scopes(path).calls:
            if last_name(call.func) in _READ_TYPES and node.name in map(last_name, call.args):
                shown = repo.index.source(path).segment(call).splitlines()[0]
                yield Unfollowed(path, call.lineno, f"{shown} reads the types")
        for use in repo.index.scopes(path).attributes_by_name.get("__annotations__", ()):
            if last_name(use.node.value) == node.name:
                yield Unfollowed(path, use.node.lineno, f"{node.name}.__annotations__ reads the types")
