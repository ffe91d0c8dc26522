"""Opens a session: finds the root of the tree and its state, and chooses the backend."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from spark_tui.backends.base import Backend
from spark_tui.backends.factory import Progress, create_backend
from spark_tui.backends.paced import paced
from spark_tui.config import paths
from spark_tui.config.settings import LoadedSettings, Settings
from spark_tui.errors import NoPlace, SparkError
from spark_tui.session.session import Session
from spark_tui.session.storage.journal import cannot_keep, whole_lines
from spark_tui.session.storage.session_index import SessionIndex
from spark_tui.workspace.repository import check_writable, create_repository, find_repository


def make_demo() -> Path:
    source = paths.examples_dir() / "shop"
    if not source.is_dir():
        raise NoPlace(
            "the example repository is missing from this installation",
            where=str(source),
            hint="Install spark again.",
        )
    try:
        root = Path(tempfile.mkdtemp(prefix="spark-demo-")) / "shop"
        shutil.copytree(source, root, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    except OSError as error:
        raise NoPlace(
            f"cannot create the demo folder: {error.strerror}",
            where=tempfile.gettempdir(),
            hint="Set TMPDIR to a writable folder.",
        ) from error
    create_repository(root, message="The shop as it came")
    return root


def root_of(directory: Path) -> Path:
    """The root of the repository around a folder, or the folder itself outside of git.

    Raises NoPlace in a bare repository and inside `.git`.
    """
    found = find_repository(directory)
    return found.root if found else directory


def find_session(directory: Path, name: str) -> str:
    """The id of a stored session of the repository around `directory`: from its id or a prefix of it, its
    name, the id of one of its turns, or `last`."""
    with SessionIndex(paths.repository_state_dir(root_of(directory))) as store:
        store.refresh()
        return store.find(name)


def open_backend(settings: Settings, *, demo: bool = False, progress: Progress | None = None) -> Backend:
    """The backend that the settings name, at their pace."""
    return paced(create_backend(settings, demo=demo, progress=progress), settings.pace)


def demo_settings(settings: Settings) -> Settings:
    """The settings of the demo, whose tour has the model write in plain sight, however sure it is."""
    return replace(settings, least_confidence=0)


def open_session(
    directory: Path,
    loaded: LoadedSettings,
    *,
    demo: bool = False,
    session_id: str = "",
    writes: bool = True,
) -> Session:
    """A session in the repository around `directory`, or in a fresh scratch copy of the example.
    `session_id`: continue a stored session. `writes`: refuse a folder that is not writable."""
    root, settings = (
        (make_demo(), demo_settings(loaded.settings)) if demo else (root_of(directory), loaded.settings)
    )
    if writes:
        check_writable(root)
    state = paths.repository_state_dir(root)
    session_id, lost = undamaged(state, session_id) if session_id else ("", "")
    backend = open_backend(settings, demo=demo)
    try:
        session = Session(root, backend, settings, state, session_id=session_id)
    except OSError as error:
        backend.close()
        raise cannot_keep(error, paths.state_dir()) from error
    except BaseException:
        backend.close()
        raise
    session.lost = lost
    return session


def undamaged(state: Path, session_id: str) -> tuple[str, str]:
    """The session, or where its files are damaged its one copy of what stands before that; and what it
    lacks."""
    for name in ("journal.jsonl", "turns.jsonl"):
        whole, left = whole_lines(state / "sessions" / session_id / name)
        if left:
            break
    else:
        return session_id, ""
    copy = session_id[:16] + sha256(f"{session_id} {name} {whole}".encode()).hexdigest()[:8]
    made = state / "sessions" / copy
    if not made.exists():
        with SessionIndex(state) as store:
            store.refresh()
            try:
                store.fork(session_id, copy)
            except SparkError:
                if not made.exists():  # else another process was earlier
                    raise
    place = f"{name} of session {session_id} is damaged in line {whole + 1}"
    lost = f"{place}: {copy} is a copy of what stands before it, without {left} lines from there on."
    copy, more = undamaged(state, copy)
    return copy, f"{lost} {more}".rstrip()
