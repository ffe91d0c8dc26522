"""Calls that write a message to standard error."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at, builder
from spark_tui.intent.building.rewritten import Rewritten, make_replacement
from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders.blocks import is_print
from spark_tui.intent.values.converters.texts import unquoted
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_OUTPUT = ("sys.stdout.write", "stdout.write")
_ECHO = ("click.echo", "click.secho", "typer.echo", "typer.secho")
_ERRORS = re.compile(
    r"error|fail|cannot|can't|could not|couldn't|not found|missing|invalid|unknown|usage|warning|no such|bad "
    r"|fehler|erreur",
    re.I,
)


@builder("print_to_stderr")
def print_to_stderr(context: Context) -> Iterator[Built]:
    message_text = unquoted(context.text("message"))
    if phrases.is_said("failing", phrases.without_articles(message_text).lower()):
        message_text = ""
    found: list[Anchor] = []
    done, done_fit = 0, 0.0
    for area, source, node in context.find(ast.Call):
        if not _writes(node):
            continue
        new = _moved(source, node)
        done += not new
        fit = _fits(source, node, message_text) if message_text else 1.0 if _is_error(source, node) else 0.3
        done_fit = max(done_fit, 0.0 if new or not message_text else fit)
        if new and fit:
            found.append(Anchor(area, node, 0.95 * fit * area.weight, area.doubts, {"new": new}))
    best = max((anchor.weight for anchor in found), default=0.0)
    if done_fit > best / 0.95:
        raise Unresolved("it already goes to standard error", True)
    found = [anchor for anchor in found if anchor.weight > 0.99 * best]
    if not found:
        raise Unresolved("it already goes to standard error" if done else "no print like that", bool(done))
    calls = []
    for one in sorted(found, key=lambda item: -getattr(item.node, "lineno", 0)):
        assert isinstance(one.node, ast.Call)
        calls.append(make_replacement(context, Rewritten(one.area, one.node, one.words["new"])))
    if len(calls) > 1 and not context.lines() and len({anchor.path for anchor in found}) == 1:
        yield Built(tuple(calls), 0.9 * best, (f"all {len(calls)} messages that fit go there",))
    for one in weighted(context, found):
        assert isinstance(one.node, ast.Call)
        yield build_at(one, make_replacement(context, Rewritten(one.area, one.node, one.words["new"])))


def _writes(node: ast.Call) -> bool:
    return is_print(node) or ast.unparse(node.func) in (*_OUTPUT, *_ECHO, "sys.stderr.write")


def _moved(source: Source, node: ast.Call) -> str:
    """The call that writes to standard error; empty where it says already where it writes."""
    shown = source.segment(node)
    callee = ast.unparse(node.func)
    if callee in _OUTPUT:
        return shown.replace("stdout", "stderr", 1)
    name, value = ("err", "True") if callee in _ECHO else ("file", "sys.stderr")
    old = next((keyword.value for keyword in node.keywords if keyword.arg == name), None)
    if old is not None or callee == "sys.stderr.write":
        return ""
    body = shown[:-1].rstrip()
    comma = "" if body.endswith(("(", ",")) else ", "
    return f"{body}{comma}{' ' if body.endswith(',') else ''}{name}={value})"


def _fits(source: Source, node: ast.Call, phrase: str) -> float:
    """How much of a message stands in a call."""
    text = source.segment(node)
    if phrase in text:
        return 1.0
    words = set(re.findall(r"\w+", phrase.lower()))
    known = set(re.findall(r"\w+", text.lower()))
    share = len(words & known) / max(len(words), 1)
    return 0.8 * share if share >= 0.5 else 0.0


def _is_error(source: Source, node: ast.Call) -> bool:
    """Whether a call tells of an error: in a handler, in front of an exit, or by its words."""
    if any(isinstance(ancestor, ast.ExceptHandler) for ancestor in source.ancestors(node)):
        return True
    statement = source.statement(node)
    later = source.following(statement) if isinstance(statement, ast.stmt) else []
    ends = ast.unparse(later[0]) if later else ""
    return bool(re.match(r"(?:sys\.)?exit\((?!0?\))|return [1-9]|raise SystemExit\((?!0?\))", ends)) or bool(
        any(
            _ERRORS.search(inner.value)
            for inner in find_nodes(node, ast.Constant)
            if isinstance(inner.value, str)
        )
    )
