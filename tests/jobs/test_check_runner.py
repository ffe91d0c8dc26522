"""The check of a job decides which edits stay, and leaves nothing behind."""

import json
import signal
import subprocess
import threading

from support.job_runs import LIMIT, NAME, STEP, alive, folder_of, patch_of, record, spark, until, work

from spark_tui.errors import ExitCode
from spark_tui.jobs import job as jobs
from spark_tui.jobs.check_history import _MARKED, began_at, kill_leftover_check, run_check
from spark_tui.workspace.processes import environment


def test_an_edit_that_breaks_the_check_is_taken_back_and_the_next_continues(counter, answers, capfd):
    check = "grep -q 'STEP = 1' count.py || { echo nothing fits this; exit 1; }"
    record(answers, 7, check + " fails now nothing fits this", "*** count.py\n@@ no-edit\n")
    code = work(counter, answers, STEP, NAME, "--check", check, "--wait")
    assert code == ExitCode.MISFIT
    job = jobs.read(folder_of(counter))
    assert [task.state for task in job.tasks] == ["check fails", "done"]
    assert job.tasks[0].note == "nothing fits this" and job.tasks[0].rounds == 1
    assert "STEP" not in patch_of(counter, capfd)


def test_a_repair_that_cannot_be_placed_leaves_the_failed_check_as_the_outcome(counter, answers):
    check = "grep -q 'STEP = 1' count.py || { echo nothing fits this; exit 1; }"
    record(answers, 7, check + " fails now nothing fits this", "*** count.py\n@@ 900,901\n+STEP = 3\n\n")
    assert work(counter, answers, STEP, "--check", check, "--rounds", 1, "--wait") == ExitCode.NOTHING
    (task,) = jobs.read(folder_of(counter)).tasks
    assert (task.state, task.note, task.rounds) == ("check fails", "nothing fits this", 1)


def test_a_choice_in_answer_to_a_failed_check_leaves_the_failed_check_as_the_outcome(repo):
    words = ("change SHIPPING to 600", "--check", "python3 -m unittest -q", "--rounds", 1, "--wait")
    assert spark(repo, "work", *words) == ExitCode.NOTHING
    (task,) = jobs.read(folder_of(repo)).tasks
    assert (task.state, task.rounds) == ("check fails", 1) and "test_cancelled_orders" in task.note


def test_a_job_whose_only_edit_was_taken_back_says_so_wherever_it_is_listed(counter, answers, capfd):
    check = "grep -q 'STEP = 1' count.py"
    code = work(counter, answers, STEP, "--check", check, "--rounds", 0, "--wait")
    assert code == ExitCode.NOTHING
    assert "1 edit was taken back, because the check failed after it" in capfd.readouterr().err
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


def test_a_failing_check_is_reported_to_the_model_for_a_repair(counter, answers, capfd):
    check = "grep -q 'LIMIT = 1' count.py || { echo LIMIT is gone; exit 1; }"
    assert work(counter, answers, LIMIT, "--check", check, "--rounds", 1, "--wait") == 0
    job = jobs.read(folder_of(counter))
    assert (job.tasks[0].state, job.tasks[0].rounds) == ("done", 1)
    assert "+LIMIT = 11" in patch_of(counter, capfd)


def test_a_check_that_failed_before_decides_nothing(counter, answers, capfd):
    assert work(counter, answers, STEP, "--check", "false", "--wait") == 0
    job = jobs.read(folder_of(counter))
    assert (job.tasks[0].state, job.passes) == ("done", False)
    assert spark(counter, "jobs", "show", 1) == 0
    assert "check: false (fails, as it did before the job)" in capfd.readouterr().out


def test_a_check_that_cannot_be_run_ends_the_job(counter, answers, capfd):
    assert work(counter, answers, STEP, "--check", "no-such-command -q", "--wait") == ExitCode.MALFORMED
    err = capfd.readouterr().err
    assert "the check cannot be run" in err and "no-such-command" in err and "full path" in err
    assert jobs.read(folder_of(counter)).tasks[0].state == "not begun"


def test_without_repair_rounds_nothing_is_reported(counter, answers):
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


def test_a_process_that_got_the_number_of_a_dead_check_is_left_alone(counter, answers, tmp_path):
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as other:
        mark = tmp_path / "mark"
        mark.write_text(f"{other.pid} 1")
        kill_leftover_check(mark)
        assert other.poll() is None and not mark.exists()
        mark.write_text(f"{other.pid} {began_at(other.pid)}")
        kill_leftover_check(mark)
        assert other.wait(60) == -signal.SIGKILL


def test_a_check_names_itself_before_its_worker_can(tmp_path):
    mark, seen = tmp_path / "mark", tmp_path / "it's seen"
    check = f'cp "{mark}" "{seen}"; echo $0 $#; echo $$; exit 3'
    result = run_check(check, tmp_path, tmp_path, 60, threading.Event(), mark)
    assert (result.code, result.output.split()[:2]) == (3, ["/bin/sh", "0"]) and not mark.exists()
    pid, began = seen.read_text().split(maxsplit=1)
    assert pid == result.output.split()[2] and began.strip()
    words = ["/bin/sh", "-c", _MARKED, "sh", str(mark), "sleep 600"]
    with subprocess.Popen(words, start_new_session=True) as check:
        until(lambda: mark.exists() and mark.read_text().endswith("\n"))
        assert mark.read_text() == f"{check.pid} {began_at(check.pid)}\n"
        kill_leftover_check(mark)
        assert check.wait(60) == -signal.SIGKILL


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
