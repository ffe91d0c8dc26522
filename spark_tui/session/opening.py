"""From a folder to a session: find the root, look at its state, choose the backend.

Comes in: a folder and the settings. Goes out: an open `Session`, or an error with a documented code.
Must not know: doors.
"""

from __future__ import annotations

from pathlib import Path

from spark_tui import paths
from spark_tui.backends.choose import choose
from spark_tui.config import Loaded
from spark_tui.errors import NoPlace
from spark_tui.session.demo import make_demo
from spark_tui.session.ledger import find_repo
from spark_tui.session.session import Session
from spark_tui.workspace.repo import check_writable


def root_of(directory: Path) -> Path:
    """The root of the repository around a folder, or the folder itself outside of git.

    Raises NoPlace in a bare repository and inside `.git`.
    """
    found = find_repo(directory)
    return found.root if found else directory


def open_session(directory: Path, loaded: Loaded, *, demo: bool = False) -> Session:
    """A session on the repository around `directory`, or on a fresh scratch copy of the example."""
    root = make_demo() if demo else root_of(directory)
    check_writable(root)
    backend = choose(loaded.settings, demo=demo)
    try:
        return Session(root, backend, loaded.settings, paths.repository_state_dir(root))
    except OSError as error:
        backend.close()
        raise NoPlace(
            f"the state of this session cannot be kept: {error.strerror}",
            where=str(paths.state_dir()),
            hint="Mend its permissions, make room, or set XDG_STATE_HOME.",
        ) from error
    except BaseException:
        backend.close()
        raise
