"""Readings of a message after an edit that mean another one, or that its other readings make less likely."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from spark_tui.codemods.slots import CALLABLE, CLASS
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.symbol_kinds import kinds_said
from spark_tui.intent.followups.amendments.exchanged_tokens import is_error
from spark_tui.intent.followups.orders.left_to_written import definition_before, nodes_on_lines
from spark_tui.intent.followups.orders.on_written import binds_name
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.names.type_hints import called_name

_LESS = 0.3
_WITHOUT_PLACE = ("amend.first", "amend.last")


def likelier_readings(readings: Sequence[Reading], situation: Situation) -> list[Reading]:
    """The readings as they are likelier after an edit."""
    return [_as_ending(_as_other_name(one, situation), situation) for one in _placed(readings)]


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
