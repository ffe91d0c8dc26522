"""A default after another one is that of the parameter which the message names."""

from __future__ import annotations

from intent.following import answer_behind

BEFORE = "def pick(items, lo=1, hi=10):\n    return items[lo:hi]\n"


def test_the_parameter_of_the_function_that_is_named_gets_it() -> None:
    now = BEFORE.replace("hi=10", "hi=5")
    _, after = answer_behind(BEFORE, now, "and lo to 2", "set_default", default="2")
    assert "def pick(items, lo=2, hi=5):" in after
