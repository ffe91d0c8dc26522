"""A hunk that builds on another one of the same answer, and what a decision about it does to that."""

from __future__ import annotations

import pytest
from support.open_sessions import open_sessions
from support.scripted_backend import Scripted, accept_and_write, run
from support.small_repositories import written

from spark_tui.workspace.apply import ConflictedFile

BLOCK = "cart.py\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"
BLOCKS = [("two", "second"), ("four", "fourth"), ("second", "better\nmore")]
ANSWER = "".join(BLOCK.format(*pair) for pair in BLOCKS)


@pytest.fixture
def session(tmp_path):
    root = written(tmp_path / "plain", {"cart.py": "one\ntwo\nthree\nfour\n"})
    with open_sessions(root, tmp_path / "state") as open_one:
        opened = open_one(Scripted({"do it": ANSWER}, format="search_replace"))
        run(opened.turn, "do it")
        yield opened


def states(session):
    review = session.decisions.review
    return [(review.hunk(known).new_lines, review.state(known)) for known in review.ids]


def test_the_later_hunk_stands_for_both(session):
    assert states(session) == [
        (("second",), "rejected"),
        (("fourth",), "open"),
        (("better", "more"), "open"),
    ]
    accept_and_write(session)
    assert (session.root / "cart.py").read_text() == "one\nbetter\nmore\nthree\nfourth\n"


def test_either_of_the_two_is_taken_but_not_both(session):
    first, _, later = session.decisions.review.ids
    session.decisions.decide(later, "rejected")
    assert [state for _, state in states(session)] == ["rejected", "open", "rejected"]
    session.decisions.decide(later, "accepted")
    session.decisions.decide(first, "accepted")
    assert [state for _, state in states(session)] == ["accepted", "open", "rejected"]
    accept_and_write(session)
    assert (session.root / "cart.py").read_text() == "one\nsecond\nthree\nfourth\n"


def test_a_session_that_is_opened_again_has_the_same_hunks(session, tmp_path):
    session_id, was = session.id, states(session)
    session.close()
    with open_sessions(session.root, tmp_path / "state") as open_one:
        again = open_one(Scripted({}, format="search_replace"), session_id=session_id)
        assert states(again) == was


@pytest.mark.parametrize("decision", ["accepted", "rejected"])
def test_a_decision_about_the_earlier_one_meanwhile_breaks_nothing(tmp_path, decision):
    root = written(tmp_path / "other", {"cart.py": "one\ntwo\nthree\nfour\n"})
    with open_sessions(root, tmp_path / "state") as open_one:
        session = open_one(Scripted({"do it": ANSWER}, format="search_replace"))

        def decide(event):
            if type(event).__name__ == "HunkClosed" and event.hunk_id == 1:
                session.decisions.decide(1, decision)
            return False

        run(session.turn, "do it", until=decide)
        accept_and_write(session)
    assert (root / "cart.py").read_text() == "one\nbetter\nmore\nthree\nfourth\n"


def test_what_is_written_meanwhile_stays_and_the_later_one_is_refused(tmp_path):
    root = written(tmp_path / "other", {"cart.py": "one\ntwo\nthree\nfour\n"})
    with open_sessions(root, tmp_path / "state") as open_one:
        session = open_one(Scripted({"do it": ANSWER}, format="search_replace"))

        def write(event):
            if type(event).__name__ == "HunkClosed" and event.hunk_id == 1:
                accept_and_write(session)
            return False

        run(session.turn, "do it", until=write)
        assert [state for _, state in states(session)] == ["applied", "open", "open"]
        with pytest.raises(ConflictedFile, match="written already"):
            accept_and_write(session)
    assert (root / "cart.py").read_text() == "one\nsecond\nthree\nfour\n"


def test_a_hunk_that_another_one_stands_for_does_not_hide_what_only_the_rest_defines(tmp_path):
    code = "class Cart:\n    items = 0\n\n\ncart = Cart()\n"
    root = written(tmp_path / "third", {"cart.py": code})
    first, better = "    items = 1\n    left = 1", "    items = 3\n    left = 2"
    use = ("cart = Cart()", "cart = Cart()\nleft = Cart().left")
    answer = "".join(BLOCK.format(*pair) for pair in (("    items = 0", first), use, (first, better)))
    with open_sessions(root, tmp_path / "state") as open_one:
        session = open_one(Scripted({"do it": answer}, format="search_replace"))
        run(session.turn, "do it")
        assert [state for _, state in states(session)] == ["rejected", "open", "open"]
        session.decisions.decide(2, "accepted")
        assert "Cart has no left" in session.breaks_of_write().reason
