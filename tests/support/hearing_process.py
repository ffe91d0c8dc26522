"""`spark` in a process of its own that hears the signals that end it.

A background job of a shell, which the tests may be, hears no SIGINT, and one under `nohup` no SIGHUP; what
they start neither.
"""

from __future__ import annotations

import sys

_BEGIN = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    "; signal.signal(signal.SIGHUP, signal.SIG_DFL)"
    "; from spark_tui.cli.main import main; raise SystemExit(main())"
)


def spark_that_hears(*words: str) -> list[str]:
    """The command that runs `spark` with these words."""
    return [sys.executable, "-c", _BEGIN, *words]
