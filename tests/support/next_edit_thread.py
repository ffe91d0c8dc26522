"""The process that looks for next edits as a thread of this one: its start takes half a second each time."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from spark_tui.session.next_edit import offers, process


class Lines:
    """What a pipe is to one thread that writes lines and one that reads them. Who waits for a line does so in
    a queue, where it is seen that nothing is under way."""

    def __init__(self) -> None:
        self._lines: queue.Queue[str | None] = queue.Queue()

    def write(self, text: str) -> None:
        if text != "\n":
            self._lines.put(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._lines.put(line)

    def flush(self) -> None:
        """It is there already."""

    def close(self) -> None:
        self._lines.put(None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines.get, None)


class ThreadForProcess:
    """What `subprocess.Popen` is to those who ask, with the work in a thread."""

    def __init__(self, words: list[str], **how: Any) -> None:
        self.stdin, self.stdout = Lines(), Lines()
        finder = process.NextEditFinder(Path(words[-2]), Path(words[-1]))

        def work() -> None:
            with contextlib.closing(self.stdout):
                process.answer_all(finder, self.stdin, self.stdout)

        self._thread = threading.Thread(target=work, name="next-edit", daemon=True)
        self._thread.start()

    def wait(self, timeout: float | None = None) -> None:
        self._thread.join(timeout)
        if self._thread.is_alive():
            raise subprocess.TimeoutExpired("next-edit", timeout or 0.0)

    def kill(self) -> None:
        """A thread ends when its input does."""


def find_next_edits_in_a_thread(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(offers, "subprocess", SimpleNamespace(**{**vars(subprocess), "Popen": ThreadForProcess}))
    patch.setattr(process, "gc", SimpleNamespace(freeze=lambda: None))
    patch.setattr(process, "queue", SimpleNamespace(SimpleQueue=queue.Queue))
