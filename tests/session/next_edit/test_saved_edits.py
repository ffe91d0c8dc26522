"""Offers after files are saved by another program, and what is remembered of offers."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.git_command import git
from support.small_repositories import committed, uncommitted

from spark_tui.session.next_edit.offer_log import OfferLog
from spark_tui.session.next_edit.saved_edits import SavedEdits
from spark_tui.session.tree.writer import TreeWriter

CART = "def total(items):\n    return sum(items)\n"
USES = "from cart import total\n\nprint(total([1]))\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return uncommitted(tmp_path / "shop", {"cart.py": CART, "uses.py": USES})


@pytest.fixture
def edits(root: Path, tmp_path: Path) -> SavedEdits:
    return _indexed(root, tmp_path)


def _indexed(root: Path, folder: Path) -> SavedEdits:
    made = SavedEdits(root, folder / "cache", OfferLog(folder / "state"))
    assert made.index() == 2
    return made


def test_a_save_without_a_change_offers_nothing(edits: SavedEdits, root: Path) -> None:
    (root / "cart.py").write_text(CART)
    assert not edits.look()


def test_a_rename_that_is_saved_is_offered_and_taken(edits: SavedEdits, root: Path, tmp_path: Path) -> None:
    (root / "cart.py").write_text(CART.replace("total", "amount"))
    assert edits.look()
    assert edits.offer is not None
    assert edits.offer.line == "2 more places: rename total → amount"
    assert "+print(amount([1]))" in edits.patch()
    written = edits.take(TreeWriter(root, tmp_path / "state", "next-edit"))
    assert written is not None and written.checkpoint
    assert (root / "uses.py").read_text() == USES.replace("total", "amount")
    assert not edits.look()
    assert OfferLog(tmp_path / "state").counts() == {"shown": 1, "taken": 1, "dismissed": 0, "undone": 0}


def test_what_was_dismissed_is_not_offered_again_in_another_run(
    edits: SavedEdits, root: Path, tmp_path: Path
) -> None:
    (root / "cart.py").write_text(CART.replace("total", "amount"))
    assert edits.look()
    edits.dismiss()
    (root / "cart.py").write_text(CART)
    again = _indexed(root, tmp_path)
    (root / "cart.py").write_text(CART.replace("total", "amount"))
    assert not again.look()


def test_many_files_at_once_are_no_edit(edits: SavedEdits, root: Path) -> None:
    for number in range(8):
        (root / f"m{number}.py").write_text(USES)
    assert not edits.look()
    for number in range(8):
        (root / f"m{number}.py").write_text(USES.replace("total", "amount"))
    assert not edits.look()


def test_a_dismissal_is_forgotten_after_two_weeks(tmp_path: Path) -> None:
    now = [0.0]
    log = OfferLog(tmp_path, lambda: now[0])
    log.add("dismissed", "rename a → b")
    assert log.dismissed() == {"rename a → b"}
    now[0] = 15 * 24 * 3600
    assert log.dismissed() == frozenset()


def test_a_broken_log_counts_what_can_be_read(tmp_path: Path) -> None:
    log = OfferLog(tmp_path)
    log.add("shown", "x")
    with (tmp_path / "next-edits.jsonl").open("a") as out:
        out.write('{"event": "sho')
    assert log.counts()["shown"] == 1


def test_an_offer_that_is_taken_leads_to_the_next(tmp_path: Path) -> None:
    files = {
        "one.py": "def f(a: Optional[int], b: Optional[str]): ...\n\n\ndef g(a: Optional[int]): ...\n",
        "two.py": "def h(a: Optional[int] = None) -> Optional[str]: ...\n",
    }
    root = uncommitted(
        tmp_path / "types", {name: f"from typing import Optional\n\n\n{text}" for name, text in files.items()}
    )
    edits = _indexed(root, tmp_path)
    writer = TreeWriter(root, tmp_path / "state", "next-edit")
    for old in ("a: Optional[int], b", "b: Optional[str]"):
        new = old.replace("Optional[", "").replace("]", " | None")
        (root / "one.py").write_text((root / "one.py").read_text().replace(old, new, 1))
        edits.look()
    offers = 0
    while edits.offer is not None and offers < 9:
        offers += 1
        assert edits.take(writer) is not None
    assert offers > 1
    assert "Optional[" not in (root / "one.py").read_text() + (root / "two.py").read_text()


def test_another_branch_is_no_edit(tmp_path: Path) -> None:
    root = committed(tmp_path / "shop", {"cart.py": CART, "uses.py": USES})
    git(root, "switch", "-q", "-c", "other")
    (root / "cart.py").write_text(CART.replace("total", "amount"))
    git(root, "commit", "-q", "-a", "-m", "Rename")
    edits = _indexed(root, tmp_path)
    git(root, "switch", "-q", "-")
    assert (root / "cart.py").read_text() == CART
    assert not edits.look()
    (root / "cart.py").write_text(CART.replace("total", "sum_of"))
    assert edits.look()


def test_an_edit_that_is_committed_at_once_or_on_a_new_branch_is_an_edit(tmp_path: Path) -> None:
    root = committed(tmp_path / "shop", {"cart.py": CART, "uses.py": USES})
    edits = _indexed(root, tmp_path)
    (root / "cart.py").write_text(CART.replace("total", "sum_of"))
    git(root, "commit", "-q", "-a", "-m", "Rename")
    assert edits.look()
    git(root, "switch", "-q", "-c", "other")
    (root / "cart.py").write_text(CART.replace("total", "all_of"))
    assert edits.look()


def test_a_stash_is_no_edit(tmp_path: Path) -> None:
    root = committed(tmp_path / "shop", {"cart.py": CART, "uses.py": USES})
    (root / "cart.py").write_text(CART.replace("total", "amount"))
    edits = _indexed(root, tmp_path)
    git(root, "stash", "-q")
    assert (root / "cart.py").read_text() == CART
    assert not edits.look()
