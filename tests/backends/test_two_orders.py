"""Where an instruction asks for two things, and where it only looks like it."""

from __future__ import annotations

import pytest

from spark_tui.backends.two_orders import BARE, LIST, LOOSE, PLAIN, partings


def first(instruction):
    found = partings(instruction)
    return (found[0].plain, *found[0].parts) if found else ()


@pytest.mark.parametrize(
    ("instruction", "plain", "parts"),
    [
        ("rename a to b and also document load", PLAIN, ("rename a to b", "document load")),
        ("remove the print, then annotate path", PLAIN, ("remove the print", "annotate path")),
        ("1) rename x to y 2) drop the comment", LIST, ("rename x to y", "drop the comment")),
        ("1. make load private\n2. drop the import", LIST, ("make load private", "drop the import")),
        ("- sort it\n- drop the comment\n- use f-strings", LIST, ("sort it", "drop the comment", "use f-strings")),
        ("Two things: (a) make timeout 3, (b) log when it ends", LIST, ("make timeout 3", "log when it ends")),
        ("first add type hints, second add docstrings", LIST, ("add type hints", "add docstrings")),
        ("document add. While you're at it, drop the print", PLAIN, ("document add", "drop the print")),
        ("could you drop `a` and, while you are there, log b?", PLAIN, ("could you drop `a`", "log b?")),
        ("make it a dataclass. Also count should be 2. Thanks!", PLAIN, None),
        ("swap the arguments of add, oh and rename sku to code", PLAIN, None),
        ("Fix the typo in the docstring and raise the timeout to 30", LOOSE, None),
        ("load should be async and total should be a property", LOOSE, None),
        ("do the following: rename sku to code, log it all, and drop the print", PLAIN, None),
    ],
)
def test_an_instruction_parts_where_another_order_begins(instruction, plain, parts):
    found = partings(instruction)[0]
    assert found.plain == plain
    if parts is not None:
        assert found.parts == parts


@pytest.mark.parametrize(
    "instruction",
    [
        "rename a and b",
        "add x and return it",
        "add a check that the value is between min and max",
        "open the file with encoding utf-8 and close it afterwards",
        "add logging to load and save",
        "remove the spaces between the name and the colon",
        "rename sku to code, e.g. in the call to add",
        "change the default to 3 and 4",
        "swap the first and the second argument",
        "why is there an else at line 10? it's not needed",
        "I need to know how many `a` were processed, count them in total in the function",
        "somewhere near line 6, also, nuke the types in load",
        "Below `def total`, nice. now turn line 2 into a comment",
        "remove the print in load; it's noisy",
        "nobody uses limit, remove it",
        "x isn't right in load, we need to check x or y",
        "rename limit to max_rows; default 20",
        "The limit must be positive. Raise a ValueError otherwise",
        "make total return 0 when items is None. Otherwise it should return the sum.",
        "Before returning, sort the rows and strip the names",
        "move the constant to the top and name it MAX_ROWS",
        'change "a. Also b" to "c, then d; and e"',
        "wait (first rename it, then drop it)",
        "remove the print. Thanks! Don't touch anything else.",
        "fix this:\nTypeError: load() missing 2 required positional arguments: 'path' and 'limit'",
        "bump the timeout, e.g. to 30",
        "",
    ],
)
def test_what_only_looks_like_two_orders_stays_one(instruction):
    assert not partings(instruction)


def test_what_is_to_be_done_first_comes_first_wherever_it_was_said():
    assert first("use a comprehension for found, but first rename rows to records") == (
        LIST + 1,
        "rename rows to records",
        "use a comprehension for found",
    )


def test_a_place_that_was_said_in_front_holds_for_both():
    assert first("in load(), rename rows to records and add a docstring") == (
        LOOSE,
        "in load(), rename rows to records",
        "in load(), add a docstring",
    )
    assert first("in load(), rename rows to records and drop the print of load")[2] == "drop the print of load"


@pytest.mark.parametrize(
    ("instruction", "second"),
    [
        ("rename a_b to c and d to e", "rename d to e"),
        ("please get rid of the print and the unused json import", "get rid of the unused json import"),
        ("annotate path as str and the return type as list", "annotate the return type as list"),
        ("replace == None with is None and != None with is not None", "replace != None with is not None"),
        ("add a __repr__ and an __eq__ to Basket", "add an __eq__ to Basket"),
        ("make total a property and Basket a dataclass", "make Basket a dataclass"),
        ("change the timeout to 30 and the limit to 5", "change the limit to 5"),
    ],
)
def test_a_verb_that_is_meant_twice_is_said_to_both(instruction, second):
    assert first(instruction)[0] == LOOSE
    assert first(instruction)[2] == second


def test_what_tells_that_there_are_several_is_no_part_of_the_first():
    assert first("two things: sort the imports, and remove the print")[1:] == ("sort the imports", "remove the print")
    assert first("imho two things: sort the imports and remove the print")[1] == "sort the imports"


def test_two_names_are_two_orders_only_where_nothing_is_plainer():
    assert first("catch KeyError and ValueError in load")[0] == BARE
    plainest = [found.plain for found in partings("sort the rows, set `a` to 1, `b` to 2. Also rename load to read")]
    assert plainest[0] == PLAIN
    assert plainest == sorted(plainest, reverse=True)


@pytest.mark.parametrize(
    "text", ["rename a to b and drop c. " * 4000, "1. " * 330, ",." * 450 + " and", "and then , " * 80]
)
def test_a_story_is_not_searched_for_orders(text):
    assert partings(text) == []
