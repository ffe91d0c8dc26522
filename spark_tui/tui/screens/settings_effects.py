"""What a change of the settings does at once: theme, keys, view, mouse, and the model with all that belongs
to it.

Comes in: the workbench, and the settings before and after. Goes out: the workbench as it then is, and a
sentence about what waits. Must not know: how settings are written, how they are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spark_tui.config import settings
from spark_tui.config.settings import Settings
from spark_tui.errors import SparkError
from spark_tui.tui.decisions import in_a_line
from spark_tui.tui.keys import keymap
from spark_tui.tui.live_settings import OF_THE_MODEL, applied_live, change_message, changed
from spark_tui.tui.model_switch import ModelLoading

if TYPE_CHECKING:
    from spark_tui.tui.screens.workbench import Workbench


async def keep(bench: Workbench, values: Mapping[str, Any]) -> None:
    """Write these into the person's own settings; a value that is the default is taken out."""
    preferences, before = bench.preferences, bench.preferences.loaded.settings

    def write() -> None:
        for key, value in values.items():
            if value == settings.default_of(key):
                preferences.drop(key)
            else:
                preferences.put(key, value)

    try:
        await bench.conductor.away(write)
    except SparkError as error:
        bench.say(in_a_line(error), True)
        return
    bench.apply_settings(before)
    file = preferences.file(shared=False)
    waits = [said for key in values if (said := change_message(key, preferences.loaded, file))]
    bench.say(waits[0] if waits else f"saved in {home(file)}")


def apply(bench: Workbench, before: Settings) -> None:
    """Take over what is another now."""
    fresh = changed(before, bench.preferences.loaded.settings)
    if "ui.theme" in fresh:
        bench.wear_named(fresh["ui.theme"])
    if "ui.view" in fresh:
        bench.code.set_view(fresh["ui.view"])
    if "ui.mouse" in fresh:
        bench.set_mouse(fresh["ui.mouse"])
    if "wafer.model" in fresh:
        bench.wafer.answer_for(fresh["wafer.model"])
    if "keys" in fresh:
        _rebind(bench)
    now = bench.conductor.settings
    if now is None:
        return
    wanted = applied_live(now, before, bench.preferences.loaded.settings)
    if OF_THE_MODEL & changed(now, wanted).keys():
        name = wanted.model or wanted.connect or wanted.replay or "the built-in model"
        loading = ModelLoading(name, wanted, bench.start.open_model)
        bench.later(partial(_reload, bench, loading))
    else:
        bench.conductor.session.adopt(wanted)
    bench.paint_rim()


async def _reload(bench: Workbench, loading: ModelLoading) -> None:
    backend = await bench.conductor.switch(loading)
    if backend is not None:
        bench.wafer.listen_to(backend)


def _rebind(bench: Workbench) -> None:
    bench.keymap = keymap(bench.preferences.loaded.settings.keys)
    for widget in (bench.code, bench.list, bench.prompt):
        widget.keymap = bench.keymap
    bench.wafer.bind(bench.keymap.shown("wafer"), bench.keymap.shown("wafer.model"))
    for problem in bench.keymap.problems:
        bench.say(problem, True)


def home(path: Path) -> str:
    """A path as people say it."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except ValueError:
        return str(path)
