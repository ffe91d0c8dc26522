"""An offer becomes hunks of the text that it was made for, and of no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.small_repositories import uncommitted

from spark_tui.backends.base import Backend
from spark_tui.codemods.plan import Edit, Plan
from spark_tui.config.settings import Settings
from spark_tui.next_edit.tokens import digest
from spark_tui.session.model_setup import ModelSetup
from spark_tui.session.next_edits import NextEdits, Offered
from spark_tui.session.offer_log import OfferLog
from spark_tui.session.tree_reader import TreeReader

TEXT = "def fee(count):\n    return amount * 2\n"


@pytest.fixture
def next_edits(tmp_path: Path) -> NextEdits:
    root = uncommitted(tmp_path / "shop", {"cart.py": TEXT})
    return NextEdits(
        TreeReader(root, ModelSetup(Settings(), Backend)), tmp_path / "cache", OfferLog(tmp_path)
    )


@pytest.mark.parametrize(("earlier", "shown"), [(TEXT, 1), (TEXT.replace("count", "qty"), 0)])
def test_an_offer_for_an_earlier_text_has_no_hunks(next_edits: NextEdits, earlier: str, shown: int) -> None:
    at = TEXT.index("amount")
    plan = Plan((Edit("cart.py", at, at + len("amount"), "count"),))
    offered = Offered("rename amount → count", "", plan, {}, {"cart.py": digest(earlier)})
    assert len(next_edits.planned(offered).hunks) == shown
