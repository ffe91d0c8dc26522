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
from spark_tui.intent.names.told_by_place import is_excepted, numbers_excepted, numbers_said
from spark_tui.pysource.names.scope_records import Occurrence
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import LOOPS

_WHOLE = 0.5


def renamed_assignments(context: Context) -> Iterator[Built]:
    """The renames of a local from some of its assignments on, which the message names by number or branch. If
    there is none, or their values cannot be told apart, the whole local is renamed, with a doubt."""
    span, text = context.span("symbol"), context.situation.instruction
    others = numbers_excepted(span, text) if span is not None else []
    rows = others or (numbers_said(span, text) if span is not None else [])
    said = [one for one in branches_said(context.beside_slots()) if not one.new]
    for anchor in symbols(context, "symbol") if said or rows else ():
        target = find_symbol(context.repo, Symbol.parse(anchor.words["symbol"]))
        variable = target.variable if isinstance(target, Target) else None
        source = context.source(anchor.path)
        sets = assignments_of(source, variable) if variable is not None else []
        if not rows:
            inside = [one for one in sets if len(sets) > 1 and _is_in(source, one, said)]
            yield from _renamed(context, anchor, inside, "") if len(inside) == 1 else ()
        elif len(sets) > 1 or (sets and rows[0][0] not in (0, -1)):
            left = span is not None and is_excepted(span, text)
            meant = _numbered(sets, rows, left=left or bool(others))
            yield from _renamed(context, anchor, meant, f"it is set {len(sets)} times")


def _numbered(sets: Sequence[Occurrence], rows: Sequence[tuple[int, int]], *, left: bool) -> list[Occurrence]:
    """The places of these numbers, or all others, if they are one behind the other."""
    fits = all(-len(sets) <= at < len(sets) and count <= len(sets) for at, count in rows)
    ends = [sets[at:][:count] if at >= 0 else sets[-count:] for at, count in rows if fits]
    meant = [at for at, one in enumerate(sets) if any(one in end for end in ends) != left]
    together = meant == [*range(meant[0], meant[-1] + 1)] if meant else False
    return [sets[at] for at in meant] if together else []


def _is_in(source: Source, one: Occurrence, said: Sequence[Branch]) -> bool:
    """Whether a name is set in a branch that is said, or by the head of such a loop."""
    root, statement = source.function_of(one.node), source.statement(one.node)
    suites = [suite for branch in said for suite in suites_of(source, root, branch)]
    return is_within(source, one.node, suites) or (isinstance(statement, LOOPS) and statement.body in suites)


def _renamed(context: Context, anchor: Anchor, meant: Sequence[Occurrence], number: str) -> Iterator[Built]:
    """The renames of what some places set, or else, if their number is said, of all that has the name."""
    old, reason = anchor.words["like"], number
    for option in filled(context, "{new:name}", anchor) or ():
        if meant:
            first, last = (
                context.source(anchor.path).first_line(one.node) + 1 for one in (meant[0], meant[-1])
            )
            lines = f"{first}-{last}" if last > first else f"{first}"
            split = call("split_variable", place=f"{anchor.path}:{lines}", name=old, new=option.text)
            if isinstance(plan := split.plan(context.repo), Plan):
                yield build_at(anchor, split, option=option)
                continue
            reason = plan.reason
        if not number:
            continue
        made = call("rename", target=anchor.words["symbol"], new=option.text)
        doubt = f"all of {old} is renamed: {reason}"
        yield build_at(anchor, made, option=option, weight=_WHOLE, doubts=(doubt,))
