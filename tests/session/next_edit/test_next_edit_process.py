"""The process that looks for the next edit knows which texts are not saved."""

from __future__ import annotations

import errno
import queue
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.small_repositories import uncommitted

from spark_tui.session.next_edit.offer_log import OfferLog
from spark_tui.session.next_edit.offers import NextEdits, Offered
from spark_tui.session.next_edit.process import NextEditFinder
from spark_tui.session.tree.tree_reader import TreeReader

CART = "def total(items):\n    return sum(items)\n"
USES = "from cart import total\n\nprint(total([1]))\nprint(total([2]))\n"


def test_what_is_on_the_disk_again_is_no_text_that_was_typed(tmp_path: Path) -> None:
    root = uncommitted(tmp_path / "shop", {"cart.py": CART, "uses.py": USES})
    finder = NextEditFinder(root, tmp_path / "cache")

    def tell(kind: str, **message: Any) -> Mapping[str, Any] | None:
        return finder.answer([{"kind": kind, "id": 1, "dismissed": [], **message}], queue.SimpleQueue())

    assert tell("opened", path="cart.py", text=CART) is None
    typed = CART.replace("total", "amount")
    answer = tell("typed", path="cart.py", text=typed)
    assert answer is not None
    assert answer["words"] == "rename total → amount"
    assert tell("wrote", unsaved={}) is None
    assert finder._repository().with_changes(finder._unsaved).index.text("cart.py") == CART


def test_a_file_that_was_empty_is_answered_about(tmp_path: Path) -> None:
    finder = NextEditFinder(uncommitted(tmp_path / "shop", {"new.py": ""}), tmp_path / "cache")
    finder.answer([{"kind": "opened", "path": "new.py", "text": ""}], queue.SimpleQueue())
    typed = {"kind": "typed", "path": "new.py", "text": "x = 1\n", "id": 1, "dismissed": []}
    assert finder.answer([typed], queue.SimpleQueue()) == {"id": 1, "words": ""}


def test_the_process_answers_what_was_asked_last(tmp_path: Path) -> None:
    root = uncommitted(tmp_path / "shop", {"cart.py": CART, "uses.py": USES})
    edits = NextEdits(TreeReader(root, lambda: 1000), tmp_path / "cache", OfferLog(tmp_path))
    found: queue.Queue[Offered | None] = queue.Queue()
    edits.opened("cart.py", CART)
    edits.typed("cart.py", CART.replace("total", "amount"), found.put)
    offered = found.get(timeout=60)
    edits.close()
    assert offered is not None and offered.words == "rename total → amount"
    assert offered.plan.paths == ("uses.py",)


def test_where_no_process_can_be_started_there_are_no_offers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = uncommitted(tmp_path / "shop", {"cart.py": CART})

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EAGAIN, "no more processes")

    monkeypatch.setattr(subprocess, "Popen", refused)
    edits = NextEdits(TreeReader(root, lambda: 1000), tmp_path / "cache", OfferLog(tmp_path))
    found: list[Offered | None] = []
    edits.opened("cart.py", CART)
    edits.typed("cart.py", CART.replace("total", "amount"), found.append)
    edits.close()
    assert found == []
