"""Keeps what was typed and not saved when spark is ended from outside, as a session whose hunks are open, and
finds the sessions that were killed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from spark_tui.config.settings import Settings
from spark_tui.edits.hunk_builder import rewrite
from spark_tui.errors import Refused
from spark_tui.jobs.job_diff import DiffPiece, JobDiffBackend, as_answer, pieces
from spark_tui.session.session import Session
from spark_tui.session.storage.session_index import SessionIndex
from spark_tui.session.storage.session_journal import OPEN, SessionJournal
from spark_tui.session.storage.turn_storage import TYPING, SessionFacts, read_typing, write_facts
from spark_tui.session.tree.manual_edits import TypedText, typed_hunks


def keep_typing(root: Path, state: Path, files: Sequence[TypedText]) -> str:
    """The id of the session."""
    said = "What you typed and had not saved when spark was ended:\n\n"
    wanted = [(old, replace(old, data=rewrite(old, typed_hunks(old, lines)))) for old, lines in files]
    hunks = [piece for old, new in wanted for piece in pieces(old, new)]
    backend = JobDiffBackend(as_answer([DiffPiece(said), *hunks]))
    name = "typed, not saved: " + ", ".join(old.path for old, _ in files)
    session = Session(root, backend, Settings(), state)
    try:
        list(session.delivered.run(name, backend, {old.path: old for old, _ in files}))
        write_facts(session.folder, SessionFacts(name))
    finally:
        session.close()
    return session.id


def recover_killed(root: Path, state: Path, own: Path) -> list[str]:
    """Keep what was typed in each spark that was killed before it could do so itself. Says what that was, and
    what was asked in those sessions that have hunks to decide or to write. `own`: the folder of this
    session, which may continue one of them."""
    typed: list[str] = []
    killed: list[str] = []
    for folder in sorted(path.parent for path in (state / "sessions").glob(f"[!.]*/{OPEN}")):
        try:
            journal = None if folder == own else SessionJournal(folder)
        except Refused:
            continue  # its spark still runs
        if files := read_typing(folder):
            keep_typing(root, state, files)
            typed += [file.path for file, _ in files]
        if journal is not None and (hunk := journal.take_typed_hunk()):
            typed.append(f"in hunk {hunk}")
        (folder / TYPING).unlink(missing_ok=True)
        if journal is not None:
            journal.close()
            killed.append(folder.name)
    told = [f"typed, not saved when spark was killed: {', '.join(typed)}"] if typed else []
    asked = _with_hunks(state, killed) if killed else []
    return told + [f"hunks waited when spark was killed: {' '.join(one.split())}" for one in asked]


def _with_hunks(state: Path, names: Sequence[str]) -> list[str]:
    with SessionIndex(state) as index:
        index.refresh()
        waiting = [row for row in index.sessions() if row.id in names and index.waiting(row.id)]
    return [row.name or row.prompt for row in waiting]
