"""A damaged, old or missing index is made again from the journals."""

import sqlite3
import threading

import pytest
from support.scripted_backend import run
from support.scripted_sessions import steered_and_written
from support.session_indexes import flip_bit, refreshed, run_sql

from spark_tui.errors import MalformedInput, Misfit, Refused
from spark_tui.session.storage.index_database import VERSION, IndexDatabase
from spark_tui.session.storage.session_index import SessionIndex


def test_a_lost_or_damaged_index_is_made_again(open_indexed, state):
    session_id = steered_and_written(open_indexed)
    with refreshed(state) as store:
        store.rename(session_id, "kept")
    (state / "sessions.db").write_bytes(b"this is no database, and long enough to be seen as one" * 100)
    with refreshed(state) as store:
        assert [(row.id, row.name) for row in store.sessions()] == [(session_id, "kept")]


def overwrite_pages(path):
    """All but the first page, which has the tables' names: it opens, and cannot be read."""
    run_sql(path.parent, "PRAGMA wal_checkpoint(TRUNCATE)")
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xaa" * (len(data) - 4096))


def drop_a_table(path):
    run_sql(path.parent, "DROP TABLE hunks")


@pytest.mark.parametrize("harm", [overwrite_pages, drop_a_table])
@pytest.mark.parametrize("ask", ["refresh", "sessions", "find", "states", "rename", "delete"])
def test_an_index_that_turns_out_to_be_damaged_is_made_again(open_indexed, state, harm, ask):
    session_id = steered_and_written(open_indexed)
    with refreshed(state):
        pass
    harm(state / "sessions.db")
    with SessionIndex(state) as store:
        said = {"find": (session_id,), "rename": (session_id, "kept"), "delete": (session_id,)}
        getattr(store, ask)(*said.get(ask, ()))
        store.refresh()
        assert [row.id for row in store.sessions()] == ([] if ask == "delete" else [session_id])
        assert [row.name for row in store.sessions()] == (
            [] if ask == "delete" else ["kept" if ask == "rename" else ""]
        )


def test_an_index_whose_version_does_not_match_its_tables_is_made_again(open_indexed, state):
    session_id = steered_and_written(open_indexed)
    with refreshed(state):
        pass
    run_sql(state, "PRAGMA user_version=1")
    with refreshed(state) as store:
        assert store.find("last") == session_id


def test_an_index_that_another_process_has_is_no_damaged_one(open_indexed, state, monkeypatch):
    steered_and_written(open_indexed)
    with refreshed(state) as store:
        before = (state / "sessions.db").stat().st_ino
        other = sqlite3.connect(state / "sessions.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        store._db.execute("PRAGMA busy_timeout=1")
        with pytest.raises(Refused, match="locked"):
            store.rename(store.sessions()[0].id, "x")
        other.close()
    assert (state / "sessions.db").stat().st_ino == before


@pytest.mark.parametrize("moment", ["at the start", "later"])
@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR])
def test_where_the_disk_takes_no_index_what_the_journals_say_is_listed(
    open_indexed, state, monkeypatch, moment, code
):
    session = open_indexed()
    run(session.turn, "do it")
    session.close()

    def fails(*_):
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = code
        raise error

    if moment == "at the start":
        monkeypatch.setattr(IndexDatabase, "_open", fails)
    with SessionIndex(state) as store:
        if moment == "later":
            put, left = store._put, [None]
            monkeypatch.setattr(
                store, "_put", lambda *words: fails() if left and not left.clear() else put(*words)
            )
        store.refresh()
        assert [row.id for row in store.sessions()] == [session.id]
        assert store.find("last") == session.id
        store.rename(session.id, "a name")
        assert store.sessions()[0].name == "a name"
    monkeypatch.undo()
    with refreshed(state) as store:
        assert store.sessions()[0].name == "a name"


@pytest.mark.parametrize("text", ["5", "null", "{", "", "\udcff"])
@pytest.mark.parametrize("name", ["session.json", "outbox.json"])
def test_what_is_kept_beside_a_journal_and_is_of_no_use_is_named(open_indexed, state, name, text):
    session_id = steered_and_written(open_indexed)
    (state / "sessions" / session_id / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(MalformedInput, match=rf"{name}: is damaged"):
        open_indexed(session_id)
    with refreshed(state) as store:
        assert [row.id for row in store.sessions()] == [session_id]


@pytest.mark.parametrize("version", [0, 1, VERSION - 1])
def test_an_index_of_an_earlier_version_is_made_again(open_indexed, state, version):
    session_id = steered_and_written(open_indexed)
    size = (state / "sessions" / session_id / "journal.jsonl").stat().st_size
    run_sql(state, "CREATE TABLE sessions (id TEXT PRIMARY KEY, bytes INTEGER)")
    run_sql(state, f"INSERT INTO sessions VALUES ('{session_id}', {size})")
    run_sql(state, f"PRAGMA user_version={version}")
    with refreshed(state) as store:
        assert len(store.measured()) == 2


def test_an_index_that_another_process_creates_is_waited_for(state):
    """SQLite does not wait by itself where the other one writes before its journal became a WAL."""
    state.mkdir()
    other = sqlite3.connect(state / "sessions.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    other.execute("CREATE TABLE made (x)")
    timer = threading.Timer(0.3, other.execute, ("ROLLBACK",))
    timer.start()
    with SessionIndex(state) as store:
        assert store.sessions() == []
    timer.join()
    other.close()


def test_an_index_of_a_newer_spark_is_left_alone(state):
    SessionIndex(state).close()
    run_sql(state, "PRAGMA user_version=99")
    with pytest.raises(Misfit, match="newer spark"):
        SessionIndex(state)


def test_a_damaged_journal_is_listed_as_damaged_and_the_others_are_whole(open_indexed, state):
    first, second = steered_and_written(open_indexed), steered_and_written(open_indexed)
    path = state / "sessions" / first / "journal.jsonl"
    flip_bit(path, 40)
    with refreshed(state) as store:
        damaged = {row.id: bool(row.damaged) for row in store.sessions()}
        assert damaged == {first: True, second: False}
