"""Fixtures of the journeys: the shop, and `start`, which runs spark in it with recordings as the model."""

from __future__ import annotations

import contextlib
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.held_streams import Far, Gated, Served, held
from support.serving import serving
from support.tmux_terminal import Shop, Start, Terminal

from spark_tui.backends import recording
from spark_tui.backends.replay import ReplayBackend
from spark_tui.config import paths


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


@pytest.fixture
def far() -> Iterator[Far]:
    """`far("x")` is a server that plays the recordings and waits after this text until its gate is open.

    Asked for before `start`, so that nobody listens any more when it ends.
    """
    with contextlib.ExitStack() as stack:

        def begin(behind: str) -> Served:
            model = Gated(ReplayBackend(recording.load_all(paths.recordings_dir())), behind)
            return Served(stack.enter_context(serving(model)).url, model.gate)

        yield begin


@pytest.fixture
def start(tmp_path: Path, shop: Shop) -> Iterator[Start]:
    """`start("--pace", "200", size=(80, 24))` runs `spark` in the shop.

    `hold=(name, text)` plays a recording that waits for ever after this text; it has come there when the
    text is on the screen with `▊` after it, and not before. `stretch=(name, text, rate)` plays one that is
    as slow as this from there on; `live` takes the model that the package carries, or the one that a flag
    names; `in_a_shell` makes it a job of one.
    """
    if shutil.which("tmux") is None:
        pytest.skip("needs tmux")
    opened: list[Terminal] = []

    def begin(
        *flags: str,
        size: tuple[int, int] = (120, 36),
        recording: str = "",
        hold: tuple[str, str] | None = None,
        stretch: tuple[str, str, float] | None = None,
        environ: dict[str, str] | None = None,
        live: bool = False,
        in_a_shell: bool = False,
    ) -> Terminal:
        folder = tmp_path / f"terminal-{len(opened)}"
        folder.mkdir()
        variables = {
            "HOME": str(tmp_path),
            "LC_ALL": "C.UTF-8",
            "COLORTERM": "truecolor",
            **{f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("CONFIG", "STATE", "CACHE")},
            **(environ or {}),
        }
        recordings = paths.recordings_dir()
        if hold:
            recordings = held(folder / "recordings", *hold)
        elif stretch:
            recordings = held(folder / "recordings", stretch[0], stretch[1], rate=stretch[2])
        played = recordings / (f"{recording}.jsonl" if recording else "")
        model = [] if live else ["--replay", str(played)]
        command = [sys.executable, "-m", "spark_tui", *model, *flags]
        typed, shell = shlex.join(command), ["bash", "--norc", "--noprofile", "-i"]
        terminal = Terminal(shell if in_a_shell else command, shop.root, size, variables)
        opened.append(terminal)
        if in_a_shell:
            terminal.until(lambda text: text.rstrip().endswith(("$", "#")), "a prompt of the shell")
            terminal.enter(typed)
        terminal.until(lambda text: "opening" not in text and "✦ spark" in text, "an open session")
        return terminal

    yield begin
    for terminal in opened:
        terminal.close()
