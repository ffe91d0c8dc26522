"""A line that is shown, and a name for it: the name is for the only one that the line sets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.context.situation import Situation
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import find_nodes, walk

_NAMED = re.compile(
    r"(?:(?:in|on|at|for)\s+)?(?:the\s+)?(?:line\s+(?P<line>\d+)|`(?P<code>[^`]+)`)\s*[:,]?\s*(?:please\s+)?"
    r"(?:re)?(?:name|call)\s+it\s+(?:(?:to|as)\s+)?`?(?P<new>[^\W\d]\w*)`?\W*",
    re.IGNORECASE,
)


def with_name_set(instruction: str, situation: Situation) -> str:
    """The instruction as a rename of that name: *`while b := f.read():` call it block*."""
    said = _NAMED.fullmatch(instruction.strip())
    if said is None or situation.path not in situation.repo.index.paths:
        return instruction
    source = situation.repo.index.source(situation.path)
    line, code = int(said["line"] or 0), (said["code"] or "").strip().rstrip(":")
    found = [
        stmt
        for stmt in source.statements
        if stmt.lineno == line or (code and source.lines[stmt.lineno - 1].strip().rstrip(":") == code)
    ]
    names = {(name, source.function_of(stmt)) for stmt in found for name in _set_by(stmt)}
    if len(names) != 1:
        return instruction
    name, function = names.pop()
    where = f" in {source.qualname(function)}" if function is not None else ""
    return f"rename `{name}` to `{said['new']}`{where}"


def _set_by(stmt: ast.stmt) -> Iterator[str]:
    """The names that a statement sets in its first line."""
    heads: list[ast.expr] = [*targets(stmt)]
    if isinstance(stmt, ast.With | ast.AsyncWith):
        heads += [item.optional_vars for item in stmt.items if item.optional_vars is not None]
    heads += [node.target for node in find_nodes(stmt, ast.NamedExpr) if node.lineno == stmt.lineno]
    names = (node for head in heads for node in walk(head) if isinstance(node, ast.Name))
    yield from (node.id for node in names if isinstance(node.ctx, ast.Store))
