"""What is typed and not saved when spark is ended from outside."""

from __future__ import annotations

import io
import shutil
import signal
from pathlib import Path
from threading import Event

import pytest
from support.fakes import FakeBackend
from support.small_repositories import uncommitted
from support.workbench_app import app_for, bench, command, press, running, screen_text, settle, until

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import Misfit, UsageError
from spark_tui.events import Decided
from spark_tui.jobs import kept_typing
from spark_tui.jobs.kept_typing import keep_typing, recover_killed
from spark_tui.session.exact.edit_cursor import Cursor
from spark_tui.session.session import Session
from spark_tui.session.storage import session_journal
from spark_tui.session.storage.archive import turns_of
from spark_tui.session.storage.session_index import SessionIndex
from spark_tui.session.storage.turn_storage import TYPING, read_typed_hunk, read_typing, write_typing
from spark_tui.tui.app import SparkApp
from spark_tui.tui.killed_sessions import notes_of_killed
from spark_tui.tui.messages import HunkPicked
from spark_tui.tui.screen_reader.loop import run_screen_reader
from spark_tui.tui.screens.edits import file_typing
from spark_tui.workspace.files import FileText

A = "def total():\n    return 1\n"
CODE = b"name = 'caf\xe9'\r\nlimit = 5\r\nlast = 1"


def opened(tmp_path: Path) -> tuple[Path, Path, Session, SparkApp]:
    """A folder with two files, where state is kept, and a session in it with its app."""
    root, state = uncommitted(tmp_path / "shop", {"a.py": "", "b.py": "b = 1\n"}), tmp_path / "state"
    (root / "a.py").write_bytes(CODE)
    session = Session(root, FakeBackend(["x"]), Settings(ghost=False), state)
    return root, state, session, app_for(session)


@pytest.mark.parametrize("code", [128 + signal.SIGTERM, 0])
async def test_it_is_a_session_unless_the_person_quit(tmp_path: Path, code: int) -> None:
    root, state, _, app = opened(tmp_path)
    async with running(app, (100, 24)) as pilot:
        for path in ("a.py", "b.py"):
            await bench(app).open_file.show_file(path)
            bench(app).code.focus()
            await press(pilot, "i", "x", "y", "escape")
        app.exit(return_code=code)
    assert (root / "a.py").read_bytes() == CODE
    with SessionIndex(state) as index:
        index.refresh()
        names = [found.name for found in index.sessions()]
    kept = app.workbench and app.workbench.kept_session
    if not code:
        assert (kept, "typed, not saved: a.py, b.py" in names) == ("", False)
        return
    assert kept and "typed, not saved: a.py, b.py" in names
    (root / "a.py").write_bytes(CODE + b"\r\n# of another program\r\n")
    again = Session(root, FakeBackend(["x"]), Settings(), state, session_id=kept)
    for hunk in again.decisions.offered():
        again.decisions.decide(hunk.id, "accepted")
    again.changes.write()
    again.close()
    assert (root / "a.py").read_bytes() == b"xy" + CODE + b"\r\n# of another program\r\n"
    assert (root / "b.py").read_text() == "xyb = 1\n"


@pytest.mark.parametrize("reopened", [False, True])
async def test_it_is_a_session_where_spark_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reopened: bool
) -> None:
    monkeypatch.setattr(file_typing, "KEEP_SECONDS", 0.01)
    root, state, session, app = opened(tmp_path)
    async with running(app, (100, 24)) as pilot:
        for path in ("b.py", "a.py"):
            await bench(app).open_file.show_file(path)
            bench(app).code.focus()
            await pilot.press("i", "x", "y", "escape", "escape")
        await until(pilot, lambda: len(read_typing(session.folder)) >= 2)
        assert bench(app).slash_command("/save")
        await pilot.press("tab", "i", "z")
        await until(pilot, lambda: [lines[0][0] for _, lines in read_typing(session.folder)] == ["z"])
        # Another spark that is open in the repository leaves it to this one.
        assert recover_killed(root, state, state / "sessions" / "other") == []
        shutil.copytree(state, tmp_path / "left")  # what a killed process leaves
    assert not (session.folder / TYPING).exists()
    left = tmp_path / "left"
    again = Session(root, FakeBackend(["x"]), Settings(), left, session_id=session.id if reopened else "")
    app = app_for(again)
    async with running(app, (100, 24)) as pilot:
        assert "typed, not saved when spark was killed: a.py — F6 opens it" in screen_text(app)
        with SessionIndex(left) as index:
            index.refresh()
            (kept,) = [row.id for row in index.sessions() if row.name == "typed, not saved: a.py"]
        assert not any(left.glob(f"sessions/*/{TYPING}"))
    again = Session(root, FakeBackend(["x"]), Settings(), left, session_id=kept)
    assert again.decisions.review.hunk(1).new_lines == ("zxyname = 'café'",)
    again.close()


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("written", [False, True])
async def test_hunks_that_waited_when_spark_was_killed_are_told_once(
    tmp_path: Path, closed: bool, written: bool
) -> None:
    root, state, left = uncommitted(tmp_path / "shop", {"a.py": A}), tmp_path / "state", tmp_path / "left"
    session = Session(root, FakeBackend(["x"]), Settings(ghost=False), state)
    app = app_for(session)
    async with running(app, (100, 24)) as pilot:
        await command(pilot, "/rename total amount")
        if written:
            bench(app).code.focus()
            await press(pilot, "ctrl+a", "w")
        if not closed:
            shutil.copytree(state, left)  # what a killed process leaves
    told = "hunks waited when spark was killed: /rename total amount — F6 opens it"
    for start in (1, 2):
        app = app_for(Session(root, FakeBackend(["x"]), Settings(ghost=False), state if closed else left))
        async with running(app, (100, 24)):
            assert (told in screen_text(app)) == (start == 1 and not closed and not written)


def test_what_is_the_same_of_several_that_were_killed_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_journal, "may_be_killed", lambda folder: True)
    monkeypatch.setattr(kept_typing, "recover_killed", lambda *places: ["one", "other", "one"])
    session = Session(
        uncommitted(tmp_path / "shop", {"a.py": A}), FakeBackend(["x"]), Settings(), tmp_path / "state"
    )
    assert notes_of_killed(session) == ["2 times: one", "other"]
    session.close()


@pytest.mark.parametrize(("asked", "shown"), [("change it", "change it"), ("x" * 200, "x" * 79 + "…")])
async def test_a_turn_that_was_at_work_when_spark_was_killed_is_told_once(
    tmp_path: Path, asked: str, shown: str
) -> None:
    root, state, left = uncommitted(tmp_path / "shop", {"a.py": A}), tmp_path / "state", tmp_path / "left"
    session = Session(root, FakeBackend(["a word"]), Settings(exact=False), state)
    for event in session.turns.start(ContextRequest(asked, "a.py"), stop=Event()):
        if isinstance(event, events.TurnStarted):
            shutil.copytree(state, left)  # what a killed process leaves
    session.close()
    told = f"a turn was at work when spark was killed: {shown} — F6 opens it"
    for start in (1, 2):
        app = app_for(Session(root, FakeBackend(["x"]), Settings(ghost=False), left))
        async with running(app, (160, 24)):
            assert (told in screen_text(app)) == (start == 1)


def test_the_screen_reader_tells_of_hunks_that_waited(tmp_path: Path) -> None:
    root, state, out = uncommitted(tmp_path / "shop", {"a.py": A}), tmp_path / "state", io.StringIO()
    session = Session(root, FakeBackend(["x"]), Settings(ghost=False), state)
    planned = session.exact.plan("/rename total amount", Cursor("a.py"))
    list(session.exact.run(planned, stop=Event()))
    shutil.copytree(state, tmp_path / "left")  # what a killed process leaves
    session.close()
    again = Session(root, FakeBackend(["x"]), Settings(ghost=False), tmp_path / "left")
    run_screen_reader(again, io.StringIO("quit\n"), out)
    assert out.getvalue().startswith("hunks waited when spark was killed: /rename total amount. ")


def left_by_a_killed_spark(tmp_path: Path, typed: str) -> tuple[Path, Path, Path]:
    """A folder, where state is kept, and the folder of a session in which a last line was typed."""
    root, state, session, _ = opened(tmp_path)
    file = FileText("a.py", CODE)
    write_typing(session.folder, [(file, [*file.lines, typed])])
    shutil.copytree(session.folder, left := state / "sessions" / "left")
    session.close()
    return root, state, left


def test_what_the_encoding_of_a_file_lacks_is_kept_and_not_written(tmp_path: Path) -> None:
    root, state, _ = left_by_a_killed_spark(tmp_path, "price = '5 €'")
    told = recover_killed(root, state, state / "sessions" / "own")
    assert told == ["typed, not saved when spark was killed: a.py"]
    with SessionIndex(state) as index:
        index.refresh()
        (kept,) = index.sessions()
    again = Session(root, FakeBackend(["x"]), Settings(), state, session_id=kept.id)
    (hunk,) = again.decisions.offered()
    assert "price = '5 €'" in hunk.new_lines
    again.decisions.decide(hunk.id, "accepted")
    with pytest.raises(Misfit, match="encoding cannot represent '€'"):
        again.changes.write()
    again.close()
    assert (root / "a.py").read_bytes() == CODE


def test_what_cannot_be_kept_stays_and_is_told_at_each_start(tmp_path: Path) -> None:
    root, state, left = left_by_a_killed_spark(tmp_path, "x = 1")
    (left / TYPING).write_text("{")
    for _ in range(2):
        out = io.StringIO()
        run_screen_reader(Session(root, FakeBackend(["x"]), Settings(), state), io.StringIO("quit\n"), out)
        assert out.getvalue().startswith("what was typed when spark was killed cannot be kept: is damaged: ")
    assert (left / TYPING).read_text() == "{"


@pytest.mark.parametrize("killed", [False, True])
async def test_what_is_typed_in_a_hunk_is_asked_about_or_kept(tmp_path: Path, killed: bool) -> None:
    root, state = uncommitted(tmp_path / "shop", {"a.py": A}), tmp_path / "state"
    session = Session(root, FakeBackend(["x"]), Settings(ghost=False), state)
    app = app_for(session)
    async with running(app, (100, 24)) as pilot:
        await bench(app).open_file.show_file("a.py")
        await command(pilot, "/rename total amount")
        bench(app).code.focus()
        await pilot.press("e", "end", "#", "#")
        if killed:
            app.exit(return_code=128 + signal.SIGHUP)
        else:
            await pilot.press("ctrl+q")
            assert app.is_running
            assert bench(app).message[0].startswith("what you typed in the hunk is not kept: Ctrl+Q again")
            await press(pilot, "escape")
    again = Session(root, FakeBackend(["x"]), Settings(), state, session_id=session.id)
    assert again.decisions.review.state(1) == "edited"
    assert again.decisions.review.hunk(1).new_lines == ("def amount():##",)
    again.close()


async def test_what_is_typed_in_a_hunk_is_kept_where_another_file_is_shown(tmp_path: Path) -> None:
    files = {"a.py": "def total():\n    return 1\n", "b.py": "from a import total\n\ntotal()\n"}
    root = uncommitted(tmp_path / "shop", files)
    session = Session(root, FakeBackend(["x"]), Settings(ghost=False), tmp_path / "state")
    app = app_for(session)
    async with running(app, (100, 24)) as pilot:
        await bench(app).open_file.show_file("a.py")
        await command(pilot, "/rename total amount")
        bench(app).code.focus()
        await pilot.press("e", "end", "#", "#")
        bench(app).list.post_message(HunkPicked(2))
        await settle(pilot)
        assert bench(app).code.file.path == "b.py"
        assert session.decisions.review.state(1) == "edited"
        assert session.decisions.review.hunk(1).new_lines == ("def amount():##",)
    session.close()


@pytest.mark.parametrize("reopened", [False, True])
async def test_what_is_typed_in_a_hunk_is_kept_where_spark_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reopened: bool
) -> None:
    monkeypatch.setattr(file_typing, "KEEP_SECONDS", 0.01)
    root, state = uncommitted(tmp_path / "shop", {"a.py": A}), tmp_path / "state"
    session = Session(root, FakeBackend(["x"]), Settings(ghost=False), state)
    app = app_for(session)
    async with running(app, (100, 24)) as pilot:
        await bench(app).open_file.show_file("a.py")
        await command(pilot, "/rename total amount")
        bench(app).code.focus()
        await pilot.press("e", "end", "#", "#")
        typed = Decided(1, "edited", "def amount():##\n")
        await until(pilot, lambda: read_typed_hunk(session.folder) == typed)
        shutil.copytree(state, tmp_path / "left")  # what a killed process leaves
        await press(pilot, "escape")
        assert read_typed_hunk(session.folder) is None
    left = tmp_path / "left"
    again = Session(root, FakeBackend(["x"]), Settings(), left, session_id=session.id if reopened else "")
    app = app_for(again)
    async with running(app, (100, 24)) as pilot:
        said = "typed, not saved when spark was killed: in hunk 1 — F6 opens it" in screen_text(app)
        assert said != reopened
    again = Session(root, FakeBackend(["x"]), Settings(), left, session_id=session.id)
    assert again.decisions.review.state(1) == "edited"
    assert again.decisions.review.hunk(1).new_lines == ("def amount():##",)
    again.close()


async def test_what_was_kept_is_not_sent_as_an_instruction(tmp_path: Path) -> None:
    root, state, session, _ = opened(tmp_path)
    session.close()
    kept = keep_typing(root, state, [(FileText("b.py", b"b = 1\n"), ["b = 2"])])
    session = Session(root, FakeBackend(["x"]), Settings(ghost=False), state, session_id=kept)
    app = app_for(session, [entry.event for turn in turns_of(session.folder) for entry in turn.entries])
    async with running(app, (100, 24)) as pilot:
        bench(app).code.focus()
        await press(pilot, "t")
        assert bench(app).message[0] == "no instruction to send again here"
        assert "● 1  L1" in screen_text(app)
    with pytest.raises(UsageError, match="no instruction to send again"):
        list(session.turns.retry(stop=Event()))
    assert [hunk.new_lines for hunk in session.decisions.offered()] == [("b = 2",)]
    session.close()


async def test_typing_saved_in_a_session_without_a_turn_is_undone_after_a_restart(tmp_path: Path) -> None:
    root, state, session, app = opened(tmp_path)
    async with running(app, (100, 24)) as pilot:
        await bench(app).open_file.show_file("b.py")
        bench(app).code.focus()
        await press(pilot, "i", "x", "ctrl+s")
    assert (root / "b.py").read_text() == "xb = 1\n"
    session.close()
    again = Session(root, FakeBackend(["x"]), Settings(ghost=False), state, session_id=session.id)
    app = app_for(again)
    async with running(app, (100, 24)) as pilot:
        bench(app).code.focus()
        await press(pilot, "u")
    assert (root / "b.py").read_text() == "b = 1\n"
    again.close()
