"""The process that looks for next edits as a thread of this one: its start takes half a second each time."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TextIO

import pytest

from spark_tui.session.next_edit import offers, process


def pipe() -> tuple[TextIO, TextIO]:
    """Where one end reads what the other writes."""
    reads, writes = os.pipe()
    how: dict[str, Any] = {"encoding": "utf-8", "errors": "surrogatepass"}
    return os.fdopen(reads, **how), os.fdopen(writes, "w", **how)


class ThreadForProcess:
    """What `subprocess.Popen` is to those who ask, with the work in a thread."""

    def __init__(self, words: list[str], **how: Any) -> None:
        requests, self.stdin = pipe()
        self.stdout, answers = pipe()
        finder = process.NextEditFinder(Path(words[-2]), Path(words[-1]))

        def work() -> None:
            with requests, answers:
                process.answer_all(finder, requests, answers)

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
