"""The selectors of a session: mode, model and, with a server, how long its model thinks."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from acp.schema import (
    ConfigOptionUpdate,
    CurrentModeUpdate,
    SessionConfigOptionSelect,
    SessionConfigSelectOption,
    SessionMode,
    SessionModeState,
)

from spark_tui.acp.protocol_errors import invalid
from spark_tui.backends import model_catalog
from spark_tui.backends.base import Backend
from spark_tui.backends.model_catalog import ModelOffer
from spark_tui.config.settings import Settings, choices_of
from spark_tui.errors import SparkError, without_query
from spark_tui.session.session import Session
from spark_tui.session.storage.turn_storage import write_atomically

Category = Literal["mode", "model", "thought_level"]
MODES = {
    "ask": "shows edits and writes nothing",
    "edit": "asks before it writes a file",
    "auto": "writes without asking what no check marked; asks about the rest",
}
_FILE = "editor.json"
"""In the folder of a session: a client that connects anew finds the options as it has set them."""
_OF_THE_MODEL = ("model", "connect", "replay", "effort")
_DEFAULT = "default"
"""The value of an effort that the settings leave to the server: a client may not send an empty one."""


class SessionOptions:
    """The options of one session and their values. `open_backend` opens the model of some settings."""

    def __init__(self, session: Session, open_backend: Callable[[Settings], Backend]) -> None:
        self._session, self._open_backend = session, open_backend
        stored = _stored(session.folder).get("mode", "")
        self._mode = stored if stored in MODES else "edit"
        self._offers: dict[str, ModelOffer] = {}
        self._add(model_catalog.local_models(session.settings))

    @property
    def mode(self) -> str:
        return self._mode

    @mode.setter
    def mode(self, mode: str) -> None:
        self._mode = mode
        self._keep(mode=mode)

    def all(self) -> list[SessionConfigOptionSelect]:
        """Every option with its value; the protocol asks for the whole list after each change."""
        settings = self._session.settings
        out = [
            _select(
                "mode", "Mode", "mode", self.mode, [(name, name.capitalize(), MODES[name]) for name in MODES]
            ),
            _select(
                "model",
                "Model",
                "model",
                self._model(),
                [(key, offer.name, offer.what) for key, offer in self._offers.items()],
            ),
        ]
        if settings.connect:
            efforts = [effort or _DEFAULT for effort in choices_of("model.effort")]
            named = [(effort, effort.capitalize(), "") for effort in efforts]
            out.append(_select("effort", "Effort", "thought_level", settings.effort or _DEFAULT, named))
        return out

    def for_client(self) -> dict[str, Any]:
        """All of them as a session begins, and the same modes for clients that do not know of options."""
        modes = [
            SessionMode(id=name, name=name.capitalize(), description=about) for name, about in MODES.items()
        ]
        state = SessionModeState(current_mode_id=self.mode, available_modes=modes)
        return {"modes": state, "config_options": self.all()}

    def update(self) -> ConfigOptionUpdate:
        return ConfigOptionUpdate(session_update="config_option_update", config_options=list(self.all()))

    def mode_updates(self) -> tuple[CurrentModeUpdate, ConfigOptionUpdate]:
        """What tells of a new mode, for both kinds of clients."""
        mode = CurrentModeUpdate(session_update="current_mode_update", current_mode_id=self.mode)
        return mode, self.update()

    def set(self, option: str, value: object) -> None:
        """Blocks while a model is loaded. Raises the protocol's error for an unknown option or value, and
        SparkError where the model cannot be opened: then the one before stays."""
        known = {select.id: [item.value for item in select.options] for select in self.all()}
        if option not in known:
            raise invalid(f"there is no option {option!r}; there are {', '.join(known)}")
        if not isinstance(value, str) or value not in known[option]:
            raise invalid(f"{option} cannot be {value!r}; it is one of {', '.join(known[option])}")
        settings = self._session.settings
        if option == "mode":
            self.mode = value
        elif option == "effort":
            self._use(replace(settings, effort="" if value == _DEFAULT else value))
        elif value != self._model():
            self._use(self._offers[value].settings(settings))

    def find_models(self) -> bool:
        """Ask the known servers for their models, which may take seconds. Whether there are more now."""
        settings, before = self._session.settings, len(self._offers)
        for _, address in model_catalog.known_servers(settings):
            try:
                self._add(model_catalog.server_models(settings, address))
            except SparkError:
                continue  # a server that does not answer has no models to choose
        return len(self._offers) > before

    def _use(self, settings: Settings) -> None:
        backend = self._open_backend(settings)
        try:
            before = self._session.use(backend)
        except BaseException:
            backend.close()
            raise
        self._session.adopt(settings)
        before.close()
        self._keep(**{name: getattr(settings, name) for name in _OF_THE_MODEL})

    def _keep(self, **values: str) -> None:
        folder = self._session.folder
        write_atomically(folder / _FILE, json.dumps({**_stored(folder), **values}).encode())

    def _model(self) -> str:
        """The model in use. One that no list has is added."""
        settings = self._session.settings
        for key, offer in self._offers.items():
            if offer.is_of(settings):
                return key
        name = settings.model or without_query(settings.connect) or self._session.backend.name
        offer = ModelOffer(name, "in use", "", settings.model, settings.connect, settings.replay)
        self._add([offer])
        return _key(offer)

    def _add(self, offers: list[ModelOffer]) -> None:
        """A new table each time: another thread may be reading the one before."""
        self._offers = {**self._offers, **{_key(offer): offer for offer in offers if offer.usable}}


def with_stored_model(settings: Settings, folder: Path) -> Settings:
    """The settings with the model that was chosen in the session of this folder."""
    stored = _stored(folder)
    chosen: dict[str, Any] = {name: stored[name] for name in _OF_THE_MODEL if name in stored}
    return replace(settings, **chosen)


def _stored(folder: Path) -> dict[str, str]:
    """A file that is missing or damaged holds no options."""
    try:
        found = json.loads((folder / _FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    rows = found.items() if isinstance(found, dict) else ()
    return {key: value for key, value in rows if isinstance(value, str)}


def _key(offer: ModelOffer) -> str:
    return f"{offer.name} ({model_catalog.server_label(offer.connect)})" if offer.connect else offer.name


def _select(
    name: str, title: str, category: Category, value: str, options: list[tuple[str, str, str]]
) -> SessionConfigOptionSelect:
    return SessionConfigOptionSelect(
        type="select",
        id=name,
        name=title,
        category=category,
        current_value=value,
        options=[
            SessionConfigSelectOption(value=key, name=label, description=about or None)
            for key, label, about in options
        ],
    )
