"""What the last message did, done to another thing: all of its orders, a rename with a name that is like the
one that was given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from spark_tui.codemods.families.statements.guards import AddGuard
from spark_tui.codemods.families.texts.docstrings import SetDocstring
from spark_tui.codemods.registry import Operation, from_json, to_json
from spark_tui.codemods.slots import CALLABLE
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.lookup import names_of, split_name
from spark_tui.intent.context.situation import Candidate, Done, Situation
from spark_tui.intent.values.converters.new_names import styled
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.source import parameters
from spark_tui.pysource.syntax.walking import names_in
from spark_tui.shared_ends import same_ends

_SAME_TEXT = assumed("the same docstring was assumed to be meant")


def all_elsewhere(reading: Reading, earlier: Done, situation: Situation) -> list[Candidate]:
    """What all orders of the last message did to one definition, or one that no slots are known of, done to
    others that are named."""
    calls = [to_json(one) for one in (*earlier.others, *earlier.calls)]
    targets = {str(one.get("target", "")) for one in calls}
    homes = {_home(one, situation) for one in targets} if earlier.others else targets
    path, _, old = min(homes, default="").partition("::")
    if not earlier.others and (not old or any(earlier.slots.values())):
        return []
    made: list[Operation] = []
    for span in (span for slot in ("function", "class") for span in reading.slots.get(slot, ())):
        found = names_of(situation.repo, situation.path).find(span.text)
        there = [one.target for one in found if one.target.path == path]
        if len(homes) != 1 or len(there) != 1:
            return []
        new = there[0].qualname
        for one in calls:
            told = {field: _renamed(value, old, new) for field, value in one.items()}
            part = str(one["target"]).removeprefix(f"{path}::{old}")
            made.append(from_json({**told, "target": f"{path}::{new}{part}"}))
    return [Candidate(tuple(made), reading)] if made else []


def _home(target: str, situation: Situation) -> str:
    """The definition that has what a call is about: `shop.py::add` for the parameter `shop.py::add.qty`."""
    path, sep, name = target.partition("::")
    owner = name.rpartition(".")[0]
    found = names_of(situation.repo, path).find(owner, CALLABLE) if owner else ()
    is_part = any((one.target.path, one.target.qualname) == (path, owner) for one in found)
    return f"{path}{sep}{owner}" if is_part else target


def with_text_kept(found: list[Candidate], earlier: Done) -> list[Candidate]:
    """The candidates, marked where a docstring that was given for one definition becomes that of another."""
    texts = {one.text for one in earlier.calls if isinstance(one, SetDocstring)}
    return [
        replace(one, doubts=(*one.doubts, _SAME_TEXT))
        if any(isinstance(each, SetDocstring) and each.text in texts for each in one.calls)
        else one
        for one in found
    ]


def with_guard_kept(found: list[Candidate], earlier: Done, situation: Situation) -> list[Candidate]:
    """The candidates with the guard of the last message as it is, in functions that have the parameters
    which it tests: its words need not be read again."""
    was = earlier.calls[0] if len(earlier.calls) == 1 else None
    return [_with_guard(one, was, situation) for one in found] if isinstance(was, AddGuard) else found


def _with_guard(one: Candidate, was: AddGuard, situation: Situation) -> Candidate:
    now = one.calls[0] if len(one.calls) == 1 else None
    tested = names_in(parsed(was.condition))
    if not isinstance(now, AddGuard) or not now.place.symbol or not tested:
        return one
    path, _, name = now.place.symbol.partition("::")
    source = situation.repo.index.source(path)
    home = next((each for each in source.functions if source.qualname(each) == name), None)
    known = {item.arg for item in parameters(home)} if home is not None else set()
    return replace(one, calls=(replace(was, place=now.place),), doubts=()) if tested <= known else one


def _renamed(value: object, old: str, new: str) -> object:
    """A text with the name of another definition: of a warning, say."""
    whole = rf"(?<![\w.]){re.escape(old)}(?!\w)"
    return re.sub(whole, lambda _: new, value) if old and isinstance(value, str) else value


def with_like_name(slots: Mapping[str, tuple[Span, ...]], earlier: Done) -> dict[str, tuple[Span, ...]]:
    """The slots of a rename of another thing, with its name if that changes as the first one did."""
    old, new, other = (
        spans[0].text.strip("`'\"").rpartition(".")[2] if (spans := given.get(slot, ())) else ""
        for given, slot in ((earlier.slots, "symbol"), (earlier.slots, "new"), (slots, "symbol"))
    )
    name = _named_alike(old, new, other) if earlier.intent == "rename" and old and new and other else ""
    return {**slots, "new": (Span(-1, -1, name),)} if name else dict(slots)


def _named_alike(old: str, new: str, other: str) -> str:
    """Another name, changed as one was: by its style, by what it begins or ends with, or by what comes behind
    the same beginning; empty if none."""
    if split_name(old) == split_name(new) and old.strip("_") != new.strip("_"):
        lead = other[: len(other) - len(other.lstrip("_"))]
        return lead + styled(split_name(other), new.strip("_"))
    front, behind = same_ends(old, new)
    gone, given = (one[front : len(one) - behind] for one in (old, new))
    if front and behind and other.startswith(old[: front + len(gone)]):
        return other[:front] + given + other[front + len(gone) :]
    if front and not behind and other.endswith(gone):
        return other[: len(other) - len(gone)] + given
    return given + other.removeprefix(gone) if behind and not front and other.startswith(gone) else ""
