"""`spark --screen-reader`: what is not written is named at the end, and is there when the session is opened
again."""

from __future__ import annotations

import io
import shlex
from pathlib import Path

import pytest
from support.small_repositories import committed

from spark_tui.cli.main import main

CART = "def add(qty=1):\n    return qty\n\n\ndef take(qty=1):\n    return qty\n"


def test_hunks_that_were_not_written_are_named_and_decided_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = committed(tmp_path / "shop", {"cart.py": CART})
    monkeypatch.chdir(root)

    def spoken(words: list[str], *lines: str) -> list[str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert main(words) == 0
        return capsys.readouterr().out.splitlines()

    said = spoken(["--screen-reader"], "change the default of qty in add to 5", "accept", "quit")
    start = "1 hunk is not written yet. To go on: spark "
    assert said[-1].startswith(start + "--screen-reader --session ")
    again = shlex.split(said[-1].removeprefix(start))
    said = spoken(again, "list", "reopen", "quit")
    assert said[1] == "1 hunk, 0 to decide. Say list for them."
    assert said[2] == "Hunk 1, cart.py line 1, 1 line becomes 1, accepted."
    assert said[3].endswith("undecided.") and said[-1].startswith(start)
    said = spoken(again, "accept", "write", "quit")
    assert said[-1] == "wrote 1 hunk to cart.py"
    assert (root / "cart.py").read_text() == CART.replace("qty=1", "qty=5", 1)
    assert spoken(again, "list", "undo", "quit")[1:] == ["No hunks.", "undid cart.py"]
    assert (root / "cart.py").read_text() == CART
