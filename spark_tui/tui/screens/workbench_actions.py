"""What each action of the registry does on the workbench, one case each.

Comes in: the workbench and the id of an action. Goes out: calls. Must not know: keys.
"""

from __future__ import annotations

from typing import Protocol

from textual.widget import Widget

from spark_tui.tui.keys import BY_ID
from spark_tui.tui.screens import quit as quit_screen
from spark_tui.tui.screens.file_typing import FileTyping
from spark_tui.tui.screens.hunk_navigation import HunkNavigation
from spark_tui.tui.screens.open_file import OpenFile
from spark_tui.tui.screens.theme_switcher import ThemeSwitcher
from spark_tui.tui.widgets.hunk_list import HunkList
from spark_tui.tui.widgets.wafer_panel import WaferPanel

_VIEWS = {"auto": "unified", "unified": "split", "split": "auto"}
_MOVES = frozenset(("line.down", "line.up", "page.down", "page.up", "top", "bottom", "left", "right"))

_OVERLAYS = frozenset(
    (
        "help",
        "help.short",
        "settings",
        "diff",
        "palette",
        "commands",
        "mention",
        "open",
        "line.go",
        "prompt.search",
        "sessions",
        "model",
        "jobs",
        "connect",
        "history",
    )
)


class ActionHost(quit_screen.QuitHost, Protocol):
    """The workbench, as the table of actions sees it."""

    list: HunkList
    stage: OpenFile
    themes: ThemeSwitcher
    typing: FileTyping
    wafer: WaferPanel
    walk: HunkNavigation

    @property
    def focused(self) -> Widget | None: ...

    def follow(self) -> None: ...

    def has_class(self, *class_names: str) -> bool: ...

    async def run_action(self, action: str) -> None: ...

    def set_focus(self, widget: Widget | None) -> None: ...

    async def show_overlay(self, action: str) -> None: ...

    def toggle_transcript(self) -> None: ...


async def perform(host: ActionHost, action: str) -> None:
    """Do it; what cannot be done says so at the rim."""
    conductor, board, code = host.conductor, host.conductor.board, host.code
    hunk = host.walk.current
    if action in _MOVES:
        code.move(action)
        return
    if action in _OVERLAYS:
        await host.show_overlay(action)
        return
    match action:
        case "stop":
            await stop(host)
        case "resume":
            conductor.resume()
        case "retry":
            conductor.retry()
        case "withdraw":
            if not conductor.withdraw():
                host.say("the message has already been sent")
        case "hunk.next":
            await host.walk.step(1)
        case "hunk.previous":
            await host.walk.step(-1)
        case "file.next":
            await host.walk.step_file(1)
        case "file.previous":
            await host.walk.step_file(-1)
        case "accept" if hunk:
            await host.walk.accept(hunk)
        case "reject" if hunk:
            await host.walk.judge([hunk], False)
        case "accept.file" | "reject.file":
            await host.walk.judge(board.of_file(code.file.path), action == "accept.file")
        case "accept.all":
            await host.walk.judge(board.in_view(), True)
        case "reopen" if hunk:
            await conductor.reopen(hunk)
        case "write" if not host.stage.stuck(board.taken()):
            await conductor.write()
        case "write":
            pass
        case "save":
            await host.typing.save()
        case "type":
            await host.typing.begin()
        case "undo":
            await conductor.undo()
        case "redo":
            await conductor.redo()
        case "commit":
            await conductor.commit(None)
            await conductor.look_at_tree()
        case "find" | "find.slash":
            find(host)
        case "find.next" | "find.previous":
            code.find_step(1 if action == "find.next" else -1)
        case "follow":
            host.follow()
        case "pane.next":
            await enter_code(host)
        case "pane.previous":
            focus_pane(host, -1)
        case "interrupt":
            quit_screen.interrupt(host)
        case "quit":
            quit_screen.quit(host)
        case "view":
            code.set_view(_VIEWS[code.view])
        case "fold":
            code.set_folded(not code.folded)
        case "wafer":
            host.wafer.toggle()
        case "wafer.model":
            host.wafer.next_model()
        case "transcript":
            host.toggle_transcript()
        case "theme":
            host.themes.apply_next()
        case "redraw" | "suspend":
            await host.run_action(f"app.{action}")
        case "split" if hunk:
            await host.walk.split(hunk)
        case "lines" if hunk:
            if code.choice is None:
                host.say("Space leaves the line out or takes it in, a accepts the lines left, Esc cancels")
            code.choose_line(hunk)
        case "edit" if hunk:
            code.edit(hunk)
            host.set_focus(code)
        case "comment":
            comment(host)
        case "copy" if hunk:
            host.copy("".join(f"{line}\n" for line in hunk.new))
        case _ if BY_ID[action].place == "edit":
            pass  # the code pane does it
        case _:
            host.say(f"there is no hunk to {BY_ID[action].label}")


def find(host: ActionHost) -> None:
    """In the code, wherever the keys are; what was typed since is what is looked for."""
    if not host.code.file.path:
        host.say(f"no file is open: {host.keymap.shown('open')} in the code opens one")
        return
    host.set_focus(host.code)
    host.code.begin_find()


def comment(host: ActionHost) -> None:
    """Say something about the hunk: the prompt begins with its place, and Enter sends as always."""
    hunk = host.walk.current
    if hunk is None:
        return
    host.set_focus(host.prompt)
    about = f"about hunk {hunk.label} ({hunk.path}:{hunk.start}): "
    if not host.prompt.text.startswith(about):
        host.prompt.replace_text(about + host.prompt.draft)


async def stop(host: ActionHost) -> None:
    """The model first; else leave what is open; else go back to the prompt."""
    if host.conductor.stop():
        if host.code.editor is None and host.code.find is None:
            host.set_focus(host.prompt)
    elif host.conductor.loading is not None:
        host.say(f"still using {host.conductor.session.backend.name}")
        host.conductor.loading.give_up()
    elif host.code.find is not None and (host.code.find.typing or host.focused is host.code):
        host.code.end_find()
    elif host.code.ghost:
        host.typing.ghost.cancel()
        host.code.show_ghost("")
    elif host.code.editor is not None:
        await host.typing.leave()
    elif host.code.choice is not None:
        host.code.end_choice()
    elif host.focused is not host.prompt:
        host.set_focus(host.prompt)
    elif host.conductor.branch_from:
        host.conductor.branch_from = 0
    elif not host.walk.behind():
        return
    elif not host.asked.rewind:
        # An Esc that came just behind the last token was meant for the model.
        host.asked.rewind = True
        host.say(f"nothing is running; {host.keymap.shown('stop')} again rewinds this turn to a hunk")
    else:
        host.asked.rewind = False
        await host.show_overlay("history")


def load_overlays() -> None:
    """Import what the first overlay needs, so that its key does not wait for it."""
    import spark_tui.tui.screens.overlays  # noqa: F401


async def enter_code(host: ActionHost) -> None:
    """From the prompt into the review; from there to the next pane."""
    if host.focused is not host.prompt:
        focus_pane(host, 1)
        return
    await host.walk.enter()
    host.set_focus(host.code)


def focus_pane(host: ActionHost, by: int) -> None:
    panes: list[Widget] = [host.prompt, host.code]
    if not host.has_class("-narrow"):
        panes.append(host.list)
    at = panes.index(host.focused) if host.focused in panes else 0
    host.set_focus(panes[(at + by) % len(panes)])
