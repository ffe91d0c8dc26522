"""Calls about literals: what strings are built by, defaults that are shared, items of a collection."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from spark_tui.codemods.families.functions.defaults import FixMutableDefault
from spark_tui.codemods.places.constants import constant_name
from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import (
    Built,
    build_at,
    builder,
    call,
    calls_table,
    from_entry,
    of_table,
    place,
)
from spark_tui.intent.context.anchors import Anchor, anchors
from spark_tui.intent.context.lookup import without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.pysource.inference.known_types import LOG_LEVELS

_FORMS = {"%": "percent", "format": "format_call", "+": "plus"}


def _works(context: Context, operation: Operation) -> bool:
    return not isinstance(operation.plan(context.repo), Refused)


@builder("to_f_string")
def to_f_string(context: Context) -> Iterator[Built]:
    """The strings of a place; those built as it is said, or of the statements that are named, where there are
    such."""
    made = list(_filled(context))
    names = context.reading.slots.get("function", ())
    if 1 < len(made) == len(names):  # all functions that are named are meant
        yield Built(tuple(call_node for built in made for call_node in built.calls), 0.95)
    yield from made


def _filled(context: Context) -> Iterator[Built]:
    instruction = context.situation.instruction
    form = next((form for form, kind in _FORMS.items() if phrases.mentions(kind, instruction)), "")
    for built in of_table(context, "to_f_string"):
        where = str(getattr(built.calls[0], "place", ""))
        only = call("to_f_string", place=where, form=form)
        words = _of_statements(context, where) if context.has("function") else _of_words(context, only)
        named = _of_pieces(context, only, _CODE.findall(context.beside_slots()), str.__contains__) or words
        if named or not form or _works(context, only):
            yield replace(built, calls=named or (only,))
        else:
            yield replace(built, doubts=(*built.doubts, f"no string built by {form} was changed"))


@builder("from_f_string")
def from_f_string(context: Context) -> Iterator[Built]:
    """f-strings in the form that is said, else joined."""
    text = context.situation.instruction
    form = next((form for form, kind in _FORMS.items() if phrases.mentions(kind, text)), "+")
    yield from from_entry(context, {**calls_table()["from_f_string"], "form": form})


_NAMED = re.compile(
    r"(?<!\w)(?:for|für|pour|para)\s+((?:(?:the|all|our|die|den|der|das|les|la|le|los|las|el)\s+)?[a-z_]+"
    r"(?:\s*(?:,|and|und|et|y)\s*(?:(?:the|die|den|les|la|le|los|las)\s+)?[a-z_]+)*)"
)
"""What a form is asked for: *for the urls and the roll*."""
_LONG = re.compile(r"[a-z]{3,}")
_CODE = re.compile(r"(?<=')[^'\n]{3,}(?=')|(?<=\")[^\"\n]{3,}(?=\")|\b[A-Z]\w*[a-z]\w*[A-Z]\w+")
"""What can only be code: texts in quotes, and names of classes in several words."""


def _of_words(context: Context, only: Operation) -> tuple[Operation, ...]:
    """The calls for the statements that have a word of the instruction, where only some of those that would
    be changed have it: *f-strings for the urls*."""
    said = [
        each for word in _NAMED.findall(context.situation.instruction.lower()) for each in _LONG.findall(word)
    ]
    return _of_pieces(context, only, said, _has_word)


def _has_word(line: str, word: str) -> bool:
    return re.search(rf"(?<![a-z]){without_s(word)}", line.lower()) is not None


def _of_pieces(
    context: Context, only: Operation, pieces: Iterable[str], has: Callable[[str, str], bool]
) -> tuple[Operation, ...]:
    """The calls for the lines that have pieces which only some of those that would be changed have."""
    plan = only.plan(context.repo) if pieces else None
    if not isinstance(plan, Plan) or len(plan.paths) != 1:
        return ()
    source = context.source(plan.paths[0])
    lines = {source.line_number(edit.start) for edit in plan.edits}
    some: set[int] = set()
    for piece in pieces:
        having = {line for line in lines if has(source.lines[line - 1], piece)}
        some |= having if len(having) < len(lines) else set()
    places = sorted(some, reverse=True) if len(some) < len(lines) else []
    return tuple(call("to_f_string", place=f"{source.path}:{line}") for line in places)


def _of_statements(context: Context, where: str) -> tuple[Operation, ...]:
    """The calls for the statements of the one kind that is named: `the raise`, `the print in load`."""
    other_words = set(re.findall(r"\w+", context.beside_slots().lower()))
    kinds = [item for item in ("raise", "print", "return", "log") if item in other_words]
    out = []
    for area, _, node in context.find(ast.stmt) if len(kinds) == 1 else ():
        if _is_kind(node, kinds[0]) and f"in {area.place}".endswith(where[3:]):
            made = call("to_f_string", place=place(context, Anchor(area, node)))
            out += [made] if _works(context, made) else []
    return tuple(out)


def _is_kind(node: ast.stmt, kind: str) -> bool:
    if kind in ("raise", "return"):
        return isinstance(node, ast.Raise if kind == "raise" else ast.Return)
    called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    if kind == "print":
        return isinstance(called, ast.Name) and called.id == "print"
    return isinstance(called, ast.Attribute) and called.attr in LOG_LEVELS


@builder("fix_mutable_default")
def fix_mutable_default(context: Context) -> Iterator[Built]:
    """A new one for each call; a default that cannot change, or the constant to fall back to, where one is
    said."""
    other_words = context.beside_slots()
    fixed = next((code for code in ("()", "frozenset()") if phrases.value_in(other_words) == code), "")
    for built in of_table(context, "fix_mutable_default"):
        first = built.calls[0]
        assert isinstance(first, FixMutableDefault)
        fields = {"target": str(first.target), "name": str(first.name)}
        constant = _constant_said(context, first.target.path, other_words)
        if fixed and first.name:
            yield replace(built, calls=(call("set_default", **fields, default=fixed),))
        elif constant:
            yield replace(built, calls=(call("fix_mutable_default", **fields, value=constant),))
        else:
            yield built


def _constant_said(context: Context, path: str, text: str) -> str:
    """The one constant of a file that the instruction names."""
    tree = context.source(path).tree if path in context.repo.index.paths else None
    names = [constant_name(stmt) for stmt in (tree.body if tree is not None else ())]
    found = [name for name in names if name.isupper() and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    return found[0] if len(set(found)) == 1 else ""


@builder("remove_item")
def remove_item(context: Context) -> Iterator[Built]:
    """An item that is shown whole, or the one in which what is said stands: `the 404 one`."""
    span, plain = context.span("value"), context.text("value").strip("`'\"")
    is_word = span is not None and not span.quoted and not plain.isidentifier()
    sign = phrases.sign(plain) if span is not None and not span.quoted else None
    exact: list[Built] = []
    parts: list[Built] = []
    for anchor in anchors(context, "display:variable")[: context.most_places]:
        node = anchor.node
        if not (node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", True)):
            raise Unresolved(f"{plain} is not in a list that is written out there")
        items = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else []
        texts = [
            item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)
        ]
        plain_of = {ast.unparse(item): _plain(item) for item in items}
        shown = [text for text in texts if re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", text)]
        whole = [code for code in plain_of if plain in (code, code.strip("'\""))]
        whole = whole or [code for code, text in plain_of.items() if text == plain]
        whole = whole or [code for code, text in plain_of.items() if text == sign]
        one = whole or (list(map(repr, shown)) if len(shown) == 1 and context.has("variable") else [])
        for code in one[:1]:
            target = ast.unparse(node) if node is not None else ""
            made = call("remove_item", place=place(context, anchor), value=code, target=target)
            (exact if whole else parts).append(build_at(anchor, made))
    if not exact and not parts and (sign or (is_word and " " in plain)):
        raise Unresolved(f"it is not clear which item {plain!r} is")
    yield from exact or parts or of_table(context, "remove_item")


def _plain(item: ast.expr) -> str:
    """What an item is called by: a text by its letters, also one of bytes; anything else by its code."""
    value = item.value if isinstance(item, ast.Constant) else None
    return value.decode("latin-1") if isinstance(value, bytes) else str(value or ast.unparse(item))
