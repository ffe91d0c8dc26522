"""The parts of a session work without the rest of it."""

import pytest

from spark_tui import events
from spark_tui.backends.base import Backend
from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import NoPlace
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.session import Session
from spark_tui.session.tree.manual_edits import ManualEdits
from spark_tui.session.tree.tree_reader import TreeReader
from spark_tui.session.tree.writer import WriteResult
from spark_tui.session.turn import Turn
from spark_tui.workspace.files import MOST_BYTES


class Log:
    """Records events in a list, or fails."""

    def __init__(self):
        self.events, self.full = [], False

    def record(self, event):
        if self.full:
            raise NoPlace("no space")
        self.events.append(event)


class Writer:
    """Notes what it is asked to write."""

    def __init__(self):
        self.hunks, self.full = [], False

    def write_typed(self, hunks, tree):
        self.hunks += hunks
        return WriteResult(tuple(hunk.path for hunk in hunks), "c1")

    def record_typed(self, written, timing, words):
        if self.full:
            raise NoPlace("no space")
        self.words = words
        return events.Applied(written.paths, written.checkpoint, timing=timing)


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "a.py").write_text("one\ntwo\n")
    return TreeReader(tmp_path, lambda: MOST_BYTES)


def one_hunk(tree):
    records, log = TurnRecords(), Log()
    decisions = Decisions(records, log)
    turn = Turn("t-1", (), Backend, lambda name: None)
    record = TurnRecord("t-1", tree.fresh(), ContextRequest("x"), turn, leg_from=1)
    records.add(record)
    decisions.add(Hunk(1, "a.py", 1, ("one",), ("1",)), record)
    return decisions, log


def test_decisions_need_only_records_and_a_log(tree):
    decisions, log = one_hunk(tree)
    decisions.decide(1, "accepted")
    assert log.events == [events.Decided(1, "accepted")]
    assert "-one\n+1\n" in decisions.patch()
    assert decisions.offered() == ()


def test_a_decision_that_the_log_does_not_take_is_not_made(tree):
    decisions, log = one_hunk(tree)
    log.full = True
    with pytest.raises(NoPlace):
        decisions.decide(1, "accepted")
    assert decisions.review.state(1) == "open"


def test_typed_edits_need_only_a_tree_and_a_writer(tree):
    writer = Writer()
    edits = ManualEdits(tree, writer, lambda _: None)
    assert edits.begin("a.py") == ("one", "two")
    assert edits.save({"a.py": ("one", "2")}).paths == ("a.py",)
    assert [(hunk.old_start, hunk.old_lines, hunk.new_lines) for hunk in writer.hunks] == [
        (2, ("two",), ("2",))
    ]
    assert writer.words == "typed: 2"


def test_what_was_written_is_not_written_again_where_only_the_journal_failed(tree):
    writer = Writer()
    edits = ManualEdits(tree, writer, lambda _: None)
    edits.begin("a.py")
    writer.full = True
    with pytest.raises(NoPlace):
        edits.save({"a.py": ("one", "2")})
    writer.full = False
    edits.save({"a.py": ("one", "3")})
    assert [hunk.old_lines for hunk in writer.hunks] == [("two",), ("2",)]


def test_a_session_has_no_base_class():
    assert Session.__mro__ == (Session, object)
