"""The places of amendments: what a message names, and whether an edit is there or where the last one was."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Symbol
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import (
    changes_of_edit,
    definitions_changed,
    functions_around,
    functions_changed,
    texts_after,
)
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition

_OTHER, _OTHER_ONE = 0.85, 0.6
"""How likely the only other function is meant by *the other function*, and by *the other one*."""
_PARTS = ("amend.except", "amend.only_here", "amend.undo", "amend.everywhere")


def as_place(reading: Reading, situation: Situation) -> Reading | None:
    """The reading as one that names another place, where what is to be taken instead is a function or class,
    and the old thing the one in which the edit is, or nothing."""
    new = reading.slots.get("new", ()) if reading.intent == "amend.name" else ()
    before = situation.before
    if len(new) != 1 or before is None:
        return None
    names = names_of(before, situation.path)
    found = [
        item.target for item in names.find(new[0].text) if item.target.name == new[0].text.strip("`'\"()")
    ]
    if not found or not isinstance(found[0].node, Definition):
        return None
    around = functions_changed(situation)
    old = {span.text.strip("`'\"()") for span in reading.slots.get("old", ())}
    if old - around or found[0].name in around:
        return None
    slot = "class" if isinstance(found[0].node, ast.ClassDef) else "function"
    return replace(reading, intent="amend.place", slots={slot: new})


def with_other_function(order: Order, situation: Situation) -> Order:
    """The order as one for *the other function*, where its file has only one more."""
    first, changes = order.readings[0], changes_of_edit(situation)
    said = followup_table()["other"]["words"]
    kinds = "|".join(followup_table()["parts"]["function"])
    ends = re.compile(rf"\b(?:{'|'.join(said)})(?:\s+(?:(?P<kind>{kinds})|one))?\W*\Z", re.IGNORECASE)
    told = ends.search(situation.instruction[: order.end])
    if not changes or first.intent in _PARTS or told is None:
        return order
    around = functions_changed(situation)
    functions = [one.name for one in situation.behind.index.source(changes[0].path).functions]
    others = [name for name in functions if name not in around]
    if not around.intersection(functions) or len(others) != 1:
        return order
    intent = "amend.also" if first.intent == "amend.also" else "amend.place"
    likely = _OTHER if told["kind"] else _OTHER_ONE
    return order.preferring(Reading(intent, likely, {"function": (Span(-1, -1, others[0]),)}))


def in_its_class(reading: Reading, situation: Situation) -> Reading:
    """The reading with a method of the class in which the edit is, where it names one."""
    before, functions = situation.before, reading.slots.get("function", ())
    if before is None or not functions or "class" in reading.slots:
        return reading
    names = names_of(before, situation.path)
    owners = [
        ".".join(functions_around(change, situation.behind)[:-1]) for change in changes_of_edit(situation)
    ]
    near = dict.fromkeys(filter(None, owners))

    def method(span: Span) -> Span:
        name = span.text.strip("`'\"()")
        name = "__init__" if phrases.is_said("constructor", phrases.without_articles(name)) else name
        owner = next((item for item in near if name.isidentifier() and names.holds(item, name)), "")
        return replace(span, text=f"{owner}.{name}") if owner else span

    return replace(reading, slots={**reading.slots, "function": tuple(map(method, functions))})


def keep_in_place(found: list[Candidate], before: Situation, situation: Situation) -> list[Candidate]:
    """The candidates that are of what the edit was of, or change the functions that it changed, from the same
    lines on."""
    there = definitions_changed(before.repo, texts_after(situation))
    of = _targets(situation.earlier.calls) if situation.earlier is not None else []
    return [
        candidate
        for candidate in found
        if not there
        or (of and _targets(candidate.calls) == of)
        or _homes(candidate, before.repo) in (None, there)
    ]


def _targets(calls: Sequence[Operation]) -> list[Symbol]:
    found = (getattr(operation, "target", None) for operation in calls)
    return [item for item in found if isinstance(item, Symbol)]


def _homes(candidate: Candidate, repo: Repository) -> dict[tuple[str, ...], int] | None:
    """Where a candidate changes something, if it can be planned."""
    plan = plan_of(candidate.calls, repo) if candidate.calls else None
    return definitions_changed(repo, plan.texts(repo)) if isinstance(plan, Plan) else None


def is_at(candidate: Candidate, names: set[str], repo: Repository) -> bool:
    """Whether a candidate changes something in a function or class that is called so, or that itself."""
    targets = _targets(candidate.calls)
    if targets:
        return any(names & set(symbol.name.split(".")) for symbol in targets)
    at = _homes(candidate, repo)
    # A comment above a function is outside of all.
    return at is None or any(len(home) == 1 or names & set(home) for home in at)
