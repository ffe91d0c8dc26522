"""What becomes of the text of the prompt: sent, queued, kept, or read ahead while it is typed."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from textual.timer import Timer

from spark_tui.config import paths
from spark_tui.tui.screens.navigation.hunk_navigation import ReviewHost
from spark_tui.tui.settings.keys import BY_ID, BY_NAME
from spark_tui.tui.widgets.code_editor import HunkEditor
from spark_tui.workspace.disk import replace_file

if TYPE_CHECKING:
    from spark_tui.session.reader.read_ahead import Preview

KEPT_PROMPTS = 1_000
_MOST_WINDOWS = 9
_NOT_SENT = "not sent: your message is back in the prompt"


class PromptHistory:
    """One folder with `draft.txt` and `prompts.jsonl`. Each window has a draft of its own: the first one that
    was left behind, else an empty one."""

    def __init__(self, folder: Path) -> None:
        self._lock = -1
        """Held while the window is open; the kernel releases it when a process dies."""
        self._draft = folder / "draft.txt"
        self._prompts = folder / "prompts.jsonl"
        drafts = [folder / f"draft{at}.txt" for at in ("", *(f"-{n}" for n in range(2, _MOST_WINDOWS + 1)))]
        for path in sorted(drafts, key=lambda path: not (path.exists() and path.stat().st_size)):
            if self._take(path):
                break

    def _take(self, path: Path) -> bool:
        """Make this the window's draft, unless it is another window's."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            return False
        self._lock, self._draft = lock, path
        return True

    def close(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def draft(self) -> str:
        try:
            return self._draft.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return ""

    def keep_draft(self, text: str) -> None:
        with contextlib.suppress(OSError):
            replace_file(self._draft, text.encode("utf-8", "surrogateescape"))

    def prompts(self) -> list[str]:
        """Oldest first; a line that is damaged is left out."""
        try:
            lines = self._prompts.read_text(encoding="utf-8", errors="replace").split("\n")
        except OSError:
            return []
        out: list[str] = []
        if len(lines) > 2 * KEPT_PROMPTS:
            lines = lines[-KEPT_PROMPTS - 1 :]
            with contextlib.suppress(OSError):
                replace_file(self._prompts, "\n".join(lines).encode())
        for line in lines[-KEPT_PROMPTS - 1 :]:
            try:
                text = json.loads(line)
            except ValueError:
                continue
            if isinstance(text, str):
                out.append(text)
        return out

    def keep_prompt(self, text: str) -> None:
        """Prompts are private, also in a file that exists already."""
        with contextlib.suppress(OSError):
            self._prompts.parent.mkdir(parents=True, exist_ok=True)
            fd = os.open(self._prompts, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(fd, "w", encoding="utf-8") as file:
                with contextlib.suppress(OSError):
                    os.fchmod(fd, 0o600)
                file.write(json.dumps(text) + "\n")


DRAFT_SECONDS = 0.4
_OF_VI = ("quit", "write")
"""The actions whose other names are no names of anything else."""


def named_command(text: str) -> str:
    """The action that a message of one word names as other programs do: `quit`, `:wq`, `:30`. To undo the
    last edit can be said, and `clear` may be another name for it."""
    word = text.strip().removeprefix(":").removesuffix("!")
    if word.isdigit() and text.strip().startswith(":"):
        return "line.go"
    action = BY_NAME.get(word)
    if action is None or action.id in ("undo", "new") or (word != action.id and action.id not in _OF_VI):
        return ""
    return action.id


class Prompts:
    """Carries prompts to the turn controller, with the place in the file that they are about. Keeps nothing
    until it knows the repository."""

    def __init__(self, host: ReviewHost) -> None:
        self._host = host
        self._history: PromptHistory | None = None
        self._timer: Timer | None = None
        self._preview: Preview | None = None
        self._is_read = False
        """Whether what Enter would send now was read."""
        self._stamps: object = None
        """Of the files of the preview, when they were looked at first."""
        self._asked: object = None
        """What was read last, and its place."""
        self._returned = ""
        """The text of the prompt when a message that was not sent came back to it."""

    def give_back(self, text: str) -> None:
        """A message that was not sent returns to the prompt; while a turn runs, somebody has asked for it."""
        host = self._host
        host.prompt.give_back(text)
        if not host.controller.running:
            self._returned = host.prompt.text
            host.show_message(_NOT_SENT)

    async def submit(self, text: str) -> None:
        """Start a turn, or steer the one that runs."""
        host = self._host
        if isinstance(host.code.editor, HunkEditor):
            # The hunk may give way to this message; what was typed in it is kept as the person's own first.
            await host.navigation.finish_edit()
        if text.startswith("/") and host.slash_command(text):
            return
        if command := named_command(text):
            keys = f", or {host.keymap.shown(command)}" if host.keymap.keys[command] else ""
            keys += " in the code" if keys and BY_ID[command].place == "code" else ""
            host.show_message(f"{text.strip()} is a command here: /{command}{keys}")
            return
        self._preview = self._asked = None
        host.open_file.expect_answer()
        self.keep(text)
        host.start_task(partial(host.open_file.show_mentioned, text))
        host.open_file.report_position()
        host.controller.submit(text)

    def show_preview(self, preview: Preview) -> None:
        """What Enter would come to: the draft was read."""
        if preview.instruction == self._host.prompt.message:
            self._preview, self._is_read, self._stamps = preview, True, None
            self._host.paint_status()

    @property
    def preview(self) -> tuple[Preview | None, bool]:
        """That of the draft, or while one that goes on from it is being read, of the one before; and whether
        it is that of the draft."""
        return self._preview, self._is_read

    def read_ahead(self, *, moved: bool = False) -> None:
        """Let what Enter would send now be read. `moved`: only if it comes from another place than before."""
        controller, text = self._host.controller, self._host.prompt.message
        is_command = not text.strip() or bool(named_command(text))
        if is_command or controller.running:
            self._asked, self._preview = None, None if is_command else self._preview
            return
        self._host.open_file.report_position()
        asked = text, controller.in_view, controller.cursor, controller.selection, controller.settings
        if moved and asked == self._asked:
            return
        self._asked, self._is_read = asked, False
        before = self._preview.instruction if self._preview is not None else ""
        if not (text.startswith(before) or before.startswith(text)):
            self._preview = None
        controller.warm(text)

    def look(self) -> None:
        """Let the draft be read again where another program wrote a file of its edit."""
        preview = self._preview
        if preview is not None and preview.paths and self._is_read and not self._host.controller.running:
            self._host.start_task(partial(self._look, preview))

    async def _look(self, preview: Preview) -> None:
        controller = self._host.controller
        tree = controller.session.tree
        stamps = await controller.run_in_order(lambda: [tree.stamp(path) for path in preview.paths])
        if preview is self._preview and stamps != self._stamps:
            before, self._stamps = self._stamps, stamps
            if before is not None:
                self.read_ahead()

    def queue(self, text: str) -> None:
        """Send it after the turn that runs."""
        self.keep(text)
        self._host.controller.enqueue(text)

    def draft_changed(self) -> None:
        """Keep the draft in a moment, and let the model read ahead."""
        host = self._host
        if self._timer is not None:
            self._timer.stop()
        self._timer = host.set_timer(DRAFT_SECONDS, self._keep_draft)
        host.open_file.report_position()
        self.read_ahead()
        if host.prompt.text and host.prompt.text == self._returned:
            host.show_message(_NOT_SENT)

    # What is kept

    def remember(self, root: Path) -> None:
        """Bring back what was kept; what has been typed already stays."""
        prompt = self._host.prompt
        if self._history:
            self._history.close()
        self._history = PromptHistory(paths.repository_state_dir(root))
        early = prompt.sent
        prompt.sent = [*self._history.prompts(), *early]
        for text in early:
            # Sent before the repository was known.
            self.keep(text)
        # To replace nothing by nothing would count as typing, which clears the status line.
        if not prompt.text and not self._host.controller.running and (draft := self._history.draft()):
            prompt.replace_text(draft)

    def keep(self, text: str) -> None:
        """Keep what was sent."""
        if self._history:
            self._host.start_task(
                partial(self._host.controller.run_in_order, self._history.keep_prompt, text)
            )

    def _keep_draft(self) -> None:
        if self._history:
            text = self._host.prompt.draft
            self._host.start_task(partial(self._host.controller.run_in_order, self._history.keep_draft, text))

    def close(self) -> None:
        if self._history:
            self._history.keep_draft(self._host.prompt.draft)
            self._history.close()


class PromptsHost(ReviewHost, Protocol):
    """Sends and keeps prompts too."""

    prompts: Prompts
