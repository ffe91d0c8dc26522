"""What a connected model's turn gets from broken servers, files and commands: bounded, and never a crash."""

import json
import threading

import pytest
from support.event_streams import of
from support.open_sessions import open_sessions
from support.scripted_backend import accept, run
from support.scripted_model import Answer, Call, Raw, ScriptedModel
from support.small_repositories import written
from support.tool_backend import Call as MadeCall
from support.tool_backend import ToolBackend

from spark_tui import events
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.config.settings import Settings
from spark_tui.session import turn_execution

LONG = 5_000_000
EDIT = "a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"


@pytest.fixture
def root(tmp_path):
    return written(tmp_path / "plain", {"a.py": "x = 1\n"})


@pytest.fixture
def open_with(root, tmp_path):
    with open_sessions(root, tmp_path / "state") as open_one:
        yield lambda backend, **settings: open_one(backend, Settings(exact=False, **settings))


def far(server, api="chat"):
    return RemoteBackend(server.url, "m", key="", api=api, retries=RetryLimits(1), stall_seconds=20)


def outputs(seen):
    return "".join(event.text for event in of(seen, events.ToolOutput))


def chunk(content):
    event = {"choices": [{"index": 0, "delta": {"content": content}}]}
    return b"data: " + json.dumps(event).encode() + b"\n\n"


def test_invalid_utf_8_from_a_server_is_shown_as_a_mark_and_the_edit_counts(open_with):
    broken = chunk("I ab it.\n\n").replace(b"ab", b"a\xff\xfe\xc3b")
    with ScriptedModel(Answer(Raw(broken), EDIT)) as server:
        session = open_with(far(server))
        seen = run(session.turn, "change it")
    assert seen[-1].reason == "stop"
    assert [hunk.new_lines for hunk in session.decisions.offered()] == [("x = 2",)]
    assert "a\N{REPLACEMENT CHARACTER}" in "".join(event.text for event in of(seen, events.Prose))


def test_invalid_utf_8_in_a_file_and_in_a_command_is_shown_as_marks(root, open_with):
    (root / "odd.txt").write_bytes(b"one \xff\xfe two\n")
    session = open_with(
        ToolBackend(
            [MadeCall("read_file", path="odd.txt")],
            [MadeCall("search", pattern="one")],
            [MadeCall("run", command="printf 'out \\377\\n'")],
        ),
        tool_run="always",
    )
    seen = run(session.turn, "look")
    assert seen[-1].reason == "stop"
    said = outputs(seen)
    assert "out " in said
    said.encode("utf-8")


@pytest.mark.parametrize("api", ["chat", "responses", "messages"])
def test_a_line_of_5_mb_from_a_model_is_taken_or_refused(api, open_with):
    with ScriptedModel(Answer(EDIT, "y" * LONG, "\n")) as server:
        session = open_with(far(server, api))
        seen = run(session.turn, "change it")
    assert isinstance(seen[-1], events.Finished | events.Failed)
    assert [hunk.new_lines for hunk in session.decisions.offered()] == [("x = 2",)]


def test_arguments_of_5_mb_in_one_piece_are_taken(open_with):
    arguments = json.dumps({"path": "new.txt", "text": "z" * LONG + "\n"})
    with ScriptedModel(Answer(Call("write_file", arguments, piece=LONG * 2)), Answer("Done.\n")) as server:
        session = open_with(far(server), tool_tokens=0)
        seen = run(session.turn, "write it")
    assert seen[-1].reason == "stop"
    (hunk,) = session.decisions.offered()
    assert len(hunk.new_lines[0]) == LONG


def test_a_file_with_a_line_of_5_mb_is_read_and_searched_within_bounds(root, open_with):
    (root / "wide.txt").write_text("needle " + "w" * LONG + "\nlast\n")
    session = open_with(
        ToolBackend(
            [MadeCall("read_file", path="wide.txt")],
            [MadeCall("search", pattern="needle")],
            [MadeCall("references", {"name": "needle"})],
        ),
        max_file_bytes=20_000_000,
    )
    seen = run(session.turn, "look")
    assert seen[-1].reason == "stop"
    assert len(outputs(seen)) < 100_000


def test_a_person_and_a_model_that_change_the_same_line_are_a_conflict(root, open_with):
    backend = ToolBackend([MadeCall("edit", path="a.py", old="x = 1", new="x = 2")])
    backend.before = lambda event: (
        isinstance(event, events.ToolCallEnded) and (root / "a.py").write_text("x = 3\n")
    )
    session = open_with(backend)
    run(session.turn, "change it")
    accept(session)
    with pytest.raises(Exception, match="the same lines"):
        session.changes.write()
    assert (root / "a.py").read_text() == "x = 3\n"


def test_calls_without_end_are_ended(open_with):
    backend = ToolBackend()
    backend.answers = [[MadeCall("search", pattern=f"x{n}")] for n in range(500)]
    session = open_with(backend, tool_steps=25)
    seen = run(session.turn, "go")
    assert len(of(seen, events.ToolFinished)) == 25
    assert of(seen, events.Finished)[-1].reason == "limit"


def test_a_stop_ends_an_answer_of_5_mb_at_once(open_with):
    with ScriptedModel(Answer(*(["word " * 200] * 5_000))) as server:
        session, stop = open_with(far(server)), threading.Event()
        tokens = 0
        for event in session.turn("go", stop=stop):
            if isinstance(event, events.Token):
                tokens += 1
                stop.set()
        assert tokens < 100
    assert of([event], events.Finished)[0].reason == "interrupted"


@pytest.mark.parametrize(
    ("new", "doubts"), [("'kaputt ��'", ["a character was lost on the way: �"]), ("'ganz ü'", [])]
)
def test_a_character_that_a_server_took_apart_is_marked(open_with, new, doubts):
    with ScriptedModel(Answer(EDIT.replace("x = 2", f"x = {new}"))) as server:
        seen = run(open_with(far(server)).turn, "change x")
    assert [event.reason for event in of(seen, events.Doubt)] == doubts
    assert [event.new_lines for event in of(seen, events.HunkClosed)] == [(f"x = {new}",)]


@pytest.mark.parametrize(
    ("new", "says"),
    [
        ("'→'", "encoding cannot represent '→': edit the hunk, or change the encoding first"),
        ("'\0'", "with a NUL in it the file would be binary: edit the hunk"),
        ("'grün'", ""),
    ],
)
@pytest.mark.parametrize("called", [False, True], ids=["text", "call"])
def test_text_that_its_file_cannot_hold_is_marked_where_it_is_written(root, open_with, called, new, says):
    (root / "a.py").write_bytes(b"# caf\xe9\nx = 1\n")
    call = Call("edit", json.dumps({"path": "a.py", "old": "x = 1", "new": f"x = {new}"}))
    said = [Answer(call, reason="tool_calls"), Answer("Done.")]
    with ScriptedModel(*(said if called else [Answer(EDIT.replace("x = 2", f"x = {new}"))])) as server:
        seen = run(open_with(far(server)).turn, "change x")
    (hunk,) = of(seen, events.HunkClosed)
    doubts = [event.reason for event in of(seen, events.Doubt)]
    assert hunk.new_lines == (f"x = {new}",) and len(doubts) == bool(says)
    assert all(says in doubt for doubt in doubts)


def test_no_file_is_made_once_more_for_each_edit_with_an_umlaut(open_with, monkeypatch):
    made = []
    monkeypatch.setattr(turn_execution, "wanted_files", lambda hunks, tree: made.extend(hunks) or [])
    for new, count in (("'grün'", 0), ("'\0'", 1)):
        with ScriptedModel(Answer(EDIT.replace("x = 2", f"x = {new}"))) as server:
            run(open_with(far(server)).turn, "change x")
        assert len(made) == count
