"""Special methods that return what Python does not take from them: `return 0` in `__init__`."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

_TYPES: dict[str, tuple[type, ...]] = {
    "__init__": (type(None),),
    "__len__": (int, bool),
    "__hash__": (int, bool),
    "__index__": (int, bool),
    "__bool__": (bool,),
    "__str__": (str,),
    "__repr__": (str,),
    "__format__": (str,),
    "__bytes__": (bytes,),
}
_FORMS: dict[type[ast.expr], type] = {
    ast.JoinedStr: str,
    ast.List: list,
    ast.ListComp: list,
    ast.Dict: dict,
    ast.DictComp: dict,
    ast.Set: set,
    ast.SetComp: set,
    ast.Tuple: tuple,
}


def special_results(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a special method newly returns a value of a type that Python refuses."""
    for path in paths:
        found = list(_wrong(after.index.source(path)))
        known = {key for key, _ in _wrong(before.index.source(path))} if found else set()
        for key, line in found:
            if key not in known:
                yield Finding(path, line, "special results", f"{key[0]} cannot return {key[1]}")


def _wrong(source: Source) -> Iterator[tuple[tuple[str, str], int]]:
    for method in source.functions:
        if method.name not in _TYPES or not source.class_of(method):
            continue
        for node in source.own_nodes(method):
            kind = _type(node.value) if isinstance(node, ast.Return) else None
            if isinstance(node, ast.Return) and kind is not None and kind not in _TYPES[method.name]:
                shown = ast.unparse(node.value) if node.value is not None else "None"
                yield (source.qualname(method), shown), node.lineno


def _type(value: ast.expr | None) -> type | None:
    """The type of a value whose form tells it."""
    if value is None or isinstance(value, ast.Constant):
        return type(value.value if value is not None else None)
    return _FORMS.get(type(value))
