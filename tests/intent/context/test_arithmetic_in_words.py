"""Values that words reckon with."""

from __future__ import annotations

import pytest

from spark_tui.intent.context.visible import Visible
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = "RATE = 2\n\n\ndef grow(base, years):\n    return base\n"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("base to the power of years", "base ** years"),
        ("base mal RATE", "base * RATE"),
        ("years divided by two", "years / 2"),
        ("rounded up", None),
    ],
)
def test_two_known_values_make_a_sum(said: str, code: str | None) -> None:
    repo = Repository(DictTree({"bank.py": CODE}))
    function = repo.index.source("bank.py").definitions[0]
    assert Visible(repo, "bank.py", function).expression(said) == code
