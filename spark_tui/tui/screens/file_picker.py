"""Files and symbols to choose from: after `@` in the prompt, and to open one.

Comes in: the workbench. Goes out: a mention in the prompt, or a file on the stage. The list stands at once;
what the repository holds comes into it as it is found, on a thread of its own. Must not know: how anything is
found or drawn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from threading import Event as StopFlag
from typing import TYPE_CHECKING

from spark_tui.errors import SparkError
from spark_tui.tui.code_layout import CodeRow
from spark_tui.tui.screens.picker import Choice, Picker

if TYPE_CHECKING:
    from spark_tui.context.symbol_index import Symbol
    from spark_tui.tui.screens.workbench import Workbench

_AROUND = 10
"""Rows that are seen around a place that was gone to."""
_LETTERS = 2
"""Symbols are looked through from so many letters on: a single one means half of them."""
_SYMBOL = "symbol:"
_MARK = "ƒ"
_BATCH_SECONDS = 0.15


def mention(bench: Workbench) -> None:
    """After `@` in the prompt: a file by its name, a symbol by the lines that define it."""
    symbols: dict[str, Symbol] = {}

    def take(value: str | None) -> None:
        looker.stop.set()
        if value is None:
            # Left without a choice: what was typed was meant for the prompt, or is to be gone on with there.
            bench.prompt.insert(picker.typed)
            return
        if value in symbols:
            bench.later(partial(_put_symbol, bench, symbols[value]))
        else:
            bench.prompt.insert(f"{_quoted(value)} ")

    picker = Picker(
        "file or symbol",
        (),
        bench.palette,
        takes="insert",
        later=lambda query: len(query) >= _LETTERS,
        whole=True,
    )
    looker = _Looker(bench, picker, symbols)
    bench.lay_over(picker, take)
    bench.later(looker.look)


def open_file(bench: Workbench) -> None:
    """Any file of the repository, or the place of a symbol."""
    symbols: dict[str, Symbol] = {}

    def take(value: str | None) -> None:
        looker.stop.set()
        if value is None:
            return
        bench.code.following = False
        if value in symbols:
            bench.later(partial(_go_to, bench, symbols[value]))
        else:
            bench.later(partial(bench.show_file, value))

    picker = Picker("open", (), bench.palette, takes="open", later=lambda query: len(query) >= _LETTERS)
    looker = _Looker(bench, picker, symbols)
    bench.lay_over(picker, take)
    bench.later(looker.look)


def go_to_line(bench: Workbench) -> None:
    """A line of the file in view, by its number; beyond the end it is the last one."""
    path, lines = bench.code.file.path, len(bench.code.file.lines)
    if not path:
        bench.say("no file is open")
        return

    def also(query: str) -> Choice | None:
        number = query.strip()
        if not number.isdecimal():
            return None
        line = min(max(int(number[:9]), 1), max(lines, 1))
        return Choice(f"line {line}", str(line))

    def take(value: str | None) -> None:
        if value is not None:
            bench.code.following = False
            bench.code.go_to(bench.code.layout_rows.row_of_line(int(value) - 1), around=_AROUND)
            bench.paint_rim()

    title = f"line of {lines:,}"
    bench.lay_over(Picker(title, (), bench.palette, takes="go there", also=also, nothing="a number"), take)


class _Looker:
    """Fills one picker."""

    def __init__(self, bench: Workbench, picker: Picker, symbols: dict[str, Symbol]) -> None:
        self.stop = StopFlag()
        self._bench, self._picker, self._symbols = bench, picker, symbols
        self._waiting: list[Choice] = []

    async def look(self) -> None:
        bench, picker = self._bench, self._picker
        while bench.conductor.opening:
            picker.say("the session is still opening")
            if self.stop.is_set():
                return
            await asyncio.sleep(_BATCH_SECONDS)
        picker.say("")
        finding = bench.conductor.session.finding
        try:
            files = await asyncio.to_thread(finding.files)
        except SparkError as error:
            picker.say(error.what)
            return
        picker.add(self._files(files), first=True)
        work = asyncio.ensure_future(asyncio.to_thread(self._index, files))
        while not work.done():
            await asyncio.wait([work], timeout=_BATCH_SECONDS)
            self._hand_over()
            picker.say(
                f"indexed {finding.index.done:,} of {finding.index.total:,} files" if not work.done() else ""
            )
        work.result()

    def _files(self, files: Sequence[str]) -> list[Choice]:
        """What has hunks first, then what is in view, then the others by their names."""
        changed = self._bench.conductor.board.paths()
        here = [path for path in (self._bench.code.file.path,) if path and path in files]
        ordered = dict.fromkeys([*(path for path in changed if path in files), *here, *files])
        said = dict.fromkeys(here, "in view") | dict.fromkeys(changed, "has hunks")
        return [Choice(path, path, said.get(path, ""), by_label=True) for path in ordered]

    def _index(self, files: Sequence[str]) -> None:
        """On its thread."""
        for batch in self._bench.conductor.session.finding.symbols(files, self.stop):
            choices = []
            for symbol in batch:
                value = f"{_SYMBOL}{symbol.path}:{symbol.line}:{symbol.name}"
                self._symbols[value] = symbol
                choices.append(
                    Choice(symbol.name, value, f"{symbol.path}:{symbol.line}", by_label=True, mark=_MARK)
                )
            self._waiting.extend(choices)

    def _hand_over(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting and not self.stop.is_set():
            self._picker.add(waiting)


async def _put_symbol(bench: Workbench, symbol: Symbol) -> None:
    named = await asyncio.to_thread(bench.conductor.session.finding.mention, symbol)
    bench.prompt.insert(f"{named} ")


async def _go_to(bench: Workbench, symbol: Symbol) -> None:
    await bench.show_file(symbol.path)
    code = bench.code
    code.go_to(code.layout_rows.find(CodeRow("same", symbol.line - 1)), around=_AROUND)
    code.focus()


def _quoted(path: str) -> str:
    return f'"{path}"' if " " in path else path
