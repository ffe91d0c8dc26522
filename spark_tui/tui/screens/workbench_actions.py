"""What each action of the registry does on the workbench, one case each.

Comes in: the workbench and the id of an action. Goes out: calls. Must not know: keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widget import Widget

from spark_tui.tui.keys import BY_ID
from spark_tui.tui.screens import quit as quit_screen

if TYPE_CHECKING:
    from spark_tui.tui.screens.workbench import Workbench

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


async def perform(bench: Workbench, action: str) -> None:
    """Do it; what cannot be done says so at the rim."""
    conductor, board, code = bench.conductor, bench.conductor.board, bench.code
    hunk = bench.walk.current
    if action in _MOVES:
        code.move(action)
        return
    if action in _OVERLAYS:
        await _overlay(bench, action)
        return
    match action:
        case "stop":
            await stop(bench)
        case "resume":
            conductor.resume()
        case "retry":
            conductor.retry()
        case "withdraw":
            if not conductor.withdraw():
                bench.say("the message has already been sent")
        case "hunk.next":
            await bench.walk.step(1)
        case "hunk.previous":
            await bench.walk.step(-1)
        case "file.next":
            await bench.walk.step_file(1)
        case "file.previous":
            await bench.walk.step_file(-1)
        case "accept" if hunk:
            await bench.walk.accept(hunk)
        case "reject" if hunk:
            await bench.walk.judge([hunk], False)
        case "accept.file" | "reject.file":
            await bench.walk.judge(board.of_file(code.file.path), action == "accept.file")
        case "accept.all":
            await bench.walk.judge(board.in_view(), True)
        case "reopen" if hunk:
            await conductor.reopen(hunk)
        case "write" if not bench.stage.stuck(board.taken()):
            await conductor.write()
        case "write":
            pass
        case "save":
            await bench.typing.save()
        case "type":
            await bench.typing.begin()
        case "undo":
            await conductor.undo()
        case "redo":
            await conductor.redo()
        case "commit":
            await conductor.commit(None)
            await conductor.look_at_tree()
        case "find" | "find.slash":
            find(bench)
        case "find.next" | "find.previous":
            code.find_step(1 if action == "find.next" else -1)
        case "follow":
            bench.follow()
        case "pane.next":
            await enter_code(bench)
        case "pane.previous":
            focus_pane(bench, -1)
        case "interrupt":
            quit_screen.interrupt(bench)
        case "quit":
            quit_screen.quit(bench)
        case "view":
            code.set_view(_VIEWS[code.view])
        case "fold":
            code.set_folded(not code.folded)
        case "wafer":
            bench.wafer.toggle()
        case "wafer.model":
            bench.wafer.next_model()
        case "transcript":
            bench.toggle_transcript()
        case "theme":
            theme = bench.themes.next()
            bench.wear(theme)
            bench.say(f"theme: {theme.title}")
        case "redraw" | "suspend":
            await bench.run_action(f"app.{action}")
        case "split" if hunk:
            await bench.walk.split(hunk)
        case "lines" if hunk:
            if code.choice is None:
                bench.say("Space leaves the line out or takes it in, a accepts the lines left, Esc cancels")
            code.choose_line(hunk)
        case "edit" if hunk:
            code.edit(hunk)
            bench.set_focus(code)
        case "comment":
            comment(bench)
        case "copy" if hunk:
            bench.copy("".join(f"{line}\n" for line in hunk.new))
        case _ if BY_ID[action].place == "edit":
            pass  # the code pane does it
        case _:
            bench.say(f"there is no hunk to {BY_ID[action].label}")


def find(bench: Workbench) -> None:
    """In the code, wherever the keys are; what was typed since is what is looked for."""
    if not bench.code.file.path:
        bench.say(f"no file is open: {bench.keymap.shown('open')} in the code opens one")
        return
    bench.set_focus(bench.code)
    bench.code.begin_find()


def comment(bench: Workbench) -> None:
    """Say something about the hunk: the prompt begins with its place, and Enter sends as always."""
    hunk = bench.walk.current
    if hunk is None:
        return
    bench.set_focus(bench.prompt)
    about = f"about hunk {hunk.label} ({hunk.path}:{hunk.start}): "
    if not bench.prompt.text.startswith(about):
        bench.prompt.replace_text(about + bench.prompt.draft)


async def stop(bench: Workbench) -> None:
    """The model first; else leave what is open; else go back to the prompt."""
    if bench.conductor.stop():
        if bench.code.editor is None and bench.code.find is None:
            bench.set_focus(bench.prompt)
    elif bench.conductor.loading is not None:
        bench.say(f"still using {bench.conductor.session.backend.name}")
        bench.conductor.loading.give_up()
    elif bench.code.find is not None and (bench.code.find.typing or bench.focused is bench.code):
        bench.code.end_find()
    elif bench.code.ghost:
        bench.typing.ghost.cancel()
        bench.code.show_ghost("")
    elif bench.code.editor is not None:
        await bench.typing.leave()
    elif bench.code.choice is not None:
        bench.code.end_choice()
    elif bench.focused is not bench.prompt:
        bench.set_focus(bench.prompt)
    elif bench.conductor.branch_from:
        bench.conductor.branch_from = 0
    elif not bench.walk.behind():
        return
    elif not bench.back_asked:
        # An Esc that came just behind the last token was meant for the model.
        bench.back_asked = True
        bench.say(f"nothing is running; {bench.keymap.shown('stop')} again rewinds this turn to a hunk")
    else:
        bench.back_asked = False
        await _overlay(bench, "history")


async def _overlay(bench: Workbench, action: str) -> None:
    # Loaded when the first one is wanted: the first frame does not wait for what it does not show.
    from spark_tui.tui.screens import overlays

    await overlays.show(bench, action)


def load_overlays() -> None:
    """Import what the first overlay needs, so that its key does not wait for it."""
    import spark_tui.tui.screens.overlays  # noqa: F401


async def enter_code(bench: Workbench) -> None:
    """From the prompt into the review; from there to the next pane."""
    if bench.focused is not bench.prompt:
        focus_pane(bench, 1)
        return
    await bench.walk.enter()
    bench.set_focus(bench.code)


def focus_pane(bench: Workbench, by: int) -> None:
    panes: list[Widget] = [bench.prompt, bench.code]
    if not bench.has_class("-narrow"):
        panes.append(bench.list)
    at = panes.index(bench.focused) if bench.focused in panes else 0
    bench.set_focus(panes[(at + by) % len(panes)])
