"""Whether the packages of an optional extra are installed. Imports none of them."""

from __future__ import annotations

import importlib.util

from spark_tui.errors import NoBackend, install_command

_EXTRAS = {
    "acp": ("the agent for editors", {"acp": "agent-client-protocol"}),
    "mcp": ("the MCP server", {name: name for name in ("mcp", "mcp_types", "starlette", "uvicorn")}),
    "serve": ("the server", {name: name for name in ("starlette", "uvicorn", "websockets")}),
}
"""What needs an extra, and its modules with the packages that they come in."""


def check_installed(extra: str) -> None:
    """Raises `NoBackend` where the extra is missing, with the command that installs it."""
    who, modules = _EXTRAS[extra]
    for module, package in modules.items():
        if importlib.util.find_spec(module) is None:
            what = f"{who} needs a package that is not installed ({package})"
            raise NoBackend(what, hint=install_command(extra))
