"""The symbols that a slot names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from spark_tui.codemods.families.names.rename import Rename, RenameAll
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import ANY_SYMBOL, CALLABLE, CLASS, NewName, Symbol, SymbolKind
from spark_tui.codemods.uses.symbols import list_targets
from spark_tui.intent.building.already_done import refuse_done_rename
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.areas import nothing_called
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.matches import INNER, Match
from spark_tui.intent.context.owners_said import says_owner
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.intent.context.symbol_kinds import around_members, is_member, kinds_said
from spark_tui.intent.context.written_lines import changes_of_edit, functions_around
from spark_tui.intent.names.name_styles import hidden_name
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import SEVERAL, Doubt, DoubtKind, without
from spark_tui.pysource.source import Function


def symbols(context: Context, slot: str, kinds: Iterable[str] = ()) -> list[Anchor]:
    wanted = frozenset(map(SymbolKind, kinds)) or ANY_SYMBOL
    text = context.text(slot)
    out: list[Anchor] = []
    everywhere: list[Area | None] = [None]
    of_kind: dict[tuple[str, str], tuple[Doubt, ...]] = {}
    for area in context.named or everywhere:
        for one in _found(context, slot, wanted, area):
            target = one.target
            private = hidden_name(target.name, context.situation.instruction)
            words = {"symbol": one.symbol, "like": target.name, "private": private}
            scale = area.weight if area is not None else 1.0
            doubts = (*one.doubts, *(area.doubts if area is not None else ()))
            if area is None or kinds_said(context.span(slot), context.situation.instruction):
                of = target.path, target.name
                if of not in of_kind:
                    of_kind[of] = tuple(_doubts_of_kind(context, slot, wanted, one))
                doubts = (*doubts, *of_kind[of])
            where = area or Area(target.path)
            out.append(
                Anchor(replace(where, path=target.path), target.node, one.weight * scale, doubts, words)
            )
        if out and not (context.everywhere or context.means_all(len(context.named))):
            break
    out = _in_function_said(context, _of_owner_said(context, slot, _beside_edit(context, out)))
    if not out:
        refuse_done_rename(context)
        nameless = "the instruction does not say what is meant"
        raise Unresolved(why_unknown(context, text, wanted) if text else nameless)
    return out


def _of_owner_said(context: Context, slot: str, found: list[Anchor]) -> list[Anchor]:
    """Symbols of one name, or only the one whose class is named beside it."""
    span, text = context.span(slot), context.situation.instruction
    if len(found) < 2 or span is None or span.start < 0 or context.everywhere:
        return found
    said = [one for one in found if says_owner(_holder(one), text[: span.start], text[span.end :])]
    return _without_doubt(said) if len(said) == 1 else found


def _in_function_said(context: Context, found: list[Anchor]) -> list[Anchor]:
    """Of several that are called alike those in the one function whose name stands in other words."""
    loose = len(found) > 1 and not context.named and not context.reading.left_out
    said = set(re.findall(r"\w+", context.beside_slots())) if loose else set()
    inside = [one for one in found if one.words["symbol"].split(".")[-2:-1] and said & {_holder(one)}]
    if not inside or len(inside) == len(found) or len({_holder(one) for one in inside}) > 1:
        return found
    return _without_doubt(inside)


def _beside_edit(context: Context, found: list[Anchor]) -> list[Anchor]:
    """Of several that are called alike the one member of the class in which the last edit is."""
    situation = context.situation
    if len(found) < 2 or context.named or situation.earlier is None:
        return found
    homes = [".".join(functions_around(one, situation.behind)) for one in changes_of_edit(situation)]
    owners = [one.words["symbol"].rpartition("::")[2].rpartition(".")[0] for one in found]
    inside = [
        one
        for one, owner in zip(found, owners, strict=True)
        if owner and any(f"{home}.".startswith(f"{owner}.") for home in homes)
    ]
    return _without_doubt(inside) if len(inside) == 1 else found


def _without_doubt(found: list[Anchor]) -> list[Anchor]:
    weight = 0.95 / len(found)
    return [
        replace(one, weight=max(one.weight, weight), doubts=without(one.doubts, *SEVERAL)) for one in found
    ]


def _holder(anchor: Anchor) -> str:
    """The name of the function or class that a symbol belongs to."""
    return anchor.words["symbol"].rpartition("::")[2].rpartition(".")[0].rpartition(".")[2]


def _doubts_of_kind(
    context: Context, slot: str, wanted: frozenset[SymbolKind], one: Match
) -> Iterator[Doubt]:
    """That a name may mean a function, which the edit does not take: `inline total`, a method and a local."""
    name, path = one.target.name, one.target.path
    said = kinds_said(context.span(slot), context.situation.instruction)
    if said & wanted or is_member(context.text(slot)):
        return
    others = [item.kind for item in list_targets(context.repo, path, name) if item.kind in CALLABLE - wanted]
    if others:
        yield Doubt(f"{name} is the name of a {others[0].value} too", DoubtKind.MEANT)


def _is_function(area: Area | None) -> bool:
    return area is not None and isinstance(area.node, Function)


def _found(context: Context, slot: str, wanted: frozenset[SymbolKind], area: Area | None) -> list[Match]:
    """What a slot names in an area: of the kind that is said beside it, if there is one."""
    text, near, everywhere = context.text(slot), context.near, context.reading.everywhere
    if _is_another_kind(context, plain_name(text), wanted):
        return []  # *inline Cart.size*, a property, is no local that is called size
    kinds = wanted & kinds_said(context.span(slot), context.situation.instruction)
    if kinds:
        own = context.names.find(text, kinds & INNER, area) if kinds & INNER and _is_function(area) else []
        if any(one.target.name == plain_name(text) for one in own):
            return own  # *the variable value in sign* is no other method's
        around = area if kinds <= INNER else around_members(area)
        every = context.names.find(text, kinds, around, near, everywhere)
        plain = plain_name(text)
        # A name with capitals is typed as it is, others may be spoken.
        alike = str.lower if plain.islower() else str
        found = [one for one in every if not one.doubts or alike(one.target.name) == plain]
        if found:
            return found
    found = context.names.find(text, wanted, area, near, everywhere)
    if kinds:
        # *The class Interval* may be another kind of thing of that name, but is no constant INTERVAL.
        like = {_sort(kind) for kind in kinds}
        found = [
            one for one in found if one.target.name == plain_name(text) or _sort(one.target.kind) in like
        ]
    shown = is_member(text) and text in (context.repo.index.text(context.situation.path) or "")
    # A member that is shown as the code has it is no other one whose name is alike.
    return [one for one in found if not shown or one.target.name.rpartition(".")[2] == plain_name(text)]


def _is_another_kind(context: Context, name: str, wanted: frozenset[SymbolKind]) -> bool:
    """Whether a name with its owner is just that of something else than what is wanted."""
    last = name.rpartition(".")[2]
    found = list_targets(context.repo, context.situation.path, last) if "." in name else ()
    kinds = {one.kind for one in found if one.qualname == name}
    return bool(kinds) and not kinds & wanted


def _sort(kind: SymbolKind) -> str:
    """What kinds that are easily taken for each other have in common."""
    return "class" if kind in CLASS else "function" if kind in CALLABLE else "value"


def why_unknown(context: Context, text: str, wanted: frozenset[SymbolKind]) -> str:
    """The reason: the name is in another place, is of another kind, or does not exist."""
    name = plain_name(text)
    found = (one.target for one in context.names.find(text))
    other = next((one for one in found if name in (one.name, one.qualname)), None)
    places = ", ".join(dict.fromkeys(area.qualname or area.path for area in context.named))
    if other is None or (other.kind in wanted and not places):
        return nothing_called(context.repo, text)
    if other.kind in wanted:
        return f"there is nothing called {text} in {places}, but in {other.path}"
    return f"{name} is a {other.kind.value}, not a {' or '.join(sorted(one.value for one in wanted))}"


def may_mean_all(context: Context, found: int) -> bool:
    """Whether all variables of one name in the file may be meant by a rename: all were found, and neither a
    place nor a number is said."""
    if context.reading.intent != "rename" or found >= context.most_places:
        return False
    if context.placed or context.situation.focused:
        return False
    other_words = re.findall(r"\w+", context.beside_slots().lower())
    return not any(phrases.is_said("both", word) or phrases.lookup("numbers", word) for word in other_words)


def is_here(rename: Operation, context: Context) -> bool:
    """Whether what is renamed stands in the file in view."""
    return str(getattr(rename, "target", "")).partition("::")[0] == context.situation.path


def outer_symbols(symbols: set[str], context: Context) -> set[str]:
    """The symbols, as they are written, that are neither a parameter nor a local."""
    inner = context.names.find(context.text("symbol"), INNER, everywhere=context.reading.everywhere)
    return symbols - {item.symbol for item in inner}


def all_of_a_name(likeliest: Operation, outer: set[str], context: Context) -> RenameAll | None:
    """The rename of everything of one name; None where the only such symbol is one of a module, whose name a
    local does not share for a reason, and where a place, a class or an exception is named."""
    reading, old = context.reading, plain_name(context.text("symbol"))
    names = [Symbol.parse(item).name.rpartition(".") for item in outer]
    several = len(outer) > 1 or bool(names[0][0])
    exact = all(last == old for *_, last in names)
    bounded = reading.left_out or context.placed or context.named or is_member(context.text("symbol"))
    if not (several and exact and reading.everywhere) or bounded or not isinstance(likeliest, Rename):
        return None
    return RenameAll(NewName(old), likeliest.new)
