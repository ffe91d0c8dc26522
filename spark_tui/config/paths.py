"""Where things live: the user's folders (XDG) and the data that the package carries.

Comes in: environment variables. Goes out: paths, never created here. Must not know: what is kept in them.
"""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path

from spark_tui.errors import UsageError

_APP = "spark"
_PACKAGE = Path(__file__).resolve().parents[1]


def _xdg(variable: str, fallback: str) -> Path:
    value = os.environ.get(variable, "")
    base = Path(value) if value and Path(value).is_absolute() else Path.home() / fallback
    return base / _APP


def config_dir() -> Path:
    """The person's settings, themes and keymap: `~/.config/spark`."""
    return _xdg("XDG_CONFIG_HOME", ".config")


def state_dir() -> Path:
    """Journals, sessions and private checkpoints: `~/.local/state/spark`."""
    return _xdg("XDG_STATE_HOME", ".local/state")


def cache_dir() -> Path:
    """What can be made again: compiled kernels, persisted cache pages: `~/.cache/spark`."""
    return _xdg("XDG_CACHE_HOME", ".cache")


def user_config_file() -> Path:
    return config_dir() / "config.toml"


def checkout_around(directory: Path) -> Path:
    """The nearest folder upwards that holds a `.git`, else the folder itself: cheap, for what is read before
    git is asked."""
    return next(
        (folder for folder in (directory, *directory.parents) if (folder / ".git").exists()), directory
    )


def real_path(path: Path) -> Path:
    """Where the path leads, links followed; nothing need be there. Raises `UsageError` where links lead in a
    circle."""
    try:
        path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            hint = "Name the file itself, or repair the links."
            raise UsageError("the links form a loop", where=str(path), hint=hint) from error
    return Path(os.path.realpath(path))


def repository_config_file(root: Path) -> Path:
    return root / ".spark" / "config.toml"


def repository_state_dir(root: Path) -> Path:
    """State of one repository, outside of it: named so that a person recognises it."""
    digest = hashlib.sha256(os.fsencode(root.resolve())).hexdigest()[:12]
    name = (
        "".join(ch if ch.isascii() and (ch.isalnum() or ch in "-_.") else "-" for ch in root.name) or "root"
    )
    return state_dir() / "repositories" / f"{name}-{digest}"


def _carried(name: str) -> Path:
    """A folder that a wheel carries under `_data` and a checkout has at its top."""
    packaged = _PACKAGE / "_data" / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name


def themes_dir() -> Path:
    return _carried("themes")


def examples_dir() -> Path:
    return _carried("examples")


def recordings_dir() -> Path:
    return examples_dir() / "recordings"


def models_dir() -> Path:
    return _PACKAGE / "models"
