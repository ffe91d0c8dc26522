"""Conditions out of packages: what a guard says in its message or in a comment, and what it tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from random import Random

from spark_tui.intent.conditions.candidates import ConditionPlace
from spark_tui.intent.conditions.predicates import predicate_of
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import walk
from spark_tui.train.conditions.samples import Example
from spark_tui.train.corpus import Module

_LEAVING = {ast.Raise: "raise", ast.Return: "return", ast.Continue: "continue", ast.Break: "break"}
_REMARK = re.compile(r"noqa|type:|pragma|TODO|pylint")
_LONGEST_FUNCTION, _MOST_EACH = 90, 25


def examples(modules: list[Module], rng: Random) -> Iterator[Example]:
    """Guards that say what they are for, looked at as if they were not written yet."""
    for module in rng.sample(modules, len(modules)):
        lines = module.text.splitlines()
        guards = [
            node for node in ast.walk(ast.parse(module.text)) if isinstance(node, ast.If) and _leaves(node)
        ]
        worded = [(item, phrases) for item in guards if (phrases := _phrases(item, lines))]
        for guard, phrases in rng.sample(worded, min(len(worded), _MOST_EACH)):
            test = predicate_of(guard.test)
            place = _without(guard, lines) if test is not None else None
            if place is not None and test is not None:
                action = _LEAVING[type(guard.body[-1])]
                for phrase in phrases[:2]:
                    yield Example(phrase, phrase, action, place, frozenset((test,)))


def _leaves(guard: ast.If) -> bool:
    leaving = type(guard.body[-1]) in _LEAVING and len(guard.body) <= 2
    return leaving and (not guard.orelse or isinstance(guard.body[-1], ast.Raise))


def _without(guard: ast.If, lines: list[str]) -> ConditionPlace | None:
    """The function around a guard as it is without the guard; None where it is in none, or is an `elif`."""
    first, last = guard.lineno - 1, guard.end_lineno or guard.lineno
    start = lines[first]
    if not start.lstrip().startswith("if "):
        return None
    text = [*lines[:first], start[: len(start) - len(start.lstrip())] + "pass", *lines[last:]]
    source = Source("\n".join(text))
    parents = {inner: node for node in walk(source.tree) for inner in ast.iter_child_nodes(node)}
    around = [parent for parent in parents if isinstance(parent, Function) and _holds(parent, first + 1)]
    function = max(around, key=lambda node: node.lineno, default=None)
    if function is None or (function.end_lineno or 0) - function.lineno > _LONGEST_FUNCTION:
        return None
    owner = parents[function]
    return ConditionPlace.of(function, source, owner if isinstance(owner, ast.ClassDef) else None)


def _holds(function: Function, line: int) -> bool:
    return function.lineno < line <= (function.end_lineno or 0)


def _phrases(guard: ast.If, lines: list[str]) -> list[str]:
    """What the guard says: its message, a comment after it, above it, or in it."""
    out = []
    last = guard.body[-1]
    if isinstance(last, ast.Raise) and last.exc is not None:
        out.append(_message(last.exc))
    elif len(guard.body) == 2:
        out.append(_message(guard.body[0]))
    first = guard.lineno - 1
    if (tail := re.search(r"\s#\s*(.{4,80})$", lines[first])) is not None:
        out.append(tail[1])
    for at in (first - 1, first + 1):
        comment = _comment(lines, at)
        if (
            comment
            and not _comment(lines, at - 1)
            and not _REMARK.search(comment)
            and 1 < len(comment.split()) < 14
        ):
            out.append(comment)
    return [" ".join(text.split())[:120] for text in out if text.strip()]


def _message(node: ast.AST) -> str:
    for inner in ast.walk(node):
        if isinstance(inner, ast.JoinedStr):
            return "".join(
                str(value.value) if isinstance(value, ast.Constant) else " " for value in inner.values
            )
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and len(inner.value) > 3:
            return inner.value
    return ""


def _comment(lines: list[str], at: int) -> str:
    line = lines[at].strip() if 0 <= at < len(lines) else ""
    return line.lstrip("# ").strip() if line.startswith("#") else ""
