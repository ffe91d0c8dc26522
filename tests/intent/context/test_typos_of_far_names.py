"""A name that nobody has is a typo of one that is near, and of its kind."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH

from spark_tui.intent.reading import near_roles

OPEN = "INTERVAL = 3\n\n\nclass Range:\n    pass\n\n\ndef read(path):\n    return path\n"
FILES = {
    PATH: OPEN,
    "lib/color.py": "def parse_hsl(text):\n    return text\n",
    "lib/more.py": "def other(text):\n    return text\n",
}


@pytest.mark.parametrize(("most_near", "found"), [(2, False), (10_000, True)])
def test_it_is_none_of_a_far_file_of_a_large_repository(
    monkeypatch: pytest.MonkeyPatch, most_near: int, found: bool
) -> None:
    monkeypatch.setattr(near_roles, "MOST_NEAR", most_near)
    asked = answer_to(FILES, "rename parse_hl7 to fold", "rename", symbol="parse_hl7", new="fold")
    assert bool(asked.ways) is found


@pytest.mark.parametrize(
    ("said", "found"), [("the class Interval", False), ("Interval", True), ("the class Ranges", True)]
)
def test_a_class_is_no_constant_that_is_called_alike(said: str, found: bool) -> None:
    text, name = f"rename {said} to Step", said.rpartition(" ")[2]
    assert bool(answer_to(FILES, text, "rename", symbol=name, new="Step").ways) is found


def test_the_word_for_its_kind_may_be_another_one() -> None:
    asked = answer_to(FILES, "rename the class INTERVAL to STEP", "rename", symbol="INTERVAL", new="STEP")
    assert [way.plan.paths for way in asked.ways] == [(PATH,)]
