"""The settings as a list: each value with its type, origin and meaning, and its row as `(text, style name)`
pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len

from spark_tui.config import settings
from spark_tui.config.settings import LoadedSettings
from spark_tui.tui.settings.live_settings import kind_of
from spark_tui.tui.text.safe_text import shorten, visible, wrap

Named = list[tuple[str, str]]
_LEFT, _VALUE, _KIND = 20, 28, 10


@dataclass(frozen=True, slots=True)
class SettingEntry:
    """One setting, or one `name = value` of a setting that is a table. A table itself takes new pairs."""

    key: str
    value: Any
    kind: str
    doc: str
    variable: str
    origin: str = ""
    name: str = ""
    changed: bool = False

    @property
    def choices(self) -> tuple[str, ...]:
        """What it may be; empty where it is free."""
        return () if self.kind == "table" else settings.choices_of(self.key)

    @property
    def text(self) -> str:
        """The value as it is typed."""
        if isinstance(self.value, tuple):
            return ", ".join(self.value)
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        return str(self.value)

    @property
    def shown(self) -> str:
        if self.kind == "table":
            count = len(self.value)
            pairs = f"{count} pair{'s' if count != 1 else ''}" if count else "none"
            return f"{pairs}; Enter adds one"
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        return visible(self.text) if self.text else "—"


def entries(loaded: LoadedSettings) -> list[SettingEntry]:
    """The settings in the order of the documentation; the entries of a table follow it."""
    out: list[SettingEntry] = []
    for key, variable, default, doc in settings.documented():
        value, origin = settings.value_of(loaded.settings, key), loaded.origin.get(key, "")
        table = settings.is_table(key)
        shown = "" if table else variable
        of_all = "" if table else origin
        out.append(SettingEntry(key, value, kind_of(key), doc, shown, of_all, changed=value != default))
        for name, held in value.items() if table else ():
            kind = "choice" if settings.choices_of(key) else "text"
            out.append(SettingEntry(key, held, kind, doc, "", origin, name, True))
    return out


def parsed(entry: SettingEntry, text: str) -> Any:
    """What was typed, as a value that a file holds."""
    if isinstance(entry.value, tuple):
        return [part.strip() for part in text.split(",") if part.strip()]
    return text if entry.name else settings.parse(entry.key, text)


def pair(text: str) -> tuple[str, str]:
    """`name = value`, as it is typed for a table; the value is empty if there is no equals sign."""
    name, _, value = text.partition("=")
    return name.strip().strip('"'), value.strip().strip('"')


def row(
    entry: SettingEntry, before: SettingEntry | None, width: int, here: bool, files: Mapping[str, str]
) -> Named:
    """One line; the first of a group shows the group. `files` are short names of places."""
    group, _, name = entry.key.rpartition(".")
    same = before is not None and before.key.rpartition(".")[0] == group
    label = f"  {entry.name}" if entry.name else name
    out: Named = [(" ▸ " if here else "   ", "pane.key"), (f"{'' if same else group:<7}", "pane.soft")]
    out.append((_fit(label, _LEFT), "pane"))
    table = entry.kind == "table"
    room = width - 3 - 7 - _LEFT
    value = max(room - _KIND - 24, min(_VALUE, room))
    out.append((_fit(entry.shown, value), "pane.accent" if entry.changed and not table else "pane.soft"))
    out.append((_fit(entry.kind, _KIND), "pane.faint"))
    origin = files.get(entry.origin, entry.origin) or ("" if table else "default")
    return [*out, (origin, "pane.faint")]


def about(entry: SettingEntry, width: int) -> tuple[Named, Named]:
    """Two lines below the list about the one that is jumped to."""
    lines = wrap(entry.doc.replace("`", ""), max(width - len(entry.variable) - 4, 20))
    first: Named = [(f" {lines[0]}", "pane")]
    if entry.variable:
        first.append((f"  {entry.variable}", "pane.faint"))
    return first, [(f" {' '.join(lines[1:])}", "pane")] if len(lines) > 1 else []


def _fit(text: str, cells: int) -> str:
    text = shorten(text, cells - 1)
    return text + " " * (cells - cell_len(text))
