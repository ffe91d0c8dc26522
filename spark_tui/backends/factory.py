"""Choose the backend that the settings name, and import only that one.

If none can be used, `NoBackend` says how to fix it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from spark_tui.backends.base import Backend
from spark_tui.backends.local.load_progress import progress_bar
from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.errors import ConfigError, NoBackend

if TYPE_CHECKING:
    from spark_tui.backends.local.backend import LocalBackend
    from spark_tui.backends.remote.backend import Api, RemoteBackend

Progress = Callable[[int, int], None]
"""Bytes of weights that are read, and of how many."""


def create_backend(settings: Settings, *, demo: bool = False, progress: Progress | None = None) -> Backend:
    """A recording where one is named, else a server, else the named model, else the built-in one. Where the
    package carries none, the demo plays recordings. Without a `progress` of the caller's, weights are counted
    on stderr where that is a terminal."""
    if settings.replay:
        return _replay(Path(settings.replay), settings)
    if settings.connect:
        return create_remote(settings)
    if model := settings.model or next(iter(built_in_models()), ""):
        return create_local(model, settings, progress=progress)
    if demo:
        return _replay(paths.recordings_dir(), settings)
    raise NoBackend(
        "this installation has no built-in model",
        hint="Play a recording with --replay, or try `spark --demo`. `spark doctor` says more.",
    )


def create_local(model: str, settings: Settings, *, progress: Progress | None = None) -> LocalBackend:
    """A model on this machine, with the engine's settings."""
    from spark_tui.backends.local.backend import LocalBackend

    backend = LocalBackend.open(
        model,
        progress=progress or progress_bar(),
        fast=settings.fast,
        cache_bytes=settings.cache_mb << 20,
        rest_in=paths.cache_dir() / "pages" if settings.rest != "off" else None,
        exact_rest=settings.rest == "exact",
    )
    if progress is None:
        for note in backend.notes:
            print(f"spark: {note}", file=sys.stderr)
    return backend


def create_remote(settings: Settings) -> RemoteBackend:
    """The backend for the server of the settings. It does not contact the server."""
    from spark_tui.backends.remote.backend import RemoteBackend
    from spark_tui.backends.remote.prices import read_prices
    from spark_tui.backends.remote.retries import RetryLimits

    authority = str(Path(settings.authority).expanduser()) if settings.authority else ""
    if authority and not Path(authority).is_file():
        raise ConfigError("no such file", where=f"model.authority ({authority})", hint="Name a PEM file.")
    address, api = server_of(settings)
    return RemoteBackend(
        address,
        settings.model,
        api=cast("Api", api),
        formats=settings.formats,
        authority=authority,
        stall_seconds=settings.stall_seconds,
        first_token_seconds=settings.first_token_seconds,
        effort=settings.effort,
        prices=read_prices(settings.prices),
        retries=RetryLimits(longest_seconds=settings.retry_seconds),
    )


def server_of(settings: Settings) -> tuple[str, str]:
    """Address and protocol of the server of the settings: an address as it stands, the user's own name for
    one (`model.servers`), or the name of a preset."""
    from spark_tui.backends.remote import presets

    if address := settings.servers.get(settings.connect):
        return address, settings.api
    preset = presets.find(settings.connect)
    if preset is None:
        return settings.connect, settings.api
    return preset.address, preset.api if settings.api == "auto" else settings.api


def built_in_models() -> list[str]:
    """Names of the models that this package carries."""
    return sorted(path.parent.name for path in paths.models_dir().glob("*/config.json"))


def _replay(path: Path, settings: Settings) -> Backend:
    from spark_tui.backends import recording
    from spark_tui.backends.replay import ReplayBackend, parse_pace

    return ReplayBackend(recording.load_all(path), parse_pace(settings.pace))
