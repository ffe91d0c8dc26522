"""Small files of facts that were measured on this machine, kept in the user's cache folder."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from spark_tui.engine.runtime.machine import cpu_name


def folder() -> Path:
    """The cache folder, by the same rule as `config.paths.cache_dir`: it is needed before numpy is loaded, so
    before anything can hand it down."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "spark"


def key(*facts: object) -> str:
    """Names this machine, and whatever else the measurement depends on."""
    return hashlib.sha256(repr((platform.node(), cpu_name(), *facts)).encode()).hexdigest()[:16]


def read(path: Path) -> dict[str, Any]:
    """What is kept there; empty where it is absent or damaged."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def write(path: Path, values: dict[str, Any]) -> str:
    """Keep it: all of it or nothing, as two processes may measure at the same time. Why it could not be kept,
    in words; empty where it was."""
    part = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(values), "utf-8")
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        return f"not kept: {error.strerror} ({path.parent})"
    return ""


def unwritable() -> str:
    """Why nothing can be kept in the cache folder; empty where it can."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder()):
            return ""
    except OSError as error:
        return f"{error.strerror}: {folder()}"


def forget(pattern: str) -> None:
    """What was chosen at another speed is chosen again, by the next process."""
    with suppress(OSError):
        for path in folder().glob(pattern):
            path.unlink(missing_ok=True)
