"""What a function does after the loop in which it looks for something: *KeyError if there is no such sku*."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import Built, build_at, call, found, place, word
from spark_tui.intent.conditions.condition_words import (
    collect_names_and_texts,
    condition_kinds_said,
    plain_text,
    unsaid_stems,
)
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.words.phrases import any_stands_in, words
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes


@dataclass(frozen=True, eq=False)
class Search:
    """A loop that is left with what it finds, and the `return None` after it, if there is one."""

    loop: ast.For
    test: ast.Compare
    last: ast.stmt | None

    def failing(self, function: Function) -> str:
        """The test that nothing is found, in the words of a membership."""
        given = {parameter.arg for parameter in parameters(function)}
        sides = [self.test.left, *self.test.comparators]
        named = (node for side in sides for node in find_nodes(side, ast.Name))
        wanted = next((node.id for node in named if node.id in given), ast.unparse(sides[-1]))
        return f"{wanted} not in {ast.unparse(self.loop.iter)}"


def find_search(function: Function) -> Search | None:
    """The loop with which a function ends, where it returns an item that fits."""
    body: list[ast.stmt] = function.body
    last = body[-1]
    none = isinstance(last, ast.Return) and (last.value is None or ast.unparse(last.value) == "None")
    loop = body[-2] if none and len(body) > 1 else last
    if not isinstance(loop, ast.For) or loop.orelse:
        return None
    for node in find_nodes(loop, ast.If):
        if not isinstance(node.body[-1], ast.Return):
            continue
        tests = list(find_nodes(node.test, ast.Compare))
        if tests:
            return Search(loop, tests[0], last if none else None)
    return None


def at_end_of_search(
    context: Context, options: Callable[[Context, Anchor, str], Sequence[Option]]
) -> Iterator[Built]:
    """Raise or return after the loop of a function that searches, if the words say that nothing was found."""
    text = context.text("condition")
    low = f"{plain_text(text)} "
    absent = "absent" in condition_kinds_said(text) and not any_stands_in(words("unsaid_value"), low)
    if not context.named or not (absent or low.startswith(tuple(f"{item} " for item in words("nothing")))):
        return
    for anchor in found(context, "function", "function"):
        node = anchor.node
        search = find_search(node) if isinstance(node, Function) else None
        if search is None or not isinstance(node, Function):
            continue
        known = collect_names_and_texts(search.test, search.loop.target, search.loop.iter)
        if unsaid_stems(text, f"{known} {node.name}"):
            continue
        for action in options(context, anchor, search.failing(node)):
            yield build_at(action, _ended(context, anchor, search, action.text), weight=anchor.weight)


def _ended(context: Context, anchor: Anchor, search: Search, action: str) -> Operation:
    if search.last is not None:
        spot = place(context, Anchor(anchor.area, search.last))
        return call("replace_statements", place=spot, code=action)
    return call("insert_statements", place=word(context, "in", anchor), code=action, side="end")
