"""What the words of a condition name in the code at hand: calls, pieces, entries, members, signs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.facts.failing_expressions import Failure, failures, own_nodes
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk


@dataclass(frozen=True, eq=False)
class CodeAt:
    context: Context
    source: Source
    root: ast.AST

    @property
    def failures(self) -> tuple[Failure, ...]:
        return failures(self.source, self.root)


def locate_code(context: Context, anchor: Anchor) -> CodeAt | None:
    node = anchor.node
    if node is None or anchor.path not in context.repo.index.paths:
        return None
    return CodeAt(context, context.source(anchor.path), node)


def _variables_by_call(at: CodeAt) -> dict[str, set[str]]:
    """The variables that are set from calls, by the name that is called."""
    out: dict[str, set[str]] = {}
    for node, target in list_assignments(at.root):
        called = node.func if isinstance(node, ast.Call) else None
        last = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if last:
            out.setdefault(key(last), set()).add(ast.unparse(target))
    return out


def list_assignments(root: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The values that names are set to, with the names."""
    for node in own_nodes(root):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.value, node.targets[0]


def find_result_variable(context: Context, anchor: Anchor, known: list[Option]) -> list[Option]:
    """A function that is named alone means the variable that keeps its result."""
    at = locate_code(context, anchor)
    if at is None:
        return known
    by_call, functions = _variables_by_call(at), at.source.functions
    given = {one.name: by_call.get(key(one.name), set()) for one in functions} if by_call else {}
    made = {name: next(iter(found)) for name, found in given.items() if len(found) == 1}
    out = []
    for option in known:
        tested = [
            node for node in walk(ast.parse(option.text)) if isinstance(node, ast.Compare | ast.UnaryOp)
        ]
        sides = [node for test in tested for node in ast.iter_child_nodes(test)]
        text = option.text
        for name in {side.id for side in sides if isinstance(side, ast.Name) and side.id in made}:
            text = re.sub(rf"(?<![\w.]){name}(?![\w(])", made[name], text)
        out.append(replace(option, text=text))
    return out
