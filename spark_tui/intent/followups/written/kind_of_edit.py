"""What kind of edit somebody wrote, by its syntax: the intent that would ask for such an edit."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.syntax.walking import walk

_LEVELS = ("debug", "info", "warning", "error", "exception", "critical")
_METHODS = {
    "strip": "strip_value",
    "rstrip": "strip_value",
    "lstrip": "strip_value",
    "lower": "ignore_case",
    "casefold": "ignore_case",
    "upper": "ignore_case",
}
_FUNCTIONS = {
    "round": "round_value",
    "min": "limit_value",
    "max": "limit_value",
    "sorted": "sort_by",
    **dict.fromkeys(("int", "float", "str", "list", "set", "tuple", "Path"), "convert_value"),
}
_COMPREHENSIONS = {
    ast.ListComp: "pattern.list_comprehension",
    ast.GeneratorExp: "pattern.sum",
    ast.SetComp: "pattern.set_comprehension",
    ast.DictComp: "pattern.dict_comprehension",
}
_WIDER = {(ast.Lt, ast.LtE), (ast.Gt, ast.GtE)}


def kind_of_edit(before: Repository, written: Mapping[str, str | None]) -> str:
    """The intent of an edit by the first thing that it changed and that has one; empty where nothing has."""
    after = before.with_changes(written)
    for path in sorted(path for path, text in written.items() if text is not None and path.endswith(".py")):
        if before.index.text(path) is None:
            continue
        old, new = before.index.source(path), after.index.source(path)
        if old.tree is None or new.tree is None:
            continue
        names = _constants(new.tree) - _constants(old.tree)
        if names and any(
            isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load)
            for node in walk(new.tree)
        ):
            return "extract_constant"
        kinds = [kind for kind in _of_blocks(_changed(old, new), _changed(new, old)) if kind]
        kinds.sort(key=lambda kind: kind in ("set_value", "add_import"))  # what others need
        if kinds:
            return kinds[0]
    return ""


def _changed(source: Source, other: Source) -> list[ast.stmt]:
    """The statements of a module that do not stand in another one."""
    there = {other.segment(item) for item in _body(other)}
    return [item for item in _body(source) if source.segment(item) not in there]


def _body(source: Source) -> list[ast.stmt]:
    return source.tree.body if isinstance(source.tree, ast.Module) else []


def _constants(tree: ast.AST) -> set[str]:
    """The names that a module sets to values."""
    return {
        target.id
        for item in getattr(tree, "body", ())
        if isinstance(item, ast.Assign) and isinstance(item.value, ast.Constant)
        for target in item.targets
        if isinstance(target, ast.Name)
    }


def _of_blocks(old: Sequence[ast.stmt], new: Sequence[ast.stmt]) -> Iterator[str]:
    """The kinds of the changes from one block to another."""
    was, now = [ast.dump(item) for item in old], [ast.dump(item) for item in new]
    for tag, first, last, low, high in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if tag != "equal":
            yield from _of_statements(old[first:last], new[low:high])


def _of_statements(old: Sequence[ast.stmt], new: Sequence[ast.stmt]) -> Iterator[str]:
    gone = {ast.dump(item) for item in old}
    left, inserted = list(old), []
    for item in new:
        if _holds(item, gone):
            yield _of_wrapper(item)
            return
        partner = next((one for one in left if _is_like(one, item)), None)
        if partner is None:
            inserted.append(item)
            continue
        left.remove(partner)
        yield from _of_pair(partner, item)
    for item in inserted:
        yield _of_comprehension(item) if any(map(_is_loop, left)) else _of_inserted(item)
    if left and not inserted:
        yield "delete_statement"


def _is_loop(item: ast.stmt) -> bool:
    return isinstance(item, (ast.For, ast.AsyncFor, ast.While))


def _is_like(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether a statement may have become another one."""
    if type(one) is not type(other):
        return False
    if isinstance(one, ast.Assign) and isinstance(other, ast.Assign):
        same = ast.dump(one.targets[0]) == ast.dump(other.targets[0])
        return same or ast.dump(one.value) == ast.dump(other.value)
    if isinstance(one, Definition) and isinstance(other, Definition):
        return one.name == other.name or ast.dump(one.body[-1]) == ast.dump(other.body[-1])
    return not isinstance(one, ast.If | ast.Expr) or _share(one, other) > 0.4


def _share(one: ast.AST, other: ast.AST) -> float:
    """How much of two nodes is alike."""
    return SequenceMatcher(None, ast.dump(one), ast.dump(other), autojunk=False).ratio()


def _holds(item: ast.stmt, gone: set[str]) -> bool:
    """Whether a statement holds one that stood in its place."""
    inner = [one for name in ("body", "orelse") for one in getattr(item, name, ())]
    return (
        bool(gone)
        and isinstance(item, ast.Try | ast.With | ast.If)
        and any(ast.dump(one) in gone for one in inner)
    )


def _of_wrapper(item: ast.stmt) -> str:
    if not isinstance(item, ast.Try):
        return "run_only_if" if isinstance(item, ast.If) else "wrap_in_with"
    last = item.handlers[0].body[-1] if item.handlers else None
    if any(_logs(one) for handler in item.handlers for one in handler.body):
        return "try_log"
    kinds = {ast.Return: "try_return", ast.Raise: "try_raise"}
    return kinds.get(type(last), "try_pass") if last is not None else "add_finally"


def _logs(item: ast.stmt) -> bool:
    called = item.value.func if isinstance(item, ast.Expr) and isinstance(item.value, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr in _LEVELS


def _of_inserted(item: ast.stmt) -> str:
    if isinstance(item, ast.If) and not item.orelse:
        last = item.body[-1]
        if any(isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) for one in item.body[:-1]):
            return "guard_message"
        kinds = {ast.Raise: "guard_raise", ast.Return: "guard_return", ast.Break: "stop_loop"}
        return "skip_in_loop" if isinstance(last, ast.Continue) else kinds.get(type(last), "insert_before")
    if isinstance(item, ast.Import | ast.ImportFrom):
        return "add_import"
    if isinstance(item, Definition):
        return "add_method" if not isinstance(item, ast.ClassDef) else ""
    if isinstance(item, ast.Assign) and isinstance(item.value, ast.Constant):
        return "set_value"
    if isinstance(item, ast.AnnAssign):
        return "add_field"
    if isinstance(item, ast.Return):
        return "set_return"
    called = item.value.func if isinstance(item, ast.Expr) and isinstance(item.value, ast.Call) else None
    if isinstance(called, ast.Attribute) and called.attr == "add_argument":
        return "add_option"
    return "add_log" if _logs(item) else "insert_before"


def _of_comprehension(item: ast.stmt) -> str:
    """What stands in the place of a loop."""
    found = (_COMPREHENSIONS.get(type(node), "") for node in walk(item))
    return next(filter(None, found), _of_inserted(item))


def _of_pair(old: ast.AST, new: ast.AST) -> Iterator[str]:
    """The kinds of the changes from one node to another of its type."""
    for name in new._fields:
        was, now = getattr(old, name, None), getattr(new, name, None)
        if isinstance(now, list) and now and isinstance(now[0], ast.stmt):
            yield from _of_blocks(was or [], now)
        elif isinstance(now, ast.AST) or isinstance(was, ast.AST):
            if _dumped(was) != _dumped(now):
                yield from _of_values(was, now, new, name)
        elif isinstance(now, list):
            yield from _of_lists(new, was or [], now, name)
        elif was != now and isinstance(now, str) and isinstance(was, str):
            yield "rename"


def _dumped(node: object) -> str:
    return ast.dump(node) if isinstance(node, ast.AST) else ""


def _of_lists(new: ast.AST, was: Sequence[object], now: Sequence[object], name: str) -> Iterator[str]:
    if len(was) == len(now):
        for one, other in zip_longest(was, now):
            if isinstance(one, ast.AST) and isinstance(other, ast.AST) and _dumped(one) != _dumped(other):
                yield from _of_values(one, other, new, name)
            elif isinstance(other, str) and one != other:
                yield "rename"
    elif isinstance(new, ast.arguments) and name in ("args", "kwonlyargs"):
        yield "add_parameter" if len(now) > len(was) else "remove_parameter"
    elif isinstance(new, ast.Call):
        sorts = any(isinstance(item, ast.keyword) and item.arg in ("key", "reverse") for item in now)
        yield "remove_argument" if len(now) < len(was) else "sort_by" if sorts else "set_argument"
    elif isinstance(new, ast.Dict):
        yield "set_entry"
    elif isinstance(new, ast.List | ast.Tuple | ast.Set):
        yield "add_item" if len(now) > len(was) else "remove_item"
    elif isinstance(new, ast.JoinedStr):
        yield "say_value"
    elif isinstance(new, ast.arguments):
        yield "set_default"


def _of_values(old: object, new: object, parent: ast.AST, name: str) -> Iterator[str]:
    """The kind of a change of an expression in its place."""
    if isinstance(parent, ast.arguments) and name in ("defaults", "kw_defaults"):
        yield "set_default"
    elif name in ("annotation", "returns"):
        yield "annotate_return" if name == "returns" else "annotate_parameter"
    elif isinstance(old, ast.expr) and isinstance(new, ast.expr):
        yield from _of_expressions(old, new, parent, name)
    elif isinstance(old, ast.cmpop) and isinstance(new, ast.cmpop):
        pair = type(old), type(new)
        other = "exclude_boundary" if pair[::-1] in _WIDER else "change_condition"
        yield "include_boundary" if pair in _WIDER else other
    elif isinstance(old, ast.AST) and isinstance(new, ast.AST):
        yield from _of_pair(old, new)
    elif isinstance(parent, ast.FormattedValue):
        yield "format_number"


def _of_expressions(old: ast.expr, new: ast.expr, parent: ast.AST, name: str) -> Iterator[str]:
    inner = [_dumped(node) for node in walk(new)][1:]
    if isinstance(new, ast.BoolOp) and (_dumped(old) in inner or type(old) is type(new)):
        yield "also_require" if isinstance(new.op, ast.And) else "also_allow"
    elif isinstance(new, ast.Call) and _dumped(old) in inner:
        called = new.func.attr if isinstance(new.func, ast.Attribute) else getattr(new.func, "id", "")
        table = _METHODS if isinstance(new.func, ast.Attribute) else _FUNCTIONS
        yield table.get(called, "apply_function")
    elif isinstance(old, ast.Constant) and isinstance(new, ast.Constant):
        yield _of_constants(old, parent)
    elif isinstance(new, ast.JoinedStr) and not isinstance(old, ast.JoinedStr):
        yield "say_value" if isinstance(old, ast.Constant) else "to_f_string"
    elif isinstance(parent, ast.Raise) and type(old) is not type(new):
        yield "change_raised"
    elif isinstance(parent, ast.Call) and name == "func":
        same = isinstance(old, ast.Attribute) and isinstance(new, ast.Attribute) and old.attr == new.attr
        yield from _of_pair(old, new) if same else ("replace_call",)
    elif isinstance(parent, ast.ExceptHandler):
        yield "set_except"
    elif type(old) is type(new) and _share(old, new) > 0.5:
        yield from _of_pair(old, new)
    elif isinstance(parent, ast.Return):
        yield "set_return"
    elif isinstance(old, ast.Constant) and isinstance(new, ast.Name):
        yield "rename"
    elif name == "test":
        yield "change_condition"
    else:
        yield "replace_expression"


def _of_constants(old: ast.Constant, parent: ast.AST) -> str:
    if isinstance(parent, ast.Assign | ast.AnnAssign | ast.AugAssign):
        return "set_value"
    if isinstance(parent, ast.Return):
        return "set_return"
    if isinstance(parent, ast.Dict):
        return "set_entry"
    return "replace_text" if isinstance(old.value, str) else "replace_value"
