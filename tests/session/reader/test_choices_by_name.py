"""A message behind a list of edits takes one of them by what only that one names."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from support.scripted_backend import Scripted

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session

CODE = "def total(lines):\n    return sum(lines)\n"


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize(("text", "path"), [("only in b.py", "b.py"), ("the first one", "a.py")])
def test_a_message_takes_a_choice(tmp_path: Path, text: str, path: str, restarted: bool) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    for name, code in (("a.py", CODE), ("b.py", CODE), ("other.py", "LIMIT = 3\n")):
        (tree / name).write_text(code)
    backend = Scripted({})
    backend.small_window = (320, 300)
    session = Session(tree, backend, Settings(), tmp_path / "state")
    given = list(session.turn("rename total to amount", in_view="other.py", stop=threading.Event()))
    assert any(isinstance(event, events.Choices) for event in given)
    if restarted:
        session.close()
        session = Session(tree, backend, Settings(), tmp_path / "state", session_id=session.id)
    list(session.turn(text, in_view="other.py", stop=threading.Event()))
    assert [item.path for item in session.decisions.offered()] == [path]
    session.close()
