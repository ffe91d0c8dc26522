"""What is laid over the workbench: pickers of commands, files and prompts; pages of keys, settings and the
diff.

Comes in: the workbench and what is wanted. Goes out: the choice of the person, carried out.
Must not know: how a picker or a page is drawn.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from spark_tui.config import paths
from spark_tui.session.session_index import SessionIndex, SessionRow
from spark_tui.tui.hunk_view import OPEN, WORDS, HunkView
from spark_tui.tui.keys import ACTIONS, BY_ID
from spark_tui.tui.messages import Intent
from spark_tui.tui.page_text import Row, diff_rows, help_rows
from spark_tui.tui.safe_text import one_line
from spark_tui.tui.screens import file_picker, model_picker
from spark_tui.tui.screens import quit as quit_screen
from spark_tui.tui.screens.listing import lay_list
from spark_tui.tui.screens.page import Page
from spark_tui.tui.screens.picker import Choice, Picker
from spark_tui.tui.unsaved_edits import diff_of
from spark_tui.tui.view_state import counts

if TYPE_CHECKING:
    from spark_tui.tui.screens.workbench import Workbench

_IN_THE_PROMPT = frozenset(("submit", "queue", "newline", "prompt.previous", "prompt.next", "palette"))
_TWINS = frozenset(("help.short", "find.slash"))
"""Other keys for what is listed already."""
_FIRST = ("model", "connect", "settings", "sessions", "jobs", "open", "help")
"""What is wanted after `/` most often."""
_THEME, _ADDRESS, _LIKE = "theme:", "address:", "like:"


async def show(bench: Workbench, action: str) -> None:
    """Open the overlay of an action."""
    match action:
        case "help" | "help.short":
            _page(bench, "keys", help_rows(bench.keymap, bench.size.width))
        case "settings":
            settings(bench)
        case "diff":
            await plain_diff(bench)
        case "sessions":
            sessions(bench)
        case "history":
            history(bench)
        case "palette" | "commands":
            commands(bench, slash=action == "commands")
        case "mention":
            file_picker.mention(bench)
        case "open":
            file_picker.open_file(bench)
        case "line.go":
            file_picker.go_to_line(bench)
        case "prompt.search":
            earlier(bench)
        case "model":
            model_picker.choose(bench)
        case "jobs":
            bench.background.choose()
        case "connect":
            model_picker.connect(bench)


def _page(bench: Workbench, title: str, rows: Sequence[Row]) -> None:
    bench.lay_over(Page(title, rows, bench.palette))


def settings(bench: Workbench) -> None:
    from spark_tui.tui.screens.settings_page import SettingsPage

    page = SettingsPage(
        bench.preferences,
        lambda: bench.palette,
        bench.themes.names(),
        bench.conductor.away,
        bench.apply_settings,
    )
    bench.lay_over(page)


async def plain_diff(bench: Workbench) -> None:
    """What a write would put on the disk now; the current hunk alone while nothing is accepted. Below it what
    is typed and not saved, which has a key of its own."""
    taken, hunk = bench.conductor.board.taken(), bench.walk.current
    typed = diff_of(bench.conductor.typist.unsaved)
    patch: str | None
    if hunk is None and not taken and typed:
        patch, title = "", f"what {bench.keymap.shown('save')} would save"
    elif taken or hunk is None:
        patch, title = await bench.conductor.patch(), f"what {bench.keymap.shown('write')} would write"
    else:
        patch, title = await bench.conductor.patch([hunk.id]), f"hunk {hunk.label}, {_standing(hunk)}"
    if patch is None:
        return
    rows = diff_rows(patch) if patch or not typed else []
    if typed:
        said = (
            f" typed, not saved: {bench.keymap.shown('save')} saves it, {bench.keymap.shown('write')}"
            " does not"
        )
        rows = [*rows, *([[]] if rows else []), [(said, "mine")], [], *diff_rows(typed)]
    _page(bench, title, rows)


def _standing(hunk: HunkView) -> str:
    return "not accepted" if hunk.state in OPEN else WORDS[hunk.state]


def commands(bench: Workbench, *, slash: bool = False) -> None:
    """Every action that would do something now, with its keys; after `/` in the prompt by their short
    names."""
    now, choices = bench.situation(place="code"), []
    for action in ACTIONS:
        if action.id not in _IN_THE_PROMPT | _TWINS and counts(action.id, now):
            key = bench.keymap.shown(action.id) if bench.keymap.keys[action.id] else ""
            said = (
                (f"/{action.id}", f"{action.help}  {key}") if slash else (action.help, f"{action.id}  {key}")
            )
            choices.append(Choice(said[0], action.id, said[1].strip()))
    if slash:
        order = [*_FIRST, *(choice.value for choice in choices)]
        choices.sort(key=lambda choice: order.index(choice.value))
    before = "/theme " if slash else "Theme: "
    choices += [Choice(before + name, _THEME + name) for name in bench.themes.names()]

    def also(query: str) -> Choice | None:
        """`connect host:8000`, `model qwen`: a command with what it is about."""
        word, _, rest = query.strip().partition(" ")
        if word == "model" and rest:
            return Choice(f"Switch to a model that matches {rest}", _LIKE + rest, "list them")
        typed = model_picker.typed_address(rest) if word == "connect" and rest else None
        return (
            Choice(f"Connect to {typed.value}", _ADDRESS + typed.value, "list its models") if typed else None
        )

    def take(value: str | None) -> None:
        if value is None:
            if slash:
                bench.prompt.insert("/")
        elif value.startswith(_LIKE):
            model_picker.choose(bench, query=value.removeprefix(_LIKE))
        elif value.startswith(_ADDRESS):
            model_picker.choose(bench, value.removeprefix(_ADDRESS))
        elif value.startswith(_THEME):
            bench.wear_named(value.removeprefix(_THEME))
        elif value in BY_ID:
            bench.post_message(Intent(value))

    picker = Picker("command", choices, bench.palette, takes="run", also=also, nothing="no matching command")
    bench.lay_over(picker, take)


def sessions(bench: Workbench) -> None:
    """The kept sessions of this repository; the chosen one takes the place of this one, which is kept too."""
    if bench.conductor.opening:
        bench.say("the session is still opening")
        return
    root = bench.conductor.session.root

    def choice(row: SessionRow) -> Choice:
        detail = f"{_when(row.changed)}, {row.hunks} hunk{'s' * (row.hunks != 1)}"
        return Choice(row.name or row.prompt or "no prompt yet", row.id, detail)

    lay_list(
        bench,
        Picker("session", (), bench.palette, nothing=""),
        lambda: [row for row in kept_sessions(root) if row.turns],
        lambda row: quit_screen.reopen(bench, row.id),
        choice,
        "no saved sessions in this repository",
    )


def kept_sessions(root: Path) -> list[SessionRow]:
    with SessionIndex(paths.repository_state_dir(root)) as store:
        store.refresh()
        return store.sessions()


def _when(at: float) -> str:
    """Short enough for a narrow screen: of today the time, of any other day the date."""
    then, now = time.localtime(at), time.localtime()
    return time.strftime("%H:%M" if then[:3] == now[:3] else "%Y-%m-%d", then)


def history(bench: Workbench) -> None:
    """The hunks of the last turn: rewind to one of them and continue from there with another message."""
    choices = [
        Choice(
            f"after hunk {h.label}, {h.path}:{h.start}",
            str(h.id),
            f"+{h.added} −{h.removed}  {WORDS[h.state]}",
        )
        for h in sorted(bench.walk.behind(), key=lambda h: h.id)
    ]

    def take(value: str | None) -> None:
        if value is not None:
            bench.conductor.branch_from = int(value)
            bench.paint_rim()

    bench.lay_over(Picker("rewind to", choices, bench.palette), take)


def earlier(bench: Workbench) -> None:
    """The prompts of this repository, the latest first."""
    texts = list(dict.fromkeys(reversed(bench.prompt.sent)))
    choices = [Choice(one_line(text), text) for text in texts]

    def take(value: str | None) -> None:
        if value is not None:
            bench.prompt.replace_text(value)

    bench.lay_over(Picker("earlier", choices, bench.palette), take)
