"""Keeps what was typed and not saved when spark is ended from outside, as a session whose hunks are open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spark_tui.config.settings import Settings
from spark_tui.jobs.job_diff import DiffPiece, JobDiffBackend, as_answer, pieces
from spark_tui.session.session import Session
from spark_tui.session.storage.turn_storage import SessionFacts, write_facts
from spark_tui.workspace.files import FileText


def keep_typing(root: Path, state: Path, files: Sequence[tuple[FileText, FileText]]) -> str:
    """The id of the session. `files`: each file as it was when typing began, and with what was typed."""
    said = "What you typed and had not saved when spark was ended:\n\n"
    hunks = [piece for old, new in files for piece in pieces(old, new)]
    backend = JobDiffBackend(as_answer([DiffPiece(said), *hunks]))
    name = "typed, not saved: " + ", ".join(old.path for old, _ in files)
    session = Session(root, backend, Settings(), state)
    try:
        list(session.delivered.run(name, backend, {old.path: old for old, _ in files}))
        write_facts(session.folder, SessionFacts(name))
    finally:
        session.close()
    return session.id
