"""Going on with another model, naming a symbol, and changing a setting, in a real terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.model_folder import write_model
from support.tmux_terminal import Shop, Start

from spark_tui.config import settings

pytestmark = pytest.mark.terminal

GUARD = "raise ValueError in `add` when the quantity is below 1"


def test_another_model_goes_on_in_the_same_session_and_one_that_fails_leaves_it(
    start: Start, shop: Shop, tmp_path: Path
) -> None:
    whole = write_model(tmp_path / "models" / "tiny")
    cut = write_model(tmp_path / "models" / "torn")
    (cut / "model.safetensors").write_bytes((cut / "model.safetensors").read_bytes()[:2000])
    written = tmp_path / "config" / "spark" / "config.toml"
    written.parent.mkdir(parents=True)
    written.write_text(f'# mine\n[model]\nfolders = ["{whole.parent}"]\n')
    terminal = start("--pace", "unlimited")
    terminal.enter(GUARD)
    terminal.until("✓ done")
    terminal.type("/model")
    terminal.until("command › model")
    terminal.press("Enter")
    terminal.until(lambda text: "tiny" in text and "torn" in text and "recordings" in text, "the models")
    terminal.type("torn")
    terminal.until("› torn▏")
    terminal.press("Enter")
    terminal.until(
        lambda text: "torn cannot be used" in text and "+         if qty < 1:" in text, "all as it was"
    )
    terminal.press("F7")
    terminal.until(lambda text: "tiny" in text and "Ctrl+S" in text, "the models")
    terminal.type("tiny")
    terminal.until("› tiny▏")
    terminal.press("C-s")
    terminal.until("tiny answers from now on")
    terminal.until("saved, but the command line overrides it")
    proposed = lambda text: "local · tiny" in text and "+         if qty < 1:" in text  # noqa: E731
    terminal.until(proposed, "the other model, and what was proposed stays")
    assert written.read_text().startswith("# mine\n")
    assert f'name = "{whole}"' in written.read_text()
    terminal.press("Tab")
    terminal.until("a accept")
    terminal.accept_and_write()
    terminal.quit()


def test_a_symbol_is_named_by_its_letters(start: Start) -> None:
    terminal = start()
    terminal.type("guard @")
    terminal.until("file or symbol")
    terminal.type("cartadd")
    terminal.until("ƒ Cart.add")
    terminal.press("Enter")
    terminal.until("guard @shop/cart.py:19-")
    terminal.quit()


def test_a_setting_is_changed_on_the_screen_and_counts_in_the_next_run(start: Start, tmp_path: Path) -> None:
    terminal = start()
    terminal.press("F5")
    terminal.until("saving to your own file")
    terminal.press(*["Down"] * [key for key, *_ in settings.documented()].index("ui.theme"))
    terminal.until("the name of a theme file")
    terminal.press("Enter")
    terminal.until("ui.theme ›")
    terminal.type("paper")
    terminal.until("ui.theme › paper▏")
    terminal.press("Enter")
    terminal.until("saved in")
    assert 'theme = "paper"' in (tmp_path / "config" / "spark" / "config.toml").read_text()
    terminal.press("Escape")
    terminal.until("✦ spark")
    terminal.quit()
    again = start()
    again.press("F5")
    again.until("saving to your own file")
    again.press(*["Down"] * [key for key, *_ in settings.documented()].index("ui.theme"))
    again.until(
        lambda text: any("theme" in line and "paper" in line for line in text.split("\n")), "the theme"
    )
