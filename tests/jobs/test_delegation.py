"""`/delegate`: a job with the model of the session, whose hunks come back into the session's own review."""

import json

import pytest
from support.job_runs import folder_of, record, spark, state_of, until, work
from support.open_sessions import open_sessions
from support.scripted_backend import accept, accept_and_write, run
from support.scripted_model import Answer, Call, ScriptedModel

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.jobs import job as jobs
from spark_tui.jobs import job_status
from spark_tui.jobs.delegation import delegate, deliver
from spark_tui.jobs.job import JobTask
from spark_tui.session.session_opener import open_backend


@pytest.fixture
def open_session(counter):
    with open_sessions(counter, state_of(counter)) as open_one:
        yield lambda settings, session_id="": open_one(open_backend(settings), settings, session_id)


def settings_for(server):
    return Settings(connect=server.url, model="m", api="chat", pace="off")


def finished(root, folder):
    until(lambda: not jobs.is_claimed(folder))
    return job_status.find_job(state_of(root), folder.name)


def edit(old, new):
    return Call("edit", json.dumps({"path": "count.py", "old": old, "new": new}))


def brought(session, folder):
    return list(deliver(session, folder))


def test_a_delegated_instruction_is_done_by_tools_and_comes_back_into_this_review(counter, open_session):
    before = (counter / "count.py").read_text()
    script = (
        Answer(Call("search", '{"pattern": "LIMIT"}')),
        Answer(Call("read_file", '{"path": "count.py"}')),
        Answer(edit("LIMIT = 10", "LIMIT = 99")),
        Answer("The limit is raised."),
    )
    with ScriptedModel(*script) as server:
        session = open_session(settings_for(server))
        folder = delegate(counter, session.id, [JobTask("raise the limit", ("count.py",))], session.settings)
        row = finished(counter, folder)
        assert row.is_for(session.id) and not row.is_for("another")
        seen = brought(session, folder)
        assert [message["role"] for message in server.bodies[-1]["messages"][-2:]] == ["assistant", "tool"]
    assert "job 1: 1 of 1 done." in "".join(e.text for e in seen if isinstance(e, events.Prose))
    (hunk,) = session.decisions.offered()
    assert (hunk.path, hunk.new_lines) == ("count.py", ("LIMIT = 99",))
    accept_and_write(session, hunk.id)
    assert (counter / "count.py").read_text() == before.replace("LIMIT = 10", "LIMIT = 99")
    assert session.changes.draft_message().startswith("Raise the limit")
    (row,) = job_status.list_jobs(state_of(counter))
    assert (row.state, row.words) == ("delivered", "in the session that asked")
    assert not (state_of(counter) / "sessions" / row.job.session).exists()


def test_what_is_meant_may_be_in_another_file_than_the_one_in_view(counter, open_session):
    (counter / "seen.py").write_text("def show(first=None):\n    return first\n")
    session = open_session(Settings(pace="off"))
    task = JobTask("raise ValueError in up when n is negative", in_view="seen.py")
    folder = delegate(counter, session.id, [task], session.settings)
    assert finished(counter, folder).job.title == task.text
    brought(session, folder)
    assert [hunk.path for hunk in session.decisions.offered()] == ["count.py"]


def replayed(answers, counter, open_session, *instructions):
    """A session, and its jobs that play these recordings, in order."""
    settings = Settings(replay=str(answers), pace="off")
    session = open_session(settings)
    folders = [delegate(counter, session.id, [JobTask(text)], settings) for text in instructions]
    for folder in folders:
        finished(counter, folder)
    return session, folders


def test_two_jobs_that_change_the_same_lines_are_a_conflict_and_never_merged(counter, answers, open_session):
    before = (counter / "count.py").read_text()
    record(answers, 7, "make LIMIT a float", "*** count.py\n@@ 2,3\n+LIMIT = 10.0\n")
    session, folders = replayed(answers, counter, open_session, "change LIMIT to 99", "make LIMIT a float")
    rows = {row.job.id: row.words for row in job_status.list_jobs(state_of(counter))}
    assert rows == {one: f"ready for review, conflicts with job {other}" for one, other in ("12", "21")}
    assert not [e for e in brought(session, folders[0]) if isinstance(e, events.Doubt)]
    (doubt,) = [e for e in brought(session, folders[1]) if isinstance(e, events.Doubt)]
    assert doubt.hunk_id == session.decisions.offered()[1].id
    assert doubt.reason == "conflict: hunk 1 (change LIMIT to 99) makes something else of these lines"
    assert accept_and_write(session).hunks == (doubt.hunk_id,)
    assert (counter / "count.py").read_text() == before.replace("LIMIT = 10", "LIMIT = 10.0")


def test_jobs_that_change_other_lines_are_no_conflict_and_are_written_together(
    counter, answers, open_session
):
    record(answers, 7, "subtract in up", "*** count.py\n@@ 6,7\n+    return n - STEP\n")
    session, folders = replayed(answers, counter, open_session, "change STEP to 2", "subtract in up")
    assert {row.words for row in job_status.list_jobs(state_of(counter))} == {"ready for review"}
    for folder in folders:
        assert not [e for e in brought(session, folder) if isinstance(e, events.Doubt)]
    accept_and_write(session)
    text = (counter / "count.py").read_text()
    assert text.startswith("STEP = 2\n") and text.endswith("return n - STEP\n")


def test_a_job_that_disagrees_with_a_pending_hunk_of_the_session_is_marked(counter, answers, open_session):
    record(answers, 7, "make LIMIT a float", "*** count.py\n@@ 2,3\n+LIMIT = 10.0\n")
    session = open_session(Settings(replay=str(answers), pace="off"))
    run(session.turn, "change LIMIT to 99", files=["count.py"])
    folder = delegate(counter, session.id, [JobTask("make LIMIT a float")], session.settings)
    finished(counter, folder)
    (doubt,) = [e for e in brought(session, folder) if isinstance(e, events.Doubt)]
    assert "hunk 1 (change LIMIT to 99)" in doubt.reason
    assert len(session.decisions.offered()) == 2


def test_a_session_that_is_opened_again_has_what_was_brought_and_its_marks(counter, answers, open_session):
    record(answers, 7, "make LIMIT a float", "*** count.py\n@@ 2,3\n+LIMIT = 10.0\n")
    session, folders = replayed(answers, counter, open_session, "change LIMIT to 99", "make LIMIT a float")
    for folder in folders:
        brought(session, folder)
    session.close()
    again = open_session(session.settings, session.id)
    assert [hunk.new_lines for hunk in again.decisions.offered()] == [("LIMIT = 99",), ("LIMIT = 10.0",)]


def test_a_job_that_is_decided_elsewhere_does_not_come_back_here(counter, answers, open_session):
    session, (folder,) = replayed(answers, counter, open_session, "change STEP to 2")
    job = jobs.read(folder)
    own = open_session(session.settings, job.session)
    accept(own)
    own.close()
    assert not finished(counter, folder).is_for(session.id)


def test_no_more_jobs_work_at_once_than_the_setting_allows(counter, answers, capfd, monkeypatch):
    monkeypatch.setenv("SPARK_JOBS_AT_ONCE", "1")
    go = counter.parent / "go"
    wait = f"while test ! -e {go}; do sleep 0.05; done"
    assert work(counter, answers, "change STEP to 2", "--check", wait) == 0
    monkeypatch.setattr("spark_tui.cli.commands.work._HEARD_SECONDS", 0.5)
    assert work(counter, answers, "rename NAME in other") == 0
    until(lambda: jobs.read(folder_of(counter, 2)).phase == "queued")
    capfd.readouterr()
    spark(counter, "jobs")
    shown = capfd.readouterr().out
    assert "waits for other jobs" in shown and "running 0/1" in shown
    go.touch()
    until(lambda: not any(jobs.is_claimed(folder_of(counter, number)) for number in (1, 2)))
    assert [jobs.read(folder_of(counter, number)).done for number in (1, 2)] == [1, 1]
