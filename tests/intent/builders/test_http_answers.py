"""A status as a result is answered as the file does it."""

from __future__ import annotations

import pytest
from intent.asking import changed

RAISED = """class Fault(Exception):
    def __init__(self, status, text):
        self.status = status


def reply(data, status=200):
    return data, status


def show(notes, key):
    if key not in notes:
        raise Fault(404, "no such note")
    return reply(notes[key])


def drop(notes, key):
    return reply(notes.pop(key))
"""
ABORTED = """from flask import abort


def show(notes, key):
    if key not in notes:
        abort(404)
    return notes[key]


def drop(notes, key):
    return notes.pop(key)
"""


@pytest.mark.parametrize(
    ("code", "status", "new"),
    [
        (RAISED, "404", '        raise Fault(404, "no such note")\n    return reply(notes.pop'),
        (RAISED, "403", '        raise Fault(403, "forbidden")\n    return reply(notes.pop'),
        (ABORTED, "404", "        abort(404)\n    return notes.pop"),
    ],
)
def test_a_failure_is_answered_as_elsewhere(code: str, status: str, new: str) -> None:
    text = f"return {status} from drop if key is not in notes"
    slots = {"result": status, "function": "drop", "condition": "key is not in notes"}
    assert new in changed(code, text, "guard_return", **slots)


def test_the_status_of_a_response_is_passed_to_what_makes_it() -> None:
    after = changed(RAISED, "drop should answer with 204", "set_return", function="drop", result="204")
    assert "return reply(notes.pop(key), status=204)" in after
