"""The settings while the workbench runs: the values in force, and writing one to the file that the person
chose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from spark_tui.config import paths, settings
from spark_tui.config.settings import LoadedSettings, Settings

LATER = frozenset(("ui.escdelay_ms", "edit.max_file_bytes"))
"""Take effect at the next start."""
_ASKED_EACH_TIME = ("model.folders", "model.servers", "model.max_tokens")
OF_THE_MODEL = {
    key
    for key in settings.field_names()
    if key.startswith(("model.", "engine.")) and key not in _ASKED_EACH_TIME
}
"""A change of these opens the model again."""


class LiveSettings:
    """What `load` gives, and the two files that can be written."""

    def __init__(self, loaded: LoadedSettings, load: Callable[[], LoadedSettings], root: Path | None) -> None:
        self.loaded = loaded
        self._load = load
        self._root = root

    @property
    def can_share(self) -> bool:
        """Whether there is a repository whose file could be written."""
        return self._root is not None

    def file(self, shared: bool) -> Path:
        if shared and self._root is not None:
            return paths.repository_config_file(self._root)
        return paths.user_config_file()

    def put(self, key: str, value: Any, *, name: str = "", shared: bool = False) -> None:
        """Write it, and load again. Raises the SparkError of a failure; then nothing has changed."""
        if key == "model.pace":
            from spark_tui.backends.replay import parse_pace

            parse_pace(str(value))
        from spark_tui.session import settings_file  # loaded when a setting is written

        settings_file.put(self.file(shared), key, value, name=name, shared=shared, root=self._root)
        self.loaded = self._load()

    def drop(self, key: str, *, name: str = "", shared: bool = False) -> None:
        from spark_tui.session import settings_file

        settings_file.drop(self.file(shared), key, name=name, shared=shared, root=self._root)
        self.loaded = self._load()


def changed(before: Settings, after: Settings) -> dict[str, Any]:
    """The settings whose value differs, with the new value."""
    names = settings.field_names()
    return {
        key: getattr(after, name)
        for key, name in names.items()
        if getattr(before, name) != getattr(after, name)
    }


def applied_live(now: Settings, before: Settings, after: Settings) -> Settings:
    """The settings in force, with the values that changed. What a flag or `/model` has chosen for this run
    stays."""
    names = settings.field_names()
    return replace(now, **{names[key]: value for key, value in changed(before, after).items()})


def change_message(key: str, loaded: LoadedSettings, file: Path) -> str:
    """The message after a value was written to a file: what overrides it, or that it takes effect later."""
    origin = loaded.origin.get(key, "")
    if origin and origin != str(file):
        return f"saved, but {origin} overrides it"
    return "takes effect at the next start" if key in LATER else ""


def kind_of(key: str) -> str:
    """The type in a word."""
    kinds = {bool: "yes or no", int: "number", tuple: "list", dict: "table"}
    return kinds.get(type(settings.default_of(key)), "choice" if settings.choices_of(key) else "text")
