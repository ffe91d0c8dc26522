"""Edits by other writers than the reader, reconstructed from their text so that a follow-up can amend
them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

from spark_tui.edits.hunk import Hunk
from spark_tui.errors import SparkError
from spark_tui.intent.answering.earlier import UNREAD, earlier_done
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.reading.near_roles import MessageRoles
from spark_tui.intent.words.readings import Reads
from spark_tui.pysource.repository import Repository
from spark_tui.session.exact.edit_commands import is_edit_command
from spark_tui.session.reader.reader_edit import ReaderEdit, Texts
from spark_tui.session.reader.reader_edits import Base, StandingEdit, on_changed, on_disk
from spark_tui.session.review.turn_record import TurnRecord
from spark_tui.session.storage.index_rows import EXACT_BACKEND
from spark_tui.session.tree.decided_text import wanted_files

BY_A_MODEL = "a part of it was written by a model"
_UNDECIDED, _WITHDRAWN = {"open", "partial"}, {"rejected", "dropped", "undone"}
_UNWRITTEN = {"accepted", *_UNDECIDED}

States = Sequence[tuple[Hunk, str]]
"""The hunks of a turn, each with its state."""


def with_last_edit(
    base: Base,
    record: TurnRecord,
    hunks: States,
    known: ReaderEdit | None,
    reader: Reads | None,
    roles: MessageRoles,
) -> Base:
    """What a message is read on, where the last edit is that of a turn of anybody, or was turned down.
    Without a reader it is not known what the edit was to do."""
    found = _stand(record, hunks, base.disk)
    if isinstance(found, str):
        return replace(base, changed=found)
    before, after, written = found
    partial = not hunks or any(state == "partial" for _, state in hunks)
    states = {state for _, state in hunks}
    turned_down = bool(states and states <= _WITHDRAWN)
    if known is not None:
        edit = replace(known, base=before, before=before, after=after)
    else:
        begun = _begun(record, hunks) if partial else after
        done = Done("", {}, ())
        if reader is not None:
            done = _done(record, base.disk.with_changes(before), begun, reader, roles, partial)
        by_model = bool(after) and record.author != EXACT_BACKEND
        edit = ReaderEdit(done, before, before, after, (BY_A_MODEL,) if by_model else ())
    last = StandingEdit(record, edit, written, partial)
    pending = base.pending if written or turned_down else (*base.pending, last)
    return replace(base, pending=pending, last=last)


def _stand(record: TurnRecord, hunks: States, disk: Repository) -> tuple[Texts, Texts, bool] | str:
    """The texts before and after the hunks that apply (or that applied, if none does any more), and whether
    they are in the files. Nothing if only some of them were written; the place where the files changed in the
    same lines since."""
    states = {state for _, state in hunks}
    written = "applied" in states
    stands = {"open", "accepted", "applied"} if states - _WITHDRAWN else {"rejected", "undone"}
    standing = [hunk for hunk, state in hunks if state in stands]
    allowed = _WITHDRAWN | ({"applied"} if written else _UNWRITTEN)
    if states - allowed:
        return ""
    try:
        files = wanted_files(standing, record.tree)
        before = {file.path: _text(file.base) for file in files}
        after = {file.path: _text(file.target) for file in files}
        if written:
            now = on_disk(before, after, disk)
            return now if isinstance(now, str) else (*now, True)
        if all(disk.index.text(path) == text for path, text in before.items()):
            return before, after, False
        # Of what was turned down nobody has to know why it cannot be changed.
        moved = on_changed(before, after, disk) if states & _UNWRITTEN else ""
        return moved if isinstance(moved, str) else (*moved, False)
    except (SparkError, UnicodeDecodeError):
        return ""


def _begun(record: TurnRecord, hunks: States) -> Texts:
    """The texts with what was written of the open hunk, too, to compare them."""
    try:
        files = wanted_files([hunk for hunk, state in hunks if state in ("open", "partial")], record.tree)
        return {file.path: _text(file.target) for file in files}
    except (SparkError, UnicodeDecodeError):
        return {}


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8")


def _done(
    record: TurnRecord,
    before: Repository,
    written: Mapping[str, str | None],
    reader: Reads,
    roles: MessageRoles,
    partial: bool,
) -> Done:
    """What the turn was asked for, read again: once for several messages on the same files."""
    kept = _DONE.setdefault(before, {})
    key = record.turn_id, record.instruction, tuple(sorted(written.items())), partial
    if key in kept:
        return kept[key]
    shown = (part.path for request in record.turn.requests for part in request.files)
    path = record.ask.in_view or next(iter([*written, *shown]), "")
    if before.index.text(path) is None:
        path = ""
    selection = record.ask.selection if path == record.ask.in_view else None
    cursor = record.ask.cursor if path == record.ask.in_view else 0
    situation = Situation(before, path, selection, cursor or None)
    known = roles.of(record.instruction, before.index, path)
    found = earlier_done(record.instruction, reader, situation, known, written, partial=partial)
    kept[key] = found or Done(UNREAD, {}, ())
    return kept[key]


_DONE: WeakKeyDictionary[Repository, dict[object, Done]] = WeakKeyDictionary()
"""What turns were asked for, for each state of the files that is in use."""


def asked_for_an_edit(record: TurnRecord) -> bool:
    """Whether a turn without hunks may be what a message is about: not a command, nor one that took a hunk
    back."""
    took_back = record.author == EXACT_BACKEND and record.turn.reason == "stop"
    return not (is_edit_command(record.instruction) or took_back or was_stopped(record))


def was_stopped(record: TurnRecord) -> bool:
    return record.author == EXACT_BACKEND and record.turn.reason == "interrupted"
