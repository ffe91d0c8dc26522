"""The index lists, finds and counts what the journals say, also with several processes."""

import subprocess
import sys

import pytest
from support.scripted_backend import run
from support.scripted_sessions import steered_and_written
from support.session_indexes import refreshed

from spark_tui import events
from spark_tui.errors import MalformedInput, NoPlace, Refused
from spark_tui.session.session import new_id
from spark_tui.session.storage.session_index import SessionIndex


def test_what_is_listed_is_what_happened(open_indexed, state):
    session_id = steered_and_written(open_indexed)
    with refreshed(state) as store:
        (row,) = store.sessions()
        assert (row.id, row.turns, row.prompt, row.damaged) == (session_id, 1, "do it", "")
        assert store.states() == {"applied": 1, "open": 1, "dropped": 1}
        assert (store.written(), store.undone()) == (1, 0)
        assert [leg.reason for leg in store.measured()] == ["interrupted", "stop"]
        assert store.measured()[0].output_tokens == 48


def test_a_hunk_that_was_divided_is_counted_as_its_parts(open_indexed, state):
    session = open_indexed()
    run(session.turn, "divide")
    (whole,) = (hunk.id for hunk in session.decisions.offered())
    session.decisions.decide(whole, "split")
    first, second = (hunk.id for hunk in session.decisions.offered())
    session.decisions.decide(first, "accepted")
    session.decisions.decide(second, "edited", "mine\n")
    session.decisions.decide(second, "open")
    session.decisions.decide(second, "rejected")
    session.changes.write()
    with refreshed(state) as store:
        assert store.states() == {"applied": 1, "rejected": 1}
        (row,) = store.sessions()
        assert (row.hunks, row.applied) == (2, 1)
    session.changes.undo()
    with refreshed(state) as store:
        assert store.states() == {"undone": 1, "rejected": 1}
        assert (store.written(), store.undone()) == (1, 1)
        assert len(store.writes()) == 2


def test_the_parts_of_the_time_are_in_the_index(open_indexed, state):
    session = open_indexed()
    backend, plain = session.backend, session.backend.stream

    def waited(request, stop):
        yield events.Waited(queue=0.5, network=0.25)
        yield from plain(request, stop)

    backend.stream = waited
    run(session.turn, "do it")
    with refreshed(state) as store:
        (leg,) = store.measured()
    assert (leg.queue, leg.network) == (0.5, 0.25)
    assert leg.prefill >= 0


def test_a_session_in_which_nothing_was_asked_leaves_nothing(open_indexed, state):
    empty, named, waiting = open_indexed(), open_indexed(), open_indexed()
    waiting.outbox.queue("for later")
    for session in (empty, named, waiting):
        with SessionIndex(state) as store:
            if session is named:
                store.rename(named.id, "kept")
        session.close()
        session.close()
    with refreshed(state) as store:
        assert {row.id for row in store.sessions()} == {named.id, waiting.id}
    assert not empty.folder.exists()


def test_a_session_with_nothing_but_saved_typing_is_named_by_its_first_words(open_indexed, state):
    session = open_indexed()
    for words in ("# the first", "# the second"):
        lines = session.manual_edits.begin("cart.py")
        session.manual_edits.save({"cart.py": ["", words, *lines]})
    session.close()
    with refreshed(state) as store:
        (row,) = store.sessions()
        assert (row.name, row.prompt, row.turns) == ("", "typed: # the first", 0)
        assert (store.sessions("first"), store.find("last")) == ([row], row.id)
        store.fork(session.id, "copy")
        assert {row.prompt for row in store.sessions()} == {"typed: # the first"}


def test_the_last_session_is_one_in_which_something_was_said(open_indexed, state):
    said = steered_and_written(open_indexed)
    waiting = open_indexed()
    assert waiting.id != said
    with refreshed(state) as store:
        assert store.find("last") == said


def test_a_session_whose_first_turn_could_not_be_kept_leaves_nothing(open_indexed, monkeypatch):
    session = open_indexed()

    def full(*_):
        raise NoPlace("the state of this session cannot be kept")

    monkeypatch.setattr(session.journal.events, "append", full)
    with pytest.raises(NoPlace):
        run(session.turn, "do it", in_view="cart.py")
    assert list((session.folder / "files").iterdir())
    session.close()
    assert not session.folder.exists()


def test_undoing_is_counted_even_where_it_was_brought_back(open_indexed, state):
    session_id = steered_and_written(open_indexed)
    session = open_indexed(session_id)
    session.changes.undo()
    session.changes.redo()
    with refreshed(state) as store:
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
def test_every_word_of_a_search_must_stand_somewhere(open_indexed, state, words, found):
    steered_and_written(open_indexed)
    with refreshed(state) as store:
        assert bool(store.sessions(words)) is found


def test_a_session_is_found_by_id_beginning_name_turn_or_as_the_newest(open_indexed, state):
    session_id = steered_and_written(open_indexed)
    with refreshed(state) as store:
        with pytest.raises(MalformedInput, match="no session ''"):
            store.find("")
        store.rename(session_id, "the cart")
        for name in (session_id, session_id[:10], "the cart", f"{session_id}-1", "last"):
            assert store.find(name) == session_id
        for name in ("x", "", "\udcff"):
            with pytest.raises(MalformedInput, match="no session"):
                store.find(name)
    with refreshed(state) as store:
        assert store.sessions()[0].name == "the cart"


def test_what_is_no_text_can_be_listed_searched_and_found(open_indexed, state):
    session = open_indexed()
    (session.root / "cart\udcff.py").write_text("one\n")
    run(session.turn, "do \udcff it")
    session.close()
    with refreshed(state) as store:
        (row,) = store.sessions("do")
        assert row.prompt == "do ? it"
        assert len(store.sessions("it \udcff")) == 1
        store.rename(row.id, "a \udcff")
        assert store.find("a \udcff") == row.id


def test_deleting_removes_all_of_a_session_but_not_one_that_is_open(open_indexed, state):
    session_id = steered_and_written(open_indexed)
    session = open_indexed(session_id)
    with refreshed(state) as store:
        with pytest.raises(Refused, match="open in another spark"):
            store.delete(session_id)
        session.close()
        store.delete(session_id)
        assert store.sessions() == []
        assert store.measured() == []
    assert not (state / "sessions" / session_id).exists()


def test_several_processes_refresh_at_once_while_another_writes(open_indexed, state):
    session = open_indexed()
    code = (
        "import sys, pathlib\n"
        "from spark_tui.session.storage.session_index import SessionIndex\n"
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
    with refreshed(state) as store:
        (row,) = store.sessions()
        assert (row.turns, row.damaged) == (5, "")


def test_sessions_that_begin_in_one_second_have_ids_of_their_own():
    assert len({new_id() for _ in range(300)}) == 300
