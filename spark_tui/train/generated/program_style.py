"""Rewrites a generated program in another style: comments, annotations, quotes."""

from __future__ import annotations

import ast
import tokenize

from spark_tui.train.generated.program_names import ProgramNames
from spark_tui.train.generated.snippet_generator import VERBS
from spark_tui.train.source_windows import (
    Change,
    SourceWindow,
    apply_changes,
    arguments,
    line_starts,
    parse,
    tokens_of,
)

COMMENTED, ANNOTATED, SINGLE = 0.35, 0.25, 0.22
_TYPES = ("str", "int", "float", "list", "dict", "bool", "list[str]", "dict[str, int]", "tuple", "bytes")
_DUNDERS = {"__str__": "str", "__repr__": "str", "__len__": "int", "__init__": "None"}
_OF_DEFAULT = {str: "str", int: "int", float: "float", bool: "bool", bytes: "bytes"}


def dressed(text: str, cast: ProgramNames) -> str:
    rng = cast.rng
    for share, change in ((ANNOTATED, annotated), (COMMENTED, commented), (SINGLE, single_quoted)):
        if rng.random() < share:
            made = change(text, cast)
            text = made if parse(made) is not None else text
    return text


def commented(text: str, cast: ProgramNames) -> str:
    """Adds a few comments above statements, and after some."""
    tree = parse(text)
    if tree is None:
        return text
    window, rng = SourceWindow("x.py", text, tree), cast.rng
    found = [
        item
        for item, _ in window.statements()
        if window.own_lines(item) and not isinstance(item, ast.Import | ast.ImportFrom)
    ]
    found = [
        item for item in found if not window.lines[item.lineno - 1].lstrip().startswith(("elif", '"', "'"))
    ]
    changes: list[Change] = []
    for item in rng.sample(found, min(len(found), rng.randint(1, 4))):
        comment = _comment(cast)
        line = window.lines[item.lineno - 1]
        if (
            isinstance(item, ast.Assign | ast.Expr)
            and item.lineno == item.end_lineno
            and len(line) < 70
            and rng.random() < 0.25
        ):
            end = window.starts[item.lineno] - 1
            changes.append((end, end, f"  # {comment}"))
        else:
            start = window.starts[window.first_line(item) - 1]
            changes.append((start, start, f"{window.indent(item)}# {comment}\n"))
    return apply_changes(text, changes)


def _comment(cast: ProgramNames) -> str:
    rng, verb = cast.rng, cast.rng.choice(VERBS)
    made = rng.choice(
        (
            f"{verb} the {cast.word()}",
            f"TODO: {verb} {cast.word()}",
            f"{cast.text()}",
            f"{verb} it first",
            f"only for the {cast.word()}",
            f"in {rng.choice(('seconds', 'minutes', 'percent', 'bytes', 'cents'))}",
            f"see {cast.word()}",
            cast.sentence(),
        )
    )
    return made if rng.random() < 0.6 else made[:1].upper() + made[1:]


def annotated(text: str, cast: ProgramNames) -> str:
    """Adds types of parameters and results."""
    tree = parse(text)
    if tree is None:
        return text
    window, rng = SourceWindow("x.py", text, tree), cast.rng
    changes: list[Change] = []
    for function in window.functions:
        if function.decorator_list or rng.random() < 0.25:
            continue
        defaults: dict[str, ast.expr] = {}
        positional = function.args.args
        for item, default in zip(
            positional[len(positional) - len(function.args.defaults) :], function.args.defaults, strict=True
        ):
            defaults[item.arg] = default
        for item in arguments(function):
            known = defaults.get(item.arg)
            if item.annotation is not None or item in function.args.kwonlyargs:
                continue
            if known is None:
                annotation = rng.choice(_TYPES)
            elif isinstance(known, ast.Constant) and known.value is None:
                annotation = f"{rng.choice(_TYPES)} | None"
            elif isinstance(known, ast.Constant) and type(known.value) in _OF_DEFAULT:
                annotation = _OF_DEFAULT[type(known.value)]
            else:
                annotation = rng.choice(("str", "int", "float"))
            end = window.span(item)[1]
            changes.append((end, end, f": {annotation}"))
            if known is not None:
                at = window.span(known)[0]
                changes.append((end, at, " = "))
        returned = [n for n in ast.walk(function) if isinstance(n, ast.Return) and n.value is not None]
        annotation = rng.choice(_TYPES) if returned else "None"
        annotation = _DUNDERS.get(function.name, annotation)
        close = window.text.find("):\n", window.offset(function.lineno, function.col_offset))
        if function.returns is None and close >= 0 and window.line_at(close) < function.body[0].lineno:
            changes.append((close + 1, close + 1, f" -> {annotation}"))
    return apply_changes(text, changes)


def single_quoted(text: str, _: ProgramNames) -> str:
    """Writes strings in single quotes where that is possible."""
    starts, changes = line_starts(text), list[Change]()
    for token in tokens_of(text):
        if token.type == tokenize.STRING and token.start[0] == token.end[0] and '"""' not in token.string:
            head, quote, rest = token.string.partition('"')
            if quote and rest.endswith('"') and not set("'\"\\") & set(rest[:-1]):
                start = starts[token.start[0] - 1] + token.start[1]
                changes.append((start, start + len(token.string), f"{head}'{rest[:-1]}'"))
    return apply_changes(text, changes)
