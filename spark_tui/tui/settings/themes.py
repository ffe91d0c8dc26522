"""Themes: YAML files validated into a model. What is wrong with a file is collected as messages and never
raises."""

from __future__ import annotations

import difflib
import stat
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from rich.color import Color, ColorParseError
from rich.style import Style

from spark_tui.config.fields import Settings
from spark_tui.tables import read_table

_TABLE: dict[str, dict[str, str]] = read_table(__file__, "theme_styles.toml")
COLORS, STYLES, TEXTUAL = _TABLE["colors"], _TABLE["styles"], _TABLE["textual"]
_ATTRIBUTES = ("bold", "dim", "italic", "underline", "strike", "reverse")
_FIELDS = ("name", "title", "dark", "ansi", "colors", "styles")


Palette = Mapping[str, Style]
"""Styles by name."""


@dataclass(frozen=True)
class Theme:
    """A checked theme. With `ansi` its colours are the terminal's own sixteen."""

    name: str
    title: str
    dark: bool
    ansi: bool
    colors: Mapping[str, str]
    palette: Palette


class ThemeProblems(ValueError):
    """Everything that is wrong with one theme file, as sentences."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def parse(table: Any, fallback_name: str) -> Theme:
    """Check all of it before judging, so that one look at the message is enough to mend the file."""
    if not isinstance(table, dict):
        raise ThemeProblems(["is not a table of `name`, `colors` and `styles`"])
    problems: list[str] = [
        f"unknown entry `{key}`{_near(key, _FIELDS)}" for key in table if key not in _FIELDS
    ]
    colors, own = table.get("colors"), table.get("styles") or {}
    if not isinstance(colors, dict) or not isinstance(own, dict):
        raise ThemeProblems([*problems, "`colors` and `styles` must be tables"])
    problems += [f"unknown colour `{key}`{_near(key, COLORS)}" for key in colors if key not in COLORS]
    problems += [f"the colour `{key}` ({use}) is missing" for key, use in COLORS.items() if key not in colors]
    problems += [f"unknown style `{key}`{_near(key, STYLES)}" for key in own if key not in STYLES]
    for key, value in colors.items():
        if not _is_color(value):
            problems.append(f"`{key}: {value}` is not a colour")
    for key in ("dark", "ansi"):
        if not isinstance(table.get(key, True), bool):
            problems.append(f"`{key}` must be true or false")
    if problems:
        raise ThemeProblems(problems)
    styles: dict[str, Style] = {}
    for name, spec in (STYLES | {key: str(value) for key, value in own.items()}).items():
        try:
            styles[name] = _style(spec, colors)
        except ValueError as error:
            problems.append(f"style `{name}`: {error}")
    if problems:
        raise ThemeProblems(problems)
    name = str(table.get("name", fallback_name))
    title = str(table.get("title", name))
    return Theme(name, title, table.get("dark", True), table.get("ansi", False), dict(colors), styles)


def _near(key: Any, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(str(key), list(known), n=1)
    return f"; did you mean `{near[0]}`?" if near else ""


def _is_color(value: Any) -> bool:
    try:
        Color.parse(str(value))
    except ColorParseError:
        return False
    return True


def _style(spec: str, colors: Mapping[str, str]) -> Style:
    """`bold accent on surface` → a style; words are attributes, names of the theme's colours, or colours."""
    ink: str | None = None
    ground: str | None = None
    attributes: dict[str, Any] = {}
    words = iter(spec.split())
    for word in words:
        if word in _ATTRIBUTES:
            attributes[word] = True
        elif word == "on":
            ground = _color(next(words, ""), colors)
        else:
            ink = _color(word, colors)
    return Style(color=ink, bgcolor=ground, **attributes)


def _color(word: str, colors: Mapping[str, str]) -> str:
    if word in colors:
        return str(colors[word])
    if not _is_color(word):
        raise ValueError(f"`{word}` is neither an attribute nor a colour")
    return word


PLAIN = parse(
    {
        "name": "mono",
        "title": "No colour",
        "ansi": True,
        "colors": dict.fromkeys(COLORS, "default"),
        "styles": _TABLE["plain"],
    },
    "mono",
)


class ThemeCatalog:
    """The themes of the package and of the person, read one at a time when they are asked for."""

    def __init__(self, folders: Iterable[Path], *, of_256: bool = False) -> None:
        """`of_256`: the terminal has no colours but its 256."""
        self._of_256 = of_256
        self._files: dict[str, Path] = {}
        self.problems: list[str] = []
        for folder in folders:
            # A theme of the person's own goes before a carried one of the same name: the later folder wins.
            self._files |= {file.stem: file for file in sorted(folder.glob("*.yaml"))}

    def names(self) -> list[str]:
        return [*self._files, PLAIN.name]

    def get(self, name: str) -> Theme | None:
        """The theme; None, with a message in `problems`, if it does not exist or is invalid."""
        if name == PLAIN.name:
            return PLAIN
        if name not in self._files:
            near = _near(name, self.names()) or f": there are {', '.join(self.names())}"
            self.problems.append(f"there is no theme `{name}`{near}")
            return None
        file = self._files[name]
        try:
            if not stat.S_ISREG(file.stat().st_mode):
                raise OSError("this is not a file")  # opening a pipe would wait for its writer
            table = yaml.load(file.read_bytes(), _LOADER)
            theme = parse(table, name)
            if not self._of_256:
                return theme
            from spark_tui.tui.settings.palette_256 import in_256

            return parse(table | {"colors": in_256(theme.colors)}, name)
        except ThemeProblems as error:
            self.problems += [f"{file.name}: {problem}" for problem in error.problems]
        except (yaml.YAMLError, OSError, UnicodeDecodeError) as error:
            self.problems.append(f"{file.name}: {' '.join(str(error).split())}")
        return None


class ThemeSwitcher:
    """The theme in use; `use` draws with another one. With NO_COLOR there is only one."""

    def __init__(
        self, catalog: ThemeCatalog, wanted: str, use: Callable[[Theme], None], *, colorless: bool
    ) -> None:
        self.catalog, self._use, self._colorless = catalog, use, colorless
        self.theme = self._get(wanted) or self._get(Settings().theme) or PLAIN
        use(self.theme)

    def _get(self, name: str) -> Theme | None:
        return PLAIN if self._colorless else self.catalog.get(name)

    def named(self, name: str) -> Theme | None:
        """Switch to the theme of this name; None, with a message in the catalog, if it cannot be used."""
        theme = self._get(name)
        if theme is not None:
            self.theme = theme
            self._use(theme)
        return theme

    def next(self) -> Theme:
        """Switch to the next theme that can be used."""
        names = self.catalog.names()
        here = names.index(self.theme.name) if self.theme.name in names else -1
        found = (self.named(name) for name in [*names[here + 1 :], *names[: here + 1]])
        return next(theme for theme in found if theme is not None)


# The compiled loader reads a theme in a tenth of the time, where libyaml is there.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
