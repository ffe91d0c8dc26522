"""A hunk that a later turn took in: only one of the two is wanted, and the person decides which."""

import pytest
from support.event_streams import of
from support.scripted_backend import accept, run
from support.tool_backend import Call, ToolBackend

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import UsageError

FIRST = Call("edit", path="cart.py", old="    return result", new="    found = result\n    return found")
SECOND = Call("edit", path="cart.py", old="return found", new="return found + 1")
THIRD = Call("edit", path="cart.py", old="found + 1", new="found + 2")
LAST = "    found = result\n    return found\n"


@pytest.fixture
def session(open_with_tools):
    """A turn with hunk 1, which is accepted, and one with a hunk that replaces it."""
    backend = ToolBackend([FIRST])
    opened = open_with_tools(backend=backend)
    run(opened.turns.start, ContextRequest("one"))
    accept(opened)
    follow(opened, SECOND)
    return opened


def follow(session, *calls):
    session.backend.answers = [list(calls)]
    return run(session.turns.start, ContextRequest("go on"))


def states(session):
    review = session.decisions.review
    return [review.state(known) for known in review.ids]


def test_the_model_and_the_person_are_told_which_hunk_was_replaced(session):
    assert states(session) == ["rejected", "open"]
    seen = follow(session, THIRD)
    (finished,) = of(seen, events.ToolFinished)
    assert finished.summary == "cart.py +2 −1, replaces hunk 2"
    told = [exchange.outcome for exchange in session.backend.requests[-1].history]
    assert told == ["cart.py:5: replaced by a later edit", "cart.py:5: not decided"]


def test_an_accepted_hunk_is_back_once_what_replaced_it_is_rejected(session):
    first, second = session.decisions.review.ids
    others = session.decisions.decide(second, "rejected")
    assert others == (events.Decided(first, "accepted"),)
    assert states(session) == ["accepted", "rejected"]
    session.changes.write()
    assert (session.root / "cart.py").read_text().endswith(LAST)


@pytest.mark.parametrize("again", ["accepted", "open"])
def test_taking_the_later_one_after_all_replaces_the_earlier_again(session, again):
    first, second = session.decisions.review.ids
    session.decisions.decide(second, "rejected")
    session.decisions.decide(second, again)
    assert states(session) == ["rejected", again]
    session.decisions.decide(first, "accepted")
    assert states(session) == ["accepted", "rejected"]


def test_of_three_in_a_row_the_one_before_is_back(session):
    follow(session, THIRD)
    _first, second, third = session.decisions.review.ids
    session.decisions.decide(third, "rejected")
    assert states(session) == ["rejected", "open", "rejected"]
    session.decisions.decide(second, "rejected")
    assert states(session) == ["accepted", "rejected", "rejected"]
    session.decisions.decide(third, "accepted")
    assert states(session) == ["rejected", "rejected", "accepted"]


def test_turning_down_another_hunk_brings_nothing_back(session):
    accept(session)
    session.changes.write()
    session.changes.undo()
    follow(session, Call("edit", path="cart.py", old="result = 0", new="result = 0.0"))
    assert session.decisions.decide(3, "rejected") == ()
    assert states(session) == ["rejected", "undone", "rejected"]


def test_a_draft_of_the_same_turn_does_not_come_back(open_with_tools):
    session = open_with_tools([FIRST], [SECOND])
    run(session.turns.start, ContextRequest("one"))
    session.decisions.decide(max(session.decisions.review.ids), "rejected")
    assert states(session) == ["rejected", "rejected"]


def test_an_opened_session_knows_what_replaced_what(session, open_with_tools):
    _first, second = session.decisions.review.ids
    session.decisions.decide(second, "rejected")
    session.decisions.decide(second, "accepted")
    session.close()
    again = open_with_tools(backend=ToolBackend(), session_id=session.id)
    assert states(again) == ["rejected", "accepted"]
    again.decisions.decide(second, "rejected")
    assert states(again) == ["accepted", "rejected"]


def test_what_takes_the_turn_back_gives_the_earlier_hunk_back(session):
    session.backend.answers = ["I see nothing to change."]
    seen = run(session.turns.retry)
    assert states(session) == ["accepted", "rejected"]
    assert events.Decided(min(session.decisions.review.ids), "accepted") in seen


def test_a_hunk_that_is_back_may_be_split_and_is_replaced_in_parts(open_with_tools):
    lines = {"old": "result = 0\n    for item in", "new": "found = 0\n    for each in"}
    backend = ToolBackend([Call("edit", path="cart.py", **lines)])
    session = open_with_tools(backend=backend)
    run(session.turns.start, ContextRequest("one"))
    accept(session)
    follow(session, Call("edit", path="cart.py", old="found = 0\n    for each", new="n = 0\n    for one"))
    first, second = session.decisions.review.ids
    with pytest.raises(UsageError, match="replaced by a later one"):
        session.decisions.review.split(first)
    session.decisions.decide(second, "rejected")
    parts = session.decisions.review.split(first)
    assert len(parts) == 2
    session.decisions.decide(parts[0], "accepted")
    assert states(session) == ["accepted", "open", "rejected"]
    session.decisions.decide(second, "accepted")
    assert states(session) == ["rejected", "rejected", "accepted"]


def block(old, new):
    return f"cart.py\n```\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n```\n"


@pytest.fixture
def blind(open_with_tools):
    """Two turns of a model that is shown the files as they are on disk; the hunks of both are in one line."""
    backend = ToolBackend(block("    return result", "    return result + 1"))
    opened = open_with_tools(backend=backend, tools="off")
    run(opened.turns.start, ContextRequest("one", files=("cart.py",)))
    accept(opened)
    backend.answers = [block("    return result", "    return result + 2")]
    opened.seen = run(opened.turns.start, ContextRequest("two", files=("cart.py",)))
    return opened


def test_a_hunk_whose_model_did_not_see_the_one_that_waits_is_marked(blind):
    assert states(blind) == ["accepted", "open"]
    (doubt,) = of(blind.seen, events.Doubt)
    assert doubt.reason == "conflict: hunk 1 (one) makes something else of these lines"


def test_of_two_hunks_in_the_same_lines_only_the_last_accepted_is_written(blind):
    first, second = blind.decisions.review.ids
    assert blind.decisions.decide(second, "accepted") == (events.Decided(first, "rejected", str(second)),)
    blind.changes.write()
    assert (blind.root / "cart.py").read_text().endswith("    return result + 2\n")


def test_either_of_two_may_be_taken_again(blind):
    first, second = blind.decisions.review.ids
    blind.decisions.decide(second, "accepted")
    blind.decisions.decide(first, "accepted")
    assert states(blind) == ["accepted", "rejected"]
    blind.decisions.decide(second, "accepted")
    blind.decisions.decide(second, "rejected")
    assert states(blind) == ["accepted", "rejected"]


def test_hunks_in_neighbouring_lines_are_accepted_together(open_with_tools):
    backend = ToolBackend(block("    result = 0", "    result = 1"))
    session = open_with_tools(backend=backend, tools="off")
    run(session.turns.start, ContextRequest("one", files=("cart.py",)))
    accept(session)
    backend.answers = [block("    for item in items:", "    for item in set(items):")]
    run(session.turns.start, ContextRequest("two", files=("cart.py",)))
    accept(session)
    assert states(session) == ["accepted", "accepted"]
    session.changes.write()
    assert "    result = 1\n    for item in set(items):\n" in (session.root / "cart.py").read_text()


def test_what_the_person_rewrote_may_be_changed_by_a_later_turn_and_comes_back(session):
    first, second = session.decisions.review.ids
    session.decisions.decide(second, "rejected")
    session.decisions.decide(first, "edited", "    mine = result\n    return mine\n")
    follow(session, Call("edit", path="cart.py", old="return mine", new="return mine + 1"))
    third = max(session.decisions.review.ids)
    assert session.decisions.review.hunk(third).new_lines == ("    mine = result", "    return mine + 1")
    assert states(session) == ["rejected", "rejected", "open"]
    session.decisions.decide(third, "rejected")
    assert states(session) == ["edited", "rejected", "rejected"]
    session.changes.write()
    assert (session.root / "cart.py").read_text().endswith("    mine = result\n    return mine\n")


def test_what_the_person_rewrites_while_the_model_works_stays(open_with_tools):
    session = open_with_tools([FIRST], [SECOND])

    def rewrite(event):
        if isinstance(event, events.ToolCallStarted) and session.decisions.review.ids:
            session.decisions.decide(1, "edited", "    mine = result\n    return found\n")

    session.backend.before = rewrite
    seen = run(session.turns.start, ContextRequest("one"))
    (failed,) = of(seen, events.HunkFailed)
    assert failed.message == "the person rewrote these lines; their text stays"
    assert states(session) == ["edited"]


def test_the_same_edit_of_two_turns_is_written_once(open_with_tools):
    backend = ToolBackend(block("    return result", "    return result + 1"))
    session = open_with_tools(backend=backend, tools="off")
    for name in ("one", "two"):
        run(session.turns.start, ContextRequest(name, files=("cart.py",)))
        accept(session)
    assert states(session) == ["rejected", "accepted"]
    assert session.changes.write().hunks == (2,)


def turns_of(session, *edits):
    """Hunks of one turn each, which saw the files alone."""
    for name, (old, new) in enumerate(edits):
        session.backend.answers = [block(old, new)]
        run(session.turns.start, ContextRequest(str(name), files=("cart.py",)))
    return session.decisions.review.ids


BOTH = "    result = 0\n    for item in items:"


def test_a_hunk_does_not_come_back_over_one_that_was_accepted_meanwhile(open_with_tools):
    session = open_with_tools(backend=ToolBackend(), tools="off")
    parts = ("    result = 0", "    n = 0"), ("    for item in items:", "    for one in items:")
    first, second, third = turns_of(session, (BOTH, "    pass"), *parts)
    accept(session, first, second, third)
    assert states(session) == ["rejected", "accepted", "accepted"]
    assert session.decisions.decide(second, "rejected") == (events.Decided(first, "rejected", str(third)),)
    assert states(session) == ["rejected", "rejected", "accepted"]
    session.decisions.decide(third, "rejected")
    assert states(session) == ["accepted", "rejected", "rejected"]


def test_what_was_replaced_last_is_back_first(open_with_tools):
    session = open_with_tools(backend=ToolBackend(), tools="off")
    edits = [("    result = 0", f"    result = {number}") for number in (1, 2, 3)]
    first, second, third = turns_of(session, *edits)
    accept(session, second, first, third)
    session.decisions.decide(third, "rejected")
    assert states(session) == ["accepted", "rejected", "rejected"]


def test_of_two_drafts_of_one_turn_only_one_is_accepted(open_with_tools):
    session = open_with_tools([FIRST], [SECOND])
    run(session.turns.start, ContextRequest("one"))
    draft, final = session.decisions.review.ids
    session.decisions.decide(draft, "accepted")
    follow(session, Call("edit", path="cart.py", old="return found", new="return found + 2"))
    session.decisions.decide(final, "accepted")
    session.decisions.decide(draft, "accepted")
    assert states(session) == ["accepted", "rejected", "rejected"]
    session.changes.write()
    assert (session.root / "cart.py").read_text().endswith(LAST)


def test_a_model_is_shown_one_of_two_hunks_that_wait_in_the_same_lines(open_with_tools):
    backend = ToolBackend()
    session = open_with_tools(backend=backend, tools="off")
    turns_of(session, (BOTH, "    pass"), ("    result = 0", "    n = 0\n    m = 0"))
    session.adopt(Settings())
    backend.answers = [[Call("edit", path="cart.py", old="item in items", new="one in items")]]
    backend.answers[0].append(Call("edit", path="cart.py", old="return result", new="return n"))
    seen = run(session.turns.start, ContextRequest("two edits", files=("cart.py",)))
    first, _second, third, fourth = session.decisions.review.ids
    shown = backend.requests[-2].files[0].text
    assert "    n = 0\n    m = 0\n    for item in items:\n" in shown and "pass" not in shown
    reviewed = [session.decisions.review.hunk(known) for known in (third, fourth)]
    assert [hunk.old_lines for hunk in reviewed] == [("    for item in items:",), ("    return result",)]
    doubted = [(doubt.hunk_id, doubt.reason) for doubt in of(seen, events.Doubt)]
    assert doubted == [(third, f"conflict: hunk {first} makes something else of these lines")]


def test_what_a_hunk_had_replaced_besides_is_back_where_another_takes_its_lines(open_with_tools):
    edits = ("    result = 0", "    n = 0"), ("    return result", "    return n")
    backend = ToolBackend([Call("edit", path="cart.py", old=old, new=new) for old, new in edits])
    session = open_with_tools(backend=backend)
    run(session.turns.start, ContextRequest("one"))
    accept(session)
    follow(session, Call("write_file", path="cart.py", text="def total(items):\n    return sum(items)\n"))
    first, second, *later = session.decisions.review.ids
    assert states(session) == ["rejected", "rejected", *("open" for _ in later)]
    taken = session.decisions.decide(first, "accepted")
    assert states(session) == ["accepted", "accepted", *("rejected" for _ in later)]
    assert taken[-1] == events.Decided(second, "accepted")


def test_what_follows_from_a_decision_is_made_up_for_where_the_process_was_killed(blind, open_with_tools):
    journal = blind.folder / "journal.jsonl"
    _first, second = blind.decisions.review.ids
    for decision, left in (("accepted", ["rejected", "accepted"]), ("rejected", ["accepted", "rejected"])):
        blind.decisions.decide(second, decision)
        blind.close()
        lines = journal.read_bytes().splitlines(keepends=True)
        journal.write_bytes(b"".join(lines[:-1]))
        for _ in range(2):
            blind = open_with_tools(backend=ToolBackend(), session_id=blind.id)
            assert states(blind) == left
            blind.close()
        assert len(journal.read_bytes().splitlines()) == len(lines)
        blind = open_with_tools(backend=ToolBackend(), session_id=blind.id)


def test_what_lies_between_the_first_and_the_last_of_three_does_not_come_back(session):
    follow(session, THIRD)
    session.decisions.decide(session.decisions.review.ids[0], "accepted")
    assert states(session) == ["accepted", "rejected", "rejected"]
