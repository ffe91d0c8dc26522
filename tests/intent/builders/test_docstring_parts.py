"""Of a docstring only the part goes that words name."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, result

CODE = '''\
def load(path, limit):
    """Load a file. It is read at once.

    The lines are kept.

    Args:
        path: where it is
        limit: how many lines

    Raises:
        OSError: if it is not there

    Example:
        >>> load("a", 1)
        []
    """
    return path, limit


def save(path):
    """Save it.

    :param path: where
    :returns: nothing
    """
'''


@pytest.mark.parametrize(
    ("text", "function", "gone"),
    [
        (
            "remove the docstring example in load",
            "load",
            '    Example:\n        >>> load("a", 1)\n        []\n',
        ),
        ("remove the doctest of load", "load", '    Example:\n        >>> load("a", 1)\n        []\n'),
        (
            "drop the Raises section from load's docstring",
            "load",
            "    Raises:\n        OSError: if it is not there\n\n",
        ),
        ("remove the limit line from the docstring of load", "load", "        limit: how many lines\n"),
        ("delete the second paragraph of the docstring of load", "load", "    The lines are kept.\n\n"),
        ("remove the second sentence of load's docstring", "load", " It is read at once."),
        ("remove the second part of load's docstring", "load", "    The lines are kept.\n\n"),
        ("remove the returns line in the docstring of save", "save", "    :returns: nothing\n"),
        ("remove the last line of save's docstring", "save", "    :returns: nothing\n"),
    ],
)
def test_the_part_that_is_named_goes(text: str, function: str, gone: str) -> None:
    made = changed(CODE, text, "remove_docstring", function=function)
    tidy = CODE.replace(gone, "").replace('\n\n    """', '\n    """')
    assert made == tidy


def test_what_is_to_be_shortened_keeps_that_part() -> None:
    said = "shorten the docstring of save to its first line"
    made = changed(CODE, said, "remove_docstring", function="save")
    assert made.endswith('def save(path):\n    """Save it.\n    """\n')


def test_a_part_that_is_not_there_takes_nothing() -> None:
    said = "remove the Yields section of save's docstring"
    assert not answer_to(CODE, said, "remove_docstring", function="save").ways


@pytest.mark.parametrize(
    "said",
    [
        "remove the docstring of load",
        "remove the first docstring, of load",
        "remove the multi-line docstring of load",
        "remove the multi line docstring of load",
    ],
)
def test_the_whole_docstring_goes_where_no_part_is_named(said: str) -> None:
    made = changed(CODE.replace("The lines", "The first lines"), said, "remove_docstring", function="load")
    assert made.startswith("def load(path, limit):\n    return path, limit\n")


def test_a_word_that_may_name_a_part_leaves_a_mark() -> None:
    code = "def load(path):\n    # the greeting\n    print('greeting')\n    return path\n"
    found = answer_to(code, "delete the greeting from load", "remove_definition", symbol="load")
    assert "not used: greeting" in found.ways[0].marked
    assert not answer_to(code, "so delete load", "remove_definition", symbol="load").ways[0].marked
    for text in ("load isnt used, drop it", "load is never called either, kill it"):
        marked = answer_to(code, text, "remove_definition", symbol="load").ways[0].marked
        assert not any("isnt" in mark or "never" in mark for mark in marked)


DOCTESTS = 'def one(x):\n    """One.\n\n    >>> one(1)\n    1\n    >>> one(2)\n    2\n    """\n    return x\n'


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("delete the docstring examples of one", ""),
        ("delete the second docstring example of one", "    >>> one(1)\n    1\n"),
        ("delete the first docstring example of one", "    >>> one(2)\n    2\n"),
    ],
)
def test_each_example_is_a_part(text: str, left: str) -> None:
    found = answer_to(DOCTESTS, text, "remove_docstring", function="one")
    after = result(found, {PATH: DOCTESTS})
    assert after.count(">>>") == left.count(">>>") and left in after
    assert not any("not used" in mark for mark in found.ways[0].marked)
