"""A message takes back some of the orders that one edit did, by what they do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from intent.support import PATH

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.building.building import call
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.followups.parts.named_orders import kept_orders
from spark_tui.intent.reading.near_roles import MessageRoles
from spark_tui.intent.reading.reader import Reader
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """def load(path, limit=10):
    rows = open(path).readlines()
    return rows[:limit]


def main():
    x = load("a", limit=3)
    print(x)
"""
RENAMED = CODE.replace("limit", "most")
BOTH = "rename limit to most in load and set its default to 20"
REMOVED = "rename x to rows in main and remove the print in main"
TWO = "rename limit to most and path to file in load"


def after(first: str, second: str) -> str:
    """The file after two messages; each has to be answered with an edit without a mark."""
    reader, repo = Reader.load(), Repository(DictTree({PATH: CODE}))
    now = Situation(repo, PATH)
    made = answer(first, reader, now, MessageRoles().of(first, repo.index, PATH))
    changed = repo.with_changes(made.ways[0].plan.texts(repo))
    behind = replace(now, repo=changed, before=repo, earlier=made.ways[0].done)
    found = answer(second, reader, behind, MessageRoles().of(second, changed.index, PATH))
    assert found.kind == "edit" and not found.ways[0].marked, found
    return found.ways[0].plan.texts(repo)[PATH] or ""


@pytest.mark.parametrize(
    ("text", "renamed"),
    [
        ("leave the default, just rename it", True),
        ("only the rename please", True),
        ("don't change the default", True),
        ("undo the default", True),
        ("keep the rest, undo only the rename", False),
        ("just the default, not the rename", False),
        ("don't rename it", False),
    ],
)
def test_one_of_two_orders_stays(text: str, renamed: bool) -> None:
    assert after(BOTH, text) == (RENAMED if renamed else CODE.replace("limit=10", "limit=20"))


def test_what_was_removed_comes_back_under_the_new_name() -> None:
    wanted = CODE.replace("x = load", "rows = load").replace("print(x)", "print(rows)")
    for text in ("leave the print, just rename it", "undo only the removal of the print"):
        assert after(REMOVED, text) == wanted


def test_of_two_orders_of_one_kind_the_name_tells() -> None:
    assert after(TWO, "keep the rest, undo only the rename of path") == RENAMED


def test_the_name_tells_one_of_several_renames() -> None:
    three = "rename limit to most and path to file in load, and remove the print in main"
    for text in ("undo the rename of path", "don't rename path", "undo the rename to file"):
        assert after(three, text) == RENAMED.replace("    print(x)\n", "")
    assert after(three, "only rename limit") == RENAMED


@pytest.mark.parametrize("text", ["undo the rename of main", "undo the rename and the default"])
def test_what_was_not_done_or_all_of_it_is_no_part(text: str) -> None:
    repo = Repository(DictTree({PATH: CODE}))
    rename = call("rename", target=f"{PATH}::load.limit", new="most")
    docs = call("set_docstring", target=f"{PATH}::main", text="Load.")
    default = call("set_default", target=f"{PATH}::load", name="most", default="20")
    for calls in ((rename, docs), (rename, default)):
        earlier = Done("rename", {}, calls)
        changed = repo.with_changes({PATH: RENAMED})
        assert kept_orders(text, Situation(changed, PATH, earlier=earlier, before=repo)) is None
