"""Reading ahead is quiet, bounded, cancelled by what is newer, and found warm by the turn."""

import threading

import pytest
from support.fakes import FakeBackend
from support.open_sessions import open_sessions
from support.scripted_backend import run
from support.small_repositories import written

from spark_tui import events
from spark_tui.context.shown_context import ContextRequest


class Reader(FakeBackend):
    """Says what it was asked; a `gate` holds warm requests between two passes."""

    def __init__(self):
        super().__init__(["*** a.py\n@@ no-edit\n"])
        self.gate = threading.Event()
        self.gate.set()
        self.begun = threading.Event()
        self.stopped = 0

    def stream(self, request, stop):
        self.requests.append(request)
        if request.kind != "warm":
            yield from super().stream(request, stop)
            return
        self.begun.set()
        while not self.gate.wait(0.005):
            yield events.PrefillProgress(1, 10)
            if stop.is_set():
                self.stopped += 1
                return
        yield events.PrefillProgress(10, 10)


@pytest.fixture
def session(tmp_path):
    root = written(tmp_path / "plain", {f"{name}.py": f"def {name}():\n    return 1\n" for name in "ab"})
    with open_sessions(root, tmp_path / "state") as open_one:
        session = open_one(Reader())
        session.warmer.drafts.quiet_seconds = 0.02
        yield session
        session.backend.gate.set()


def warmed(session):
    return [request.files[0].path for request in session.backend.requests if request.kind == "warm"]


def test_keys_in_a_row_lead_to_one_reading_and_the_turn_finds_it_warm(session):
    for end in range(1, 12):
        session.warmer.drafts.draft(ContextRequest("rename it all"[:end], in_view="a.py"))
    assert session.warmer.drafts.settle(20)
    assert warmed(session) == ["a.py"]
    run(session.turn, "rename it all", in_view="a.py")
    assert session.warmer.hits == 1
    assert session.backend.requests[-1].files == session.backend.requests[0].files


def test_what_is_warm_is_not_read_again_until_the_file_changes(session):
    for _ in range(3):
        session.warmer.drafts.draft(ContextRequest("x", in_view="a.py"))
        assert session.warmer.drafts.settle(20)
    assert warmed(session) == ["a.py"]
    (session.root / "a.py").write_text("changed\n")
    session.warmer.drafts.draft(ContextRequest("x", in_view="a.py"))
    assert session.warmer.drafts.settle(20)
    assert warmed(session) == ["a.py", "a.py"]


def test_a_draft_about_another_file_stops_the_reading(session):
    session.backend.gate.clear()
    session.warmer.drafts.draft(ContextRequest("x", in_view="a.py"))
    assert session.backend.begun.wait(60)
    session.warmer.drafts.draft(ContextRequest("x", in_view="b.py"))
    while session.backend.stopped < 1:
        pass
    session.backend.gate.set()
    assert session.warmer.drafts.settle(20)
    assert warmed(session) == ["a.py", "b.py"]


def test_a_turn_stops_the_reading_and_counts_as_cold(session):
    session.backend.gate.clear()
    session.warmer.drafts.draft(ContextRequest("x", in_view="a.py"))
    assert session.backend.begun.wait(60)
    run(session.turn, "x", in_view="a.py")
    assert session.warmer.drafts.settle(20)
    assert session.backend.stopped == 1
    assert session.warmer.hits == 0


def test_a_draft_that_cannot_be_shown_is_passed_over(session):
    session.warmer.drafts.draft(ContextRequest("x", in_view="gone.py"))
    session.warmer.drafts.draft(ContextRequest("@nowhere.py"))
    assert session.warmer.drafts.settle(20)
    session.close()
    session.warmer.drafts.draft(ContextRequest("x", in_view="a.py"))
    assert session.warmer.drafts.settle(1) is True
