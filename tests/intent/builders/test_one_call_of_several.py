"""Where one call is said and several are there, that is marked."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH, result

CODE = """def load(path):
    print(path)
    return path


def save(path):
    print("to", path)
    return path
"""


@pytest.mark.parametrize(
    ("text", "said", "marked"),
    [
        ("remove the print", "print", True),
        ("delete the print call", "print", True),
        ("remove the `print()`", "print()", True),
        ("remove the prints", "prints", False),
        ("delete the print calls", "print", False),
        ("remove both the print in load and the one in save", "print", False),
        ("remove all the print statements", "print", False),
    ],
)
def test_all_go_and_the_number_is_named(text: str, said: str, marked: bool) -> None:
    way = answer_to(CODE, text, "delete_calls", call=said).ways[0]
    assert way.plan.paths and len(way.calls) == 2
    assert ("2 places fit" in way.marked) is marked


@pytest.mark.parametrize(
    ("call", "line"), [("first print", 2), ("last print", 5), ("second print", 4), ("first log", 3)]
)
def test_a_call_that_is_counted_goes_alone(call: str, line: int) -> None:
    code = "def show(a):\n    print(a)\n    log(a)\n    print(1)\n    print(a, 2)\n"
    found = answer_to(code, f"remove the {call}", "delete_calls", call=call)
    kept = [text for at, text in enumerate(code.splitlines(), 1) if at != line]
    assert result(found, {PATH: code}).splitlines() == kept
