"""Calls that work on a copy: of what is looped over, of what is passed in, of what is kept or given away."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.builders.options.named_choices import constants
from spark_tui.intent.building.building import Built, build_at, builder, call, place
from spark_tui.intent.building.rewritten import is_meant, replace_code
from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.inference.known_types import DISPLAYS
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.parsing import values_set
from spark_tui.pysource.syntax.walking import walk

_LIST = ("append", "extend", "insert", "sort", "reverse")
_DICT = ("update", "setdefault", "popitem")
_SET = ("add", "discard", "difference_update", "intersection_update")
_ANY = ("remove", "pop", "clear")
_READS = {
    "items": "dict",
    "keys": "dict",
    "values": "dict",
    "get": "dict",
    "index": "list",
    "count": "list",
    "union": "set",
}
_KINDS = {
    **dict.fromkeys(_LIST, "list"),
    **dict.fromkeys(_DICT, "dict"),
    **dict.fromkeys(_SET, "set"),
    **_READS,
}
_VIEWS = ("items", "keys", "values")


@dataclass(frozen=True, eq=False)
class _Copied:
    """A node whose code is replaced by a copy, or, if `inserted`, in front of which the copy is made."""

    node: ast.expr | ast.stmt
    code: str
    weight: float
    inserted: bool = False
    doubts: tuple[str, ...] = ()


@builder("copy_first")
def copy_first(context: Context) -> Iterator[Built]:
    made: list[tuple[Anchor, _Copied]] = []
    for area, source, root in context.trees():
        for one in _copies(context, source, root):
            if is_meant(context, one.code, _subject(one)):
                made.append((Anchor(area, one.node, one.weight, (*area.doubts, *one.doubts)), one))
    if not made:
        raise Unresolved("nothing is changed there that somebody else has")
    other_words = context.beside_slots()
    looped, caller = says("copies", "loop", other_words), says("copies", "caller", other_words)
    if looped is not caller and any(_is_loop(context, anchor) is looped for anchor, _ in made):
        made = [(anchor, one) for anchor, one in made if _is_loop(context, anchor) is looped]
    best = max(one.weight for _, one in made)
    ways = {id(anchor.node): one for anchor, one in made}
    for anchor in weighted(context, [anchor for anchor, one in made if one.weight > 0.5 * best]):
        one = ways[id(anchor.node)]
        if one.inserted:
            edit = call("insert_statements", place=place(context, anchor), code=one.code, side="before")
        elif isinstance(one.node, ast.stmt):
            edit = call("replace_statements", place=place(context, anchor), code=one.code)
        else:
            edit = replace_code(context, anchor, one.code)
        yield build_at(anchor, edit)


def _is_loop(context: Context, anchor: Anchor) -> bool:
    """Whether a copy is of what a loop goes over."""
    outers = list(context.source(anchor.path).ancestors(anchor.node))[:2] if anchor.node is not None else []
    over = [outer.iter for outer in outers if isinstance(outer, ast.For | ast.AsyncFor)]
    return anchor.node in over or any(outer in over for outer in outers)


def _subject(copied: _Copied) -> str:
    """The name of what is copied."""
    tree = copied.node if isinstance(copied.node, ast.expr) else ast.parse(copied.code).body[0]
    if isinstance(tree, ast.Assign):
        tree = tree.targets[0]
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute):
        tree = tree.func.value
    return ast.unparse(tree)


def _copies(context: Context, source: Source, root: ast.AST) -> Iterator[_Copied]:
    functions = [node for node in walk(root) if isinstance(node, Function)]
    for inner in walk(root):
        if isinstance(inner, ast.For | ast.AsyncFor):
            yield from _looped(source, inner)
    for function in functions:
        yield from _passed(context, source, function)


def _looped(source: Source, loop: ast.For | ast.AsyncFor) -> Iterator[_Copied]:
    """A loop that changes what it goes over."""
    over = loop.iter
    view = (
        isinstance(over, ast.Call)
        and isinstance(over.func, ast.Attribute)
        and over.func.attr in _VIEWS
        and not over.args
    )
    base = (
        over.func.value
        if view and isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute)
        else over
    )
    inner = (
        base.args[0]
        if isinstance(base, ast.Call)
        and ast.unparse(base.func) in ("enumerate", "reversed")
        and len(base.args) == 1
        else base
    )
    if not isinstance(inner, ast.Name | ast.Attribute | ast.Subscript):
        return
    name = ast.unparse(inner)
    changed = any(_changes(node, name) for row in loop.body for node in walk(row))
    shown = source.segment(over if view else inner)
    yield _Copied(over if view else inner, f"list({shown})", 0.95 if changed else 0.3)


def _changes(node: ast.AST, name: str) -> bool:
    """Whether a node changes the collection with a name."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in (*_LIST, *_DICT, *_SET, *_ANY) and ast.unparse(node.func.value) == name
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        return ast.unparse(node.value) == name
    return isinstance(node, ast.AugAssign) and ast.unparse(node.target) == name


def _passed(
    context: Context, source: Source, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> Iterator[_Copied]:
    """What is passed in and changed, kept under another name, or given away."""
    inside = list(walk(function))
    given = {
        parameter.arg: parameter for parameter in parameters(function) if parameter.arg not in ("self", "cls")
    }
    meant = context.text("variable").strip("`")
    for node in inside:
        value = node.value if isinstance(node, ast.Assign | ast.Return | ast.AnnAssign) else None
        name = ast.unparse(value) if isinstance(value, ast.Name | ast.Attribute) else ""
        goal = ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else ""
        if value is None or not name:
            continue
        is_constant = goal and name.isidentifier() and name.isupper()
        held = constants(context.situation.repo, source).get(name, "") if is_constant else ""
        if held in ("list", "dict", "set") and any(_changes(inner, goal) for inner in inside):
            yield _copied(source, value, held, 0.9)
        elif goal and (name in given or name.startswith("self.")):
            changed = any(_changes(inner, goal) for inner in inside)
            kind = _kind(source, function, name) or _kind(source, function, goal)
            kept = goal.startswith("self.")
            weight = 0.9 if changed else 0.5 if kept and name in given and kind else 0.2
            yield _copied(source, value, kind, weight)
        elif isinstance(node, ast.Return) and name.startswith("self."):
            yield _copied(source, value, _kind(source, function, name), 0.5 if split_name(meant) else 0.35)
    for name in given:
        changes = [inner for inner in inside if _changes(inner, name)]
        rebound = any(
            isinstance(inner, ast.Assign) and ast.unparse(inner.targets[0]) == name for inner in inside
        )
        if not changes or rebound:
            continue
        first = changes[0]
        statement = source.statement(first)
        if _is_sort(first) and isinstance(statement, ast.Expr) and isinstance(first, ast.Call):
            keys = [
                source.segment(keyword.value)
                if keyword.arg is None
                else f"{keyword.arg}={source.segment(keyword.value)}"
                for keyword in first.keywords
            ]
            yield _Copied(statement, f"{name} = sorted({', '.join([name, *keys])})", 0.9)
            continue
        kind = _kind(source, function, name)
        doubts = () if kind else (assumed(f"{name} was assumed to be a list"),)
        body = (
            function.body[1:]
            if ast.get_docstring(function) is not None and len(function.body) > 1
            else function.body
        )
        looped = isinstance(body[0], ast.For) and ast.unparse(body[0].iter) == name
        yield _Copied(body[0], f"{name} = {kind or 'list'}({name})", 0.6 if looped else 0.9, True, doubts)


def _copied(source: Source, value: ast.expr, kind: str, weight: float) -> _Copied:
    shown = source.segment(value)
    doubts = () if kind else (assumed(f"{shown} was assumed to be a list"),)
    return _Copied(value, f"{kind or 'list'}({shown})", weight, doubts=doubts)


def _is_sort(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "sort"


def _kind(source: Source, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> str:
    """The type of a collection, by its annotation, its default or value, or how it is used; else empty."""
    hint = next((parameter.annotation for parameter in parameters(function) if parameter.arg == name), None)
    bare = ast.unparse(hint).rpartition(".")[2].partition("[")[0].lower() if hint is not None else ""
    if bare in ("list", "dict", "set", "sequence", "iterable", "mapping"):
        return {"sequence": "list", "iterable": "list", "mapping": "dict"}.get(bare, bare)
    scope: ast.AST = (source.class_of(function) or function) if name.startswith("self.") else function
    values = [
        node.value
        for node in walk(scope)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and node.value is not None
        and ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target) == name
    ]
    default = default_of(function, name)
    if isinstance(default, ast.Name):
        values += values_set(source.body, default.id)
    for value in (*values, *([default] if default is not None else [])):
        kind = ast.unparse(value.func) if isinstance(value, ast.Call) else DISPLAYS.get(type(value))
        if kind in ("list", "dict", "set"):
            return kind
    for inner in walk(scope):
        if isinstance(inner, ast.Attribute) and inner.attr in _KINDS and ast.unparse(inner.value) == name:
            return _KINDS[inner.attr]
        if isinstance(inner, ast.Subscript) and ast.unparse(inner.value) == name:
            if isinstance(inner.slice, ast.Constant) and isinstance(inner.slice.value, str):
                return "dict"
            if isinstance(inner.slice, ast.Constant | ast.Slice):
                return "list"
    return ""
