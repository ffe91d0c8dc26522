"""A fork begins where another session stands, and goes on alone."""

import shutil

import pytest
from support.scripted_backend import accept_and_write, run
from support.scripted_sessions import steered_and_written
from support.session_indexes import refreshed

from spark_tui.errors import MalformedInput, SparkError
from spark_tui.session.storage import archive, journal


def test_a_fork_that_did_not_come_to_its_end_is_no_session(open_indexed, state, monkeypatch):
    session_id = steered_and_written(open_indexed)
    folder = state / "sessions"
    shutil.copytree(folder / session_id, folder / ".20200101-000000-dead")
    with refreshed(state) as store:
        (folder / session_id / "session.json").write_text("[]")
        with pytest.raises(MalformedInput, match="damaged"):
            store.fork(session_id, "20200101-000000-beef")
        store.refresh()
        assert [row.id for row in store.sessions()] == [session_id]
    assert sorted(path.name for path in folder.iterdir()) == [".20200101-000000-dead", session_id]
    assert [path.parent.name for path in journal.journals(state)] == [session_id]


@pytest.mark.parametrize("name", ["journal.jsonl", "turns.jsonl"])
def test_a_fork_of_a_damaged_session_continues_where_it_was_whole(open_indexed, state, name):
    session = open_indexed()
    run(session.turn, "do it")
    run(session.turn, "do it")
    session.close()
    path = state / "sessions" / session.id / name
    lines = path.read_bytes().split(b"\n")
    lines[-3] = lines[-3].replace(b"}", b")", 1)
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(MalformedInput, match="spark sessions fork"):
        open_indexed(session.id)
    with refreshed(state) as store:
        store.fork(session.id, "29990101-000000-0000")
        assert [bool(row.damaged) for row in store.sessions()] == [False, name == "journal.jsonl"]
    fork = open_indexed("29990101-000000-0000")
    assert len(fork._records) == 2
    assert fork.turns.can_resume is (name == "journal.jsonl"), (
        "the second turn is cut off where the journal is"
    )
    run(fork.turn, "do it")
    fork.close()
    assert archive.find_turn(state).turn_id == "29990101-000000-0000-3"
    named = [turn.turn_id for turn in archive.recordable_turns(state)]
    assert len(named) == len(set(named)), "a turn that the fork copied is listed once"
    assert archive.find_turn(state, f"{session.id}-1").turn_id == f"{session.id}-1", (
        "the damaged one hides nothing"
    )


def test_a_fork_goes_on_alone_and_counts_nothing_twice(open_indexed, state):
    session_id = steered_and_written(open_indexed)
    with refreshed(state) as store:
        before, states = len(store.measured()), store.states()
        assert sum(states.values()) > 0
        store.fork(session_id, "20300101-000000-ffff")
        assert store.states() == states
    fork = open_indexed("20300101-000000-ffff")
    run(fork.turn, "do it")
    fork.close()
    with refreshed(state) as store:
        rows = {row.id: row for row in store.sessions()}
        assert rows[fork.id].forked_from == session_id
        assert (rows[fork.id].turns, rows[session_id].turns) == (2, 1)
        assert len(store.measured()) == before + 1
        assert store.written() == 1


def test_a_fork_says_where_the_changes_before_it_are_undone(open_indexed, state):
    session_id = steered_and_written(open_indexed)
    with refreshed(state) as store:
        store.fork(session_id, "20300101-000000-ffff")
    fork = open_indexed("20300101-000000-ffff")
    written = (fork.root / "cart.py").read_text()
    for undo in (fork.changes.undo, lambda: fork.changes.undo_hunk(1)):
        with pytest.raises(SparkError) as raised:
            undo()
        assert session_id in raised.value.hint
    assert (fork.root / "cart.py").read_text() == written
    run(fork.turn, "do it")
    accept_and_write(fork, fork.decisions.offered()[0].id)
    fork.changes.undo()
    assert (fork.root / "cart.py").read_text() == written
    fork.close()
    parent = open_indexed(session_id)
    parent.changes.undo()
    assert (parent.root / "cart.py").read_text() == "one\ntwo\nthree\nfour\n"
