"""A report of failing tests is answered with a repair that was tried, in the file that is at fault."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fake_reader import FakeReader
from support.scripted_backend import Scripted

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.trials.trial import Trial, TrialEnded

CODE = "def half(number):\r\n    return number // 2\r\n"
TESTS = "from halves import half\n\n\ndef test_odd():\n    assert half(3) == 1.5\n"
REPORT = """\
=================================== FAILURES ===================================
___________________________________ test_odd ___________________________________

    def test_odd():
>       assert half(3) == 1.5
E       assert 1 == 1.5

test_halves.py:5: AssertionError
FAILED test_halves.py::test_odd - assert 1 == 1.5
"""


def session_of(root: Path, settings: Settings) -> Session:
    root.mkdir()
    (root / "halves.py").write_bytes(CODE.encode())
    (root / "test_halves.py").write_text(TESTS)
    backend = Scripted({"test_odd fails": "*** halves.py\n@@ cannot\n"})
    backend.small_window = (320, 300)
    return Session(root, backend, settings, root.parent / "state", reader=FakeReader({}))


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = session_of(tmp_path / "tree", Settings())
    yield made
    made.close()


@pytest.mark.parametrize("message", [REPORT, f"fix @test_halves.py\n\n{REPORT}", "test_odd fails"])
def test_the_repair_is_an_edit_with_a_mark(session: Session, message: str) -> None:
    given = list(session.turn(message, stop=threading.Event()))
    assert isinstance(given[-1], events.Finished)
    assert given[-1].reason == "stop"
    (hunk,) = session.decisions.offered()
    assert hunk.path == "halves.py"
    reasons = [one.reason for one in given if isinstance(one, events.Doubt)]
    assert reasons == ["found by trying: test_odd passes"]
    session.decisions.decide(hunk.id, "accepted")
    session.changes.write()
    assert (session.root / "halves.py").read_bytes() == CODE.replace("//", "/").encode()


def test_no_code_runs_where_that_is_switched_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spark_tui.trials.trial.subprocess.Popen", pytest.fail)
    session = session_of(tmp_path / "tree", Settings(try_code=False))
    list(session.turn("test_odd fails", stop=threading.Event()))
    assert not session.decisions.offered()
    session.close()


def test_stop_ends_the_trial_and_the_turn(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()
    asked = []

    def run(trial: Trial, **question: object) -> None:
        stop.set()
        asked.append(trial.may_go_on())
        raise TrialEnded("stopped")

    monkeypatch.setattr(Trial, "ask", run)
    given = list(session.turn("test_odd fails", stop=stop))
    assert asked == [False]
    assert isinstance(given[-1], events.Finished)
    assert given[-1].reason == "interrupted"
    assert not session.decisions.offered()
