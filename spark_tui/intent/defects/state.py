"""Causes in what lasts: what calls or objects share, arguments that are changed, what is never kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.families.functions.defaults import changes_constant
from spark_tui.intent.building.building import Built, call
from spark_tui.intent.defects.causes import cause, changed, line_before, line_gone, names_given, own, text_of
from spark_tui.intent.fixes.seen_error import SeenError
from spark_tui.pysource.inference.known_types import CHANGING
from spark_tui.pysource.source import Function, docstring
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_MADE_ANEW = word_set("list dict set now today time uuid4 defaultdict deque")
_OF_DICTS = ("update", "setdefault", "popitem", "items", "keys", "values", "get")
_OF_SETS = ("add", "discard")


@cause("shared", plain=0.85)
def default_shared(at: SeenError) -> Iterator[Built]:
    """A parameter whose default is a list that is made once."""
    if not isinstance(at.root, Function):
        return
    spec = at.root.args
    pairs = [*zip(spec.args[len(spec.args) - len(spec.defaults) :], spec.defaults, strict=True)]
    pairs += [(arg, value) for arg, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value]
    target = f"{at.source.path}::{at.source.qualname(at.root)}"
    for arg, value in pairs:
        made = isinstance(value, ast.Call) and text_of(value.func).rpartition(".")[2] in _MADE_ANEW
        made = made or isinstance(value, ast.List | ast.Dict | ast.Set)
        if made or changes_constant(at.source, at.root, arg.arg):
            yield Built((call("fix_mutable_default", target=target, name=arg.arg),), 0.95 * at.area.weight)


@cause("shared", plain=0.9)
def list_of_class(at: SeenError) -> Iterator[Built]:
    """A list of the class that methods change: each object gets its own."""
    node = at.root
    owner = at.source.class_of(node)
    if owner is None or not isinstance(node, Function):
        return
    source = at.source
    methods = [one for one in owner.body if isinstance(one, Function)]
    begin = next((one for one in methods if one.name == "__init__"), None)
    if node is not (begin or methods[0]):
        return  # once for each class
    for stmt in owner.body:
        if not isinstance(stmt, ast.Assign) or not isinstance(stmt.targets[0], ast.Name):
            continue
        name = stmt.targets[0].id
        mutable = isinstance(stmt.value, ast.List | ast.Dict | ast.Set) or text_of(stmt.value) in (
            "set()",
            "list()",
            "dict()",
        )
        if not mutable or not _is_changed(owner, name):
            continue
        line = f"self.{name} = {source.segment(stmt.value)}"
        if begin is None:
            low, high, _ = line_gone(source, stmt)
            unit = source.indent_unit
            head = f"{source.indent(stmt)}def __init__(self):{source.newline}"
            code = f"{head}{source.indent(stmt)}{unit}{line}{source.newline}"
            yield from changed(at, [(low, high, code)], 0.95)
            continue
        body = [one for one in begin.body if one is not docstring(begin)]
        first = body[0] if body else begin.body[0]
        rows = [line_gone(source, stmt), line_before(source, first, line)]
        yield from changed(at, _with_blank(at, stmt, rows), 0.95)


def _with_blank(
    at: SeenError, stmt: ast.stmt, rows: list[tuple[int, int, str]]
) -> list[tuple[int, int, str]]:
    """The line goes with the blank one below it, where none is left above."""
    source, end = at.source, at.source.last_line(stmt)
    above = source.lines[source.first_line(stmt) - 1].strip() if source.first_line(stmt) else ""
    if end < len(source.lines) and not source.lines[end].strip() and (not above or above.endswith(":")):
        low, _, _ = rows[0]
        return [(low, source.starts[end + 1], ""), *rows[1:]]
    return rows


def _is_changed(owner: ast.ClassDef, name: str) -> bool:
    for node in walk(owner):
        base = node.value if isinstance(node, ast.Attribute | ast.Subscript) else None
        if base is None or text_of(base) not in (f"self.{name}", f"cls.{name}"):
            continue
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, ast.Attribute) and node.attr in CHANGING:
            return True
    return False


@cause("argument_changed", plain=0.06)
def copied_first(at: SeenError) -> Iterator[Built]:
    """What is passed in is copied before it is changed."""
    if not isinstance(at.root, Function):
        return
    for name in names_given(at):
        uses = [node for node in own(at, ast.Name) if node.id == name]
        made = [at.source.parents.get(node) for node in uses]
        methods = {node.attr for node in made if isinstance(node, ast.Attribute)}
        items = [
            node
            for node in made
            if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load) and node.value in uses
        ]
        if name in ("self", "cls") or not (items or methods & CHANGING):
            continue
        texts = any(
            isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str) for node in items
        )
        kind = "dict" if methods & set(_OF_DICTS) or texts else "set" if methods & set(_OF_SETS) else "list"
        body = [one for one in at.root.body if one is not docstring(at.root)]
        if body:
            yield from changed(at, [line_before(at.source, body[0], f"{name} = {kind}({name})")], 0.9)


@cause("attribute_wrong", plain=0.97)
def attribute_of_other(at: SeenError) -> Iterator[Built]:
    """`self.height = width`, where `height` is not used."""
    given = names_given(at)
    used = {node.id for node in own(at, ast.Name)}
    for stmt in own(at, ast.Assign):
        target = stmt.targets[0]
        if (
            isinstance(target, ast.Attribute)
            and text_of(target.value) == "self"
            and isinstance(stmt.value, ast.Name)
        ):
            name = target.attr.lstrip("_")
            if name in given and name not in used and stmt.value.id != name:
                yield at.swap(stmt.value, name, 0.98)


@cause("ignored", "attribute_wrong", plain=0.8)
def parameter_ignored(at: SeenError) -> Iterator[Built]:
    """A parameter that nothing uses, and a literal that stands where it belongs."""
    used = {node.id for node in own(at, ast.Name)}
    for name in names_given(at):
        if name in used or name in ("self", "cls"):
            continue
        for node in own(at, ast.Call):
            for word in node.keywords:
                if word.arg == name and isinstance(word.value, ast.Constant):
                    yield at.swap(word.value, name, 0.98)
        for stmt in own(at, ast.Assign):
            target = stmt.targets[0]
            own_value = isinstance(stmt.value, ast.Constant | ast.List | ast.Dict)
            if isinstance(target, ast.Attribute) and target.attr.lstrip("_") == name and own_value:
                yield at.swap(stmt.value, name, 0.95)


@cause("overwritten_file")
def file_written_anew(at: SeenError) -> Iterator[Built]:
    """`open(path, "w")` for `"a"`."""
    for node in own(at, ast.Call):
        if text_of(node.func).rpartition(".")[2] == "open":
            for value in [*node.args[-1:], *(word.value for word in node.keywords if word.arg == "mode")]:
                if isinstance(value, ast.Constant) and value.value in ("w", "wb", "wt"):
                    quoted = at.source.segment(value)
                    yield at.swap(value, quoted.replace("w", "a"), 0.9)


@cause("not_closed", plain=0.15)
def file_left_open(at: SeenError) -> Iterator[Built]:
    """`handle = open(…)` without `with`."""
    opened = [
        stmt
        for stmt in own(at, ast.Assign)
        if isinstance(stmt.value, ast.Call) and text_of(stmt.value.func).rpartition(".")[2] == "open"
    ]
    for stmt in opened:
        spot = f"{at.source.path}:{stmt.lineno}"
        yield Built((call("open_with", place=spot),), 0.95 * at.area.weight)


@cause("blocks", plain=0.9)
def sleeps_for_all(at: SeenError) -> Iterator[Built]:
    """`time.sleep` in a coroutine."""
    if not isinstance(at.root, ast.AsyncFunctionDef):
        return
    for node in own(at, ast.Call):
        awaited = isinstance(at.source.parents.get(node), ast.Await)
        if text_of(node.func) in ("time.sleep", "sleep") and not awaited:
            given = ", ".join(at.source.segment(arg) for arg in node.args)
            yield at.swap(node, f"await asyncio.sleep({given})", 0.95)


@cause("unknown_key", plain=0.1)
def first_of_its_key(at: SeenError) -> Iterator[Built]:
    """`groups[key].append(x)` and `counts[key] += 1` for a key that is not there yet."""
    for node in own(at, ast.Subscript):
        parent = at.source.parents.get(node)
        base, item = at.source.segment(node.value), at.source.segment(node.slice)
        if isinstance(parent, ast.AugAssign) and parent.target is node:
            low, high = at.source.span(parent)
            value = at.source.segment(parent.value)
            yield from changed(at, [(low, high, f"{base}[{item}] = {base}.get({item}, 0) + {value}")], 0.95)
        elif isinstance(parent, ast.Attribute) and parent.attr in ("append", "extend", "add", "update"):
            empty = {"append": "[]", "extend": "[]", "add": "set()", "update": "{}"}[parent.attr]
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
                continue
            yield at.swap(node, f"{base}.setdefault({item}, {empty})", 0.95)
