"""Calls that are replaced as they are shown, with a hole for what is kept."""

from __future__ import annotations

from intent.asking import changed


def test_a_call_with_a_hole_is_replaced_by_a_call_of_what_is_in_it() -> None:
    code = "def run(a, b):\n    return hasattr(a, 'go'), hasattr(b[0], \"go\"), hasattr(a, 'stop')\n"
    text = "use can_go() instead of hasattr(..., 'go')"
    head = "def can_go(x):\n    return x\n\n\n"
    made = changed(head + code, text, "replace_call", new="can_go", old="hasattr")
    assert made == f"{head}def run(a, b):\n    return can_go(a), can_go(b[0]), hasattr(a, 'stop')\n"
