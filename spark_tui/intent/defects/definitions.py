"""Causes in definitions: coroutines that nobody waits for, names of an outer function, properties that call
themselves, keys that nobody sets."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from functools import lru_cache

from spark_tui.intent.building.building import Built
from spark_tui.intent.defects.causes import around, cause, changed, line_before, own, text_of
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.fixes.seen_error import SeenError, bracket_code
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.source import Function, docstring, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk

_LIKE = 0.6


@cause("not_awaited", "no_effect", plain=0.95)
def never_waited_for(at: SeenError) -> Iterator[Built]:
    """A coroutine of the file that is called in one and not awaited."""
    if not isinstance(at.root, ast.AsyncFunctionDef):
        return
    coroutines = {one.name for one in at.source.functions if isinstance(one, ast.AsyncFunctionDef)}
    plain = {one.name for one in at.source.functions if isinstance(one, ast.FunctionDef)}
    for node in own(at, ast.Call):
        parent = at.source.parents.get(node)
        used = isinstance(parent, ast.Expr | ast.Assign | ast.Return | ast.Attribute | ast.Compare | ast.If)
        if used and last_name(node.func) in coroutines - plain:
            low, high = at.source.span(node)
            inner = isinstance(parent, ast.Attribute | ast.Compare)
            rows = [(low, low, "(await " if inner else "await ")] + ([(high, high, ")")] if inner else [])
            yield from changed(at, rows, 1.0)


@cause("never_ends", plain=0.97)
def property_of_itself(at: SeenError) -> Iterator[Built]:
    """A property or its setter that reads or sets itself: the value stands under `_name`."""
    node = at.root
    if not isinstance(node, Function) or at.source.class_of(node) is None:
        return
    names = decorator_names(node)
    if not any(name.endswith(("property", "setter")) for name in names):
        return
    setter = any(name.endswith("setter") for name in names)
    rows = []
    for inner in own(at, ast.Attribute):
        itself = inner.attr == node.name and text_of(inner.value) == "self"
        if itself and isinstance(inner.ctx, ast.Store) == setter:
            high = at.source.span(inner)[1]
            rows.append((high - len(node.name), high, f"_{node.name}"))
    yield from changed(at, rows, 1.0)


@cause("fails_when_empty", "never_set", plain=0.95)
def name_of_outer_function(at: SeenError) -> Iterator[Built]:
    """`count += 1` in a function, where `count` is a variable of the function or module around it."""
    node = at.root
    if not isinstance(node, Function):
        return
    told = {name for stmt in walk(node) if isinstance(stmt, ast.Global | ast.Nonlocal) for name in stmt.names}
    known = {arg.arg for arg in parameters(node)} | told
    for stmt in find_nodes(node, ast.AugAssign):
        name = stmt.target.id if isinstance(stmt.target, ast.Name) else ""
        inside = at.source.function_of(stmt)
        if not name or inside is not node or name in known or _is_set_in(node, name):
            continue
        outer = at.source.function_of(node)
        word = "nonlocal" if outer is not None and _is_set_in(outer, name) else ""
        module = any(
            text_of(target) == name
            for one in at.source.body
            if isinstance(one, ast.Assign)
            for target in one.targets
        )
        word = word or ("global" if module else "")
        body = [one for one in node.body if one is not docstring(node)]
        if word and body:
            yield from changed(at, [line_before(at.source, body[0], f"{word} {name}")], 1.0)
            known = known | {name}


def _is_set_in(node: Function, name: str) -> bool:
    """Whether a function itself sets a name."""
    inner = {
        one
        for function in find_nodes(node, ast.FunctionDef)
        if function is not node
        for one in walk(function)
    }
    return any(
        text_of(target) == name
        for stmt in find_nodes(node, ast.Assign)
        if stmt not in inner
        for target in stmt.targets
    )


@cause("no_effect", "lets_bad_through", plain=0.8)
def errors_kept_in(at: SeenError) -> Iterator[Built]:
    """`__exit__` that gives True, so that no error gets out."""
    if isinstance(at.root, Function) and at.root.name in ("__exit__", "__aexit__"):
        for result in own(at, ast.Return):
            if text_of(result.value) == "True":
                assert result.value is not None
                yield at.swap(result.value, "False", 1.0)


@cause("lets_bad_through", "always_true", plain=0.9)
def text_for_tuple(at: SeenError) -> Iterator[Built]:
    """`("owner")` among tuples, which is a text."""
    for node in own(at, ast.Dict):
        tuples = any(isinstance(value, ast.Tuple) for value in node.values)
        for value in node.values if tuples else ():
            low, high = at.source.span(value)
            text = at.source.text
            if is_text(value) and text[:low].rstrip().endswith("(") and text[high:].lstrip().startswith(")"):
                yield from changed(at, [(high, high, ",")], 1.0)


@cause("one_missing", "wrong_result", plain=0.6)
def seconds_of_difference(at: SeenError) -> Iterator[Built]:
    """`(end - start).seconds`, which leaves out the days."""
    for node in own(at, ast.Attribute):
        if node.attr == "seconds" and isinstance(node.ctx, ast.Load) and text_of(node.value) != "self":
            yield at.swap(node, f"{bracket_code(at.source, node.value)}.total_seconds()", 1.0)


@cause("order_wrong", plain=0.4)
def order_lost(at: SeenError) -> Iterator[Built]:
    """`list(set(rows))`, which mixes up the order."""
    for node in own(at, ast.Call):
        if text_of(node.func) in ("list", "tuple", "join") and len(node.args) == 1:
            inner = node.args[0]
            if isinstance(inner, ast.Call) and text_of(inner.func) == "set" and inner.args:
                yield at.swap(inner, f"dict.fromkeys({at.source.segment(inner.args[0])})", 1.0)


@cause("decimals_lost", "one_missing", plain=0.4)
def cut_and_not_rounded(at: SeenError) -> Iterator[Built]:
    """`int(amount * 100)`, which cuts off 0.99999."""
    for node in own(at, ast.Call):
        inner = node.args[0] if text_of(node.func) == "int" and len(node.args) == 1 else None
        if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Mult):
            yield at.swap(node.func, "round", 1.0)


@cause("unknown_key", "never_set", "attribute_wrong", plain=0.75)
def key_that_nobody_sets(at: SeenError) -> Iterator[Built]:
    """A key or attribute that is read and never set, beside one like it that is set and never read."""
    yield from _unset_keys(at)
    yield from _unset_attributes(at)


def _unset_keys(at: SeenError) -> Iterator[Built]:
    if at.source.tree is None:
        return
    read, written = _keys(at.source.tree)
    known = {str(node.value) for node in read}
    inside = set(walk(at.root))
    for node in read:
        name = str(node.value)
        if node not in inside or name in written:
            continue
        near = difflib.get_close_matches(name, sorted(written - known), 1, _LIKE)
        if near:
            shown = at.source.segment(node)
            yield at.swap(node, shown.replace(name, near[0]), 1.0)


@lru_cache(maxsize=2)
def _keys(tree: ast.Module) -> tuple[list[ast.Constant], frozenset[str]]:
    """The keys that a file reads, and those that it sets."""
    read, written = list[ast.Constant](), set[str]()
    for node in walk(tree):
        if isinstance(node, ast.Dict):
            written |= {
                key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
            }
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            if isinstance(node.ctx, ast.Store) and isinstance(node.slice.value, str):
                written.add(node.slice.value)
            elif isinstance(node.slice.value, str):
                read.append(node.slice)
        elif isinstance(node, ast.Call) and last_name(node.func) in ("get", "pop") and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                read.append(first)
        elif isinstance(node, ast.keyword) and node.arg:
            written.add(node.arg)
    return read, frozenset(written)


def _unset_attributes(at: SeenError) -> Iterator[Built]:
    owner = at.source.class_of(at.root)
    if owner is None or owner.bases or not isinstance(at.root, Function):
        return
    fields = {text_of(one.target) for one in find_nodes(owner, ast.AnnAssign)}
    known = {one.name for one in owner.body if isinstance(one, Function)} | fields
    every = [node for node in find_nodes(owner, ast.Attribute) if text_of(node.value) == "self"]
    written = {node.attr for node in every if isinstance(node.ctx, ast.Store)} | known
    written |= {
        text_of(target) for one in owner.body if isinstance(one, ast.Assign) for target in one.targets
    }
    loaded = {node.attr for node in every if isinstance(node.ctx, ast.Load)}
    for node in own(at, ast.Attribute):
        is_read = text_of(node.value) == "self" and isinstance(node.ctx, ast.Load)
        if is_read and node.attr not in written and not hasattr(object, node.attr):
            near = difflib.get_close_matches(node.attr, sorted(written - loaded), 1, _LIKE)
            if near:
                high = at.source.span(node)[1]
                yield from changed(at, [(high - len(node.attr), high, near[0])], 1.0)


@cause("opposite", plain=0.06)
def any_for_all(at: SeenError) -> Iterator[Built]:
    """`any` for `all`, and the other way round."""
    for node in own(at, ast.Call):
        name = text_of(node.func)
        if name in ("any", "all"):
            yield at.swap(node.func, "all" if name == "any" else "any", 1.0)
    for pair in own(at, ast.BoolOp):
        if len(pair.values) == 2:
            low, high = at.source.span(pair.values[0])[1], at.source.span(pair.values[1])[0]
            old, new = ("or", "and") if isinstance(pair.op, ast.Or) else ("and", "or")
            yield from changed(at, [(low, high, at.source.text[low:high].replace(old, new))], 0.6)


@cause("shared", plain=0.08)
def copied_on_the_outside(at: SeenError) -> Iterator[Built]:
    """`dict(base)` or `base.copy()`, whose inner lists are the same."""
    for node in own(at, ast.Call):
        made = text_of(node.func) in ("dict", "list") and len(node.args) == 1 and not node.keywords
        copied = isinstance(node.func, ast.Attribute) and node.func.attr == "copy" and not node.args
        if made or (copied and text_of(node.func) != "copy.copy"):
            inner = (
                node.args[0] if made else node.func.value if isinstance(node.func, ast.Attribute) else None
            )
            if isinstance(inner, ast.Name | ast.Attribute | ast.Subscript):
                yield at.swap(node, f"copy.deepcopy({at.source.segment(inner)})", 1.0)


@cause("shared", "argument_changed", plain=0.08)
def inner_list_given(at: SeenError) -> Iterator[Built]:
    """`return self._items`, so that callers change it."""
    for result in own(at, ast.Return):
        value = result.value
        if (
            isinstance(value, ast.Attribute)
            and text_of(value.value) == "self"
            and around(at, result, ast.If) is None
        ):
            yield at.swap(value, f"list({at.source.segment(value)})", 1.0)


@cause("text_for_number", plain=0.3)
def option_without_type(at: SeenError) -> Iterator[Built]:
    """`add_argument("-n", default=2)`, whose value comes as a text."""
    for node in own(at, ast.Call):
        if last_name(node.func) == "add_argument":
            words = {word.arg: word.value for word in node.keywords}
            default = words.get("default")
            number = isinstance(default, ast.Constant) and type(default.value) in (int, float)
            if number and "type" not in words and "action" not in words:
                assert isinstance(default, ast.Constant)
                high = at.source.span(node)[1] - 1
                yield from changed(at, [(high, high, f", type={type(default.value).__name__}")], 1.0)
