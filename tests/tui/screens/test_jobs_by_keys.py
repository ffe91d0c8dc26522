"""Jobs on the workbench: a word in the header, a list after F8, and one that takes the place of this
session."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from support.fake_session import CART, FakeSession
from support.workbench_app import SIZE, app_for, bench, press, running, screen_text, settle, until

from spark_tui.config import paths
from spark_tui.jobs import job_status
from spark_tui.jobs.job import Job, JobTask
from spark_tui.jobs.job import write as keep
from spark_tui.jobs.job_status import ListedJob
from spark_tui.session.storage.session_index import SessionRow
from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens import overlays
from spark_tui.tui.screens.pickers.picker import Picker
from spark_tui.tui.settings.startup import Reopen, Startup
from spark_tui.tui.widgets.status_bar import StatusBar


@pytest.fixture
def jobs(session: FakeSession, monkeypatch: pytest.MonkeyPatch) -> list[ListedJob]:
    """One that waits, one that works."""
    folder = paths.repository_state_dir(session.root) / "jobs"
    rows = []
    for number, (title, state, hunks) in enumerate(
        (("rename qty", "review", 2), ("add guards", "working", 0)), 1
    ):
        job = Job(
            str(number),
            str(session.root),
            ".",
            [JobTask(title)],
            session=f"session-{number}" if hunks else "",
        )
        (folder / str(number)).mkdir(parents=True)
        keep(folder / str(number), job)
        rows.append(ListedJob(folder / str(number), job, state, hunks, hunks))
    monkeypatch.setattr(job_status, "list_jobs", lambda state: rows)
    monkeypatch.setattr("spark_tui.jobs.handoff.end_orphans", lambda state: [])
    return rows


@pytest.fixture
def session(tmp_path: Path) -> FakeSession:
    return FakeSession({"cart.py": CART}, {})


async def test_the_header_says_what_works_and_what_waits(session: FakeSession, jobs: object) -> None:
    app = app_for(session)
    async with running(app):
        assert "1 job running, 1 job to review: F8" in screen_text(app).splitlines()[0]


async def test_one_that_is_reviewed_here_does_not_wait(session: FakeSession, jobs: object) -> None:
    session.id = "session-1"
    app = app_for(session)
    async with running(app):
        assert "1 job running: F8" in screen_text(app).splitlines()[0]


async def test_without_jobs_the_header_is_silent_and_f8_says_how_one_begins(session: FakeSession) -> None:
    app = app_for(session)
    async with running(app, (80, 24)) as pilot:
        assert "job" not in screen_text(app).splitlines()[0]
        await press(pilot, "f8")
        assert 'no jobs yet; start one: /delegate … or spark work "…"' in screen_text(app)
        assert "Enter" not in app.screen.query_one("#picker-keys", StatusBar).text


async def test_one_that_waits_is_opened_in_the_place_of_this_session(
    session: FakeSession, jobs: object
) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await press(pilot, "f8")
        text = screen_text(app)
        assert "rename qty" in text and "ready for review" in text and "running 0/1" in text
        keys = app.screen.query_one("#picker-keys", StatusBar)
        assert "Enter review" in keys.text
        await pilot.press("down")
        assert "Enter tell its state" in keys.text
        await press(pilot, "up", "enter")
    assert app.return_value == Reopen("session-1")


@pytest.mark.parametrize(("key", "title"), [("f8", "job ›"), ("f6", "session ›")])
async def test_a_list_stands_before_the_disk_has_answered_and_enter_waits_for_it(
    session: FakeSession, jobs: object, monkeypatch: pytest.MonkeyPatch, key: str, title: str
) -> None:
    answers = threading.Event()

    def slow(_: Path) -> list[SessionRow]:
        answers.wait(60)
        return [SessionRow("s-1", "kept", "", 1.0, 1.0, 1, "rename it", 2, 0, "")]

    monkeypatch.setattr("spark_tui.jobs.handoff.end_orphans", slow)
    monkeypatch.setattr(overlays, "kept_sessions", slow)
    app = app_for(session)
    async with running(app) as pilot:
        bench(app).start_task(lambda: bench(app).controller.run_in_order(lambda: answers.wait(60) and None))
        await pilot.press(key)
        await pilot.pause()
        before = screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        still_there = isinstance(app.screen, Picker)
        answers.set()
        assert title in before and "looking …" in before and still_there
        await settle(pilot)
    assert app.return_value == Reopen("session-1" if key == "f8" else "s-1")


@pytest.mark.parametrize(("key", "row"), [("f8", "rename qty"), ("f6", "kept")])
async def test_a_list_that_is_asked_for_early_waits_for_the_session(
    session: FakeSession, jobs: object, monkeypatch: pytest.MonkeyPatch, key: str, row: str
) -> None:
    gate = threading.Event()
    earlier = SessionRow("s-1", "kept", "", 1.0, 1.0, 1, "rename it", 2, 0, "")
    monkeypatch.setattr(overlays, "kept_sessions", lambda root: [earlier])

    def opened() -> FakeSession:
        assert gate.wait(60)
        return session

    app = SparkApp(Startup(session.root, session.settings, opened), environ={})
    async with app.run_test(size=SIZE) as pilot:
        try:
            await pilot.press(key)
            await until(pilot, lambda: "looking …" in screen_text(app))
        finally:
            gate.set()
        await until(pilot, lambda: row in screen_text(app))


async def test_what_is_delegated_early_waits_for_the_session(
    session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, given = threading.Event(), []

    def delegate(root: Path, asked_by: str, tasks: list[JobTask], settings: object) -> Path:
        given.extend((task.text, task.in_view) for task in tasks)
        return root / "7"

    monkeypatch.setattr("spark_tui.jobs.delegation.delegate", delegate)

    def opened() -> FakeSession:
        assert gate.wait(60)
        return session

    app = SparkApp(Startup(session.root, session.settings, opened, shown=("cart.py", 1)), environ={})
    async with app.run_test(size=SIZE) as pilot:
        try:
            bench(app).prompt.insert("/delegate add guards")
            await pilot.press("enter")
            await until(pilot, lambda: not bench(app).prompt.text)
            assert not given
        finally:
            gate.set()
        await until(pilot, lambda: "job 7 works on it" in screen_text(app))
    assert given == [("add guards", "cart.py")]


async def test_a_list_in_which_nothing_matches_says_so(session: FakeSession, jobs: object) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await press(pilot, "f8", *"zzz")
        assert "no match" in screen_text(app)


async def test_one_that_works_says_how_far_it_is(session: FakeSession, jobs: object) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await press(pilot, "f8")
        await press(pilot, "down", "enter")
        assert "job 2: running 0/1; details: spark jobs show 2" in screen_text(app)
        assert bench(app).is_attached


@pytest.mark.parametrize(
    ("asked_by", "told"),
    [
        ("s-1", "job 2: its hunks came into this session"),
        ("s-2", "its hunks came into session s-2; F6 opens it"),
    ],
)
async def test_one_whose_hunks_were_brought_says_where_they_are(
    session: FakeSession, jobs: list[ListedJob], asked_by: str, told: str
) -> None:
    session.id = "s-1"
    jobs[1] = replace(jobs[1], state="delivered", job=replace(jobs[1].job, asked_by=asked_by))
    app = app_for(session)
    async with running(app) as pilot:
        await press(pilot, "f8", "down", "enter")
        assert told in screen_text(app)
        assert bench(app).is_attached


def test_a_glance_reads_only_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "jobs" / "1"
    folder.mkdir(parents=True)
    job = Job("1", str(tmp_path), ".", [JobTask("x")])
    keep(folder, job)
    seen: list[str] = []
    rows = [ListedJob(folder, job, "working", 0, 0)]
    monkeypatch.setattr(job_status, "list_jobs", lambda state: seen.append("read") or rows)
    glance = job_status.JobSummary(tmp_path, "session-9")
    assert glance.word() == glance.word() == "1 job running"
    assert seen == ["read"]
    rows = [ListedJob(folder, job, "review", 1, 1)]
    keep(folder, job)
    assert glance.word() == "1 job to review"
