"""Calls that make tests of texts ignore upper and lower case."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from spark_tui.codemods.registry import Operation
from spark_tui.intent.builders.transforms.case_sensitive_calls import CASED, TOLD_APART, tell_apart
from spark_tui.intent.builders.transforms.transformed import transform_result, transform_value
from spark_tui.intent.building.building import Built, build_at, builder, call
from spark_tui.intent.building.rewritten import add_brackets, replace_code
from spark_tui.intent.context.anchors import Anchor, Search, anchors, finder, is_same_expression, nodes
from spark_tui.intent.context.lookup import split_name, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.facts.made_types import made_type
from spark_tui.intent.facts.optional_values import unasked
from spark_tui.intent.finders.expressions import keep_best, mentions, names_in_node
from spark_tui.intent.values.likely.assigned_values import value_spots
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import DoubtKind, assumed, without
from spark_tui.pysource.inference.known_types import COLLECTIONS
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk

_OPERATORS = {ast.Eq: "==", ast.NotEq: "!=", ast.In: "in", ast.NotIn: "not in"}
_TESTS = ("startswith", "endswith")
_PATTERNS = ("compile", "match", "search", "fullmatch", "findall", "finditer", "sub", "split")
_TAKEN = "both sides were assumed to be strings"


@finder
def text_test(at: Search) -> Iterator[Anchor]:
    """Comparisons by `==` and `in`, `startswith` and calls of `re` in which what is named stands."""
    text = at.context.text(at.slot)
    every = [node for node in nodes(at.root, ast.Compare, ast.Call) if _is_test(node)]
    if not text and not at.context.placed:
        return
    found = [(mentions(node, text) if text else 0.9, node) for node in every]
    if text and not any(score for score, _ in found):
        words = {without_s(word) for word in split_name(phrases.without_articles(text))}
        found = [(0.7 if words and words <= _spoken(node) else 0.0, node) for node in every]
        if not any(score for score, _ in found) and phrases.mentions("patterns", text):
            # `the time regex`: the one that has the word in its text, or any.
            rest = {word for word in words if not phrases.mentions("patterns", word)}
            shown = [
                node for node in every if isinstance(node, ast.Call) and ast.unparse(node.func)[:3] == "re."
            ]
            found = [(0.7 if rest <= _spoken(node) | _written(node) else 0.0, node) for node in shown]
    yield from keep_best([item for item in found if item[0]])


def _written(node: ast.AST) -> set[str]:
    """The words of the texts in a node."""
    texts = (str(inner.value) for inner in walk(node) if is_text(inner) and isinstance(inner, ast.Constant))
    return {without_s(word.lower()) for text in texts for word in re.findall(r"[^\W\d_]{3,}", text)}


def _spoken(node: ast.AST) -> set[str]:
    """The words of the names in a node."""
    inside = [inner for inner in walk(node) if isinstance(inner, ast.expr)]
    return {without_s(word) for inner in inside for name in names_in_node(inner) for word in split_name(name)}


def _is_test(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return len(node.ops) == 1 and type(node.ops[0]) in _OPERATORS and not any(map(_is_no_text, sides))
    called = node.func if isinstance(node, ast.Call) else None
    if not isinstance(called, ast.Attribute):
        return False
    return called.attr in _TESTS or (ast.unparse(called.value) == "re" and called.attr in _PATTERNS)


def _is_no_text(node: ast.expr) -> bool:
    value = node.value if isinstance(node, ast.Constant) else "a"
    caseless = not isinstance(value, str) or value.lower() == value.upper()
    length = isinstance(node, ast.Call) and ast.unparse(node.func) in ("len", "int", "type", "float", "ord")
    return caseless or length or isinstance(node, ast.BinOp)


@builder("ignore_case")
def ignore_case(context: Context) -> Iterator[Built]:
    if TOLD_APART.search(context.situation.instruction):
        yield from tell_apart(context)
        return
    upper = "|".join(map(re.escape, phrases.table()["transforms"]["{x}.upper()"]))
    becomes = re.search(rf"(?<!\w)(?:be|to|into) (?:{upper})(?!\w)", context.situation.instruction.lower())
    case = "upper" if becomes else "lower"
    by_function: dict[object, list[tuple[Anchor, _CaseChange]]] = {}
    for anchor in anchors(context, "text_test:variable") or list(_patterns(context)):
        source = context.source(anchor.path)
        for change in _changes(source, anchor):
            around = (anchor.path, context.enclosing(anchor.path, anchor.node) if anchor.node else None)
            by_function.setdefault(around, []).append((anchor, change))
    for group in by_function.values():
        calls = {change.node: _call(context, anchor, change) for anchor, change in group}
        weight = min(1.0, sum(anchor.weight for anchor, _ in group))
        doubts = [doubt for anchor, change in group for doubt in (*anchor.doubts, *change.doubts)]
        if len(calls) > 1:
            doubts = [*without(doubts, DoubtKind.PLACES)]
            doubts += [] if context.has("variable") else [f"all {len(calls)} tests of texts are changed"]
        yield Built(tuple(reversed(calls.values())), weight, tuple(dict.fromkeys(doubts)))
        if len(calls) > 1:
            for anchor, change in group:
                yield build_at(anchor, _call(context, anchor, change), weight=0.4)
    if not by_function and context.has("function") and not context.has("variable"):
        for built in transform_result(context, lambda text: f"{text}.{case}()"):
            yield replace(built, weight=built.weight * 0.7)
    at_source = any(change.at_source for group in by_function.values() for _, change in group)
    if not context.text("variable").strip("`") or at_source:
        return
    try:
        for built in transform_value(context, lambda text: f"{text}.{case}()", uses=True):
            yield replace(built, weight=built.weight * 0.5)
    except Unresolved:
        if not by_function:
            raise


def _patterns(context: Context) -> Iterator[Anchor]:
    """The calls that make a pattern of the name that is meant."""
    for anchor, value, _ in value_spots(context) if context.has("variable") else ():
        if isinstance(value, ast.Call) and ast.unparse(value.func) == "re.compile":
            yield replace(anchor, node=value)


@dataclass(frozen=True, eq=False)
class _CaseChange:
    """The new code of a node; or of a function, a statement at its start."""

    node: ast.AST
    new: str
    doubts: tuple[str, ...] = ()
    at_source: bool = False
    """Whether a value is changed where it comes from."""


def _call(context: Context, anchor: Anchor, change: _CaseChange) -> Operation:
    source, spot = context.source(anchor.path), replace(anchor, node=change.node)
    if isinstance(change.node, Function):
        where = f"in {anchor.path}::{source.qualname(change.node)}"
        return call("insert_statements", place=where, code=change.new, side="start")
    return replace_code(context, spot, change.new)


def _has_letters(node: ast.Call) -> bool:
    """Whether case matters to a pattern: not where it is signs and classes such as `\\s` alone."""
    first = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else "a"
    return not isinstance(first, str) or re.search(r"[^\W\d_]", re.sub(r"\\[A-Za-z]", "", first)) is not None


def _changes(source: Source, anchor: Anchor) -> Iterator[_CaseChange]:
    node = anchor.node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in _TESTS:
            yield _CaseChange(node, _begun_or_ended(source, node, node.func))
        elif (
            _has_letters(node)
            and "IGNORECASE" not in source.segment(node)
            and "re.I" not in source.segment(node)
        ):
            named = "flags=" if node.func.attr in ("sub", "split") else ""
            last = next((one.value for one in node.keywords if one.arg == "flags"), None)
            if last is None and node.func.attr == "compile" and len(node.args) > 1:
                last = node.args[1]
            if last is not None:
                yield _CaseChange(last, f"{source.segment(last)} | re.IGNORECASE")
                return
            yield _CaseChange(node, f"{source.segment(node)[:-1]}, {named}re.IGNORECASE)")
    if not isinstance(node, ast.Compare):
        return
    left, right = node.left, node.comparators[0]
    operator = _OPERATORS[type(node.ops[0])]
    if operator in ("==", "!="):
        code = f"{_lowered(source, left)} {operator} {_lowered(source, right)}"
        doubts = (assumed(f"{side} was assumed not to be None") for side in unasked(source, node))
        yield _CaseChange(node, code, tuple(doubts))
        return
    kept = known_texts(source, right, node)
    case = _case(kept) if kept is not None else ""
    if kept is None and (users := list(_users(source, node, left, right))):
        name = ast.unparse(left)
        yield from (_CaseChange(user, f"{name} = {name}.lower()", at_source=True) for user in users)
        return
    if not case or is_text(left):
        changed, doubt = _held(source, right, kept)
        yield _CaseChange(node, f"{_lowered(source, left)} {operator} {changed}", (doubt,) if doubt else ())
        return
    origin = _origin(source, left, node, case)
    if origin is not None:
        yield origin
        return
    yield _CaseChange(left, _lowered(source, left, case))
    for key in _keys(source, node, left, right):
        yield _CaseChange(key, _lowered(source, key, case))


def _users(source: Source, node: ast.AST, left: ast.expr, right: ast.expr) -> Iterator[Function]:
    """The functions that are given a key of this name for a dictionary, if that one looks it up too."""
    function = source.function_of(node)
    if not isinstance(left, ast.Name) or function is None or not any(_keys(source, node, left, right)):
        return
    owner = source.class_of(function) if isinstance(right, ast.Attribute) else None
    for user in source.functions if owner is not None else [function]:
        given = any(parameter.arg == left.id for parameter in parameters(user))
        if (
            given
            and source.class_of(user) is source.class_of(function)
            and any(_keys(source, user, left, right))
        ):
            yield user


def _keys(source: Source, node: ast.AST, left: ast.expr, right: ast.expr) -> Iterator[ast.expr]:
    """Where what is tested is looked up in the same collection."""
    around = node if isinstance(node, Function) else source.function_of(node) or node
    for inner in find_nodes(around, ast.Subscript):
        if is_same_expression(inner.value, right) and is_same_expression(inner.slice, left):
            yield inner.slice


def _origin(source: Source, left: ast.expr, node: ast.AST, case: str) -> _CaseChange | None:
    """The parameter, or the one value of a local, that is tested and used elsewhere too."""
    function = source.function_of(node)
    if not isinstance(left, ast.Name) or function is None:
        return None
    uses = [inner for inner in find_nodes(function, ast.Name) if inner.id == left.id]
    stores = [source.parents.get(use) for use in uses if isinstance(use.ctx, ast.Store)]
    if len(uses) - len(stores) < 2:
        return None
    if any(parameter.arg == left.id for parameter in parameters(function)) and not stores:
        return _CaseChange(function, f"{left.id} = {left.id}.{case}()", at_source=True)
    if len(stores) == 1 and isinstance(stores[0], ast.Assign) and stores[0].targets[0] in uses:
        return _CaseChange(stores[0].value, _lowered(source, stores[0].value, case), at_source=True)
    return None


def known_texts(source: Source, node: ast.expr, user: ast.AST) -> list[str] | None:
    """The texts in a collection: a display, or the one that a name of the file is set to."""
    shown: ast.expr | None = node
    if isinstance(node, ast.Name | ast.Attribute):
        sets = [
            inner.value
            for inner in walk(source.tree or user)
            if isinstance(inner, ast.Assign | ast.AnnAssign)
            for goal in (inner.targets if isinstance(inner, ast.Assign) else [inner.target])
            if is_same_expression(goal, node)
        ]
        shown = sets[0] if len(sets) == 1 else None
    items: list[ast.expr | None] | None = None
    if isinstance(shown, ast.List | ast.Tuple | ast.Set):
        items = list(shown.elts)
    elif isinstance(shown, ast.Dict):
        items = list(shown.keys)
    texts = [
        item.value for item in items or () if isinstance(item, ast.Constant) and isinstance(item.value, str)
    ]
    return texts if items and len(texts) == len(items) else None


def _case(texts: list[str]) -> str:
    """The method that brings a text into the case in which all of some texts are."""
    return next((item for item in ("lower", "upper") if all(getattr(t, item)() == t for t in texts)), "")


def _held(source: Source, node: ast.expr, kept: list[str] | None) -> tuple[str, str]:
    """A text or a collection of texts in lower case, and what was guessed."""
    shown, function = add_brackets(source, node), source.function_of(node)
    plural = isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node).lower().endswith("s")
    plural = plural or (function is not None and made_type(node, function, source) in COLLECTIONS)
    if kept is not None or plural:
        doubt = "" if kept is not None else assumed(f"{shown} was assumed to be a list of texts")
        return f"[one.lower() for one in {shown}]", doubt
    if isinstance(node, ast.Constant | ast.Name | ast.Attribute | ast.Subscript):
        return _lowered(source, node), _TAKEN
    return shown, _TAKEN


def _begun_or_ended(source: Source, node: ast.Call, called: ast.Attribute) -> str:
    """`name.endswith(ENDS)` in the case of what it may end with."""
    given = node.args[0] if node.args else node
    texts = [given.value] if isinstance(given, ast.Constant) and isinstance(given.value, str) else None
    case = _case(texts or known_texts(source, given, node) or [""])
    argument = source.segment(given)
    if not case and (texts or isinstance(given, ast.Tuple)):
        case, argument = "lower", argument.lower()
    elif not case or (texts is None and known_texts(source, given, node) is None):
        case, argument = "lower", _lowered(source, given)
    rest = "".join(f", {source.segment(arg)}" for arg in node.args[1:])
    return f"{_lowered(source, called.value, case)}.{called.attr}({argument}{rest})"


def _lowered(source: Source, node: ast.expr, case: str = "lower") -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = source.segment(node)
        return text if text == text.lower() or case != "lower" else text.lower()
    known = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CASED
    return source.segment(node) if known else f"{add_brackets(source, node)}.{case}()"
