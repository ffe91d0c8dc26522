"""Short literals that are exchanged everywhere: only where they stand for the same, as the 2 of `exit(2)` in
other exits, and not in `indent=2`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from spark_tui.codemods.families.values.replacement import ReplaceExpression
from spark_tui.codemods.registry import Operation
from spark_tui.intent.context.situation import Candidate
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes

_SHORT = 2
"""How many digits a number has that may stand for many things."""
_NOWHERE = "elsewhere it stands for something else"


def only_like_literals(
    found: Sequence[Candidate], made: Sequence[Operation], before: Repository
) -> list[Candidate]:
    """The candidates without the places at which a short literal stands for something else than where it was
    exchanged first."""
    roles = {role for call in made for role in _roles(call, before)}
    out = []
    for one in found if roles else ():
        calls = tuple(call for call in one.calls if not (there := _roles(call, before)) or there & roles)
        if calls and set(calls) <= set(made) and len(calls) < len(one.calls):
            out.append(replace(one, calls=(), refused=_NOWHERE, nothing=True))
        else:
            out.append(replace(one, calls=calls))
    return out or list(found)


def _roles(call: Operation, before: Repository) -> set[tuple[str, ...]]:
    """What a literal stands for that a call exchanges; nothing where it is no short one."""
    if not isinstance(call, ReplaceExpression) or call.place.path not in before.index.paths:
        return set()
    old = str(call.old)
    if not (old in ("True", "False", "None") or (old.isdigit() and len(old) <= _SHORT)):
        return set()
    source, lines = before.index.source(call.place.path), range(call.place.first, call.place.last + 1)
    spots = (node for node in find_nodes(source.tree, ast.Constant) if node.lineno in lines)
    return {_role(source, node) for node in spots if source.segment(node) == old}


def _role(source: Source, node: ast.Constant) -> tuple[str, ...]:
    parent = source.parents.get(node)
    if isinstance(parent, ast.keyword):
        return ("named", parent.arg or "")
    if isinstance(parent, ast.Call):
        return ("given", called_name(parent), str(parent.args.index(node)))
    if isinstance(parent, ast.Assign | ast.AnnAssign):
        target = parent.targets[0] if isinstance(parent, ast.Assign) else parent.target
        return ("named", last_name(target).lower())
    function = source.parents.get(parent) if isinstance(parent, ast.arguments) else None
    if isinstance(function, Function):
        return ("named", *(name for name, value in defaults(function).items() if value is node))
    if isinstance(parent, ast.Compare):
        sides = (parent.left, *parent.comparators)
        return ("compared", *(ast.unparse(one) for one in sides if one is not node))
    return (type(parent).__name__,)
