"""Code that is shown with holes: `...`, or a name that nothing there has: *callable() in place of
hasattr(..., '__call__')*, *x.items() instead of six.iteritems(x)*."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase

from spark_tui.codemods.patterns.forms import Matcher
from spark_tui.codemods.rewriting.edits import is_same_tree
from spark_tui.intent.building.building import Built, call
from spark_tui.intent.context.anchors import nodes, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import names_in

_HOLE = re.compile(r"__?[a-z]+")
_OBJECTS = ("self", "cls")


def shown_with_holes(context: Context, new: str = "new") -> Iterator[Built]:
    """The rewriting of all that fits the old code, which may go on after its slot, to the new code, or to a
    call without arguments of what is in the one hole."""
    pattern, old = _code_at(context, "old")
    result, text = _code_at(context, new)
    if (
        pattern is None
        or isinstance(pattern, ast.Name)
        or result is None
        or not (old + text).isascii()
        or "\n" in old + text
    ):
        return
    if any(_HOLE.fullmatch(name) for name in names_in(pattern) | names_in(result)):
        return  # It would be taken for a hole itself.
    for area, source, root in context.trees():
        there = nodes(root, type(pattern))
        if any(is_same_tree(pattern, node) for node in there):
            continue
        form, made = _lettered(old, text) if _dots(pattern) else _named(context, source, old, text)
        if form != old and any(Matcher(source, form).matches(there, [])):
            place = area.place if area.node is not None else f"in {source.path}"
            yield Built((call("rewrite", place=place, old=form, new=made),), area.weight)


def _lettered(old: str, new: str) -> tuple[str, str]:
    """Both codes with names for their `...`: the same for those that are the same in order."""
    pattern, result = (ast.parse(text, mode="eval").body for text in (old, new))
    dots = _dots(pattern)
    bare = isinstance(result, ast.Name | ast.Attribute)
    called = isinstance(result, ast.Call) and not result.args and not result.keywords
    if len(dots) == 1 and not _dots(result) and (bare or called):
        new = f"{new if bare else new[: new.rindex('(')]}(...)"
        result = ast.parse(new, mode="eval").body
    if len(dots) != len(_dots(result)):
        return old, new
    letters = [f"_{letter}" for letter in ascii_lowercase[: len(dots)]]
    return _put(old, dots, letters), _put(new, _dots(result), letters)


def _named(context: Context, source: Source, old: str, new: str) -> tuple[str, str]:
    """Both codes with holes for the names of the old one that the file does not have. A single letter may
    stand for something else than where it is used."""
    trees = [ast.parse(text, mode="eval").body for text in (old, new)]
    called = {node.func for node in ast.walk(trees[0]) if isinstance(node, ast.Call)}
    given = [node.id for node in _names(trees[0]) if node not in called]
    holes = {name: f"_{name}" for name in given if _stands_for_any(context, source, name)}
    places = [[node for node in _names(tree) if node.id in holes] for tree in trees]
    made = [
        _put(text, at, [holes[node.id] for node in at]) for text, at in zip((old, new), places, strict=True)
    ]
    return made[0], made[1]


def _stands_for_any(context: Context, source: Source, name: str) -> bool:
    plain = name.isalpha() and name.islower() and name not in _OBJECTS
    if not plain or hasattr(builtins, name):
        return False
    if len(name) == 1:
        return name not in context.repo.index.scopes(source.path).module.bound
    return re.search(rf"\b{name}\b", source.text) is None


def _put(text: str, parts: Sequence[ast.expr], names: Sequence[str]) -> str:
    """A line of code with names in the place of parts, which are in the order of the text."""
    for node, name in reversed(list(zip(parts, names, strict=True))):
        text = text[: node.col_offset] + name + text[node.end_col_offset :]
    return text


def _dots(tree: ast.expr) -> list[ast.expr]:
    """The holes that are shown as `...`, in the order of the text."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value is ...]
    return sorted(found, key=lambda node: node.col_offset)


def _names(tree: ast.expr) -> list[ast.Name]:
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    return sorted(found, key=lambda node: node.col_offset)


def _code_at(context: Context, slot: str) -> tuple[ast.expr | None, str]:
    """The code of a slot, with the brackets that follow it."""
    span = context.span(slot)
    if span is None:
        return None, ""
    text, instruction = span.text.strip("`"), context.situation.instruction
    if span.start >= 0 and instruction[span.end : span.end + 1] == "(":
        start = instruction.find(text, span.start)
        ends = (at + 1 for at, sign in enumerate(instruction) if sign == ")" and at > span.end)
        text = next((one for end in ends if parsed(one := instruction[start:end]) is not None), text)
    return parsed(text), text
