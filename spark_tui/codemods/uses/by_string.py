"""Strings that name a definition: in full, as in `patch("shop.cart.total")`, or beside the object of it,
as in `getattr(cart, "add")`, `monkeypatch.setattr(cart, "add", …)` and `patch.object(cart, "add")`."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

from spark_tui.codemods.uses.callsites import Located
from spark_tui.pysource.inference.values import ModuleValue, Value, class_behind
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

_OF_MODULE = re.compile(r"[\w.]+:[\w.]+(?:\(\))?")
_BY_NAME = frozenset(("getattr", "hasattr", "setattr", "delattr", "spy"))


def attribute_by_string(call: ast.Call, name: str) -> tuple[ast.expr, ast.Constant, bool] | None:
    """The object and the string where a call is given both, and whether it is known to take the attribute of
    that name."""
    known = last_name(call.func) in _BY_NAME
    if isinstance(call.func, ast.Attribute) and call.func.attr == "object":
        known = last_name(call.func.value) == "patch"
    given = [
        *call.args,
        *(keyword.value for keyword in call.keywords if keyword.arg in ("target", "attribute", "name")),
    ]
    for owner, one in pairwise(given):
        if isinstance(one, ast.Constant) and one.value == name:
            return owner, one, known
    return None


def match_full_name(text: str, names: Collection[str]) -> str | None:
    """The name that a string is, or begins with as the name of something inside. `shop.cart:total` is one of
    `shop.cart`."""
    text = text.replace(":", ".", 1) if _OF_MODULE.fullmatch(text) else text
    return next((name for name in names if text == name or text.startswith((f"{name}.", f"{name}:"))), None)


def find_naming_strings(repo: Repository, functions: Collection[Located]) -> Iterator[tuple[str, int]]:
    """The files and lines where strings name functions or methods; a constructor goes by its class."""
    for home, node in functions:
        source = repo.index.source(home)
        owner = source.class_of(node)
        own = node if owner is None or node.name not in ("__init__", "__new__") else owner
        qualname = source.qualname(own)
        full = [f"{name}.{qualname}" for name in repo.index.modules.names(home)]
        for path in sorted(repo.index.files_with(own.name)):
            scopes = repo.index.scopes(path)
            if own.name not in scopes.quoted_words:
                continue
            strings = [one for one in scopes.source.strings if own.name in str(one.value)]
            for string in strings:
                if match_full_name(str(string.value), full):
                    yield path, string.lineno
            same = [string for string in strings if string.value == own.name]
            for call in _calls_given(scopes.source, same):
                found, scope = attribute_by_string(call, own.name), scopes.scope_at.get(call)
                values = repo.infer.values(path, found[0], scope) if found and scope is not None else ()
                if any(_has(repo, value, home, owner if own is node else None) for value in values):
                    yield path, call.lineno


def _calls_given(source: Source, strings: Iterable[ast.Constant]) -> list[ast.Call]:
    """The calls that are given one of some strings."""
    holders = [source.parents.get(string) for string in strings]
    holders = [source.parents.get(one) if isinstance(one, ast.keyword) else one for one in holders]
    return [one for one in dict.fromkeys(holders) if isinstance(one, ast.Call)]


def _has(repo: Repository, value: Value, home: str, owner: ast.ClassDef | None) -> bool:
    """Whether an object is the module of a function, or of the class of a method or one that inherits it."""
    if owner is None:
        return isinstance(value, ModuleValue) and value.path == home
    of = class_behind(value)
    return of is not None and any(
        ancestor.node is owner for ancestor in (*repo.classes.ancestors(of), *repo.classes.descendants(of))
    )
