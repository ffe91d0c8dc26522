"""`spark work`: what a job does, what it leaves alone, and how it comes back."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from support.git_command import git
from support.job_runs import commit_all, folder_of, footprint, record, spark, state_of, until

from spark_tui.config.settings import Settings
from spark_tui.errors import ExitCode
from spark_tui.jobs import handoff, launcher
from spark_tui.jobs import job as jobs
from spark_tui.jobs.check_runner import began_at, environment, kill_leftover_check
from spark_tui.jobs.job_diff import JobDiffBackend
from spark_tui.session import archive
from spark_tui.session.session import Session
from spark_tui.session.session_index import SessionIndex

STEP, LIMIT, NAME = "change STEP to 2", "change LIMIT to 99", "rename NAME in other"


def work(root, answers, *words):
    return spark(root, "work", "--replay", answers, *words)


def reviewed(root, number=1):
    """The session in which a job's hunks are reviewed, open."""
    job = jobs.read(folder_of(root, number))
    return Session(root, JobDiffBackend(), Settings(), state_of(root), session_id=job.session)


def patch_of(root, capfd, number=1):
    capfd.readouterr()
    assert spark(root, "jobs", "review", number) == 0
    return capfd.readouterr().out


def test_what_a_job_did_waits_for_review_and_nothing_is_touched(counter, answers, capfd):
    before = footprint(counter)
    assert work(counter, answers, STEP, NAME, "--wait") == 0
    assert footprint(counter) == before
    patch = patch_of(counter, capfd)
    assert "+STEP = 2" in patch and "+TITLE = 'a'" in patch
    assert sorted(path.name for path in folder_of(counter).iterdir()) == ["claim", "job.json", "log"]


def test_the_hunks_are_an_ordinary_session_that_writes_undoes_and_is_listed(counter, answers):
    work(counter, answers, STEP, NAME, "--wait")
    session = reviewed(counter)
    first, second = session.offered()
    session.decide(first.id, "accepted")
    session.decide(second.id, "rejected")
    session.write()
    assert (counter / "count.py").read_text().startswith("STEP = 2\n")
    assert (counter / "other.py").read_text() == "NAME = 'a'\n"
    session.undo()
    session.close()
    assert (counter / "count.py").read_text().startswith("STEP = 1\n")
    with SessionIndex(state_of(counter)) as store:
        store.refresh()
        (row,) = store.sessions()
        assert row.name.startswith("job 1: 2 instructions: change STEP to 2")
        assert store.hunk_states(row.id) == ["undone", "rejected"]
        assert store.measured() == []  # it hands over what was written; no model read or wrote for it
    assert "2 of 2 done" in archive.as_markdown(
        "x", archive.turns_of(state_of(counter) / "sessions" / row.id)
    )


def test_a_commit_of_a_job_names_what_was_done_and_not_what_came_to_nothing(counter, answers):
    work(counter, answers, STEP, "leave everything alone", NAME, "--wait")
    session = reviewed(counter)
    for hunk in session.offered():
        session.decide(hunk.id, "accepted")
    session.write()
    subject = session.draft_message().split("\n")[0]
    session.close()
    assert subject == "Change STEP to 2; rename NAME in other"


def test_the_figures_count_the_hunks_of_a_job_and_not_the_time_of_handing_them_over(counter, answers, capfd):
    work(counter, answers, STEP, "--wait")
    session = reviewed(counter)
    session.decide(session.offered()[0].id, "rejected")
    session.close()
    capfd.readouterr()
    assert spark(counter, "stats", "--json") == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["turns"], found["accept_rate"], found["hunks"]) == (0, 0.0, {"rejected": 1})
    assert found["tokens_per_second"] is None


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


def test_an_edit_that_breaks_the_check_is_taken_back_and_the_next_goes_on(counter, answers, capfd):
    check = "grep -q 'STEP = 1' count.py || { echo nothing fits this; exit 1; }"
    record(answers, 7, check + " fails now nothing fits this", "*** count.py\n@@ no-edit\n")
    code = work(counter, answers, STEP, NAME, "--check", check, "--wait")
    assert code == ExitCode.MISFIT
    job = jobs.read(folder_of(counter))
    assert [task.state for task in job.tasks] == ["check fails", "done"]
    assert job.tasks[0].note == "nothing fits this" and job.tasks[0].rounds == 1
    assert "STEP" not in patch_of(counter, capfd)


def test_a_job_whose_only_edit_was_taken_back_says_so_wherever_it_is_listed(counter, answers, capfd):
    check = "grep -q 'STEP = 1' count.py"
    code = work(counter, answers, STEP, "--check", check, "--rounds", 0, "--wait")
    assert code == ExitCode.NOTHING
    assert "1 edit was taken back, because the check failed behind it" in capfd.readouterr().err
    assert spark(counter, "jobs") == 0
    row = capfd.readouterr().out.splitlines()[1]
    assert "1 edit taken back" in row and "fails" in row
    assert "passes" not in row and "nothing to review" not in row
    assert spark(counter, "jobs", "show", 1) == 0
    shown = capfd.readouterr().out.splitlines()
    assert shown[:2] == ["job 1: 1 edit taken back", f"check: {check} (fails)"]
    assert spark(counter, "jobs", "review", 1) == ExitCode.NOTHING
    assert "left nothing to review: 1 edit taken back" in capfd.readouterr().err
    assert spark(counter, "jobs", "--json") == 0
    assert json.loads(capfd.readouterr().out)["taken_back"] == 1


def test_a_job_of_which_something_stands_says_what_was_taken_back_too(counter, answers, capfd):
    check = "grep -q 'STEP = 1' count.py"
    work(counter, answers, STEP, NAME, "no recording of this", "--check", check, "--rounds", 0, "--wait")
    capfd.readouterr()
    assert spark(counter, "jobs") == 0
    row = capfd.readouterr().out.splitlines()[1]
    assert "ready for review, 1 edit taken back" in row and "passes" in row


def test_the_model_is_told_what_fails_and_may_mend_it(counter, answers, capfd):
    check = "grep -q 'LIMIT = 1' count.py || { echo LIMIT is gone; exit 1; }"
    assert work(counter, answers, LIMIT, "--check", check, "--rounds", 1, "--wait") == 0
    job = jobs.read(folder_of(counter))
    assert (job.tasks[0].state, job.tasks[0].rounds) == ("done", 1)
    assert "+LIMIT = 11" in patch_of(counter, capfd)


def test_a_check_that_failed_before_decides_nothing(counter, answers):
    assert work(counter, answers, STEP, "--check", "false", "--wait") == 0
    job = jobs.read(folder_of(counter))
    assert (job.tasks[0].state, job.passes) == ("done", False)


def test_without_rounds_nothing_is_told(counter, answers):
    check = "grep -q 'STEP = 1' count.py"
    assert work(counter, answers, STEP, "--check", check, "--rounds", 0, "--wait") == ExitCode.NOTHING
    assert jobs.read(folder_of(counter)).tasks[0].rounds == 0


def test_what_the_check_does_to_files_and_processes_does_not_stay(counter, answers, capfd):
    # It reads, writes, deletes, and leaves a child that ignores its end.
    pids = counter.parent / "pids"
    check = "cat; echo junk > junk; echo more >> other.py; rm -f count.py; "
    check += f"(trap '' TERM HUP; sleep 600) & echo $! >> {pids}"
    assert work(counter, answers, STEP, "--check", check, "--wait") == 0
    patch = patch_of(counter, capfd)
    assert "+STEP = 2" in patch and "junk" not in patch and "more" not in patch
    for pid in pids.read_text().split():
        until(lambda pid=pid: not alive(int(pid)))


def test_a_check_that_hangs_is_ended_and_counts_as_failing(counter, answers):
    check = "grep -q 'STEP = 1' count.py || sleep 600"
    record(answers, 7, check + " fails now", "*** count.py\n@@ no-edit\n")
    assert work(counter, answers, STEP, "--check", check, "--check-timeout", 3, "--wait") == ExitCode.NOTHING
    assert jobs.read(folder_of(counter)).tasks[0].note == "timed out after 3 seconds"


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def hanging(root, answers):
    """A job that has done its first instruction and hangs in the check of the second."""
    check = "grep -q LIMIT.=.10 count.py || sleep 600"
    assert work(root, answers, STEP, LIMIT, "--check", check) == 0
    folder = folder_of(root)
    until(lambda: jobs.read(folder).done == 1 and (folder / "check.pid").exists())
    until(lambda: "LIMIT = 99" in (folder / "tree" / root.name / "count.py").read_text())
    return folder, jobs.read(folder)


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
    assert "+STEP = 2" in patch and "LIMIT = 99" not in patch
    assert spark(counter, "jobs", "stop", 1) == ExitCode.NOTHING


def test_a_time_limit_ends_the_job_with_what_is_done(counter, answers):
    check = "grep -q LIMIT.=.10 count.py || sleep 600"
    code = work(counter, answers, STEP, LIMIT, "--check", check, "--timeout", 8, "--wait")
    assert code == ExitCode.TIMEOUT
    assert [task.state for task in jobs.read(folder_of(counter)).tasks] == ["done", "stopped"]


def test_a_process_that_got_the_number_of_a_dead_check_is_left_alone(counter, answers, tmp_path):
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as other:
        mark = tmp_path / "mark"
        mark.write_text(f"{other.pid} 1")
        kill_leftover_check(mark)
        assert other.poll() is None and not mark.exists()
        mark.write_text(f"{other.pid} {began_at(other.pid)}")
        kill_leftover_check(mark)
        assert other.wait(60) == -signal.SIGKILL


def test_what_changed_meanwhile_is_merged(counter, answers):
    work(counter, answers, STEP, "--wait")
    (counter / "count.py").write_text(
        "STEP = 1\nLIMIT = 10\n\n\ndef up(n):\n    return n + STEP + 0\n\n\nEND = 1\n"
    )
    git(counter, "commit", "-qam", "Meanwhile")
    session = reviewed(counter)
    for hunk in session.offered():
        session.decide(hunk.id, "accepted")
    session.write()
    session.close()
    text = (counter / "count.py").read_text()
    assert text == "STEP = 2\nLIMIT = 10\n\n\ndef up(n):\n    return n + STEP + 0\n\n\nEND = 1\n"


def test_what_changed_in_the_same_lines_before_the_job_ended_is_in_conflict(counter, answers):
    check = f"touch {counter.parent}/began; while test ! -e {counter.parent}/go; do sleep 0.05; done"
    assert work(counter, answers, STEP, "--check", check) == 0
    until((counter.parent / "began").exists)
    (counter / "count.py").write_text("STEP = 7\nLIMIT = 10\n")
    (counter.parent / "go").touch()
    until(lambda: not jobs.is_claimed(folder_of(counter)))
    session = reviewed(counter)
    (hunk,) = session.offered()
    assert (hunk.old_lines, hunk.new_lines) == (("STEP = 1",), ("STEP = 2",))
    session.decide(hunk.id, "accepted")
    with pytest.raises(Exception) as caught:
        session.write()
    session.close()
    assert caught.value.exit_code == ExitCode.CHANGED
    assert (counter / "count.py").read_text() == "STEP = 7\nLIMIT = 10\n"


def test_bytes_names_and_modes_come_through_filters_and_hooks_untouched(tmp_path, answers, capfd):
    root = tmp_path / "odd"
    root.mkdir()
    ran = tmp_path / "ran"
    (root / "sp ace ü.py").write_bytes(b"\xef\xbb\xbfA = 1\r\nB = 2\r\n")
    (root / "latin.py").write_bytes(b"# caf\xe9\nC = 1\n")
    (root / "new\nline").write_bytes(b"x\n")
    (root / "tool.sh").write_bytes(b"echo\n")
    (root / "tool.sh").chmod(0o755)
    (root / "link").symlink_to("latin.py")
    (root / ".gitattributes").write_text("* text=auto filter=loud ident\n")
    commit_all(root)
    git(root, "config", "filter.loud.smudge", f"touch {ran}; cat")
    git(root, "config", "filter.loud.clean", f"touch {ran}; cat")
    git(root, "config", "core.autocrlf", "true")
    for hook in ("post-checkout", "post-commit", "reference-transaction"):
        path = root / ".git" / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch {ran}\n")
        path.chmod(0o755)
    record(answers, 6, "make A two", "*** sp ace ü.py\n@@ 1,2\n+A = 2\n")
    record(answers, 7, "make C two", "*** latin.py\n@@ 2,3\n+C = 2\n")
    check = "test -x tool.sh && test -L link && test $(ls | wc -l) -ge 5"
    before = footprint(root)
    assert work(root, answers, "make A two", "make C two", "--check", check, "--wait") == 0
    assert not ran.exists()
    assert footprint(root) == before
    assert jobs.read(folder_of(root)).passes
    session = reviewed(root)
    for hunk in session.offered():
        session.decide(hunk.id, "accepted")
    session.write()
    session.close()
    assert (root / "sp ace ü.py").read_bytes() == b"\xef\xbb\xbfA = 2\r\nB = 2\r\n"
    assert (root / "latin.py").read_bytes() == b"# caf\xe9\nC = 2\n"


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


def test_a_job_in_the_worktree_of_a_job_is_refused(counter, answers, capfd):
    folder, _ = hanging(counter, answers)
    assert work(folder / "tree" / "counter", answers, NAME) == ExitCode.REFUSED
    assert "Start it in your own working tree" in capfd.readouterr().err
    spark(counter, "jobs", "stop", 1)


def test_a_model_that_goes_away_leaves_what_was_done(counter, answers, capfd):
    assert work(counter, answers, STEP, "nobody recorded such a wish", NAME, "--wait") == ExitCode.NO_BACKEND
    job = jobs.read(folder_of(counter))
    assert (job.phase, [task.state for task in job.tasks]) == ("failed", ["done", "failed", "not begun"])
    assert "+STEP = 2" in patch_of(counter, capfd)


def test_the_check_runs_in_the_folder_where_the_job_was_asked_for(counter, answers):
    (counter / "deep").mkdir()
    (counter / "deep" / "here").touch()
    assert work(counter / "deep", answers, STEP, "--check", "test -e here", "--wait") == 0
    assert jobs.read(folder_of(counter)).passes


def test_a_check_of_an_installed_project_finds_the_copy(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/mine")
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    assert environment(tmp_path)["PYTHONPATH"] == "/mine"
    (tmp_path / "pyproject.toml").touch()
    assert environment(tmp_path)["PYTHONPATH"] == f"{tmp_path}:/mine"
    (tmp_path / "src").mkdir()
    assert environment(tmp_path)["PYTHONPATH"] == f"{tmp_path}/src:/mine"
    assert "GIT_DIR" not in environment(tmp_path)


def test_a_hand_over_that_was_killed_is_done_again_and_leaves_one_session(
    counter, answers, capfd, monkeypatch
):
    folder, job = hanging(counter, answers)
    os.kill(job.pid, signal.SIGKILL)
    until(lambda: not jobs.is_claimed(folder))

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(handoff, "keep_facts", killed)
        assert spark(counter, "jobs") == ExitCode.INTERRUPTED
    assert spark(counter, "jobs") == 0
    assert len(list((state_of(counter) / "sessions").iterdir())) == 1
    assert "+STEP = 2" in patch_of(counter, capfd)


def test_a_state_folder_that_cannot_be_written_is_said(counter, answers, monkeypatch, capfd):
    monkeypatch.setenv("XDG_STATE_HOME", str(counter / "count.py"))
    assert work(counter, answers, STEP) == ExitCode.NO_PLACE
    assert "cannot save this session" in capfd.readouterr().err


@pytest.mark.parametrize("kind", ["none", "unborn", "bare"])
def test_where_no_worktree_can_be_made_it_says_what_to_do(tmp_path, answers, kind, capfd):
    root = tmp_path / "place"
    root.mkdir()
    if kind != "none":
        git(root, "init", "-q", *(["--bare"] if kind == "bare" else []))
    assert work(root, answers, STEP) == ExitCode.NO_PLACE
    err = capfd.readouterr().err
    assert {"none": "git init", "unborn": "Commit something first", "bare": "working tree"}[kind] in err


def test_a_submodule_stays_out(counter, answers, tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "a").write_text("a\n")
    commit_all(inner)
    git(counter, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "part")
    git(counter, "commit", "-qm", "Part")
    before = footprint(counter)
    assert work(counter, answers, STEP, "--wait") == 0
    assert footprint(counter) == before


def test_a_model_that_is_not_there_is_said_at_once(counter, capfd):
    before = footprint(counter)
    assert spark(counter, "work", STEP, "--model", counter / "nowhere") == ExitCode.NO_BACKEND
    assert "job 1 could not start" in capfd.readouterr().err
    until(lambda: not jobs.is_claimed(folder_of(counter)))
    assert footprint(counter) == before


@pytest.mark.parametrize("begin", ["import sys; ", "import os, sys; os.fork() and os._exit(0); "])
def test_a_worker_that_cannot_begin_is_said(counter, answers, capfd, monkeypatch, begin):
    monkeypatch.setattr(launcher, "_BEGIN", begin + "sys.exit('no memory')")
    assert work(counter, answers, STEP) == ExitCode.REFUSED
    assert "ended before it started" in capfd.readouterr().err
    assert spark(counter, "jobs", "show", 1) == 0
    assert "no memory" in capfd.readouterr().out


def test_an_instruction_that_does_nothing_is_said(counter, answers, capfd):
    assert work(counter, answers, "leave everything alone", "--wait") == ExitCode.NOTHING
    assert "nothing changed: the model sees nothing to change" in capfd.readouterr().err
    assert spark(counter, "jobs", "review", 1) == ExitCode.NOTHING


def test_a_list_of_tasks_names_files_line_by_line(counter, answers, tmp_path, capfd):
    tasks = tmp_path / "tasks"
    tasks.write_text(f"# first\n\ncount.py: {STEP}\nnot a file: {NAME}\n")
    assert work(counter, answers, "--tasks", tasks) == 0
    first, second = jobs.read(folder_of(counter)).tasks
    assert (first.text, first.files) == (STEP, ("count.py",))
    assert (second.text, second.files) == (f"not a file: {NAME}", ())
    spark(counter, "jobs", "stop", 1)


def test_dropping_forgets_the_hunks_and_asks_before(counter, answers, capfd):
    work(counter, answers, STEP, "--wait")
    assert spark(counter, "jobs", "drop", 1) == ExitCode.MALFORMED
    assert "1 hunk not yet written" in capfd.readouterr().err
    assert spark(counter, "jobs", "drop", 1, "--yes") == 0
    assert not list((state_of(counter) / "sessions").glob("*"))
    assert spark(counter, "jobs") == ExitCode.NOTHING


def test_the_list_and_one_job_as_json(counter, answers, capfd):
    work(counter, answers, STEP, "leave everything alone", "--wait")
    capfd.readouterr()
    assert spark(counter, "jobs", "--json") == 0
    row = json.loads(capfd.readouterr().out)
    assert (row["state"], row["open"], row["hunks"]) == ("review", 1, 1)
    assert spark(counter, "jobs", "show", "last", "--json") == 0
    shown = json.loads(capfd.readouterr().out)
    assert [task["state"] for task in shown["tasks"]] == ["done", "nothing"]
    assert any("1/2 change STEP to 2" in line for line in shown["log"])
    assert spark(counter, "jobs", "review", 1, "--json") == 0
    assert json.loads(capfd.readouterr().out)["new_lines"] == ["STEP = 2"]


def test_one_that_does_not_exist_is_named_with_those_that_do(counter, answers, capfd):
    work(counter, answers, STEP, "--wait")
    assert spark(counter, "jobs", "show", 9) == ExitCode.MALFORMED
    assert "The jobs are: 1." in capfd.readouterr().err
