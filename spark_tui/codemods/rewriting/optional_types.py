"""Annotations that allow None, as their file writes it: `str | None`, or `Optional[str]`."""

from __future__ import annotations

import ast

from spark_tui.codemods.plan import Edit
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

_ANYTHING = ("None", "Any", "object", "Optional")
_AROUND = ("Annotated", "ClassVar", "Final", "InitVar", "Mapped", "NotRequired", "ReadOnly", "Required")


def allows_none(shown: str) -> bool:
    """Whether an annotation allows None itself, and not only in what it holds: `dict[str, Any]` does not."""
    try:
        return _allows(ast.parse(shown.strip(), mode="eval").body)
    except SyntaxError:
        return False


def _allows(hint: ast.expr) -> bool:
    match hint:
        case ast.Constant(value=value):
            return allows_none(value) if isinstance(value, str) else value is None
        case ast.BinOp(left=left, right=right):
            return _allows(left) or _allows(right)
        case ast.Subscript(value=outer, slice=inner):
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            word = last_name(outer)
            if word in _AROUND:
                return _allows(parts[0])
            if word == "Literal":
                return any(isinstance(one, ast.Constant) and one.value is None for one in parts)
            return word == "Optional" or (word == "Union" and any(map(_allows, parts)))
    return last_name(hint) in _ANYTHING


def optional_form(repo: Repository, path: str) -> str:
    return "Optional[{}]" if "Optional" in repo.index.scopes(path).module.bound else "{} | None"


def allow_none(repo: Repository, source: Source, hint: ast.expr | None, value: str) -> list[Edit]:
    """The edit of an annotation of what is newly None; nothing where it allows that, or for another value."""
    shown = source.segment(hint) if hint is not None else ""
    if hint is None or value.strip() != "None" or allows_none(shown):
        return []
    quoted = f"{shown[:-1]} | None{shown[-1]}" if isinstance(hint, ast.Constant) else ""
    new = quoted or optional_form(repo, source.path).format(shown)
    return [Edit(source.path, *source.span(hint), new)]
