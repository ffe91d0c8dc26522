"""The type of a parameter by what a function does with it: methods of strings, reckoning, comparisons."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.words import word_set

_OF_STRINGS = word_set(
    "capitalize casefold encode endswith isalpha isdigit isnumeric isspace isupper islower ljust lower lstrip"
    " partition removeprefix removesuffix replace rjust rpartition rsplit rstrip split splitlines startswith"
    " strip swapcase title upper zfill"
)
_OF_LISTS = word_set("append extend insert sort reverse")
_OF_DICTS = word_set("items setdefault keys values")
_OF_SETS = word_set("add union intersection issubset difference")
_KINDS = (("str", _OF_STRINGS), ("list", _OF_LISTS), ("dict", _OF_DICTS), ("set", _OF_SETS))


def used_type(source: Source, function: Function, name: str) -> str:
    """The one type that all telling uses of a parameter have; empty where there is none."""
    uses = [
        node
        for part in function.body
        for node in find_nodes(part, ast.Name)
        if node.id == name and isinstance(node.ctx, ast.Load)
    ]
    found = {kind for use in uses for kind in _types_by_use(source, use)}
    return found.pop() if len(found) == 1 else ""


def _types_by_use(source: Source, node: ast.Name) -> Iterator[str]:
    outer: ast.AST | None = source.parents.get(node)
    part: ast.AST = node
    while isinstance(outer, ast.BinOp) and isinstance(outer.op, ast.Sub | ast.Mult | ast.Div):
        part, outer = outer, source.parents.get(outer)
    call = source.parents.get(outer) if isinstance(outer, ast.Attribute) else outer
    if isinstance(outer, ast.Attribute) and isinstance(call, ast.Call) and call.func is outer:
        own = len(call.args) == 1 or outer.attr not in ("add", "append", "extend")
        yield from (kind for kind, methods in _KINDS if own and outer.attr in methods)
    elif isinstance(outer, ast.Compare) and len(outer.comparators) == 1:
        other = outer.comparators[0] if outer.left is node else outer.left
        equal = isinstance(outer.ops[0], ast.Eq | ast.NotEq)
        if equal and isinstance(other, ast.Constant) and isinstance(other.value, str):
            yield "str"
    elif isinstance(outer, ast.Call) and part in outer.args:
        called = ast.unparse(outer.func)
        if called.startswith("math.") and called not in ("math.comb", "math.factorial", "math.gcd"):
            yield "float"
        elif called == "open" and outer.args[0] is node:
            yield "str"
    elif isinstance(outer, ast.BinOp) and isinstance(outer.op, ast.Add):
        other = outer.right if outer.left is node else outer.left
        yield from (item for item in (literal_type(other),) if item in ("str", "list"))
