"""Where things live: the user's folders (by platformdirs) and the data that the package carries.

Paths only: nothing is created here.
"""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path

from platformdirs.unix import Unix

from spark_tui.errors import UsageError

_USER = Unix("spark")
"""The XDG folders on every system: command-line tools keep their files in `~/.config` on macOS too."""
_PACKAGE = Path(__file__).resolve().parents[1]


def config_dir() -> Path:
    """The user's settings, themes and keymap: `~/.config/spark`."""
    return _USER.user_config_path


def state_dir() -> Path:
    """Journals, sessions and private checkpoints: `~/.local/state/spark`."""
    return _USER.user_state_path


def cache_dir() -> Path:
    """What can be made again, such as compiled kernels and persisted cache pages: `~/.cache/spark`."""
    return _USER.user_cache_path


def user_config_file() -> Path:
    return config_dir() / "config.toml"


def checkout_around(directory: Path) -> Path:
    """The nearest folder upwards that holds a `.git`, else the folder itself. Cheap: it does not run git."""
    return next(
        (folder for folder in (directory, *directory.parents) if (folder / ".git").exists()), directory
    )


def real_path(path: Path) -> Path:
    """The path with links resolved; it need not exist. Raises `UsageError` where links form a loop."""
    try:
        path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            hint = "Name the file itself, or repair the links."
            raise UsageError("the links form a loop", where=str(path), hint=hint) from error
    return Path(os.path.realpath(path))


def with_tilde(path: Path) -> str:
    """For people: the home folder is `~`."""
    return f"~/{path.relative_to(Path.home())}" if path.is_relative_to(Path.home()) else str(path)


def repository_config_file(root: Path) -> Path:
    return root / ".spark" / "config.toml"


def repository_state_dir(root: Path) -> Path:
    """The state of one repository, kept outside it in a folder with a recognisable name."""
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
