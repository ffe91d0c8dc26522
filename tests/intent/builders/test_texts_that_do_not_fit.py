"""Texts that a pattern does not fit, moments in words, and edits that change nothing."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = r"""import re
import time


def parse(text, scale=1):
    m = re.match(r"(\d+)-(\d+)", text, re.I)
    return int(m.group(1)), int(m.group(2))


def wins(games, year=2024):
    count = 0
    for game in games:
        if game.year == year:
            count += 1
    return count
"""


@pytest.mark.parametrize("said", ["bad text", "malformed input", "garbage"])
def test_a_bad_text_is_one_in_which_the_pattern_finds_nothing(said: str) -> None:
    slots = {"function": "parse", "exception": "ValueError", "condition": said}
    after = changed(CODE, f"parse should raise ValueError for {said}", "guard_raise", **slots)
    line = '    if m is None:\n        raise ValueError(f"invalid text: {text!r}")\n    return int('
    assert line in after


def test_a_text_is_not_less_than_a_number() -> None:
    slots = {"function": "parse", "exception": "ValueError", "condition": "text is bad"}
    code = CODE.replace("m.group", "m.span")
    for one in answer_to(code, "parse: ValueError if text is bad", "guard_raise", **slots).ways:
        assert "text <= 0" not in str(one.calls)


def test_the_current_year_is_asked_for_in_each_call() -> None:
    slots = {"function": "wins", "parameter": "year", "default": "the current year"}
    after = changed(CODE, "default year of wins to the current year", "set_default", **slots)
    assert "def wins(games, year=None):" in after
    assert "        year = date.today().year\n" in after and "from datetime import date\n" in after


def test_what_a_change_leaves_as_it_is_was_not_done_already() -> None:
    found = answer_to(CODE, "strip the result of parse", "strip_value", function="parse")
    assert found.kind != "nothing"
    found = answer_to(CODE, "use a generator in wins", "pattern.generator", function="wins")
    assert found.kind != "nothing"


def test_a_comment_is_found_by_its_words_in_any_order() -> None:
    code = "# TODO: think about using cElementTree\nx = 1\n# TODO: more\n"
    done = changed(code, "cElementTree TODO can go", "remove_comments", text="cElementTree TODO")
    assert done == "x = 1\n# TODO: more\n"


def test_a_text_is_found_without_the_word_in_front_of_it() -> None:
    code = 'def f():\n    """The limitted text."""\n'
    done = changed(code, "fix limitted -> limited", "replace_text", old="fix limitted", new="limited")
    assert done == code.replace("limitted", "limited")


def test_a_name_goes_to_the_exported_ones_as_a_text() -> None:
    code = "ADD = 1\n__all__ = ['f']\n"
    slots = {"value": "ADD", "variable": "__all__"}
    assert changed(code, "add ADD to __all__", "add_item", **slots) == code.replace("'f'", "'f', 'ADD'")
