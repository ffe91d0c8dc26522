"""Addresses of which only a part changes."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.names import key

_KNOWN = ("http", "https", "ws", "wss", "ftp", "ftps", "sftp", "redis", "rediss", "postgres", "postgresql")


def with_scheme(old: ast.AST | None, said: str) -> str | None:
    """An address with another scheme, where no more than that is said: `https`."""
    shown = old.value if isinstance(old, ast.Constant) and isinstance(old.value, str) else ""
    scheme = key(said.removesuffix("://"))
    found = re.match(r"([a-z][a-z+]*)://", shown)
    return scheme + shown[len(found[1]) :] if found and scheme in _KNOWN else None
