"""A property goes with its setter, where nothing uses it."""

from __future__ import annotations

import pytest

from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.registry import from_json
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """\
class Radio:
    kind = "radio"

    @property
    def volume(self):
        return self._volume

    @volume.setter
    def volume(self, value):
        self._volume = value

    def play(self):
        return 1
"""


def _plan(code: str, target: str) -> tuple[Plan | Refused, Repository]:
    repo = Repository(DictTree({"a.py": code}))
    return from_json({"op": "remove_definition", "target": f"a.py::{target}"}).plan(repo), repo


def test_a_property_goes_with_its_setter() -> None:
    plan, repo = _plan(CODE, "Radio.volume")
    assert isinstance(plan, Plan)
    assert plan.unfollowed == ()
    left = CODE[: CODE.index("    @property")] + CODE[CODE.index("    def play") :]
    assert plan.texts(repo)["a.py"] == left


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("return 1", "return self.volume", "is used: a.py:13"),
        ("@volume.setter\n", "@staticmethod\n", "is set in more than one place"),
    ],
)
def test_what_is_used_or_no_setter_stays(old: str, new: str, reason: str) -> None:
    plan, _ = _plan(CODE.replace(old, new), "Radio.volume")
    assert isinstance(plan, Refused)
    assert reason in plan.reason
