"""What a loop or a handler sets gets the name that the words say."""

import re

import pytest
from intent.asking import after

CODE = "def widths(rows):\n    for i in range(len(rows)):\n        print(i, len(rows[i]))\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("use enumerate in widths, naming the element line", "line"),
        ("enumerate in widths, cell as the item", "cell"),
        ("range(len(rows)) → enumerate in widths (entry)", "entry"),
        ("nutze enumerate in widths und nenne das Element zeile", "zeile"),
        ("use enumerate in widths (PEP8)", "row"),
    ],
)
def test_the_items_are_called_as_the_words_say(text: str, name: str) -> None:
    assert f"for i, {name} in enumerate(rows):" in after("pattern.enumerate", text, CODE, function="widths")


CLEAR = """\
def clear(items, log):
    for i in items:
        try:
            i.close()
        except OSError as e:
            log(i, e)


def both(rows):
    for row in rows:
        for cell in row:
            print(cell)
"""


@pytest.mark.parametrize(
    ("text", "new", "old"),
    [
        ("rename the loop variable in clear to child", "child", "i"),
        ("call the loop variable child in clear", "child", "i"),
        ("nenne die Schleifenvariable in clear kind", "kind", "i"),
        ("rename the exception variable in clear to error", "error", "e"),
    ],
)
def test_a_name_is_told_by_what_sets_it(text: str, new: str, old: str) -> None:
    made = after("rename", text, CLEAR, function="clear", new=new)
    assert made == re.sub(rf"\b{old}\b", new, CLEAR)


def test_of_two_loops_no_name_is_taken_and_not_that_of_the_function() -> None:
    assert not after("rename", "rename the loop variable in both to one", CLEAR, function="both", new="one")
