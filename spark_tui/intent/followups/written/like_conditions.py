"""Conditions said like a written one, about another thing of the same kind: `or without a price` beside
`not row.get("name")`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.conditions.condition_words import stems
from spark_tui.intent.conditions.unsaid_parts import are_positive
from spark_tui.intent.context.situation import Option
from spark_tui.intent.followups.written.syntax import WrittenSyntax
from spark_tui.intent.words import phrases
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import parameters
from spark_tui.pysource.syntax.walking import walk

_SAID = ("articles", "pronouns", "openers", "also", "or", "and", "but", "rest", "lead_ins", "denials")
_LIKELY = 0.85


def like_condition(written: WrittenSyntax, test: ast.AST, text: str) -> list[Option]:
    """A written test with the only other key, attribute or name of the same kind that a text names, if it
    says nothing besides but what the instruction before said."""
    told = stems(written.situation.asked)
    told |= {stem for kind in _SAID for word in phrases.words(kind) for stem in stems(word)}
    said = stems(text)
    found: dict[str, str] = {}
    for held in walk(test) if isinstance(test, ast.expr) else ():
        for name, code in _others(written, held):
            own = stems(name)
            if isinstance(test, ast.UnaryOp) and said - own and are_positive(text):
                continue  # *is paused* is not said like *is empty*
            if own and own <= said and said - own <= told and name != _name(held):
                start, end = written.source.span(held)
                low, high = written.source.span(test)
                found.setdefault(written.source.text[low:start] + code + written.source.text[end:high], name)
    widest = max((len(stems(name)) for name in found.values()), default=0)
    options = [code for code, name in found.items() if len(stems(name)) == widest]
    return [Option(options[0], _LIKELY)] if len(options) == 1 else []


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return last_name(node)


def _others(written: WrittenSyntax, held: ast.AST) -> Iterator[tuple[str, str]]:
    """The names and the code of things that stand where one of the same kind could: keys of the same object,
    its attributes, other names of the function."""
    source, parents = written.source, written.source.parents
    function = source.function_of(held)
    if isinstance(held, ast.Constant):
        owner = _owner_of_key(parents.get(held), held)
        for node in walk(function or source.tree) if owner else ():
            if isinstance(node, ast.Constant) and _owner_of_key(parents.get(node), node) == owner:
                yield str(node.value), source.segment(node)
    elif isinstance(held, ast.Attribute):
        owner = ast.unparse(held.value)
        around = source.class_of(function) if owner == "self" and function is not None else None
        for node in walk(around or source.tree):
            same = isinstance(node, ast.Attribute) and ast.unparse(node.value) == owner
            if same and isinstance(node, ast.Attribute) and not isinstance(parents.get(node), ast.Call):
                yield node.attr, f"{owner}.{node.attr}"
    elif isinstance(held, ast.Name) and not isinstance(parents.get(held), ast.Attribute | ast.Call):
        own = parameters(function) if function is not None else ()
        yield from ((one.arg, one.arg) for one in own if one.arg not in ("self", "cls"))


def _owner_of_key(parent: ast.AST | None, key: ast.AST) -> str:
    """The object of which a text is a key: in brackets, in `get`, or before `in`."""
    if isinstance(parent, ast.Subscript) and parent.slice is key:
        return ast.unparse(parent.value)
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute) and parent.func.attr == "get":
        return ast.unparse(parent.func.value)
    if (
        isinstance(parent, ast.Compare)
        and parent.left is key
        and isinstance(parent.ops[0], ast.In | ast.NotIn)
    ):
        return ast.unparse(parent.comparators[0])
    return ""
