"""The Textual application: holds the theme and the keymap, and shows the workbench."""

from __future__ import annotations

import os
import time
from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual import events
from textual.app import App
from textual.drivers import linux_driver
from textual.filter import Monochrome, NoColor
from textual.theme import Theme as TextualTheme

from spark_tui.config import paths
from spark_tui.config.fields import Settings
from spark_tui.errors import SparkError
from spark_tui.tui.screens.workbench import Workbench
from spark_tui.tui.settings.keys import keymap
from spark_tui.tui.settings.startup import Reopen, Startup
from spark_tui.tui.settings.themes import TEXTUAL, Theme, ThemeCatalog, ThemeSwitcher
from spark_tui.tui.terminal import escape_keys, job_control
from spark_tui.tui.terminal.partial_repaint import OnWire
from spark_tui.tui.view_state import counts
from spark_tui.tui.widgets.typeahead import Typeahead

_OWN_TERMINAL = "\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[0m\x1b[2J"
"""The other screen, lines that are cut and not wrapped, no cursor, and an empty screen: a program that
damaged the picture may have changed these modes too."""
_EMPTY = "\x1b[0m\x1b[2J"
"""tmux leaves rows of the other screen above the shell's prompt if its size changed in the meantime."""


class SparkApp(OnWire, App[int | SparkError | Reopen], inherit_bindings=False):
    """`spark` on a terminal. Its result is an exit code, the error that the session could not be opened
    for, or which session is to follow."""

    CSS_PATH = Path(__file__).with_name("spark.tcss")
    TITLE = "spark"
    ENABLE_COMMAND_PALETTE = False
    ESCAPE_TO_MINIMIZE: ClassVar[bool] = False

    def __init__(
        self,
        start: Startup,
        *,
        environ: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._textual_theme: TextualTheme | None = None
        take_all_bytes()
        escape_keys.install()
        super().__init__()
        self.animation_level = "none"
        environ = os.environ if environ is None else environ
        colorless = bool(environ.get("NO_COLOR"))
        # Textual turns colours into greys where it should leave them out, which paints black on black.
        self._filters = [f for f in self._filters if not isinstance(f, (Monochrome, NoColor))]
        if colorless:
            self._filters.append(NoColor())
        self._start = start
        self._clock = clock
        self._typeahead = Typeahead(self._deliver)
        self.active_keymap = keymap(start.settings.keys)
        self.workbench: Workbench | None = None
        if self.active_keymap.keys["redraw"]:
            # Before every screen and pane: an overlay can be damaged too.
            self._bindings.bind(",".join(self.active_keymap.keys["redraw"]), "redraw", priority=True)
        folders = paths.themes_dir(), paths.config_dir() / "themes"
        catalog = ThemeCatalog(folders, of_256=self.console.color_system == "256")
        wanted = start.settings.theme
        if wanted == Settings().theme and environ.get("TERM") and self.console.color_system == "standard":
            wanted = "ansi-16"  # the nearest of sixteen colours are not what a theme means
        self.themes = ThemeSwitcher(catalog, wanted, self._use, colorless=colorless)

    def on_mount(self) -> None:
        terminal = self.write_terminal, self.set_mouse
        self.workbench = Workbench(
            self._start, self.active_keymap, self.themes, *terminal, self._clock, self._typeahead
        )
        for problem in (*self.active_keymap.problems, *self.themes.catalog.problems):
            self.workbench.controller.turn_state.add_line("error", problem)
        self.push_screen(self.workbench)
        if self._driver is not None:
            job_control.watch(self, self._driver, self._clear, self.redraw)

    def on_exit_app(self) -> None:
        self._clear()
        if self.workbench is not None:
            self.workbench.asked.commit = self.workbench.controller.review.committing

    def _clear(self) -> None:
        """Before the shell is shown: of a screen that had other sizes rows may be left on it."""
        self.write_terminal(_EMPTY)

    def on_app_focus(self) -> None:
        """The person comes back, perhaps from git."""
        bench = self.workbench
        if bench is not None and not bench.controller.opening:
            bench.start_task(bench.controller.refresh_git_state)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key):
            at_once = event.is_forwarded or event.key in self.active_keymap.keys["redraw"]
            if not at_once and event.key.startswith("alt+") and (keys := self._instead(event)):
                for key in keys:
                    await self.on_event(key)
                return
            if not at_once and self._typeahead.takes_new(event):
                return
        elif isinstance(event, events.Paste):
            # Pasted by a menu or the middle button it may come without the focus, where no widget has it.
            self.app_focus = True
        await super().on_event(event)

    def _instead(self, event: events.Key) -> Sequence[events.Key] | None:
        """The keys that a key with Alt stands for where the keys are; None where it does something itself."""
        bench = self.workbench
        if bench is not None and self.screen is bench:
            now = bench.view_state()
            action = self.active_keymap.action(now.place, event.key)
            if action is not None and counts(action, now):
                return None
            if event.key in escape_keys.WORDS and (
                now.place == "edit" or (now.place == "prompt" and now.typed)
            ):
                return [events.Key(escape_keys.WORDS[event.key], None)]
        return escape_keys.parted(event)

    def _deliver(self, keys: Sequence[events.Key]) -> None:
        """Keys that waited go to where the keys are now."""
        for event in keys:
            (self.focused or self.screen)._forward_event(event)

    def action_redraw(self) -> None:
        self.write_terminal(_OWN_TERMINAL)
        self.redraw()

    def action_suspend(self) -> None:
        if self.workbench is None:
            return
        if job_control.has_a_shell():
            self.action_suspend_process()
        else:
            self.workbench.show_message("there is no shell to return to")

    def write_terminal(self, sequence: str) -> None:
        """Write to the terminal directly, past the screen."""
        if self._driver is not None and sequence:
            self._driver.write(sequence)

    def set_mouse(self, wanted: bool) -> None:
        """Take the mouse, or leave it to the terminal. A driver that has none has nothing to switch."""
        switch = getattr(self._driver, "_enable_mouse_support" if wanted else "_disable_mouse_support", None)
        if switch is not None:
            switch()

    def _use(self, theme: Theme) -> None:
        self._textual_theme = _for_textual(theme)
        self.register_theme(self._textual_theme)
        self.theme = theme.name

    def get_theme(self, theme_name: str) -> TextualTheme | None:
        """Textual asks for each line that it draws, and would copy its table of themes each time."""
        current = self._textual_theme
        return (
            current if current is not None and current.name == theme_name else super().get_theme(theme_name)
        )


def _for_textual(theme: Theme) -> TextualTheme:
    """What Textual's own parts (the prompt's box) draw with."""
    color = {name: f"ansi_{value}" if theme.ansi else value for name, value in theme.colors.items()}
    roles: dict[str, Any] = {role: color[name] for role, name in TEXTUAL.items()}
    variables = {name: color[name] for name in ("rule", "selection")}
    if theme.ansi:
        # Textual's own style sheet asks for these as soon as a theme is one of the terminal's colours.
        variables |= {"ansi-background": "ansi_default", "ansi-foreground": "ansi_default"}
    return TextualTheme(name=theme.name, dark=theme.dark, ansi=theme.ansi, variables=variables, **roles)


def take_all_bytes() -> None:
    """Textual's own decoder ends the workbench at the first of them."""
    vars(linux_driver)["getincrementaldecoder"] = _forgiving


def _forgiving(encoding: str) -> Callable[[], IncrementalDecoder]:
    return partial(getincrementaldecoder(encoding), "replace")
