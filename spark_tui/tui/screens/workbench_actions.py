"""What each action of the registry does on the workbench, one case each.

Comes in: the workbench and the id of an action. Goes out: calls. Must not know: keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spark_tui.tui.pages import diff_rows, help_rows, settings_rows
from spark_tui.tui.screens import asking
from spark_tui.tui.screens.page import Page

if TYPE_CHECKING:
    from spark_tui.tui.screens.workbench import Workbench

_VIEWS = {"auto": "unified", "unified": "split", "split": "auto"}
_MOVES = frozenset(("line.down", "line.up", "page.down", "page.up", "top", "bottom", "left", "right"))


async def perform(bench: Workbench, action: str) -> None:
    """Do it; what cannot be done says so at the rim."""
    conductor, board, code = bench.conductor, bench.conductor.board, bench.code
    hunk = bench.walk.current
    if action in _MOVES:
        code.move(action)
        return
    match action:
        case "stop":
            await stop(bench)
        case "hunk.next":
            await bench.walk.step(1)
        case "hunk.previous":
            await bench.walk.step(-1)
        case "file.next":
            await bench.walk.step_file(1)
        case "file.previous":
            await bench.walk.step_file(-1)
        case "accept" | "reject" if hunk:
            await bench.walk.judge([hunk], action == "accept")
        case "accept.file" | "reject.file":
            await bench.walk.judge(board.of_file(code.file.path), action == "accept.file")
        case "accept.all":
            await bench.walk.judge(board.in_view(), True)
        case "reopen" if hunk:
            await conductor.reopen(hunk)
        case "write":
            await conductor.write()
        case "undo":
            await conductor.undo()
        case "redo":
            await conductor.redo()
        case "commit":
            await conductor.commit(None)
        case "follow":
            bench.follow()
        case "pane.next":
            await enter_code(bench)
        case "pane.previous":
            bench.focus_pane(-1)
        case "interrupt":
            interrupt(bench)
        case "quit":
            bench.quit()
        case "view":
            code.set_view(_VIEWS[code.view])
        case "fold":
            code.set_folded(not code.folded)
        case "transcript":
            bench.toggle_transcript()
        case "theme":
            theme = bench.themes.next()
            bench.wear(theme)
            bench.say(f"theme: {theme.title}")
        case "help" | "help.short":
            bench.app.push_screen(Page("keys", help_rows(bench.keymap), bench.palette))
        case "settings":
            rows = settings_rows(conductor.session.settings, bench.origin)
            bench.app.push_screen(Page("settings", rows, bench.palette))
        case "diff" if hunk:
            await _show_diff(bench)
        case "split" if hunk:
            await bench.walk.split(hunk)
        case "lines" if hunk:
            if code.choice is None:
                bench.say("Space takes the line at the cursor out or in, a accepts what is left, Esc leaves")
            code.choose_line(hunk)
        case "edit" if hunk:
            code.edit(hunk)
            code.focus()
        case "comment":
            asking.comment(bench)
        case "palette":
            asking.commands(bench)
        case "commands":
            asking.commands(bench, slash=True)
        case "mention":
            await asking.mention(bench)
        case "open":
            await asking.open_file(bench)
        case "prompt.search":
            asking.earlier(bench)
        case "copy" if hunk:
            bench.app.copy_to_clipboard("\n".join(hunk.new) + "\n")
            bench.say(f"copied {hunk.added} lines")
        case _:
            bench.say(f"`{action}` is not there yet", True)


async def _show_diff(bench: Workbench) -> None:
    """What a write would put on the disk now; the current hunk alone while nothing is accepted."""
    taken = bench.conductor.board.taken()
    hunk = bench.walk.current
    ids = None if taken or hunk is None else [hunk.id]
    patch = await bench.conductor.patch(ids)
    if patch is not None:
        what = f"what w would write ({len(taken)} accepted)" if taken else f"hunk {ids[0] if ids else ''}, not accepted"
        bench.app.push_screen(Page(what, diff_rows(patch), bench.palette))


async def stop(bench: Workbench) -> None:
    """The model first; else leave what is open; else go back to the prompt."""
    if bench.conductor.stop():
        if bench.code.editor is None:
            bench.prompt.focus()
    elif bench.code.editor is not None:
        await bench.walk.finish_edit()
    elif bench.code.choice is not None:
        bench.code.end_choice()
    elif bench.focused is not bench.prompt:
        bench.prompt.focus()


def interrupt(bench: Workbench) -> None:
    """Once stops, twice quits."""
    if bench.conductor.stop():
        bench.say("stopping; Ctrl+C again quits")
    elif bench.quit_asked:
        bench.quit()
    else:
        bench.say("Ctrl+C again quits")
    bench.quit_asked = True


async def enter_code(bench: Workbench) -> None:
    """From the prompt into the review; from there to the next pane."""
    if bench.focused is not bench.prompt:
        bench.focus_pane(1)
        return
    bench.code.focus()
    await bench.walk.enter()
