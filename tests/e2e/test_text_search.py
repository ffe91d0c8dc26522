"""The journey of a person who looks for text in a file, in a real terminal: by keys alone, and with no
colour."""

from __future__ import annotations

import pytest
from support.tmux_terminal import Shop, Start

pytestmark = pytest.mark.terminal


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_text_is_found_gone_through_and_left_in_the_same_place(
    start: Start, shop: Shop, size: tuple[int, int]
) -> None:
    total = shop.read("shop/cart.py").lower().count("self")
    terminal = start(size=size, environ={"NO_COLOR": "1"})
    terminal.until("⎇ main")
    terminal.press("Tab")
    terminal.until("f open")
    terminal.type("f")
    terminal.until("open ›")
    terminal.type("cartpy")
    terminal.until("▸ shop/cart.py")
    terminal.press("Enter")
    terminal.until(lambda text: "class Cart" in text and "/ find" in text, "the file, and its keys")
    before = terminal.still()
    terminal.type("/self")
    terminal.until(f"/self▏ 1 of {total}")
    terminal.press("Up")
    terminal.until(f"/self▏ {total} of {total}, wrapped")
    terminal.press("Escape")
    terminal.until(lambda text: text == before, "the screen as it was before")
    terminal.type("/self")
    terminal.until(f"/self▏ 1 of {total}")
    terminal.press("Enter")
    terminal.until("n next match")
    terminal.type("nnN")
    terminal.until(f"/self  2 of {total}")
    assert "\x1b[7m" in terminal.screen(escapes=True) or "\x1b[1;7m" in terminal.screen(escapes=True)
    terminal.press("Escape")
    terminal.until(lambda text: "of " + str(total) not in text, "the search is over")
    terminal.press("C-f")
    terminal.until("/▏")
    terminal.type("def subtotal")
    terminal.until("/def subtotal▏ 1 of 1")
    terminal.press("Enter")
    terminal.until("Esc end the search")
    terminal.type("i")
    terminal.until("Ctrl+Z undo")
    terminal.type("# here ")
    terminal.press("C-s")
    terminal.until("saved shop/cart.py")
    assert "    # here def subtotal" in shop.read("shop/cart.py")
