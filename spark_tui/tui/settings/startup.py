"""What the workbench is given before a session is open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from spark_tui.config import settings as config
from spark_tui.config.settings import LoadedSettings, Settings
from spark_tui.events import Event
from spark_tui.tui.settings.live_settings import LiveSettings
from spark_tui.tui.settings.model_switch import Open, open_ready

if TYPE_CHECKING:
    from spark_tui.session.session import Session


@dataclass(frozen=True)
class Startup:
    """What is known before the session is: where, with which settings and from where they come, how to open
    it, how to open another model, and how to read the settings again."""

    root: Path
    settings: Settings
    open: Callable[[], Session]
    origin: Mapping[str, str] = field(default_factory=dict)
    tour: bool = False
    past: Callable[[], Iterable[Event]] = tuple
    """What happened in a kept session before, once it is open."""
    open_model: Open = open_ready
    load: Callable[[], LoadedSettings] | None = None
    shared_root: Path | None = None
    """The repository whose settings file counts."""
    shown: tuple[str, int] = ("", 0)
    """The file to show, from the root, and its line; 0 for the first."""

    def preferences(self) -> LiveSettings:
        loaded = LoadedSettings(self.settings, self.origin, ())
        return LiveSettings(loaded, self.load or (lambda: config.load(self.shared_root)), self.shared_root)


@dataclass(frozen=True)
class Reopen:
    """The result of an app that is to be followed by one with another session."""

    session_id: str
