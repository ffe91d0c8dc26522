"""What an edit added, at another place: a definition before or after another one, or at an end of its class
or file, and a parameter likewise in its signature."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import call
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.context.lookup import names_of, split_name
from spark_tui.intent.context.situation import Candidate, Situation, Unresolved
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading
from spark_tui.pysource.source import Definition, Function, Source, parameters

_ENDS = ("amend.first", "amend.last")
_PLACES = (*_ENDS, "amend.before", "amend.after")
_MOVES = {
    "move_to_top": "symbol",
    "move_to_bottom": "symbol",
    "move_parameter_first": "parameter",
    "move_parameter_last": "parameter",
}
"""Orders that move what they name, and the slot of its name."""
_THERE = "it is already there"


def moved_things(reading: Reading, situation: Situation) -> list[Candidate]:
    """The one definition that the edit added or moved, or else the one parameter that it added, moved to
    where the reading says."""
    if reading.intent not in _PLACES or reading.slots.get("function"):
        return []
    defined = list(_definitions(situation))
    added = [] if defined else list(_parameters(situation))
    if len(defined) + len(added) != 1:
        return []
    try:
        made = _definition_moved(reading, *defined[0]) if defined else _parameter_moved(reading, *added[0])
    except Unresolved as error:
        return [Candidate((), reading, refused=str(error), nothing=error.nothing)]
    return [Candidate((made,), reading)]


def with_named_thing(order: Order, situation: Situation) -> Order:
    """The order as one to move what it names, where that is no part of what was read as being about the edit:
    *move add to the end*, behind a guard in `add`."""
    first = order.readings[0]
    if first.intent not in _ENDS or any(first.slots.values()):
        return order
    known = names_of(situation.repo, situation.path)
    for one in order.readings:
        named = one.text(_MOVES.get(one.intent, ""))
        if named.isidentifier() and known.find(named) and not phrases.is_said("pronouns", named):
            return order.preferring(replace(one, probability=first.probability))
    return order


def _sources(situation: Situation) -> Iterator[tuple[Source, Source | None]]:
    """The changed files with the edit and before it."""
    for path in sorted({change.path for change in changes_of_edit(situation)}):
        index = situation.before.index if situation.before is not None else None
        now = situation.repo.index.source(path)
        if now.tree is not None:
            yield now, index.source(path) if index is not None and index.text(path) is not None else None


def _definitions(situation: Situation) -> Iterator[tuple[Source, Definition]]:
    """The definitions that are new, or that stand at another place among the same others."""
    for now, was in _sources(situation):
        known = {was.qualname(one) for one in was.definitions} if was is not None else set()
        new = [one for one in now.definitions if now.qualname(one) not in known]
        yield from ((now, one) for one in new if not any(outer in new for outer in now.ancestors(one)))
        if not new and was is not None:
            yield from ((now, one) for one in _at_another_place(now, was, situation))


def _at_another_place(now: Source, was: Source, situation: Situation) -> list[Definition]:
    """The definitions that the edit names, where nothing else has another place."""
    earlier = situation.earlier
    slots = earlier.slots.items() if earlier is not None else ()
    words = {span.text for slot, spans in slots if slot != "anchor" for span in spans}
    names, before = ([one.name for one in each.definitions] for each in (now, was))
    if names == before or sorted(names) != sorted(before):
        return []
    named = [one for one in now.definitions if one.name in words]
    without = ([name for name in each if all(name != one.name for one in named)] for each in (names, before))
    return named if len({tuple(each) for each in without}) == 1 else []


def _parameters(situation: Situation) -> Iterator[tuple[Source, ast.arg, Function]]:
    """The parameters that are new."""
    for now, was in _sources(situation):
        before = {was.qualname(one): one for one in was.functions} if was is not None else {}
        for function in now.functions:
            old = before.get(now.qualname(function))
            known = {one.arg for one in parameters(old)} if old is not None else None
            if known is not None:
                own = parameters(function)
                yield from ((now, one, function) for one in own if one.arg not in known)


def _definition_moved(reading: Reading, source: Source, thing: Definition) -> Operation:
    others = [one for one in source.suite(thing) if one is not thing]
    after = reading.intent in ("amend.last", "amend.after")
    if reading.slots.get("anchor"):
        beside = [one for one in others if _is_named(_name(one), reading)]
    else:
        beside = [one for one in others if isinstance(one, Definition)]
        beside = beside[-1:] if after else beside[:1]
    if len(beside) != 1 and reading.slots.get("anchor"):
        raise Unresolved(f"there is no {reading.text('anchor')} beside it")
    if not beside or (reading.intent in _ENDS and after == (thing.lineno > beside[0].lineno)):
        raise Unresolved(_THERE, nothing=True)
    place, to = (
        line_range(source.path, source.first_line(one) + 1, source.last_line(one)) for one in (thing, *beside)
    )
    return call("move_statements", place=place, to=to, side="after" if after else "before")


def _name(one: ast.stmt) -> str:
    targets = one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", None)]
    return one.name if isinstance(one, Definition) else getattr(targets[0], "id", "")


def _parameter_moved(reading: Reading, source: Source, thing: ast.arg, function: Function) -> Operation:
    names = [one.arg for one in parameters(function) if one.arg not in ("self", "cls")]
    order = [one for one in names if one != thing.arg]
    after = reading.intent in ("amend.last", "amend.after")
    at = len(order) if after else 0
    if reading.slots.get("anchor"):
        beside = [one for one in order if _is_named(one, reading)]
        if len(beside) != 1:
            raise Unresolved(f"there is no {reading.text('anchor')} beside it")
        at = order.index(beside[0]) + after
    order.insert(at, thing.arg)
    if order == names:
        raise Unresolved(_THERE, nothing=True)
    target = f"{source.path}::{source.qualname(function)}"
    return call("reorder_parameters", target=target, order=", ".join(order))


def _is_named(name: str, reading: Reading) -> bool:
    """Whether an anchor is a name: all of its words, and no others but what kind of thing it is."""
    text = phrases.without_articles(reading.text("anchor").strip("`'\"() "))
    said = split_name(text)
    kinds = phrases.words("kinds")
    return bool(name) and split_name(name) in (said, [word for word in said if word not in kinds])
