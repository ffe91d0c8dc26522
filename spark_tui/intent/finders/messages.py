"""Finders for the texts that people see, also as they were printed: with values in the place of what the code
puts in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.context.anchors import Anchor, Search, finder, nodes
from spark_tui.intent.context.lookup import key, split_name
from spark_tui.intent.finders.blocks import class_name, is_log, is_print, message_node, raised_class
from spark_tui.intent.finders.expressions import keep_best
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes

_LOOSE = 0.9
"""How well a text fits that is cut at the end, or that may be printed so."""
_KINDS = {"print": is_print, "log": is_log}
"""Calls whose texts are meant where a word beside the slots begins so."""
_DIRECTIVE = re.compile(r"%(?:\(\w+\))?[-#+0-9.]*[A-Za-z]|\{[^{}]*\}")
_CUT = re.compile(r"\s*(?:\.{2,}|…)\s*\Z")
_LEAST, _SHARE = 8, 0.4
"""The characters that the code itself has to have of a message, and their share of it."""


@finder
def message(at: Search) -> Iterator[Anchor]:
    """Texts that people see: of errors, log calls, warnings, prints and asserts.

    An old text is looked for in all strings after these."""
    whole = _flat(at.context.text("old").strip("'\""))
    old = without_cut(whole)
    exception = key(class_name(at.context.text("exception"))) if at.context.has("exception") else ""
    new = set(split_name(at.context.text("message")))
    beside = at.context.beside_slots().lower()
    asserts = "assert" in beside
    said = [which for word, which in _KINDS.items() if re.search(rf"\b{word}", beside)]
    found: list[tuple[float, ast.AST]] = []
    every = list(nodes(at.root, ast.Raise, ast.Call, ast.Assert))
    for node in [one for one in every if any(which(one) for which in said)] or every:
        holder: ast.AST = node
        if isinstance(node, ast.Raise):
            if exception and key(raised_class(node)) != exception:
                continue
            score = 0.95
            if not isinstance(node.exc, ast.Call):
                if node.exc is not None and not old:
                    found.append((score - 0.1, node.exc))
                continue
            holder = node.exc
        elif isinstance(node, ast.Assert):
            holder, score = node, 1.05 if asserts else 0.9
        elif (is_log(node) or is_print(node)) and not exception:
            score = 0.85
        elif _reports(at.source, node) and not exception:
            score = 0.8
        else:
            continue
        text = message_node(holder) or held_text(at.source, holder)
        if text is None:
            if isinstance(node, ast.Assert) and node.msg is None and not old:
                found.append((score if asserts else 0.5, node))
            elif isinstance(node, ast.Raise) and not old:
                found.append((score - 0.1, holder))
            continue
        if at.source.span(text)[0] < 0 or (old and not _says(at.source, text, old)):
            continue
        exact = bool(old) and whole in _joined_text(at.source, text)
        weight = 1.0 if exact else _LOOSE
        if not old:
            weight = score + (0.2 if _share_half_their_words(at, text, new) else 0.0)
        found.append((weight, text))
    owners = [node for node in nodes(at.root, ast.ClassDef) if exception and key(node.name) == exception]
    for text in (one for owner in owners for one in _own_texts(owner)):
        if not old or _says(at.source, text, old):
            found.append((0.95 + (0.2 if _share_half_their_words(at, text, new) else 0.0), text))
    if not found and old:
        strings = [
            inner for inner in nodes(at.root, ast.Constant, ast.JoinedStr) if at.source.span(inner)[0] >= 0
        ]
        found = [
            (0.8 if whole in _joined_text(at.source, string) else 0.8 * _LOOSE, string)
            for string in strings
            if isinstance(string, ast.JoinedStr) or isinstance(getattr(string, "value", None), str)
            if not isinstance(at.source.parents.get(string), ast.JoinedStr | ast.FormattedValue | ast.Expr)
            if _says(at.source, string, old)
        ]
    yield from keep_best(found)


def _own_texts(owner: ast.ClassDef) -> Iterator[ast.Constant]:
    """The texts that a class of errors has itself: the default of a parameter, what it hands to its base."""
    functions = [stmt for stmt in owner.body if isinstance(stmt, Function) and stmt.name == "__init__"]
    for function in functions:
        handed = [
            one for one in find_nodes(function, ast.Call) if ast.unparse(one.func) == "super().__init__"
        ]
        given = [part for one in handed for part in one.args]
        names = {part.id for part in given if isinstance(part, ast.Name)}
        given += [value for name, value in defaults(function).items() if name in names and value is not None]
        yield from (part for part in given if isinstance(part, ast.Constant) and isinstance(part.value, str))


def _says(source: Source, node: ast.expr, old: str) -> bool:
    """Whether a text holds an old one, or prints it where its values are those."""
    return old in _joined_text(source, node) or may_print(node, old)


def _share_half_their_words(at: Search, node: ast.expr, new: set[str]) -> bool:
    """Whether two texts have half of their words in common."""
    now = set(split_name(_joined_text(at.source, node)))
    return bool(now & new) and len(now & new) >= len(now | new) / 2


def _flat(text: str) -> str:
    return " ".join(text.split()).lower()


def _joined_text(source: Source, node: ast.expr | ast.AST) -> str:
    """The text of a string, its pieces as one."""
    if isinstance(node, ast.Constant):
        return _flat(str(node.value))
    return _flat(re.sub(r"""["']\s*\n\s*[fFrR]?["']""", "", source.segment(node)))


def _reports(source: Source, node: ast.AST) -> bool:
    """Whether a call says what is wrong: `warnings.warn(…)`, `parser.error(…)`, or an error that is made."""
    if not isinstance(node, ast.Call) or isinstance(source.parents.get(node), ast.Raise):
        return False
    name = called_name(node)
    return name in ("warn", "error") or name.endswith(("Error", "Exception"))


def held_text(source: Source, node: ast.AST) -> ast.expr | None:
    """The text of a variable that is given to a call, where it is set once."""
    inside = source.function_of(node)
    parts = node.args if isinstance(node, ast.Call) else [getattr(node, "msg", None)]
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    if inside is None or not names:
        return None
    held = [
        text
        for inner in find_nodes(inside, ast.Assign)
        if len(inner.targets) == 1 and isinstance(inner.targets[0], ast.Name)
        if inner.targets[0].id in names
        and (text := message_node(ast.Call(inner.value, [inner.value], []))) is not None
    ]
    return held[0] if len(held) == 1 else None


def without_cut(text: str) -> str:
    """A text without the dots at the end that say that it goes on, unless it is no more than those."""
    return _CUT.sub("", text) or text


def may_print(node: ast.expr, shown: str) -> bool:
    """Whether the text that an expression makes can be the one that is shown, whatever values it has."""
    pieces = [" ".join(piece.split()).lower() for piece in _pieces(node)]
    own = sum(map(len, pieces))
    wanted = " ".join(shown.split()).lower()
    if len(pieces) < 2 or own < _LEAST or own < _SHARE * len(wanted):
        return False
    at = 0
    for piece in pieces:
        found = wanted.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _pieces(node: ast.expr) -> Iterator[str]:
    """What a text says between its values."""
    match node:
        case ast.Constant(value=str(text)):
            yield from _DIRECTIVE.split(text)
        case ast.JoinedStr():
            before = ""
            for part in node.values:
                if isinstance(part, ast.Constant):
                    before += str(part.value)
                else:
                    yield before
                    before = ""
            yield before
        case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str(text))):
            yield from _DIRECTIVE.split(text)
        case ast.Call(func=ast.Attribute(attr="format", value=ast.Constant(value=str(text)))):
            yield from _DIRECTIVE.split(text)
