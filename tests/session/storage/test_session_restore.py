"""A session goes on where it stood, in another process."""

import pytest
from support.event_streams import token_text
from support.scripted_backend import Scripted, accept_and_write, after, run, standing
from support.scripted_sessions import ANSWERS, FIRST, SEVEN_LINES
from support.session_indexes import flip_bit
from support.small_repositories import written

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.errors import MalformedInput, NoBackend, Refused, UsageError
from spark_tui.session.review.turn_record import same_model
from spark_tui.session.session import Session
from spark_tui.session.storage.turn_storage import read_undelivered


@pytest.fixture
def root(tmp_path):
    """The folder of the sessions that `open_session` opens."""
    return written(tmp_path / "plain", {"cart.py": SEVEN_LINES})


def test_decisions_edits_splits_and_undos_are_as_they_were(open_session, root):
    session = open_session()
    run(session.turn, "do it")
    for hunk_id, decision, text in ((1, "accepted", ""), (2, "edited", "mine\n"), (3, "rejected", "")):
        session.decisions.decide(hunk_id, decision, text)
    session.changes.write()
    session.changes.undo()
    session.close()
    again = open_session(session.id)
    assert standing(again) == standing(session)
    again.changes.redo()
    assert [again.decisions.review.state(i) for i in (1, 2, 3)] == ["applied", "applied", "rejected"]
    assert "mine" in (root / "cart.py").read_text()


def test_the_parts_of_a_hunk_that_was_split_are_known_again(open_session):
    session = open_session()
    session.backend.answers["two"] = "*** cart.py\n@@ 1,3\n+line 1 a\n+line 2 b\n"
    run(session.turn, "two")
    parts = session.decisions.review.split(1)
    assert len(parts) == 2
    session.decisions.decide(parts[1], "accepted")
    session.close()
    again = open_session(session.id)
    assert standing(again) == standing(session)


def test_a_file_that_changed_in_between_is_merged_with_what_the_turn_read(open_session, root):
    session = open_session()
    run(session.turn, "do it")
    session.close()
    (root / "cart.py").write_text(SEVEN_LINES + "# mine\n")
    again = open_session(session.id)
    accept_and_write(again, 1)
    assert (root / "cart.py").read_text() == "first\n" + SEVEN_LINES.partition("\n")[2] + "# mine\n"


def test_the_next_turn_remembers_the_ones_before(open_session):
    session = open_session()
    run(session.turn, "do it")
    session.decisions.decide(1, "accepted")
    session.close()
    again = open_session(session.id)
    run(again.turn, "and more")
    (exchange,) = again.backend.requests[-1].history
    assert (exchange.instruction, exchange.answer) == ("do it", FIRST)
    assert "accepted" in exchange.outcome
    assert [record.turn_id for record in again._records] == [f"{session.id}-1", f"{session.id}-2"]


def test_the_next_turn_remembers_what_was_said_on_the_way_of_the_ones_before(open_session):
    session = open_session()
    run(session.turn, "do it")
    run(session.turns.steer, "no, other")
    run(session.turn, "and more")
    told = session.conversation.history()
    session.close()
    assert [item.instruction for item in told] == ["do it", "no, other", "and more"]
    assert open_session(session.id).conversation.history() == told


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


def test_a_turn_of_another_process_is_continued_by_its_own_model_only(open_session, tmp_path, root):
    session = open_session()
    run(session.turn, "do it", until=after(5))
    session.close()
    other = Scripted(ANSWERS)
    other.name = "another"
    again = Session(root, other, Settings(), tmp_path / "state", session_id=session.id)
    assert again.turns.stopped and not again.turns.can_resume
    with pytest.raises(UsageError, match=f"was written by {session.backend.name}, but another"):
        run(again.turns.resume)
    assert isinstance(run(again.turns.steer, "do it")[0], events.TurnStarted), (
        "what is said is a turn of its own"
    )
    again.close()


def test_a_message_that_was_on_its_way_comes_back(open_session):
    session = open_session()
    session.outbox.queue("later")
    run(session.turn, "do it")
    session.backend.error = NoBackend("gone")
    session.close()
    assert open_session(session.id).outbox.take_returned() == ("later",)
    assert read_undelivered(session.folder) == []


def test_a_session_that_is_open_elsewhere_is_refused(open_session):
    session = open_session()
    run(session.turn, "do it")
    with pytest.raises(Refused, match="open in another spark") as refused:
        open_session(session.id)
    assert refused.value.hint.endswith(f"spark sessions fork {session.id}")


@pytest.mark.parametrize(("spoil", "state"), [("", "missing"), ("other\n", "damaged")])
def test_a_saved_file_that_is_not_what_was_saved_is_an_error_that_says_what_next(
    open_session, tmp_path, spoil, state
):
    session = open_session()
    run(session.turn, "do it")
    session.close()
    (saved,) = tmp_path.rglob(f"sessions/{session.id}/files/*")
    saved.write_text(spoil) if spoil else saved.unlink()
    with pytest.raises(MalformedInput, match=state) as raised:
        open_session(session.id)
    assert raised.value.where == str(saved)
    assert "Send the instruction again" in raised.value.hint


def test_a_damaged_journal_is_an_error_that_names_the_line(open_session):
    session = open_session()
    run(session.turn, "do it")
    session.close()
    path = session.folder / "journal.jsonl"
    flip_bit(path, 30)
    with pytest.raises(MalformedInput, match="damaged"):
        open_session(session.id)


def test_a_backend_that_gives_ids_of_its_own_is_told_those_that_another_process_was_given(
    open_session, root, tmp_path
):
    first = open_session()
    came = [event for event in run(first.turn, "do it", until=after(9)) if isinstance(event, events.Token)]
    first.close()

    class Recalling(Scripted):
        told = ()

        def recall(self, tokens):
            self.told = tuple(tokens)

    backend = Recalling(ANSWERS)
    session = Session(root, backend, Settings(), tmp_path / "state", session_id=first.id)
    assert backend.told == tuple(came)
    assert token_text(came) + token_text(run(session.turns.resume)) == FIRST
    session.close()
