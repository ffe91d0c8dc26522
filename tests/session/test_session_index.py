"""The index says what the journals say, at any time, from several processes, in any version."""

import shutil
import sqlite3
import subprocess
import sys

import pytest
from support.scripted_backend import Scripted, after, run

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.errors import MalformedInput, Misfit, NoPlace, Refused, SparkError
from spark_tui.session import archive
from spark_tui.session.index_database import MIGRATIONS, IndexDatabase
from spark_tui.session.session import Session
from spark_tui.session.session_index import SessionIndex

ANSWERS = {
    "do it": "Well then.\n*** cart.py\n@@ 1,2\n+first\n\n@@ 3,3\n+second\n",
    "no, other": "*** cart.py\n@@ 3,3\n+other\n",
    "do \udcff it": "*** cart\udcff.py\n@@ 1,1\n+first\n",
    "divide": "*** cart.py\n@@ 2,2\n+first\n+\n+second\n",
}


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state"


@pytest.fixture
def make(tmp_path, state):
    root = tmp_path / "plain"
    root.mkdir()
    (root / "cart.py").write_text("one\ntwo\nthree\nfour\n")
    made = []

    def make(session_id=""):
        session = Session(root, Scripted(ANSWERS), Settings(), state, session_id=session_id)
        made.append(session)
        return session

    yield make
    for session in made:
        session.close()


def worked(make):
    session = make()
    (session.root / "cart.py").write_text("one\ntwo\nthree\nfour\n")
    run(session.turn, "do it", until=after(48))
    run(session.steer, "no, other")
    session.decide(1, "accepted")
    session.write()
    session.close()
    return session.id


def test_what_is_listed_is_what_happened(make, state):
    session_id = worked(make)
    with SessionIndex(state) as store:
        store.refresh()
        (row,) = store.sessions()
        assert (row.id, row.turns, row.prompt, row.damaged) == (session_id, 1, "do it", "")
        assert store.states() == {"applied": 1, "open": 1, "dropped": 1}
        assert (store.written(), store.undone()) == (1, 0)
        assert [leg.reason for leg in store.measured()] == ["interrupted", "stop"]
        assert store.measured()[0].output_tokens == 48


def test_a_hunk_that_was_divided_is_counted_as_its_parts(make, state):
    session = make()
    run(session.turn, "divide")
    (whole,) = (hunk.id for hunk in session.offered())
    session.decide(whole, "split")
    first, second = (hunk.id for hunk in session.offered())
    session.decide(first, "accepted")
    session.decide(second, "edited", "mine\n")
    session.decide(second, "open")
    session.decide(second, "rejected")
    session.write()
    with SessionIndex(state) as store:
        store.refresh()
        assert store.states() == {"applied": 1, "rejected": 1}
        (row,) = store.sessions()
        assert (row.hunks, row.applied) == (2, 1)
    session.undo()
    with SessionIndex(state) as store:
        store.refresh()
        assert store.states() == {"undone": 1, "rejected": 1}
        assert (store.written(), store.undone()) == (1, 1)
        assert len(store.writes()) == 2


def test_the_parts_of_the_time_are_in_the_index(make, state):
    session = make()
    backend, plain = session.backend, session.backend.stream

    def waited(request, stop):
        yield events.Waited(queue=0.5, network=0.25)
        yield from plain(request, stop)

    backend.stream = waited
    run(session.turn, "do it")
    with SessionIndex(state) as store:
        store.refresh()
        (leg,) = store.measured()
    assert (leg.queue, leg.network) == (0.5, 0.25)
    assert leg.prefill >= 0


def test_a_session_in_which_nothing_was_asked_leaves_nothing(make, state):
    empty, named, waiting = make(), make(), make()
    waiting.queue("for later")
    for session in (empty, named, waiting):
        with SessionIndex(state) as store:
            if session is named:
                store.rename(named.id, "kept")
        session.close()
        session.close()
    with SessionIndex(state) as store:
        store.refresh()
        assert {row.id for row in store.sessions()} == {named.id, waiting.id}
    assert not empty.folder.exists()


def test_a_session_whose_first_turn_could_not_be_kept_leaves_nothing(make, monkeypatch):
    session = make()

    def full(*_):
        raise NoPlace("the state of this session cannot be kept")

    monkeypatch.setattr(session._journal, "append", full)
    with pytest.raises(NoPlace):
        run(session.turn, "do it", in_view="cart.py")
    assert list((session.folder / "files").iterdir())
    session.close()
    assert not session.folder.exists()


def test_a_clock_that_is_put_back_makes_no_session_older_than_it_was(make, state):
    session = make()
    run(session.turn, "do it")
    real, session._clock = session._clock, lambda: real() - 7200
    run(session.turn, "do it")
    session.close()
    with SessionIndex(state) as store:
        store.refresh()
        (row,) = store.sessions()
        assert row.began <= row.changed
        assert row.turns == 2
    _, again = archive.turns_of(state / "sessions" / session.id)
    pieces = archive.as_recording(again, name="r").pieces
    assert all(piece.t >= 0 for piece in pieces)


def test_undoing_is_counted_even_where_it_was_brought_back(make, state):
    session_id = worked(make)
    session = make(session_id)
    session.undo()
    session.redo()
    with SessionIndex(state) as store:
        store.refresh()
        assert (store.written(), store.undone()) == (1, 1)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("do", True),
        ("WELL THEN", True),
        ("other cart.py", True),
        ("100%", False),
        ("d_ it", False),
        ("poem", False),
    ],
)
def test_every_word_of_a_search_must_stand_somewhere(make, state, words, found):
    worked(make)
    with SessionIndex(state) as store:
        store.refresh()
        assert bool(store.sessions(words)) is found


def test_a_session_is_found_by_id_beginning_name_turn_or_as_the_newest(make, state):
    session_id = worked(make)
    with SessionIndex(state) as store:
        store.refresh()
        with pytest.raises(MalformedInput, match="no session ''"):
            store.find("")
        store.rename(session_id, "the cart")
        for name in (session_id, session_id[:10], "the cart", f"{session_id}-1", "last"):
            assert store.find(name) == session_id
        for name in ("x", "", "\udcff"):
            with pytest.raises(MalformedInput, match="no session"):
                store.find(name)
    with SessionIndex(state) as store:
        store.refresh()
        assert store.sessions()[0].name == "the cart"


def test_a_lost_or_damaged_index_is_made_again(make, state):
    session_id = worked(make)
    with SessionIndex(state) as store:
        store.refresh()
        store.rename(session_id, "kept")
    (state / "sessions.db").write_bytes(b"this is no database, and long enough to be seen as one" * 100)
    with SessionIndex(state) as store:
        store.refresh()
        assert [(row.id, row.name) for row in store.sessions()] == [(session_id, "kept")]


def overwrite_pages(path):
    """All but the first page, which has the tables' names: it opens, and cannot be read."""
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xaa" * (len(data) - 4096))


def drop_a_table(path):
    db = sqlite3.connect(path)
    db.execute("DROP TABLE hunks")
    db.close()


@pytest.mark.parametrize("harm", [overwrite_pages, drop_a_table])
@pytest.mark.parametrize("ask", ["refresh", "sessions", "find", "states", "rename", "delete"])
def test_an_index_that_turns_out_to_be_damaged_is_made_again(make, state, harm, ask):
    session_id = worked(make)
    with SessionIndex(state) as store:
        store.refresh()
    harm(state / "sessions.db")
    with SessionIndex(state) as store:
        said = {"find": (session_id,), "rename": (session_id, "kept"), "delete": (session_id,)}
        getattr(store, ask)(*said.get(ask, ()))
        store.refresh()
        assert [row.id for row in store.sessions()] == ([] if ask == "delete" else [session_id])
        assert [row.name for row in store.sessions()] == (
            [] if ask == "delete" else ["kept" if ask == "rename" else ""]
        )


def test_an_index_whose_version_does_not_match_its_tables_is_made_again(make, state):
    session_id = worked(make)
    with SessionIndex(state) as store:
        store.refresh()
    db = sqlite3.connect(state / "sessions.db")
    db.execute("PRAGMA user_version=1")
    db.close()
    with SessionIndex(state) as store:
        store.refresh()
        assert store.find("last") == session_id


def test_an_index_that_another_process_has_is_no_damaged_one(make, state, monkeypatch):
    worked(make)
    with SessionIndex(state) as store:
        store.refresh()
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
    make, state, monkeypatch, moment, code
):
    session = make()
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
    with SessionIndex(state) as store:
        store.refresh()
        assert store.sessions()[0].name == "a name"


def test_what_is_no_text_can_be_listed_searched_and_found(make, state):
    session = make()
    (session.root / "cart\udcff.py").write_text("one\n")
    run(session.turn, "do \udcff it")
    session.close()
    with SessionIndex(state) as store:
        store.refresh()
        (row,) = store.sessions("do")
        assert row.prompt == "do ? it"
        assert len(store.sessions("it \udcff")) == 1
        store.rename(row.id, "a \udcff")
        assert store.find("a \udcff") == row.id


def test_a_fork_that_did_not_come_to_its_end_is_no_session(make, state, monkeypatch):
    session_id = worked(make)
    folder = state / "sessions"
    shutil.copytree(folder / session_id, folder / ".20200101-000000-dead")
    with SessionIndex(state) as store:
        store.refresh()
        (folder / session_id / "session.json").write_text("[]")
        with pytest.raises(MalformedInput, match="damaged"):
            store.fork(session_id, "20200101-000000-beef")
        store.refresh()
        assert [row.id for row in store.sessions()] == [session_id]
    assert sorted(path.name for path in folder.iterdir()) == [".20200101-000000-dead", session_id]
    assert [path.parent.name for path in archive.journals(state)] == [session_id]


@pytest.mark.parametrize("text", ["5", "null", "{", "", "\udcff"])
@pytest.mark.parametrize("name", ["session.json", "outbox.json"])
def test_what_is_kept_beside_a_journal_and_is_of_no_use_is_named(make, state, name, text):
    session_id = worked(make)
    (state / "sessions" / session_id / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(MalformedInput, match=rf"{name}: is damaged"):
        make(session_id)
    with SessionIndex(state) as store:
        store.refresh()
        assert [row.id for row in store.sessions()] == [session_id]


@pytest.mark.parametrize("version", range(len(MIGRATIONS)))
def test_an_index_of_any_earlier_version_is_brought_up_to_date(make, state, version):
    worked(make)
    db = sqlite3.connect(state / "sessions.db")
    for script in MIGRATIONS[:version]:
        db.executescript(script)
    db.execute(f"PRAGMA user_version={version}")
    if version:
        (folder,) = (state / "sessions").glob("2*")
        size = (folder / "journal.jsonl").stat().st_size
        db.execute("INSERT INTO sessions VALUES (?, '', '', 0, 0, ?, '')", (folder.name, size))
    db.commit()
    db.close()
    with SessionIndex(state) as store:
        store.refresh()
        assert len(store.measured()) == 2


def test_an_index_of_a_newer_spark_is_left_alone(state):
    SessionIndex(state).close()
    db = sqlite3.connect(state / "sessions.db")
    db.execute("PRAGMA user_version=99")
    db.close()
    with pytest.raises(Misfit, match="newer spark"):
        SessionIndex(state)


def test_a_damaged_journal_is_listed_as_damaged_and_the_others_are_whole(make, state):
    first, second = worked(make), worked(make)
    path = state / "sessions" / first / "journal.jsonl"
    data = bytearray(path.read_bytes())
    data[40] ^= 1
    path.write_bytes(bytes(data))
    with SessionIndex(state) as store:
        store.refresh()
        damaged = {row.id: bool(row.damaged) for row in store.sessions()}
        assert damaged == {first: True, second: False}


@pytest.mark.parametrize("name", ["journal.jsonl", "turns.jsonl"])
def test_a_fork_of_a_damaged_session_goes_on_where_it_was_whole(make, state, name):
    session = make()
    run(session.turn, "do it")
    run(session.turn, "do it")
    session.close()
    path = state / "sessions" / session.id / name
    lines = path.read_bytes().split(b"\n")
    lines[-3] = lines[-3].replace(b"}", b")", 1)
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(MalformedInput, match="spark sessions fork"):
        make(session.id)
    with SessionIndex(state) as store:
        store.refresh()
        store.fork(session.id, "29990101-000000-0000")
        assert [bool(row.damaged) for row in store.sessions()] == [False, name == "journal.jsonl"]
    fork = make("29990101-000000-0000")
    assert len(fork._turns) == 2
    assert fork.can_resume is (name == "journal.jsonl"), "the second turn is cut off where the journal is"
    run(fork.turn, "do it")
    fork.close()
    assert archive.find_turn(state).turn_id == "29990101-000000-0000-3"
    assert archive.find_turn(state, f"{session.id}-1").turn_id == f"{session.id}-1", (
        "the damaged one hides nothing"
    )


def test_a_fork_goes_on_alone_and_counts_nothing_twice(make, state):
    session_id = worked(make)
    with SessionIndex(state) as store:
        store.refresh()
        before, states = len(store.measured()), store.states()
        assert sum(states.values()) > 0
        store.fork(session_id, "20300101-000000-ffff")
        assert store.states() == states
    fork = make("20300101-000000-ffff")
    run(fork.turn, "do it")
    fork.close()
    with SessionIndex(state) as store:
        store.refresh()
        rows = {row.id: row for row in store.sessions()}
        assert rows[fork.id].forked_from == session_id
        assert (rows[fork.id].turns, rows[session_id].turns) == (2, 1)
        assert len(store.measured()) == before + 1
        assert store.written() == 1


def test_a_fork_says_where_the_changes_before_it_are_undone(make, state):
    session_id = worked(make)
    with SessionIndex(state) as store:
        store.refresh()
        store.fork(session_id, "20300101-000000-ffff")
    fork = make("20300101-000000-ffff")
    written = (fork.root / "cart.py").read_text()
    for undo in (fork.undo, lambda: fork.undo_hunk(1)):
        with pytest.raises(SparkError) as raised:
            undo()
        assert session_id in raised.value.hint
    assert (fork.root / "cart.py").read_text() == written
    run(fork.turn, "do it")
    fork.decide(fork.offered()[0].id, "accepted")
    fork.write()
    fork.undo()
    assert (fork.root / "cart.py").read_text() == written
    fork.close()
    parent = make(session_id)
    parent.undo()
    assert (parent.root / "cart.py").read_text() == "one\ntwo\nthree\nfour\n"


def test_deleting_removes_all_of_a_session_but_not_one_that_is_open(make, state):
    session_id = worked(make)
    session = make(session_id)
    with SessionIndex(state) as store:
        store.refresh()
        with pytest.raises(Refused, match="open in another spark"):
            store.delete(session_id)
        session.close()
        store.delete(session_id)
        assert store.sessions() == []
        assert store.measured() == []
    assert not (state / "sessions" / session_id).exists()


def test_several_processes_refresh_at_once_while_another_writes(make, state):
    session = make()
    code = (
        "import sys, pathlib\n"
        "from spark_tui.session.session_index import SessionIndex\n"
        "for _ in range(15):\n"
        f"    with SessionIndex(pathlib.Path({str(state)!r})) as store:\n"
        "        store.refresh()\n"
        "        store.sessions('do it')\n"
    )
    others = [subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE) for _ in range(3)]
    for _ in range(5):
        run(session.turn, "do it")
    for other in others:
        _, err = other.communicate(timeout=60)
        assert other.returncode == 0, err.decode()
    session.close()
    with SessionIndex(state) as store:
        store.refresh()
        (row,) = store.sessions()
        assert (row.turns, row.damaged) == (5, "")


def test_a_session_is_told_as_a_text_with_its_steer_and_its_hunks(make, state):
    session_id = worked(make)
    text = archive.as_markdown("the cart", archive.turns_of(state / "sessions" / session_id))
    assert "## do it" in text
    assert "Well then." in text
    assert "**↪ no, other**" in text
    assert "`cart.py:1`, written\n\n```diff\n-one\n+first\n```" in text


def test_a_recording_of_a_steered_turn_ends_where_the_steer_began_and_says_so(make, state):
    session_id = worked(make)
    (turn,) = archive.turns_of(state / "sessions" / session_id)
    made = archive.as_recording(turn, name="r")
    assert made.text == ANSWERS["do it"][:48]
    assert made.note.endswith("steered: no, other")


def test_a_recording_of_a_resumed_turn_is_the_whole_text_without_the_pause(make, state):
    session = make()
    run(session.turn, "do it", until=after(20))
    real, session._clock = session._clock, lambda: real() + 900
    run(session.resume)
    (turn,) = archive.turns_of(session.folder)
    made = archive.as_recording(turn, name="r")
    assert made.text == ANSWERS["do it"]
    assert made.pieces[-1].t < 60
