"""Calls that change values and results."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from spark_tui.codemods.families.values.replacement import VARIABLES, find_assignments
from spark_tui.intent.builders.definitions.declared_fields import default_of_declared
from spark_tui.intent.builders.statements.files import key_in_view, key_of_project
from spark_tui.intent.builders.statements.other_languages import set_literal, set_literal_elsewhere
from spark_tui.intent.builders.transforms.transformed import transform_result
from spark_tui.intent.builders.values.arguments import switched
from spark_tui.intent.builders.values.exchanged_elements import exchanged_element
from spark_tui.intent.builders.values.options import option_defaults
from spark_tui.intent.builders.values.replacement import put_value
from spark_tui.intent.builders.values.settings import build_settings, in_form, is_other_kind, set_there
from spark_tui.intent.builders.values.told_numbers import told_numbers
from spark_tui.intent.builders.values.unlikely_entries import explain_lost_value, is_first_default, is_no_key
from spark_tui.intent.building.building import Built, build_at, builder, call, found, of_table
from spark_tui.intent.building.rewritten import pass_argument, replace_code
from spark_tui.intent.context.anchors import Anchor, anchors, is_same_expression, need, parsed
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.matches import INNER
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.intent.values.converters.of_slots import read_typed
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import find_nodes, walk

_MISFIT = 0.4
"""How likely a value of another kind is meant."""


def _as(context: Context, intent: str, **moved: str) -> Context:
    slots = dict(context.reading.slots)
    for new, old in moved.items():
        if old in slots:
            slots[new] = slots.pop(old)
    reading = replace(context.reading, intent=intent, slots=slots, unsure={})
    return Context(reading, context.situation, context.names)


@builder("set_value")
def set_value(context: Context) -> Iterator[Built]:
    if context.has("value") and (made := key_in_view(context) or set_literal(context)):
        yield from made
        return
    if made := list(default_of_declared(context)) or list(exchanged_element(context)):
        yield from made
        return
    if context.has("old") and (told := list(told_numbers(context))):
        yield from told
        return
    count = sure = 0
    there = list(set_there(context))
    for built, fits in _assigned(context):
        count += 1
        sure += fits
        yield built if fits and not there else replace(built, weight=_MISFIT * built.weight)
    scale = 0.5 if sure else 0.9
    for one in (*there, *(() if sure else tuple(build_settings(context)))):
        count += 1
        yield one
    others = [_as(context, "set_entry", key="variable")]
    if not context.text("variable").startswith("self."):
        others = [_as(context, "set_default", parameter="variable", default="value"), *others]
    for other in others:
        try:
            for one in of_table(other, other.reading.intent):
                if is_no_key(context, one) or is_first_default(context, one):
                    continue
                yield replace(one, weight=one.weight * scale)
                count += 1
        except Unresolved:
            continue
    for one in option_defaults(context, "variable", "value"):
        yield replace(one, weight=one.weight * scale)
        count += 1
    for one in _keyword(context):
        yield replace(one, weight=one.weight * scale)
        count += 1
    lost = not count and context.has("value")
    made = (key_of_project(context) or set_literal_elsewhere(context)) if lost else []
    yield from made
    told = [] if sure or made else list(told_numbers(context, _MISFIT if count else 1.0))
    yield from told
    if not count and not made and not told:
        raise Unresolved(explain_lost_value(context))


def _exact(context: Context, span: Span) -> Iterator[Built]:
    """Assignments to a target that is written as it is said and no plain name: `row.total`."""
    text = context.text("variable").strip("`")
    if not re.fullmatch(r"[A-Za-z_]\w*(?:\.\w+|\[[^\]]+\])+", text) or text.startswith("self."):
        return
    for area in context.areas[:3]:
        if area.path not in context.repo.index.paths:
            continue
        source = context.source(area.path)
        root = area.node or source.tree
        found_at = [
            node
            for node in find_nodes(root, ast.Assign)
            if len(node.targets) == 1
            if source.segment(node.targets[0]) == text
        ]
        for inner in found_at:
            anchor = Anchor(area, inner, extra={"old": inner.value})
            for option in read_typed(context, span, anchor, inner.value, "", text.rpartition(".")[2]):
                made = replace_code(context, Anchor(area, inner.value), option.text)
                yield build_at(option, made, weight=area.weight / len(found_at))


def _assigned(context: Context) -> Iterator[tuple[Built, bool]]:
    """The assignments to the name, and whether the new value is of the kind of the old one there."""
    span = context.span("value")
    if span is None:
        raise Unresolved("the instruction gives no new value")
    old_text = context.text("old")
    wanted = parsed(phrases.value(old_text) or old_text) if old_text else None
    exact = list(_exact(context, span))
    if exact:
        yield from ((built, True) for built in exact)
        return
    everywhere: list[Area | None] = [None]
    for area in context.named or everywhere:
        for item in context.names.find(context.text("variable"), VARIABLES, area, context.near):
            scale = area.weight if area is not None else 1.0
            nodes = find_assignments(context.repo, item.target)
            if wanted is not None and any(is_same_expression(wanted, old) for _, old in nodes):
                nodes = [node for node in nodes if is_same_expression(wanted, node[1])]
            nodes = [node for node in nodes if not is_another(wanted, node[1])]
            inside = [
                node
                for node in nodes
                if area is not None and area.node is not None and node[0] in set(walk(area.node))
            ]
            if area is not None and isinstance(area.node, Function) and item.target.kind in INNER:
                nodes = inside  # a variable of another function is not meant
            nodes = inside or nodes
            for statement, old in nodes:
                target = (
                    f"{item.symbol}@{statement.lineno}"
                    if len(find_assignments(context.repo, item.target)) > 1
                    else item.symbol
                )
                hint = ast.unparse(statement.annotation) if isinstance(statement, ast.AnnAssign) else ""
                anchor = Anchor(area or Area(item.target.path), statement)
                anchor = replace(anchor, area=replace(anchor.area, path=item.target.path))
                near = _first(nodes, statement)
                for option in read_typed(context, span, anchor, old, hint, item.target.name):
                    doubts = (
                        *item.doubts,
                        *option.doubts,
                        *((f"{item.target.name} is set {len(nodes)} times",) if len(nodes) > 1 else ()),
                        *doubts_of_given(item.target.name, old),
                    )
                    value = in_form(old, option.text)
                    weight = item.weight * scale * option.weight * near
                    named = plain_name(context.text("variable")).rpartition(".")[2] == item.target.name
                    made = Built((call("set_value", target=target, value=value),), weight, doubts)
                    held = isinstance(old, ast.Dict | ast.List | ast.Set)
                    if held and is_other_kind(old, option.text, named):
                        continue  # what holds items does not become a number: that limits them
                    if not named and any(is_other_kind(each, option.text, named) for _, each in nodes):
                        continue
                    other = is_no_number(old) and phrases.number(span.text) is not None
                    yield (
                        made,
                        not (other or any(is_other_kind(each, option.text, named) for _, each in nodes)),
                    )


def _first(nodes: list[tuple[ast.stmt, ast.expr | None]], statement: ast.stmt) -> float:
    if len(nodes) == 1:
        return 1.0
    return 0.6 if nodes[0][0] is statement else 0.4 / (len(nodes) - 1)


def _keyword(context: Context) -> Iterator[Built]:
    """The keyword argument of a call that has the name."""
    span, name = context.span("value"), key(plain_name(context.text("variable")))
    if span is None or not name:
        return
    for area, _, root in context.trees():
        hits = [
            (node, keyword)
            for node in find_nodes(root, ast.Call)
            for keyword in node.keywords
            if keyword.arg is not None and key(keyword.arg) == name
        ]
        for one, each in hits:
            anchor = Anchor(area, one)
            for option in read_typed(context, span, anchor, each.value, "", each.arg or ""):
                made = pass_argument(context, anchor, each.arg or "", option.text)
                yield build_at(option, made, weight=area.weight / len(hits))


@builder("flip_flag")
def flip_flag(context: Context) -> Iterator[Built]:
    wanted = None
    if context.has("value"):
        state = phrases.value(context.text("value"))
        wanted = state == "True" if state in ("True", "False") else None
    else:
        state = phrases.state_said(context.beside_slots())
        wanted = state == "True" if state is not None else None
    if wanted is not None and (made := key_in_view(context, str(wanted).lower())):
        yield from made
        return
    flags = anchors(context, "flag:variable")[: context.most_places]
    passed = [] if flags else list(switched(context, str(wanted is not False)))
    yield from passed
    for anchor in flags if passed else need(flags, "flag of that name", context):
        assert isinstance(anchor.node, ast.Constant)
        new = (not anchor.node.value) if wanted is None else wanted
        yield put_value(context, anchor, anchor.node, str(new))


_SET_TO = re.compile(r"(?:\b(?:be|is|to|auf|sein|être|ser)|[=:为是])\s*\Z", re.IGNORECASE)
_TIMES = re.compile(r"\s*(?:x|×|times|fold|mal|fois|veces|倍|%)", re.IGNORECASE)


def _is_value(factor: Span | None, text: str) -> bool:
    """Whether a number is what something is to be, and no factor: `the limit should be 50`."""
    if factor is None or not factor.text.isdecimal():
        return False
    return bool(_SET_TO.search(text[: factor.start])) and not _TIMES.match(text[factor.end :])


def _counted_on(context: Context, step: int) -> Iterator[Built]:
    """A number that is one more or one less than it was."""
    for anchor in found(context, "number_of:variable", "number of that name"):
        assert isinstance(anchor.node, ast.Constant)
        if isinstance(anchor.node.value, int):
            yield put_value(context, anchor, anchor.node, str(anchor.node.value + step))


@builder("scale_value")
def scale_value(context: Context) -> Iterator[Built]:
    instruction = context.situation.instruction
    if (step := phrases.step_said(instruction)) and context.has("variable"):
        yield from _counted_on(context, step)
        return
    by = phrases.factor(context.text("factor") or phrases.factor_said(instruction))
    if by is not None and by > 1 and phrases.is_divided(instruction):
        by = 1 / by
    if by is None or by <= 0 or _is_value(context.span("factor"), instruction):
        raise Unresolved(f"{context.text('factor')!r} is not a factor")
    if context.has("function") and not context.has("variable"):
        if _added(context.span("factor"), instruction):
            raise Unresolved("it is not said which number is changed")
        yield from transform_result(context, partial(_times, by), numbers=True)
        return
    more, part = _added(context.span("factor"), instruction), _PART.search(context.text("factor")) is not None
    for anchor in found(context, "number_of:variable", "number of that name"):
        assert isinstance(anchor.node, ast.Constant)
        old = anchor.node.value
        was = Fraction(str(old)) if isinstance(old, int | float) else Fraction(0)
        product = was + more * by * (was if part else 1) if more else was * by
        if product == was:
            raise Unresolved(f"{was} stays what it is")
        new = (
            str(product.numerator)
            if isinstance(old, int) and product.denominator == 1
            else repr(float(product))
        )
        yield put_value(context, anchor, anchor.node, new)


_PART = re.compile(r"\s*(?:%|percent|prozent)\Z", re.IGNORECASE)
_BY = re.compile(r"(?<!\w)(?:by|um|por|en)\s+\Z|(?<!\w)de\s+\Z", re.IGNORECASE)


def _added(factor: Span | None, instruction: str) -> int:
    """1 where a number is to be so much more, *up by 0.5*, -1 for less, 0 for a factor."""
    if factor is None or not re.fullmatch(r"\d+(?:\.\d+)?", _PART.sub("", factor.text).strip()):
        return 0
    behind = instruction[factor.end :].lstrip().lower()
    if behind.startswith(("%", "percent", "prozent", "times", "x ", "mal", "fois", "veces")):
        return 0
    verbs = [kind for kind in ("raising", "lowering") if says("changes", kind, instruction)]
    if len(verbs) != 1 or not _BY.search(instruction[: factor.start]):
        return 0
    return 1 if verbs == ["raising"] else -1


def _times(by: Fraction, text: str) -> str:
    """An expression that is multiplied, or divided where the factor is one of a whole number."""
    whole = by.numerator == 1 and by.denominator > 1
    bare = text[1:-1] if text.startswith("(") and isinstance(parsed(text), ast.BinOp) else text
    tree = parsed(bare)
    simple = isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult | ast.Div)
    left = bare if simple else text
    return f"{left} / {by.denominator}" if whole else f"{left} * {phrases.plain_number(by)}"


def is_another(wanted: ast.expr | None, old: ast.expr | None) -> bool:
    """Whether the code has another number than the instruction says it has, or what a call gives."""
    if not isinstance(wanted, ast.Constant):
        return False
    if isinstance(old, ast.Call) and type(wanted.value) in (int, float):
        return all(str(node.value) != str(wanted.value) for node in find_nodes(old, ast.Constant))
    if not isinstance(old, ast.Constant):
        return False
    alike = type(old.value) is type(wanted.value) in (int, float)
    return alike and old.value != wanted.value


def doubts_of_given(name: str, old: ast.expr | None) -> Iterator[str]:
    """That an attribute is no longer what it is given: `self.size = size`."""
    if isinstance(old, ast.Name) and old.id == name:
        yield assumed(f"what is given for {name} was assumed to be of no use")


def is_no_number(node: ast.expr | None) -> bool:
    """Whether a text stands somewhere that is no number: an address, a name."""
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and re.fullmatch(r"\d+(?:\.\d+)?", text) is None
