"""The symbols that a slot names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from spark_tui.codemods.slots import ANY_SYMBOL, SymbolKind
from spark_tui.intent.building.already_done import not_renamed_again
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import INNER, Match, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.said_kinds import around_members, kinds_said
from spark_tui.intent.context.situation import Area, Unresolved


def symbols(context: Context, slot: str, kinds: Iterable[str] = ()) -> list[Anchor]:
    """The symbols that a slot names."""
    wanted = frozenset(map(SymbolKind, kinds)) or ANY_SYMBOL
    text = context.text(slot)
    out: list[Anchor] = []
    everywhere: list[Area | None] = [None]
    for area in context.named or everywhere:
        for one in _found(context, slot, wanted, area):
            target = one.target
            private = target.name if target.name.startswith("_") else f"_{target.name}"
            words = {"symbol": one.symbol, "like": target.name, "private": private}
            scale = area.weight if area is not None else 1.0
            doubts = (*one.doubts, *(area.doubts if area is not None else ()))
            where = area or Area(target.path)
            out.append(
                Anchor(replace(where, path=target.path), target.node, one.weight * scale, doubts, words)
            )
        if out and not context.everywhere:
            break
    if not out:
        not_renamed_again(context)
        nameless = "the instruction does not say what is meant"
        raise Unresolved(_why_unknown(context, text, wanted) if text else nameless)
    return out


def _found(context: Context, slot: str, wanted: frozenset[SymbolKind], area: Area | None) -> list[Match]:
    """What a slot names in an area: of the kind that is said beside it, if there is one."""
    text, near, everywhere = context.text(slot), context.near, context.reading.everywhere
    said = wanted & kinds_said(context.span(slot), context.situation.instruction)
    if said:
        around = area if said <= INNER else around_members(area)
        found = [one for one in context.names.find(text, said, around, near, everywhere) if not one.doubts]
        if found:
            return found
    return context.names.find(text, wanted, area, near, everywhere)


def _why_unknown(context: Context, text: str, wanted: frozenset[SymbolKind]) -> str:
    name = plain_name(text)
    other = next((one.target for one in context.names.find(text) if one.target.name == name), None)
    if other is None or other.kind in wanted:
        return f"there is nothing called {text}"
    return f"{name} is a {other.kind.value}, not a {' or '.join(sorted(one.value for one in wanted))}"
