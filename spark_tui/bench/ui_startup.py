"""How soon `spark` is there: the first whole frame of the workbench, and what `spark --version` loads.

Comes in: a folder with a tree. Goes out: seconds and names. Must not know: bars.
"""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from spark_tui.bench.ui_terminal import running
from spark_tui.config import paths

STARTS = 7
HEAVY = ("numpy", "rich", "textual", "tokenizers", "torch", "yaml", "jinja2", "sqlite3", "asyncio")
"""What a person who asks for the version need not wait for."""
_WHOLE = ("spark", "─ ", "said", "you", "commands", "quit")
"""What stands on the first frame: header, rules, status and keys."""


@dataclass(frozen=True, slots=True)
class VersionImports:
    """Of `spark --version`: seconds from spawn to exit, how many modules, and which of them are heavy."""

    seconds: list[float]
    modules: int
    heavy: tuple[str, ...]


def first_frames(folder: Path, starts: int = STARTS) -> list[float]:
    """From spawn to the last piece of the first screen; the first start warms the files and does not
    count."""
    command = [sys.executable, "-m", "spark_tui", "--replay", str(paths.recordings_dir())]
    found = []
    for number in range(starts + 1):
        with running(command, folder, cwd=folder / "tree") as terminal:
            shown = terminal.until(lambda text: all(word in text for word in _WHOLE), 30)
            if shown is not None and number:
                found.append(shown - terminal.begun)
    return found


def version_imports(runs: int = 5) -> VersionImports:
    seconds = []
    for _ in range(runs):
        begun = time.monotonic()
        subprocess.run([sys.executable, "-m", "spark_tui", "--version"], capture_output=True, check=True)
        seconds.append(time.monotonic() - begun)
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "spark_tui", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    modules = {
        line.rpartition("|")[2].strip()
        for line in told.stderr.splitlines()
        if line.startswith("import time:")
    }
    loaded = {name.partition(".")[0] for name in modules}
    return VersionImports(seconds, len(modules), tuple(name for name in HEAVY if name in loaded))
