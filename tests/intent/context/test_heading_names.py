"""A definition whose name heads a message is where it is done."""

from __future__ import annotations

import pytest
from intent.asking import changed

CODE = """\
class Required:
    def check(self, field):
        raise ValueError("This field is required.")


class Disabled:
    def check(self, field):
        raise ValueError("This must be empty.")


def named(field):
    raise ValueError("This is named.")
"""
NEW = "This field is disabled."


@pytest.mark.parametrize(
    ("heading", "old"),
    [
        ("Disabled validator: ", "This must be empty."),
        ("Disabled: ", "This must be empty."),
        ("named: ", "This is named."),
        ("", "This field is required."),
        ("Enabled validator: ", "This field is required."),
        ("Disabled is wrong, so: ", "This field is required."),
    ],
)
def test_the_definition_that_heads_a_message_is_its_place(heading: str, old: str) -> None:
    done = changed(CODE, f'{heading}say "{NEW}"', "replace_message", message=NEW)
    assert done == CODE.replace(old, NEW)
