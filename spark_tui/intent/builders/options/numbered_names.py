"""A local gets another name only where one place sets it: *rename the second x*, *i in the second loop*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spark_tui.codemods.families.values.split_assignments import assignments_of
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.slots import Symbol
from spark_tui.codemods.uses.symbols import Target, find_symbol
from spark_tui.intent.building.building import Built, build_at, call, filled
from spark_tui.intent.building.named_symbols import symbols
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.branches_said import Branch, branches_said, is_within, suites_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.names.told_by_place import number_said
from spark_tui.pysource.names.scope_records import Occurrence
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import LOOPS

_WHOLE = 0.5


def renamed_assignments(context: Context) -> Iterator[Built]:
    """The renames of a local from one of its assignments on, which the message names by number or branch. If
    there is none, or its value cannot be told apart, the whole local is renamed, with a doubt."""
    span, text = context.span("symbol"), context.situation.instruction
    at = number_said(span, text) if span is not None else None
    said = [one for one in branches_said(context.beside_slots()) if not one.new]
    for anchor in symbols(context, "symbol") if said or at is not None else ():
        target = find_symbol(context.repo, Symbol.parse(anchor.words["symbol"]))
        variable = target.variable if isinstance(target, Target) else None
        source = context.source(anchor.path)
        sets = assignments_of(source, variable) if variable is not None else []
        if at is None:
            inside = [one for one in sets if len(sets) > 1 and _is_in(source, one, said)]
            yield from _renamed(context, anchor, inside[0], "") if len(inside) == 1 else ()
        elif len(sets) > 1 or (sets and at not in (0, -1)):
            meant = sets[at] if at < len(sets) else None
            yield from _renamed(context, anchor, meant, f"it is set {len(sets)} times")


def _is_in(source: Source, one: Occurrence, said: Sequence[Branch]) -> bool:
    """Whether a name is set in a branch that is said, or by the head of such a loop."""
    root, statement = source.function_of(one.node), source.statement(one.node)
    suites = [suite for branch in said for suite in suites_of(source, root, branch)]
    return is_within(source, one.node, suites) or (isinstance(statement, LOOPS) and statement.body in suites)


def _renamed(context: Context, anchor: Anchor, meant: Occurrence | None, number: str) -> Iterator[Built]:
    """The renames of what one place sets, or else, if its number is said, of all that has the name."""
    old, reason = anchor.words["like"], number
    for option in filled(context, "{new:name}", anchor) or ():
        if meant is not None:
            line = context.source(anchor.path).first_line(meant.node) + 1
            split = call("split_variable", place=f"{anchor.path}:{line}", name=old, new=option.text)
            if isinstance(plan := split.plan(context.repo), Plan):
                yield build_at(anchor, split, option=option)
                continue
            reason = plan.reason
        if not number:
            continue
        made = call("rename", target=anchor.words["symbol"], new=option.text)
        doubt = f"all of {old} is renamed: {reason}"
        yield build_at(anchor, made, option=option, weight=_WHOLE, doubts=(doubt,))
