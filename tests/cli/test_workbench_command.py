from __future__ import annotations

import argparse
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from spark_tui.cli.commands import workbench
from spark_tui.errors import NoPlace


def spark(*words: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "spark_tui", *words],
        cwd=cwd,
        env={**os.environ, **environ},
        input="",
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_terminal_it_says_what_works_without_one(tmp_path: Path) -> None:
    done = spark(cwd=tmp_path)
    assert done.returncode == 7
    assert "needs a terminal" in done.stderr
    assert "spark exec" in done.stderr


@pytest.mark.parametrize(
    ("term", "encoding", "size", "told"),
    [
        ("dumb", "utf-8", (24, 80), "TERM is dumb"),
        ("xterm", "UTF8", (10, 40), "too small: 40×10"),
        ("xterm", "ascii", (24, 80), "the locale is ascii"),
        ("xterm", "latin-1", (24, 80), "the locale is iso8859-1"),
    ],
)
def test_a_terminal_that_cannot_hold_the_screen_is_refused_with_a_hint(
    monkeypatch: pytest.MonkeyPatch, term: str, encoding: str, size: tuple[int, int], told: str
) -> None:
    main, other = pty.openpty()
    with os.fdopen(other, "w", encoding=encoding) as terminal, os.fdopen(main):
        monkeypatch.setenv("TERM", term)
        monkeypatch.setattr(sys, "stdin", terminal)
        monkeypatch.setattr(sys, "stdout", terminal)
        monkeypatch.setattr(sys, "stderr", terminal)
        monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((size[1], size[0])))
        with pytest.raises(NoPlace, match=told) as caught:
            workbench.check_terminal()
    assert caught.value.hint


def test_a_small_terminal_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    main, other = pty.openpty()
    with os.fdopen(other, "w", encoding="utf-8") as terminal, os.fdopen(main):
        monkeypatch.setenv("TERM", "xterm")
        for name in ("stdin", "stdout", "stderr"):
            monkeypatch.setattr(sys, name, terminal)
        monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((40, 12)))
        workbench.check_terminal()


def test_a_screen_that_would_be_drawn_into_a_file_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    main, other = pty.openpty()
    with (
        os.fdopen(other, "w", encoding="utf-8") as terminal,
        os.fdopen(main),
        (tmp_path / "log").open("w") as log,
    ):
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setattr(sys, "stdin", terminal)
        monkeypatch.setattr(sys, "stdout", terminal)
        monkeypatch.setattr(sys, "stderr", log)
        monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((120, 40)))
        with pytest.raises(NoPlace, match="standard error"):
            workbench.check_terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        workbench.check_terminal()


def test_the_escape_delay_is_set_for_the_import_and_for_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ESCDELAY", raising=False)
    with workbench.escape_delay(20):
        assert os.environ["ESCDELAY"] == "20"
    assert "ESCDELAY" not in os.environ
    monkeypatch.setenv("ESCDELAY", "77")
    with workbench.escape_delay(20):
        pass
    assert os.environ["ESCDELAY"] == "77"


def test_the_flags_do_not_load_textual() -> None:
    code = (
        "import argparse, sys; from spark_tui.cli.commands import workbench;"
        "workbench.add_arguments(argparse.ArgumentParser());"
        "print([m for m in sys.modules if m.split('.')[0] in ('textual', 'numpy', 'rich')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_first_frame_waits_for_nothing_that_it_does_not_show() -> None:
    late = ("numpy", "spark_tui.backends", "spark_tui.session", "spark_tui.engine", "spark_tui.context")
    late += ("spark_tui.tui.tour", "spark_tui.tui.screens.pickers.picker", "spark_tui.tui.screens.overlays")
    code = f"import sys, spark_tui.tui.app; print([m for m in {late} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_flags_of_the_screen_reach_the_settings() -> None:
    parser = argparse.ArgumentParser()
    workbench.add_arguments(parser)
    args = parser.parse_args(["--theme", "ember", "--no-mouse", "--demo"])
    assert getattr(args, "ui.theme") == "ember"
    assert getattr(args, "ui.mouse") is False
    assert args.demo
