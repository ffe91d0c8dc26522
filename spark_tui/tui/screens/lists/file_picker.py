"""Pickers for files and symbols: after `@` in the prompt, and to open one. The list appears at once and fills
while a thread searches the repository."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from threading import Event as StopFlag
from typing import TYPE_CHECKING, Protocol

from spark_tui.errors import SparkError
from spark_tui.tui.code.code_layout import CodeRow
from spark_tui.tui.screens.lists.server_texts import add_resources
from spark_tui.tui.screens.navigation.hunk_navigation import HunkNavigation
from spark_tui.tui.screens.navigation.open_file import OpenFile
from spark_tui.tui.screens.pickers.picker import ChoiceRow, Picker
from spark_tui.tui.screens.protocols import OverlayHost
from spark_tui.tui.turns.controller import TurnController
from spark_tui.tui.widgets.code_view import CodeView
from spark_tui.tui.widgets.prompt import PromptBox

if TYPE_CHECKING:
    from spark_tui.context.symbol_index import Symbol

_AROUND = 10
"""Rows that are seen around a place that was jumped to."""
_LETTERS = 2
"""Symbols are looked through from this many letters on: a single letter matches half of them."""
_SYMBOL = "symbol:"
_MARK = "ƒ"
_BATCH_SECONDS = 0.15


class FilePickerHost(OverlayHost, Protocol):
    """Has a file in view and a prompt to put a mention in."""

    controller: TurnController
    code: CodeView
    prompt: PromptBox
    open_file: OpenFile
    navigation: HunkNavigation


def mention(host: FilePickerHost) -> None:
    """After `@` in the prompt: a file by its name, a symbol by the lines that define it, a resource of an MCP
    server."""
    symbols: dict[str, Symbol] = {}

    def take(value: str | None) -> None:
        looker.stop.set()
        if value is None:
            # Left without a choice: what was typed was meant for the prompt, or is to be continued there.
            host.prompt.insert(picker.typed)
            return
        if value in symbols:
            host.start_task(partial(_put_symbol, host, symbols[value]))
        else:
            host.prompt.insert(f"{_quoted(value)} ")

    picker = Picker(
        "file or symbol",
        (),
        host.palette,
        takes="insert",
        later=lambda query: len(query) >= _LETTERS,
        whole=True,
    )
    looker = _Looker(host, picker, symbols)
    host.push_overlay(picker, take)
    host.start_task(looker.look)
    host.start_task(partial(add_resources, host, picker))


def open_file(host: FilePickerHost) -> None:
    """Any file of the repository, or the place of a symbol."""
    symbols: dict[str, Symbol] = {}

    def take(value: str | None) -> None:
        looker.stop.set()
        if value is None:
            return
        host.code.following = False
        host.navigation.pick_in(symbols[value].path if value in symbols else value)
        if value in symbols:
            host.start_task(partial(_go_to, host, symbols[value]))
        else:
            host.start_task(partial(host.open_file.show_file, value))

    picker = Picker("open", (), host.palette, takes="open", later=lambda query: len(query) >= _LETTERS)
    looker = _Looker(host, picker, symbols)
    host.push_overlay(picker, take)
    host.start_task(looker.look)


def go_to_line(host: FilePickerHost) -> None:
    """A line of the file in view, by its number; beyond the end it is the last one."""
    path, lines = host.code.file.path, len(host.code.file.lines)
    if not path:
        host.show_message("no file is open")
        return

    def also(query: str) -> ChoiceRow | None:
        number = query.strip()
        if not number.isdecimal():
            return None
        line = min(max(int(number[:9]), 1), max(lines, 1))
        return ChoiceRow(f"line {line}", str(line))

    def take(value: str | None) -> None:
        if value is not None:
            host.code.following = False
            host.code.go_to(host.code.layout_rows.row_of_line(int(value) - 1), around=_AROUND)
            host.paint_status()

    title = f"line of {lines:,}"
    nothing = f"a number; {host.keymap.shown('write')} in the code writes, {host.keymap.shown('quit')} quits"
    host.push_overlay(Picker(title, (), host.palette, takes="go there", also=also, nothing=nothing), take)


class _Looker:
    """Fills one picker."""

    def __init__(self, host: FilePickerHost, picker: Picker, symbols: dict[str, Symbol]) -> None:
        self.stop = StopFlag()
        self._host, self._picker, self._symbols = host, picker, symbols
        self._waiting: list[ChoiceRow] = []

    async def look(self) -> None:
        host, picker = self._host, self._picker
        while host.controller.opening:
            picker.say("the session is still opening")
            if self.stop.is_set():
                return
            await asyncio.sleep(_BATCH_SECONDS)
        picker.say("")
        finding = host.controller.session.finding
        try:
            files = await asyncio.to_thread(finding.files)
        except SparkError as error:
            picker.say(error.what)
            return
        picker.add(self._files(files), first=True)
        work = asyncio.ensure_future(asyncio.to_thread(self._index, files))
        while not work.done():
            await asyncio.wait([work], timeout=_BATCH_SECONDS)
            self._deliver()
            picker.say(
                f"indexed {finding.index.done:,} of {finding.index.total:,} files" if not work.done() else ""
            )
        work.result()

    def _files(self, files: Sequence[str]) -> list[ChoiceRow]:
        """Files with hunks first, then the file in view, then the others by name."""
        changed = self._host.controller.turn_state.paths()
        here = [path for path in (self._host.code.file.path,) if path and path in files]
        ordered = dict.fromkeys([*(path for path in changed if path in files), *here, *files])
        said = dict.fromkeys(here, "in view") | dict.fromkeys(changed, "has hunks")
        return [ChoiceRow(path, path, said.get(path, ""), by_label=True) for path in ordered]

    def _index(self, files: Sequence[str]) -> None:
        """On its thread."""
        for batch in self._host.controller.session.finding.symbols(files, self.stop):
            choices = []
            for symbol in batch:
                value = f"{_SYMBOL}{symbol.path}:{symbol.line}:{symbol.name}"
                self._symbols[value] = symbol
                choices.append(
                    ChoiceRow(symbol.name, value, f"{symbol.path}:{symbol.line}", by_label=True, mark=_MARK)
                )
            self._waiting.extend(choices)

    def _deliver(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting and not self.stop.is_set():
            self._picker.add(waiting)


async def _put_symbol(host: FilePickerHost, symbol: Symbol) -> None:
    named = await asyncio.to_thread(host.controller.session.finding.mention, symbol)
    host.prompt.insert(f"{named} ")


async def _go_to(host: FilePickerHost, symbol: Symbol) -> None:
    await host.open_file.show_file(symbol.path)
    code = host.code
    code.go_to(code.layout_rows.find(CodeRow("same", symbol.line - 1)), around=_AROUND)
    code.focus()


def _quoted(path: str) -> str:
    return f'"{path}"' if " " in path else path
