"""Calls that put another operator in the place of one, a comparison by a function (`hmac.compare_digest(a,
b)` for `a == b`), or a plain assignment for `x += y`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.values.replacement import operators
from spark_tui.codemods.places.named import Region
from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import BUILDERS, Built, build_at, builder, call, place
from spark_tui.intent.building.rewritten import Rewritten, add_brackets, build_together, replace_code
from spark_tui.intent.conditions.condition_messages import write_condition_message
from spark_tui.intent.context.anchors import Anchor, is_same_expression, nodes, parsed
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import places_fit
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_NEGATIVE = frozenset(("!=", "is not"))
_COMPARING = {"compare_digest": ("hmac", "secrets"), "isclose": ("math", "cmath", "numpy")}
"""The functions that tell whether two values are the same, with the modules that have them."""


def operator_call(context: Context, anchor: Anchor, old: str, new: str, left: ast.expr) -> Built:
    source = context.source(anchor.path)
    made = call("change_operator", place=place(context, anchor), old=old, new=new, left=source.segment(left))
    return build_at(anchor, made, *_message_of_bound(context, anchor, old, new))


def _message_of_bound(context: Context, anchor: Anchor, old: str, new: str) -> Iterator[Operation]:
    """The message of an edit that tells its condition in words, for the new condition: *zero too*."""
    source, test = context.source(anchor.path), anchor.node
    outer = source.parents.get(test) if test is not None else None
    if context.situation.earlier is None or not isinstance(outer, ast.If) or outer.test is not test:
        return
    code = source.segment(test)
    told = write_condition_message(code)
    said = write_condition_message(code.replace(f" {old} ", f" {new} ", 1))
    for stmt in outer.body if told and said and told not in context.situation.asked else ():
        for text in find_nodes(stmt, ast.Constant):
            if text.value == told:
                where, shown = f"{anchor.path}:{text.lineno}", source.segment(text)
                yield call("replace_expression", place=where, old=shown, new=shown.replace(told, said))


@builder("replace_operator")
def replace_operator(context: Context) -> Iterator[Built]:
    old, new = phrases.operator(context.text("operator")), phrases.operator(context.text("new"))
    new = _as_negative(context, old, new)
    if new is None:
        if context.text("new").strip("`'\" ") == "=" and len(old or "") > 1:
            yield from plain_assignments(context)
            return
        if made := list(compared_by_call(context)):
            yield from made
            return
        if _is_text(context):
            slots = {**context.reading.slots, "old": context.reading.slots["operator"]}
            slots.pop("operator")
            as_text = replace(context.reading, intent="replace_text", slots=slots)
            yield from BUILDERS["replace_text"](Context(as_text, context.situation, context.names))
            return
        raise Unresolved(f"{context.text('new')!r} is not an operator")
    count = 0
    hits: list[Built] = []
    for area, source, root in context.trees():
        first, last = (
            (source.first_line(root), source.last_line(root))
            if area.node is not None
            else (0, len(source.lines))
        )
        for name, left, _, _, node in operators(Region(source, first, last)):
            wanted, becomes = old, new
            if old is not None and name == f"{old}=" and not isinstance(node, ast.Compare):
                wanted, becomes = name, f"{new}="
            if name != wanted or becomes == name:
                continue
            spot = Anchor(area, node)
            if context.has("expression") and not _is_named(context, source, node):
                continue
            weight = area.weight * context.near_node(area.path, node)
            hits.append(operator_call(context, replace(spot, weight=weight), name, becomes, left))
            count += 1
    if not count:
        sign = old or context.text("operator")
        raise Unresolved(f"there is no {sign}" if sign else "the instruction does not say which operator")
    whole = sum(built.weight for built in hits)
    if count > 1 and context.named and context.has("expression"):
        every = tuple(call_node for built in reversed(hits) for call_node in built.calls)
        yield Built(every, 0.9, (f"all {count} places are changed",))
        whole *= 2
    for item in hits:
        doubts = (*item.doubts, places_fit(count)) if count > 1 else item.doubts
        yield replace(item, weight=item.weight / whole, doubts=doubts)


def _as_negative(context: Context, old: str | None, new: str | None) -> str | None:
    """The new operator; `is not` where *not* follows *is*, and `!=` is replaced: *compare with is not !=*."""
    span = context.span("new")
    rest = context.situation.instruction[span.end :] if span is not None and span.end > 0 else ""
    longer = f"{new} not" if re.match(r"\s+not\b", rest) else ""
    return longer if longer in _NEGATIVE and old in _NEGATIVE else new


def _is_text(context: Context) -> bool:
    r"""Whether a sign that is read as an operator is a text of the code: *fill with = rather than \**."""
    sign = context.text("operator").strip("`'\"")
    texts = (node.value for *_, node in context.find(ast.Constant))
    return bool(sign) and sign in set(texts)


def _is_named(context: Context, source: Source, node: ast.AST) -> bool:
    """Whether the expression that is named stands at an operator, in the form before or after the change."""
    text = context.text("expression").strip("`")
    tree = parsed(text)
    if isinstance(tree, ast.Compare) and isinstance(node, ast.Compare):
        sides = zip([tree.left, *tree.comparators], [node.left, *node.comparators], strict=False)
        return all(is_same_expression(one, two) for one, two in sides)
    return key(text) in key(source.segment(node))


def compared_by_call(context: Context) -> Iterator[Built]:
    """The comparisons of a place by the function that is named; nothing where none is."""
    module, _, name = plain_name(context.text("new").partition("(")[0]).rpartition(".")
    known = _COMPARING.get(name, ())
    if not known or (module and module not in known):
        return
    found: list[tuple[Anchor, ast.Compare]] = []
    for area, _, root in context.trees():
        tests = nodes(root, ast.Compare)
        same = [node for node in tests if len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq)]
        found += [(Anchor(area, node, area.weight, area.doubts), node) for node in same]
    for anchor, node in found:
        source = context.source(anchor.path)
        bound = context.repo.index.scopes(anchor.path).module.bound
        home = module or next((one for one in known if one in bound), known[0])
        function = name if not module and name in bound else f"{home}.{name}"
        new = f"{function}({source.segment(node.left)}, {source.segment(node.comparators[0])})"
        new = f"not {new}" if isinstance(node.ops[0], ast.NotEq) else new
        calls = [replace_code(context, anchor, new)]
        if function != name and home not in bound:
            calls.append(call("add_import", path=anchor.path, module=home))
        doubts = (*anchor.doubts, *((places_fit(len(found)),) if len(found) > 1 else ()))
        yield Built(tuple(calls), 0.9 * anchor.weight / len(found), doubts)


def plain_assignments(context: Context) -> Iterator[Built]:
    """`x = x + y` and `x = y` for `x += y`: both, for all places with the operator, or for those alone whose
    name is said; only the one that is shown."""
    operator = context.text("operator").strip("`'\" ")
    said = context.situation.instruction
    whole: list[Rewritten] = []
    value: list[Rewritten] = []
    named: list[bool] = []
    for area, source, node in context.find(ast.AugAssign):
        goal, what = source.segment(node.target), source.segment(node.value)
        between = source.text[source.span(node.target)[1] : source.span(node.value)[0]]
        calls = any(isinstance(part, ast.Call) for part in ast.walk(node.target))
        if not between.strip().startswith(operator) or calls:
            continue
        whole.append(
            Rewritten(area, node, f"{goal} = {goal} {operator[:-1]} {add_brackets(source, node.value)}")
        )
        value.append(Rewritten(area, node, f"{goal} = {what}"))
        named.append(re.search(rf"(?<![\w.]){re.escape(goal)}(?!\w)", said) is not None)
    meant = [
        [row for row, is_named in zip(rows, named, strict=True) if is_named or not any(named)]
        for rows in (whole, value)
    ]
    shown = [row for rows in meant for row in rows if row.new in said]
    for rows in [shown] if shown else meant:
        doubts = (places_fit(len(rows)),) if len(rows) > 1 else ()
        for built in build_together(context, rows, operator):
            yield replace(built, weight=built.weight / (1 if shown else 2), doubts=(*built.doubts, *doubts))
