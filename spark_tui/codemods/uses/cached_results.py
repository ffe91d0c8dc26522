"""What may go wrong when the results of a function are kept by a cache."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from typing import TypeGuard

from spark_tui.codemods.plan import Unfollowed
from spark_tui.codemods.uses.callsites import call_sites
from spark_tui.pysource.inference.values import InstanceValue
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.words import word_set

_MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_MUTABLE_HINT = re.compile(
    r"(?i)\b(any|object|list|dict|set|mutable\w+|bytearray|defaultdict|sequence|collection|mapping"
    r"|iterable)\b"
)
"""Types of which some values, or all, cannot be hashed."""
_MAKERS = word_set("bytearray defaultdict deque dict list set sorted Counter OrderedDict")
_MUTABLE_RESULT = re.compile(rf"(?i)\b({'|'.join(_MAKERS - {'sorted'})}|mutable\w+)\b")
_MUTATORS = word_set(
    "append appendleft extend insert remove pop popleft popitem clear add discard update setdefault sort"
    " reverse"
)
_BUILDERS = word_set("__init__ __new__ __post_init__")
_SHARED = "every caller gets the same object, and may change it"


def cache_doubts(
    repo: Repository, source: Source, node: Function, *, on_object: bool
) -> Iterator[Unfollowed]:
    """Why a result cannot be kept, or why a kept one may be wrong: it is used up, shared or stale, or the
    arguments cannot be keys (with `on_object` the object holds it, and needs no key)."""
    own = source.own_nodes(node)
    yields = any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in own)
    if isinstance(node, ast.AsyncFunctionDef) or yields:
        yield Unfollowed(source.path, node.lineno, "what it gives is used up by the first who gets it")
    elif all(inner.value is None for inner in own if isinstance(inner, ast.Return)):
        yield Unfollowed(source.path, node.lineno, "it gives no result that could be kept")
    hints = [ast.unparse(item.annotation) for item in parameters(node) if item.annotation is not None]
    names = {item.arg for item in parameters(node)}
    if any(_MUTABLE_HINT.search(hint) for hint in hints) or any(_is_for_mutable(item, names) for item in own):
        yield Unfollowed(source.path, node.lineno, "arguments of these types cannot be kept as keys")
    for site in call_sites(repo, [(source.path, node)]).sites:
        given = [*site.call.args, *(keyword.value for keyword in site.call.keywords)]
        if any(isinstance(arg, _MUTABLE) for arg in given):
            yield Unfollowed(site.path, site.call.lineno, "an argument of this call cannot be kept as a key")
    given_back = [inner.value for inner in own if isinstance(inner, ast.Return) and inner.value is not None]
    shared = [item for item in given_back if _is_made(item, own) or _may_change(repo, source, item)]
    for item in shared:
        yield Unfollowed(source.path, item.lineno, _SHARED)
    if node.returns is not None and not shared and _MUTABLE_RESULT.search(ast.unparse(node.returns)):
        yield Unfollowed(source.path, node.lineno, _SHARED)
    holder = source.class_of(node)
    if holder is None or not node.args.args or "staticmethod" in decorator_names(node):
        return
    if not on_object and _unhashable(holder):
        yield Unfollowed(source.path, node.lineno, f"objects of {holder.name} cannot be kept as keys")
    this = node.args.args[0].arg
    held = (inner.value for inner in own if isinstance(inner, ast.Attribute))
    parts = (item for item in held if _is_member(item, this) and _may_change(repo, source, item))
    if changing_part := next(parts, None):
        reason = f"the kept result is stale where {ast.unparse(changing_part)} has changed"
        yield Unfollowed(source.path, changing_part.lineno, reason)
    methods = [item for item in holder.body if isinstance(item, Function) and item.name not in _BUILDERS]
    for name in sorted({inner.attr for inner in own if _is_member(inner, this)}):
        if changing := next((method for method in methods if _changes(method, name)), None):
            reason = f"the kept result is stale after {changing.name}, which changes {this}.{name}"
            yield Unfollowed(source.path, node.lineno, reason)


def _is_made(value: ast.expr, own: Collection[ast.AST]) -> bool:
    """Whether a value is a new list, dictionary or set, or a name that is set to one among `own` nodes."""
    if isinstance(value, ast.Name):
        return any(
            isinstance(inner, ast.Assign | ast.AnnAssign)
            and value.id in map(last_name, targets(inner))
            and inner.value is not None
            and _is_made(inner.value, ())
            for inner in own
        )
    return isinstance(value, _MUTABLE) or (isinstance(value, ast.Call) and last_name(value.func) in _MAKERS)


def _is_for_mutable(node: ast.AST, names: Collection[str]) -> bool:
    """Whether a parameter is used as only lists, dictionaries and sets are."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return isinstance(node.slice.value, str) and ast.unparse(node.value) in names
    called = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(called, ast.Attribute)
        and called.attr in _MUTATORS | {"items", "keys", "values"}
        and ast.unparse(called.value) in names
    )


def _may_change(repo: Repository, source: Source, node: ast.expr) -> bool:
    """Whether a value may be an object of a class here that has a method to change it."""
    values = repo.infer.values(source.path, node, repo.index.scopes(source.path).around(node))
    found = [value.of.node for value in values if isinstance(value, InstanceValue)]
    return any(
        isinstance(item, Function) and item.name not in _BUILDERS and _changes(item, "")
        for owner in found
        for item in owner.body
    )


def _unhashable(holder: ast.ClassDef) -> bool:
    """Whether a class compares its objects by value and gives them no hash."""
    names = {item.name for item in holder.body if isinstance(item, Function)}
    if "__hash__" in names or "dataclass" not in decorator_names(holder):
        return "__eq__" in names and "__hash__" not in names
    decorator = holder.decorator_list[decorator_names(holder).index("dataclass")]
    keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
    options = {keyword.arg: keyword.value for keyword in keywords}

    def is_set(option: str, otherwise: bool) -> bool:
        value = options.get(option)
        return bool(value.value) if isinstance(value, ast.Constant) else otherwise

    return is_set("eq", True) and not is_set("frozen", False) and not is_set("unsafe_hash", False)


def _changes(method: Function, name: str) -> bool:
    """Whether a method sets an attribute of its object, any if it is not named, or changes what it holds."""
    this = method.args.args[0].arg if method.args.args else ""
    for inner in ast.walk(method):
        match inner:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) as changed:
                pass
            case ast.Subscript(value=changed, ctx=ast.Store() | ast.Del()):
                pass
            case ast.Call(func=ast.Attribute(value=changed, attr=called)) if called in _MUTATORS:
                pass
            case _:
                continue
        if _is_member(changed, this) and name in ("", changed.attr):
            return True
    return False


def _is_member(node: ast.AST, this: str) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == this
