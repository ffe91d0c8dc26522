"""How sure a message was read: what carries a mark, what the model is asked about, and what is told by the words."""

from __future__ import annotations

import pytest
from steer_texts import SHOP, put

from spark_tui.engine.layout import WindowHunk
from spark_tui.refactor.known import between
from spark_tui.steers import sureness
from spark_tui.steers.steered_by_program import wanted, wanted_surely
from spark_tui.steers.sureness import PERHAPS, SHAKY, STRANGE, SURE, weighed

LOUD = ("    amount = 0\n", '    amount = 0\n    log.info("adding up %s", order)\n')
ROUND = ("    return amount\n", "    return round(amount, 2)\n")
UTF = ("open(path) as", 'open(path, encoding="utf-8") as')
GIVEN = ("def cheapest(order):\n", "def cheapest(order, default):\n")
NONE = ("def cheapest(order):\n", "def cheapest(order):\n    if not order.items:\n        return None\n")


def sure(stood, said, asked=""):
    lines, now = SHOP.splitlines(), put(SHOP, *stood).splitlines()
    standing = tuple(WindowHunk(one.first, one.last, one.new) for one in between(lines, now))
    found = wanted_surely(lines, asked, said, standing)
    assert found is not None
    assert found.hunks == wanted(lines, asked, said, standing)
    return found.sure


@pytest.mark.parametrize(
    ("stood", "said"),
    [
        # Another thing for one that was brought, and nothing else is said.
        ([ROUND], "3"),
        ([ROUND], "3, it's what the shop shows"),
        ([LOUD], "warning, not info"),
        ([UTF], "latin-1 please"),
        # Other places, named or counted.
        ([UTF], "save_items too"),
        # A remark on what was brought; all taken back.
        ([GIVEN], "keyword only"),
        ([ROUND], "undo that, the till rounds"),
    ],
)
def test_what_the_words_tell_whole_carries_no_mark(stood, said):
    assert sure(stood, said) == SURE


@pytest.mark.parametrize(
    ("stood", "said"),
    [
        ([NONE], "raise a ValueError instead"),
        ([LOUD], "print it instead"),
        ([ROUND], "rename amount to total_price"),
    ],
)
def test_of_another_form_and_of_an_order_the_model_is_asked(stood, said):
    assert sure(stood, said) == PERHAPS


@pytest.mark.parametrize(
    ("stood", "said"),
    [
        ([UTF], "windows should be able to read it, so latin-1"),
        ([NONE], "raise a ValueError instead, with the owner of the note"),
    ],
)
def test_what_leaves_words_over_is_shaky(stood, said):
    assert sure(stood, said) == SHAKY


def texts(now, made):
    """The hunks that make one text of another, and the lines."""
    lines = tuple(now.splitlines())
    return lines, tuple(WindowHunk(one.first, one.last, one.new) for one in between(lines, made.splitlines()))


@pytest.mark.parametrize(
    ("made", "level"),
    [
        ("def read(path):\n    return path.upper()\n", SURE),
        # A name from nowhere, also one that is made of itself.
        ("def read(path):\n    return order.upper()\n", SHAKY),
        ("def read(path):\n    order = order.upper()\n    return path\n", SHAKY),
        ("def read(path):\n    order += 1\n    return path\n", SHAKY),
        # Bound in all the ways there are.
        ("def read(path):\n    order = path\n    return order\n", SURE),
        ("def read(path):\n    import order.lines\n    return order\n", SURE),
        ("def read(path):\n    return [order for order in path]\n", SURE),
        ("def read(path):\n    return (lambda order: order)(path)\n", SURE),
        ("def read(path):\n    try:\n        return path\n    except OSError as order:\n        return order\n", SURE),
        ("def read(path):\n    match path:\n        case order:\n            return order\n", SURE),
        ("def read(path):\n    def order(): pass\n    return order\n", SURE),
        # Bound outside of the lines that are shown.
        ("def read(path):\n    return path or SHOWN\n", SURE),
    ],
)  # fmt: skip
def test_what_brings_a_name_that_nothing_has_was_not_understood(made, level):
    rest = "\n\ndef write(path, order):\n    return SHOWN(order)\n"
    lines, hunks = texts(f"def read(path):\n    return path\n{rest}", made + rest)
    assert sureness.sureness(["remark"], "that one", lines, (), hunks) == level


def test_the_least_sure_of_several_clauses_counts():
    lines, hunks = texts("LIMIT = 1\n", "LIMIT = 2\n")
    assert sureness.sureness(["slot"], "2", lines, (), hunks) == SURE
    assert sureness.sureness(["slot", "order"], "2", lines, (), hunks) == PERHAPS
    assert sureness.sureness(["back", "slot"], "2, and sort the rest", lines, (), hunks) == SHAKY


@pytest.mark.parametrize(("said", "level"), [("price too", SURE), ("all of them", SURE), ("both", PERHAPS)])
def test_places_have_to_be_named_or_counted(said, level):
    lines, hunks = texts("def price():\n    return 1\n", "def price():\n    return 2\n")
    assert sureness.sureness(["places"], said, lines, (), hunks) == level


def test_the_model_has_the_last_word_only_of_what_the_words_leave_open():
    assert weighed(SURE, 0.0) == SURE
    assert weighed(PERHAPS, STRANGE) == SURE
    assert weighed(PERHAPS, STRANGE / 2) == PERHAPS
    assert weighed(SHAKY, 1.0) == SHAKY
