"""Whether the packages of the extra `[mcp]` are installed. Imports none of them."""

from __future__ import annotations

import importlib.util

from spark_tui.errors import NoBackend


def check_installed() -> None:
    """Raises `NoBackend` where the extra is missing, with the command that installs it."""
    for name in ("mcp", "mcp_types", "starlette", "uvicorn"):
        if importlib.util.find_spec(name) is None:
            what = f"the MCP server needs a package that is not installed ({name})"
            raise NoBackend(what, hint="pip install 'spark-tui[mcp]'")
