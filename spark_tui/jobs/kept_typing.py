"""Keeps what was typed and not saved when spark is ended from outside, as a session whose hunks are open, and
finds the sessions that were killed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from spark_tui.config.settings import Settings
from spark_tui.edits.hunk_builder import rewrite
from spark_tui.errors import Misfit, Refused, SparkError
from spark_tui.jobs.job_diff import DiffPiece, JobDiffBackend, as_answer, pieces
from spark_tui.session.session import Session
from spark_tui.session.storage.session_index import SessionIndex
from spark_tui.session.storage.session_journal import OPEN, SessionJournal
from spark_tui.session.storage.turn_storage import TYPING, SessionFacts, read_typing, write_facts
from spark_tui.session.tree.manual_edits import TypedText, typed_hunks
from spark_tui.workspace.files import FileText


def keep_typing(root: Path, state: Path, files: Sequence[TypedText]) -> str:
    """The id of the session."""
    said = "What you typed and had not saved when spark was ended:\n\n"
    hunks = [piece for old, lines in files for piece in _pieces(old, lines)]
    backend = JobDiffBackend(as_answer([DiffPiece(said), *hunks]))
    name = "typed, not saved: " + ", ".join(old.path for old, _ in files)
    session = Session(root, backend, Settings(), state)
    try:
        list(session.delivered.run(name, backend, {old.path: old for old, _ in files}))
        write_facts(session.folder, SessionFacts(name))
    finally:
        session.close()
    return session.id


def _pieces(old: FileText, lines: Sequence[str]) -> list[DiffPiece]:
    try:
        return _pieces_of(old, lines)
    except Misfit:
        # The file's encoding lacks a character: a write will be refused for that, but the text can be read.
        return _pieces_of(replace(old, data=old.decode(old.data).encode("utf-8", "surrogateescape")), lines)


def _pieces_of(old: FileText, lines: Sequence[str]) -> list[DiffPiece]:
    return pieces(old, replace(old, data=rewrite(old, typed_hunks(old, lines))))


def recover_killed(root: Path, state: Path, own: Path) -> list[str]:
    """Keep what was typed in each spark that was killed before it could do so itself. Says what that was, and
    what was asked in those sessions that have hunks to decide or to write, or a turn that did not end. `own`:
    the folder of this session, which may continue one of them."""
    told: list[str] = []
    typed: list[str] = []
    killed: list[str] = []
    for folder in sorted(path.parent for path in (state / "sessions").glob(f"[!.]*/{OPEN}")):
        try:
            journal = None if folder == own else SessionJournal(folder)
        except Refused:
            continue  # its spark still runs
        try:
            if files := read_typing(folder):
                keep_typing(root, state, files)
                typed += [file.path for file, _ in files]
            if journal is not None and (hunk := journal.take_typed_hunk()):
                typed.append(f"in hunk {hunk}")
        except SparkError as error:
            # It stays where it is; the next start tries again.
            told.append(f"what was typed when spark was killed cannot be kept: {error.what} ({error.where})")
            if journal is not None:
                journal.leave()
            continue
        (folder / TYPING).unlink(missing_ok=True)
        if journal is not None:
            journal.close()
            killed.append(folder.name)
    if typed:
        told.append(f"typed, not saved when spark was killed: {', '.join(typed)}")
    return told + (_left_over(state, killed) if killed else [])


def _left_over(state: Path, names: Sequence[str]) -> list[str]:
    """What these sessions left to do: hunks, else a turn to resume."""
    told = []
    with SessionIndex(state) as index:
        index.refresh()
        for row in [row for row in index.sessions() if row.id in names]:
            what = "hunks waited" if index.waiting(row.id) else "a turn was at work"
            if index.waiting(row.id) or index.is_cut_off(row.id):
                told.append(f"{what} when spark was killed: {row.title}")
    return told
