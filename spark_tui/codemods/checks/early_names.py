"""Names that a module reads when they are not there: before it sets them, or bound for type checkers only,
under `if TYPE_CHECKING`."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from spark_tui.pysource.names.imports import has_lazy_annotations
from spark_tui.pysource.names.scopes import Occurrence, Role, Scopes
from spark_tui.pysource.source import Definition, Function, Source, parameters
from spark_tui.pysource.summary import dotted
from spark_tui.pysource.syntax.parsing import walk


class Early(NamedTuple):
    """The line where a name is read when it is not there, and why. Not sure of annotations: later versions of
    Python do not read them."""

    line: int
    reason: str
    sure: bool


def read_early(scopes: Scopes) -> dict[str, Early]:
    """The names of a module that it reads when they are not there."""
    out: dict[str, Early] = {}
    found = list(_read_unset(scopes))
    hints, unread = _annotations(scopes.source) if found else (set(), set())
    for name, why, loads in found:
        if early := [one for one in loads if one.node not in unread]:
            line = scopes.source.line_number(max(early[0].span[0], 0))
            out[name] = Early(line, f"{name} {why}", any(one.node not in hints for one in early))
    return out


def _read_unset(scopes: Scopes) -> Iterator[tuple[str, str, list[Occurrence]]]:
    """The names of a module that are read before they are set, or set for types only, and where."""
    for_types = _for_types(scopes.source)
    lenient = scopes.module.star_import or scopes.source.path.endswith(".pyi")
    for name in () if lenient else scopes.module.bound:
        variable = scopes.variable(name, scopes.module)
        bound = [one for one in variable.bindings if one.role is not Role.ANNOTATE] if variable else []
        if variable is None or not bound:
            continue
        first = min((one.order for one in bound if one.node not in for_types), default=math.inf)
        loads = [one for one in variable.loads if one.order < first and not one.in_string]
        if loads := [one for one in loads if one.node not in for_types]:
            yield name, "is imported for types only" if first == math.inf else "is set below it", loads


def is_late(scopes: Scopes, name: str, node: ast.AST) -> bool:
    """Whether a name of the module is not there when a statement of it runs."""
    variable, for_types = scopes.variable(name, scopes.module), _for_types(scopes.source)
    bound = [one.node for one in variable.bindings] if variable is not None else []
    start, inside = scopes.source.span(node)[0], scopes.source.function_of(node) is not None
    below = [one for one in bound if not inside and scopes.source.span(one)[1] > start]
    return bool(bound) and for_types.union(below).issuperset(bound)


def is_for_types(scopes: Scopes, name: str) -> bool:
    """Whether a module binds a name for types only."""
    variable = scopes.variable(name, scopes.module)
    return variable is not None and _for_types(scopes.source).issuperset(
        one.node for one in variable.bindings
    )


def _for_types(source: Source) -> set[ast.AST]:
    """The nodes in code for types."""
    if "TYPE_CHECKING" not in source.text:
        return set()
    ifs = (statement for statement in source.statements if isinstance(statement, ast.If))
    asking = (statement for statement in ifs if dotted(statement.test).rpartition(".")[2] == "TYPE_CHECKING")
    return _nodes(below for statement in asking for below in statement.body)


def _annotations(source: Source) -> tuple[set[ast.AST], set[ast.AST]]:
    """The nodes in annotations, and of these the ones that are not read when the file runs."""
    held: list[ast.AST | None] = []
    local: list[ast.AST | None] = []
    for one in source.statements:
        if isinstance(one, Function):
            held += [one.returns, *(parameter.annotation for parameter in parameters(one))]
        elif isinstance(one, ast.AnnAssign):
            holder = next((outer for outer in source.ancestors(one) if isinstance(outer, Definition)), None)
            (local if isinstance(holder, Function) else held).append(one.annotation)
    every = _nodes((*held, *local))
    return every, every if has_lazy_annotations(source) else _nodes(local)


def _nodes(held: Iterable[ast.AST | None]) -> set[ast.AST]:
    return {node for one in held if one is not None for node in walk(one)}
