"""Stop, resume, steer, branch, retry: what stands stays, and no message vanishes."""

import threading
import time

import pytest
from support.event_streams import token_text
from support.scripted_backend import Scripted, accept_and_write, after, run, standing
from support.scripted_sessions import IN_SHOP
from support.session_indexes import refreshed

from spark_tui import events
from spark_tui.backends.base import Splice
from spark_tui.config.settings import Settings
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import NoBackend, UsageError
from spark_tui.session.review.messages import Outbox, steer_conflict

FIRST, NO = IN_SHOP["do it"], IN_SHOP["no, other"]


def test_a_turn_that_was_stopped_anywhere_and_resumed_says_and_edits_the_same(open_in_shop):
    whole = open_in_shop()
    text = token_text(run(whole.turn, "do it"))
    for cut in range(1, len(FIRST)):
        session = open_in_shop()
        first = run(session.turn, "do it", until=after(cut))
        assert first[-1].reason == "interrupted"
        rest = run(session.turns.resume)
        assert token_text(first) + token_text(rest) == text
        assert standing(session) == standing(whole)
        assert not any(isinstance(e, events.TurnStarted) for e in rest)
        assert session.backend.requests[-1].emitted == tuple(range(cut))


def test_only_what_was_stopped_can_be_resumed(open_in_shop):
    session = open_in_shop()
    with pytest.raises(UsageError, match="nothing to resume"):
        run(session.turns.resume)
    run(session.turn, "do it")
    with pytest.raises(UsageError, match="nothing to resume"):
        run(session.turns.resume)


def test_an_answer_cut_off_by_its_limit_continues_with_as_much_again(open_in_shop):
    session = open_in_shop(settings=Settings(max_tokens=30))
    first = run(session.turn, "do it")
    assert first[-1].reason == "length"
    assert [e.partial for e in first if isinstance(e, events.HunkClosed)] == [True]
    text = token_text(first)
    while session._records.last.turn.can_resume:
        text += token_text(run(session.turns.resume))
    assert text == FIRST
    assert [state for state, _ in standing(session).values()] == ["open"] * 3


def test_a_hunk_that_was_kept_or_dropped_where_it_was_cut_off_stays_so_on_resume(open_in_shop):
    for decision, state in (("kept", "open"), ("dropped", "dropped")):
        session = open_in_shop()
        run(session.turn, "do it", until=lambda e: isinstance(e, events.HunkText) and e.text == "c")
        (partial,) = (
            i for i in session.decisions.review.ids if session.decisions.review.state(i) == "partial"
        )
        session.decisions.decide(partial, decision)
        kept = session.decisions.review.hunk(partial).new_lines
        run(session.turns.resume)
        assert standing(session)[partial] == (state, kept)
        assert [state for state, _ in standing(session).values()].count("open") >= 2


def test_a_partial_hunk_is_neither_offered_nor_written_also_after_its_decision_was_taken_back(
    open_in_shop, tmp_path
):
    session = open_in_shop()
    run(session.turn, "do it", until=lambda e: isinstance(e, events.HunkText) and e.text == "c")
    (partial,) = (i for i in session.decisions.review.ids if session.decisions.review.state(i) == "partial")
    for decision in ("kept", "accepted", "open"):
        session.decisions.decide(partial, decision)
    assert partial not in {
        hunk.id
        for hunk in (
            *session.decisions.offered(),
            *session.decisions.unwritten(),
            *session.decisions.review.accepted(),
        )
    }
    session.close()
    again = open_in_shop(session_id=session.id)
    assert again.decisions.review.state(partial) == "partial"
    assert partial not in {hunk.id for hunk in again.decisions.unwritten()}
    with refreshed(tmp_path / "state") as store:
        assert "partial" in store.hunk_states(session.id)


def test_a_steer_keeps_whole_hunks_to_the_byte_and_drops_the_open_one(open_in_shop):
    session = open_in_shop()
    run(session.turn, "do it", until=lambda e: isinstance(e, events.HunkOpened) and e.hunk_id == 2)
    before = session.decisions.review.hunk(1)
    seen = run(session.turns.steer, "no, other")
    assert isinstance(seen[0], events.Steered)
    assert seen[0] == events.Steered("no, other", 4)
    assert session.decisions.review.hunk(1) == before
    assert standing(session) == {1: ("open", ("first",)), 2: ("dropped", ()), 3: ("open", ("other",))}
    assert session.backend.requests[-1].steer == "no, other"
    assert session.backend.requests[-1].emitted == tuple(
        range(len("*** shop/cart.py\n@@ 1,2\n+first\n\n@@ 3,3\n"))
    )


def test_a_hunk_after_a_steer_takes_the_place_of_the_one_that_it_overlaps(open_in_shop):
    session = open_in_shop()
    run(session.turn, "do it")
    session.decisions.decide(1, "accepted")
    seen = run(session.turns.steer, "no, other")
    assert events.Decided(2, "rejected") in seen
    assert [state for state, _ in standing(session).values()] == ["accepted", "rejected", "open", "open"]


def test_a_hunk_that_is_said_again_is_not_offered_twice(open_in_shop):
    session = open_in_shop({"again": FIRST})
    run(session.turn, "do it")
    run(session.turns.steer, "again")
    assert session.decisions.review.ids == (1, 2, 3)


def test_what_the_person_wrote_is_not_replaced_by_a_steer(open_in_shop):
    session = open_in_shop()
    run(session.turn, "do it")
    session.decisions.decide(2, "edited", "mine\n")
    seen = run(session.turns.steer, "no, other")
    assert any(isinstance(e, events.HunkFailed) and "your text is kept" in e.message for e in seen)
    assert standing(session)[2] == ("edited", ("mine",))


@pytest.mark.parametrize("answer", ["*** shop/cart.py\n@@ no-edit\n", "*** shop/cart.py\n@@ 1,2\n+"])
def test_a_steer_that_takes_an_edit_back_leaves_nothing_of_it_to_decide(open_in_shop, repo, answer):
    line = (repo / "shop" / "cart.py").read_text().split("\n")[0]
    session = open_in_shop(
        {"do one": "*** shop/cart.py\n@@ 1,2\n+first\n", "never mind": answer + line + "\n"}
    )
    run(session.turn, "do one")
    run(session.turns.steer, "never mind")
    assert not session.decisions.offered()


def test_a_steered_turn_can_be_stopped_resumed_and_steered_again(open_in_shop):
    session = open_in_shop({"and more": "*** shop/cart.py\n@@ 7,7\n+more\n"})
    run(session.turn, "do it", until=after(30))
    run(session.turns.steer, "no, other", until=after(5))
    first, second = tuple(range(30)), tuple(range(5))
    run(session.turns.resume, until=after(5))
    asked = session.backend.requests[-1]
    assert (asked.spliced, asked.emitted, asked.steer) == ((Splice(first, "no, other"),), second, "")
    run(session.turns.steer, "and more")
    asked = session.backend.requests[-1]
    assert asked.spliced == (Splice(first, "no, other"),)
    assert (len(asked.emitted), asked.steer) == (10, "and more")


def test_a_backend_that_takes_one_steer_at_a_time_is_told_the_earlier_ones_as_history(open_in_shop):
    backend = Scripted({"do it": FIRST, "no, other": NO, "and more": NO})
    backend.takes_splices = False
    session = open_in_shop(backend=backend)
    run(session.turn, "do it", until=after(30))
    run(session.turns.steer, "no, other", until=after(5))
    run(session.turns.steer, "and more")
    asked = backend.requests[-1]
    assert (asked.instruction, asked.steer, asked.spliced) == ("no, other", "and more", ())
    assert asked.history[-1].answer == FIRST[:30]


def test_a_branch_goes_back_to_a_hunk_and_what_came_after_is_rejected(open_in_shop):
    session = open_in_shop()
    run(session.turn, "do it")
    seen = run(session.turns.branch_at, 1, "no, other")
    assert seen[1:3] == [events.Decided(2, "rejected"), events.Decided(3, "rejected")]
    assert standing(session)[1] == ("open", ("first",))
    assert standing(session)[4] == ("open", ("other",))
    assert session.backend.requests[-1].emitted == tuple(range(len("*** shop/cart.py\n@@ 1,2\n+first\n\n")))
    with pytest.raises(UsageError, match="cannot be rewound"):
        run(session.turns.branch_at, 99, "x")


def test_a_retry_is_drawn_again_and_the_first_try_is_no_history(open_in_shop):
    session = open_in_shop()
    run(session.turn, "do it", in_view="shop/cart.py")
    run(session.turns.retry)
    asked = session.backend.requests[-1]
    assert (asked.instruction, asked.history) == ("do it", ())
    assert asked.temperature > 0
    assert [state for state, _ in standing(session).values()] == ["rejected"] * 3 + ["open"] * 3
    assert asked.files == session.backend.requests[0].files


def test_a_steer_of_what_was_written_is_a_turn_of_its_own(open_in_shop):
    session = open_in_shop()
    run(session.turn, "do it")
    accept_and_write(session, 1)
    seen = run(session.turns.steer, "no, other")
    assert isinstance(seen[0], events.TurnStarted)
    assert session.outbox.messages[-1].state == "committed"


def test_a_steer_that_is_stopped_before_it_was_read_comes_back_and_changes_nothing(open_in_shop):
    session = open_in_shop()
    run(session.turn, "do it", until=after(30))
    before = session._records.last.turn.position
    stop = threading.Event()
    stop.set()
    session.backend.stream = lambda request, stop: iter(())
    seen = list(session.turns.steer("no, other", stop=stop))
    assert not any(isinstance(e, events.Steered) for e in seen)
    assert session.outbox.take_returned() == ("no, other",)
    assert session._records.last.turn.position == before
    assert session._records.last.turn.can_resume


def test_a_steer_that_the_backend_refuses_comes_back(open_in_shop):
    session = open_in_shop()
    run(session.turn, "do it", until=after(30))
    session.backend.error = NoBackend("gone")
    seen = run(session.turns.steer, "no, other")
    assert isinstance(seen[-1], events.Failed)
    assert session.outbox.take_returned() == ("no, other",)
    assert session.outbox.take_returned() == ()
    session.backend.error = None
    assert token_text(run(session.turns.resume)) == FIRST[30:]


def test_two_turns_at_once_are_refused(open_in_shop):
    session = open_in_shop()
    stream = session.turn("do it", stop=threading.Event())
    next(stream)
    with pytest.raises(UsageError, match="a turn is running"):
        run(session.turn, "do it")
    stream.close()
    assert len(session._records) == 1


def test_the_model_is_told_steers_and_the_last_answer_on_the_next_turn(open_in_shop):
    session = open_in_shop()
    run(session.turn, "do it")
    run(session.turns.steer, "no, other")
    run(session.turn, "do it")
    before, exchange = session.backend.requests[-1].history
    assert (before.instruction, before.answer) == ("do it", FIRST)
    assert (exchange.instruction, exchange.answer) == ("no, other", NO)
    assert "rejected" in exchange.outcome


def test_a_model_that_repeats_the_whole_edit_after_a_steer_has_it_in_its_history_once(open_in_shop):
    session = open_in_shop(settings=Settings(exact=False))
    session.backend.small_window = (320, 300)
    run(session.turn, "do it", in_view="shop/cart.py")
    run(session.turns.steer, "no, other")
    run(session.turn, "do it", in_view="shop/cart.py")
    (exchange,) = session.backend.requests[-1].history
    assert exchange.instruction == "do it\nno, other"
    assert exchange.answer == NO


def test_a_doubt_is_about_the_hunk_that_just_closed_whatever_the_backend_counts(open_in_shop):
    class Doubting(Scripted):
        def stream(self, request, stop):
            yield events.Token(0, "*** shop/cart.py\n@@ 1,2\n+first\n\n")
            yield events.Doubt(1, 0.25, "unsure")

    session = open_in_shop(backend=Doubting({}))
    run(session.turn, "do it")
    assert [e.hunk_id for e in run(session.turn, "do it") if isinstance(e, events.Doubt)] == [2]


def test_a_stop_at_the_token_that_closes_a_hunk_keeps_the_doubt_about_it(open_in_shop):
    class Doubting(Scripted):
        def stream(self, request, stop):
            if not request.emitted:
                yield events.Token(0, "*** shop/cart.py\n@@ 1,2\n+first\n")
                yield events.Doubt(1, 0.25, "unsure")
                yield events.Token(1, "\n")
            else:
                yield events.Token(2, "said")

    session = open_in_shop(backend=Doubting({}))
    seen = run(session.turn, "do it", until=lambda event: isinstance(event, events.HunkClosed))
    names = [type(event).__name__ for event in seen]
    assert names[-5:] == ["Doubt", "Token", "HunkClosed", "Interrupted", "Finished"]
    assert not [event for event in run(session.turns.resume) if isinstance(event, events.Doubt)]


def test_the_marker_of_a_verdict_is_not_shown(open_in_shop):
    session = open_in_shop({"hard": "*** shop/cart.py\n@@ cannot\n"})
    seen = run(session.turn, "hard")
    assert seen[-1].reason == "cannot"
    assert not any(isinstance(e, events.Prose) for e in seen)


def test_a_message_moves_forward_only_and_is_given_back_once():
    kept = []
    box = Outbox(["from before"], keep=kept.append)
    one = box.queue("a")
    assert kept[-1] == ["from before", "a"]
    assert box.next_queued().text == "a"
    box.commit(one)
    assert box.next_queued() is None
    with pytest.raises(UsageError, match="is committed and cannot be returned"):
        box.give_back(one)
    assert box.take_returned() == ("from before",)
    assert kept[-1] == []
    with pytest.raises(UsageError, match="no message 9"):
        box.commit(9)


def test_a_queued_message_is_taken_back_before_it_is_sent_and_never_after(open_in_shop):
    session = open_in_shop()
    first, second = session.outbox.queue("one"), session.outbox.queue("two")
    assert session.outbox.withdraw() == "two"
    assert session.outbox.take_returned() == ()
    assert session.outbox[second].state == "returned"
    assert session.outbox.next_queued().id == first
    assert session.outbox.withdraw(first) == "one"
    assert session.outbox.next_queued() is None
    with pytest.raises(UsageError, match="no queued message"):
        session.outbox.withdraw()
    sent = session.outbox.queue("three")
    session.outbox.commit(sent)
    with pytest.raises(UsageError, match="no queued message"):
        session.outbox.withdraw(sent)


def edit(start, old, new, hunk_id=1, path="a"):
    return Hunk(hunk_id, path, start, tuple("x" * old), tuple("y" * new))


@pytest.mark.parametrize(
    ("new", "old", "clashes"),
    [
        (edit(3, 2, 1), edit(4, 2, 1), True),
        (edit(3, 2, 1), edit(5, 2, 1), False),
        (edit(3, 0, 1), edit(3, 0, 2), True),
        (edit(3, 0, 1), edit(4, 0, 2), False),
        (edit(4, 0, 1), edit(3, 3, 2), True),
        (edit(3, 2, 1), edit(4, 2, 1, path="b"), False),
        (edit(3, 2, 1), Hunk(1, "a", 1, (), (), "delete"), True),
    ],
)
def test_hunks_of_the_same_lines_or_place_clash(new, old, clashes):
    span = (new.old_start, len(new.old_lines))
    assert bool(steer_conflict(new, span, [(old, "open")]).replaced) is clashes
    assert not steer_conflict(new, span, [(old, "rejected")]).replaced


def test_routing_a_steer_counts_to_its_first_token(open_in_shop, monkeypatch):
    session = open_in_shop()
    run(session.turn, "do it")
    plan, took = session.turns.planner.plan, []

    def slow(record, message):
        begun = time.monotonic()
        found = plan(record, message)
        time.sleep(0.01)
        took.append(time.monotonic() - begun)
        return found

    monkeypatch.setattr(session.turns.planner, "plan", slow)
    assert run(session.turns.steer, "no, other")[-1].timing.first_token > took[0]
