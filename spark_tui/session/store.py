"""The index of a repository's sessions: what is listed, searched and counted. SQLite, in write-ahead mode.

The journals are the truth; every row here can be made again from them, so a lost or damaged index costs one reading.
`refresh` reads the journals that grew since, inside one transaction each; several processes may do so at once.
Comes in: the state folder of a repository. Goes out: rows. Must not know: models, the tree, screens.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from spark_tui.errors import MalformedInput, Misfit, Refused, SparkError
from spark_tui.session import journal
from spark_tui.session.indexing import Row, Rows
from spark_tui.session.journal import Entry, Framed
from spark_tui.session.keeping import Facts, facts, keep_facts

MIGRATIONS = (
    """
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, forked_from TEXT NOT NULL, began REAL NOT NULL, changed REAL NOT NULL,
        bytes INTEGER NOT NULL, damaged TEXT NOT NULL
    );
    CREATE TABLE turns (
        session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, number INTEGER NOT NULL, id TEXT NOT NULL,
        prompt TEXT NOT NULL, said TEXT NOT NULL, backend TEXT NOT NULL, format TEXT NOT NULL, at REAL NOT NULL,
        reason TEXT NOT NULL, tokens INTEGER NOT NULL, PRIMARY KEY (session, number)
    );
    CREATE TABLE hunks (
        session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, id INTEGER NOT NULL, turn INTEGER NOT NULL,
        path TEXT NOT NULL, line INTEGER NOT NULL, removed INTEGER NOT NULL, added INTEGER NOT NULL,
        state TEXT NOT NULL, PRIMARY KEY (session, id)
    );
    CREATE TABLE decisions (
        session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, at REAL NOT NULL, hunk INTEGER NOT NULL,
        decision TEXT NOT NULL
    );
    """,
    """
    CREATE TABLE metrics (
        session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, turn INTEGER NOT NULL, at REAL NOT NULL,
        prompt_tokens INTEGER NOT NULL, reused_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
        drafts_kept INTEGER NOT NULL, first_token REAL NOT NULL, generation REAL NOT NULL, reason TEXT NOT NULL
    );
    CREATE INDEX metrics_at ON metrics (at);
    UPDATE sessions SET bytes = -1;
    """,
    """
    ALTER TABLE metrics ADD COLUMN queue REAL NOT NULL DEFAULT 0;
    ALTER TABLE metrics ADD COLUMN network REAL NOT NULL DEFAULT 0;
    ALTER TABLE metrics ADD COLUMN prefill REAL NOT NULL DEFAULT 0;
    CREATE TABLE writes (
        session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, at REAL NOT NULL, seconds REAL NOT NULL
    );
    UPDATE sessions SET bytes = -1;
    """,
)
"""Each brings the index from the version of its place to the next. `bytes = -1` has a session read again."""


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
    """What was asked first."""
    hunks: int
    applied: int
    damaged: str


@dataclass(frozen=True, slots=True)
class Measured:
    """What one leg of a turn took."""

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


class Store:
    """Open it, use it, close it. Every method may be called while other processes do the same."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._path = state / "sessions.db"
        state.mkdir(parents=True, exist_ok=True)
        try:
            self._db = self._open()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise Refused(f"the index of sessions cannot be opened: {error}", where=str(self._path)) from error
            # It is damaged, and holds nothing that the journals do not say.
            for suffix in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
            self._db = self._open()

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=10.0, isolation_level=None)
        try:
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=NORMAL")
            db.execute("PRAGMA foreign_keys=ON")
            self._migrate(db)
        except BaseException:
            db.close()
            raise
        self._path.chmod(0o600)
        return db

    def _migrate(self, db: sqlite3.Connection) -> None:
        with _transaction(db):
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version > len(MIGRATIONS):
                raise Misfit(
                    "the index of sessions was made by a newer spark",
                    where=str(self._path),
                    hint="Update spark, or remove the file: it is made again from the journals.",
                )
            for script in MIGRATIONS[version:]:
                for statement in script.split(";"):
                    if statement.strip():
                        db.execute(statement)
            db.execute(f"PRAGMA user_version={len(MIGRATIONS)}")

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- reading the journals --------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read what grew since the last time, and forget what is gone."""
        folder = self._state / "sessions"
        present = {path.parent.name: path for path in folder.glob("*/journal.jsonl")}
        known = dict(self._db.execute("SELECT id, bytes FROM sessions"))
        for gone in known.keys() - present.keys():
            self._db.execute("DELETE FROM sessions WHERE id = ?", (gone,))
        for session_id, path in sorted(present.items()):
            with contextlib.suppress(FileNotFoundError):
                size = path.stat().st_size
                if known.get(session_id) != size:
                    self._read(session_id, path, size)

    def _read(self, session_id: str, path: Path, size: int) -> None:
        entries: list[Entry] = []
        damaged = ""
        try:
            entries.extend(journal.read(path))
        except MalformedInput as error:
            damaged = str(error)
        known = _facts(path.parent)
        times = [entry.at for entry in entries] or [path.stat().st_mtime]
        with _transaction(self._db):
            self._db.execute("DELETE FROM sessions WHERE id = ?", (session_id,))
            self._db.execute(
                "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)",
                (session_id, known.name, known.forked_from, times[0], times[-1], size, damaged),
            )
            rows = Rows(session_id)
            rows.fill(entries)
            self._put("turns", rows.turns)
            self._put("hunks", rows.hunks)
            self._put("decisions", rows.decisions)
            self._put("metrics", rows.metrics)
            self._put("writes", rows.writes)

    def _put(self, table: str, rows: Sequence[Row]) -> None:
        if rows:
            self._db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)

    # -- asking ----------------------------------------------------------------------------------------------------

    def sessions(self, search: str = "") -> list[SessionRow]:
        """The newest first; with `search` those where every word stands in a name, prompt, answer or path."""
        where, values = [], []
        for word in search.split():
            where.append(
                "(s.name LIKE ? ESCAPE '\\' OR EXISTS (SELECT 1 FROM turns t WHERE t.session = s.id AND "
                "(t.prompt LIKE ? ESCAPE '\\' OR t.said LIKE ? ESCAPE '\\')) OR EXISTS (SELECT 1 FROM hunks h WHERE "
                "h.session = s.id AND h.path LIKE ? ESCAPE '\\'))"
            )
            escaped = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            values += [f"%{escaped}%"] * 4
        rows = self._db.execute(
            "SELECT s.id, s.name, s.forked_from, s.began, s.changed,"
            " (SELECT count(*) FROM turns t WHERE t.session = s.id),"
            " coalesce((SELECT prompt FROM turns t WHERE t.session = s.id ORDER BY number LIMIT 1), ''),"
            " (SELECT count(*) FROM hunks h WHERE h.session = s.id),"
            " (SELECT count(*) FROM hunks h WHERE h.session = s.id AND h.state = 'applied'), s.damaged FROM sessions s"
            + (" WHERE " + " AND ".join(where) if where else "")
            + " ORDER BY s.changed DESC, s.id DESC",
            values,
        )
        return [SessionRow(*row) for row in rows]

    def find(self, name: str) -> str:
        """A session's id: from it or its beginning, its name, or the id of one of its turns. Empty or `last`: the
        newest."""
        rows = self.sessions()
        if name in ("", "last") and rows:
            return rows[0].id
        exact = [row.id for row in rows if name in (row.id, row.name)]
        turn = self._db.execute("SELECT session FROM turns WHERE id = ? ORDER BY session DESC", (name,)).fetchall()
        begins = [row.id for row in rows if row.id.startswith(name)] if name else []
        for found in (exact, [row[0] for row in turn[:1]], begins):
            if len(found) == 1:
                return found[0]
            if found:
                raise MalformedInput(f"{name!r} names {len(found)} sessions: {', '.join(found[:5])}")
        near = ", ".join(row.id for row in rows[:5]) or "none"
        raise MalformedInput(f"no session {name!r} in this repository", hint=f"The newest are: {near}.")

    def measured(self) -> list[Measured]:
        """Every leg of every turn that ended well, oldest first."""
        rows = self._db.execute(
            "SELECT at, prompt_tokens, reused_tokens, output_tokens, drafts_kept, first_token, generation, reason,"
            " queue, network, prefill FROM metrics ORDER BY at"
        )
        return [Measured(*row) for row in rows]

    def writes(self) -> list[float]:
        """Seconds that each change of files took, oldest first."""
        return [seconds for (seconds,) in self._db.execute("SELECT seconds FROM writes ORDER BY at")]

    def states(self) -> dict[str, int]:
        """How many hunks there are in each state, those of a fork's earlier turns where they were asked for."""
        rows = self._db.execute(
            "SELECT h.state, count(*) FROM hunks h LEFT JOIN turns t ON t.session = h.session AND t.number = h.turn"
            " WHERE t.id IS NULL OR substr(t.id, 1, length(h.session)) = h.session GROUP BY h.state"
        )
        return dict(rows)

    def undone(self) -> int:
        """Hunks that were written and then, at any time, taken out."""
        (count,) = self._db.execute(
            "SELECT count(DISTINCT session || ':' || hunk) FROM decisions WHERE decision = 'undone'"
        ).fetchone()
        return int(count)

    def written(self) -> int:
        """Hunks that were written at any time."""
        (count,) = self._db.execute(
            "SELECT count(DISTINCT session || ':' || hunk) FROM decisions WHERE decision = 'applied'"
        ).fetchone()
        return int(count)

    # -- changing --------------------------------------------------------------------------------------------------

    def rename(self, session_id: str, name: str) -> None:
        folder = self.folder(session_id)
        known = facts(folder)
        known.name = name
        keep_facts(folder, known)
        self._db.execute("UPDATE sessions SET name = ? WHERE id = ?", (name, session_id))

    def fork(self, session_id: str, new_id: str) -> Path:
        """A second session that begins where this one stands. What it wrote can be undone in the first one only."""
        source, target = self.folder(session_id), self._state / "sessions" / new_id
        if target.exists():
            raise Refused("there is a session of that name", where=new_id)
        growing = target.with_name(f".{new_id}")
        shutil.rmtree(growing, ignore_errors=True)
        shutil.copytree(source, growing, ignore=shutil.ignore_patterns("outbox.json", ".*"))
        name = facts(source).name
        keep_facts(growing, Facts(f"{name} (fork)" if name else "", session_id))
        growing.rename(target)
        self.refresh()
        return target

    def delete(self, session_id: str) -> None:
        """Raises Refused while it is open in a spark."""
        folder = self.folder(session_id)
        for name in ("journal.jsonl", "turns.jsonl"):
            if (folder / name).exists():
                Framed(folder / name).close()
        shutil.rmtree(folder)
        self._db.execute("DELETE FROM sessions WHERE id = ?", (session_id,))

    def folder(self, session_id: str) -> Path:
        folder = self._state / "sessions" / session_id
        if not (folder / "journal.jsonl").is_file():
            raise MalformedInput(f"no session {session_id!r} in this repository")
        return folder


@contextlib.contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _facts(folder: Path) -> Facts:
    try:
        return facts(folder)
    except SparkError:
        return Facts()
