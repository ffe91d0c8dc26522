"""Messages that ask to keep what an edit replaced, beside what it wrote."""

from __future__ import annotations

import pytest
from intent.following import answer_behind

WAS = "def show(*rows):\n    return rows\n\n\ndef flush(count):\n    print(count)\n    return count\n"
NOW = WAS.replace("print(count)", "show(count, 2)")


@pytest.mark.parametrize("intent", ["amend.except", "amend.also"])
@pytest.mark.parametrize("text", ["keep the print too", "no, leave the old one there as well"])
def test_the_old_line_stays_in_front_of_the_new_one(text: str, intent: str) -> None:
    made = answer_behind(WAS, NOW, text, intent)[1]
    assert made == WAS.replace("    return count", "    show(count, 2)\n    return count")


def test_nothing_is_deleted_where_something_is_to_be_kept() -> None:
    now = WAS.replace("return count", "return 2 * count")
    answer, _ = answer_behind(WAS, now, "keep the print", "delete_calls", call="print")
    assert answer.kind != "edit"


def test_a_line_behind_which_nothing_comes_does_not_stay() -> None:
    now = WAS.replace("return count", "return 2 * count")
    answer, _ = answer_behind(WAS, now, "keep the old one too", "amend.also")
    assert answer.kind != "edit"
