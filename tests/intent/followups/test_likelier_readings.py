"""Readings of a message that are likelier, or less so, for what the last edit did."""

from __future__ import annotations

from dataclasses import replace

import pytest
from intent.following import answer_behind, situation_behind
from intent.support import PATH, answered

from spark_tui.intent.context.situation import Done
from spark_tui.intent.followups.amendments.likelier_readings import likelier_readings
from spark_tui.intent.words.readings import Reading, Span

CODE = "def first(rows):\n    return rows[0]\n\n\ndef tail(rows):\n    return rows[-1]\n\n\ndef both(rows):\n"
CODE += "    return rows[0], rows[-1]\n"
GUARD = "    if not rows:\n        return None\n"
GUARDED = CODE.replace("    return rows[0]\n", f"{GUARD}    return rows[0]\n")
EMPTY = Done("guard_return", {"condition": (Span(-1, -1, "empty"),)}, ())
IN_TAIL = {"function": (Span(-1, -1, "tail"),), "result": (Span(-1, -1, "0"),)}
RETURNS = (Reading("set_return", 0.5, IN_TAIL), Reading("guard_return", 0.2, IN_TAIL))


@pytest.mark.parametrize(
    ("message", "likeliest"),
    [("and tail should return 0", "guard_return"), ("tail should return 0", "set_return")],
)
def test_what_goes_on_from_a_guard_is_one(message: str, likeliest: str) -> None:
    told = replace(situation_behind(CODE, GUARDED, message), earlier=EMPTY)
    first, second = likelier_readings(RETURNS, told)
    assert (first.intent, first.probability, second.probability) == (likeliest, 0.5, 0.2)


def test_a_function_in_which_it_is_done_is_rather_left_out() -> None:
    told = situation_behind(CODE, GUARDED, "not in first either")
    for name, likeliest in (("first", "amend.except"), ("tail", "amend.also")):
        slots = {"function": (Span(-1, -1, name),)}
        readings = (Reading("amend.also", 0.6, slots), Reading("amend.except", 0.3, slots))
        assert likelier_readings(readings, told)[0].intent == likeliest


def test_of_lines_that_begin_alike_the_nearest_are_written_elsewhere() -> None:
    other = GUARD.replace("None", "0")
    now = GUARDED.replace("    return rows[-1]\n\n", f"{other}    return rows[-1]\n\n")
    _, text = answer_behind(CODE, now, "also in both", "amend.also", function="both")
    assert text == now.replace("def both(rows):\n", f"def both(rows):\n{other}")


def test_lines_like_those_of_a_function_are_not_written_there_again() -> None:
    now = CODE
    for name in ("first", "tail"):
        now = now.replace(f"def {name}(rows):\n", f'def {name}(rows):\n    """Of {name}."""\n')
    answer, _ = answer_behind(CODE, now, "also in tail", "amend.also", function="tail")
    assert answer.kind != "edit"


def test_a_method_is_no_attribute_that_is_set() -> None:
    code = "class Sample:\n    def wet(self):\n        return 9\n\n    def dry(self):\n        pass\n"
    found = answered({PATH: code}, ("set_value", {"function": "wet", "variable": "dry", "value": "6"}))
    assert not any("self.dry = 6" in str(way.calls) for way in found.ways)
