"""A function that answers yes or no is asked, and not compared with; its result may be tested, not itself."""

from __future__ import annotations

import pytest
from intent.asking import changed

CODE = """\
def valid_address(text):
    return "@" in text


def add(to):
    return to
"""


@pytest.mark.parametrize(
    ("said", "test"),
    [("to isn't a valid_address", "not valid_address(to)"), ("to is a valid_address", "valid_address(to)")],
)
def test_a_function_that_says_yes_or_no_is_called(said: str, test: str) -> None:
    text = f"raise ValueError in add if {said}"
    slots = {"function": "add", "exception": "ValueError", "condition": said}
    assert f"if {test}:" in changed(CODE, text, "guard_raise", **slots)


@pytest.mark.parametrize(
    ("body", "test"),
    [
        ("return max(words(text))", "not words(text)"),
        ("found = words(text)\n    return max(found)", "not found"),
    ],
)
def test_what_a_function_gives_is_tested(body: str, test: str) -> None:
    code = f"def words(text):\n    return text.split()\n\n\ndef longest(text):\n    {body}\n"
    said = "there are no words"
    slots = {"function": "longest", "result": "None", "condition": said}
    assert f"if {test}:" in changed(code, f"longest: return None if {said}", "guard_return", **slots)
