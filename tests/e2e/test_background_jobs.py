"""A job while the workbench is open: seen in the header, reviewed behind its key, and once more from a
shell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.tmux_terminal import Shop, Start

from spark_tui.config import paths

pytestmark = pytest.mark.terminal

GUARD = "raise ValueError in `add` when the quantity is below 1"


def test_what_a_job_brought_is_reviewed_written_and_opened_again(
    start: Start, shop: Shop, tmp_path: Path
) -> None:
    terminal = start(in_a_shell=True)
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("CONFIG", "STATE", "CACHE")}
    command = [sys.executable, "-m", "spark_tui"]
    subprocess.run(
        [*command, "work", GUARD, "--replay", str(paths.recordings_dir() / "cart-guard.jsonl"), "--wait"],
        cwd=shop.root,
        env={**os.environ, "HOME": str(tmp_path), **homes},
        capture_output=True,
        check=True,
    )
    before = (shop.root / "shop" / "cart.py").read_text()
    terminal.until("1 job to review: F8")
    terminal.press("F8")
    terminal.until("ready for review")
    terminal.press("Enter")
    terminal.until("1 of 1 done")
    assert (shop.root / "shop" / "cart.py").read_text() == before
    terminal.press("Tab")
    terminal.until("a accept")
    terminal.type("a")
    terminal.until("✓1")
    terminal.type("w")
    terminal.until("wrote")
    assert "ValueError" in (shop.root / "shop" / "cart.py").read_text()
    terminal.until(lambda text: "job to review" not in text, "a silent header")
    terminal.press("C-q")
    terminal.until(lambda text: "✦ spark" not in text, "the shell")
    terminal.until(lambda text: text.rstrip().endswith(("$", "#")), "a prompt of the shell")
    terminal.enter(f"{' '.join(command)} jobs review 1")
    terminal.until("1 of 1 done")
