"""Copies text through the terminal (OSC 52) and through the clipboard program of the machine.

Both are used, because a terminal does not report whether it accepted OSC 52.
"""

from __future__ import annotations

import base64
import contextlib
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence

SECONDS = 2.0
MOST_BYTES = 700_000
"""The limit of OSC 52: terminals drop longer text, and some hang."""
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
    """Run them; failures and timeouts are ignored. Not for the event loop."""
    data = text.encode("utf-8", "replace")
    for command in commands(environ, find):
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            quiet = subprocess.DEVNULL
            subprocess.run(command, input=data, stdout=quiet, stderr=quiet, timeout=SECONDS, check=False)
