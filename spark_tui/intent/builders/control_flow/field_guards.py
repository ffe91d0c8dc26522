"""Guards on the fields of classes that have no function for them: in `__post_init__` of a dataclass, or as
the limits of a field of a pydantic model."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.intent.builders.control_flow.guard_errors import raise_options
from spark_tui.intent.building.building import Built, call, place
from spark_tui.intent.building.rewritten import pass_argument
from spark_tui.intent.conditions.guard_places import sets_name
from spark_tui.intent.conditions.none_defaults import doubts_of_default, exclude_none_defaults
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area
from spark_tui.intent.values.converters.of_slots import CONVERTERS, SlotWords
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import called_name, decorator_names, last_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.words import word_set

_LIMITS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("ge", "min_length"),
    ast.LtE: ("gt", ""),
    ast.Gt: ("le", "max_length"),
    ast.GtE: ("lt", ""),
}
"""What a field has to be where a comparison of it, or of its length, is refused."""
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.LtE: ast.Gt, ast.Lt: ast.GtE}
"""The comparisons that do not hold where those of a range do, which has its lower end first."""
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.LtE: ast.Lt, ast.Lt: ast.LtE}
_MADE, _MODEL = "__post_init__", "BaseModel"
_REFUSING = ("", "ValueError", "ValidationError")
"""The errors that a model raises, where one is said."""
_WITH_LENGTH = word_set("str bytes list List set Set tuple Tuple dict Dict")


def guarded_fields(context: Context, of_class: bool = False) -> list[Built]:
    """The guards of the fields that a condition names: no function is given their values. `of_class`: where
    it is `Window.width`."""
    made: list[Built] = []
    if of_class and not re.search(r"\b[A-Z]\w*\.\w", context.text("condition")):
        return made
    for area, source, node in context.find(ast.ClassDef):
        if _is_meant(context, source, node):
            anchor = Anchor(Area(area.path, node), node, area.weight, area.doubts)
            made += list(_of_class(context, anchor, node))
    return [replace(one, weight=one.weight / len(made)) for one in made]


def _fields(node: ast.ClassDef) -> dict[str, ast.AnnAssign]:
    rows = (stmt for stmt in node.body if isinstance(stmt, ast.AnnAssign))
    return {last_name(stmt.target): stmt for stmt in rows}


def _is_meant(context: Context, source: Source, node: ast.ClassDef) -> bool:
    """Whether words of the condition are fields of a class; of no other one, where a class is named."""
    words = set(re.findall(r"\w+", context.text("condition")))
    named = {one.name for one in source.definitions if isinstance(one, ast.ClassDef)} & words
    return not words.isdisjoint(_fields(node)) and (not named or node.name in named)


def _of_class(context: Context, anchor: Anchor, node: ast.ClassDef) -> Iterator[Built]:
    span = context.span("condition")
    if span is None:
        return
    text = re.sub(rf"\b{node.name}\.(?=\w)", "", span.text)
    options = CONVERTERS["condition"](SlotWords(context, replace(span, text=text), anchor))
    for condition in options[:1]:
        if "dataclass" in decorator_names(node):
            yield from _checked_when_made(context, anchor, node, condition.text)
        elif _is_model(context, anchor.path, node) and not context.has("message"):
            told = context.text("exception").strip("`")
            calls = _limits_of_field(context, anchor, node, condition.text) if told in _REFUSING else ()
            if calls:
                yield Built(calls, anchor.weight, (*anchor.doubts, *condition.doubts))


def _checked_when_made(
    context: Context, anchor: Anchor, node: ast.ClassDef, condition: str
) -> Iterator[Built]:
    """The guard in the method that a dataclass calls with its fields set, which may be new."""
    value = ClassValue(anchor.path, node)
    line = context.repo.classes.ancestors(value)
    if any(
        _is_given_or_unset(row, condition) for one in (value, *line) for row in _fields(one.node).values()
    ):
        return
    own, above = (
        [stmt for one in classes for stmt in one.body if isinstance(stmt, Function) and stmt.name == _MADE]
        for classes in ([node], [one.node for one in line if one.node is not node])
    )
    symbol = f"{anchor.path}::{context.source(anchor.path).qualname(node)}"
    plain, given = condition.replace("self.", ""), _as_function(node)
    present = exclude_none_defaults(given, plain).removesuffix(plain)
    test = re.sub(r"\w+(?= is not None)", r"self.\g<0>", present) + condition
    unasked = list(doubts_of_default(given, plain)) if not present else []
    for below in context.repo.classes.descendants(value):
        has_own = any(isinstance(stmt, Function) and stmt.name == _MADE for stmt in below.node.body)
        if below.node is not node and has_own:
            unasked.append(
                assumed(f"the {_MADE} of {below.node.name} was assumed to call that of {node.name}")
            )
    for action in raise_options(context, anchor, condition):
        if own and (late := _last_setting(own[0], test)) is not None:
            code = f"if {test}:\n    {action.text}\n"
            spot = place(context, replace(anchor, node=late))
            one = call("insert_statements", place=spot, code=code, side="after")
        elif own:
            one = call("add_guard", place=f"in {symbol}.{_MADE}", condition=test, action=action.text)
        else:
            first = f"    super().{_MADE}()\n" if above else ""
            code = f"def {_MADE}(self):\n{first}    if {test}:\n        {action.text}\n"
            one = call("add_method", target=symbol, code=code)
        yield Built((one,), anchor.weight * action.weight, (*anchor.doubts, *action.doubts, *unasked))


def _last_setting(made: Function, test: str) -> ast.stmt | None:
    """The last statement of a method that may set what a test asks for."""
    names = {ast.unparse(one) for one in find_nodes(ast.parse(test), ast.Attribute)}
    return next((stmt for stmt in reversed(made.body) if any(sets_name(stmt, one) for one in names)), None)


def _is_given_or_unset(row: ast.AnnAssign, condition: str) -> bool:
    """Whether the method is given a field, or has to set it before a condition is asked."""
    tested = re.search(rf"\b{last_name(row.target)}\b", condition)
    unset = (
        row.value is not None
        and "init=False" in ast.unparse(row.value)
        and "default" not in ast.unparse(row.value)
    )
    return "InitVar" in ast.unparse(row.annotation) or (unset and tested is not None)


def _as_function(node: ast.ClassDef) -> Function:
    """A function that is given the fields of a class, with their defaults."""
    rows = _fields(node).items()
    plain = [name for name, row in rows if row.value is None]
    filled = [f"{name}={ast.unparse(row.value)}" for name, row in rows if row.value is not None]
    made = ast.parse(f"def made({', '.join((*plain, *filled))}): pass").body[0]
    assert isinstance(made, Function)
    return made


def _is_model(context: Context, path: str, node: ast.ClassDef) -> bool:
    line = (ClassValue(path, node), *context.repo.classes.ancestors(ClassValue(path, node)))
    return any(last_name(base) == _MODEL for one in line for base in one.node.bases)


def _limits_of_field(
    context: Context, anchor: Anchor, node: ast.ClassDef, condition: str
) -> tuple[Operation, ...]:
    """What gives the one field that a condition tests its limits, by the `Field` that it has or a new one."""
    refused = dict(_refused(ast.parse(condition, mode="eval").body))
    names = {name for name, _ in refused}
    row = _fields(node).get(next(iter(names))) if len(names) == 1 else None
    if row is None:
        return ()
    limits = {limit: value for (_, limit), value in refused.items()}
    held = row.annotation.value if isinstance(row.annotation, ast.Subscript) else row.annotation
    if not {"min_length", "max_length"}.isdisjoint(limits) and last_name(held) not in _WITH_LENGTH:
        return ()
    if isinstance(row.value, ast.Call) and called_name(row.value) == "Field":
        field = replace(anchor, node=row.value)
        return tuple(pass_argument(context, field, limit, value) for limit, value in limits.items())
    source = context.source(anchor.path)
    default = [f"default={source.segment(row.value)}"] if row.value is not None else []
    given = ", ".join((*default, *(f"{limit}={value}" for limit, value in limits.items())))
    head = f"{source.segment(row.target)}: {source.segment(row.annotation)}"
    spot = place(context, replace(anchor, node=row))
    calls = [call("replace_statements", place=spot, code=f"{head} = Field({given})")]
    if "Field" not in context.repo.index.scopes(anchor.path).module.bound:
        calls.append(call("add_import", path=anchor.path, module="pydantic", name="Field"))
    return tuple(calls)


def _refused(test: ast.expr) -> Iterator[tuple[tuple[str, str], str]]:
    """The fields that a condition refuses, each with the limit that it names and its value; one without a
    name where the condition has parts that no limit says."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        for part in test.values:
            yield from _refused(part)
        return
    inner = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else None
    if isinstance(inner, ast.Compare) and len(inner.ops) == 2 and {*map(type, inner.ops)} <= {*_OPPOSITE}:
        low, value, high = inner.left, *inner.comparators
        yield _limit(value, _MIRRORED[type(inner.ops[0])], low)
        yield _limit(value, _OPPOSITE[type(inner.ops[1])], high)
    elif isinstance(inner, ast.Attribute):
        yield (inner.attr, "min_length"), "1"
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        yield _limit(test.left, type(test.ops[0]), test.comparators[0])
    else:
        yield ("", ""), ""


def _limit(value: ast.expr, refused: type[ast.cmpop], than: ast.expr) -> tuple[tuple[str, str], str]:
    of_length = isinstance(value, ast.Call) and called_name(value) == "len" and len(value.args) == 1
    field = value.args[0] if isinstance(value, ast.Call) and of_length else value
    limit = _LIMITS.get(refused, ("", ""))[of_length]
    if not isinstance(field, ast.Attribute) or not limit or any(map(_is_name, ast.walk(than))):
        return ("", ""), ""
    return (field.attr, limit), ast.unparse(than)


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name | ast.Attribute)
