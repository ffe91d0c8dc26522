"""The SQLite index of a repository's sessions: for lists, searches and counts.

The journals are the source of truth: a lost or damaged index is rebuilt from them. `refresh` reads the
journals that changed, each in one transaction; several processes may do so concurrently.
"""

from __future__ import annotations

import contextlib
import functools
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from spark_tui.errors import MalformedInput, Refused, SparkError
from spark_tui.session.storage import journal
from spark_tui.session.storage.index_database import IndexDatabase, transaction
from spark_tui.session.storage.index_rows import CUT_OFF, IndexRows, Row
from spark_tui.session.storage.journal import ChecksummedFile, JournalEntry
from spark_tui.session.storage.turn_storage import TYPING, SessionFacts, read_facts, write_facts

_LONGEST_TITLE = 80


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One line of `spark sessions`."""

    id: str
    name: str
    forked_from: str
    began: float
    changed: float
    turns: int
    prompt: str
    """What was asked first, else what was typed first."""
    hunks: int
    applied: int
    damaged: str

    @property
    def title(self) -> str:
        """One line of at most 80 characters: its name, else its prompt, into which much may be pasted."""
        words = " ".join((self.name or self.prompt or "no prompt yet").split())
        return words if len(words) <= _LONGEST_TITLE else f"{words[: _LONGEST_TITLE - 1]}…"


@dataclass(frozen=True, slots=True)
class LegTimes:
    """The times and counts of one leg of a turn."""

    at: float
    prompt_tokens: int
    reused_tokens: int
    output_tokens: int
    drafts_kept: int
    first_token: float
    generation: float
    reason: str
    queue: float = 0.0
    network: float = 0.0
    prefill: float = 0.0
    reasoning_tokens: int = 0
    cost: float = 0.0
    session: str = ""
    file_tokens: int = 0
    """Of the files that it edited."""


@dataclass(frozen=True, slots=True)
class TurnFilter:
    """Some of the turns: by a part of the model's name, and by when they were asked."""

    model: str = ""
    since: float = 0.0
    before: float = float("inf")


_WAITING = ("open", "partial", "accepted", "edited")

P = ParamSpec("P")
T = TypeVar("T")


def _repaired(method: Callable[Concatenate[SessionIndex, P], T]) -> Callable[Concatenate[SessionIndex, P], T]:
    """Where the index turns out to be damaged, fill it again and retry."""

    @functools.wraps(method)
    def inner(self: SessionIndex, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._file.repaired(lambda: method(self, *args, **kwargs), self._fill)

    return cast("Callable[Concatenate[SessionIndex, P], T]", inner)


class SessionIndex:
    """Open it, use it, close it. Other processes may use the same index concurrently."""

    def __init__(self, state: Path) -> None:
        self._state = state
        try:
            state.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise journal.cannot_keep(error, state) from error
        self._file = IndexDatabase(state / "sessions.db")

    @property
    def _db(self) -> sqlite3.Connection:
        return self._file.db

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> SessionIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- reading the journals

    @_repaired
    def refresh(self) -> None:
        """Read the journals that changed since the last time, and drop those that were deleted."""
        self._fill()

    def _fill(self) -> None:
        present = {path.parent.name: path for path in journal.journals(self._state)}
        known = dict(self._db.execute("SELECT id, bytes FROM sessions"))
        for removed in known.keys() - present.keys():
            self._db.execute("DELETE FROM sessions WHERE id = ?", (removed,))
        for session_id, path in sorted(present.items()):
            with contextlib.suppress(FileNotFoundError):
                size = path.stat().st_size
                if known.get(session_id) != size:
                    self._read(session_id, path, size)

    def _read(self, session_id: str, path: Path, size: int) -> None:
        entries: list[JournalEntry] = []
        damaged = ""
        try:
            entries.extend(journal.read(path))
        except MalformedInput as error:
            damaged = str(error)
        known = _facts(path.parent)
        times = [entry.at for entry in entries] or [path.stat().st_mtime]
        with transaction(self._db):
            self._db.execute("DELETE FROM sessions WHERE id = ?", (session_id,))
            names, began, changed = (known.name, known.forked_from), times[0], max(times)
            self._put("sessions", [(session_id, *names, began, changed, known.typed, size, damaged)])
            rows = IndexRows(session_id, entries)
            for table in ("turns", "hunks", "decisions", "metrics", "writes", "choices"):
                self._put(table, getattr(rows, table))

    def _put(self, table: str, rows: Sequence[Row]) -> None:
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self._db.executemany(
                f"INSERT INTO {table} VALUES ({marks})", [tuple(map(_storable, row)) for row in rows]
            )

    # -- asking

    @_repaired
    def sessions(self, search: str = "") -> list[SessionRow]:
        """The newest first; with `search` those where every word is in a name, prompt, answer or path."""
        where, values = [], []
        for word in search.split():
            where.append(
                "(s.name || ' ' || s.typed LIKE ? ESCAPE '\\' OR EXISTS (SELECT 1 FROM turns t WHERE"
                " t.session = s.id AND (t.prompt LIKE ? ESCAPE '\\' OR t.said LIKE ? ESCAPE '\\')) OR EXISTS"
                " (SELECT 1 FROM hunks h WHERE h.session = s.id AND h.path LIKE ? ESCAPE '\\'))"
            )
            escaped = _storable(word).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            values += [f"%{escaped}%"] * 4
        rows = self._db.execute(
            "SELECT s.id, s.name, s.forked_from, s.began, s.changed, (SELECT count(*) FROM turns t WHERE"
            " t.session = s.id), coalesce((SELECT prompt FROM turns t WHERE t.session = s.id ORDER BY number"
            " LIMIT 1), s.typed), (SELECT count(*) FROM hunks h WHERE h.session = s.id), (SELECT count(*)"
            " FROM hunks h WHERE h.session = s.id AND h.state = 'applied'), s.damaged FROM sessions s"
            + (" WHERE " + " AND ".join(where) if where else "")
            + " ORDER BY s.changed DESC, s.id DESC",
            values,
        )
        return [SessionRow(*row) for row in rows]

    @_repaired
    def find(self, name: str) -> str:
        """A session's id, from the id or a prefix, its name, or the id of one of its turns. `last`: the
        newest session that is not empty."""
        rows, name = self.sessions(), _storable(name)
        if name == "last" and rows:
            return next((row for row in rows if row.turns or row.prompt), rows[0]).id
        exact = [row.id for row in rows if name and name in (row.id, row.name)]
        turn = self._db.execute(
            "SELECT session FROM turns WHERE id = ? ORDER BY session DESC", (name,)
        ).fetchall()
        begins = [row.id for row in rows if row.id.startswith(name)] if name else []
        for found in (exact, [row[0] for row in turn[:1]], begins):
            if len(found) == 1:
                return found[0]
            if found:
                raise MalformedInput(f"{name!r} names {len(found)} sessions: {', '.join(found[:5])}")
        near = ", ".join(row.id for row in rows[:5]) or "none"
        raise MalformedInput(f"no session {name!r} in this repository", hint=f"The newest are: {near}.")

    @_repaired
    def measured(self) -> list[LegTimes]:
        """Every leg of every turn that ended well, oldest first."""
        columns = ", ".join(field.name for field in fields(LegTimes))
        rows = self._db.execute(f"SELECT {columns} FROM metrics ORDER BY at")
        return [LegTimes(*row) for row in rows]

    @_repaired
    def writes(self) -> list[float]:
        """The seconds that each write took, oldest first."""
        return [seconds for (seconds,) in self._db.execute("SELECT seconds FROM writes ORDER BY at")]

    @_repaired
    def choices(self) -> list[tuple[int, int]]:
        """What was taken of each choice, counted from 1, and of how many; the last one is the model."""
        return list(self._db.execute("SELECT number, choices FROM choices ORDER BY at"))

    @_repaired
    def states(self) -> dict[str, int]:
        """How many hunks are in each state; those of a fork's earlier turns count in their own session."""
        rows = self._db.execute(
            "SELECT h.state, count(*) FROM hunks h LEFT JOIN turns t ON t.session = h.session AND t.number ="
            " h.turn WHERE t.id IS NULL OR substr(t.id, 1, length(h.session)) = h.session GROUP BY h.state"
        )
        return dict(rows)

    @_repaired
    def hunk_states(self, session_id: str) -> list[str]:
        """The state of each hunk of one session, in the order in which they were offered."""
        rows = self._db.execute("SELECT state FROM hunks WHERE session = ? ORDER BY turn, id", (session_id,))
        return [state for (state,) in rows]

    def waiting(self, session_id: str) -> int:
        """How many hunks of a session are undecided, or accepted and not written."""
        return sum(state in _WAITING for state in self.hunk_states(session_id))

    @_repaired
    def is_cut_off(self, session_id: str) -> bool:
        """Whether the process was killed in the last turn of a session."""
        query = "SELECT reason FROM turns WHERE session = ? ORDER BY number DESC LIMIT 1"
        return any(reason == CUT_OFF for (reason,) in self._db.execute(query, (session_id,)))

    def undone(self) -> int:
        """How many hunks were ever undone."""
        return self._decided_so("undone")

    def written(self) -> int:
        """How many hunks were ever written."""
        return self._decided_so("applied")

    @_repaired
    def _decided_so(self, decision: str) -> int:
        query = "SELECT count(DISTINCT session || ':' || hunk) FROM decisions WHERE decision = ?"
        (count,) = self._db.execute(query, (decision,)).fetchone()
        return int(count)

    @_repaired
    def decided_counts(self, chosen: TurnFilter) -> dict[str, tuple[int, int]]:
        """Of the chosen turns that were asked here: how many hunks were accepted of those decided, undone of
        those written, and turns interrupted of all, each as a pair of counts."""
        own = (
            "substr(t.id, 1, length(t.session)) = t.session AND instr(lower(t.backend), lower(?)) > 0"
            " AND t.at >= ? AND t.at < ?"
        )
        values = (chosen.model, chosen.since, chosen.before)
        taken = "('accepted', 'edited', 'applied', 'undone')"
        accepted = self._db.execute(
            f"SELECT coalesce(sum(h.state IN {taken}), 0), coalesce(sum(h.state IN {taken} OR h.state IN"
            " ('rejected', 'dropped')), 0) FROM hunks h JOIN turns t ON t.session = h.session AND t.number ="
            f" h.turn WHERE {own}",
            values,
        ).fetchone()
        undone, written = (
            self._db.execute(
                "SELECT count(DISTINCT d.session || ':' || d.hunk) FROM decisions d JOIN hunks h ON"
                " h.session = d.session AND h.id = d.hunk JOIN turns t ON t.session = h.session"
                " AND t.number = h.turn"
                f" WHERE d.decision = ? AND {own}",
                (decision, *values),
            ).fetchone()[0]
            for decision in ("undone", "applied")
        )
        interrupted = self._db.execute(
            "SELECT coalesce(sum(m.reason = 'interrupted'), 0), count(*) FROM metrics m JOIN turns t ON"
            f" t.session = m.session AND t.number = m.turn WHERE {own}",
            values,
        ).fetchone()
        return {"accepted": tuple(accepted), "undone": (undone, written), "interrupted": tuple(interrupted)}

    # -- changing

    def rename(self, session_id: str, name: str) -> None:
        folder = self.folder(session_id)
        known = read_facts(folder)
        known.name = name
        write_facts(folder, known)
        self._change("UPDATE sessions SET name = ? WHERE id = ?", _storable(name), session_id)

    @_repaired
    def _change(self, query: str, *values: str) -> None:
        self._db.execute(query, values)

    def fork(self, session_id: str, new_id: str) -> Path:
        """A copy of the session in its current state, or up to where it is damaged. What it wrote can be
        undone only in the original."""
        source, target = self.folder(session_id), self._state / "sessions" / new_id
        if target.exists():
            raise Refused("a session with that name exists", where=new_id)
        growing = target.with_name(f".{new_id}-{secrets.token_hex(4)}")
        try:
            shutil.copytree(source, growing, ignore=shutil.ignore_patterns("outbox.json", TYPING, ".*"))
            for kept in ("journal.jsonl", "turns.jsonl"):
                journal.cut_at_damage(growing / kept)
            facts = read_facts(source)
            name = f"{facts.name} (fork)" if facts.name else ""
            write_facts(growing, SessionFacts(name, session_id, typed=facts.typed))
            growing.rename(target)
        except (OSError, shutil.Error) as error:
            shutil.rmtree(growing, ignore_errors=True)
            raise journal.cannot_keep(error, target) from error
        except SparkError:
            shutil.rmtree(growing, ignore_errors=True)
            raise
        self.refresh()
        return target

    def delete(self, session_id: str) -> None:
        """Raises Refused while it is open in a spark."""
        folder = self.folder(session_id)
        for name in ("journal.jsonl", "turns.jsonl"):
            if (folder / name).exists():
                ChecksummedFile(folder / name).close()
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise journal.cannot_keep(error, folder) from error
        self._change("DELETE FROM sessions WHERE id = ?", session_id)

    def folder(self, session_id: str) -> Path:
        folder = self._state / "sessions" / session_id
        if not (folder / "journal.jsonl").is_file():
            raise MalformedInput(f"no session {session_id!r} in this repository")
        return folder


def _storable(value: Any) -> Any:
    """Replace lone surrogates, which represent bytes that were not text: SQLite rejects them."""
    return (
        value.encode("utf-8", "replace").decode() if isinstance(value, str) and not value.isascii() else value
    )


def _facts(folder: Path) -> SessionFacts:
    try:
        return read_facts(folder)
    except SparkError:
        return SessionFacts()
