"""The settings and the backend that a session uses now."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from spark_tui.backends.base import Backend
from spark_tui.config.settings import Settings


@dataclass(slots=True)
class ModelSetup:
    """The parts of a session share one, so that a change of the model or the settings reaches all of them."""

    settings: Settings
    backend: Backend

    def begin(self, stop: threading.Event) -> None:
        """A turn begins. Where its backend waits for a server to say what it is, that ends at `stop`."""
        if (begins := getattr(self.backend, "stop_with", None)) is not None:
            begins(stop)
