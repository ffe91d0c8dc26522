"""What is seen of an instruction and an edit that tells whether there is anything to do."""

from __future__ import annotations

import pytest

from spark_tui.backends.no_edit import NoEdit, at_least, chance_of_none, doubted, is_told
from spark_tui.engine.layout import WindowHunk

CLASS = (
    "import json",
    "import os",
    "",
    "class Store(Base):",
    "    def __init__(self, path):",
    "        self.path = path",
    "        self.limit = 10",
    "",
    "    @cached",
    "    def load(self):",
    '        """Read it."""',
    "        return open(self.path)",
)


def seen(instruction, *hunks):
    found = NoEdit(CLASS, instruction).seen([WindowHunk(first, last, tuple(new)) for first, last, *new in hunks])
    return {name for name, value in found.items() if value}


@pytest.mark.parametrize(
    ("instruction", "hunk", "wanted"),
    [
        ("give Store a self.limit of 10", (7, 7, "        self.limit = 10"), {"known", "has", "twice"}),
        ("import json", (0, 0, "import json"), {"twice"}),
        ("add @cached to load", (8, 8, "    @cached"), {"twice"}),
        ("let Store inherit Base", (3, 4, "class Store(Base, Base):"), {"twice"}),
        ("document load", (10, 10, '        """Load."""'), {"twice"}),
        ("sort the imports", (0, 2, "import os", "import json"), {"twice"}),
        ("limit is 10", (5, 7, "        self.path = path", "        self.limit = 100"), {"known", "as_it_was"}),
        ("rename `size` to `limit`", (6, 7, "        self.limit = size"), {"known", "brings"}),
    ],
)
def test_signs_that_it_is_done_already(instruction, hunk, wanted):
    assert seen(instruction, hunk) == wanted


@pytest.mark.parametrize(
    ("instruction", "hunks", "wanted"),
    [
        ("rename `limit` to `most`", [(6, 7, "        self.most = 10")], {"known", "brings"}),
        ("self.limit is 20", [(6, 7, "        self.limit = 20")], {"known", "brings"}),
        ("import sys", [(1, 1, "import sys")], {"brings"}),
        ("swap the imports", [(0, 1), (2, 2, "import json")], set()),
        ("add `load` to `Other`", [(11, 12, "        return load(self.path)")], {"known", "has"}),
        ("what does TOTAL_SUM do in `frobnicate`?", [(11, 12, "        return None")], set()),
    ],
)
def test_signs_that_there_is_something_to_do(instruction, hunks, wanted):
    assert seen(instruction, *hunks) - {"twice"} == wanted


def test_an_equal_line_of_another_block_is_not_there_already():
    lines = ("if a:", "    x = 0", "    y = 1", "else:", "    y = 2")
    assert not NoEdit(lines, "").seen([WindowHunk(4, 4, ("    x = 0",))])["twice"]
    assert NoEdit(lines, "").seen([WindowHunk(3, 3, ("    x = 0",))])["twice"]


def test_names_are_known_however_they_are_capitalised_and_quoted():
    assert NoEdit(('MODE = "fast"',), "set mode_x or 'fast' to slow").seen([])["known"]
    assert NoEdit(("load_all()",), "fix LOAD_ALL").seen([])["known"]
    assert not NoEdit(("reload_all()",), "fix load_all").seen([])["known"]


def test_the_chance_falls_with_sureness_and_rises_with_signs():
    assert chance_of_none(0.1, 0.9, 0.0) < chance_of_none(0.1, 0.1, 0.0) < chance_of_none(0.1, 0.1, 1.9)
    assert chance_of_none(0.1, 0.5, 0.0) < chance_of_none(0.5, 0.5, 0.0)
    assert chance_of_none(0.1, 1e-9, 0.0) == chance_of_none(0.1, 1e-4, 0.0), "hard is not idle"
    assert 0 <= chance_of_none(0.0, 0.0, -9.0) < chance_of_none(1.0, 0.0, 9.0) <= 1


def test_what_is_decided_early_would_be_decided_so_behind_any_edit():
    for said in (0.01, 0.2, 0.6, 0.9, 0.99):
        for sure in (0.001, 0.3, 1.0):
            for hunks in ([], [WindowHunk(6, 7, ("        self.most = 10",))]):
                signs = NoEdit(CLASS, "rename `limit` to `most`").signs(hunks)
                assert at_least(said) <= chance_of_none(said, sure, signs) + 1e-9


def test_nobody_tells_where_an_edit_is_only_unsure():
    assert not is_told(0.0005, 0.0)
    assert is_told(0.05, 0.0)
    assert is_told(0.0005, 3.7)


def test_an_edit_is_less_sure_where_none_may_be_wanted():
    assert doubted(0.8, 0.001) == 0.8
    assert 0 < doubted(0.8, 0.4) < doubted(0.8, 0.1) < 0.8
