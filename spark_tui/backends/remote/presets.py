"""Known servers: their addresses, protocols and the variables of their keys, from `presets.toml`."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from spark_tui.tables import read_table


@dataclass(frozen=True, slots=True)
class Preset:
    """A server that `--connect NAME` names. `key` is a variable of the environment; empty: it needs none. A
    `*` in its address is the user's to fill in."""

    name: str
    address: str
    api: str
    key: str = ""
    note: str = ""
    key_header: str = ""
    """The header of the key, where it is not that of the protocol."""
    more_hosts: Sequence[str] = ()

    @property
    def host(self) -> str:
        return (urlsplit(self.address).hostname or "").lower()

    def has(self, host: str) -> bool:
        return any(fnmatchcase(host.lower(), one) for one in (self.host, *self.more_hosts))


@functools.cache
def all_presets() -> tuple[Preset, ...]:
    """In the order of the file."""
    return tuple(Preset(name, **row) for name, row in read_table(__file__, "presets.toml").items())


def find(name: str) -> Preset | None:
    return next((preset for preset in all_presets() if preset.name == name.strip().lower()), None)


def of_host(host: str) -> Preset | None:
    """The preset of a host on the network; local servers have no fixed place."""
    return next((preset for preset in all_presets() if preset.has(host) and preset.key), None)


def protocol_of(host: str) -> str:
    """The protocol of a host that does not say it."""
    preset = of_host(host)
    return preset.api if preset else "chat"


def key_header_of(host: str, query: str = "") -> str:
    """The header that a host wants its key in; empty where that is the usual one. Gateways in front of Azure
    want what Azure does, and are known by the version in their addresses."""
    preset = of_host(host) or (find("azure") if "api-version=" in query else None)
    return preset.key_header if preset else ""
