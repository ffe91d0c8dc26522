"""A block that names no file, or only the end of its path, is of the shown file that has its lines."""

from __future__ import annotations

import pytest

from spark_tui.edits.parser import Parser
from spark_tui.events import NO_SUCH_FILE

FILES = {
    "shop/cart.py": ("def add(a):", "    return a"),
    "shop/tax.py": ("def tax(a):", "    return a"),
    "other/notes.py": ("def note(a):", "    return a"),
}
BLOCK = "{}```\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n```\n"


def read(head: str, old: str, shown: tuple[str, ...] = ("shop/cart.py", "shop/tax.py")) -> Parser:
    parser = Parser("auto", FILES.get, shown=shown)
    text = BLOCK.format(head, old, old.replace("a)", "b)").replace("return a", "return b"))
    assert [*parser.feed(text), *parser.finish()]
    return parser


@pytest.mark.parametrize("head", ["", "tax.py\n"])
def test_the_lines_say_which_of_the_shown_files_is_meant(head: str) -> None:
    parser = read(head, "def tax(a):")
    assert not parser.failures
    assert [(hunk.path, hunk.new_lines) for hunk in parser.hunks] == [("shop/tax.py", ("def tax(b):",))]


def test_lines_of_two_shown_files_are_placed_in_neither() -> None:
    parser = read("", "    return a")
    assert not parser.hunks
    assert [failure.message for failure in parser.failures] == [
        "an edit names no file: its path goes before it"
    ]


def test_a_file_that_the_model_was_not_shown_is_not_looked_in() -> None:
    assert not read("", "def note(a):").hunks


def test_the_end_of_another_path_does_not_count() -> None:
    parser = read("old/tax.py\n", "def tax(a):")
    assert not parser.hunks
    assert [(failure.path, failure.message) for failure in parser.failures] == [("old/tax.py", NO_SUCH_FILE)]
