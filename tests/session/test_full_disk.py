"""A disk that is full ends a turn, and once there is room it goes on where the journal ends."""

import pytest
from support.scripted_backend import Scripted, run, said, standing

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.errors import NoPlace
from spark_tui.session import journal
from spark_tui.session.session import Session

FIRST = "Hm.\n*** cart.py\n@@ 1,2\n+first\n\n@@ 3,3\n+second\n\n@@ 5,6\n+third\n"
ANSWERS = {
    "do it": FIRST,
    "no, other": "*** cart.py\n@@ 3,3\n+other\n",
    "again": "*** cart.py\n@@ 6,6\n+more\n",
}


@pytest.fixture
def make(tmp_path):
    root = tmp_path / "plain"
    root.mkdir()
    (root / "cart.py").write_text("".join(f"line {n}\n" for n in range(1, 8)))
    made = []

    def make(session_id=""):
        session = Session(
            root, Scripted(ANSWERS, size=7), Settings(), tmp_path / "state", session_id=session_id
        )
        made.append(session)
        return session

    yield make
    for session in made:
        session.close()


def entries(session):
    return [entry.event for entry in journal.read(session.folder / "journal.jsonl")]


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
def whole(make):
    session = make()
    run(session.turn, "do it", in_view="cart.py")
    return session


def test_it_is_resumed_to_the_same_hunks_wherever_the_room_ended(make, whole):
    for lines in range(1, len(entries(whole))):
        session = make()
        shown = asked_with_room_for(session, lines)
        assert session.turns.can_resume
        rest = run(session.turns.resume)
        assert said(shown) + said(rest) == FIRST, lines
        assert standing(session) == standing(whole), lines
        session.close()
        again = make(session.id)
        assert standing(again) == standing(whole), lines
        closed = [event for event in [*shown, *rest] if isinstance(event, events.HunkClosed)]
        assert closed == [event for event in entries(again) if isinstance(event, events.HunkClosed)], lines
        again.close()


@pytest.mark.parametrize("way", ["steer", "turn"])
def test_what_is_said_next_finds_it_where_the_journal_ends(make, whole, way):
    for lines in range(0, len(entries(whole)), 3):
        session = make()
        asked_with_room_for(session, lines)
        if way == "steer":
            seen = run(session.turns.steer, "no, other")
        else:
            seen = run(session.turn, "again", in_view="cart.py")
        assert isinstance(seen[-1], events.Finished)
        before = standing(session)
        session.close()
        again = make(session.id)
        assert standing(again) == before, lines
        again.close()


def test_a_turn_that_is_still_not_kept_goes_on_later(make, whole):
    session = make()
    shown = asked_with_room_for(session, len(entries(whole)) // 2)
    append = session.journal.events.append

    def full(event, at):
        raise NoPlace("the disk is full")

    session.journal.events.append = full
    for _ in range(2):
        with pytest.raises(NoPlace):
            run(session.turns.resume)
    session.journal.events.append = append
    assert said(shown) + said(run(session.turns.resume)) == FIRST
    assert standing(session) == standing(whole)
