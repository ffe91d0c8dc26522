"""What an answer put into a list of things, wanted at another place of it: a parameter, a key, an element.

Comes in: the text in which an answer stands, how the thing is to lie to which other. Goes out: changes. Must not know:
messages, engines.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from spark_tui.refactor.source import Change, Function, Source
from spark_tui.steers.moved_said import Told
from spark_tui.steers.pointed import stems, tokens
from spark_tui.steers.stands import Stands

Item = tuple[str, int, int]
"""What it is called, and where it stands."""


def with_item(text: Stands, told: Told) -> list[Change] | None:
    """The things in another order, each in the place of one."""
    src = text.src
    found = []
    for items in _lists(src):
        new = [item for item in items if any(low <= item[1] and item[2] <= high for low, high in _spans(text, items))]
        if len(new) == 1 and len(items) > 1:
            found.append((items, new[0]))
    if len(found) != 1:
        return None
    items, moved = found[0]
    others = [item for item in items if item is not moved]
    at = _place(others, told)
    if at is None:
        return None
    order = [*others[:at], moved, *others[at:]]
    if order == items:
        return None
    pairs = zip(items, order, strict=True)
    return [(slot[1], slot[2], src.text[item[1] : item[2]]) for slot, item in pairs if slot is not item]


def _spans(text: Stands, items: list[Item]) -> Iterator[tuple[int, int]]:
    """Where all of a thing is new: what lies between, and a name that came with one, are not told apart."""
    for low, high in text.spans:
        yield low, high + 2
    for (_, start, end), (_, low, _) in pairwise(items):
        if any(first <= start and last >= end - 1 for first, last in text.spans):
            yield start, min(end, low)


def _place(others: list[Item], told: Told) -> int | None:
    if told.relation in ("top", "end") and not told.phrase:
        return 0 if told.relation == "top" else len(others)
    if told.relation in ("top", "end") and not any(_is(item, told.phrase) for item in others):
        return 0 if told.relation == "top" else len(others)
    named = [at for at, item in enumerate(others) if _is(item, told.phrase)]
    if told.relation == "between" and len(named) == 2 and named[1] == named[0] + 1:
        return named[1]
    if len(named) != 1 or told.relation not in ("before", "after"):
        return None
    return named[0] + (told.relation == "after")


def _is(item: Item, phrase: str) -> bool:
    return any(word == item[0] or stems(word) == stems(item[0]) for word in tokens(phrase))


def _lists(src: Source) -> Iterator[list[Item]]:
    for node in src.nodes:
        items: list[Item] = []
        if isinstance(node, Function) and not (node.args.kwonlyargs or node.args.vararg or node.args.posonlyargs):
            defaults = [None] * (len(node.args.args) - len(node.args.defaults)) + list(node.args.defaults)
            for one, default in zip(node.args.args, defaults, strict=True):
                if one.arg not in ("self", "cls"):
                    items.append((one.arg, src.span(one)[0], src.span(default or one)[1]))
        elif isinstance(node, ast.Dict) and None not in node.keys:
            for key, value in zip(node.keys, node.values, strict=True):
                if key is not None:
                    name = str(key.value) if isinstance(key, ast.Constant) else src.segment(key)
                    items.append((name, src.span(key)[0], src.span(value)[1]))
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            for element in node.elts:
                name = str(element.value) if isinstance(element, ast.Constant) else src.segment(element)
                items.append((name, *src.span(element)))
        elif isinstance(node, ast.Call) and len(node.keywords) > 1 and all(item.arg for item in node.keywords):
            items = [(str(item.arg), *src.span(item)) for item in node.keywords]
        if len(items) > 1:
            yield items
