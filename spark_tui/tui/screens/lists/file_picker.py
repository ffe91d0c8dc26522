"""Pickers for files and symbols: after `@` in the prompt, and to open one. The list appears at once and fills
while a thread searches the repository."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Event as StopFlag
from typing import TYPE_CHECKING

from spark_tui.errors import SparkError
from spark_tui.tui.messages import Intent
from spark_tui.tui.screens.lists.server_texts import add_resources
from spark_tui.tui.screens.navigation.hunk_navigation import ReviewHost
from spark_tui.tui.screens.pickers.picker import ChoiceRow, Picker
from spark_tui.tui.settings.keys import BY_ID, BY_NAME

if TYPE_CHECKING:
    from spark_tui.context.symbol_index import Symbol

_AROUND = 10
"""Rows that are seen around a place that was jumped to."""
_LETTERS = 2
"""Symbols are looked through from this many letters on: a single letter matches half of them."""
_PLACE = re.compile(r"""@?(?P<quote>["']?)(?:\./)?(?P<path>.+?)(?P=quote)(?::(?P<line>\d+))?""")
"""A path as people type it: quoted, with a line, or like a mention."""
_SYMBOL, _NEW = "symbol:", "new:"
_MARK = "ƒ"
_BATCH_SECONDS = 0.15


def mention(host: ReviewHost) -> None:
    """After `@` in the prompt: a file by its name, a symbol by the lines that define it, a resource of an MCP
    server."""

    def take(value: str | None, symbol: Symbol | None) -> None:
        if value is None:
            # Left without a choice: what was typed was meant for the prompt, or is to be continued there.
            host.prompt.insert(picker.typed)
        elif symbol is not None:
            host.start_task(partial(_put_symbol, host, symbol))
        else:
            host.prompt.insert(f'"{value}" ' if " " in value else f"{value} ")

    picker = _push(host, "file or symbol", "insert", take, whole=True)
    picker.rows.nothing = "no match: Enter keeps the text"
    host.start_task(partial(add_resources, host, picker))


def open_file(host: ReviewHost, query: str = "") -> None:
    """Any file of the repository, or the place of a symbol; a path that is not there makes an empty file. One
    that is typed in full, or with a line behind it, is opened without a list."""

    def take(value: str | None, symbol: Symbol | None) -> None:
        if value is None:
            return
        if value.startswith(_NEW):
            host.start_task(partial(_create, host, value.removeprefix(_NEW)))
            return
        host.code.following = False
        host.navigation.pick_in(symbol.path if symbol is not None else value)
        if symbol is not None:
            host.start_task(partial(_go_to, host, symbol))
        else:
            host.start_task(partial(host.open_file.show_file, value))

    path, line = query.strip().removeprefix("./"), 0
    there = not host.controller.opening and partial(_is_there, host.controller.session.root)
    if there and not there(path) and (typed := _PLACE.fullmatch(path)):
        path, line = typed["path"], int(typed["line"] or 0)
        query = path if typed["quote"] else query
    if there and there(path):
        take(path, None)
        if line:
            host.start_task(partial(host.open_file.show_at, path, line, around=_AROUND))
    else:
        _push(host, "open", "open", take, query=query, also=partial(_new_file, host))


def _is_there(root: Path, path: str) -> bool:
    """Whether it is a file of this folder, written as its files are listed."""
    try:
        return not path.startswith(("..", "/")) and os.path.normpath(path) == path and (root / path).is_file()
    except (OSError, ValueError):  # no name that a file can have
        return False


def _new_file(host: ReviewHost, query: str) -> ChoiceRow | None:
    """A file that is to be made: only where a whole name is typed, as `utils.py`, `.env` or `lib/run`."""
    path = query.strip().removeprefix("./")
    whole = re.search(r"[./].*[^/.\s]\Z", path)
    if not whole or host.controller.opening or os.path.lexists(host.controller.session.root / path):
        return None
    return ChoiceRow(f"new file {path}", f"{_NEW}{path}", last=True)


async def _create(host: ReviewHost, path: str) -> None:
    if await host.controller.review.create(path):
        await host.open_file.show_file(path)
        host.code.focus()
        types, undoes = host.keymap.shown("type"), host.keymap.shown("undo")
        host.show_message(f"{path} is new and empty: {types} types in it, {undoes} takes it away again")


def go_to_line(host: ReviewHost) -> None:
    """A line of the file in view, by its number; beyond the end it is the last one. A command of vi, or one
    of the workbench by its name, is that: `:w`."""
    path, lines = host.code.file.path, len(host.code.file.lines)
    if not path:
        host.show_message("no file is open")
        return

    def also(query: str) -> ChoiceRow | None:
        number = query.strip()
        if not number.isdecimal():
            action = BY_NAME.get(number.removesuffix("!"))
            return ChoiceRow(action.help, action.id, takes="do it") if action else None
        line = min(max(int(number[:9]), 1), max(lines, 1))
        return ChoiceRow(f"line {line}", str(line))

    def take(value: str | None) -> None:
        if value in BY_ID:
            host.post_message(Intent(value))
        elif value is not None:
            host.code.following = False
            host.code.go_to(host.code.layout_rows.row_of_line(int(value) - 1), around=_AROUND)
            host.paint_status()

    title = f"line of {lines:,}"
    nothing = f"a number; {host.keymap.shown('write')} in the code writes, {host.keymap.shown('quit')} quits"
    host.push_overlay(Picker(title, (), host.palette, takes="go there", also=also, nothing=nothing), take)


def _push(
    host: ReviewHost,
    title: str,
    takes: str,
    take: Callable[[str | None, Symbol | None], None],
    *,
    whole: bool = False,
    query: str = "",
    also: Callable[[str], ChoiceRow | None] | None = None,
) -> Picker:
    """Open a picker of files and symbols; `take` gets the value that was chosen, and its symbol."""

    def chosen(value: str | None) -> None:
        looker.stop.set()
        take(value, looker.symbols.get(value or ""))

    picker = Picker(
        title,
        (),
        host.palette,
        takes=takes,
        later=lambda query: len(query) >= _LETTERS,
        whole=whole,
        query=query,
        also=also,
    )
    looker = _Looker(host, picker)
    host.push_overlay(picker, chosen)
    host.start_task(looker.look)
    return picker


class _Looker:
    """Fills one picker."""

    def __init__(self, host: ReviewHost, picker: Picker) -> None:
        self.stop = StopFlag()
        self.symbols: dict[str, Symbol] = {}
        self._host, self._picker = host, picker
        self._waiting: list[ChoiceRow] = []

    async def look(self) -> None:
        host, picker = self._host, self._picker
        picker.coming = True
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
            picker.fill((), error.what)
            return
        picker.add(self._files(files), first=True)
        work = asyncio.ensure_future(asyncio.to_thread(self._index, files))
        while not work.done():
            await asyncio.wait([work], timeout=_BATCH_SECONDS)
            self._deliver()
            done, total = finding.index.done, finding.index.total
            picker.say(f"indexed {done:,} of {total:,} files" if not work.done() else "")
        work.result()

    def _files(self, files: Sequence[str]) -> list[ChoiceRow]:
        """Files with hunks first, then the file in view, then the others by name."""
        changed = self._host.controller.turn_state.paths()
        here = [path for path in (self._host.code.file.path,) if path and path in files]
        ordered = dict.fromkeys([*(path for path in changed if path in files), *here, *files])
        notes = dict.fromkeys(here, "in view") | dict.fromkeys(changed, "has hunks")
        return [ChoiceRow(path, path, notes.get(path, ""), by_label=True) for path in ordered]

    def _index(self, files: Sequence[str]) -> None:
        """On its thread."""
        for batch in self._host.controller.session.finding.symbols(files, self.stop):
            choices = []
            for symbol in batch:
                place = f"{symbol.path}:{symbol.line}"
                value = f"{_SYMBOL}{place}:{symbol.name}"
                self.symbols[value] = symbol
                choices.append(ChoiceRow(symbol.name, value, place, by_label=True, mark=_MARK))
            self._waiting.extend(choices)

    def _deliver(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting and not self.stop.is_set():
            self._picker.add(waiting)


async def _put_symbol(host: ReviewHost, symbol: Symbol) -> None:
    named = await asyncio.to_thread(host.controller.session.finding.mention, symbol)
    host.prompt.insert(f"{named} ")


async def _go_to(host: ReviewHost, symbol: Symbol) -> None:
    await host.open_file.show_at(symbol.path, symbol.line, around=_AROUND)
    host.code.focus()
