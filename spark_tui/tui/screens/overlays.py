"""What opens on top of the workbench: pickers of commands, sessions and prompts; pages of keys, settings and
the diff."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from spark_tui.config import paths
from spark_tui.session.storage.session_index import SessionIndex, SessionRow
from spark_tui.tui.code.hunk_view import DOUBT_MARK, OPEN, WORDS
from spark_tui.tui.code.unsaved_edits import diff_of
from spark_tui.tui.messages import Intent
from spark_tui.tui.page_text import diff_rows, help_rows
from spark_tui.tui.screens import quit as quit_screen
from spark_tui.tui.screens.edits import edit_choices, exact_edits
from spark_tui.tui.screens.lists import file_picker, model_picker
from spark_tui.tui.screens.lists.background_jobs import BackgroundJobs
from spark_tui.tui.screens.lists.check_list import CheckList
from spark_tui.tui.screens.lists.server_texts import add_prompts
from spark_tui.tui.screens.pickers.page import Page
from spark_tui.tui.screens.pickers.picker import ChoiceRow, Picker, push_list
from spark_tui.tui.screens.turns.prompts import PromptsHost
from spark_tui.tui.settings.keys import ACTIONS, BY_ID, BY_NAME
from spark_tui.tui.text.safe_text import one_line, wrap
from spark_tui.tui.view_state import ViewState, counts

_IN_THE_PROMPT = frozenset(("submit", "queue", "newline", "prompt.previous", "prompt.next", "palette"))
_TWINS = frozenset(("help.short", "find.slash"))
"""Other keys for what is listed already."""
_FIRST = (
    *exact_edits.NAMES,
    "model",
    "connect",
    "settings",
    "sessions",
    "new",
    "jobs",
    "delegate",
    "open",
    "help",
)
"""What is wanted after `/` most often."""


class OverlaysHost(PromptsHost, Protocol):
    """The workbench, as what is laid over it sees it."""

    background_jobs: BackgroundJobs
    check_list: CheckList


def settings(host: OverlaysHost) -> None:
    from spark_tui.tui.screens.lists.settings_page import SettingsPage

    host.push_overlay(SettingsPage(host))


async def plain_diff(host: OverlaysHost) -> None:
    """What a write would put on the disk now, or why it would refuse to; the current hunk alone while nothing
    is accepted. Below it what is typed and not saved, which has a key of its own."""
    taken, hunk = host.controller.turn_state.taken(), host.navigation.current
    typed = diff_of(host.controller.unsaved_files.unsaved)
    patch: str | None
    if hunk is None and not taken and typed:
        patch, title = "", f"what {host.keymap.shown('save')} would save"
    elif taken or hunk is None:
        patch, title = await host.controller.review.patch(), f"what {host.keymap.shown('write')} would write"
    else:
        standing = "not accepted" if hunk.state in OPEN else WORDS[hunk.state]
        patch, title = await host.controller.review.patch([hunk.id]), f"hunk {hunk.label}, {standing}"
    if patch is None:
        return
    rows = diff_rows(patch) if patch or not typed else []
    if taken and (refusal := await host.controller.review.refusal()):
        title = f"{host.keymap.shown('write')} would write nothing"
        rows = [*_note(f"! {refusal}", host), *rows]
    elif taken and (broken := await host.controller.review.broken()):
        rows = [*_note(f"{DOUBT_MARK} {broken}", host), *rows]
    if typed:
        keys = host.keymap
        note = f" typed, not saved: {keys.shown('save')} saves it, {keys.shown('write')} does not"
        rows = [*rows, *([[]] if rows else []), [(note, "mine")], [], *diff_rows(typed)]
    host.push_overlay(Page(title, rows, host.palette))


def _note(text: str, host: OverlaysHost) -> list[list[tuple[str, str]]]:
    return [*([(f" {line}", "doubt")] for line in wrap(text, host.size.width - 2)), []]


class _Rows:
    """Rows of the list of commands that do what is no action of the key table."""

    def __init__(self) -> None:
        self.acts: dict[str, Callable[[], object]] = {}

    def add(self, label: str, detail: str, act: Callable[[], object]) -> ChoiceRow:
        self.acts[label] = act
        return ChoiceRow(label, label, detail)


def commands(host: OverlaysHost, *, slash: bool = False) -> None:
    """Every action that would do something now, with its keys; after `/` in the prompt by their short
    names. Else also those that would do nothing now, last: whoever looks for one finds it, and why."""
    now, rows, names = host.view_state(place="code"), _Rows(), set(exact_edits.NAMES)
    doable, idle = _actions(host, now, slash)
    before = "/theme " if slash else "Theme: "
    themes = [
        rows.add(before + name, "", partial(host.apply_theme, name)) for name in host.themes.catalog.names()
    ]
    choices = [*doable, *themes, *idle]

    def also(query: str) -> ChoiceRow | None:
        query = query.strip().removeprefix("/")
        found = _with_argument(host, now, query, rows)
        return found or (_into_prompt(host, query, choices, rows) if slash else None)

    def take(value: str | None) -> None:
        if value in rows.acts:
            rows.acts[value]()
        elif value in exact_edits.NAMES:
            exact_edits.open_line(host, f"/{value} ")
        elif value in names:
            host.prompt.insert(f"/{value} ")
        elif value is not None:
            host.post_message(Intent(value))

    picker = Picker(
        "command",
        choices,
        host.palette,
        takes="run",
        also=also,
        nothing="no matching command",
        words=names,
        table=slash,
    )
    host.push_overlay(picker, take)
    host.start_task(partial(add_prompts, host, picker, names))


def _actions(host: OverlaysHost, now: ViewState, slash: bool) -> tuple[list[ChoiceRow], list[ChoiceRow]]:
    """The actions that would do something now, and those that would not."""
    choices, idle = [], []
    for action in ACTIONS:
        if action.id in _IN_THE_PROMPT | _TWINS:
            continue
        key = host.keymap.shown(action.id) if host.keymap.keys[action.id] else ""
        if counts(action.id, now):
            label, about = (f"/{action.id}", action.help) if slash else (action.help, action.id)
            words = " ".join(f"/{name}" for name in action.names)
            choices.append(ChoiceRow(label, action.id, about, key, words=words))
        elif not slash and action.group != "Typing":
            idle.append(ChoiceRow(action.help, action.id, "not now", key))
    if slash:
        order = [*_FIRST, *(choice.value for choice in choices)]
        choices.sort(key=lambda choice: order.index(choice.value))
    return choices, idle


def _with_argument(host: OverlaysHost, now: ViewState, query: str, rows: _Rows) -> ChoiceRow | None:
    """`connect host:8000`, `model qwen`: a command with what it is about."""
    word, _, rest = query.partition(" ")
    as_typed = partial(run_command, host, f"/{query}")
    if not rest:
        return None
    if word in exact_edits.NAMES:
        return rows.add(f"/{query}", "exact edit", as_typed)
    match word:
        case "take":
            return rows.add(f"/{query}", "take an edit that was offered", as_typed)
        case "delegate":
            act = partial(host.background_jobs.delegate, rest)
            return rows.add(f"Hand to a job: {rest}", "its hunks come back here", act)
        case "commit" if counts("commit", now):
            return rows.add(f"Commit: {rest}", "what was written", as_typed)
        case "check":
            return rows.add(f"Run {rest}", "list its problems", partial(host.check_list.run, rest))
        case "open":
            return rows.add(f"Open {rest}", "or make it", partial(file_picker.open_file, host, rest))
        case "model":
            choose = partial(model_picker.choose, host, query=rest)
            return rows.add(f"Switch to a model that matches {rest}", "list them", choose)
        case "connect" if typed := model_picker.typed_address(rest):
            connect = partial(model_picker.choose, host, typed.value)
            return rows.add(f"Connect to {typed.value}", "list its models", connect)
    return None


def _into_prompt(
    host: OverlaysHost, query: str, choices: Sequence[ChoiceRow], rows: _Rows
) -> ChoiceRow | None:
    """What is no command, for the prompt: Enter after the name of a command that is not there runs none whose
    letters are strewn alike."""
    word = query.partition(" ")[0]
    is_listed = any(query.casefold() in choice.searched.casefold() for choice in choices)
    # The help of `/redo` has the word undo in it.
    idle = word in BY_ID and all(choice.value != word for choice in choices)
    if "/" not in query and not idle and is_listed:
        return None
    why = "not possible now" if idle else "no such argument" if word in BY_ID else "no command"
    return rows.add(f"/{query}", f"{why}: into the prompt", partial(host.prompt.insert, f"/{query}"))


async def _commit(host: OverlaysHost, message: str) -> None:
    await host.controller.review.commit(message)
    await host.controller.refresh_git_state()


def run_command(host: OverlaysHost, text: str) -> bool:
    """Carry out a command that came as a prompt, pasted or brought back; whether it was one. A message waits
    until the prompt is emptied, which clears the status line."""
    text = text.strip()
    head, _, rest = text.partition(" ")
    name, rest = head.removeprefix("/"), rest.strip()
    match name:
        case "delegate":
            host.background_jobs.delegate(rest)
        case "take":
            edit_choices.take(host, rest)
        case _ if "\n" in text:
            return False
        case "check":
            host.check_list.run(rest)
        case "open" if rest:
            file_picker.open_file(host, rest)
        case "commit" if rest:
            host.start_task(partial(_commit, host, rest))
        case "model" if len(rest.split()) < 2:
            model_picker.choose(host, query=rest)
        case "connect" if len(rest.split()) < 2:
            model_picker.connect(host, rest)
        case "theme" if rest:
            host.apply_theme(rest)
        case _ if name in exact_edits.NAMES:
            exact_edits.open_line(host, f"{head} {rest}", at_once=bool(rest) or name == "imports")
        case _ if name in BY_NAME and not rest:
            host.post_message(Intent(BY_NAME[name].id))
        # A longer line may be a sentence that begins with a path.
        case _ if name.replace(".", "").isalpha() and len(rest.split()) < 2:
            problem = f"/{name} does not take {rest}"
            if name not in BY_NAME:
                problem = f"there is no command /{name}: / lists them"
            host.show_message(problem, True)
        case _:
            return False
    return True


def sessions(host: OverlaysHost) -> None:
    """The stored sessions of this repository; the chosen one replaces this one, which is kept too."""

    def choice(row: SessionRow) -> ChoiceRow:
        detail = f"{_when(row.changed)}, {row.hunks} hunk{'s' * (row.hunks != 1)}"
        return ChoiceRow(row.name or row.prompt or "no prompt yet", row.id, detail)

    push_list(
        host,
        Picker("session", (), host.palette, nothing=""),
        lambda root: [row for row in kept_sessions(root) if row.turns or row.prompt],
        lambda row: quit_screen.reopen(host, row.id),
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


def history(host: OverlaysHost) -> None:
    """The hunks of the last turn: rewind to one of them and continue from there with another message."""
    choices = []
    for h in sorted(host.navigation.rewind_points(), key=lambda h: h.id):
        size = f"+{h.added} −{h.removed}  {WORDS[h.state]}"
        choices.append(ChoiceRow(f"after hunk {h.label}, {h.path}:{h.start}", str(h.id), size))

    def take(value: str | None) -> None:
        if value is not None:
            host.controller.branch_from = int(value)
            host.paint_status()

    host.push_overlay(Picker("rewind to", choices, host.palette), take)


def earlier(host: OverlaysHost) -> None:
    """The prompts of this repository, the latest first."""
    texts = list(dict.fromkeys(reversed(host.prompt.sent)))
    choices = [ChoiceRow(one_line(text), text) for text in texts]

    def take(value: str | None) -> None:
        if value is not None:
            host.prompt.replace_text(value)

    host.push_overlay(Picker("earlier", choices, host.palette), take)


def keys(host: OverlaysHost) -> None:
    """Every key, and the marks."""
    host.push_overlay(Page("keys", help_rows(host.keymap, host.size.width), host.palette))


_SHOWN: dict[str, Callable[[OverlaysHost], object]] = {
    "help": keys,
    "help.short": keys,
    "settings": settings,
    "sessions": sessions,
    "history": history,
    "palette": commands,
    "commands": partial(commands, slash=True),
    "prompt.search": earlier,
    "choose": edit_choices.choose,
    "mention": file_picker.mention,
    "open": file_picker.open_file,
    "line.go": file_picker.go_to_line,
    "model": model_picker.choose,
    "connect": model_picker.connect,
    "jobs": lambda host: host.background_jobs.choose(),
    "delegate": lambda host: host.prompt.insert("/delegate "),
    "check": lambda host: host.check_list.run(),
}


async def show(host: OverlaysHost, action: str) -> None:
    if action == "diff":
        await plain_diff(host)
    elif action in exact_edits.NAMES:
        exact_edits.open_line(host, f"/{action} ")
    else:
        _SHOWN[action](host)
