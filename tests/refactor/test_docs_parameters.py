"""Parameters in docstrings that are there."""

from __future__ import annotations

import pytest

from spark_tui.refactor import docs
from spark_tui.refactor.known import PLAIN, known

GOOGLE = '''def load(path, limit, strict=True):
    """Load rows.

    Args:
        path: Where they are.
        strict: Whether to
            complain.

    Returns:
        Rows.
    """
    return path
'''
REST = '''def load(path, limit):
    """Load rows.

    :param path: Where they are.
    :return: Rows.
    """
    return path
'''
NUMPY = '''def load(path, limit):
    """Load rows.

    Parameters
    ----------
    path : str
        Where they are.
    """
    return path
'''


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of an order is theirs to test."""
    monkeypatch.setattr("spark_tui.refactor.known.RULES", docs.RULES)


def plainly(instruction: str, code: str) -> str:
    lines = code.split("\n")[:-1]
    found = known(lines, instruction)
    assert len(found) == 1 and found[0].plain == PLAIN, (instruction, found)
    for hunk in reversed(found[0].hunks):
        lines[hunk.first : hunk.last] = hunk.new
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "instruction",
    [
        'add limit to the docstring of load: "How many."',
        "document the limit parameter of load as 'How many.'",
        "the docs of load should also explain `limit`: 'How many.'",
        "limit is undocumented in load, 'How many.'",
        "describe limit in load's docstring with 'How many.'",
    ],
)
def test_an_entry_joins_the_list_in_the_order_of_the_head(instruction: str) -> None:
    new = "        limit: How many.\n        strict: Whether to\n"
    assert plainly(instruction, GOOGLE) == GOOGLE.replace("        strict: Whether to\n", new)


def test_the_list_keeps_its_style() -> None:
    order = "document the limit parameter of load as 'How many.'"
    assert plainly(order, REST) == REST.replace("    :return", "    :param limit: How many.\n    :return")
    assert plainly(order, NUMPY) == NUMPY.replace('are.\n    "', 'are.\n    limit\n        How many.\n    "')


def test_a_list_begins_where_there_is_none() -> None:
    code = 'def load(path):\n    """Load rows."""\n    return path\n\n\n' + GOOGLE.replace("def load", "def other")
    wanted = '"""Load rows.\n\n    Args:\n        path: Where they are.\n    """'
    order = "document the path parameter in the docstring of load: 'Where they are.'"
    assert plainly(order, code) == code.replace('"""Load rows."""', wanted, 1)


def test_without_words_of_its_own_the_name_says_it() -> None:
    assert "        limit: The limit.\n" in plainly("document the limit argument in the docstring of load", GOOGLE)


def test_an_entry_that_is_there_gets_the_new_words() -> None:
    order = "change what path means in the docstring of load to 'The file.'"
    assert plainly(order, GOOGLE) == GOOGLE.replace("Where they are.", "The file.")


@pytest.mark.parametrize(
    "instruction",
    ["document the path parameter of load", "document the size parameter of load as 'X.'", "document limit of save"],
)
def test_what_is_there_or_is_not_meant_is_left(instruction: str) -> None:
    assert not [one for one in known(GOOGLE.split("\n")[:-1], instruction) if one.plain == PLAIN]
