"""A call that a message names in the place of the statement that was written: *log.error rather*."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator

from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.written.syntax import NodeRewrite, WrittenSyntax
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.parsing import parse

_LIKELY = 0.9
_ENDS = re.compile(r"(?:sys\.)?exit\b|quit\b")
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def called_instead(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """The call with what the last raise, or the last call that was all of a statement, says. Behind a line in
    place of a raise the function may be left or go on: both are given."""
    found = re.search(followup_table()["forms"]["called"], written.instruction, re.IGNORECASE)
    for node in reversed(written.nodes) if found is not None else ():
        said = _said(node)
        if said is None or found is None or not isinstance(node, ast.stmt):
            continue
        code = found["call"]
        if "(" not in code:
            shown = ", ".join(map(written.source.segment, said))
            code = f"{code}({shown})" if len(said) == 1 or (said and code == "print") else ""
        known = written.visible(node).bound | {*dir(builtins)}
        head, dot, _ = code.partition(".")
        # A module of the library that is not imported yet is imported for it.
        there = re.split(r"\W", code)[0] in known or bool(dot and head in sys.stdlib_module_names)
        if not code or parse(code) is None or not there:
            return
        if isinstance(node, ast.Raise) and not _ENDS.match(code):
            indent = written.source.lines[node.lineno - 1][: node.col_offset]
            yield NodeRewrite(node, f"{code}\n{indent}{_leaving(written, node)}", _LIKELY)
        yield NodeRewrite(node, code, _LIKELY)
        return


def _said(node: ast.AST) -> list[ast.expr] | None:
    """What a raise or a call gives; None for other nodes."""
    called = node.exc if isinstance(node, ast.Raise) else node.value if isinstance(node, ast.Expr) else None
    if isinstance(called, ast.Call):
        return called.args if not called.keywords else []
    return [] if isinstance(node, ast.Raise) and node.exc is not None else None


def _leaving(written: WrittenSyntax, node: ast.stmt) -> str:
    around = (one for one in written.source.ancestors(node) if isinstance(one, (*_LOOPS, Function)))
    return "continue" if isinstance(next(around, None), _LOOPS) else "return"
