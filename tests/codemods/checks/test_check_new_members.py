"""Members that a change uses and that their class does not have."""

from __future__ import annotations

import pytest

from spark_tui.codemods.checks.harm import check
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """import threading


class Base:
    limit = 3

    def close(self):
        self.later()


@final
class Hub(Base, metaclass=ABCMeta):
    def __init__(self, name):
        self.name = name

    def send(self, other: "Hub", row):
        HERE

    def later(self):
        return super().close()


class Open:
    def __getattr__(self, name):
        return name

    def send(self):
        THERE


class Worker(threading.Thread):
    def work(self):
        self.mood()
"""
PATH = "main.py"


def reasons(here: str, there: str = "0") -> list[str]:
    before = Repository(DictTree({PATH: CODE.replace("THERE", "0").replace("HERE", "0")}))
    after = before.with_changes({PATH: CODE.replace("THERE", there).replace("HERE", here)})
    return [item.reason for item in check(before, after, [PATH], ("new members",)) if not item.sure]


@pytest.mark.parametrize(
    ("new", "name"),
    [
        ("self.unregister(row)", "unregister"),
        ("return self.size", "size"),
        ("other.stop()", "stop"),
        ("Hub.of(row)", "of"),
        ("super().flush()", "flush"),
    ],
)
def test_a_member_that_a_class_does_not_have_is_found(new: str, name: str) -> None:
    assert reasons(new) == [f"Hub has no {name}"]


@pytest.mark.parametrize(
    "new",
    [
        "self.close()",
        "return self.limit, self.name, self.__class__, other.name",
        "row.unregister()",
        "self.size = row",
        "self.size = row; print(self.size)",
    ],
)
def test_a_member_that_it_has_or_gets_is_no_finding(new: str) -> None:
    assert reasons(new) == []


def test_a_class_that_may_have_any_member_is_left_alone() -> None:
    assert reasons("0", "self.unregister()") == []


def test_a_subclass_may_have_it() -> None:
    before = Repository(DictTree({PATH: CODE}))
    after = before.with_changes(
        {PATH: CODE.replace("limit = 3", "limit = 3\n    def all(self): self.send()")}
    )
    assert check(before, after, [PATH], ("new members",)) == []
