"""The draft and the prompts of a repository, kept in files that only the person can read."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import TextIO

KEPT_PROMPTS = 1_000


class PromptHistory:
    """One folder with `draft.txt` and `prompts.jsonl`."""

    def __init__(self, folder: Path) -> None:
        self._draft = folder / "draft.txt"
        self._prompts = folder / "prompts.jsonl"

    def draft(self) -> str:
        try:
            return self._draft.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return ""

    def keep_draft(self, text: str) -> None:
        with contextlib.suppress(OSError):
            self._draft.parent.mkdir(parents=True, exist_ok=True)
            _put(self._draft, text)

    def prompts(self) -> list[str]:
        """Oldest first; a line that is damaged is left out."""
        try:
            lines = self._prompts.read_text(encoding="utf-8", errors="replace").split("\n")
        except OSError:
            return []
        out: list[str] = []
        if len(lines) > 2 * KEPT_PROMPTS:
            lines = lines[-KEPT_PROMPTS - 1 :]
            self._forget_all_but(lines)
        for line in lines[-KEPT_PROMPTS - 1 :]:
            try:
                text = json.loads(line)
            except ValueError:
                continue
            if isinstance(text, str):
                out.append(text)
        return out

    def keep_prompt(self, text: str) -> None:
        with contextlib.suppress(OSError):
            self._prompts.parent.mkdir(parents=True, exist_ok=True)
            with _private(self._prompts, os.O_APPEND) as file:
                file.write(json.dumps(text) + "\n")

    def _forget_all_but(self, lines: list[str]) -> None:
        with contextlib.suppress(OSError):
            _put(self._prompts, "\n".join(lines))


def _put(path: Path, text: str) -> None:
    """Replace the file atomically, so that a power cut leaves the old content."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    with _private(fresh, os.O_TRUNC) as file:
        file.write(text)
    fresh.replace(path)


def _private(path: Path, how: int) -> TextIO:
    """Open to write; prompts are private, also in a file that exists already."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o600)
    with contextlib.suppress(OSError):
        os.fchmod(fd, 0o600)
    return os.fdopen(fd, "w", encoding="utf-8", errors="surrogateescape")
