"""A new parameter that the one call of a body could be given."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH, result

CODE = """\
def show(items):
    for item in sorted(items):
        print(item)


show([1])
"""


@pytest.mark.parametrize(("name", "default"), [("reverse", "False"), ("key", "None")])
def test_it_is_passed_on_with_the_default_of_the_call_and_marked(name: str, default: str) -> None:
    found = answer_to(CODE, f"add a {name} flag to show", "add_parameter", name=name, function="show")
    new = f"def show(items, {name}={default}):\n    for item in sorted(items, {name}={name}):\n"
    assert new in result(found, {PATH: CODE}) and found.ways[0].marked


def test_what_a_call_has_already_is_not_passed_again() -> None:
    code = CODE.replace("sorted(items)", "sorted(items, reverse=True)")
    found = answer_to(code, "add a reverse flag to show", "add_parameter", name="reverse", function="show")
    assert "sorted(items, reverse=True)" in result(found, {PATH: code})
