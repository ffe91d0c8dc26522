"""Copying: through the terminal (OSC 52), and beside it through whatever the machine has for it.

A terminal does not say whether it took OSC 52, so both ways are gone. Comes in: text, the environment. Goes
out: the sequence for the terminal, and calls of `tmux`, `wl-copy`, `xclip`, `xsel` or `pbcopy` where they are
there. Must not know: widgets, what is copied.
"""

from __future__ import annotations

import base64
import contextlib
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence

SECONDS = 2.0
MOST_BYTES = 700_000
"""Of OSC 52: terminals drop what is longer, and some hang on it."""
Find = Callable[[str], str | None]


def sequence(text: str) -> str:
    """OSC 52; empty where the text is too long for it."""
    data = text.encode("utf-8", "replace")
    return "" if len(data) > MOST_BYTES else f"\x1b]52;c;{base64.b64encode(data).decode()}\x07"


def commands(environ: Mapping[str, str], find: Find = shutil.which) -> list[Sequence[str]]:
    """The commands that this machine copies with."""
    wanted = [
        (environ.get("TMUX"), ("tmux", "load-buffer", "-w", "-")),
        (environ.get("WAYLAND_DISPLAY"), ("wl-copy",)),
        (environ.get("DISPLAY"), ("xclip", "-selection", "clipboard")),
        (environ.get("DISPLAY"), ("xsel", "--clipboard", "--input")),
        ("always", ("pbcopy",)),
    ]
    return [command for there, command in wanted if there and find(command[0])]


def copy_beside(text: str, environ: Mapping[str, str], find: Find = shutil.which) -> None:
    """Run them; one that fails or hangs is left alone. Not for the event loop."""
    data = text.encode("utf-8", "replace")
    for command in commands(environ, find):
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            quiet = subprocess.DEVNULL
            subprocess.run(command, input=data, stdout=quiet, stderr=quiet, timeout=SECONDS, check=False)
