"""A disk that is full ends a turn, and once there is room it goes on where the journal ends."""

import errno

import pytest
from support.event_streams import token_text
from support.scripted_backend import run, standing
from support.scripted_sessions import SEVEN_LINES, entries, scripted_sessions

from spark_tui import events
from spark_tui.errors import NoPlace
from spark_tui.session.storage.journal import cannot_keep

FIRST = "Hm.\n*** cart.py\n@@ 1,2\n+first\n\n@@ 3,3\n+second\n\n@@ 5,6\n+third\n"
ANSWERS = {
    "do it": FIRST,
    "no, other": "*** cart.py\n@@ 3,3\n+other\n",
    "again": "*** cart.py\n@@ 6,6\n+more\n",
}


@pytest.fixture
def open_session(tmp_path):
    with scripted_sessions(tmp_path, ANSWERS, SEVEN_LINES, size=7) as open_one:
        yield open_one


def asked_with_room_for(session, lines):
    """What was shown of a turn whose journal takes so many lines."""
    append, left, shown = session.journal.events.append, iter(range(lines)), []

    def some(event, at):
        if next(left, None) is None:
            raise NoPlace("the disk is full")
        append(event, at)

    session.journal.events.append = some
    with pytest.raises(NoPlace):
        run(session.turn, "do it", in_view="cart.py", until=shown.append)
    session.journal.events.append = append
    return shown


@pytest.fixture
def whole(open_session):
    session = open_session()
    run(session.turn, "do it", in_view="cart.py")
    return session


def test_it_is_resumed_to_the_same_hunks_wherever_the_room_ended(open_session, whole):
    for lines in range(1, len(entries(whole))):
        session = open_session()
        shown = asked_with_room_for(session, lines)
        assert session.turns.can_resume
        rest = run(session.turns.resume)
        assert token_text(shown) + token_text(rest) == FIRST, lines
        assert standing(session) == standing(whole), lines
        session.close()
        again = open_session(session.id)
        assert standing(again) == standing(whole), lines
        closed = [event for event in [*shown, *rest] if isinstance(event, events.HunkClosed)]
        assert closed == [event for event in entries(again) if isinstance(event, events.HunkClosed)], lines
        again.close()


@pytest.mark.parametrize("way", ["steer", "turn"])
def test_what_is_said_next_finds_it_where_the_journal_ends(open_session, whole, way):
    for lines in range(0, len(entries(whole)), 3):
        session = open_session()
        asked_with_room_for(session, lines)
        if way == "steer":
            seen = run(session.turns.steer, "no, other")
        else:
            seen = run(session.turn, "again", in_view="cart.py")
        assert isinstance(seen[-1], events.Finished)
        before = standing(session)
        session.close()
        again = open_session(session.id)
        assert standing(again) == before, lines
        again.close()


def test_a_turn_that_is_still_not_kept_goes_on_later(open_session, whole):
    session = open_session()
    shown = asked_with_room_for(session, len(entries(whole)) // 2)
    append = session.journal.events.append

    def full(event, at):
        raise NoPlace("the disk is full")

    session.journal.events.append = full
    for _ in range(2):
        with pytest.raises(NoPlace):
            run(session.turns.resume)
    session.journal.events.append = append
    assert token_text(shown) + token_text(run(session.turns.resume)) == FIRST
    assert standing(session) == standing(whole)


@pytest.mark.parametrize(("number", "elsewhere"), [(errno.ENOSPC, True), (errno.EFBIG, False)])
def test_another_folder_is_named_only_where_it_helps(tmp_path, number, elsewhere):
    said = cannot_keep(OSError(number, "no"), tmp_path)
    assert ("XDG_STATE_HOME" in said.hint) is elsewhere
