"""Special methods use what a class holds, or say what was assumed."""

from __future__ import annotations

import pytest
from codemods.repositories import changed_lines, plan

HELD = """class Post:
    def __init__(self, host):
        self.host = host
        self.failed = []

    def note(self, item):
        self.failed.append(item)
"""


@pytest.mark.parametrize(
    ("old", "new", "doubts"),
    [
        ("", "", ["failed was assumed"]),
        ("self.failed.append(item)", "return [one for one in self.failed if one]", []),
        ("        self.host = host\n", "", []),
    ],
)
def test_what_a_class_holds_is_what_it_goes_through_or_all_that_it_has(
    old: str, new: str, doubts: list[str]
) -> None:
    found = plan("add_special_method Post contains", {"m.py": HELD.replace(old, new) if old else HELD})
    assert [unfollowed.reason for unfollowed in found.unfollowed] == doubts


def test_a_base_shows_the_class_of_the_object() -> None:
    files = {"m.py": HELD + "\n\nclass Letter(Post):\n    pass\n"}
    shown = 'return f"{type(self).__name__}(host={self.host!r}, failed={self.failed!r})"'
    assert changed_lines("add_special_method Post repr", files)["m.py"][-1] == shown
