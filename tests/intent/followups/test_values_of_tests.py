"""A value of another type is meant for what is returned, and not for what is tested."""

from __future__ import annotations

from intent.following import answer_behind

BEFORE = "def area(w, h):\n    return w * h\n"
GUARD = "def area(w, h):\n    if w == 0:\n        return 0\n    return w * h\n"


def _after(now: str, said: str, old: str, value: str) -> str:
    return answer_behind(BEFORE, now, said, "amend.value", value=value, old=old)[1]


def test_what_is_tested_stays_where_the_type_is_another() -> None:
    assert _after(GUARD, "None, not 0", "0", "None") == GUARD.replace("return 0", "return None")


def test_a_value_of_the_type_takes_both_places() -> None:
    assert _after(GUARD, "1, not 0", "0", "1") == GUARD.replace("0", "1")


def test_a_value_that_is_only_tested_is_exchanged() -> None:
    now = GUARD.replace("return 0", "return h")
    assert _after(now, "None, not 0", "0", "None") == now.replace("0", "None")
