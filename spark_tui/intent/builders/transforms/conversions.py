"""Calls that convert values to other types, a whole one or the items of a collection."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from spark_tui.intent.builders.transforms.described_transforms import apply_to_items
from spark_tui.intent.builders.transforms.transformed import strip_brackets, transform_value
from spark_tui.intent.building.building import BUILDERS, Built, build_at, builder
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import is_same_expression, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.intent.values.likely.assigned_values import value_spots
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import places_fit
from spark_tui.pysource.names.type_hints import called_name, is_class_name, last_name
from spark_tui.pysource.syntax.walking import find_nodes, walk

_SCALARS = ("int", "float", "str")
_COLLECTIONS = {"list": "[]", "tuple": "()", "set": "{}"}


@builder("convert_value")
def convert_value(context: Context) -> Iterator[Built]:
    kind = phrases.type_code(context.text("type"))
    if kind is None or kind == "None":
        raise Unresolved(f"{context.text('type')!r} is not a type")
    name = kind.partition("[")[0]
    several = context.text("type").lower().endswith("s")
    inner = list(_items(context, name)) if name in _SCALARS or (several and name in _COLLECTIONS) else []
    inner = inner or (list(_as_set(context)) if name == "set" else [])
    inner = inner or list(_of_fields(context, name))
    if inner:
        yield from inner
        return
    # What is collected begins as a list; a constant is whole where it is set.
    if name in _SCALARS and (parsed_so := list(_as_option(context))):
        yield from parsed_so
        return
    constant = context.text("variable").strip("`").isupper()
    changed = transform_value(
        context, lambda text: _converted(text, name), literals=constant or name != "tuple"
    )
    for built in changed:
        if name == "dict" and _is_plain_row(context, built):
            raise Unresolved("a row of the database is a tuple without names")
        yield built


def _is_plain_row(context: Context, built: Built) -> bool:
    """Whether `dict` is made of a row that a database gives as a tuple."""
    place, code = getattr(built.calls[0], "place", None), str(getattr(built.calls[0], "old", ""))
    if place is None or not place.path:
        return False
    source = context.source(place.path)
    rows = {
        ast.unparse(stmt.targets[0])
        for stmt in find_nodes(source.tree, ast.Assign)
        if called_name(stmt.value) in ("fetchone", "fetchall")
    }
    return code in rows and "row_factory" not in source.text


def _as_option(context: Context) -> Iterator[Built]:
    """The type of the option of a command line that is called like the value, where nothing else is."""
    if any(value is not None for _, value, _ in value_spots(context)) or context.placed:
        return
    slots = {"name": context.reading.slots.get("variable", ()), "type": context.reading.slots["type"]}
    reading = replace(context.reading, intent="set_option", slots=slots)
    with suppress(Unresolved):
        yield from BUILDERS["set_option"](Context(reading, context.situation, context.names))


def _as_set(context: Context) -> Iterator[Built]:
    """A list with calls of `append`: they become `add`, unless the instruction asks for that separately."""
    if phrases.mentions("adding", context.situation.instruction):
        return
    for anchor, value, name in value_spots(context):
        source = context.source(anchor.path)
        if value is None or ast.unparse(value) not in ("[]", "list()"):
            continue
        whole = (name.startswith("self.") and source.class_of(source.function_of(value) or value)) or None
        around = whole or source.function_of(value) or source.tree or value
        appended = [
            node for node in find_nodes(around, ast.Attribute) if ast.unparse(node) == f"{name}.append"
        ]
        nodes: list[tuple[ast.expr, str]] = [(node, f"{name}.add") for node in reversed(appended)]
        calls = [
            replace_code(context, replace(anchor, node=node), new) for node, new in (*nodes, (value, "set()"))
        ]
        if appended:
            yield build_at(anchor, *calls)


def _of_fields(context: Context, kind: str) -> Iterator[Built]:
    """A field of a dataclass that is made by a factory: another one, and the type that goes with it."""
    for anchor, value, _ in value_spots(context):
        around = context.source(anchor.path).parents.get(value) if value is not None else None
        if not isinstance(around, ast.AnnAssign) or not isinstance(value, ast.Call):
            continue
        made = [one.value for one in value.keywords if one.arg == "default_factory"]
        if not made or ast.unparse(made[0]) not in (*_COLLECTIONS, "dict", "frozenset"):
            continue
        hint = around.annotation.value if isinstance(around.annotation, ast.Subscript) else around.annotation
        spots = [(made[0], kind), *([(hint, kind)] if ast.unparse(hint) == ast.unparse(made[0]) else [])]
        calls = [replace_code(context, replace(anchor, node=node), new) for node, new in spots]
        yield build_at(anchor, *calls)


def _items(context: Context, kind: str) -> Iterator[Built]:
    """The items of a list or the values of a dictionary as another type, where they are put in."""
    for anchor, value, name in value_spots(context):
        source = context.source(anchor.path)
        split = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
        put: list[tuple[ast.expr, str]] = []
        if isinstance(value, ast.ListComp | ast.SetComp):
            put = [(value.elt, f"{kind}({source.segment(value.elt)})")]
        elif (
            isinstance(value, ast.Call) and split and ast.unparse(value.func).endswith((".split", ".rsplit"))
        ):
            put = [(value, f"[{kind}(one) for one in {source.segment(value)}]")]
        elif value is not None and ast.unparse(value) in ("[]", "{}", "set()", "dict()", "list()"):
            around = source.function_of(value) or source.tree or value
            put = [(inner, f"{kind}({source.segment(inner)})") for inner in _put_into(around, name)]
        for node, new in put:
            made = replace_code(context, replace(anchor, node=node), new)
            doubts = (places_fit(len(put)),) if len(put) > 1 else ()
            yield build_at(anchor, made, weight=1 / len(put), doubts=doubts)


def _put_into(root: ast.AST, name: str) -> Iterator[ast.expr]:
    """What is put into a collection by `append`, `add` or a key."""
    for node in walk(root):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in (f"{name}.append", f"{name}.add"):
            yield from node.args[:1]
        goal = node.targets[0] if isinstance(node, ast.Assign) else None
        if (
            isinstance(node, ast.Assign)
            and isinstance(goal, ast.Subscript)
            and ast.unparse(goal.value) == name
        ):
            yield node.value


def _converted(text: str, kind: str) -> str:
    """A value as another type: of a literal only the brackets change, of a call like `set(x)` the type. One
    that has the type stays as it is."""
    tree, given = parsed(text), text.strip()
    if kind in _COLLECTIONS and literal_type(tree) == kind:
        return text
    number = tree.operand if isinstance(tree, ast.UnaryOp) else tree
    is_float = isinstance(number, ast.Constant) and isinstance(number.value, float)
    if is_float and kind.endswith(("Decimal", "Fraction")):
        return f'{kind}("{strip_brackets(text)}")'  # a float is not quite the number that is written
    if kind in _SCALARS and isinstance(tree, ast.Tuple):
        return apply_to_items(lambda item: f"{kind}({strip_brackets(item)})", text)
    if isinstance(tree, ast.Tuple) and kind != "tuple" and not is_same_expression(tree, parsed(given[1:-1])):
        text = given = f"({given})"  # it stands without brackets
    named = tree.func.id if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) else ""
    if kind == "float" and named == "int":
        return kind + given[len(named) :]  # a whole number is made of it no more
    known = (*_COLLECTIONS, "frozenset")
    if kind in known and named in known and isinstance(tree, ast.Call) and len(tree.args) == 1:
        shown = ast.get_source_segment(text, tree.args[0]) or ""
        if kind in _COLLECTIONS and isinstance(tree.args[0], ast.List | ast.Tuple | ast.Set) and shown:
            return _converted(shown, kind)
        return kind + given[len(named) :]
    if kind in _COLLECTIONS and given in ("[]", "()", "set()", "list()", "tuple()"):
        return "set()" if kind == "set" else _COLLECTIONS[kind]
    made = last_name(tree.func) if isinstance(tree, ast.Call) and given.endswith("()") else ""
    if is_class_name(kind) and (given in ("{}", "[]", "dict()", "list()") or is_class_name(made)):
        return f"{kind}()"  # nothing is in it that could be kept
    if kind == "dict" and isinstance(tree, ast.Tuple):
        return _by_names(tree)
    if kind == "tuple" and isinstance(tree, ast.ListComp) and given[0] == "[":
        return f"tuple({given[1:-1].strip()})"
    items = tree.elts if isinstance(tree, ast.List | ast.Tuple | ast.Set) and given[:1] in "[({" else []
    if kind not in _COLLECTIONS or not items or (kind == "tuple" and len(items) < 2):
        return f"{kind}({strip_brackets(text)})"
    brackets = _COLLECTIONS[kind]
    return brackets[0] + given[1:-1] + brackets[1]


def _by_names(row: ast.Tuple) -> str:
    """A dictionary of the values in a row, under their own names."""
    names = [getattr(item, "id", getattr(item, "attr", "")) for item in row.elts]
    if not all(names) or len({*names}) < len(names):
        raise Unresolved("it is not said under which keys the values are")
    pairs = (f'"{name}": {ast.unparse(item)}' for name, item in zip(names, row.elts, strict=True))
    return f"{{{', '.join(pairs)}}}"
