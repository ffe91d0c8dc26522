"""Calls that change signatures and calls, and that delete or move statements."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.intent.anchors import Anchor, Search, anchors, finder, nodes, parsed
from spark_tui.intent.building import Built, builder, call, combined, filled, found, place, word
from spark_tui.intent.context import Context
from spark_tui.intent.names import key, plain_name
from spark_tui.intent.other_callables import of_other_module
from spark_tui.intent.phrases import mentions
from spark_tui.intent.preparing import argument_of
from spark_tui.intent.readings import Span
from spark_tui.intent.situation import Area, Option, Unresolved
from spark_tui.pysource.source import Function, Source


@finder
def decorated(at: Search) -> Iterator[Anchor]:
    """Definitions with the decorator."""
    wanted = key(plain_name(at.context.text(at.slot)))
    for one in nodes(at.root, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
        for each in one.decorator_list:  # type: ignore[attr-defined]
            name = ast.unparse(each.func if isinstance(each, ast.Call) else each)
            if wanted in (key(name), key(name.rpartition(".")[2])) or key(ast.unparse(each)) == wanted:
                yield Anchor(Area(""), one, words={"decorator": at.source.segment(each)})


# -- signatures --------------------------------------------------------------------------------------


@builder("add_parameter")
def add_parameter(context: Context) -> Iterator[Built]:
    given_names = context.reading.slots.get("name", ())
    for anchor in found(context, "function"):
        words = {"called": context.text("name"), "type": ""}
        hints = filled(context, "{type:type}", anchor) or [Option("")]
        words["type"] = hints[0].text
        ready = replace(anchor, words={**anchor.words, **words})
        fields = {"target": "{function}", "name": "{name:name}", "default": "{default:value}"}
        for given, weight, doubts in combined(context, fields, ready):
            base = {**given, "annotation": hints[0].text}
            if mentions("keyword_only", context.situation.instruction):
                base["keyword_only"] = "true"
            yield Built((call("add_parameter", **base),), ready.weight * weight, (*ready.doubts, *doubts))
            if "default" not in given:
                made = call("add_parameter", **base, default="None")
                yield Built(
                    (made,),
                    ready.weight * weight * 0.5,
                    (*ready.doubts, "a default was added for the callers"),
                )
    if not given_names:
        raise Unresolved("the new parameter has no name")


def _order(context: Context, anchor: Anchor, move: str) -> list[str] | None:
    node = anchor.node
    if not isinstance(node, Function):
        return None
    spec = node.args
    names = [one.arg for one in (*spec.posonlyargs, *spec.args)]
    fixed = names[:1] if names and names[0] in ("self", "cls") else []
    names = names[len(fixed) :]
    one = anchor.words["parameter"]
    if one not in names:
        return None
    if move == "swap":
        wanted = key(plain_name(context.text("other")))
        two = next((each for each in names if key(each) == wanted), None)
        two = two or (names[1 - names.index(one)] if len(names) == 2 and not wanted else None)
        if two is None or two == one:
            return None
        at = {one: two, two: one}
        return [at.get(each, each) for each in names]
    rest = [each for each in names if each != one]
    return [one, *rest] if move == "first" else [*rest, one]


@builder("swap_parameters", "move_parameter_first", "move_parameter_last")
def reorder(context: Context) -> Iterator[Built]:
    move = context.reading.intent.removeprefix("move_parameter_").partition("_")[0]
    reason: Unresolved | None = None
    for anchor in found(context, "parameter:parameter", "parameter of that name"):
        order = _order(context, anchor, move)
        if order is None:
            continue
        try:
            made = call(
                "reorder_parameters", target=word(context, "function", anchor), order=f"[{', '.join(order)}]"
            )
        except Unresolved as error:
            reason = error
            continue
        yield Built((made,), anchor.weight, anchor.doubts)
    if reason is not None:
        raise reason


# -- calls -------------------------------------------------------------------------------------------


@builder("swap_arguments")
def swap_arguments(context: Context) -> Iterator[Built]:
    for anchor in found(context, "call:call"):
        node = anchor.node
        assert isinstance(node, ast.Call)
        pair = [argument_of(node, context.text(slot)) for slot in ("argument", "other") if context.has(slot)]
        if len(pair) < 2:
            first = pair[0] if pair and pair[0] else "1"
            others = [str(at) for at in range(1, len(node.args) + 1) if str(at) != first]
            pair = [first, *others[:1]] if len(node.args) == 2 or not pair else []
        if len(pair) != 2 or not all(pair):
            continue
        made = call(
            "swap_arguments",
            callee=ast.unparse(node.func),
            place=place(context, anchor),
            first=pair[0],
            second=pair[1],
        )
        yield Built((made,), anchor.weight, anchor.doubts)


@builder("replace_call")
def replace_call(context: Context) -> Iterator[Built]:
    new = context.text("new").strip("`").strip()
    bare = re.sub(r"\(\s*\)\Z", "", new)
    every = context.reading.everywhere or context.has("file")
    made = []
    for anchor in found(context, "call:old", "call like that"):
        node = anchor.node
        assert isinstance(node, ast.Call)
        func = node.func
        if other := of_other_module(context, anchor.path, node, plain_name(context.text("old")), bare):
            edit = call("replace_expression", place=place(context, anchor), old=ast.unparse(func), new=other)
            extra = _whole_import(context, anchor.path, bare)
            made.append(Built((edit, *extra), anchor.weight, anchor.doubts))
            continue
        if bare in sys.stdlib_module_names and not context.visible(anchor.path, node).knows(bare):
            continue  # a module has no place where a function is called
        name = bare
        if isinstance(func, ast.Attribute) and "." not in bare and bare.isidentifier():
            source_names = context.visible(anchor.path, node)
            holder = ast.unparse(func.value)
            if not source_names.knows(bare) or not holder[:1].isupper():
                name = f"{holder}.{bare}" if not _is_function(context, anchor.path, bare) else bare
        name = name.removeprefix(".") if not name.startswith("..") else name
        if parsed(name) is None:
            raise Unresolved(f"{new!r} is no call")
        source = context.source(anchor.path)
        old = source.segment(func)
        if isinstance(parsed(name), ast.Call):
            old = source.segment(node)
        if name.startswith("super()") and _passes_self(node):
            old, rest = source.segment(node), ", ".join(map(source.segment, (*node.args[1:], *node.keywords)))
            name = bare = f"{name}({rest})"
        if own := _own_method(source, node, bare):
            name = bare = own
        edit = call("replace_expression", place=place(context, anchor), old=old, new=name)
        if extra := _same_import(context, anchor.path, node, bare):
            made.append(Built((edit, extra), anchor.weight, anchor.doubts))
            continue
        if name != bare and "." in re.sub(r"\(.*", "", context.text("old")):
            # `cart.add` was said whole: so is what replaces it.
            plain = call("replace_expression", place=place(context, anchor), old=old, new=bare)
            made.append(Built((plain,), anchor.weight * 0.6, anchor.doubts))
            yield Built((edit,), anchor.weight * 0.4, anchor.doubts)
            continue
        made.append(Built((edit,), anchor.weight, anchor.doubts))
    if every and len(made) > 1:
        yield Built(tuple(dict.fromkeys(one for each in made for one in each.calls)), 0.95)
        return
    each_scale, all_weight = (1.0, 0.5) if context.placed else (0.5, 0.85)
    yield from (replace(one, weight=one.weight * each_scale) for one in made) if len(made) > 1 else made
    if len(made) > 1:
        doubt = f"all {len(made)} calls are changed"
        yield Built(tuple(dict.fromkeys(one for each in made for one in each.calls)), all_weight, (doubt,))


def _passes_self(node: ast.Call) -> bool:
    """Whether a call of a function of another class hands on `self`."""
    first = node.args[0] if node.args else None
    return (
        isinstance(first, ast.Name) and first.id == "self" and not ast.unparse(node.func).startswith("super")
    )


def _own_method(source: Source, node: ast.Call, name: str) -> str:
    """`self.name`, where an attribute of `self` is called in a class that has a method of that name."""
    inside = source.function_of(node)
    owner = source.class_of(inside) if inside is not None else None
    methods = {one.name for one in owner.body if isinstance(one, Function)} if owner is not None else set()
    return f"self.{name}" if name in methods and ast.unparse(node.func).startswith("self.") else ""


def _same_import(context: Context, path: str, node: ast.Call, name: str) -> Operation | None:
    """The import of a name from the module that what is called comes from, where the name is not known."""
    if (
        not isinstance(node.func, ast.Name)
        or not name.isidentifier()
        or context.visible(path, node).knows(name)
    ):
        return None
    called = node.func.id
    found = [one for one in context.repo.index.summary(path).imports if one.name and one.alias == called]
    if len(found) != 1 or found[0].name != called or not found[0].module:
        return None
    return call("add_import", path=path, module=found[0].module, name=name)


def _whole_import(context: Context, path: str, module: str) -> tuple[Operation, ...]:
    """The import of a module where the file has none."""
    bound = context.repo.index.scopes(path).module.bound
    return () if module in bound else (call("add_import", path=path, module=module),)


def _is_function(context: Context, path: str, name: str) -> bool:
    return any(one.kind.value == "function" for one in context.names.in_file(path).get(key(name), ()))


@builder("delete_calls")
def delete_calls(context: Context) -> Iterator[Built]:
    """All calls of a function; where it is not said of which, the prints."""
    if not context.has("call"):
        slots = {**context.reading.slots, "call": (Span(-1, -1, "print"),)}
        context = Context(replace(context.reading, slots=slots), context.situation, context.names)
    spots = found(context, "call:call", "call like that") + anchors(context, "call:call")[6:]
    lines = []
    for one in spots:
        source = context.source(one.path)
        statement = source.statement(one.node) if one.node is not None else None
        if isinstance(statement, ast.Expr) and statement.value is one.node:
            lines.append((one.path, source.first_line(statement) + 1, source.last_line(statement)))
    if not lines:
        yield _unwrapped(context, spots)
        return
    # From the last to the first, so that the lines of the others stay where they are.
    ordered = sorted(dict.fromkeys(lines), key=lambda each: (each[0], -each[1]))
    calls = [
        call("delete_statements", place=f"{path}:{low}" + (f"-{high}" if high > low else ""))
        for path, low, high in ordered
    ]
    yield Built(tuple(calls), 0.95)
    if len(calls) > 1 and not context.reading.everywhere:
        for each in calls[:2]:
            yield Built((each,), 0.2, (f"one of {len(calls)} calls",))


@builder("move_before", "move_after")
def move(context: Context) -> Iterator[Built]:
    side = context.reading.intent.removeprefix("move_")
    for anchor in found(context, "statement:code", "statement like that")[:3]:
        for other in found(context, "statement:anchor", "place like that")[:3]:
            if other.path == anchor.path and other.node is not anchor.node:
                made = call(
                    "move_statements", place=place(context, anchor), to=place(context, other), side=side
                )
                yield Built((made,), anchor.weight * other.weight, (*anchor.doubts, *other.doubts))


def _unwrapped(context: Context, spots: list[Anchor]) -> Built:
    """In place of calls whose values are used, what they are given: `x` for `str(x)` and for `x.strip()`. A
    statement that would set a name to itself goes."""
    edits: dict[tuple[str, int, int, str], Operation] = {}
    for one in spots:
        source = context.source(one.path)
        given = _given(context, one)
        if given is None or not isinstance(one.node, ast.Call):
            raise Unresolved("what it returns is used")
        old, new = source.segment(one.node), source.segment(given)
        holder = source.statement(one.node)
        if holder is not None and _sets_itself(holder, one.node, given):
            first, last = source.first_line(holder) + 1, source.last_line(holder)
            lines = f"{one.path}:{first}" + (f"-{last}" if last > first else "")
            edits[one.path, -first, 0, ""] = call("delete_statements", place=lines)
            continue
        made = call("replace_expression", place=place(context, one), old=old, new=new, every=True)
        edits[one.path, -one.node.lineno, 1, old] = made
    # From the last to the first, so that the lines of the others stay where they are.
    ordered = tuple(edits[at] for at in sorted(edits, key=lambda at: at[:3]))
    return Built(ordered, 0.9, ("what the call is given was taken for what it returns",))


def _sets_itself(holder: ast.stmt, node: ast.AST, given: ast.expr) -> bool:
    """Whether a statement would be `x = x` with what a call is given in its place."""
    if not isinstance(holder, ast.Assign) or holder.value is not node or len(holder.targets) != 1:
        return False
    target = holder.targets[0]
    return isinstance(target, ast.Name) and isinstance(given, ast.Name) and target.id == given.id


def _given(context: Context, at: Anchor) -> ast.expr | None:
    """The one thing that a call is given."""
    node = at.node
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if any(isinstance(one, ast.Starred | ast.GeneratorExp) for one in node.args):
        return None
    if isinstance(node.func, ast.Attribute) and not node.args:
        return node.func.value
    plain = isinstance(node.func, ast.Name) or _is_of_module(context, at.path, node.func)
    return node.args[0] if plain and len(node.args) == 1 else None


def _is_of_module(context: Context, path: str, func: ast.expr) -> bool:
    """Whether what is called is a function of an imported module: `os.fspath`."""
    if not isinstance(func, ast.Attribute):
        return False
    modules = (one for one in context.repo.index.summary(path).imports if not one.name)
    return ast.unparse(func.value) in {one.alias for one in modules}
