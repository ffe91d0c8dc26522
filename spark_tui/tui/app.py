"""The Textual application: holds the theme and the keymap, and shows the workbench. Nothing more.

Comes in: an open session. Goes out: an exit code. Must not know: what the screens do.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import ClassVar

from textual.app import App
from textual.theme import Theme as TextualTheme

from spark_tui import paths
from spark_tui.tui.conductor import Seat
from spark_tui.tui.keys import keymap
from spark_tui.tui.memory import PromptMemory
from spark_tui.tui.screens.workbench import Workbench
from spark_tui.tui.themes import PLAIN, Shelf, Theme


class SparkApp(App[int], inherit_bindings=False):
    """`spark` on a terminal."""

    CSS_PATH = "spark.tcss"
    TITLE = "spark"
    ENABLE_COMMAND_PALETTE = False
    ESCAPE_TO_MINIMIZE: ClassVar[bool] = False

    def __init__(
        self,
        session: Seat,
        *,
        origin: Mapping[str, str] | None = None,
        environ: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.origin = origin or {}
        self._clock = clock
        self.animation_level = "none"
        environ = os.environ if environ is None else environ
        self.session = session
        self.shelf = Shelf((paths.themes_dir(), paths.config_dir() / "themes"))
        self.keymap_in_force = keymap(session.settings.keys)
        self.workbench: Workbench | None = None
        wanted = PLAIN.name if environ.get("NO_COLOR") else session.settings.theme
        self.spark_theme = self.shelf.get(wanted) or PLAIN
        self._put_on(self.spark_theme)

    def on_mount(self) -> None:
        memory = PromptMemory(paths.repository_state_dir(self.session.root))
        self.workbench = Workbench(
            self.session, self.keymap_in_force, self.spark_theme, self, memory, self.origin, self._clock
        )
        for problem in (*self.keymap_in_force.problems, *self.shelf.problems):
            self.workbench.conductor.board.say("error", problem)
        self.push_screen(self.workbench)

    # The themes, as the workbench sees them

    def names(self) -> list[str]:
        return self.shelf.names()

    def next(self) -> Theme:
        """The next sound one; one that is not sound leaves its sentences on the shelf."""
        name = self.spark_theme.name
        while True:
            name = self.shelf.after(name)
            theme = self.named(name)
            if theme is not None:
                return theme

    def named(self, name: str) -> Theme | None:
        """Put it on, live."""
        theme = self.shelf.get(name)
        if theme is not None:
            self.spark_theme = theme
            self._put_on(theme)
        return theme

    def problem(self) -> str:
        return self.shelf.problems[-1] if self.shelf.problems else ""

    def _put_on(self, theme: Theme) -> None:
        self.register_theme(_for_textual(theme))
        self.theme = theme.name


def _for_textual(theme: Theme) -> TextualTheme:
    """What Textual's own parts (the prompt's box) draw with."""
    color = {name: _css_color(value, theme.ansi) for name, value in theme.colors.items()}
    return TextualTheme(
        name=theme.name,
        primary=color["accent"],
        secondary=color["function"],
        warning=color["warn"],
        error=color["error"],
        success=color["added"],
        accent=color["accent"],
        foreground=color["ink"],
        background=color["ground"],
        surface=color["surface"],
        panel=color["surface"],
        dark=theme.dark,
        ansi=theme.ansi,
        variables={
            **{name: color[name] for name in ("faint", "soft", "rule", "cursor", "selection")},
            # Textual's own style sheet asks for these as soon as a theme is one of the terminal's colours.
            **({"ansi-background": "ansi_default", "ansi-foreground": "ansi_default"} if theme.ansi else {}),
        },
    )


def _css_color(value: str, ansi: bool) -> str:
    return f"ansi_{value}" if ansi else value
