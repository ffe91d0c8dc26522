"""A window that begins inside a class or a function is read by itself."""

from __future__ import annotations

import pytest

from spark_tui.backends.answers.answer_check import parses


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n", True),
        ("    def f(self):\n        return 1\n\n\ndef top():\n    pass\n", True),
        ("        return 1\n\n    def g(self):\n        return 2\n\nx = 1\n", True),
        ("        await one()\n", True),
        ("    # said first\n    x = 1\n", True),
        ("    def f(self):\n        return (1\n", False),
        ("        return 1\n      y = 2\n    x = 1 +\n", False),
        ("def f():\n    pass\n", True),
        ("def f(:\n    pass\n", False),
    ],
)
def test_what_begins_indented_reads_as_what_it_is_in(text: str, reads: bool) -> None:
    assert parses(text.split("\n")[:-1]) is reads
    assert parses(text.split("\n")[:-1], compiles=True) is reads
