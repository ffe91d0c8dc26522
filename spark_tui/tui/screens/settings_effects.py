"""Applies changed settings immediately: theme, keys, view, mouse, and the model. A message names settings
that have to wait."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from spark_tui.config import settings
from spark_tui.config.paths import with_tilde
from spark_tui.config.settings import Settings
from spark_tui.errors import SparkError, without_query
from spark_tui.tui.screens.protocols import WorkbenchHost
from spark_tui.tui.settings.keys import keymap
from spark_tui.tui.settings.live_settings import OF_THE_MODEL, applied_live, change_message, changed
from spark_tui.tui.settings.model_switch import ModelLoading
from spark_tui.tui.turns.session_access import one_line_error


async def keep(host: WorkbenchHost, values: Mapping[str, Any]) -> None:
    """Write these into the person's own settings; a value that is the default is taken out."""
    preferences, before = host.preferences, host.preferences.loaded.settings

    def write() -> None:
        for key, value in values.items():
            if value == settings.default_of(key):
                preferences.drop(key)
            else:
                preferences.put(key, value)

    try:
        await host.controller.run_in_order(write)
    except SparkError as error:
        host.show_message(one_line_error(error), True)
        return
    host.apply_settings(before)
    file = preferences.file(shared=False)
    waits = [message for key in values if (message := change_message(key, preferences.loaded, file))]
    host.show_message(waits[0] if waits else f"saved in {with_tilde(file)}")


def apply(host: WorkbenchHost, before: Settings) -> None:
    fresh = changed(before, host.preferences.loaded.settings)
    if "ui.theme" in fresh:
        host.apply_theme(fresh["ui.theme"])
    if "ui.view" in fresh:
        host.code.set_view(fresh["ui.view"])
    if "ui.mouse" in fresh:
        host.set_mouse(fresh["ui.mouse"])
    if "wafer.model" in fresh:
        host.wafer.answer_for(fresh["wafer.model"])
    if "keys" in fresh:
        host.set_keymap(keymap(fresh["keys"]))
        for problem in host.keymap.problems:
            host.show_message(problem, True)
    now = host.controller.settings
    if now is None:
        return
    wanted = applied_live(now, before, host.preferences.loaded.settings)
    if OF_THE_MODEL & changed(now, wanted).keys():
        name = wanted.model or without_query(wanted.connect) or wanted.replay or "the built-in model"
        host.start_task(partial(_reload, host, ModelLoading(name, wanted, host.start.open_model)))
    else:
        host.controller.session.adopt(wanted)
    host.paint_status()


async def _reload(host: WorkbenchHost, loading: ModelLoading) -> None:
    backend = await host.controller.switch(loading)
    if backend is not None:
        host.wafer.listen_to(backend)
