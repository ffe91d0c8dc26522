"""Conditions of patterns on the functions and classes around a place."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.codemods.plan import Refusal
from spark_tui.pysource.source import Function, Source, parameters

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, *_COMPREHENSIONS)


def refuse_async(source: Source, node: ast.AST) -> None:
    if isinstance(source.function_of(node), ast.AsyncFunctionDef):
        raise Refusal("an async function cannot yield from anything")


def refuse_other_super(source: Source, node: ast.AST, named: Sequence[str]) -> None:
    """Refuse unless the arguments of super are the class around and the first parameter of its method, which
    super() finds by itself."""
    around = [one for one in source.ancestors(node) if isinstance(one, _SCOPES)]
    method, owner = (*around, None, None)[:2]
    if not (isinstance(method, Function) and isinstance(owner, ast.ClassDef)):
        raise Refusal("super() has to stand in a method itself")
    first = next(iter(parameters(method)), None)
    if first is None or list(named) != [owner.name, first.arg]:
        raise Refusal(f"super({', '.join(named)}) is not of this class and object")
