"""Finders for all texts that a program says, each with what kind of message it is, and for the statements
that print, log, or end the program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.context.anchors import Anchor, Search, finder, nodes
from spark_tui.intent.context.situation import Area
from spark_tui.intent.facts.literal_types import is_string
from spark_tui.intent.finders.blocks import is_log, is_print, message_node
from spark_tui.intent.finders.messages import held_text
from spark_tui.pysource.source import Source

PASSED = "passed"
"""The kind of a text that any other call is given: what is sent to somebody, or a label."""
_SAYS = ("exit", "SystemExit", "echo", "secho", "warn", "error", "fail", "abort")
_STREAMS = ("sys.stderr.write", "sys.stdout.write", "stderr.write", "stdout.write")
_WEIGHTS = {"errors": 0.95, "logged": 0.9, "shown": 0.9, "returned": 0.4, PASSED: 0.3}
EXITS = ("sys.exit", "exit", "quit", "os._exit")
_ECHO = ("click.echo", "click.secho", "typer.echo", "sys.stderr.write", "sys.stdout.write")


@finder
def said_message(at: Search) -> Iterator[Anchor]:
    """The texts of errors, log calls, prints, exits and returns; errors without a text."""
    for node in nodes(at.root, ast.Raise, ast.Call, ast.Assert, ast.Return):
        kind, text = _message(at.source, node)
        if text is not None and _shows_text(text) and at.source.span(text)[0] >= 0:
            yield Anchor(Area(""), text, weight=_WEIGHTS[kind], words={"kind": kind, "called": _called(node)})


def _called(node: ast.AST) -> str:
    """The name of what is called with a text, without what has it: `exit`, `warning`."""
    made = node.exc if isinstance(node, ast.Raise) else node
    made = made.func if isinstance(made, ast.Call) else made
    return ast.unparse(made).rpartition(".")[2].lower() if isinstance(made, ast.Name | ast.Attribute) else ""


def _shows_text(node: ast.expr) -> bool:
    """Whether an expression is a text, or an error without one."""
    if isinstance(node, ast.BinOp):
        return _shows_text(node.left) or _shows_text(node.right)
    return not isinstance(node, ast.Constant) or isinstance(node.value, str)


def _message(source: Source, node: ast.AST) -> tuple[str, ast.expr | None]:
    if isinstance(node, ast.Raise):
        made = node.exc
        bare = (
            isinstance(made, ast.Name | ast.Attribute) and ast.unparse(made).rpartition(".")[2][:1].isupper()
        )
        if isinstance(made, ast.Call):
            text = message_node(made) or held_text(source, made)
            return "errors", text or (made if not made.args and not made.keywords else None)
        return "errors", made if bare else None
    if isinstance(node, ast.Assert):
        return "errors", message_node(node)
    if isinstance(node, ast.Return) and node.value is not None:
        return "returned", message_node(ast.Call(node.value, [node.value], []))
    if isinstance(node, ast.Call) and not isinstance(source.parents.get(node), ast.Raise):
        name = ast.unparse(node.func)
        last = name.rpartition(".")[2]
        if is_log(node):
            return "logged", message_node(node)
        if last in _SAYS or name in _STREAMS or last.endswith(("Error", "Exception", "Warning")):
            return ("errors" if last not in ("echo", "secho") else "shown"), message_node(node)
        if is_print(node):
            return "shown", message_node(node)
        return PASSED, next(filter(is_string, node.args), None)
    return "shown", None


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
