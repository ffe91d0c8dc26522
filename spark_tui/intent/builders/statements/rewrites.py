"""Rewrites by a form of which several may be meant: the first that fits the code is the likeliest."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.values.extraction import InlineVariable
from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import SymbolKind
from spark_tui.codemods.uses.symbols import Target, find_symbol
from spark_tui.intent.builders.statements.variable_forms import of_variable
from spark_tui.intent.building.building import Built, builder, call, calls_table, from_entry, of_table, place
from spark_tui.intent.building.first_fitting import first_fitting
from spark_tui.intent.context.anchors import Anchor, nodes
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind, places_fit
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository

_INLINED = {SymbolKind.VARIABLE: "inline_constant", SymbolKind.FUNCTION: "inline_function"}
_COMPREHENSIONS = (
    "pattern.join",
    "pattern.list_comprehension",
    "pattern.set_comprehension",
    "pattern.dict_comprehension",
)


def _said(context: Context, kind: str) -> bool:
    return phrases.mentions(kind, context.situation.instruction)


@builder(*_COMPREHENSIONS)
def comprehension(context: Context) -> Iterator[Built]:
    """A comprehension that is returned, or given to the name that is said; or a list without what a loop
    removes from it."""
    plain = calls_table()[context.reading.intent]
    returned = {**plain, "name": f"{plain['name']}_returned"}
    named = context.has("variable") and not _said(context, "returning")
    forms = [(plain,), (returned,)] if named else [(returned,), (plain,)]
    if context.reading.intent == "pattern.list_comprehension":
        forms += [({**plain, "name": name},) for name in ("kept_comprehension", "without_removed")]
    name = plain_name(context.text("variable")).rpartition(".")[2]
    for built in of_variable(context, first_fitting(context, *forms)):
        other = _is_set(context, name) and not _makes(context, built, name)
        doubts = (Doubt(f"what is rewritten does not make {name}", DoubtKind.MEANT),) if other else ()
        yield replace(built, doubts=(*built.doubts, *doubts))


def _is_set(context: Context, name: str) -> bool:
    """Whether something of that name is set there."""
    rows = (node for _, _, root in context.trees() for node in nodes(root, ast.Assign))
    return bool(name) and any(last_name(goal) == name for row in rows for goal in row.targets)


def _makes(context: Context, built: Built, name: str) -> bool:
    """Whether what is rewritten sets a name, or did."""
    plan = built.calls[0].plan(context.repo)
    sets = re.compile(rf"(?<!\w){re.escape(name)}\s*(?::[^=\n]+)?=(?!=)")
    return not isinstance(plan, Plan) or any(
        sets.search((context.repo.index.text(edit.path) or "")[edit.start : edit.end] + "\n" + edit.new)
        for edit in plan.edits
    )


@builder("inline_variable")
def inlined(context: Context) -> Iterator[Built]:
    """The value in place of a name, also of a constant, and what a function gives in place of its calls;
    where the name only helps to exchange two values, both at once."""
    name = plain_name(context.text("variable"))
    for area, source, root in context.trees():
        for node in nodes(root, ast.Assign):
            if [ast.unparse(goal) for goal in node.targets] != [name]:
                continue
            rows = source.suite(node)
            spot = Anchor(area, node, last=rows[rows.index(node) :][:3][-1])
            made = call("apply_pattern", name="swap", place=place(context, spot))
            if not isinstance(made.plan(context.repo), Refused):
                yield Built((made,), 0.95 * area.weight, area.doubts)
                return
    entry = calls_table()["inline_variable"]
    only_function = context.has("function") and not context.has("variable")
    for built in from_entry(context, {**entry, "find": "@function"} if only_function else entry):
        yield replace(built, calls=tuple(_of_its_kind(context.repo, one) for one in built.calls))


def _of_its_kind(repo: Repository, made: Operation) -> Operation:
    """The call that inlines a symbol, as what the symbol is wants it."""
    found = find_symbol(repo, made.target) if isinstance(made, InlineVariable) else None
    op = _INLINED.get(found.kind) if isinstance(found, Target) else None
    return call(op, target=str(made.target)) if op and isinstance(made, InlineVariable) else made


@builder("pattern.loop")
def loop(context: Context) -> Iterator[Built]:
    """The comprehensions of a place, or those that the name which is said is set to."""
    name = plain_name(context.text("variable")) if context.has("variable") else ""
    spots = [
        Anchor(area, node, area.weight * context.near_node(area.path, node))
        for area, _, root in context.trees()
        for node in nodes(root, ast.Assign)
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [name]
    ]
    for anchor in spots:
        made = call("apply_pattern", name="loop", place=place(context, anchor))
        if not isinstance(made.plan(context.repo), Refused):
            doubts = (places_fit(len(spots)),) if len(spots) > 1 else ()
            yield Built((made,), anchor.weight / len(spots), doubts)
    if not spots:
        yield from of_table(context, "pattern.loop")


@builder("pattern.enumerate")
def enumerated(context: Context) -> Iterator[Built]:
    """`enumerate`, or the items themselves where the index is used for nothing else."""
    counted = calls_table()["pattern.enumerate"]
    direct = {**counted, "op": "loop_directly"}
    if _said(context, "enumerate"):
        yield from first_fitting(context, (counted,), (direct,))
    else:
        yield from first_fitting(context, (direct,), (counted,))


@builder("pattern.sum")
def summed(context: Context) -> Iterator[Built]:
    """A sum over the items, where a loop goes through their index."""
    plain = calls_table()["pattern.sum"]
    direct = {"op": "loop_directly", "place": plain["place"]}
    yield from first_fitting(context, (direct, plain), (plain,))
