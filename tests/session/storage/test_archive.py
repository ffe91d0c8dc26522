"""Turns of the journal as recordings and as text."""

import pytest
from support.scripted_backend import after, run
from support.scripted_sessions import INDEXED, steered_and_written
from support.session_indexes import refreshed

from spark_tui import events
from spark_tui.session.storage import archive, journal


def test_a_session_is_told_as_a_text_with_its_steer_and_its_hunks(open_indexed, state):
    session_id = steered_and_written(open_indexed)
    text = archive.as_markdown("the cart", archive.turns_of(state / "sessions" / session_id))
    assert "## do it" in text
    assert "Well then." in text
    assert "**↪ no, other**" in text
    assert "`cart.py:1`, written\n\n```diff\n-one\n+first\n```" in text


def test_a_recording_of_a_steered_turn_ends_where_the_steer_began_and_says_so(open_indexed, state):
    session_id = steered_and_written(open_indexed)
    (turn,) = archive.turns_of(state / "sessions" / session_id)
    made = archive.as_recording(turn, name="r")
    assert made.text == INDEXED["do it"][:48]
    assert made.note.endswith("steered: no, other")


def test_a_recording_of_a_resumed_turn_is_the_whole_text_without_the_pause(open_indexed, state):
    session = open_indexed()
    run(session.turn, "do it", until=after(20))
    real, session.journal.clock = session.journal.clock, lambda: real() + 900
    run(session.turns.resume)
    (turn,) = archive.turns_of(session.folder)
    made = archive.as_recording(turn, name="r")
    assert made.text == INDEXED["do it"]
    assert made.pieces[-1].t < 60


def test_a_clock_that_is_put_back_makes_no_session_older_than_it_was(open_indexed, state):
    session = open_indexed()
    run(session.turn, "do it")
    real, session.journal.clock = session.journal.clock, lambda: real() - 7200
    run(session.turn, "do it")
    session.close()
    with refreshed(state) as store:
        (row,) = store.sessions()
        assert row.began <= row.changed
        assert row.turns == 2
    _, again = archive.turns_of(state / "sessions" / session.id)
    pieces = archive.as_recording(again, name="r").pieces
    assert all(piece.t >= 0 for piece in pieces)


def test_a_turn_that_was_killed_after_a_resume_is_told_as_killed():
    shown = [
        events.TurnStarted("s-1", "do it", "model", "lines", 0.0),
        events.Token(0, "a"),
        events.Finished("interrupted"),
    ]
    stopped = archive.JournaledTurn(shown[0], tuple(journal.JournalEntry(0.0, event) for event in shown))
    assert "model, stopped" in archive.as_markdown("x", [stopped])
    resumed = (*stopped.entries, journal.JournalEntry(1.0, events.Token(1, "b")))
    assert "model, killed" in archive.as_markdown("x", [archive.JournaledTurn(shown[0], resumed)])


@pytest.mark.parametrize(
    ("reason", "said"), [("stop", "done"), ("cannot", "declined"), ("no_edit", "no edit")]
)
def test_how_a_turn_ended_is_told_in_words(reason, said):
    shown = (events.TurnStarted("s-1", "do it", "model", "lines", 0.0), events.Finished(reason))
    entries = tuple(journal.JournalEntry(0.0, event) for event in shown)
    assert f"model, {said}\n" in archive.as_markdown("x", [archive.JournaledTurn(shown[0], entries)])


def test_what_could_be_chosen_is_told_and_what_was():
    started = events.TurnStarted("s-1", "rename it", "exact edit", "lines", 0.0)
    shown = [started, events.Choices(("rename a", "ask the model")), events.Finished("choices")]
    chosen = [started, events.Chosen(1, 2), events.Finished("stop")]
    turns = [
        archive.JournaledTurn(started, tuple(journal.JournalEntry(0.0, event) for event in one))
        for one in (shown, chosen)
    ]
    text = archive.as_markdown("x", turns)
    assert "1. rename a\n2. ask the model\n" in text and "\nChoice 1\n" in text
