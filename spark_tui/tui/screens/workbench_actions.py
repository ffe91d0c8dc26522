"""Carries out the actions of the key table."""

from __future__ import annotations

from collections.abc import Callable
from inspect import isawaitable
from typing import Protocol

from textual.widget import Widget

from spark_tui.tui.code.hunk_view import HunkView
from spark_tui.tui.screens import quit as quit_screen
from spark_tui.tui.screens import settings_effects
from spark_tui.tui.screens.edits.edit_offers import EditOffers
from spark_tui.tui.screens.edits.file_typing import FileTyping
from spark_tui.tui.screens.navigation.hunk_navigation import ReviewHost
from spark_tui.tui.settings.keys import BY_ID

_VIEWS = {"auto": "unified", "unified": "split", "split": "auto"}
_MOVES = frozenset(("line.down", "line.up", "page.down", "page.up", "top", "bottom", "left", "right"))


class ActionHost(ReviewHost, Protocol):
    """The workbench, as the table of actions sees it."""

    file_typing: FileTyping
    edit_offers: EditOffers

    def fit(self) -> None: ...
    async def run_action(self, action: str) -> None: ...
    async def show_overlay(self, action: str) -> None: ...
    def toggle_transcript(self) -> None: ...


async def perform(host: ActionHost, action: str) -> None:
    """Carry out an action; one that cannot be done shows why on the status line."""
    hunk = host.navigation.current
    if action in _MOVES:
        host.code.move(action)
    elif action not in BY_ID or BY_ID[action].overlay:
        # What has no key of its own are the lists after `@` and `/` in the prompt, and the rewind.
        await host.show_overlay(action)
    elif action in _ALONE:
        await _ended(_ALONE[action](host))
    elif action in _ON_HUNK and hunk:
        await _ended(_ON_HUNK[action](host, hunk))
    elif BY_ID[action].place != "edit":  # those the code pane does
        host.show_message(f"there is no hunk to {BY_ID[action].label}")


async def _ended(done: object) -> None:
    if isawaitable(done):
        await done


def withdraw(host: ActionHost) -> None:
    if not host.controller.withdraw():
        host.show_message("the message has already been sent")


async def reopen(host: ActionHost, hunk: HunkView) -> None:
    await host.controller.review.reopen(hunk)
    host.edit_offers.saved()


async def write(host: ActionHost) -> None:
    """Write what is accepted, once nothing stands against it: lines that are being chosen, a conflict, or
    what that part alone would break, which is named first."""
    controller, taken = host.controller, host.controller.turn_state.taken()
    if (chosen := host.navigation.choosing) and chosen in taken:
        await host.navigation.go_to(chosen)
        accept, leave = host.keymap.shown("accept"), host.keymap.shown("stop")
        host.show_message(f"first {accept} to accept these lines, or {leave} for all of them")
        return
    if found := await host.open_file.in_conflict(taken):
        await host.navigation.go_to(found[0])
        return
    if not host.asked.write and (broken := await controller.review.broken()):
        host.asked.write = True
        host.show_message(f"{host.keymap.shown('write')} again writes it: {broken}", True)
        return
    if (stuck := await controller.review.write()) is not None:
        await host.navigation.go_to(stuck)
    host.edit_offers.wrote()
    if controller.unsaved_files.unsaved and not host.message[0]:
        host.show_message(f"what you typed is not saved: {host.keymap.shown('save')} saves it")
    await controller.refresh_git_state()


async def save(host: ActionHost) -> None:
    await host.file_typing.save()
    host.edit_offers.saved()


async def undo(host: ActionHost) -> None:
    await host.controller.review.undo()
    host.edit_offers.undone()
    host.edit_offers.wrote()


async def redo(host: ActionHost) -> None:
    await host.controller.review.redo()
    host.edit_offers.wrote()


async def commit(host: ActionHost) -> None:
    """Not awaited: a hook may take minutes, in which the screen would not be painted."""

    async def task() -> None:
        await host.controller.review.commit(None)
        await host.controller.refresh_git_state()

    host.start_task(task)


async def take_offer(host: ActionHost) -> bool:
    """Take the next edit, where one is offered; whether one was."""
    offered = bool(host.edit_offers.state) and host.focused is not host.prompt
    if offered:
        await host.edit_offers.take()
    return offered


async def next_pane(host: ActionHost) -> None:
    if not await take_offer(host):
        await enter_code(host)


def fit_wafer(host: ActionHost, change: Callable[[], object]) -> None:
    change()
    host.fit()


def edit(host: ActionHost, hunk: HunkView) -> None:
    host.code.edit(hunk)
    host.set_focus(host.code)


def copy(host: ActionHost) -> None:
    """What is selected, else the hunk."""
    if selected := host.get_selected_text():
        host.copy(selected)
        host.clear_selection()
    elif hunk := host.navigation.current:
        host.copy("".join(f"{line}\n" for line in hunk.new))
    else:
        host.show_message(f"there is no hunk to {BY_ID['copy'].label}")


def find(host: ActionHost) -> None:
    """In the code, wherever the keys are; what was typed since is what is looked for."""
    if not host.code.file.path:
        host.show_message(f"no file is open: {host.keymap.shown('open')} in the code opens one")
        return
    host.set_focus(host.code)
    host.code.search.begin()


def _about(hunk: HunkView) -> str:
    """What a comment on a hunk begins with."""
    from spark_tui.session.reader.hunk_comments import about_hunk  # the workbench starts without it

    return about_hunk(hunk.label, hunk.path, hunk.start)


def comment(host: ActionHost) -> None:
    """Say something about the hunk: the prompt begins with its place, and Enter sends as always."""
    hunk = host.navigation.current
    if hunk is None:
        return
    host.set_focus(host.prompt)
    about = _about(hunk)
    if not host.prompt.text.startswith(about):
        host.prompt.replace_text(about + host.prompt.draft)


async def stop(host: ActionHost) -> None:
    """The model first; else leave what is open; else go back to the prompt."""
    if host.controller.stop():
        if host.code.editor is None and host.code.find is None:
            host.set_focus(host.prompt)
    elif host.controller.loading is not None:
        host.show_message(f"still using {host.controller.session.backend.name}")
        host.controller.loading.give_up()
    elif host.code.find is not None and (host.code.find.typing or host.focused is host.code):
        host.code.search.end()
    elif host.code.ghost:
        host.file_typing.cancel_ghost()
        host.code.show_ghost("")
    elif host.edit_offers.state and host.focused is not host.prompt:
        await host.edit_offers.dismiss()
    elif host.code.editor is not None:
        await host.file_typing.leave()
    elif host.code.choice is not None:
        host.code.end_choice()
    elif host.focused is not host.prompt:
        host.set_focus(host.prompt)
    elif (hunk := host.navigation.current) is not None and host.prompt.text == _about(hunk):
        host.prompt.replace_text("")
        host.set_focus(host.code)
    elif host.controller.branch_from:
        host.controller.branch_from = 0
    elif not host.navigation.rewind_points():
        return
    elif not host.asked.rewind:
        # An Esc just after the last token was meant for the model.
        host.asked.rewind = True
        host.show_message(
            f"nothing is running; {host.keymap.shown('stop')} again rewinds this turn to a hunk"
        )
    else:
        host.asked.rewind = False
        await host.show_overlay("history")


async def switch_offers(host: ActionHost) -> None:
    """Next edits on or off, kept in the person's settings."""
    settings = host.controller.settings
    if settings is not None:
        wanted = not settings.next_edit
        await settings_effects.keep(host, {"ui.next_edit": wanted})
        host.show_message(f"next edits are {'offered while you type' if wanted else 'not offered any more'}")


async def enter_code(host: ActionHost) -> None:
    """From the prompt into the review; from there to the next pane."""
    if host.focused is not host.prompt:
        focus_pane(host, 1)
        return
    await host.navigation.enter()
    host.set_focus(host.code)


def focus_pane(host: ActionHost, by: int) -> None:
    panes: list[Widget] = [host.prompt, host.code]
    if not host.has_class("-narrow"):
        panes.append(host.list)
    at = panes.index(host.focused) if host.focused in panes else 0
    host.set_focus(panes[(at + by) % len(panes)])


def _of_file(host: ActionHost) -> list[HunkView]:
    return host.controller.turn_state.of_file(host.code.file.path)


def retry(host: ActionHost) -> None:
    host.open_file.expect_answer()
    host.controller.retry()


_ON_HUNK: dict[str, Callable[[ActionHost, HunkView], object]] = {
    "accept": lambda host, hunk: host.navigation.accept(hunk),
    "reject": lambda host, hunk: host.navigation.reject(hunk),
    "reopen": reopen,
    "split": lambda host, hunk: host.navigation.split(hunk),
    "lines": lambda host, hunk: host.code.choose_line(hunk),
    "edit": edit,
}
"""Actions on the hunk at which the keys are."""
_ALONE: dict[str, Callable[[ActionHost], object]] = {
    "withdraw": withdraw,
    "accept.file": lambda host: host.navigation.accept_all(_of_file(host), "accept.file"),
    "reject.file": lambda host: host.navigation.decide(_of_file(host), False),
    "accept.all": lambda host: host.navigation.accept_all(host.controller.turn_state.in_view(), "accept.all"),
    "write": write,
    "save": save,
    "ghost.take": take_offer,
    "undo": undo,
    "redo": redo,
    "commit": commit,
    "pane.next": next_pane,
    "wafer": lambda host: fit_wafer(host, host.wafer.toggle),
    "wafer.model": lambda host: fit_wafer(host, host.wafer.next_model),
    "redraw": lambda host: host.run_action("app.redraw"),
    "suspend": lambda host: host.run_action("app.suspend"),
    "copy": copy,
    "stop": stop,
    "resume": lambda host: host.controller.resume(),
    "retry": retry,
    "hunk.next": lambda host: host.navigation.step(1),
    "hunk.previous": lambda host: host.navigation.step(-1),
    "breaks": lambda host: host.navigation.step_breaks(),
    "file.next": lambda host: host.navigation.step_file(1),
    "file.previous": lambda host: host.navigation.step_file(-1),
    "offer.jump": lambda host: host.edit_offers.jump(),
    "offers": switch_offers,
    "type": lambda host: host.file_typing.begin(),
    "comment": comment,
    "find": find,
    "find.slash": find,
    "find.next": lambda host: host.code.search.step(1),
    "find.previous": lambda host: host.code.search.step(-1),
    "follow": lambda host: host.open_file.follow(),
    "pane.previous": lambda host: focus_pane(host, -1),
    "interrupt": quit_screen.interrupt,
    "new": lambda host: quit_screen.reopen(host, ""),
    "quit": quit_screen.quit,
    "view": lambda host: host.code.set_view(_VIEWS[host.code.view]),
    "fold": lambda host: host.code.set_folded(not host.code.folded),
    "transcript.up": lambda host: host.transcript.turn_page(-1),
    "transcript.down": lambda host: host.transcript.turn_page(1),
    "transcript": lambda host: host.toggle_transcript(),
    "theme": lambda host: host.apply_theme(),
}
"""Actions that are one call, whatever the state."""
