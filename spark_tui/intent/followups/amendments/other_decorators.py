"""Another decorator in the place of one that an edit added, where a function has only one of these: a cached
property is no property with a cache around it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.source import Function

_GIVING = frozenset(("add_decorator", "amend.value", "amend.name", "amend.further"))
_SLOTS = ("decorator", "value", "new")


def with_other_decorator(order: Order, situation: Situation) -> Order:
    """The order as one for the decorator that was added, where it gives one that cannot stand beside that."""
    for one in order.readings:
        given = next((span for slot in _SLOTS for span in one.slots.get(slot, ())), None)
        if one.intent in _GIVING and given is not None and list(_decorated(given, situation)):
            return order.preferring(replace(one, intent="amend.value", slots={"value": (given,)}))
    return order


def other_decorators(reading: Reading, situation: Situation) -> list[Candidate]:
    """The functions that were decorated, decorated otherwise: for the repository before that."""
    given = next(iter(reading.slots.get("value", ())), None)
    if reading.intent != "amend.value" or given is None or situation.before is None:
        return []
    spans = tuple(Span(-1, -1, name) for name in _decorated(given, situation))
    if not spans:
        return []
    told = Reading("add_decorator", reading.probability, {"decorator": (given,), "function": spans})
    found = find_candidates(told, replace(situation, repo=situation.before, earlier=None, selection=None))
    return [replace(one, reading=reading, from_before=True) for one in found if one.calls]


def _decorated(given: Span, situation: Situation) -> Iterator[str]:
    """The functions to which an edit added a decorator that excludes the one that is given."""
    name = given.text.strip("`'\"@() ").rpartition(".")[2]
    groups = followup_table()["exclusive"]["decorators"]
    others = {other for group in groups if name in group for other in group} - {name}
    for change in changes_of_edit(situation) if others else ():
        source = situation.behind.index.source(change.path)
        rows = range(change.at + 1, change.at + len(change.new) + 1)
        for function in source.functions:
            for one in function.decorator_list:
                fresh = one.lineno in rows and ast.unparse(one).rpartition(".")[2] in others
                if fresh and isinstance(function, Function):
                    yield source.qualname(function)
