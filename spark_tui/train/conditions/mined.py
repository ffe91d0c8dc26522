"""Conditions out of packages: what a guard says in its message or in a comment, and what it tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from random import Random

from spark_tui.intent.conditions.candidates import Place
from spark_tui.intent.conditions.predicates import predicate_of
from spark_tui.pysource.source import Function
from spark_tui.train.conditions.samples import Example
from spark_tui.train.corpus import Module

_LEAVING = {ast.Raise: "raise", ast.Return: "return", ast.Continue: "continue", ast.Break: "break"}
_REMARK = re.compile(r"noqa|type:|pragma|TODO|pylint")
_LONGEST_FUNCTION, _MOST_EACH = 90, 25


def examples(modules: list[Module], rng: Random) -> Iterator[Example]:
    """Guards that say what they are for, looked at as if they were not written yet."""
    for module in rng.sample(modules, len(modules)):
        tree = ast.parse(module.text)
        lines = module.text.splitlines()
        found = [each for each in _guards(tree, None, None) if _phrases(each[0], lines)]
        for guard, body, function, owner in rng.sample(found, min(len(found), _MOST_EACH)):
            test = predicate_of(guard.test)
            if test is None or (function.end_lineno or 0) - function.lineno > _LONGEST_FUNCTION:
                continue
            at = body.index(guard)
            body[at] = ast.copy_location(ast.Pass(), guard)
            place = Place.of(function, tree, owner)
            body[at] = guard
            for phrase in _phrases(guard, lines)[:2]:
                yield Example(phrase, phrase, _LEAVING[type(guard.body[-1])], place, frozenset((test,)))


_Found = tuple[ast.If, list[ast.stmt], ast.FunctionDef | ast.AsyncFunctionDef, ast.ClassDef | None]


def _guards(node: ast.AST, function: ast.AST | None, owner: ast.ClassDef | None) -> Iterator[_Found]:
    """The guards below a node with the lines that they stand in, their functions and classes."""
    for name in ("body", "orelse", "finalbody", "handlers"):
        body = getattr(node, name, None)
        for one in list(body) if isinstance(body, list) else ():
            if isinstance(one, ast.If) and isinstance(function, Function) and isinstance(body, list):
                plain = type(one.body[-1]) in _LEAVING and len(one.body) <= 2
                if plain and (not one.orelse or isinstance(one.body[-1], ast.Raise)):
                    yield one, body, function, owner
            inner = one if isinstance(one, Function) else function
            around = (
                one if isinstance(one, ast.ClassDef) else owner if not isinstance(node, Function) else None
            )
            yield from _guards(
                one, inner, around if not isinstance(one, Function) or around is node else owner
            )


def _phrases(guard: ast.If, lines: list[str]) -> list[str]:
    """What the guard says: its message, a comment behind it, above it, or in it."""
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
        said = _comment(lines, at)
        if said and not _comment(lines, at - 1) and not _REMARK.search(said) and 1 < len(said.split()) < 14:
            out.append(said)
    return [" ".join(one.split())[:120] for one in out if one.strip()]


def _message(node: ast.AST) -> str:
    for one in ast.walk(node):
        if isinstance(one, ast.JoinedStr):
            return "".join(str(each.value) if isinstance(each, ast.Constant) else " " for each in one.values)
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and len(one.value) > 3:
            return one.value
    return ""


def _comment(lines: list[str], at: int) -> str:
    line = lines[at].strip() if 0 <= at < len(lines) else ""
    return line.lstrip("# ").strip() if line.startswith("#") else ""
