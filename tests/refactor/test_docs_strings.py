# ruff: noqa: E501 - cases read better unbroken
"""Docstrings as they are ordered."""

from __future__ import annotations

import pytest

from spark_tui.refactor import docs
from spark_tui.refactor.known import PLAIN, known

CODE = '''import csv


class Cart:
    def __init__(self, owner):
        self.owner = owner

    def total_price(self, vat: float = 0.2) -> float:
        """Sum of all items."""
        return sum(self.items) * (1 + vat)


def read_rows(path, limit):
    # csv only
    with open(path) as f:
        return list(csv.reader(f))[:limit]


def helper():
    """Does things.

    Args:
        none: nothing
    """
    print("x")
'''


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of an order is theirs to test."""
    monkeypatch.setattr("spark_tui.refactor.known.RULES", docs.RULES)


def made(instruction: str, code: str = CODE, cursor: int | None = None) -> list[tuple[str, int]]:
    lines = code.split("\n")[:-1]
    out = []
    for one in known(lines, instruction, cursor=cursor):
        text = list(lines)
        for hunk in reversed(one.hunks):
            text[hunk.first : hunk.last] = hunk.new
        out.append(("\n".join(text) + "\n", one.plain))
    return out


def plainly(instruction: str, code: str = CODE, cursor: int | None = None) -> str:
    found = made(instruction, code, cursor)
    assert len(found) == 1 and found[0][1] == PLAIN, (instruction, found)
    return found[0][0]


@pytest.mark.parametrize(
    "instruction",
    [
        'add a docstring to read_rows: "Read the first rows."',
        "docstring for read_rows: 'Read the first rows.'",
        "put `Read the first rows.` as docstring in read_rows()",
        'read_rows needs a docstring, "Read the first rows."',
        "please give the read rows function the docstring 'Read the first rows.'",
        "add a docstring saying read the first rows to read_rows"
        if False
        else "read_rows docstring: Read the first rows",
        "give read_rows a docstring that says Read the first rows.",
        "docstring for read_rows() - Read the first rows.",
        "add docstring Read the first rows. to read_rows",
    ],
)
def test_a_docstring_that_is_given_stands_below_the_head(instruction: str) -> None:
    wanted = 'def read_rows(path, limit):\n    """Read the first rows."""\n    # csv only\n'
    assert plainly(instruction) == CODE.replace("def read_rows(path, limit):\n    # csv only\n", wanted)


@pytest.mark.parametrize(
    "instruction",
    [
        "add a docstring to read_rows",
        "document read_rows",
        "read_rows is undocumented, add a docstring",
        "the read rows function has no docstring",
        "missing docstring in read_rows",
        "could read_rows get a short docstring?",
        "nobody knows what read_rows does, document it",
    ],
)
def test_a_docstring_is_made_from_the_name(instruction: str) -> None:
    wanted = 'def read_rows(path, limit):\n    """Read rows."""\n    # csv only\n'
    assert plainly(instruction) == CODE.replace("def read_rows(path, limit):\n    # csv only\n", wanted)


def test_sections_have_the_style_that_is_asked_for_or_that_of_the_file() -> None:
    google = '    """Read rows.\n\n    Args:\n        path: The path.\n        limit: The limit.\n\n    Returns:\n        The result.\n    """\n'
    numpy = '    """Read rows.\n\n    Parameters\n    ----------\n    path\n        The path.\n    limit\n        The limit.\n\n    Returns\n    -------\n    The result.\n    """\n'
    rest = '    """Read rows.\n\n    :param path: The path.\n    :param limit: The limit.\n    :return: The result.\n    """\n'
    head = "def read_rows(path, limit):\n"
    assert plainly("google docstring for read_rows") == CODE.replace(head, head + google)
    assert plainly("add a docstring with the arguments to read_rows") == CODE.replace(head, head + google)
    assert plainly("document read_rows in numpy style") == CODE.replace(head, head + numpy)
    assert plainly("read_rows needs a Sphinx docstring") == CODE.replace(head, head + rest)


@pytest.mark.parametrize(
    "instruction",
    [
        "change the docstring of total_price to 'What it costs.'",
        'the docstring of Cart.total_price should be "What it costs."',
        "total_price: docstring -> 'What it costs.'",
        "the docs of total_price are wrong, make it 'What it costs.'",
        'replace total_price\'s docstring with "What it costs."',
    ],
)
def test_a_docstring_gets_another_text(instruction: str) -> None:
    assert plainly(instruction) == CODE.replace("Sum of all items.", "What it costs.")


def test_a_part_of_a_docstring_is_replaced() -> None:
    assert plainly("in the docstring of total_price change 'all' to 'the'") == CODE.replace("of all", "of the")


@pytest.mark.parametrize(
    "instruction",
    [
        "remove the docstring of total_price",
        "drop total_price's docstring",
        "total_price doesn't need a docstring",
        "get rid of the docstring in the total price method",
    ],
)
def test_a_docstring_goes(instruction: str) -> None:
    assert plainly(instruction) == CODE.replace('        """Sum of all items."""\n', "")


def test_every_function_without_one_gets_a_docstring() -> None:
    wanted = CODE.replace("def read_rows(path, limit):\n", 'def read_rows(path, limit):\n    """Read rows."""\n')
    code = CODE.replace("class Cart:\n", 'class Cart:\n    """A cart."""\n\n')
    wanted = wanted.replace("class Cart:\n", 'class Cart:\n    """A cart."""\n\n')
    for instruction in (
        "add the missing docstrings",
        "every function needs a docstring",
        "docstrings for all functions",
    ):
        assert plainly(instruction, code) == wanted


def test_the_methods_of_a_class_get_docstrings() -> None:
    code = "class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n\n\ndef three():\n    return 3\n"
    wanted = code.replace("one(self):\n", 'one(self):\n        """One."""\n').replace(
        "two(self):\n", 'two(self):\n        """Two."""\n'
    )
    assert plainly("add docstrings to the methods of A", code) == wanted


def test_a_docstring_is_polished() -> None:
    code = 'def send():\n    """sends it"""\n    return 1\n'
    assert plainly("capitalize the docstring of send", code) == code.replace("sends", "Sends")
    assert plainly("end the docstring of send with a period", code) == code.replace("it", "it.")
    assert plainly("typo in the docstring of send: 'sends' should be 'send'", code) == code.replace("sends", "send")


def test_a_name_that_is_a_plain_word_is_heard() -> None:
    code = "def send():\n    return 1\n\n\ndef fetch():\n    return 2\n"
    assert plainly("document fetch", code) == code.replace("fetch():\n", 'fetch():\n    """Fetch."""\n')
    assert plainly("docstrings for send and fetch", code).count('"""') == 4


def test_a_class_and_a_module_have_docstrings_too() -> None:
    assert plainly("add the docstring 'A shopping cart.' to Cart") == CODE.replace(
        "class Cart:\n", 'class Cart:\n    """A shopping cart."""\n\n'
    )
    assert plainly("add a module docstring: 'Carts and rows.'") == f'"""Carts and rows."""\n\n{CODE}'


def test_one_line_and_several() -> None:
    several = 'def f():\n    """\n    Do it.\n    """\n    return 1\n'
    single = 'def f():\n    """Do it."""\n    return 1\n'
    assert plainly("put the docstring of f on one line", several) == single
    assert plainly("make the docstring of f multi-line", single) == several


def test_this_function_is_the_one_of_the_cursor() -> None:
    assert '    """Read rows."""\n' in plainly("add a docstring to this function", CODE, 14)


def test_the_body_behind_the_colon_moves_down() -> None:
    assert plainly("add the docstring 'One.' to f", "def f(): return 1\n") == 'def f():\n    """One."""\n    return 1\n'


@pytest.mark.parametrize(
    "instruction",
    [
        "add a docstring to total_price",
        "remove the docstring of read_rows",
        "change the docstring of read_rows to 'X.'",
        "add a docstring 'Sum of all items.' to total_price",
        "add a docstring to write_rows",
        "document how to install the project in the docs",
        "why does read_rows have no docstring for its parameters and rename it",
        "close the document",
        "print every document",
        "return the document id",
        "the docs say limit is 30",
        "add docstrings and type hints and tests to read_rows and refactor it",
    ],
)
def test_what_is_there_or_is_not_meant_is_left(instruction: str) -> None:
    assert not [one for one in made(instruction) if one[1] == PLAIN]
