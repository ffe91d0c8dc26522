from types import SimpleNamespace

from spark_tui.intent.context.situation import Done
from spark_tui.intent.words.doubts import Doubt, DoubtKind, is_of
from spark_tui.session.reader.reader_edits import ReaderEdit, ReaderEdits


def test_another_process_knows_the_kinds_of_the_marks(tmp_path):
    marks = (Doubt("not used: slowly", DoubtKind.UNUSED), "a.py:3 a comment mentions the name")
    ReaderEdits(tmp_path).add("t1", ReaderEdit(Done("rename", {}, ()), {}, {}, {"a.py": "x\n"}, marks))
    found = ReaderEdits(tmp_path).of(SimpleNamespace(turn_id="t1"))
    assert found is not None and found.marked == marks
    assert [is_of(mark, DoubtKind.UNUSED) for mark in found.marked] == [True, False]
