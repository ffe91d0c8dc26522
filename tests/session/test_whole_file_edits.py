"""An edit that is spelled out is made of the whole file, and each window is asked with its own part of it."""

from __future__ import annotations

import threading

import pytest
from support.fakes import FakeBackend

from spark_tui.config.settings import Settings
from spark_tui.events import Token
from spark_tui.session import whole_file_edits
from spark_tui.session.session import Session
from spark_tui.session.turn_storage import stored_turns

FUNCTION = "def area_{0}(width):\n    doubled = width * 2\n    return doubled + {0}\n\n\n"
SOURCE = (
    "".join(FUNCTION.format(n) for n in range(12))
    + "def total(width):\n    return area_1(width) + area_11(width)\n"
)


class Small(FakeBackend):
    """Reads three functions at a time and writes nothing."""

    small_window = (12, 300)
    window = 1000

    def __init__(self):
        super().__init__(["*** a.py\n@@ no-edit\n"])

    def count_tokens(self, text):
        return text.count("\n")


def requests_of_turn(tmp_path, instruction, *, source=SOURCE, path="a.py", **settings):
    root = tmp_path / "plain"
    root.mkdir(parents=True)
    (root / path).write_text(source)
    session = Session(root, Small(), Settings(**settings), tmp_path / "state")
    try:
        list(session.turn(instruction, in_view=path, stop=threading.Event()))
        return session.backend.requests, session.builder.shown, session.folder
    finally:
        session.close()


def with_known_hunks(source, requests):
    """The file with what every window was asked with."""
    lines = source.split("\n")
    hunks = [hunk for request in requests for hunk in request.known]
    for first, last, new in sorted(hunks, reverse=True):
        lines[first - 1 : last - 1] = new
    return "\n".join(lines)


def test_every_window_with_a_place_is_asked_with_its_own_hunks(tmp_path):
    requests, shown, _ = requests_of_turn(tmp_path, "rename area_11 to size everywhere")
    assert with_known_hunks(SOURCE, requests) == SOURCE.replace("area_11", "size")
    assert len(requests) == len(shown.sections) > 0
    for request in requests:
        part = request.files[0]
        last = part.first_line + part.text.count("\n")
        assert all(part.first_line <= begin <= end <= last for begin, end, _ in request.known)
        assert request.known


def test_windows_without_a_place_are_not_asked(tmp_path):
    requests, shown, _ = requests_of_turn(tmp_path, "rename doubled to twofold in area_7")
    assert [request.files[0].text.count("area_7") for request in requests] == [1]
    assert with_known_hunks(SOURCE, requests).count("twofold") == 2
    assert shown.sections[0].why == "made from the instruction"


@pytest.mark.parametrize(
    "instruction, settings",
    [("make area_7 nicer, whatever that is", {}), ("rename doubled to twofold in area_7", {"exact": False})],
)
def test_what_is_not_spelled_out_or_not_wanted_is_left_to_the_model(tmp_path, instruction, settings):
    requests, *_ = requests_of_turn(tmp_path, instruction, **settings)
    assert requests
    assert not any(request.known for request in requests)
    assert all(request.programs is settings.get("exact", True) for request in requests)


def test_a_file_that_is_shown_whole_and_one_that_is_no_python_are_left_to_the_backend(tmp_path):
    short = FUNCTION.format(1)
    assert not requests_of_turn(tmp_path, "rename doubled to twice", source=short)[0][0].known
    (tmp_path / "other").mkdir()
    requests, *_ = requests_of_turn(tmp_path / "other", "rename doubled to twofold in area_7", path="a.txt")
    assert not any(request.known for request in requests)


def test_a_turn_is_kept_with_what_was_known(tmp_path):
    requests, _, folder = requests_of_turn(tmp_path, "rename doubled to twofold in area_7")
    assert [turn.requests for turn in stored_turns(folder).values()] == [tuple(requests)]


@pytest.mark.parametrize("accepted", [False, True])
def test_what_is_said_after_it_is_done_in_all_its_windows(tmp_path, accepted):
    root = tmp_path / "plain"
    root.mkdir()
    source = "".join(f"def area_{n}(width):\n    return scaled(width, {n})\n\n\n" for n in range(12))
    source = f"def scaled(a, b):\n    return a * b\n\n\n{source}"
    (root / "a.py").write_text(source)
    session = Session(root, Answering(), Settings(), tmp_path / "state")
    try:
        list(session.turn("rename scaled to sized", in_view="a.py", stop=threading.Event()))
        first = list(session.decisions.review.ids)
        assert len(session.backend.requests) > 1
        for known in first[: 3 * accepted]:
            session.decisions.decide(known, "accepted")
        list(session.turns.steer("call it measured instead", stop=threading.Event()))
        assert {session.decisions.review.state(known) for known in first} == {"rejected"}
        for known in session.decisions.review.ids:
            if session.decisions.review.state(known) == "open":
                session.decisions.decide(known, "accepted")
        session.changes.write()
        assert (root / "a.py").read_text() == source.replace("scaled", "measured")
        assert session.outbox.waiting == ()
    finally:
        session.close()


def test_a_file_that_was_changed_meanwhile_is_not_said_again(tmp_path):
    root = tmp_path / "plain"
    root.mkdir()
    (root / "a.py").write_text(SOURCE)
    session = Session(root, Answering(), Settings(), tmp_path / "state")
    try:
        list(session.turn("rename area_1 to surface", in_view="a.py", stop=threading.Event()))
        asked_before = len(session.backend.requests)
        (root / "a.py").write_text("import os\n" + SOURCE)
        list(session.turns.steer("call it measured instead", stop=threading.Event()))
        assert all(request.steer for request in session.backend.requests[asked_before:])
    finally:
        session.close()


def test_looking_through_a_file_is_done_once_for_the_same_words(tmp_path, monkeypatch):
    calls = []
    real = whole_file_edits.known
    monkeypatch.setattr(
        whole_file_edits, "known", lambda *args, **more: calls.append(args) or real(*args, **more)
    )
    whole_file_edits._plain.cache_clear()
    requests_of_turn(tmp_path / "1", "rename area_1 to surface")
    requests_of_turn(tmp_path / "2", "rename area_1 to surface")
    assert len(calls) == 1


class Answering(Small):
    """Says what is known, as the built-in family does."""

    def stream(self, request, stop):
        self.requests.append(request)
        text = f"*** {request.files[0].path}\n"
        known = request.wanted if request.steer or request.spliced else request.known
        for first, last, new in known:
            text += f"@@ {first},{last}\n" + "".join(f"+{line}\n" for line in new)
        yield Token(1, text + ("@@ end\n" if known else "@@ no-edit\n"))
