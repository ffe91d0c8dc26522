"""The journeys of a person with a connected model, in a real terminal: tools, a stop inside an edit, a check,
and work that is handed to a job."""

from __future__ import annotations

import json

import pytest
from support.scripted_model import STALL, Answer, Call, ScriptedModel
from support.tmux_terminal import Shop, Start

pytestmark = pytest.mark.terminal

OLD = "        item = self.inventory.get(sku)\n        self.lines[item.sku]"
GUARD = "        if qty < 1:\n            raise {}(qty)\n"
CHECK = "python3 -m unittest -q"


def edit(new: str, cut: str = "", old: str = OLD) -> Call:
    """An edit of the cart; `cut` is the text at which its arguments break off."""
    whole = json.dumps({"path": "shop/cart.py", "old": old, "new": new + old})
    arguments = whole[: whole.index(cut) + len(cut)] if cut else whole
    return Call("edit", arguments, whole=not cut)


def test_it_looks_and_edits_is_stopped_inside_an_edit_and_told_better(start: Start, shop: Shop) -> None:
    script = (
        Answer(Call("search", '{"pattern": "def add"}')),
        Answer(Call("read_file", '{"path": "shop/cart.py", "first": 18, "last": 24}')),
        Answer("I guard it.\n", edit(GUARD.format("IndexError"), cut="IndexErr"), STALL),
        Answer(edit(GUARD.format("ValueError"))),
        Answer("It is guarded now.\n"),
    )
    with ScriptedModel(*script) as server:
        terminal = start("--connect", server.url, "--model", "m", live=True)
        terminal.enter("guard add against a quantity below 1")
        terminal.until("raise IndexErr▊")
        seen = terminal.screen()
        assert "search" in seen and "read_file" in seen
        terminal.press("Escape")
        terminal.until("◐ stopped")
        terminal.enter("a ValueError, please")
        terminal.until("It is guarded now.")
        terminal.until("✓ done")
        told = json.dumps(server.bodies[-2]["messages"])
        assert "def add" in told and "a ValueError, please" in told
    terminal.press("Tab")
    terminal.until("a accept")
    terminal.accept_and_write()
    assert GUARD.format("ValueError") + OLD in shop.read("shop/cart.py")
    assert "IndexError" not in shop.read("shop/cart.py")
    terminal.press("Escape")
    terminal.until("Tab ")
    terminal.enter(f"/check {CHECK}")
    terminal.until("passed, no problems")


def test_what_is_delegated_comes_back_into_the_same_review_with_its_conflict(
    start: Start, shop: Shop
) -> None:
    look_up = OLD.replace("inventory.get", "find")
    script = (
        Answer(Call("edit", json.dumps({"path": "shop/cart.py", "old": OLD, "new": look_up}))),
        Answer("I look it up.\n"),
        Answer(Call("read_file", '{"path": "shop/cart.py"}')),
        Answer(edit(GUARD.format("ValueError"))),
        Answer("Done.\n"),
    )
    with ScriptedModel(*script) as server:
        terminal = start("--connect", server.url, "--model", "m", live=True)
        terminal.enter("look it up by a method")
        terminal.until("✓ done")
        before = shop.read("shop/cart.py")
        terminal.enter("/delegate guard add in shop/cart.py")
        terminal.until("job 1 works on it")
        terminal.until("job 1 is back")
        terminal.until("●2")
    terminal.press("Tab")
    terminal.until("a accept")
    terminal.until("conflict: hunk 1 (look it up by a method)")
    assert shop.read("shop/cart.py") == before
    terminal.type("A")
    terminal.until("1 marked hunk was not accepted")
    terminal.type("A")
    terminal.until("hunk 1 is rejected: hunk 2 takes its lines")
    terminal.type("w")
    terminal.until("■")
    assert "raise ValueError(qty)" in shop.read("shop/cart.py")
    assert look_up not in shop.read("shop/cart.py")
