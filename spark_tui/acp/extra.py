"""Whether the package of the extra `[acp]` is installed. Does not import it."""

from __future__ import annotations

import importlib.util

from spark_tui.errors import NoBackend


def check_installed() -> None:
    """Raises `NoBackend` where the extra is missing, with the command that installs it."""
    if importlib.util.find_spec("acp") is None:
        what = "the door for editors needs a package that is not installed (agent-client-protocol)"
        raise NoBackend(what, hint="pip install 'spark-tui[acp]'")
