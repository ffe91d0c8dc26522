"""Known servers: their addresses, protocols and the variables of their keys, from `presets.toml`."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from urllib.parse import urlsplit

from spark_tui.tables import read_table


@dataclass(frozen=True, slots=True)
class Preset:
    """A server that `--connect NAME` names. `key` is a variable of the environment; empty: it needs none."""

    name: str
    address: str
    api: str
    key: str = ""
    note: str = ""

    @property
    def host(self) -> str:
        return (urlsplit(self.address).hostname or "").lower()


@functools.cache
def all_presets() -> tuple[Preset, ...]:
    """In the order of the file."""
    return tuple(Preset(name, **row) for name, row in read_table(__file__, "presets.toml").items())


def find(name: str) -> Preset | None:
    return next((preset for preset in all_presets() if preset.name == name.strip().lower()), None)


def of_host(host: str) -> Preset | None:
    """The preset of a host on the network; local servers have no fixed place."""
    return next((preset for preset in all_presets() if preset.host == host.lower() and preset.key), None)


def protocol_of(host: str) -> str:
    """The protocol of a host that does not say it."""
    preset = of_host(host)
    return preset.api if preset else "chat"
