"""A copy of the repository has the hunks that may still be written, and the files stay as they are."""

import threading

from support.open_sessions import open_sessions
from support.scripted_backend import accept, accept_and_write, run
from support.small_repositories import written
from support.tool_backend import Call, ToolBackend

from spark_tui.context.shown_context import ContextRequest


def test_undecided_and_accepted_hunks_are_in_the_copy_and_rejected_ones_are_not(tmp_path):
    root = written(tmp_path / "plain", {f"{name}.py": "x = 1\n" for name in "abc"})
    backend = ToolBackend([Call("edit", path=f"{name}.py", old="x = 1", new="x = 2") for name in "abc"])
    with open_sessions(root, tmp_path / "state") as open_one:
        session = open_one(backend)
        assert session.pending_tree(threading.Event()) is None
        run(session.turns.start, ContextRequest("edit"))
        first, second, _ = session.decisions.review.ids
        session.decisions.decide(second, "rejected")
        for write in (accept, accept_and_write):
            write(session, first)
            copy = session.pending_tree(threading.Event())
            assert [(copy / f"{name}.py").read_text() for name in "abc"] == ["x = 2\n", "x = 1\n", "x = 2\n"]
            assert ((root / "a.py").read_text() == "x = 2\n") == (write is accept_and_write)
    assert copy is None or not copy.exists()
