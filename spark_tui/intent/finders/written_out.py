"""Finder for statements that print, log, or end the program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.context.anchors import Anchor, Search, finder, nodes
from spark_tui.intent.context.situation import Area
from spark_tui.intent.finders.blocks import is_log, is_print

EXITS = ("sys.exit", "exit", "quit", "os._exit")
_ECHO = ("click.echo", "click.secho", "typer.echo", "sys.stderr.write", "sys.stdout.write")


@finder
def written_out(at: Search) -> Iterator[Anchor]:
    for node in nodes(at.root, ast.Expr):
        made = node.value
        if not isinstance(made, ast.Call):
            continue
        exits = ast.unparse(made.func) in EXITS
        if exits and _is_behind(at, node):
            continue
        if exits or is_print(made) or is_log(made) or ast.unparse(made.func) in _ECHO:
            behind = at.source.following(node)
            leaves = exits or (bool(behind) and is_exit(behind[0]))
            words = {"text": at.source.segment(node), "kind": "logged" if is_log(made) else "shown"}
            words["leaves"] = "exit" if leaves else ""
            returned = behind[0].value if behind and isinstance(behind[0], ast.Return) else None
            words["returns"] = ast.unparse(returned) if returned is not None else ""
            yield Anchor(Area(""), node, weight=0.95 if _ends(at, node) else 0.5, words=words)


def is_exit(node: ast.stmt) -> bool:
    """Whether a statement ends the program."""
    made = node.value if isinstance(node, ast.Expr) else None
    return isinstance(made, ast.Call) and ast.unparse(made.func) in EXITS


def _is_behind(at: Search, node: ast.stmt) -> bool:
    """Whether a print or log call stands in front of an exit: then that is what is meant."""
    suite = at.source.suite(node)
    place = suite.index(node)
    before = suite[place - 1] if place else None
    made = before.value if isinstance(before, ast.Expr) else None
    return made is not None and (is_print(made) or is_log(made) or "write" in ast.unparse(made)[:20])


def _ends(at: Search, node: ast.stmt) -> bool:
    """Whether its branch ends with a statement, or it leaves directly after it."""
    behind = at.source.following(node)
    inner = isinstance(at.source.parents.get(node), ast.If | ast.ExceptHandler | ast.For)
    leaving = ast.Return | ast.Continue | ast.Break
    return inner and (not behind or isinstance(behind[0], leaving) or is_exit(behind[0]))
