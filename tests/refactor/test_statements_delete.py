"""Statements, blocks and comments that an order takes out."""

from __future__ import annotations

import pytest
from shop import SHOP, Hunks, edit, plain

from spark_tui.refactor.known import LOOSE


@pytest.mark.parametrize(
    ("say", "hunks"),
    [
        ('remove the unused helper function', [(41, 6, '')]),
        ('get rid of the DEBUG print', [(63, 1, '')]),
        ('remove all prints in add', [(15, 1, '')]),
        ('delete line 15', [(15, 1, '')]),
        ('remove the comment in total', [(20, 1, '')]),
        ('delete the commented out line', [(49, 1, '')]),
        ('remove the dead code in unused_helper', [(44, 1, '')]),
        ("there's dead code after the return in unused_helper, get rid of it", [(44, 1, '')]),
        ('remove the print inside the loop', [(23, 1, '')]),
        ('remove the print in the for loop', [(23, 1, '')]),
        ('delete the debug variable', [(51, 1, '')]),
        ('remove `debug = True`', [(51, 1, '')]),
        ('delete the while loop', [(54, 6, '')]),
        ('remove the if in main', [(61, 2, '')]),
        ('delete the return in main', [(64, 1, '')]),
        ('remove the return at the end of main', [(64, 1, '')]),
        ('delete everything after the return in unused_helper', [(44, 1, '')]),
        ('delete the first line of main', [(48, 1, '')]),
        ('remove the last statement of main', [(64, 1, '')]),
        ('delete "# sum of all items"', [(20, 1, '')]),
        ('remove the sum of all items comment', [(20, 1, '')]),
        ('delete the debug line', [(51, 1, '')]),
        ("I don't need the free shipping message", [(62, 1, '        pass')]),
        ('no need for the free shipping print', [(62, 1, '        pass')]),
        ('the adding print can go', [(15, 1, '')]),
        ("don't print the name in the loop", [(23, 1, '')]),
        ('no prints in add please', [(15, 1, '')]),
        ('stop printing in add', [(15, 1, '')]),
    ],
)  # fmt: skip
def test_the_lines_that_are_meant(say: str, hunks: Hunks) -> None:
    assert plain(say) == hunks


@pytest.mark.parametrize(
    "say",
    [
        "kill the old helper",
        "delete line 400",
        "remove the try block in load",
        "delete the TAX constant",
        "delete lines 47 and 48",
        "remove the retries parameter",
        "we don't need the variable total in main",
        "remove the comment in load",
        "delete the else branch in add",
        "remove the dead code in main",
        "no need to hurry",
    ],
)
def test_what_is_not_there_or_is_still_read_stays(say: str) -> None:
    assert plain(say) == []


def test_several_that_fit_are_several_edits() -> None:
    level, texts = edit("remove the with statement")
    assert (level, len(texts)) == (LOOSE, 2)


def test_a_print_that_says_debug_is_taken_first() -> None:
    level, texts = edit("drop the debug prints")
    assert level == LOOSE
    assert texts[0] == SHOP.replace('    print("DEBUG", cart.items)\n', "")


def test_blank_lines_do_not_pile_up() -> None:
    source = "a = 1\n\n\ndef f():\n    return 1\n\n\nb = 2\n"
    assert edit("delete f()", source)[1] == ["a = 1\n\n\nb = 2\n"]


def test_tabs_stay_tabs() -> None:
    source = "def f(x):\n\tif x:\n\t\tprint(x)\n\treturn x\n"
    assert edit("remove the print", source)[1] == ["def f(x):\n\tif x:\n\t\tpass\n\treturn x\n"]


def test_code_in_comments_goes_and_prose_stays() -> None:
    source = "# how it was\n# x = f(1)\nx = f(2)\n# TODO: sort\n"
    assert plain("remove the commented-out code", source) == [(2, 1, "")]
    assert plain("the TODO can go", source) == [(4, 1, "")]


def test_a_test_is_named_in_words() -> None:
    source = "def test_old_rate():\n    assert f() == 1\n\n\ndef test_rate():\n    assert f() == 2\n"
    assert plain("delete the old rate test", source) == [(1, 4, "")]
