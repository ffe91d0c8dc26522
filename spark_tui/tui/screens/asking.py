"""The pickers over the workbench: commands, files, earlier prompts.

Comes in: the workbench. Goes out: the choice of the person, carried out. Must not know: how a picker is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spark_tui.tui.keys import ACTIONS, BY_ID
from spark_tui.tui.messages import Intent
from spark_tui.tui.printable import one_line
from spark_tui.tui.screens.picker import Choice, Picker
from spark_tui.tui.situation import counts

if TYPE_CHECKING:
    from spark_tui.tui.screens.workbench import Workbench

_IN_THE_PROMPT = frozenset(("submit", "queue", "newline", "prompt.previous", "prompt.next", "palette"))
_THEME = "theme:"


def commands(bench: Workbench, *, slash: bool = False) -> None:
    """Every action that would do something now, with its keys; after `/` in the prompt too."""
    now = bench.situation(place="code")
    choices = [
        Choice(action.help, action.id, f"{action.id}  {bench.keymap.shown(action.id)}")
        for action in ACTIONS
        if action.id not in _IN_THE_PROMPT and counts(action.id, now)
    ]
    choices += [Choice(f"Theme: {name}", _THEME + name) for name in bench.themes.names()]

    def take(value: str | None) -> None:
        if value is None:
            if slash:
                bench.prompt.insert("/")
        elif value.startswith(_THEME):
            bench.wear_named(value.removeprefix(_THEME))
        elif value in BY_ID:
            bench.post_message(Intent(value))

    bench.app.push_screen(Picker("command", choices, bench.palette), take)


async def mention(bench: Workbench) -> None:
    """After `@` in the prompt: a file, put in by its name."""
    choices = await _files(bench)

    def take(value: str | None) -> None:
        if value is not None:
            name = f'"{value}"' if " " in value else value
            bench.prompt.insert(f"{name} ")

    bench.app.push_screen(Picker("file", choices, bench.palette), take)


async def open_file(bench: Workbench) -> None:
    choices = await _files(bench)

    def take(value: str | None) -> None:
        if value is not None:
            bench.code.following = False
            bench.later(lambda: bench.show_file(value))

    bench.app.push_screen(Picker("open", choices, bench.palette), take)


async def _files(bench: Workbench) -> list[Choice]:
    found = await bench.conductor.files()
    changed = set(bench.conductor.board.paths())
    ordered = sorted(found, key=lambda path: path not in changed)
    return [Choice(path, path, "hunks" if path in changed else "") for path in ordered]


def earlier(bench: Workbench) -> None:
    """The prompts of this repository, the latest first."""
    texts = list(dict.fromkeys(reversed(bench.prompt.sent)))
    choices = [Choice(one_line(text), text) for text in texts]

    def take(value: str | None) -> None:
        if value is not None:
            bench.prompt.replace_text(value)

    bench.app.push_screen(Picker("earlier", choices, bench.palette), take)


def comment(bench: Workbench) -> None:
    """Say something about the hunk: the prompt begins with its place, and Enter sends as always."""
    hunk = bench.walk.current
    if hunk is None:
        return
    bench.prompt.focus()
    about = f"about hunk {hunk.id} ({hunk.path}:{hunk.start}): "
    if not bench.prompt.text.startswith(about):
        bench.prompt.replace_text(about + bench.prompt.text)
