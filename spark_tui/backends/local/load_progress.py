"""A progress bar on one line of stderr while weights load; it is erased at the end."""

from __future__ import annotations

import sys
from collections.abc import Callable

_BAR = 30


def progress_bar() -> Callable[[int, int], None] | None:
    """A progress bar on stderr while weights load; nothing if stderr is not a terminal."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        filled = _BAR * done // max(total, 1)
        end = "\r\x1b[K" if done >= total else ""
        print(
            f"\rreading {'█' * filled}{'░' * (_BAR - filled)} {done / 1e6:,.0f} MB{end}",
            end="",
            file=sys.stderr,
        )

    return show
