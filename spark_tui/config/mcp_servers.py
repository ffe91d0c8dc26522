"""`[mcp.servers.NAME]` in the settings: programs whose tools a connected model may call."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from spark_tui.errors import ConfigError

KEY = "mcp.servers"
_NAME = re.compile(r"[A-Za-z0-9_-]{1,30}")


@dataclass(frozen=True)
class ServerConfig:
    """A server: `command` with its `args` on this machine, or the `url` of one over HTTP."""

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    url: str = ""
    seconds: float = 30.0
    """So long the server may take to start, and for each call."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Sent with each request to the url, such as a token."""

    def __str__(self) -> str:
        return self.url or shlex.join((self.command, *self.args))


def read_servers(table: Mapping[str, Any], where: str) -> dict[str, ServerConfig]:
    """The servers of a table. Raises ConfigError."""
    return {name: _server(name, entry, where) for name, entry in table.items()}


def _server(name: str, entry: Any, where: str) -> ServerConfig:
    key = f"{KEY}.{name}"
    if not _NAME.fullmatch(name):
        hint = "Use up to 30 letters, digits, - and _."
        raise ConfigError(f"`{key}` is not a valid name for a server", where=where, hint=hint)
    if isinstance(entry, ServerConfig):
        return entry
    if isinstance(entry, str):
        entry = _of_line(entry, key, where)
    if not isinstance(entry, dict):
        hint = f'Write [{key}] and below it command = "…" or url = "…".'
        raise ConfigError(f"`{key}` must be a table or a string, not {entry!r}", where=where, hint=hint)
    for one in entry:
        if one not in _KINDS:
            near = difflib.get_close_matches(one, _KINDS, 1, 0.5)
            hint = f"Did you mean `{near[0]}`?" if near else f"A server has {', '.join(_KINDS)}."
            raise ConfigError(f"unknown setting `{key}.{one}`", where=where, hint=hint)
    values = dict(entry)
    for one, value in values.items():
        fits, kind = _KINDS[one]
        if not fits(value):
            raise ConfigError(f"`{key}.{one}` must be {kind}", where=where)
    if bool(values.get("command")) == bool(values.get("url")):
        hint = "A command is started here; a url is that of a server that runs already."
        raise ConfigError(f"`{key}` needs a command or a url, and not both", where=where, hint=hint)
    if values.get("headers") and not values.get("url"):
        raise ConfigError(f"`{key}.headers` needs a url", where=where, hint="A command has env.")
    values["args"] = tuple(values.get("args", ()))
    return ServerConfig(name, **values)


def _of_line(text: str, key: str, where: str) -> dict[str, Any]:
    """A server in one line: its address, or its command with arguments."""
    if re.match(r"https?://", text):
        return {"url": text}
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ConfigError(f"`{key}` is not a command: {error}", where=where) from None
    return {"command": words[0], "args": words[1:]} if words else {}


def _are_strings(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _is_table(values: Any) -> bool:
    return isinstance(values, dict) and _are_strings(list(values.values()))


def _is_duration(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "command": (lambda value: isinstance(value, str), "a string"),
    "url": (lambda value: isinstance(value, str), "a string"),
    "args": (_are_strings, "a list of strings"),
    "env": (_is_table, "a table of strings"),
    "headers": (_is_table, "a table of strings"),
    "seconds": (_is_duration, "a number above 0"),
}
