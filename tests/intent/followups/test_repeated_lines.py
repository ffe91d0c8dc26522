"""What an edit did to a line, so that it can be done to lines like it."""

import pytest

from spark_tui.intent.followups.repeats.like_statements import _rule
from spark_tui.intent.followups.repeats.repeated_lines import LineChange, _rewrites


@pytest.mark.parametrize("new", ["", "import", "import abc, ast"])
def test_a_line_that_loses_words_or_all_of_them_is_rewritten_as_a_whole(new: str) -> None:
    rules = list(_rewrites(LineChange("a.py", 1, 2, 4, ("import abc",), (new,))))
    assert (rules[0].old, rules[0].new) == (("import", "abc"), new)


def test_a_change_in_a_dict_that_takes_in_another_one_is_that_of_the_dict() -> None:
    """An entry `**more` has no key."""
    old, new = '    prices = {"a": Old.of("a"), **more}', '    prices = {"a": New.of("a"), **more}'
    rule = _rule(LineChange("a.py", 1, 2, 1, (old,), (new,)))
    assert rule is not None and rule.code == '{"a": New.of("a"), **more}'
