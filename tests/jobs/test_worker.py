"""What a worker does, what it leaves alone, and how it ends."""

import os
import signal

from support.job_runs import (
    LIMIT,
    NAME,
    STEP,
    alive,
    folder_of,
    footprint,
    hanging,
    patch_of,
    record,
    spark,
    until,
    work,
)

from spark_tui.errors import ExitCode
from spark_tui.jobs import job as jobs


def test_what_a_job_did_waits_for_review_and_nothing_is_touched(counter, answers, capfd):
    before = footprint(counter)
    assert work(counter, answers, STEP, NAME, "--wait") == 0
    assert footprint(counter) == before
    patch = patch_of(counter, capfd)
    assert "+STEP = 2" in patch and "+TITLE = 'a'" in patch
    assert sorted(path.name for path in folder_of(counter).iterdir()) == ["claim", "job.json", "log"]


def test_places_that_an_exact_edit_leaves_are_doubts_and_no_failure(counter, capfd):
    (counter / "README.md").write_text("Call `count.up(1)`.\n")
    assert spark(counter, "work", "rename up to grow everywhere", "--wait") == 0
    assert "+def grow(n):" in patch_of(counter, capfd)
    (task,) = jobs.read(folder_of(counter)).tasks
    assert (task.state, task.rounds) == ("done", 0)
    assert "README.md:1: may break: it mentions count.up" in task.doubts[0].reason


def test_an_instruction_that_is_declined_names_the_commands_own_way_to_connect_a_model(counter):
    assert spark(counter, "work", "make coffee", "--wait") == ExitCode.NOTHING
    (task,) = jobs.read(folder_of(counter)).tasks
    assert "`spark work --connect URL`" in task.note and "/connect" not in task.note


def test_a_job_sees_what_the_person_sees(counter, answers, capfd):
    (counter / "count.py").write_text("STEP = 1  # mine\nLIMIT = 10\n")
    (counter / "new.py").write_text("X = 1\n")
    (counter / "other.py").unlink()
    record(answers, 6, "add to new", "*** new.py\n@@ 2,2\n+Y = 2\n")
    (counter / ".gitignore").write_text("secret\n")
    (counter / "secret").write_text("s")
    check = "test -f new.py && test ! -e other.py && test ! -e secret && grep -q mine count.py"
    assert work(counter, answers, LIMIT, "add to new", "--check", check, "--wait") == 0
    patch = patch_of(counter, capfd)
    assert " STEP = 1  # mine\n" in patch and "+Y = 2" in patch and "other.py" not in patch
    assert jobs.read(folder_of(counter)).passes


def test_an_edit_of_an_ignored_file_is_left_out_and_the_others_stand(counter, answers, capfd):
    (counter / ".gitignore").write_text("*.log\n")
    record(answers, 6, "note it", "*** run.log\n@@ 1,1\n+x\n*** count.py\n@@ 1,2\n+STEP = 3\n")
    record(answers, 7, "log it", "*** run.log\n@@ 1,1\n+x\n")
    assert work(counter, answers, "note it", "log it", "--wait") == ExitCode.MISFIT
    patch = patch_of(counter, capfd)
    assert "+STEP = 3" in patch and "run.log" not in patch
    noted, logged = jobs.read(folder_of(counter)).tasks
    why = "run.log cannot be written: git ignores this file"
    assert (noted.state, noted.note, noted.hunks) == ("done", why, 1)
    assert (logged.state, logged.note, logged.hunks) == ("failed", why, 0)


def test_an_ignored_file_that_is_named_is_said_to_be_left_out_of_the_copy(counter):
    (counter / ".gitignore").write_text("made.py\n")
    (counter / "made.py").write_text("MADE = 1\n")
    asked = "set MADE to 2 in @made.py", "in made.py, set MADE to 2", "rename up to grow everywhere"
    assert spark(counter, "work", *asked, "--wait") == ExitCode.MISFIT
    *refused, last = jobs.read(folder_of(counter)).tasks
    for task in refused:
        assert task.note.startswith("made.py: git ignores this file, and a job works on a copy without")
    assert last.state == "done"


def test_a_file_that_the_job_deleted_is_not_said_to_be_ignored(counter):
    assert spark(counter, "work", "delete the file other.py", "set X to 2 in @other.py", "--wait")
    first, second = jobs.read(folder_of(counter)).tasks
    assert first.state == "done" and "git ignores" not in second.note


def test_a_killed_worker_leaves_what_it_had_done_and_no_worktree(counter, answers, capfd):
    before = footprint(counter)
    folder, job = hanging(counter, answers)
    until((folder / "check.pid").exists)
    check = int((folder / "check.pid").read_text().split()[0])
    os.kill(job.pid, signal.SIGKILL)
    until(lambda: not jobs.is_claimed(folder))
    capfd.readouterr()
    assert spark(counter, "jobs") == 0
    out, err = capfd.readouterr()
    assert "job 1 was killed after 1 of 2; what it had done is ready for review" in err
    assert "ready for review" in out
    until(lambda: not alive(check))
    assert footprint(counter) == before
    patch = patch_of(counter, capfd)
    assert "+STEP = 2" in patch and "LIMIT = 99" not in patch
    assert spark(counter, "jobs") == 0
    assert "killed" not in capfd.readouterr().err


def test_who_waits_for_a_worker_that_is_killed_hears_of_it(counter, answers, capfd):
    assert work(counter, answers, STEP, "--check", "kill -9 $PPID; sleep 600", "--wait") == ExitCode.CRASHED
    assert "job 1 was killed after 0 of 1; it had done nothing" in capfd.readouterr().err
    spark(counter, "jobs")
    assert "killed" in capfd.readouterr().out


def test_a_stopped_job_brings_back_what_is_whole(counter, answers, capfd):
    before = footprint(counter)
    hanging(counter, answers)
    assert spark(counter, "jobs", "stop", 1) == 0
    assert [task.state for task in jobs.read(folder_of(counter)).tasks] == ["done", "stopped"]
    assert footprint(counter) == before
    patch = patch_of(counter, capfd)
    assert "+STEP = 2" in patch and "+LIMIT = 99" in patch
    done, stopped = jobs.read(folder_of(counter)).tasks
    (doubt,) = stopped.doubts
    assert doubt.reason == "not finished: the job was stopped before the check" and not done.doubts
    assert spark(counter, "jobs") == 0
    assert "not run" in capfd.readouterr().out
    assert spark(counter, "jobs", "stop", 1) == ExitCode.NOTHING


def test_a_time_limit_ends_the_job_with_what_is_done(counter, answers):
    check = "grep -q LIMIT.=.10 count.py || sleep 600"
    code = work(counter, answers, STEP, LIMIT, "--check", check, "--timeout", 8, "--wait")
    assert code == ExitCode.TIMEOUT
    assert [task.state for task in jobs.read(folder_of(counter)).tasks] == ["done", "stopped"]


def test_two_jobs_work_at_once_and_each_has_its_own_hunks(counter, answers, capfd):
    go = counter.parent / "go"
    wait = f"while test ! -e {go}; do sleep 0.05; done"
    assert work(counter, answers, STEP, "--check", wait) == 0
    assert work(counter, answers, NAME, "--check", wait) == 0
    capfd.readouterr()
    spark(counter, "jobs")
    assert capfd.readouterr().out.count("running 0/1") == 2
    go.touch()
    until(lambda: not any(jobs.is_claimed(folder_of(counter, number)) for number in (1, 2)))
    assert "STEP" in patch_of(counter, capfd, 1) and "TITLE" in patch_of(counter, capfd, 2)


def test_a_model_that_goes_away_leaves_what_was_done(counter, answers, capfd):
    assert work(counter, answers, STEP, "nobody recorded such a wish", NAME, "--wait") == ExitCode.NO_BACKEND
    job = jobs.read(folder_of(counter))
    assert (job.phase, [task.state for task in job.tasks]) == ("failed", ["done", "failed", "not begun"])
    assert "+STEP = 2" in patch_of(counter, capfd)
