"""The journeys of a person who types: into a file, under the model's hunks, with ghost text, in a real
terminal."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.held_streams import Far
from support.tmux_terminal import Shop, Start, Terminal

from spark_tui.config import paths

pytestmark = pytest.mark.terminal

GUARD = "raise ValueError in `add` when the quantity is below 1"
CART = "shop/cart.py"


def open_cart(terminal: Terminal) -> None:
    terminal.press("Tab")
    terminal.until("f open")
    terminal.type("f")
    terminal.until("open ›")
    terminal.type("cartpy")
    terminal.until("▸ shop/cart.py")
    terminal.press("Enter")
    terminal.until("class Cart")


def test_a_person_types_pastes_saves_and_undoes_it(start: Start, shop: Shop) -> None:
    terminal, before = start(), shop.read(CART)
    open_cart(terminal)
    terminal.type("i")
    terminal.until("Esc leave")
    terminal.enter("# mine")
    terminal.until("Ctrl+S save")
    terminal._tmux("set-buffer", "# one\n# two\f\n")
    terminal.paste()
    terminal.until("# two")
    assert shop.read(CART) == before, "nothing is saved yet"
    terminal.press("Escape")
    terminal.until("not saved")
    terminal.press("C-q")
    terminal.until("not saved: shop/cart.py")
    terminal.press("C-s")
    terminal.until("saved shop/cart.py")
    assert shop.read(CART) == "# mine\n# one\n# two\f\n" + before
    terminal.type("u")
    terminal.until("undid shop/cart.py")
    assert shop.read(CART) == before
    terminal.quit()


def test_pasted_bytes_that_are_no_utf_8_end_nothing(start: Start, shop: Shop) -> None:
    terminal, file = start(), shop.root / "pasted"
    file.write_bytes(b"caf\xe9 \xff\xfe")
    terminal.until("Say below")
    terminal._tmux("load-buffer", str(file))
    terminal.paste()
    terminal.until("caf\N{REPLACEMENT CHARACTER} ")
    terminal.type("ok")
    terminal.until("ok")
    terminal.quit()


def test_bytes_that_were_not_typed_are_what_they_were(start: Start, shop: Shop) -> None:
    odd = b"\xef\xbb\xbfa = 1\r\nb = 2\n\x0cc\xff = 3\rlast\xe2\x80\xa8line"
    (shop.root / "odd.py").write_bytes(odd)
    terminal = start()
    terminal.press("Tab")
    terminal.until("f open")
    terminal.type("f")
    terminal.until("open ›")
    terminal.type("odd.py")
    terminal.until("▸ odd.py")
    terminal.press("Enter")
    terminal.until("b = 2")
    terminal.type("i")
    terminal.until("Esc leave")
    terminal.press("Down", "End")
    terminal.type("!")
    terminal.until("b = 2!")
    terminal.press("C-s")
    terminal.until("saved odd.py")
    assert (shop.root / "odd.py").read_bytes() == odd.replace(b"b = 2", b"b = 2!")


def test_typing_under_a_hunk_that_streams_moves_or_marks_it_and_never_misplaces_it(
    far: Far, start: Start, shop: Shop
) -> None:
    before = shop.read(CART)
    model = far("if qty < 1:")
    terminal = start("--connect", model.url, live=True, size=(90, 40))
    terminal.enter(GUARD)
    terminal.until("if qty < 1:▊")
    terminal.press("BTab")
    terminal.until("n next")
    terminal.type("gi")
    terminal.until("Esc stop")
    terminal.until("Ctrl+Z undo")
    terminal.enter("# mine")
    terminal.until("# mine")
    model.gate.set()
    terminal.until("✓ done")
    terminal.until("● 21 ▌+")
    terminal.press("Escape")
    terminal.until("a accept")
    terminal.type("na")
    terminal.until("✓1")
    terminal.type("w")
    terminal.until("wrote 1 hunk")
    written = shop.read(CART)
    assert "# mine" not in written
    assert "        if qty < 1:" in written
    terminal.press("C-s")
    terminal.until("saved shop/cart.py")
    assert shop.read(CART) == "# mine\n" + written
    terminal.type("u")
    terminal.until("undid shop/cart.py")
    terminal.wait(lambda: shop.read(CART) == written, "the typing is out, the hunk stays")
    terminal.type("u")
    terminal.wait(lambda: shop.read(CART) == before, "the hunk is out, too")


def test_ghost_text_is_shown_dim_taken_by_tab_and_hidden_by_esc(
    start: Start, shop: Shop, tmp_path: Path
) -> None:
    folder = tmp_path / "recordings"
    shutil.copytree(paths.recordings_dir(), folder)
    header = {"spark_recording": 1, "name": "ghost", "instruction": "\nzot", "format": "fill"}
    piece = {"t": 0.0, "text": "al = Decimal(0)\n"}
    (folder / "ghost.jsonl").write_text(
        json.dumps(header) + "\n" + json.dumps(piece) + "\n", encoding="utf-8"
    )
    terminal = start("--replay", str(folder))
    open_cart(terminal)
    terminal.type("i")
    terminal.until("Esc leave")
    terminal.press("End", "Enter")
    terminal.type("zot")
    terminal.until("zotal = Decimal(0)")
    terminal.until("Tab take")
    terminal.press("Escape")
    terminal.until(
        lambda text: "zotal" not in text and "Esc leave" in text, "the ghost is hidden, typing goes on"
    )
    terminal.press("BSpace")
    terminal.until(lambda text: "zot" not in text, "a letter less")
    terminal.type("t")
    terminal.until("zotal = Decimal(0)")
    terminal.press("Tab")
    terminal.until("Ctrl+S save")
    terminal.press("C-s")
    terminal.until("saved shop/cart.py")
    assert shop.read(CART).split("\n")[1] == "zotal = Decimal(0)"
