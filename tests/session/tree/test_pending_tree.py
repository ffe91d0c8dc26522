"""A copy of the repository has the hunks that may still be written, and the files stay as they are."""

import threading

from support.scripted_backend import run
from support.tool_backend import Call, ToolBackend

from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.session.session import Session


def test_undecided_and_accepted_hunks_are_in_the_copy_and_rejected_ones_are_not(tmp_path):
    root = tmp_path / "plain"
    root.mkdir()
    for name in "abc":
        (root / f"{name}.py").write_text("x = 1\n")
    backend = ToolBackend([Call("edit", path=f"{name}.py", old="x = 1", new="x = 2") for name in "abc"])
    session = Session(root, backend, Settings(), tmp_path / "state")
    try:
        assert session.pending_tree(threading.Event()) is None
        run(lambda stop: session.turns.start(ContextRequest("edit"), stop=stop))
        first, second, _ = session.decisions.review.ids
        session.decisions.decide(first, "accepted")
        session.decisions.decide(second, "rejected")
        copy = session.pending_tree(threading.Event())
        assert [(copy / f"{name}.py").read_text() for name in "abc"] == ["x = 2\n", "x = 1\n", "x = 2\n"]
        assert (root / "a.py").read_text() == "x = 1\n"
        session.changes.write()
        copy = session.pending_tree(threading.Event())
        assert [(copy / f"{name}.py").read_text() for name in "abc"] == ["x = 2\n", "x = 1\n", "x = 2\n"]
    finally:
        session.close()
    assert copy is None or not copy.exists()
