# ruff: noqa: E501 - tables read better unbroken
"""Statements that an order moves, swaps, replaces, comments out."""

from __future__ import annotations

import pytest
from shop import Hunks, edit, plain


@pytest.mark.parametrize(
    ("say", "hunks"),
    [
        ('uncomment the apple line', [(49, 1, '    cart.add("apple", 0.5)')]),
        ('comment out the cart.save() call', [(56, 1, '            # cart.save()')]),
        ('comment out line 48', [(48, 1, '    # cart = Cart("bob")')]),
        ('remove the else in load', [(35, 4, '    with open(path) as f:\n        data = json.load(f)\n    return data')]),
        ('move the total line in main above the debug line', [(51, 0, '    total = cart.total()'), (52, 1, '')]),
        ('move debug = True below total = cart.total()', [(51, 0, '    total = cart.total()'), (52, 1, '')]),
        ('swap lines 49 and 50', [(49, 0, '    cart.add("pear", 0.7, 3)'), (50, 1, '')]),
        ('move unused_helper below main', [(41, 6, ''), (67, 0, 'def unused_helper(x):\n    y = x * 2\n    return x\n    print(y)\n\n')]),
        ('move load above Cart', [(7, 0, '\n\ndef load(path):\n    if not os.path.exists(path):\n        return None\n    else:\n        with open(path) as f:\n            data = json.load(f)\n        return data'), (30, 9, '')]),
        ('copy the load function to load_json', [(41, 0, 'def load_json(path):\n    if not os.path.exists(path):\n        return None\n    else:\n        with open(path) as f:\n            data = json.load(f)\n        return data\n\n')]),
        ('replace the last print in main with logging.debug(cart.items)', [(4, 0, 'import logging'), (63, 1, '    logging.debug(cart.items)')]),
        ('replace `debug = True` by `debug = False`', [(51, 1, '    debug = False')]),
        ('line 48 should be debug = False', [(48, 1, '    debug = False')]),
        ('change line 50 to retries = 5', [(50, 1, '    retries = 5')]),
        ('make load just return None', [(33, 6, '    return None')]),
        ('replace the body of save with pass', [(28, 2, '        pass')]),
        ('first line of main should be print("start")', [(48, 0, '    print("start")')]),
        ('put the print in add after the append', [(15, 0, '        self.items.append((name, price, qty))'), (16, 1, '')]),
    ],
)  # fmt: skip
def test_the_lines_that_are_meant(say: str, hunks: Hunks) -> None:
    assert plain(say) == hunks


@pytest.mark.parametrize(
    ("say", "hunks"),
    [
        ("shouldn't line 51 be after line 52?", plain("swap lines 51 and 52")),
        ("line 52 before line 51", plain("swap lines 51 and 52")),
        ("lines 51 and 52 are the wrong way round", plain("swap lines 51 and 52")),
        ("the order of lines 51 and 52 is wrong", plain("swap lines 51 and 52")),
        ("move line 51 one line down", plain("swap lines 51 and 52")),
        ("switch line 51 to `debug = False`", [(51, 1, "    debug = False")]),
        ("instead of debug = True use debug = False", [(51, 1, "    debug = False")]),
        ("debug = False instead of debug = True", [(51, 1, "    debug = False")]),
        ("make line 51 pass", [(51, 1, "    pass")]),
        ("empty save, it should just do nothing", [(28, 2, "        pass")]),
        ("put a # in front of line 51", [(51, 1, "    # debug = True")]),
        ("keep the debug line but as a comment", [(51, 1, "    # debug = True")]),
    ],
)
def test_said_in_other_words(say: str, hunks: Hunks) -> None:
    assert hunks
    assert plain(say) == hunks


def test_comments_with_a_task_for_tools_stay() -> None:
    source = "x = 1  # the x\n# all of it\ny = f(x)  # type: ignore\n"
    assert edit("remove all comments", source)[1] == ["x = 1\ny = f(x)  # type: ignore\n"]


def test_a_block_that_is_commented_out_leaves_something_to_run() -> None:
    source = "def f(x):\n    if x:\n        g(x)\n    return x\n"
    assert edit("comment out `g(x)`", source)[1] == [
        "def f(x):\n    if x:\n        # g(x)\n        pass\n    return x\n"
    ]


@pytest.mark.parametrize(
    ("say", "line", "hunks"),
    [
        ("delete this line", 51, [(51, 1, "")]),
        ("comment out this line", 51, [(51, 1, "    # debug = True")]),
        ("duplicate this line", 51, [(52, 0, "    debug = True")]),
        ("replace this with pass", 51, [(51, 1, "    pass")]),
        ("add print(total) here", 54, [(54, 0, "    print(total)")]),
        ("delete this function", 43, [(41, 6, "")]),
        ("remove all prints in this function", 24, [(23, 1, "")]),
    ],
)
def test_where_the_person_is(say: str, line: int, hunks: Hunks) -> None:
    assert plain(say, cursor=line - 1) == hunks
