"""Exact edits as words: spoken once, with what was left, and what may have been meant after a refusal."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from support.fakes import FakeBackend
from support.small_repositories import written

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.tui.screen_reader.loop import run_screen_reader

CART = "class Cart:\n    def add(self, sku):\n        return sku\n"
USES = "from cart import Cart\n\n\ndef fill(cart: Cart, thing):\n    cart.add(1)\n    thing.add(2)\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return written(tmp_path / "shop", {"cart.py": CART, "uses.py": USES})


def spoken(root: Path, *lines: str) -> list[str]:
    session = Session(root, FakeBackend(["x"]), Settings(), root.parent / "state")
    out = io.StringIO()
    assert run_screen_reader(session, io.StringIO("".join(f"{line}\n" for line in lines)), out) == 0
    return out.getvalue().split("\n")[1:-1]


def test_an_edit_is_spoken_with_its_hunks_and_what_was_left(root: Path) -> None:
    assert spoken(root, "/rename Cart.add put", "quit") == [
        "Working.",
        "→ rename(Cart.add, put)",
        "1 place to check was not changed",
        "Hunk 1, cart.py line 2, 1 line becomes 1, undecided.",
        "Hunk 2, uses.py line 5, 1 line becomes 1, undecided.",
        "Place 3, uses.py line 6, not changed: thing.add: the class of the object is not known.",
        "Done. 2 to decide.",
    ]


def test_words_decide_about_its_hunks(root: Path) -> None:
    said = spoken(root, "/rename Cart.add put", "accept all", "write", "quit")
    assert "wrote 2 hunks to cart.py, uses.py" in said
    assert "cart.put(1)\n    thing.add(2)" in (root / "uses.py").read_text()


def test_what_a_part_of_an_edit_would_break_is_said_before_it_is_written(root: Path) -> None:
    said = spoken(root, "/rename Cart.add put", "accept 1", "write", "quit")
    assert said[-2].startswith("Hunk 1 without the rest of its edit breaks uses.py:5:")
    assert said[-1] == "Say write again to write it."
    assert (root / "cart.py").read_text() == CART
    assert "wrote 1 hunk to cart.py" in spoken(
        root, "/rename Cart.add put", "accept 1", "write", "write", "quit"
    )


def test_a_written_hunk_is_taken_out_of_its_file(root: Path) -> None:
    said = spoken(root, "/rename Cart.add put", "accept all", "write", "reopen 2", "quit")
    assert "undid uses.py" in said
    assert (root / "uses.py").read_text() == USES
    assert "def put" in (root / "cart.py").read_text()


def test_a_refusal_offers_commands_and_a_number_takes_one(root: Path) -> None:
    said = spoken(root, "/rename Cart.ad put", "/take 1", "quit")
    assert said[:3] == ["Error: no symbol Cart.ad.", "1: /rename Cart.add put", "Say /take and a number."]
    assert "→ rename(Cart.add, put)" in said


def test_nothing_can_be_taken_that_was_not_offered(root: Path) -> None:
    assert "nothing with this number was offered" in spoken(root, "/take 2", "quit")[0]


def test_the_operations_are_listed(root: Path) -> None:
    said = spoken(root, "/refactor", "quit")
    assert any(line.startswith("to_dataclass ") for line in said)
