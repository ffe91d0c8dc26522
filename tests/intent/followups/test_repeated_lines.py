"""What an edit did to a line, so that it can be done to lines like it."""

import pytest

from spark_tui.intent.followups.repeats.repeated_lines import LineChange, _rewrites


@pytest.mark.parametrize("new", ["", "import", "import abc, ast"])
def test_a_line_that_loses_words_or_all_of_them_is_rewritten_as_a_whole(new: str) -> None:
    rules = list(_rewrites(LineChange("a.py", 1, 2, 4, ("import abc",), (new,))))
    assert (rules[0].old, rules[0].new) == (("import", "abc"), new)
