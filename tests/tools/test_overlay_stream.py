"""Hunks of what a model sees as hunks of the files: what is said of them, and what takes whose place."""

import itertools

from spark_tui import events
from spark_tui.edits.hunk import Hunk
from spark_tui.tools.overlay import Overlay, PendingHunk
from spark_tui.tools.overlay_stream import OverlayStream
from spark_tui.workspace.files import FileText, Tree

LINES = tuple("abcdefgh")


def stream_over(tmp_path, *pending, now=None):
    tree = Tree(tmp_path, known={"a.txt": FileText("a.txt", "".join(f"{x}\n" for x in LINES).encode())})
    known = [PendingHunk(hunk, "open") for hunk in pending]
    return OverlayStream(
        Overlay(tree, known), lambda: known if now is None else now, itertools.count(20).__next__
    )


def edit(hunk_id, old, new):
    return Hunk(hunk_id, "a.txt", LINES.index(old[0].lower()) + 1, tuple(old), tuple(new))


def told(stream, *said):
    found = [event for item in said for event in stream.take(item)]
    return [*found, *stream.flush()]


def test_what_is_said_of_a_hunk_is_said_of_each_that_takes_its_place(tmp_path):
    stream = stream_over(tmp_path, edit(1, "bcd", "BCD"))
    said = [
        edit(11, "B", "1").closed(),
        events.Doubt(12, 0.0, "it broke off"),
        edit(12, "D", "3").closed(),
    ]
    found = told(stream, *said)
    whole = [event for event in found if isinstance(event, events.HunkClosed) and event.changes]
    assert [hunk.new_lines for hunk in whole] == [("1", "C", "3")]
    assert events.Doubt(whole[0].hunk_id, 0.0, "it broke off") in found
    stream = stream_over(tmp_path, edit(1, "bcd", "BCD"))
    again = [events.Doubt(11, 0.0, "it broke off"), edit(11, "BCD", "BcD").closed()]
    found = told(stream, *again)
    pieces = {event.hunk_id for event in found if isinstance(event, events.HunkClosed) and event.changes}
    assert len(pieces) == 2
    assert {event.hunk_id for event in found if isinstance(event, events.Doubt)} == pieces


def test_a_hunk_stays_where_the_one_that_takes_its_place_is_refused(tmp_path):
    late = PendingHunk(edit(3, "c", "X"), "open")
    stream = stream_over(tmp_path, now=[late])
    said = [edit(11, "b", "B").closed(), edit(12, "bc", "12").closed(), events.Decided(11, "rejected", "12")]
    found = told(stream, *said)
    assert [type(event) for event in found] == [events.HunkClosed, events.HunkFailed]
