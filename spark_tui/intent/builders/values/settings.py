"""Settings that words describe: constants, defaults, entries, and the only value that a call is given."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.codemods.rewriting.edits import is_none
from spark_tui.intent.builders.values.replacement import put_value
from spark_tui.intent.building.building import Built, build_at, call
from spark_tui.intent.context.anchors import Anchor, is_same_expression, parsed
from spark_tui.intent.context.described_names import content_words, is_form_of
from spark_tui.intent.context.lookup import plain_name, split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area
from spark_tui.intent.values.converters.of_slots import read_typed
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.names.type_hints import called_name, is_class_name, last_name
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import walk

_LEAST, _SURE, _BY_OLD, _SET_THERE = 0.5, 0.85, 0.6, 0.6
_ENDS = (("lower", "min", "first"), ("upper", "max", "last"))
"""What the two numbers of a pair are called."""
_CODES = {"exit": ("status", "code")}
"""What the only argument of a function is called, beside the name of the function."""


@dataclass(frozen=True, eq=False)
class Setting:
    """A literal that has a name, and the words of it."""

    node: ast.expr
    words: tuple[str, ...]
    called: str
    whole: bool = True
    """Whether it has a name of its own, of which all words count."""


def literal_kind(node: ast.AST | None) -> str:
    """The kind of a value that is written as literals alone; nothing of any other."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return literal_kind(node.operand)
    if isinstance(node, ast.BinOp):
        sides = {literal_kind(node.left), literal_kind(node.right)}
        return "number" if sides == {"number"} else ""
    if isinstance(node, ast.JoinedStr):
        return "str"
    if isinstance(node, ast.Constant):
        kinds = (("bool", bool), ("number", (int, float)), ("str", str))
        return next((name for name, kind in kinds if isinstance(node.value, kind)), "")
    return "display" if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict) else ""


def is_other_kind(old: ast.AST | None, new: str, exact: bool) -> bool:
    """Whether a new literal is of another kind than what stands there, or stands for what is reckoned."""
    was, now = literal_kind(old), literal_kind(parsed(new))
    if not now or now == "display" or old is None or is_none(old):
        return False
    return was != now if was else not exact


def build_settings(context: Context) -> Iterator[Built]:
    """The settings that are described best; where none is by words, the only one with the old value."""
    span = context.span("value")
    if span is None:
        return
    variable_text = [word for word in content_words(plain_name(context.text("variable"))) if len(word) > 1]
    before = context.span("old")
    around = [text.lower() for text in re.findall(r"[^\W\d_]{3,}", context.beside_slots())]
    found: list[tuple[float, Setting, Anchor, str, tuple[str, ...]]] = []
    alike: list[tuple[float, Setting, Anchor, str, tuple[str, ...]]] = []
    for area, _, root in context.trees():
        for one in _every(root):
            anchor = Anchor(area, one.node)
            option = next(iter(read_typed(context, span, anchor, one.node, "", one.called)), None)
            if option is None or literal_kind(parsed(option.text)) != literal_kind(one.node):
                continue
            if is_same_expression(parsed(option.text), one.node):
                continue
            new = in_form(one.node, option.text)
            was = before is not None and _was(context, before, anchor, one)
            if before is not None and not was:
                continue
            score = min(1.0, _score(variable_text, one) + 0.3 * was)
            score -= 0.1 * (literal_kind(one.node) == "str" and phrases.number(span.text) is not None)
            if score < _LEAST and one.whole and before is None and _is_named(one, around):
                score = _LEAST
            (found if score >= _LEAST else alike).append((score, one, anchor, new, option.doubts))
    top = max((score for score, *_ in found), default=0.0)
    best = [item for item in found if item[0] == top]
    alike = alike if before is not None else [item for item in alike if _is_sign(item[1].node)]
    if not best and len(alike) == 1:
        best, top = alike, _BY_OLD
    for _, one, anchor, new, doubts in best if len(best) <= 3 else ():
        sure = _SURE * top / len(best)
        named, value = context.text("variable"), context.source(anchor.path).segment(one.node)
        doubt = f"{named} was read as {one.called}"
        if named == one.called:
            doubt = f"{value} was assumed to be the value of {named}"
        yield put_value(context, anchor, one.node, new, sure, (*doubts, doubt))


def set_there(context: Context) -> Iterator[Built]:
    """An attribute that the method which is named does not set until now: it is set at its end."""
    span = context.span("value")
    methods = [area for area in context.named if isinstance(area.node, Function)] if span is not None else []
    goals = [context.visible(one.path, one.node).expression(context.text("variable")) for one in methods]
    has = [
        goal in context.visible(area.path, area.node).inner.values()
        for area, goal in zip(methods, goals, strict=True)
    ]
    for area, found, known in zip(methods, goals, has, strict=True):
        if any(has) and not known:
            continue  # of several methods of that name, the one whose class has such an attribute
        goal = found or ""
        own = goal.startswith("self.") and goal.count(".") == 1
        own = own and goal.removeprefix("self.") not in _methods_beside(context, area)
        names = (node for node in walk(area.node) if isinstance(node, ast.Attribute | ast.Name))
        if not own or any(isinstance(item.ctx, ast.Store) and ast.unparse(item) == goal for item in names):
            continue
        anchor = Anchor(area, area.node)
        for option in read_typed(context, span, anchor, None, "", goal) if span is not None else ():
            made = call("insert_statements", place=area.place, code=f"{goal} = {option.text}", side="end")
            doubt = f"{goal} was not set there until now"
            yield build_at(option, made, weight=_SET_THERE * area.weight, doubts=(doubt,))


def _methods_beside(context: Context, area: Area) -> set[str]:
    """The names of the methods of a class, which are no attributes to be set."""
    owner = context.source(area.path).class_of(area.node) if area.node is not None else None
    return {one.name for one in owner.body if isinstance(one, Function)} if owner is not None else set()


def _is_sign(node: ast.expr) -> bool:
    """Whether a text is one sign, such as what separates the parts of a line."""
    value = node.value if isinstance(node, ast.Constant) else ""
    return isinstance(value, str) and len(value) == 1 and not value.isalnum()


def _was(context: Context, span: Span, anchor: Anchor, setting: Setting) -> bool:
    """Whether the old value that is said is the one that stands there, as `86400` is *one day*."""
    read = (parsed(item.text) for item in read_typed(context, span, anchor, setting.node, "", setting.called))
    return any(is_same_expression(item, setting.node) for item in read)


def _score(words: list[str], setting: Setting) -> float:
    """How well words describe a setting: all that are said are of its name, or half of both."""
    heard = [item for item in words if any(is_form_of(item, word) for word in setting.words)]
    named = [word for word in setting.words if any(is_form_of(item, word) for item in words)]
    if not heard:
        return 0.0
    share = len(heard) / len(words)
    own = len(named) / len(setting.words) if setting.whole else share
    if share < 1 and not (share >= 0.5 and own >= 0.5 and any(len(item) > 3 for item in heard)):
        return 0.0
    return 0.5 * share + 0.25 * own + 0.25 * (share == 1) * (own > 0.3)


def _is_named(setting: Setting, around: list[str]) -> bool:
    """Whether all words of the name of a constant stand elsewhere in the instruction."""
    return setting.called.isupper() and all(
        any(is_form_of(item, word) for item in around) for word in setting.words
    )


def _every(root: ast.AST) -> Iterator[Setting]:
    for node in walk(root):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            goal = node.targets[0] if isinstance(node, ast.Assign) else node.target
            name = ast.unparse(goal).removeprefix("self.")
            if isinstance(goal, ast.Name | ast.Attribute):
                yield from _of(node.value, name, split_name(name))
            elif isinstance(goal, ast.Tuple) and isinstance(node.value, ast.Tuple):
                for part, value in zip(goal.elts, node.value.elts, strict=False):
                    yield from _of(value, ast.unparse(part), split_name(ast.unparse(part)))
        elif isinstance(node, Function):
            for parameter in parameters(node):
                yield from _default(node, parameter.arg)
        elif isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            name = called_name(node)
            if literal_kind(node.args[0]) == "number" and name.isidentifier():
                own = (*split_name(name), *_CODES.get(name, ()))
                yield Setting(node.args[0], tuple(own), name, whole=False)


def _default(node: Function, name: str) -> Iterator[Setting]:
    from spark_tui.codemods.signatures.rearrange import default_of

    value = default_of(node, name)
    if value is not None and literal_kind(value) in ("number", "str", "bool"):
        yield Setting(value, (*split_name(name), *split_name(node.name)), name, whole=False)


def _of(value: ast.expr, name: str, words: list[str], depth: int = 0) -> Iterator[Setting]:
    """A value that is set, and those inside it that have names: entries, and the ends of a pair."""
    kind = literal_kind(value)
    if kind in ("number", "str", "bool"):
        yield Setting(value, tuple(words), name, whole=not depth)
    elif isinstance(value, ast.Dict) and depth < 3:
        for one, inner in zip(value.keys, value.values, strict=True):
            own = one.value if isinstance(one, ast.Constant) else getattr(one, "id", None)
            if one is not None and isinstance(own, str):
                yield from _of(inner, f"{name}[{ast.unparse(one)}]", [*words, *split_name(own)], depth + 1)
    elif isinstance(value, ast.Tuple) and [literal_kind(element) for element in value.elts] == ["number"] * 2:
        for at, (inner, ends) in enumerate(zip(value.elts, _ENDS, strict=True)):
            yield from _of(inner, f"{name}[{at}]", [*words, *ends], depth + 1)


def _named(func: ast.expr, name: str) -> ast.expr:
    """A function of another name, of the same module."""
    return ast.Attribute(func.value, name) if isinstance(func, ast.Attribute) else ast.Name(name)


def in_form(old: ast.AST | None, new: str) -> str:
    """A number as the product that the old one is: 50 * 1024 for 51200 in place of 10 * 1024; a class made as
    the old one is: `RLock()` in place of `Lock()`."""
    if isinstance(old, ast.Call) and is_class_name(new) and is_class_name(last_name(old.func)):
        return ast.unparse(ast.Call(_named(old.func, new), old.args, old.keywords))
    if not isinstance(old, ast.BinOp) or not isinstance(old.op, ast.Mult) or not new.isdecimal():
        return new
    first: ast.expr = old
    while isinstance(first, ast.BinOp) and isinstance(first.op, ast.Mult):
        first = first.left
    rest = ast.unparse(old).removeprefix(ast.unparse(first))
    unit = 1
    for part in rest.split("*"):
        unit *= int(part) if part.strip().isdecimal() else 0 if part.strip() else 1
    return f"{int(new) // unit}{rest}" if unit > 1 and int(new) % unit == 0 else new
