"""An offer becomes hunks of the text that it was made for, and of no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.small_repositories import uncommitted

from spark_tui.codemods.plan import Edit, Plan
from spark_tui.edits.merge import merge_lines
from spark_tui.next_edit.tokens import digest
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository
from spark_tui.session.next_edit.offer_log import OfferLog
from spark_tui.session.next_edit.offers import NextEdits, Offered
from spark_tui.session.tree.tree_reader import TreeReader
from spark_tui.workspace.files import MOST_BYTES

TEXT = "def fee(count):\n    return amount * 2\n"


@pytest.fixture
def next_edits(tmp_path: Path) -> NextEdits:
    return _next_edits(tmp_path, TEXT)


def _next_edits(tmp_path: Path, text: str) -> NextEdits:
    root = uncommitted(tmp_path / "shop", {"cart.py": text})
    return NextEdits(TreeReader(root, lambda: MOST_BYTES), tmp_path / "cache", OfferLog(tmp_path))


@pytest.mark.parametrize(("earlier", "shown"), [(TEXT, 1), (TEXT.replace("count", "qty"), 0)])
def test_an_offer_for_an_earlier_text_has_no_hunks(next_edits: NextEdits, earlier: str, shown: int) -> None:
    at = TEXT.index("amount")
    plan = Plan((Edit("cart.py", at, at + len("amount"), "count"),))
    offered = Offered("rename amount → count", "", plan, {}, {"cart.py": digest(earlier)})
    assert len(next_edits.planned(offered).hunks) == shown


@pytest.mark.parametrize("behind", ["a = f(1)\n", "b = f(2)\n", "c = f(3)\n"])
def test_places_beside_lines_that_are_not_saved_are_left_out(tmp_path: Path, behind: str) -> None:
    text = "a = f(1)\nb = f(2)\nc = f(3)\nd = f(4)\n"
    typed = text.replace(behind, f"{behind}x = 0\ny = 0\n")
    next_edits = _next_edits(tmp_path, text)
    edits = tuple(Edit("cart.py", at, at + 1, "g") for at in range(len(typed)) if typed[at] == "f")
    read = {"cart.py": digest(typed)}
    planned = next_edits.planned(Offered("f → g", "", Plan(edits), {"cart.py": typed}, read))
    made = planned.plan.texts(Repository(DictTree({"cart.py": text})))["cart.py"]
    assert made is not None and made.count("g(") == 2
    merged = merge_lines(*(item.splitlines() for item in (text, typed, made)))
    assert merged is not None and "\n".join(merged).count("g(") == 2


def test_a_process_that_reads_no_more_leaves_no_pipe_open(next_edits: NextEdits) -> None:
    next_edits.opened("cart.py", "x = 1\n")
    process = next_edits._process
    assert process is not None and process.stdin is not None
    process.kill()
    process.wait()
    next_edits.opened("cart.py", "x = 2\n" * 200_000)
    next_edits.close()
    assert process.stdin.closed
