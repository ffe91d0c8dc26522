"""Calls that are replaced as they are shown, with a hole for what is kept."""

from __future__ import annotations

import pytest
from intent.asking import changed


def test_a_call_with_a_hole_is_replaced_by_a_call_of_what_is_in_it() -> None:
    code = "def run(a, b):\n    return hasattr(a, 'go'), hasattr(b[0], \"go\"), hasattr(a, 'stop')\n"
    text = "use can_go() instead of hasattr(..., 'go')"
    head = "def can_go(x):\n    return x\n\n\n"
    made = changed(head + code, text, "replace_call", new="can_go", old="hasattr")
    assert made == f"{head}def run(a, b):\n    return can_go(a), can_go(b[0]), hasattr(a, 'stop')\n"


NAMED = """import six


def run(one, x):
    return [*six.iteritems(one.parts), *six.iteritems(x)], len(one) == 0 or len(x) == 0
"""


@pytest.mark.parametrize(
    ("intent", "old", "new", "wanted"),
    [
        (
            "replace_expression",
            "six.iteritems(d)",
            "d.items()",
            ("[*six.iteritems(one.parts), *six.iteritems(x)]", "[*one.parts.items(), *x.items()]"),
        ),
        (
            "change_condition",
            "len(seq) == 0",
            "not seq",
            ("len(one) == 0 or len(x) == 0", "not one or not x"),
        ),
    ],
)
def test_a_name_that_the_file_does_not_have_stands_for_any_expression(
    intent: str, old: str, new: str, wanted: tuple[str, str]
) -> None:
    slot = "condition" if intent == "change_condition" else "new"
    made = changed(NAMED, f"replace {old} by {new}", intent, old=old, **{slot: new})
    assert made == NAMED.replace(*wanted)


def test_a_name_of_the_file_stands_for_itself() -> None:
    made = changed(NAMED, "len(x) == 0 -> not x", "replace_expression", old="len(x) == 0", new="not x")
    assert made == NAMED.replace("len(x) == 0", "not x")


@pytest.mark.parametrize("intent", ["replace_expression", "change_condition"])
@pytest.mark.parametrize(
    ("old", "new", "was", "now"),
    [
        ("dict", "isinstance(args, Mapping)", "isinstance(args, dict)", "isinstance(args, Mapping)"),
        ("low", "args[limit]", "args[low] > 2", "args[limit] > 2"),
        ("limit", "args[0] < low", "args[0] < limit", "args[0] < low"),
    ],
)
def test_what_is_shown_around_a_piece_is_not_put_into_itself(
    intent: str, old: str, new: str, was: str, now: str
) -> None:
    head = "from collections.abc import Mapping\n\nlow = limit = 1\n\n\n"
    code = f"{head}def run(args):\n    if args and {was}:\n        return 1\n"
    slot = "condition" if intent == "change_condition" else "new"
    made = changed(code, f"use {new} instead of {old}", intent, old=old, **{slot: new})
    assert made == code.replace(was, now)
