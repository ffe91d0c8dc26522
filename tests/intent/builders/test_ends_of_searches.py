"""What happens where a search finds nothing stands after its loop."""

from __future__ import annotations

import pytest
from intent.asking import changed

CODE = """def ship(fleet, name):
    for ship in fleet:
        if ship.name == name:
            return ship


def port(ports, code):
    for port in ports:
        if port.code.upper() == code:
            return port
    return None
"""


@pytest.mark.parametrize(
    ("function", "condition", "new"),
    [
        ("ship", "there is no such ship", "            return ship\n    raise KeyError(name)\n"),
        ("port", "the code is unknown", "            return port\n    raise KeyError(code)\n"),
        ("port", "nothing is found", "            return port\n    raise KeyError(code)\n"),
        ("ship", "name is None", "def ship(fleet, name):\n    if name is None:\n"),
        ("port", "the code is missing", "def port(ports, code):\n    if "),
    ],
)
def test_an_error_for_what_is_not_found_is_raised_after_the_loop(
    function: str, condition: str, new: str
) -> None:
    text = f"raise KeyError in {function} if {condition}"
    slots = {"exception": "KeyError", "function": function, "condition": condition}
    assert new in changed(CODE, text, "guard_raise", **slots)
