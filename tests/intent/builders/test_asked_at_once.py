"""Tests of one condition that one call makes: *merge the endswith checks*."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH, result

from spark_tui.intent.answering.answer import Answer

CODE = "def f(x, a):\n    return {}\n"


def _asked(test: str, name: str) -> Answer:
    return answer_to(CODE.format(test), f"merge the {name} checks", "pattern.merge_ifs")


@pytest.mark.parametrize(
    ("test", "name", "new"),
    [
        ('x.endswith("b") or x.endswith("c")', "endswith", 'x.endswith(("b", "c"))'),
        (
            'a or x.startswith("b") or x.startswith(("c", "d")) or x.startswith("e")',
            "startswith",
            'a or x.startswith(("b", "c", "d", "e"))',
        ),
        ("not isinstance(x, int) and not isinstance(x, str)", "isinstance", "not isinstance(x, (int, str))"),
    ],
)
def test_tests_of_one_value_become_one(test: str, name: str, new: str) -> None:
    found = _asked(test, name)
    assert result(found, {PATH: CODE.format(test)}) == CODE.format(new) and not found.ways[0].marked


def test_what_may_be_no_text_is_marked() -> None:
    assert _asked('x.endswith(a) or x.endswith("c")', "endswith").ways[0].marked


@pytest.mark.parametrize(
    "test",
    [
        'x.endswith("b") or a.endswith("c")',
        'x.endswith("b") and x.endswith("c")',
        "isinstance(x, int) or not isinstance(x, str)",
        'x().endswith("b") or x().endswith("c")',
        'x.endswith("b", 1) or x.endswith("c")',
    ],
)
def test_what_would_mean_something_else_stays(test: str) -> None:
    assert not _asked(test, "endswith or isinstance").ways
