"""The SQLite file of the index: opened, and created again where it is damaged or of an earlier version."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from spark_tui.errors import Misfit, Refused
from spark_tui.tables import read_table

T = TypeVar("T")

_MADE = read_table(__file__, "index_tables.toml")
VERSION: int = _MADE["version"]

_NO_PLACE = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
}
"""The disk is full or cannot be written to: the journals can still be read, and are indexed in memory."""
_WAITS = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_PASSING = _NO_PLACE | _WAITS | {sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT}
"""Errors of the disk, the permissions or the moment, not of the index."""

WAIT_S = 10.0
"""For as long, another process that holds the index is waited for."""


def _code(error: sqlite3.DatabaseError) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


class IndexDatabase:
    """One connection. `db` is a new one after `repaired` created the index again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.db = self._open()
        except sqlite3.DatabaseError as error:
            self.db = self._replacement(error)

    def repaired(self, act: Callable[[], T], fill: Callable[[], None]) -> T:
        """Run `act`; where the index turns out to be damaged, create and fill it again and run `act` once
        more."""
        try:
            return act()
        except sqlite3.DatabaseError as error:
            self.close()
            self.db = self._replacement(error)
        try:
            fill()
            return act()
        except sqlite3.DatabaseError as error:
            raise self._unusable(error) from error

    def close(self) -> None:
        self.db.close()

    def _replacement(self, error: sqlite3.DatabaseError) -> sqlite3.Connection:
        """A connection in place of one that failed."""
        if _code(error) in _NO_PLACE:
            db = sqlite3.connect(":memory:", isolation_level=None)
            self._make_tables(db)
            return db
        if _code(error) in _PASSING:
            raise self._unusable(error) from error
        try:
            return self._recreate()
        except sqlite3.DatabaseError as again:
            raise self._unusable(again) from again

    def _open(self) -> sqlite3.Connection:
        """SQLite waits for most locks itself; while another process creates the index or is the last to
        close it, it does not."""
        until = time.monotonic() + WAIT_S
        while True:
            try:
                return self._connect()
            except sqlite3.OperationalError as error:
                if _code(error) not in _WAITS or time.monotonic() >= until:
                    raise
            time.sleep(0.02)

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=WAIT_S, isolation_level=None)
        try:
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=NORMAL")
            db.execute("PRAGMA foreign_keys=ON")
            self._make_tables(db)
            self.path.chmod(0o600)
        except BaseException:
            db.close()
            raise
        return db

    def _recreate(self) -> sqlite3.Connection:
        """Start again from an empty index: everything in it is in the journals."""
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        return self._open()

    def _unusable(self, error: sqlite3.DatabaseError) -> Refused:
        return Refused(
            f"cannot use the index of sessions: {error}",
            where=str(self.path),
            hint="Wait for the spark that holds it, or fix its permissions.",
        )

    def _make_tables(self, db: sqlite3.Connection) -> None:
        """Where they are of an earlier version, or not there."""
        with transaction(db):
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version == VERSION:
                return
            if version > VERSION:
                raise Misfit(
                    "the index of sessions was made by a newer spark",
                    where=str(self.path),
                    hint="Update spark, or remove the file: it is rebuilt from the journals.",
                )
            for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                db.execute(f"DROP TABLE {table}")
            for statement in filter(str.strip, _MADE["tables"].split(";")):
                db.execute(statement)
            db.execute(f"PRAGMA user_version={VERSION}")


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All of what is done inside or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
