"""Readings of a message after an edit that mean another one, or that its other readings make less likely."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from spark_tui.codemods.slots import CALLABLE, CLASS
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.symbol_kinds import kinds_said
from spark_tui.intent.context.written_lines import functions_changed
from spark_tui.intent.followups.amendments.exchanged_tokens import is_error
from spark_tui.intent.followups.orders.left_to_written import definition_before, nodes_on_lines
from spark_tui.intent.followups.orders.on_written import binds_name
from spark_tui.intent.words import phrases
from spark_tui.intent.words.phrases import joining
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.names.type_hints import called_name

_LESS = 0.3
_LEFT_OUT = 0.1
"""How likely it is at least that something is left out, where nothing else can be done with it."""
_WITHOUT_PLACE = ("amend.first", "amend.last")


def likelier_readings(readings: Sequence[Reading], situation: Situation) -> list[Reading]:
    """The readings as they are likelier after an edit."""
    likely = _as_guard(_left_out(_placed(readings), situation), situation)
    return [_as_ending(_as_other_name(one, situation), situation) for one in likely]


def _left_out(readings: Sequence[Reading], situation: Situation) -> Sequence[Reading]:
    """The readings, of which the one that leaves a function out is the likeliest where the one that does the
    same in it is of what was done: *and not in g either*."""
    also = readings[0] if readings else None
    without = next((one for one in readings if one.intent == "amend.except"), None)
    if also is None or also.intent != "amend.also" or without is None or without.probability < _LEFT_OUT:
        return readings
    named = {span.text for span in also.slots.get("function", ())}
    if not named or also.slots != without.slots or not named <= functions_changed(situation):
        return readings
    likely = (replace(without, probability=also.probability), replace(also, probability=without.probability))
    return [*likely, *(one for one in readings[1:] if one is not without)]


def _as_guard(readings: Sequence[Reading], situation: Situation) -> Sequence[Reading]:
    """The readings, of which the one that returns under the condition of the edit before is the likelier one,
    where a message goes on from that to another function: *and g should return None then*."""
    first, done = readings[0] if readings else None, situation.earlier
    guard = next((one for one in readings if one.intent == "guard_return"), None)
    joins = re.match(rf"\W*(?:{joining()})", situation.instruction, re.IGNORECASE) is not None
    goes_on = joins or phrases.any_stands_in(phrases.words("more"), situation.instruction.lower())
    if first is None or first.intent != "set_return" or guard is None or not goes_on:
        return readings
    if done is None or not done.intent.startswith("guard_") or first.slots.get("condition"):
        return readings
    if not first.slots.get("function") or functions_changed(situation) & {first.text("function")}:
        return readings
    likely = replace(guard, probability=first.probability, slots={**guard.slots, **first.slots})
    rest = [one for one in readings[1:] if one is not guard]
    return [likely, replace(first, probability=guard.probability), *rest]


def _as_ending(reading: Reading, situation: Situation) -> Reading:
    """A value in the place of something that is done as what is returned instead of that: *None instead of
    growing*."""
    old, value = reading.slots.get("old", ()), reading.slots.get("value", ())
    if reading.intent != "amend.value" or len(old) != 1 or len(value) != 1 or old[0].quoted:
        return reading
    done = {
        called_name(node.value)
        for _, node in nodes_on_lines(situation)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    }
    verb = re.sub(r"(?:ing|en)\Z", "", old[0].text.strip().lower())
    if verb == old[0].text.strip().lower() or not any(name in (verb, f"{verb}e") for name in done):
        return reading
    return replace(reading, intent="amend.return_instead", slots={"result": value})


def _placed(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """The readings, of which those that name no place count less where one names what stands before or after
    it: *between the name and the total*."""
    likely = max((one.probability for one in readings), default=0.0)
    named = any(one.slots.get("anchor") and one.probability >= _LESS * likely for one in readings)
    return tuple(
        replace(one, probability=_LESS * one.probability)
        if named and one.intent in _WITHOUT_PLACE and not one.slots
        else one
        for one in readings
    )


def _as_other_name(reading: Reading, situation: Situation) -> Reading:
    """A rename without a subject: of what was written, if that brought a name, or else of the function or
    class that the order before was about."""
    if reading.intent not in ("rename", "amend.name") or set(reading.slots) != {"new"}:
        return reading
    about = situation.earlier is not None and definition_before(situation.earlier)
    in_test = any(isinstance(node, ast.NamedExpr) for _, node in nodes_on_lines(situation))
    in_test = in_test and not kinds_said(reading.slots["new"][0], situation.instruction) & (CALLABLE | CLASS)
    own = not about or binds_name(situation) or in_test or is_error(reading.text("new"))
    return replace(reading, intent="amend.name" if own else "rename")
