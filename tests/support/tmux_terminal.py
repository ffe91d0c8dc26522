"""A real terminal: a command under tmux on a socket of its own, and a scratch copy of the shop.

Tests send keys and poll the screen for what must come; nothing here waits for a length of time.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from spark_tui.config import paths

LONGEST_WAIT_SECONDS = 90.0
"""Only a failure waits so long."""
_STEP_SECONDS = 0.02
_STILL_LOOKS = 30
_ENDED = re.compile(r"exit=\d")


class Terminal:
    """One tmux server with one pane in which a command runs."""

    def __init__(self, command: list[str], cwd: Path, size: tuple[int, int], environ: dict[str, str]) -> None:
        # The path of a socket may have about a hundred characters, and folders of tests have more in some
        # places.
        self._folder = tempfile.TemporaryDirectory(prefix="spark-", ignore_cleanup_errors=True)
        self._socket = Path(self._folder.name) / "tmux"
        self._tmux("-f", os.devnull, "new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), "cat")
        self._tmux("set", "-s", "escape-time", "0")
        self._tmux("set", "-g", "default-terminal", "tmux-256color")
        words = [f"{name}={value}" for name, value in environ.items()]
        line = shlex.join(["env", *words, *command])
        self._tmux("respawn-pane", "-k", "-c", str(cwd), f"{line}; echo exit=$?; cat")
        self.pid = int(self._tmux("display", "-p", "#{pane_pid}"))

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), *words], capture_output=True, text=True, check=True
        )
        return done.stdout.rstrip("\n")

    def paste(self) -> None:
        """Paste what is in the buffer, byte by byte: newer versions leave out control characters unless
        told."""
        exact = "S]" in self._tmux("list-commands", "paste-buffer")
        self._tmux("paste-buffer", "-pS" if exact else "-p")

    def screen(self, *, escapes: bool = False) -> str:
        return self._tmux("capture-pane", "-p", *(["-e"] if escapes else []))

    def modes(self) -> str:
        """What the program in it has asked of the terminal: another screen, the mouse, the cursor."""
        return self._tmux(
            "display", "-p", "screen=#{alternate_on} mouse=#{mouse_any_flag} cursor=#{cursor_flag}"
        )

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", "--", text)

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def enter(self, text: str) -> None:
        """Type a line and send it."""
        self.type(text)
        self.press("Enter")

    def accept_and_write(self) -> None:
        """The one hunk on which the keys are."""
        self.type("a")
        self.until("✓1")
        self.type("w")
        self.until("wrote 1 hunk")

    def quit(self) -> None:
        self.press("C-q")
        self.until("exit=0")

    def resize(self, columns: int, rows: int) -> None:
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def spoil(self, how: str, mark: str) -> None:
        """Write the mark on the terminal as another program would, until it is seen.

        Whatever runs there may still be drawing, and draw over it before anybody has looked; so it is written
        anew after every look. What is written last was written before any key that is pressed next.
        """
        tty = Path(self._tmux("display", "-p", "#{pane_tty}"))

        def written(text: str) -> bool:
            if mark in text:
                return True
            tty.write_text(how + mark, encoding="utf-8")
            return False

        self.until(written, f"{mark} from elsewhere")

    def until(self, seen: Callable[[str], bool] | str, what: str = "") -> str:
        """Poll until the text is on screen (or the condition holds for it); the screen is returned."""
        check = (lambda text: seen in text) if isinstance(seen, str) else seen
        end = time.monotonic() + LONGEST_WAIT_SECONDS
        while True:
            text = self.screen()
            if check(text):
                return text
            if time.monotonic() > end or _ENDED.search(text):
                raise AssertionError(f"never seen: {what or seen}\n{text}")
            time.sleep(_STEP_SECONDS)

    def whole(self, *words: str, without: str = "") -> str:
        """Wait for all of the workbench in the size that the terminal has now, with these words on it.

        Rows that are drawn while the size changes land where they do not belong; so every part must be at its
        place: the header on the first row, the status above the last, and on the last the keys.
        """
        columns, rows = (
            int(word) for word in self._tmux("display", "-p", "#{pane_width} #{pane_height}").split()
        )

        def complete(text: str) -> bool:
            lines = text.split("\n")
            return (
                len(lines) == rows
                and lines[0].startswith(" ✦ spark")
                and any(lines[-2].startswith(f" {mark} ") for mark in "◌◐✓")
                and lines[-1].startswith((" Esc ", " Tab ", " Ctrl+R "))
                and any(line.startswith("─ you") and len(line) == columns for line in lines)
                and all(word in text for word in words)
                and not (without and without in text)
            )

        return self.until(complete, f"a whole screen of {columns} × {rows} with {words}")

    def still(self) -> str:
        """Wait until what is drawn now is drawn: nothing changes on the screen for a while."""
        last, alike = "", 0

        def unchanged(text: str) -> bool:
            nonlocal last, alike
            last, alike = text, alike + 1 if text == last else 0
            return alike >= _STILL_LOOKS

        return self.until(unchanged, "a screen at rest")

    def wait(self, check: Callable[[], bool], what: str) -> None:
        """Poll something that is not on the screen."""
        end = time.monotonic() + LONGEST_WAIT_SECONDS
        while not check():
            if time.monotonic() > end:
                raise AssertionError(f"never so: {what}")
            time.sleep(_STEP_SECONDS)

    def close(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self._tmux("kill-server")
        self._folder.cleanup()


def runs(pid: int) -> bool:
    """Whether a process does anything still. One that has ended may be listed until somebody asks for its
    result."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class Shop:
    """A scratch copy of the example repository."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "shop"
        ignore = shutil.ignore_patterns("__pycache__", "*.pyc")
        shutil.copytree(paths.examples_dir() / "shop", self.root, ignore=ignore)
        for words in (
            ["init", "-q", "-b", "main"],
            ["add", "-A"],
            ["commit", "-q", "-m", "The shop as it came"],
        ):
            self.git(*words)

    def git(self, *words: str) -> str:
        who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
        done = subprocess.run(
            ["git", *who, *words], cwd=self.root, capture_output=True, text=True, check=True
        )
        return done.stdout

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")


Start = Callable[..., Terminal]
