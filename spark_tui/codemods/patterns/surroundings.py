"""Conditions of patterns on what stands around a place, and on the kinds of values."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.codemods.checks.oldest_python import too_old
from spark_tui.codemods.plan import Refusal
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.words import word_set

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, *_COMPREHENSIONS)

_ASKING = word_set(
    "startswith endswith isdigit isdecimal isnumeric isalpha isalnum isspace isupper islower istitle exists"
    " isfile isidentifier isdir islink is_file is_dir is_symlink is_absolute issubset issuperset isdisjoint"
)
"""Methods and functions that give True or False."""


def refuse_older(repo: Repository) -> None:
    if reason := too_old(repo, 9, "removeprefix"):
        raise Refusal(reason)


def refuse_other_affix(text: str, node: ast.expr | None, *, full: bool) -> None:
    """Refuse what may be several texts, or with `full` an empty one."""
    if isinstance(node, ast.Tuple):
        raise Refusal(f"{text} is several texts")
    known = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) else ""
    if full and not known:
        raise Refusal(f"{text} may be empty, and then the slice leaves nothing")


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


def is_boolean(node: ast.expr) -> bool:
    """Whether the value of an expression is True or False."""
    if isinstance(node, ast.BoolOp):
        return all(map(is_boolean, node.values))
    if isinstance(node, ast.Compare):
        # What is asked for in an `if` is no array.
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in _ASKING
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("isinstance", "issubclass", "callable", "any", "all", "bool", "hasattr")
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
