"""Hunks that wait while others of their turn are written, or the person edits the file, move with their
lines: the next turn is shown them and may change them."""

import pytest
from support.event_streams import of
from support.scripted_backend import accept, accept_and_write, run
from support.tool_backend import Call, ToolBackend

from spark_tui import events
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import NothingToDo
from spark_tui.workspace.apply import ConflictedFile

FIRST = Call("edit", path="cart.py", old="result = 0", new="result = 0\n    count = 0")
SECOND = Call("edit", path="cart.py", old="    return result", new="    found = result\n    return found")
READ = Call("read_file", path="cart.py")
LAST = Call("edit", path="cart.py", old="return found", new="return found + 1")


def by_hand(session):
    path = session.root / "cart.py"
    path.write_text("import os\n\n\n" + path.read_text())


def in_part(session):
    accept_and_write(session, min(session.decisions.review.ids))


@pytest.fixture
def session(open_with_tools):
    backend = ToolBackend([FIRST, SECOND])
    opened = open_with_tools(backend=backend)
    run(opened.turns.start, ContextRequest("edit"))
    return opened


@pytest.mark.parametrize("change", [by_hand, in_part])
def test_a_hunk_that_waits_is_shown_to_the_next_turn_and_makes_way_for_its_edit(session, change):
    waits = max(session.decisions.review.ids)
    change(session)
    accept(session, waits)
    session.backend.answers = [[READ], [LAST]]
    seen = run(session.turns.start, ContextRequest("again", files=("cart.py",)))
    (shown,) = (part.text for part in session.backend.requests[-2].files)
    assert "    found = result\n    return found\n" in shown
    assert "found = result" in "".join(event.text for event in of(seen, events.ToolOutput))
    offered = session.decisions.offered(last_turn=True)
    assert len(offered) == 1 and offered[0].new_lines == ("    found = result", "    return found + 1")
    accept_and_write(session)
    text = (session.root / "cart.py").read_text()
    assert text.endswith("    found = result\n    return found + 1\n")
    assert text.startswith("import os") or "count = 0" in text


def test_a_hunk_whose_own_lines_changed_is_not_shown(session):
    path = session.root / "cart.py"
    path.write_text(path.read_text().replace("return result", "return result or 0"))
    session.backend.answers = [[READ]]
    seen = run(session.turns.start, ContextRequest("again"))
    output = "".join(event.text for event in of(seen, events.ToolOutput))
    assert "return result or 0" in output and "count = 0" in output and "found" not in output


MOVE = "diff --git a/cart.py b/basket.py\nsimilarity index 100%\nrename from cart.py\nrename to basket.py\n"


@pytest.mark.parametrize("order", [[1, 2], [2, 1], [(1, 2)]])
def test_a_move_and_the_edit_of_a_later_turn_are_written_in_any_order_and_undone(open_with_tools, order):
    backend = ToolBackend([Call("apply_patch", patch=MOVE)])
    session = open_with_tools(backend=backend)
    run(session.turns.start, ContextRequest("move"))
    backend.answers = [[Call("edit", path="basket.py", old="result = 0", new="result = 1")]]
    run(session.turns.start, ContextRequest("edit"))
    before = (session.root / "cart.py").read_text()
    for ids in order:
        accept_and_write(session, *(ids if isinstance(ids, tuple) else (ids,)))
        edits = [hunk.id for hunk in session.decisions.offered() if hunk.kind == "edit"]
        assert not session.changes.in_conflict({"cart.py", "basket.py"})
        assert session.changes.places(edits) == dict.fromkeys(edits, (2, False))
    assert not (session.root / "cart.py").exists()
    assert (session.root / "basket.py").read_text() == before.replace("result = 0", "result = 1")
    session.changes.undo()
    session.changes.undo()
    assert (session.root / "cart.py").read_text() == before
    assert not (session.root / "basket.py").exists()


def test_what_the_person_did_by_hand_as_well_keeps_no_other_turn_from_being_written(session):
    path = session.root / "cart.py"
    session.decisions.decide(max(session.decisions.review.ids), "rejected")
    accept(session)
    session.backend.answers = [[Call("write_file", path="new.py", text="x = 1\n")]]
    run(session.turns.start, ContextRequest("a file"))
    accept(session)
    path.write_text(path.read_text().replace("result = 0", "result = 0\n    count = 0"))
    assert session.changes.write().paths == ("new.py",)
    with pytest.raises(NothingToDo) as caught:
        session.changes.write()
    assert "the files have it" in caught.value.hint


@pytest.fixture
def drafts(open_with_tools):
    """A turn of two drafts of the same lines: the final one is written, and then the other is accepted."""
    loop = "    for item in items:\n        result += item"
    counted = loop.replace("result", "count += 1\n        result")
    edits = ("result = 0", "result = 1"), (loop, counted), (counted, "    result = sum(items)")
    backend = ToolBackend(*([Call("edit", path="cart.py", old=old, new=new)] for old, new in edits))
    session = open_with_tools(backend=backend)
    run(session.turns.start, ContextRequest("one"))
    accept_and_write(session)
    session.decisions.decide(2, "accepted")
    return session


def test_a_hunk_is_not_put_into_the_lines_of_a_written_one_of_its_turn(drafts):
    before = (drafts.root / "cart.py").read_text()
    assert "result = 1\n    result = sum(items)\n" in before
    with pytest.raises(ConflictedFile, match="another hunk of these lines is written already"):
        drafts.changes.write()
    assert (drafts.root / "cart.py").read_text() == before
    assert drafts.changes.in_conflict({"cart.py"}) == {2} and drafts.changes.places([2])[2][1]


def test_a_hunk_in_the_lines_of_a_written_one_of_its_turn_is_not_shown(drafts):
    drafts.backend.answers = [[READ]]
    seen = run(drafts.turns.start, ContextRequest("again"))
    output = "".join(event.text for event in of(seen, events.ToolOutput))
    assert "result = sum(items)" in output and "count" not in output
