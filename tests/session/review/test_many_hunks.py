"""Deciding about one of many hunks looks at those that it may exclude, not at all of its turn."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from support.scripted_backend import Scripted, accept_and_write

from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.review import Review
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.session import Session


def test_hunks_of_a_turn_are_accepted_without_a_walk_over_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tree").mkdir()
    edits = []
    for number in range(20):
        (tmp_path / "tree" / f"f{number}.py").write_text("x = 1\ny = 1\nz = 1\n")
        edits.append(f"*** f{number}.py\n@@ 1,2\n+x = 2\n@@ 3,4\n+z = 2\n")
    backend = Scripted({"do it": "".join(edits)}, size=60)
    session = Session(tmp_path / "tree", backend, Settings(), tmp_path / "state")
    list(session.turns.start(ContextRequest("do it", files=("f0.py",)), stop=threading.Event()))
    monkeypatch.setattr(Decisions, "hunks_of", lambda *_: pytest.fail("the turn is walked over"))
    offered, looked, look = session.decisions.offered(), list[int](), Review.hunk
    monkeypatch.setattr(Review, "hunk", lambda review, known: (looked.append(known), look(review, known))[1])
    for hunk in offered:
        session.decisions.decide(hunk.id, "accepted")
    assert len(looked) <= 4 * len(offered)
    monkeypatch.undo()
    accept_and_write(session)
    texts = {path.read_text() for path in (tmp_path / "tree").iterdir()}
    assert texts == {"x = 2\ny = 1\nz = 2\n"}
    session.close()
