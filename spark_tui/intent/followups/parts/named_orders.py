"""Which of several orders that one edit did a message takes back, by what they do: *undo only the rename*,
*leave the default, just rename it*."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

from spark_tui.codemods.families.names.rename import Rename
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import Operation, operation_name, render
from spark_tui.codemods.slots import Place, Symbol
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.planning.executing import TAKING_AWAY, plan_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.repository import Repository

_WORD = re.compile(r"[^\W\d_][\w']*")
_STEM = 4
_SURE = 0.95


def as_named_orders(orders: Sequence[Order], situation: Situation) -> tuple[Order, ...]:
    """The orders, as one for a part of the last edit where that is all that the message says."""
    text = situation.instruction
    if kept_orders(text, situation) is None:
        return tuple(orders)
    return (Order(0, len(text), (Reading("amend.except", _SURE, {"orders": (Span(0, len(text), text),)}),)),)


def without_named_orders(reading: Reading, situation: Situation) -> Candidate | None:
    """The last edit with only those of its orders that a message leaves."""
    kept = kept_orders(situation.instruction, situation)
    return Candidate(kept, reading, from_before=True) if kept else None


@lru_cache(maxsize=1)
def _between_clauses() -> re.Pattern[str]:
    joining = "|".join(map(re.escape, phrases.words("but_between_clauses")))
    return re.compile(rf"[,;.!?:，。；！](?=\s|\Z)|\s[-–—]\s|[，。；！]|\s(?:{joining})\s")


def kept_orders(text: str, situation: Situation) -> tuple[Operation, ...] | None:
    """The calls of the last edit that a message leaves; None where it says anything else, or they cannot be
    made without the others."""
    earlier, before = situation.earlier, situation.before
    calls = tuple(dict.fromkeys((*earlier.others, *earlier.calls))) if earlier is not None else ()
    if len(calls) < 2 or before is None or situation.partial:
        return None
    kept, gone = set[Operation](), set[Operation]()
    clauses = [one.lower() for one in _between_clauses().split(text) if re.search(r"\w", one)]
    undoes = any(phrases.any_stands_in(followup_table()["stays"]["back"], one) for one in clauses)
    for clause in clauses:
        found = _named(clause, calls, situation)
        role = _role(clause, undoes)
        if found is None or (found and not role):
            return None
        (gone if role == "gone" else kept).update(found)
    if kept & gone or not kept | gone:
        return None
    rest = tuple(
        one for one in calls if one not in gone and (not kept or gone >= {*calls} - kept or one in kept)
    )
    if not 0 < len(rest) < len(calls):
        return None
    rest = tuple(_with_old_names(one, [call for call in calls if call not in rest]) for one in rest)
    return rest if isinstance(plan_of(rest, before), Plan) and not _moves(calls, rest, before) else None


def _role(clause: str, undoes: bool) -> str:
    """Whether what a clause names is to be gone or kept; empty where it says neither."""
    stays = followup_table()["stays"]
    denied = (*stays["back"], *phrases.words("denying"), *phrases.words("undone"))
    if phrases.any_stands_in(denied, clause):
        return "gone"
    if re.search(rf"(?<!\w)(?:{'|'.join(stays['without'])})(?!\w)", clause):
        return "gone"
    if phrases.any_stands_in((*stays["only"], *stays["yes"]), clause):
        return "kept"
    if phrases.any_stands_in((*phrases.words("keeping"), *phrases.words("as_before")), clause):
        return "kept" if undoes else "gone"
    return ""


def _named(clause: str, calls: Sequence[Operation], situation: Situation) -> list[Operation] | None:
    """The calls that a clause names by what they do and to what; None where it says anything else."""
    words = [word.lower() for word in _WORD.findall(clause)]
    kinds = {call: [*_kind_words(call)] for call in calls}
    names = {call: _own_words(call, situation) for call in calls}
    shared = set.intersection(*names.values())
    by_kind, by_name = set[Operation](), set[Operation]()
    for word in words:
        of_kind = {call for call in calls if any(_is_like(word, one) for one in kinds[call])}
        of_name = {call for call in calls if word in names[call]}
        if not of_kind and not of_name and word not in _idle():
            return None
        by_kind |= of_kind
        by_name |= of_name if not of_kind and word not in shared and word not in _idle() else set()
    if by_kind and by_name and not by_kind & by_name:
        return None  # the rename of what was not renamed
    found = (by_kind & by_name) or by_kind or by_name
    return [one for one in calls if one in found] if len(found) < len(calls) else None


def _kind_words(call: Operation) -> Iterator[str]:
    """The words for what a call does: those of its name, and others for it."""
    name = operation_name(type(call))
    verb, _, thing = name.partition("_")
    yield from (word for word in (thing or verb).split("_") if len(word) >= _STEM)
    for kind, words in followup_table()["order_words"].items():
        if name == kind or verb == kind:
            yield from words


def _is_like(word: str, own: str) -> bool:
    short, long = sorted((word.rstrip("s"), own.rstrip("s")), key=len)
    return short == long or (len(short) >= _STEM and long.startswith(short.removesuffix("e")))


def _own_words(call: Operation, situation: Situation) -> set[str]:
    """The words of a call, and of the lines that it takes away."""
    words = {word.lower() for word in _WORD.findall(render(call))}
    place, before = getattr(call, "place", None), situation.before
    if isinstance(place, Place) and before is not None and isinstance(call, TAKING_AWAY):
        lines = (before.index.text(place.path) or "").splitlines() if place.path else []
        words |= {
            word.lower() for line in lines[place.first - 1 : place.last] for word in _WORD.findall(line)
        }
    return words


def _with_old_names(call: Operation, gone: Sequence[Operation]) -> Operation:
    """A call with the names that there were before the renames that go."""
    changed: Any = call
    for rename in (one for one in gone if isinstance(one, Rename)):
        old, new = rename.target.name.rpartition(".")[2], str(rename.new)
        for field in fields(changed):
            value = getattr(changed, field.name)
            if isinstance(value, Symbol):
                name = re.sub(rf"(?<![^.]){re.escape(new)}(?![^.])", old, value.name)
                changed = replace(changed, **{field.name: replace(value, name=name)})
            elif isinstance(value, str) and value == new:
                changed = replace(changed, **{field.name: type(value)(old)})
    out: Operation = changed
    return out


def _moves(calls: Sequence[Operation], rest: Sequence[Operation], before: Repository) -> bool:
    """Whether a call that goes moves the lines that a later one names."""
    numbered = [one for one in rest if getattr(getattr(one, "place", None), "first", 0)]
    for at, call in enumerate(calls):
        later = [one for one in numbered if one in calls[at + 1 :]]
        plan = plan_of((call,), before) if call not in rest and later else None
        if not later or call in rest:
            continue
        if not isinstance(plan, Plan):
            return True
        texts = plan.texts(before)
        if any(
            (text or "").count("\n") != (before.index.text(path) or "").count("\n")
            for path, text in texts.items()
        ):
            return True
    return False


@lru_cache(maxsize=1)
def _idle() -> frozenset[str]:
    """Words that name no order."""
    kinds = (
        "pronouns",
        "articles",
        "keeping",
        "as_before",
        "denying",
        "flag_words",
        "only",
        "just",
        "to",
        "and",
        "rest",
    )
    known = [word for kind in kinds for word in phrases.words(kind)]
    known += [word for words in followup_table()["stays"].values() for word in words]
    known += followup_table()["order_words"]["beside"]
    return frozenset(part for word in known for part in _WORD.findall(word.lower()))
