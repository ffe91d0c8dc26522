"""An answer that breaks something elsewhere, in a real terminal: the mark, what it says, the jump."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.recordings import write_recording
from support.tmux_terminal import Start

pytestmark = pytest.mark.terminal

TAKES_A_GIFT = "*** shop/cart.py\n@@ 19,20\n+    def add(self, sku, qty, gift):\n"


@pytest.mark.parametrize("key", ["F12", "C-]"])
def test_a_hunk_that_breaks_a_caller_leads_to_it(start: Start, tmp_path: Path, key: str) -> None:
    terminal = start("--replay", str(write_recording(tmp_path / "gift", TAKES_A_GIFT)), live=True)
    terminal.enter("every item may be a gift")
    terminal.until("hunk 1 breaks shop/cli.py:59: cart.add(…) does not fit")
    terminal.press("Tab")
    terminal.until("F12 what breaks")
    terminal.press(key)
    screen = terminal.until("cart.add(sku, qty)")
    assert "? 1  L19" in screen and "breaks shop/cli.py:59" in screen.splitlines()[-2]
    terminal.press(key)
    terminal.until('cart.add("tea")')
    terminal.press("n")
    terminal.until("def add(self, sku, qty, gift):")
    terminal.type("a")
    terminal.until("✓1")
    terminal.press("C-q")
    terminal.press("C-q")
