"""Causes in texts: no prefix, the wrong separator, line ends that stay, too much that is stripped."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.builders.collections.sort_direction import direction_wished
from spark_tui.intent.building.building import Built
from spark_tui.intent.defects.causes import cause, changed, own, text_of
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.fixes.seen_error import SeenError
from spark_tui.intent.fixes.values import missing_prefix
from spark_tui.pysource.syntax.walking import find_nodes

_LINES = re.compile(r"file|handle|lines\Z|stdin|readlines|open\(|\A(?:f|fh|fp|src|source|stream)\Z")

cause("braces_shown", plain=0.85)(missing_prefix)


def _methods(at: SeenError, *names: str) -> Iterator[tuple[ast.Call, ast.Attribute]]:
    """The calls of some methods."""
    for node in own(at, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in names:
            yield node, node.func


@cause("strips_too_much", plain=0.95)
def letters_stripped(at: SeenError) -> Iterator[Built]:
    """`name.rstrip(".txt")`, which takes each of these letters."""
    new = {"rstrip": "removesuffix", "lstrip": "removeprefix", "strip": "removesuffix"}
    for node, method in _methods(at, *new):
        given = node.args[0] if len(node.args) == 1 else None
        letters = given.value if isinstance(given, ast.Constant) else None
        if isinstance(letters, str) and re.search(r"\w\W*\w", letters):
            name, high = method.attr, at.source.span(method)[1]
            prefix = name == "strip" and not letters.startswith(".")
            other = "removeprefix" if prefix else new[name]
            yield from changed(at, [(high - len(name), high, other)], 0.95)


@cause("run_together")
def nothing_between(at: SeenError) -> Iterator[Built]:
    """`"".join(…)` and `a + b` of two names."""
    for _, method in _methods(at, "join"):
        if text_of(method.value) == "''":
            yield at.swap(method.value, '" "', 0.85)
    for sum_ in own(at, ast.BinOp):
        simple = ast.Name | ast.Attribute | ast.Call
        if isinstance(sum_.op, ast.Add) and isinstance(sum_.left, simple) and isinstance(sum_.right, simple):
            one, two = at.source.segment(sum_.left), at.source.segment(sum_.right)
            yield at.swap(sum_, f'{one} + " " + {two}', 0.6)


@cause("run_together", plain=0.9)
def no_comma(at: SeenError) -> Iterator[Built]:
    """Two texts that stand side by side in a list."""
    every: list[ast.List | ast.Tuple | ast.Set] = [*own(at, ast.List), *own(at, ast.Tuple), *own(at, ast.Set)]
    for node in every:
        for item in node.elts:
            code = at.source.segment(item)
            if is_text(item) and "\n" in code:
                first, _, rest = code.partition("\n")
                low = at.source.span(item)[0] + len(first.rstrip())
                if rest:
                    yield from changed(at, [(low, low, ",")], 0.95)


@cause("line_ends", plain=0.08)
def line_end_kept(at: SeenError) -> Iterator[Built]:
    """The lines of a file end with a line end."""
    every: list[ast.For | ast.comprehension] = [*own(at, ast.For), *find_nodes(at.root, ast.comprehension)]
    for loop in every:
        target, looped = loop.target, text_of(loop.iter)
        if not isinstance(target, ast.Name) or not _LINES.search(looped):
            continue
        root = loop if isinstance(loop, ast.For) else at.source.parents.get(loop)
        for node in find_nodes(root, ast.Name):
            parent = at.source.parents.get(node)
            bare = isinstance(parent, ast.Call | ast.ListComp | ast.Assign | ast.Subscript | ast.Return)
            if node.id == target.id and isinstance(node.ctx, ast.Load) and bare:
                yield at.swap(node, f"{node.id}.strip()", 0.85)
                break
    for call, method in _methods(at, "readlines"):
        yield at.swap(call, f"{at.source.segment(method.value)}.read().splitlines()", 0.9)


@cause("spaces_split", plain=0.15)
def split_at_each(at: SeenError) -> Iterator[Built]:
    """`text.split(" ")`, which gives empty pieces between two spaces."""
    for node, _ in _methods(at, "split"):
        if [text_of(arg) for arg in node.args] == ["' '"]:
            low, high = at.source.span(node.args[0])
            yield from changed(at, [(low, high, "")], 0.95)


@cause("all_replaced", plain=0.06)
def first_only(at: SeenError) -> Iterator[Built]:
    """`text.replace(a, b)` that is to replace the first one, or `split` that is to split once."""
    for node, method in _methods(at, "replace", "split"):
        if len(node.args) == (2 if method.attr == "replace" else 1) and not node.keywords:
            high = at.source.span(node)[1] - 1
            yield from changed(at, [(high, high, ", 1")], 0.8)


@cause("order_wrong", plain=0.08)
def sorted_the_other_way(at: SeenError) -> Iterator[Built]:
    """A list that is sorted, from the other end."""
    for node in own(at, ast.Call):
        name = text_of(node.func).rpartition(".")[2]
        if name not in ("sorted", "sort"):
            continue
        word = next((one for one in node.keywords if one.arg == "reverse"), None)
        wished = direction_wished(at.context.situation.instruction, at.source.segment(node))
        if wished == ("up" if word is None or text_of(word.value) == "False" else "down"):
            continue
        if word is None:
            high = at.source.span(node)[1] - 1
            comma = ", " if node.args or node.keywords else ""
            yield from changed(at, [(high, high, f"{comma}reverse=True")], 0.9)
        elif text_of(word.value) == "True":
            parts = [at.source.segment(one) for one in (*node.args, *node.keywords) if one is not word]
            yield at.swap(node, f"{at.source.segment(node.func)}({', '.join(parts)})", 0.9)
