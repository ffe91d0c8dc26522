"""`/model`, `/connect` and the settings as words for `--screen-reader`, with the same names as in the
workbench."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from spark_tui.backends import model_catalog
from spark_tui.backends.model_catalog import ModelOffer
from spark_tui.config import settings as config
from spark_tui.errors import SparkError, UsageError, without_query
from spark_tui.tui.settings.live_settings import (
    OF_THE_MODEL,
    LiveSettings,
    applied_live,
    change_message,
    changed,
)
from spark_tui.tui.settings.model_switch import Open, full_address, open_ready
from spark_tui.tui.settings.settings_list import SettingEntry, entries, pair, parsed
from spark_tui.tui.text.safe_text import one_line

if TYPE_CHECKING:
    from spark_tui.session.session import Session


class ModelCommands:
    """What is listed keeps its numbers until the next list."""

    def __init__(
        self,
        session: Session,
        say: Callable[[str], None],
        preferences: LiveSettings,
        open_it: Open = open_ready,
    ) -> None:
        self._session, self._say, self._preferences, self._open = session, say, preferences, open_it
        self._offers: list[ModelOffer] = []
        self.words: dict[str, Callable[[str], None]] = {
            "/model": self._model,
            "/connect": self._connect,
            "/settings": self._settings,
            "/set": self._set,
            "/unset": self._unset,
        }

    # Models

    def _model(self, which: str) -> None:
        if not which or not self._offers:
            settings = self._session.settings
            found = model_catalog.local_models(settings)
            for _, address in model_catalog.known_servers(settings):
                found += self._of_server(address)
            self._offers = found
        if not which:
            self._list()
            return
        offer = self._named(which)
        if not offer.usable:
            raise UsageError(f"{offer.name} {offer.what}")
        self._reopen(offer.settings(self._session.settings), offer.name)

    def _connect(self, address: str) -> None:
        known = model_catalog.known_servers(self._session.settings)
        if not address:
            self._say(
                "\n".join(f"{model_catalog.server_label(one)} {name}".strip() for name, one in known)
                or "Name the address too: /connect host:8000."
            )
            return
        self._offers = self._of_server(dict(known).get(address, "") or full_address(address))
        self._list()

    def _of_server(self, address: str) -> list[ModelOffer]:
        self._say(f"Asking {model_catalog.server_label(address)}.")
        try:
            return model_catalog.server_models(self._session.settings, address)
        except SparkError as error:
            why = error.what
            return [ModelOffer(model_catalog.server_label(address), why, address, usable=False)]

    def _list(self) -> None:
        for number, offer in enumerate(self._offers, start=1):
            here = ", in use" if offer.is_of(self._session.settings) else ""
            self._say(f"{number}: {one_line(offer.name)}, {one_line(offer.what)}{here}.")
        self._say("Say /model and a number to switch to one." if self._offers else "No models found.")

    def _named(self, which: str) -> ModelOffer:
        if which.isdigit() and 1 <= int(which) <= len(self._offers):
            return self._offers[int(which) - 1]
        found = [offer for offer in self._offers if offer.name == which]
        found = found or [offer for offer in self._offers if which in offer.name]
        if len(found) != 1:
            raise UsageError(
                f"{len(found) or 'no'} models match {which}",
                hint="Say /model for the list, then /model and a number.",
            )
        return found[0]

    def _reopen(self, settings: config.Settings, name: str) -> None:
        """Open another model; the current one stays if that fails."""
        self._say(f"Loading {one_line(name)}.")
        # Its progress is not spoken: it would be repeated again and again.
        backend = self._open(settings, lambda *_: None)
        before = self._session.use(backend)
        self._session.adopt(settings)
        # Closing may take a moment: it ends the connection to a server.
        threading.Thread(target=before.close, name="spark-closing", daemon=True).start()
        self._say(f"{one_line(backend.name)} answers from now on.")

    # Settings

    def _settings(self, word: str) -> None:
        found = [entry for entry in entries(self._preferences.loaded) if word in entry.key]
        for item in found:
            name = f" {item.name}" if item.name else ""
            origin = item.origin or "default"
            self._say(
                f"{item.key}{name}: {item.text or 'nothing'}, {item.kind}, {one_line(origin)}. {item.doc}"
            )
        if not found:
            self._say(f"No setting has {word} in its name.")

    def _entry(self, key: str) -> SettingEntry:
        found = next((entry for entry in entries(self._preferences.loaded) if entry.key == key), None)
        if found is None:
            raise UsageError(f"there is no setting {key}", hint="Say /settings to list them.")
        return found

    def _set(self, phrase: str) -> None:
        key, _, text = phrase.partition(" ")
        entry, name = self._entry(key), ""
        if config.is_table(key):
            name, text = pair(text)
            entry = replace(entry, name=name, value="")
        before = self._preferences.loaded.settings
        self._preferences.put(key, parsed(entry, text.strip()), name=name)
        self._take_over(before, key)

    def _unset(self, text: str) -> None:
        key, _, name = text.partition(" ")
        self._entry(key)
        before = self._preferences.loaded.settings
        self._preferences.drop(key, name=name.strip())
        self._take_over(before, key)

    def _take_over(self, before: config.Settings, key: str) -> None:
        loaded, now = self._preferences.loaded, self._session.settings
        wanted = applied_live(now, before, loaded.settings)
        if OF_THE_MODEL & changed(now, wanted).keys():
            self._reopen(
                wanted, wanted.model or without_query(wanted.connect) or wanted.replay or "the built-in model"
            )
        else:
            self._session.adopt(wanted)
        self._say(
            change_message(key, loaded, self._preferences.file(shared=False)) or "Saved in your settings."
        )
