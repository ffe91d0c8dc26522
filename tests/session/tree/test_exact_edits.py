"""The files of a tree from reading to reading: what was written since is seen, whatever its time says."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from support.git_command import git

from spark_tui.codemods.families.names.modules import RenameModule
from spark_tui.codemods.families.names.moving import MoveDefinition
from spark_tui.codemods.families.names.rename import Rename
from spark_tui.codemods.families.unit_tests import AddTest
from spark_tui.codemods.plan import Refused
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Symbol
from spark_tui.session.tree import tree_look
from spark_tui.session.tree.exact_edits import ExactEdits, WorkspaceFiles
from spark_tui.workspace import file_listing

CART = "def total(): return 1\n"
OLD = time.time() - 100


def tree(root: Path) -> Path:
    (root / "shop").mkdir()
    for name in ("cart.py", "main.py"):
        path = root / "shop" / name
        path.write_text(CART)
        os.utime(path, (OLD, OLD))
    return root


def stamp(root: Path) -> object:
    files = WorkspaceFiles(root)
    files.paths()
    return files.stamp("shop/cart.py")


def test_a_file_that_was_just_written_is_read_again(tmp_path: Path) -> None:
    files = WorkspaceFiles(tree(tmp_path))
    assert [*files.paths()] == ["shop/cart.py", "shop/main.py"]
    assert files.stamp("shop/cart.py") is None


def test_a_file_that_was_written_long_ago_has_a_stamp_until_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_look, "_SETTLED_NS", 0)
    first = stamp(tree(tmp_path))
    assert first is not None
    assert first == stamp(tmp_path)
    (tmp_path / "shop" / "cart.py").write_text(CART.replace("1", "2"))
    os.utime(tmp_path / "shop" / "cart.py", (OLD, OLD))
    assert first != stamp(tmp_path)


def test_what_is_written_between_two_readings_is_seen(tmp_path: Path) -> None:
    tree(tmp_path)
    repo = ExactEdits(tmp_path).repo
    assert repo.index.symbols("total")
    (tmp_path / "shop" / "cart.py").write_text(CART.replace("total", "other"))
    (tmp_path / "shop" / "main.py").unlink()
    (tmp_path / "shop" / "new.py").write_text("def new(): ...\n")
    again = ExactEdits(tmp_path, before=repo).repo.index
    assert again.paths == ("shop/cart.py", "shop/new.py")
    assert again.symbols("other") and again.symbols("new") and not again.symbols("total")


def test_known_files_are_taken_as_they_were_given(tmp_path: Path) -> None:
    repo = ExactEdits(tree(tmp_path)).repo
    assert repo.index.text("shop/cart.py") == CART
    known = WorkspaceFiles(tmp_path).tree.file("shop/cart.py")
    (tmp_path / "shop" / "cart.py").write_text("x = 1\n")
    assert ExactEdits(tmp_path, before=repo).repo.index.text("shop/cart.py") == "x = 1\n"
    given = ExactEdits(tmp_path, before=repo, known={"shop/cart.py": known})
    assert given.repo.index.text("shop/cart.py") == CART


def test_an_edit_is_marked_where_the_folder_has_more_files_than_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_listing, "MOST_FILES", 1)
    edits = ExactEdits(tree(tmp_path))
    found = edits.plan(Rename(Symbol("total", "shop/cart.py"), "summed"))
    assert [item.reason for item in found.findings] == ["Only 1 files are read: outside of git no more are."]
    assert edits.partly == found.findings[0].reason
    beyond = "beyond those that are read outside of git (spark -C shop reads it)"
    assert sum(edits.files.why_not_listed(f"shop/{name}.py") == beyond for name in ("cart", "bill")) == 1
    monkeypatch.undo()
    assert not ExactEdits(tmp_path).plan(Rename(Symbol("total", "shop/cart.py"), "summed")).findings


@pytest.mark.parametrize(
    "call",
    [
        MoveDefinition(Symbol("total", "shop/cart.py"), "ignored/new.py"),
        RenameModule("shop/cart.py", "ignored/new.py"),
        AddTest(Symbol("total", "shop/cart.py"), path="ignored/new.py"),
    ],
)
def test_no_new_file_takes_the_place_of_one_that_is_ignored(tmp_path: Path, call: Operation) -> None:
    (tree(tmp_path) / "ignored").mkdir()
    (tmp_path / "ignored" / "new.py").write_text("kept = 1\n")
    (tmp_path / ".sparkignore").write_text("ignored/\n")
    found = ExactEdits(tmp_path).try_plan(call)
    assert isinstance(found, Refused)
    assert found.reason == "ignored/new.py exists already, and is ignored"


def test_a_file_too_large_to_read_is_marked_only_where_it_has_the_name(tmp_path: Path) -> None:
    root = tree(tmp_path)
    rows = "ROWS = [\n" + "    'some text in a long row',\n" * 250_000
    for last, marked in (("]\n", False), ("    total,\n]\n", True)):
        (root / "shop" / "rows.py").write_text(rows + last)
        plan = ExactEdits(root).plan(Rename(Symbol("total", "shop/cart.py"), "whole"))
        assert [one.path for one in plan.findings if "cannot be read" in one.reason] == [
            "shop/rows.py"
        ] * marked


@pytest.mark.parametrize("tracked", [False, True])
def test_a_repository_inside_that_mentions_the_name_is_marked(tmp_path: Path, tracked: bool) -> None:
    root = tree(tmp_path)
    inner = root / "vendor"
    inner.mkdir()
    (inner / "uses.py").write_text("from shop.cart import total\n")
    (inner / "other.py").write_text("totals = 1\n")
    for folder in (inner, root):
        git(folder, "init", "--quiet")
        if tracked:
            git(folder, "add", "--all")
            git(folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "x")
    plan = ExactEdits(root).plan(Rename(Symbol("total", "shop/cart.py"), "whole"))
    assert [one.path for one in plan.findings if "another repository" in one.reason] == ["vendor/uses.py"]
