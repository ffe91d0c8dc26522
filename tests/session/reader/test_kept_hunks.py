"""Edits of one file, one after another: each hunk keeps the marks of the instruction that made it."""

import threading

import pytest
from support.open_sessions import open_sessions
from support.scripted_backend import Scripted

from spark_tui import events
from spark_tui.edits.hunk import Hunk
from spark_tui.intent.followups.counted_hunks import counted_hunks
from spark_tui.session.review.hunk_doubts import HunkDoubts
from spark_tui.workspace.apply import ConflictedFile

STORE = """\
import logging

log = logging.getLogger(__name__)


class Store:
    def remove(self, code):
        try:
            del self.rows[code]
        except KeyError:
            pass

    def find(self, name):
        found = []
        for row in self.rows.values():
            if row.name == name:
                found.append(row)
        return found
"""
DOCSTRING, RENAME = "add a docstring to Store.remove", "rename found to matches in find"
FROM_NAME = "the text was made from the name"


@pytest.fixture
def told(tmp_path):
    """Opens a session in a repository of one file; what speaks in it gives the text and the marks by line."""
    root = tmp_path / "tree"
    root.mkdir()
    (root / "store.py").write_text(STORE)
    with open_sessions(root, tmp_path / "state") as open_one:
        backend = Scripted({})
        backend.small_window = (320, 300)

        def opened(session_id=""):
            session = open_one(backend, session_id=session_id)

            def say(words):
                seen = list(session.turns.follow(words, files=("store.py",), stop=threading.Event()))
                doubts = HunkDoubts()
                for event in seen:
                    doubts.note(event)
                text = "".join(event.text for event in seen if isinstance(event, events.Prose))
                offered = session.decisions.offered()
                return text, {hunk.old_start: doubts.reason(hunk.id) for hunk in offered}

            return session, say

        yield opened


@pytest.mark.parametrize("again", [False, True], ids=["same process", "another process"])
def test_a_mark_stays_on_the_hunks_of_its_instruction(told, again):
    session, say = told()
    assert say(DOCSTRING)[1] == {8: FROM_NAME}
    shown, marks = say(RENAME)
    assert FROM_NAME not in shown and marks == {8: FROM_NAME, 14: "", 17: ""}
    if again:
        session.close()
        session, say = told(session.id)
    assert say("no, call it hits")[1] == {8: FROM_NAME, 14: "", 17: ""}
    assert any("hits" in line for hunk in session.decisions.offered() for line in hunk.new_lines)
    assert say("undo that")[1] == {8: FROM_NAME, 14: "", 17: ""}
    assert say("undo that")[1] == {8: FROM_NAME}


@pytest.mark.parametrize(
    "rejected, missing",
    [(8, ""), (14, f"“{RENAME}” is written in part: 1 of its 2 hunks is missing (store.py:14).")],
)
def test_an_instruction_is_written_in_part_only_if_hunks_of_its_own_are_missing(told, rejected, missing):
    session, say = told()
    say(DOCSTRING)
    say(RENAME)
    for hunk in session.decisions.offered():
        state = "rejected" if hunk.old_start == rejected else "accepted"
        session.decisions.decide(hunk.id, state)
    assert session.changes.write().note == missing


@pytest.mark.parametrize("again", [False, True], ids=["same process", "another process"])
@pytest.mark.parametrize(
    "words, lines, message",
    [
        ((RENAME, "no, call it hits"), {14, 17}, "Rename found to matches in find; no, call it hits"),
        ((DOCSTRING, RENAME), {8, 14, 17}, f"Add{DOCSTRING[3:]}; {RENAME}"),
        ((DOCSTRING, RENAME), {14, 17}, "Rename found to matches in find"),
        ((DOCSTRING, RENAME), {8}, "Add a docstring to Store.remove"),
    ],
)
def test_a_commit_names_the_instructions_that_made_its_hunks(told, again, words, lines, message):
    session, say = told()
    say(words[0])
    if again:
        session.close()
        session, say = told(session.id)
    say(words[1])
    for hunk in session.decisions.offered():
        session.decisions.decide(hunk.id, "accepted" if hunk.old_start in lines else "rejected")
    session.changes.write()
    if again:
        session.close()
        session, say = told(session.id)
    assert session.changes.draft_message() == message + "\n"


@pytest.mark.parametrize(
    "text, said, left",
    [
        ("undo the first", "Hunk 2 is rejected (store.py:8).", [14, 17]),
        ("not the second one", "Hunk 3 is rejected (store.py:14).", [8, 17]),
        ("undo the last hunk", "Hunk 4 is rejected (store.py:17).", [8, 14]),
        ("drop hunk 3, please", "Hunk 3 is rejected (store.py:14).", [8, 17]),
        (
            "undo the fourth",
            "There is no such hunk: 3 hunks are waiting to be written (2, 3, 4).",
            [8, 14, 17],
        ),
    ],
)
def test_a_hunk_that_is_counted_is_rejected_and_no_other(told, text, said, left):
    _, say = told()
    say(DOCSTRING)
    say(RENAME)
    shown, marks = say(text)
    assert shown.strip() == said and list(marks) == left


def test_where_no_hunk_waits_none_is_taken_back(told):
    said = told()[1]("undo the second")[0]
    assert said.startswith("No hunk is waiting to be written. “undo that” takes back the last edit")


@pytest.mark.parametrize("text", ["undo the last", "undo the second in remove", "no, the second", "undo it"])
def test_what_says_more_or_less_than_a_number_counts_no_hunk(text):
    hunks = [Hunk(number, "a.py", number, (), ("x",)) for number in (1, 2, 3)]
    assert counted_hunks(text, hunks, lambda: [(hunk,) for hunk in hunks]) is None


@pytest.mark.parametrize(
    "words, left, lines",
    [("no, call it hits", {14, 17}, ["        hits = []"]), ("undo that", {14}, ["        found = []"])],
)
def test_what_is_not_written_of_an_edit_that_is_replaced_is_rejected(told, words, left, lines):
    session, say = told()
    say(RENAME)
    first, second = session.decisions.offered()
    session.decisions.decide(first.id, "accepted")
    session.changes.write()
    assert set(say(words)[1]) == left
    assert session.decisions.review.state(second.id) == "rejected"
    assert list(session.decisions.offered()[0].new_lines[:1]) == lines


def test_an_accepted_hunk_stays_accepted_where_the_next_instruction_leaves_it(told, tmp_path):
    session, say = told()
    say(RENAME)
    session.decisions.decide(session.decisions.offered()[0].id, "accepted")
    say("replace pass with return in Store.remove")
    states = {hunk.old_start: session.decisions.review.state(hunk.id) for hunk in session.decisions.offered()}
    assert states == {11: "open", 17: "open"}
    (accepted,) = session.decisions.review.accepted()
    assert accepted.new_lines == ("        matches = []",)
    session.changes.write()
    assert (tmp_path / "tree" / "store.py").read_text() == STORE.replace("found = []", "matches = []")


def test_the_next_instruction_is_about_the_file_with_what_is_accepted(told, tmp_path):
    session, say = told()
    say("rename remove to drop")
    for hunk in session.decisions.offered():
        session.decisions.decide(hunk.id, "accepted")
    say("rename code to key in drop")
    for hunk in session.decisions.offered():
        session.decisions.decide(hunk.id, "accepted")
    session.changes.write()
    assert "def drop(self, key):" in (tmp_path / "tree" / "store.py").read_text()


def test_what_is_rejected_of_an_edit_is_not_there_for_the_next_instruction(told, tmp_path):
    session, say = told()
    say("rename log to logger, and found to matches in find")
    first, *others = session.decisions.offered()
    session.decisions.decide(first.id, "accepted")
    for hunk in others:
        session.decisions.decide(hunk.id, "rejected")
    say("rename logger to records")
    for hunk in session.decisions.offered():
        session.decisions.decide(hunk.id, "accepted")
    session.changes.write()
    assert (tmp_path / "tree" / "store.py").read_text() == STORE.replace("log = ", "records = ")


def test_an_instruction_is_read_with_what_is_accepted_of_a_model(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    (root / "store.py").write_text(STORE)
    asked = "do something clever about the search that nobody has seen before"
    backend = Scripted({asked: "*** store.py\n@@ 14,15\n+        rows = []\n"})
    backend.small_window = (320, 300)
    with open_sessions(root, tmp_path / "state") as open_one:
        session = open_one(backend)
        for words in (asked, "rename rows to hits in Store.find"):
            list(session.turns.follow(words, files=("store.py",), stop=threading.Event()))
            for hunk in session.decisions.offered():
                session.decisions.decide(hunk.id, "accepted")
        session.changes.write()
    assert "        hits = []\n" in (root / "store.py").read_text()


def test_a_write_says_what_it_wrote_before_a_turn_that_is_refused(told, tmp_path):
    session, say = told()
    other = tmp_path / "tree" / "limits.py"
    other.write_text("LIMIT = 8\n")
    say(RENAME)
    first, _ = session.decisions.offered()
    session.decisions.decide(first.id, "accepted")
    list(session.turns.follow("LIMIT should be 9", files=("limits.py",), stop=threading.Event()))
    session.decisions.decide(session.decisions.offered()[-1].id, "accepted")
    other.write_text("LIMIT = 7\n")
    with pytest.raises(ConflictedFile) as refused:
        session.changes.write()
    assert "matches = []" in (tmp_path / "tree" / "store.py").read_text()
    assert "Nothing was written" not in refused.value.hint
    assert "1 hunk was written before" in refused.value.hint
