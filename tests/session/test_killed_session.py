"""A session goes on in another process, wherever the first one was killed."""

import os
import threading

import pytest
from support.event_streams import token_text
from support.scripted_backend import Scripted, accept_and_write, after, run, standing
from support.scripted_sessions import ANSWERS, FIRST, SEVEN_LINES, entries
from support.small_repositories import written

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.session.storage.turn_storage import read_undelivered
from spark_tui.workspace.transaction import Transaction

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


@pytest.fixture
def root(tmp_path):
    """The folder of the sessions that `open_session` opens."""
    return written(tmp_path / "plain", {"cart.py": SEVEN_LINES})


def scenario(session, show):
    """Everything that a session can do, told step by step."""

    def go(stream_of, *words, until=None, **kwargs):
        stop = threading.Event()
        for event in stream_of(*words, stop=stop, **kwargs):
            show(event)
            if until is not None and until(event):
                stop.set()

    go(session.turn, "do it", in_view="cart.py", until=after(4))
    go(session.turns.resume)
    session.decisions.decide(1, "accepted")
    show(events.Decided(1, "accepted"))
    go(session.turns.steer, "no, other", until=after(2))
    go(session.turns.resume)
    session.decisions.decide(4, "edited", "mine\n")
    show(events.Decided(4, "edited", "mine\n"))
    show(session.changes.write())
    show(session.changes.undo())
    show(session.changes.redo())
    go(session.turns.steer, "and more")


def killed_at(make_session, count):
    """Run the scenario in a child that is gone directly after its `count`-th journaled event. What it had
    shown, whether it came to the end, and the session."""
    reading, writing = os.pipe()
    session = make_session()
    child = os.fork()
    if child == 0:
        left = [count]
        append = session.journal.events.append

        def counting(event, at):
            append(event, at)
            left[0] -= 1
            if not left[0]:
                os._exit(9)

        session.journal.events.append = counting
        try:
            scenario(session, lambda event: os.write(writing, b"."))
        finally:
            os._exit(0)
    os.close(writing)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as pipe:
        shown = len(pipe.read())
    session.close()
    return shown, os.waitstatus_to_exitcode(status) == 0, session.id


def test_killed_after_any_event_nothing_that_was_shown_is_lost_and_the_session_continues(open_session, root):
    whole = open_session(size=9)
    scenario(whole, lambda event: None)
    everything, text = entries(whole), (root / "cart.py").read_text()
    assert text != SEVEN_LINES
    goal = standing(whole)
    whole.close()
    for count in range(1, len(everything) + 1):
        (root / "cart.py").write_text(SEVEN_LINES)
        shown, _, session_id = killed_at(lambda: open_session(size=9), count)
        again = open_session(session_id, size=9)
        kept = entries(again)
        assert shown <= count <= len(kept)
        assert [type(event) for event in kept[:count]] == [type(event) for event in everything[:count]]
        # Every hunk that had closed is there, byte for byte.
        for event in kept[:count]:
            if isinstance(event, events.HunkClosed) and not event.partial and event.new_lines:
                assert again.decisions.review.original(event.hunk_id).new_lines == event.new_lines
        assert read_undelivered(again.folder) == list(again.outbox.take_returned()) or not read_undelivered(
            again.folder
        )
        if again._records.last.turn.can_resume:
            run(again.turns.resume)
        for hunk_id, (_, lines) in standing(again).items():
            if (
                hunk_id in goal
                and not again.decisions.review.hunk(hunk_id).partial
                and again.decisions.review.state(hunk_id) != "dropped"
            ):
                assert lines in (goal[hunk_id][1], whole.decisions.review.original(hunk_id).new_lines)
        assert (root / "cart.py").read_text() in (SEVEN_LINES, text)
        again.close()


def killed_in(monkeypatch, step, call):
    """Make the call in a child that is gone at this step of its transaction."""
    child = os.fork()
    if child == 0:
        monkeypatch.setattr(Transaction, step, lambda *_: os._exit(9))
        try:
            call()
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.parametrize(("step", "state"), [("_write_temporaries", "accepted"), ("_tidy", "applied")])
def test_hunks_of_a_killed_write_are_written_if_the_files_have_them(
    open_session, root, monkeypatch, step, state
):
    session = open_session(size=9)
    run(session.turn, "do it", in_view="cart.py")
    session.decisions.decide(1, "accepted")
    killed_in(monkeypatch, step, session.changes.write)
    session.close()
    again = open_session(session.id, size=9)
    assert again.decisions.review.state(1) == state
    assert again.changes.uncommitted == (state == "applied")
    if state == "accepted":
        assert again.changes.write().hunks == (1,)
    again.changes.undo()
    assert (root / "cart.py").read_text() == SEVEN_LINES


@pytest.mark.parametrize(("step", "state"), [("_write_temporaries", "applied"), ("_tidy", "undone")])
def test_hunks_of_a_killed_undo_are_undone_if_the_files_lack_them(
    open_session, root, monkeypatch, step, state
):
    session = open_session(size=9)
    run(session.turn, "do it", in_view="cart.py")
    accept_and_write(session, 1)
    killed_in(monkeypatch, step, session.changes.undo)
    session.close()
    again = open_session(session.id, size=9)
    assert again.decisions.review.state(1) == state
    assert (again.changes.undo() if state == "applied" else again.changes.redo()).hunks == (1,)
    assert ((root / "cart.py").read_text() == SEVEN_LINES) == (state == "applied")


def test_hunks_that_were_restored_by_their_checkpoint_are_undone(open_session, root):
    session = open_session(size=9)
    run(session.turn, "do it", in_view="cart.py")
    made = accept_and_write(session, 1).checkpoint
    session.close()
    undone = session.changes._writer.restore(made).checkpoint
    again = open_session(session.id, size=9)
    assert again.decisions.review.state(1) == "undone" and not again.changes.uncommitted
    again.close()
    session.changes._writer.restore(undone)
    again = open_session(session.id, size=9)
    assert again.decisions.review.state(1) == "applied" and again.changes.uncommitted


@pytest.mark.parametrize("cut", range(1, len(FIRST), 5))
def test_a_turn_that_was_killed_anywhere_is_resumed_to_the_same_hunks(open_session, cut):
    whole = open_session()
    run(whole.turn, "do it", in_view="cart.py")
    first = open_session()
    stream = first.turn("do it", in_view="cart.py", stop=threading.Event())
    shown = []
    for event in stream:
        shown.append(event)
        if len([e for e in shown if isinstance(e, events.Token)]) == cut:
            break
    first._keep = lambda event: None  # from here on the process is gone
    stream.close()
    first.close()
    again = open_session(first.id)
    assert isinstance(entries(again)[-1], events.Finished)
    rest = run(again.turns.resume)
    assert token_text(shown) + token_text(rest) == FIRST
    assert standing(again) == standing(whole)
    assert again.backend.requests[-1].emitted == tuple(range(cut))
    assert again.backend.requests[-1].files == whole.backend.requests[0].files


@pytest.mark.parametrize("size", [1, 7])
def test_killed_between_a_token_and_what_it_says_nothing_of_it_is_lost(open_session, size):
    whole = open_session(size=size)
    run(whole.turn, "do it", in_view="cart.py")
    expected, path = standing(whole), whole.folder / "journal.jsonl"
    whole.close()
    lines = path.read_bytes().splitlines(keepends=True)
    for kept in range(2, len(lines)):
        path.write_bytes(b"".join(lines[:kept]))
        session = open_session(whole.id, size=size)
        run(session.turns.resume)
        assert standing(session) == expected, lines[kept - 1]
        session.close()


def test_no_hunk_is_whole_without_the_doubt_about_it_wherever_the_process_was_killed(root, tmp_path):
    class Doubting(Scripted):
        def stream(self, request, stop):
            for event in super().stream(request, stop):
                if isinstance(event, events.Token) and event.id == len(FIRST.partition("+second\n")[0]) + 8:
                    yield events.Doubt(0, 0.25, "unsure")
                yield event

    def open_session(session_id=""):
        return Session(root, Doubting(ANSWERS), Settings(), tmp_path / "state", session_id=session_id)

    whole = open_session()
    seen = run(whole.turn, "do it", in_view="cart.py")
    assert [event.hunk_id for event in seen if isinstance(event, events.Doubt)] == [2]
    whole.close()
    path = whole.folder / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    closes = 0
    for kept in range(2, len(lines)):
        path.write_bytes(b"".join(lines[:kept]))
        session = open_session(whole.id)
        found = entries(session)
        if any(
            isinstance(event, events.HunkClosed) and event.hunk_id == 2 and not event.partial
            for event in found
        ):
            closes += 1
            assert [event.hunk_id for event in found if isinstance(event, events.Doubt)] == [2], lines[
                kept - 1
            ]
        session.close()
    assert closes


def test_a_steer_that_counts_has_dropped_the_open_hunk_wherever_the_process_was_killed(open_session):
    whole = open_session(size=7)
    run(whole.turn, "do it", in_view="cart.py", until=lambda event: isinstance(event, events.HunkText))
    run(whole.turns.steer, "no, other")
    whole.close()
    path = whole.folder / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if b'"Steered"' in line) + 1
    for kept in range(at, len(lines)):
        path.write_bytes(b"".join(lines[:kept]))
        session = open_session(whole.id, size=7)
        assert session.decisions.review.state(1) == "dropped", lines[kept - 1]
        assert entries(session).count(events.Decided(1, "dropped")) == 1
        session.close()
