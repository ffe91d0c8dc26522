"""Draws the workbench in another theme."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spark_tui.tui.settings.startup import ThemeSource
from spark_tui.tui.settings.themes import Palette, Theme


class ThemeSwitcher:
    """`paint` draws every widget with a palette; `say` shows a message."""

    def __init__(
        self,
        themes: ThemeSource,
        theme: Theme,
        paint: Callable[[Palette], None],
        say: Callable[[str, bool], None],
    ) -> None:
        self._themes, self._theme = themes, theme
        self._paint, self._say = paint, say

    @property
    def palette(self) -> Palette:
        return self._theme.palette

    def names(self) -> Sequence[str]:
        return self._themes.names()

    def apply_next(self) -> None:
        """The next theme that can be used."""
        self._apply(self._themes.next())

    def apply_named(self, name: str) -> None:
        theme = self._themes.named(name)
        if theme is None:
            self._say(f"the theme {name} cannot be used: {self._themes.problem()}", True)
        else:
            self._apply(theme)

    def _apply(self, theme: Theme) -> None:
        self._theme = theme
        self._paint(theme.palette)
        self._say(f"theme: {theme.title}", False)
