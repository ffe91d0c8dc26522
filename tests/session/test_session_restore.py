"""A session goes on where it stood, in another process, wherever the first one was killed."""

import os
import threading

import pytest
from support.scripted_backend import Scripted, after, run, said, standing

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.errors import MalformedInput, NoBackend, Refused, UsageError
from spark_tui.session import journal
from spark_tui.session.session import Session
from spark_tui.session.session_restore import same_model
from spark_tui.session.turn_storage import facts, waiting

FIRST = "*** cart.py\n@@ 1,2\n+first\n\n@@ 3,3\n+second\n\n@@ 5,6\n+third\n"
NO = "*** cart.py\n@@ 3,3\n+other\n"
ANSWERS = {"do it": FIRST, "no, other": NO, "and more": "*** cart.py\n@@ 6,6\n+more\n"}
TEXT = "".join(f"line {n}\n" for n in range(1, 8))


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "plain"
    root.mkdir()
    (root / "cart.py").write_text(TEXT)
    return root


@pytest.fixture
def make(root, tmp_path):
    made = []

    def make(session_id="", **kwargs):
        backend = Scripted(ANSWERS, **kwargs)
        session = Session(root, backend, Settings(), tmp_path / "state", session_id=session_id)
        made.append(session)
        return session

    yield make
    for session in made:
        session.close()


def entries(session):
    return [entry.event for entry in journal.read(session.folder / "journal.jsonl")]


def scenario(session, show):
    """Everything that a session can do, told step by step."""

    def go(stream_of, *words, until=None, **kwargs):
        stop = threading.Event()
        for event in stream_of(*words, stop=stop, **kwargs):
            show(event)
            if until is not None and until(event):
                stop.set()

    go(session.turn, "do it", in_view="cart.py", until=after(4))
    go(session.resume)
    session.decide(1, "accepted")
    show(events.Decided(1, "accepted"))
    go(session.steer, "no, other", until=after(2))
    go(session.resume)
    session.decide(4, "edited", "mine\n")
    show(events.Decided(4, "edited", "mine\n"))
    show(session.write())
    show(session.undo())
    show(session.redo())
    go(session.steer, "and more")


def killed_at(make_session, count):
    """Run the scenario in a child that is gone right behind its `count`-th journaled event. What it had
    shown, whether it came to the end, and the session."""
    reading, writing = os.pipe()
    session = make_session()
    child = os.fork()
    if child == 0:
        left = [count]
        append = session._journal.append

        def counting(event, at):
            append(event, at)
            left[0] -= 1
            if not left[0]:
                os._exit(9)

        session._journal.append = counting
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


def test_killed_behind_any_event_nothing_that_was_shown_is_lost_and_the_session_goes_on(make, root):
    whole = make(size=9)
    scenario(whole, lambda event: None)
    everything, text = entries(whole), (root / "cart.py").read_text()
    assert text != TEXT
    goal = standing(whole)
    whole.close()
    for count in range(1, len(everything) + 1):
        (root / "cart.py").write_text(TEXT)
        shown, _, session_id = killed_at(lambda: make(size=9), count)
        again = make(session_id, size=9)
        kept = entries(again)
        assert shown <= count <= len(kept)
        assert [type(event) for event in kept[:count]] == [type(event) for event in everything[:count]]
        # Every hunk that had closed is there, byte for byte.
        for event in kept[:count]:
            if isinstance(event, events.HunkClosed) and not event.partial and event.new_lines:
                assert again.review.original(event.hunk_id).new_lines == event.new_lines
        assert waiting(again.folder) == list(again.outbox.take_returned()) or not waiting(again.folder)
        if again._turns[-1].turn.can_resume:
            run(again.resume)
        for hunk_id, (_, lines) in standing(again).items():
            if (
                hunk_id in goal
                and not again.review.hunk(hunk_id).partial
                and again.review.state(hunk_id) != "dropped"
            ):
                assert lines in (goal[hunk_id][1], whole.review.original(hunk_id).new_lines)
        assert (root / "cart.py").read_text() in (TEXT, text)
        again.close()


@pytest.mark.parametrize("cut", range(1, len(FIRST), 5))
def test_a_turn_that_was_killed_anywhere_is_resumed_to_the_same_hunks(make, cut):
    whole = make()
    run(whole.turn, "do it", in_view="cart.py")
    first = make()
    stream = first.turn("do it", in_view="cart.py", stop=threading.Event())
    shown = []
    for event in stream:
        shown.append(event)
        if len([e for e in shown if isinstance(e, events.Token)]) == cut:
            break
    first._keep = lambda event: None  # from here on the process is gone
    stream.close()
    first.close()
    again = make(first.id)
    assert isinstance(entries(again)[-1], events.Finished)
    rest = run(again.resume)
    assert said(shown) + said(rest) == FIRST
    assert standing(again) == standing(whole)
    assert again.backend.requests[-1].emitted == tuple(range(cut))
    assert again.backend.requests[-1].files == whole.backend.requests[0].files


def test_decisions_edits_splits_and_undos_are_as_they_were(make, root):
    session = make()
    run(session.turn, "do it")
    for hunk_id, decision, text in ((1, "accepted", ""), (2, "edited", "mine\n"), (3, "rejected", "")):
        session.decide(hunk_id, decision, text)
    session.write()
    session.undo()
    session.close()
    again = make(session.id)
    assert standing(again) == standing(session)
    again.redo()
    assert [again.review.state(i) for i in (1, 2, 3)] == ["applied", "applied", "rejected"]
    assert "mine" in (root / "cart.py").read_text()


def test_the_parts_of_a_hunk_that_was_split_are_known_again(make):
    session = make()
    session.backend.answers["two"] = "*** cart.py\n@@ 1,3\n+line 1 a\n+line 2 b\n"
    run(session.turn, "two")
    parts = session.review.split(1)
    assert len(parts) == 2
    session.decide(parts[1], "accepted")
    session.close()
    again = make(session.id)
    assert standing(again) == standing(session)


def test_a_file_that_changed_in_between_is_merged_with_what_the_turn_read(make, root):
    session = make()
    run(session.turn, "do it")
    session.close()
    (root / "cart.py").write_text(TEXT + "# mine\n")
    again = make(session.id)
    again.decide(1, "accepted")
    again.write()
    assert (root / "cart.py").read_text() == "first\n" + TEXT.partition("\n")[2] + "# mine\n"


def test_the_next_turn_remembers_the_ones_before(make):
    session = make()
    run(session.turn, "do it")
    session.decide(1, "accepted")
    session.close()
    again = make(session.id)
    run(again.turn, "and more")
    (exchange,) = again.backend.requests[-1].history
    assert (exchange.instruction, exchange.answer) == ("do it", FIRST)
    assert "accepted" in exchange.outcome
    assert [record.turn_id for record in again._turns] == [f"{session.id}-1", f"{session.id}-2"]


def test_the_next_turn_remembers_what_was_said_on_the_way_of_the_ones_before(make):
    session = make()
    run(session.turn, "do it")
    run(session.steer, "no, other")
    run(session.turn, "and more")
    told = session._history()
    session.close()
    assert [one.instruction for one in told] == ["do it", "no, other", "and more"]
    assert make(session.id)._history() == told


def test_what_was_written_and_not_committed_is_known_again(make, repo, tmp_path):
    session = Session(
        repo, Scripted({"x": "*** shop/cart.py\n@@ 1,1\n+# x\n"}), Settings(), tmp_path / "state"
    )
    run(session.turn, "x")
    session.decide(1, "accepted")
    session.write()
    session.close()
    again = Session(repo, Scripted({}), Settings(), tmp_path / "state", session_id=session.id)
    assert len(facts(again.folder).uncommitted) == 1 and again.uncommitted
    again.commit()
    assert facts(again.folder).uncommitted == () and not again.uncommitted
    again.undo()
    assert not again.uncommitted
    again.close()


def test_a_message_is_about_what_is_committed_now_and_not_about_what_was_before(repo, tmp_path):
    answers = {
        "one": "*** shop/cart.py\n@@ 1,1\n+# x\n",
        "two @shop/orders.py": "*** shop/orders.py\n@@ 1,1\n+# x\n",
    }
    session = Session(repo, Scripted(answers), Settings(), tmp_path / "state")
    for hunk_id, instruction in enumerate(answers, start=1):
        run(session.turn, instruction)
        session.decide(hunk_id, "accepted")
        session.write()
        if hunk_id == 1:
            session.commit()
    assert session.draft_message() == "Two\n"
    session.close()


def test_a_message_names_what_was_asked_for_the_hunks_in_the_commit_and_nothing_else(repo, tmp_path):
    answers = {
        "one": "*** shop/cart.py\n@@ 1,1\n+# x\n\n@@ 3,3\n+# y\n",
        "no, other": "*** shop/cart.py\n@@ 3,3\n+# z\n",
        "two": "*** shop/orders.py\n@@ 1,1\n+# x\n",
        "three": "*** shop/orders.py\n@@ no-edit\n",
    }

    def opened(session_id=""):
        return Session(repo, Scripted(answers), Settings(), tmp_path / "state", session_id=session_id)

    session = opened()
    run(session.turn, "one")
    run(session.steer, "no, other")
    run(session.turn, "two")
    run(session.turn, "three")
    for hunk in session.review.undecided():
        session.decide(hunk.id, "accepted" if "# x" in hunk.new_lines and "cart" in hunk.path else "rejected")
    session.write()
    assert session.draft_message() == "One\n"
    session.undo()
    for hunk_id in session.review.ids:
        if session.review.state(hunk_id) == "rejected" and hunk_id > 2:
            session.decide(hunk_id, "accepted")
    session.write()
    session.close()
    again = opened(session.id)
    assert again.draft_message() == "One; no, other; two\n\n- shop/cart.py\n- shop/orders.py\n"
    again.close()


def test_a_message_about_what_was_typed_names_the_files(make, repo, tmp_path):
    session = Session(
        repo, Scripted({"one": "*** shop/cart.py\n@@ no-edit\n"}), Settings(), tmp_path / "state"
    )
    run(session.turn, "one")
    session.save({"shop/cart.py": ["# mine", *session.begin_typing("shop/cart.py")]})
    assert session.draft_message() == "Edit shop/cart.py\n"
    session.close()


def test_what_was_taken_out_again_is_nothing_to_commit(make, repo, tmp_path):
    session = Session(
        repo, Scripted({"x": "*** shop/cart.py\n@@ 1,1\n+# x\n"}), Settings(), tmp_path / "state"
    )
    assert not session.uncommitted
    run(session.turn, "x")
    session.decide(1, "accepted")
    session.write()
    assert session.uncommitted
    session.undo()
    assert not session.uncommitted
    session.close()
    again = Session(repo, Scripted({}), Settings(), tmp_path / "state", session_id=session.id)
    assert not again.uncommitted
    again.redo()
    assert again.uncommitted
    again.close()
    again = Session(repo, Scripted({}), Settings(), tmp_path / "state", session_id=session.id)
    assert again.uncommitted
    again.commit()
    assert not again.uncommitted
    again.close()


@pytest.mark.parametrize(
    ("told", "name", "same"),
    [
        ("spark-6m", "spark-6m", True),
        ("spark-6m", "host:8000/spark-6m", True),
        ("a:1/org/m", "b:2/org/m", True),
        ("spark-6m at the pace of wafer", "spark-6m", True),
        ("replay one", "replay", True),
        ("replay one", "replay two", True),
        ("replay one", "spark-6m", False),
        ("spark-6m", "spark-12m", False),
        ("a:1/m", "a:1/n", False),
    ],
)
def test_names_of_one_model(told, name, same):
    assert same_model(told, name) is same


def test_a_turn_of_another_process_is_gone_on_with_by_its_own_model_only(make, tmp_path, root):
    session = make()
    run(session.turn, "do it", until=after(5))
    session.close()
    other = Scripted(ANSWERS)
    other.name = "another"
    again = Session(root, other, Settings(), tmp_path / "state", session_id=session.id)
    assert again.stopped and not again.can_resume
    with pytest.raises(UsageError, match=f"was written by {session.backend.name}, but another"):
        run(again.resume)
    assert isinstance(run(again.steer, "do it")[0], events.TurnStarted), "what is said is a turn of its own"
    again.close()


def test_a_message_that_was_on_its_way_comes_back(make):
    session = make()
    session.queue("later")
    run(session.turn, "do it")
    session.backend.error = NoBackend("gone")
    session.close()
    assert make(session.id).outbox.take_returned() == ("later",)
    assert waiting(session.folder) == []


def test_a_session_that_is_open_elsewhere_is_refused(make):
    session = make()
    run(session.turn, "do it")
    with pytest.raises(Refused, match="open in another spark"):
        make(session.id)


def test_a_damaged_journal_is_an_error_that_names_the_line(make):
    session = make()
    run(session.turn, "do it")
    session.close()
    path = session.folder / "journal.jsonl"
    data = bytearray(path.read_bytes())
    data[30] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(MalformedInput, match="damaged"):
        make(session.id)


def test_a_backend_that_gives_ids_of_its_own_is_told_those_that_another_process_was_given(
    make, root, tmp_path
):
    first = make()
    came = [event for event in run(first.turn, "do it", until=after(9)) if isinstance(event, events.Token)]
    first.close()

    class Recalling(Scripted):
        told = ()

        def recall(self, tokens):
            self.told = tuple(tokens)

    backend = Recalling(ANSWERS)
    session = Session(root, backend, Settings(), tmp_path / "state", session_id=first.id)
    assert backend.told == tuple(came)
    assert said(came) + said(run(session.resume)) == FIRST
    session.close()


@pytest.mark.parametrize("size", [1, 7])
def test_killed_between_a_token_and_what_it_says_nothing_of_it_is_lost(make, size):
    whole = make(size=size)
    run(whole.turn, "do it", in_view="cart.py")
    expected, path = standing(whole), whole.folder / "journal.jsonl"
    whole.close()
    lines = path.read_bytes().splitlines(keepends=True)
    for kept in range(2, len(lines)):
        path.write_bytes(b"".join(lines[:kept]))
        session = make(whole.id, size=size)
        run(session.resume)
        assert standing(session) == expected, lines[kept - 1]
        session.close()


def test_no_hunk_is_whole_without_the_doubt_about_it_wherever_the_process_was_killed(root, tmp_path):
    class Doubting(Scripted):
        def stream(self, request, stop):
            for event in super().stream(request, stop):
                if isinstance(event, events.Token) and event.id == len(FIRST.partition("+second\n")[0]) + 8:
                    yield events.Doubt(0, 0.25, "unsure")
                yield event

    def make(session_id=""):
        return Session(root, Doubting(ANSWERS), Settings(), tmp_path / "state", session_id=session_id)

    whole = make()
    seen = run(whole.turn, "do it", in_view="cart.py")
    assert [event.hunk_id for event in seen if isinstance(event, events.Doubt)] == [2]
    whole.close()
    path = whole.folder / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    closes = 0
    for kept in range(2, len(lines)):
        path.write_bytes(b"".join(lines[:kept]))
        session = make(whole.id)
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


def test_a_steer_that_counts_has_dropped_the_open_hunk_wherever_the_process_was_killed(make):
    whole = make(size=7)
    run(whole.turn, "do it", in_view="cart.py", until=lambda event: isinstance(event, events.HunkText))
    run(whole.steer, "no, other")
    whole.close()
    path = whole.folder / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if b'"Steered"' in line) + 1
    for kept in range(at, len(lines)):
        path.write_bytes(b"".join(lines[:kept]))
        session = make(whole.id, size=7)
        assert session.review.state(1) == "dropped", lines[kept - 1]
        assert entries(session).count(events.Decided(1, "dropped")) == 1
        session.close()
